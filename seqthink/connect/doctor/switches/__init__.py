"""What outside of an entry keeps each client from using a server: a module for each client that has such switches."""
