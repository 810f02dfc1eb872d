"""One connection to one engine: commands out, replies in, opened when it is needed and again after it broke."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Final, NamedTuple, Protocol, cast

from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import RedisError, ResponseError

from seqthink.core.errors import SeqthinkError
from seqthink.sources.fleet.address import Endpoint, FleetAddress
from seqthink.sources.fleet.credentials import Credentials
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError, NonsenseReplyError
from seqthink.sources.fleet.redis.reply_reader import SMALL_REPLY, ReplyReader
from seqthink.sources.fleet.redis.translation import SINGLE, failure_of, is_list

Argument = str | bytes | int | float
_NAMELESS: Final = {"driver_info": None} if find_spec("redis.driver_info") else {"lib_name": None, "lib_version": None}
"""The client does not send its own name, which costs two round trips; older redis-py names the option differently."""
CONNECT_SECONDS: Final = 5.0
ANSWER_SECONDS: Final = 10.0
_SENT_A_SECOND: Final = 256 << 10
_FRESH_SECONDS: Final = 1.0
"""A connection that was used less long ago is not tried a second time."""
_OLDEST: Final = (6, 2)


class Asking(NamedTuple):
    """How replies are read."""

    bound: int = SMALL_REPLY
    """Bytes that each may have."""
    total: int = 16 << 20
    """Bytes that all may have together; not less than ``bound``."""
    seconds: float = 0.0
    """How long the engine may wait before it answers."""
    opening: re.Pattern[bytes] | None = None
    """What the reply must begin with."""


class EngineConnection(Protocol):
    """What is used of redis-py's connections, in types."""

    def connect(self) -> None:
        """Open it, and say who we are."""

    def disconnect(self) -> None:
        """Close it."""

    def pack_commands(self, commands: Sequence[Sequence[Argument]]) -> list[bytes]:
        """Return commands as they are sent."""
        ...

    def send_packed_command(self, command: Sequence[bytes]) -> None:
        """Send what `pack_commands` returned."""

    def read_response(self) -> object:
        """Return the next reply."""


class Opened(NamedTuple):
    """A connection that is not open yet, and what reads its replies."""

    connection: EngineConnection
    reader: ReplyReader


