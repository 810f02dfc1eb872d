"""What the waiting screen's command can connect: all clients of the machine, or one."""

from typing import Final

from seqthink.connect.clients.registry import CLIENTS

CONNECT_CHOICES: Final = ("all", *CLIENTS)
"""The choices, as the screen names them."""


def connect_command(connect: str, chosen: int) -> str:
    """Return the command that connects the choice at an index of `CONNECT_CHOICES`.

    Args:
        connect: the command for all clients; a client's name behind it makes it one for that alone.
        chosen: the index.
    """
    return f"{connect} {CONNECT_CHOICES[chosen]}" if chosen else connect
