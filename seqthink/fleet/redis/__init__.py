"""The engine on Redis Streams: how seqthink speaks to it."""
