"""The engine on Redis Streams, through redis-py: connections, nodes, replies that are not believed, and both sides."""
