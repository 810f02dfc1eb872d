"""Commands of the user that are started when a session needs them or has ended: when, with which facts, and how."""
