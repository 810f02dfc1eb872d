"""How a client starts the server: the installed program by its absolute path, options and environment. Pure."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

SERVER_NAME = "seqthink"
"""The server's name in a client's configuration."""

_CACHES = ("archive-v0", "environments-v2", "builds-v0")
"""Folders in uv's cache: a program in one of them was installed for a single run."""


class Launch(Struct, frozen=True):
    """A command line and its environment."""

    command: str
    arguments: tuple[str, ...] = ("serve",)
    environment: Mapping[str, str] = {}

    @property
    def command_line(self) -> list[str]:
        """All words of the command line."""
        return [self.command, *self.arguments]

    @property
    def is_temporary(self) -> bool:
        """Whether the program was installed for a single run, as `uvx` and `pipx run` do."""
        parts = self.command.replace("\\", "/").split("/")
        return any(cache in parts for cache in _CACHES) or ("pipx" in parts and ".cache" in parts)


def make_launch(program: Sequence[str], options: Sequence[str], environment: Mapping[str, str]) -> Launch:
    """Return how to start ``program``'s server with ``options`` of `seqthink serve`."""
    return Launch(program[0], (*program[1:], "serve", *options), environment)


def make_tap_launch(
    program: Sequence[str], options: Sequence[str], command: Sequence[str], environment: Mapping[str, str]
) -> Launch:
    """Return how to start another server's ``command`` inside ``program``'s tap, with ``options`` of `seqthink tap`."""
    return Launch(program[0], (*program[1:], "tap", *options, "--", *command), environment)
