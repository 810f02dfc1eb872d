"""Sentinels, which know the primary of an engine: asked each time that a connection is opened."""

from collections.abc import Callable, Sequence
from typing import Final

from seqthink.sources.fleet.address import Endpoint, is_host
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError, NonsenseReplyError
from seqthink.sources.fleet.redis.replies import checked
from seqthink.sources.fleet.redis.router import Keyed, at
from seqthink.sources.fleet.redis.translation import code_of
from seqthink.sources.fleet.redis.wire import Asking, Opened, Wire

_SENTINEL: Final = frozenset({"sentinel"})
_ENGINE: Final = frozenset({"standalone"})


class SentinelEngine:
    """The primary that sentinels name, a `Router`."""

    def __init__(
        self,
        make: Callable[[Endpoint | None], Opened],
        makes_to_sentinel: Sequence[Callable[[Endpoint | None], Opened]],
        sentinels: Sequence[Endpoint],
        service: str,
    ) -> None:
        """Connect on the first call; each way to sentinels is tried, as they may have passwords or none."""
        self._make = make
        self._makes_to_sentinel = makes_to_sentinel
        self._sentinels = tuple(sentinels)
        self._service = service
        self._wire = Wire(self._open, _ENGINE)

    def run(self, commands: Sequence[Keyed], asking: Asking) -> list[object]:
        """Return the replies to commands (see `Router`)."""
        replies = self._wire.exchange([words for _, words in commands], asking)
        if any(code_of(reply) in {"READONLY", "MASTERDOWN"} for reply in replies):
            self._wire.drop()
        return replies

    def share_call(self, keys: Sequence[str]) -> bool:  # noqa: ARG002 - the protocol's
        """All keys are in one place."""
        return True

    def close(self) -> None:
        """End all calls, now and for ever."""
        self._wire.interrupt()

    def _open(self) -> Opened:
        failure: EngineUnavailableError | EngineRefusedError = EngineUnavailableError("no Sentinel can be reached")
        for sentinel in self._sentinels:
            for make in self._makes_to_sentinel:
                wire = Wire(at(make, sentinel), _SENTINEL)
                try:
                    return self._make(self._primary(wire, sentinel))
                except (EngineUnavailableError, EngineRefusedError) as error:
                    failure = error
                finally:
                    wire.drop()
        raise failure

    def _primary(self, wire: Wire, asked: Endpoint) -> Endpoint:
        reply = checked(wire.exchange([("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._service)])[0])
        if reply is None:
            raise EngineRefusedError("the Sentinels know no engine of this name: see `?service=` in the address")
        match reply:
            case [bytes(host), bytes(port)] if port.isdigit() and len(port) <= 5 and 0 < int(port) <= 65535:
                name = host.decode("ascii", "replace") or asked.host
                if is_host(name):
                    return Endpoint(name, int(port))
            case _:
                pass
        raise NonsenseReplyError("the Sentinel names a primary that is not a host")
