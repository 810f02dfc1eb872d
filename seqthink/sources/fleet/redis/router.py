"""Which engine has which keys: one engine for all, or a node of a cluster for each slot."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from seqthink.sources.fleet.address import Endpoint
from seqthink.sources.fleet.redis.wire import Argument, Asking, Opened, Wire


class Keyed(NamedTuple):
    """A command, and a key that says where it goes."""

    key: str
    words: Sequence[Argument]


class Router(Protocol):
    """Where commands go."""

    def run(self, commands: Sequence[Keyed], asking: Asking) -> list[object]:
        """Return the replies to commands, in their order; errors of the engine are among them.

        Raises:
            EngineUnavailableError: An engine cannot be reached.
            EngineRefusedError: It will not serve us.
            ReplyTooLargeError: A reply is above its bound.
        """
        ...

    def share_call(self, keys: Sequence[str]) -> bool:
        """Whether one command may have all these keys."""
        ...

    def close(self) -> None:
        """End all calls, now and for ever."""
        ...


class OneEngine:
    """All keys are in one place."""

    def __init__(self, make: Callable[[], Opened], modes: frozenset[str] = frozenset({"standalone"})) -> None:
        self._wire = Wire(make, modes)

    def run(self, commands: Sequence[Keyed], asking: Asking) -> list[object]:
        """Return the replies to commands (see `Router`)."""
        return self._wire.exchange([words for _, words in commands], asking)

    def share_call(self, keys: Sequence[str]) -> bool:  # noqa: ARG002 - the protocol's
        """All keys are in one place."""
        return True

    def close(self) -> None:
        """End all calls, now and for ever."""
        self._wire.interrupt()


def at(make: Callable[[Endpoint | None], Opened], endpoint: Endpoint | None) -> Callable[[], Opened]:
    """Return what makes connections to one endpoint."""
    return lambda: make(endpoint)
