"""What a user asks for when a client's configuration is to be written. Pure."""

from msgspec import Struct


class Wish(Struct, frozen=True):
    """What the user asks for."""

    removes: bool = False
    """Our entry goes."""
    replaces: bool = False
    """The entries of the reference server go, too."""
    forces: bool = False
    """A server of our name that is not ours may be replaced or removed."""