class Wire:
    """A connection to one engine."""

    def __init__(self, make: Callable[[], Opened], modes: frozenset[str] = frozenset()) -> None:
        """Connect on the first exchange; ``modes`` are how the engine may run, all if there are none."""
        self._make = make
        self._modes = modes
        self._opened: Opened | None = None
        self._used = 0.0
        self.is_closed = False

    def exchange(self, commands: Sequence[Sequence[Argument]], asking: Asking = Asking()) -> list[object]:  # noqa: B008 - a constant
        """Return the replies to commands, in their order; errors of the engine are among them.

        Raises:
            EngineUnavailableError: The engine cannot be reached.
            EngineRefusedError: It will not serve us.
            ReplyTooLargeError: A reply is above its bound.
        """
        if not commands:
            return []
        is_old = self._opened is not None and time.monotonic() - self._used > _FRESH_SECONDS
        try:
            return self._exchange(commands, asking)
        except (RedisError, OSError) as error:
            self.drop()
            if not is_old or self.is_closed or isinstance(error, TimeoutError):
                raise self._failure(error) from error
        try:
            return self._exchange(commands, asking)
        except (RedisError, OSError) as error:
            self.drop()
            raise self._failure(error) from error

    def interrupt(self) -> None:
        """Make a call end that waits in another thread, and all later ones."""
        self.is_closed = True
        opened = self._opened
        if opened is not None:
            opened.reader.interrupt()

    def drop(self) -> None:
        """Close the connection; the next exchange opens one."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.connection.disconnect()

    def _failure(self, error: BaseException) -> SeqthinkError:
        return EngineUnavailableError("the connection was closed") if self.is_closed else failure_of(error)

    def _exchange(self, commands: Sequence[Sequence[Argument]], asking: Asking) -> list[object]:
        opened = self._opened or self._open()
        connection, reader = opened
        try:
            reader.opening, reader.seconds = asking.opening, ANSWER_SECONDS
            packed: list[bytes] = connection.pack_commands(commands)
            reader.allow(ANSWER_SECONDS + sum(map(len, packed)) / _SENT_A_SECOND)
            connection.send_packed_command(packed)
            reader.seconds = asking.seconds + ANSWER_SECONDS
            replies = _replies(opened, len(commands), asking)
        except BaseException:
            self.drop()
            raise
        self._used = time.monotonic()
        return replies

    def _open(self) -> Opened:
        if self.is_closed:
            raise EngineUnavailableError("the connection was closed")
        opened = self._make()
        self._opened = opened
        opened.reader.bound, opened.reader.opening, opened.reader.seconds = SMALL_REPLY, None, ANSWER_SECONDS
        try:
            opened.connection.connect()
            opened.connection.send_packed_command(opened.connection.pack_commands([("HELLO",)]))
            _check_greeting(_reply(opened.connection), self._modes)
        except NonsenseReplyError as error:
            self.drop()
            raise EngineRefusedError(_NO_REDIS) from error
        except RedisError as error:
            self.drop()
            failure = failure_of(error)
            raise EngineRefusedError(_NO_REDIS) if isinstance(failure, NonsenseReplyError) else failure from error
        except BaseException:
            self.drop()
            raise
        return opened


_NO_REDIS: Final = (
    "there is no Redis at this address, what answers there speaks another protocol; "
    "an engine behind TLS has an address that begins with rediss://"
)


def _replies(opened: Opened, count: int, asking: Asking) -> list[object]:
    replies: list[object] = []
    left = max(asking.total, asking.bound)
    for _ in range(count):
        opened.reader.bound = min(asking.bound, left)
        replies.append(_reply(opened.connection))
        left = max(0, left - opened.reader.size)
    return replies


def _reply(connection: EngineConnection) -> object:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error


def _check_greeting(reply: object, modes: frozenset[str]) -> None:
    """Hold the engine's version and mode against what we need."""
    if isinstance(reply, ResponseError):
        raise failure_of(reply)
    facts = _facts(reply)
    version = tuple(int(part) for part in re.findall(r"[0-9]{1,6}", facts.get("version", ""))[:2])
    if facts.get("server") == "redis" and version < _OLDEST:
        raise EngineRefusedError("the engine is too old: it must be Redis 6.2 or newer, Valkey, or a program like them")
    mode = facts.get("mode", "")
    if modes and mode in _ADVICE and mode not in modes:
        raise EngineRefusedError(_ADVICE[mode])


_ADVICE: Final = {
    "standalone": SINGLE,
    "cluster": "the engine is a cluster: its address begins with redis+cluster:// or rediss+cluster://",
    "sentinel": "there is a Sentinel at this address: the address begins with redis+sentinel:// or rediss+sentinel://",
}


def _facts(reply: object) -> dict[str, str]:
    """Return the texts of a list of names and values."""
    if not is_list(reply) or len(reply) < 8:
        raise NonsenseReplyError("the engine does not say who it is")
    texts = [item.decode(errors="replace") if isinstance(item, bytes) else "" for item in reply]
    return dict(zip(texts[::2], texts[1::2], strict=False))


def connections(address: FleetAddress, who: Credentials) -> Callable[[Endpoint | None], Opened]:
    """Return what makes connections to the endpoints of an address; None means the address's own socket."""

    def make(endpoint: Endpoint | None) -> Opened:
        reader = ReplyReader()
        options: dict[str, object] = {
            "db": address.db,
            "username": who.user or None,
            "password": who.password or None,
            "protocol": 2,
            **_NAMELESS,
            "socket_timeout": ANSWER_SECONDS,
            "socket_connect_timeout": CONNECT_SECONDS,
            "parser_class": _Given(reader),
        }
        if endpoint is None:
            return Opened(_made(UnixDomainSocketConnection, options | {"path": address.path}), reader)
        options |= {"host": endpoint.host, "port": endpoint.port, "socket_keepalive": True}
        if not address.tls:
            return Opened(_made(Connection, options), reader)
        authorities = who.authorities or None
        options |= {"ssl_cert_reqs": "required", "ssl_check_hostname": True, "ssl_ca_certs": authorities}
        return Opened(_made(SSLConnection, options), reader)

    return make


class _Given:
    """What redis-py calls to get a connection's parser."""

    def __init__(self, reader: ReplyReader) -> None:
        self._reader = reader

    def __call__(self, **_options: object) -> ReplyReader:
        return self._reader


def _made(kind: type[object], options: Mapping[str, object]) -> EngineConnection:
    return cast("EngineConnection", kind(**options))
