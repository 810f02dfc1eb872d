"""An engine, opened: the one place that knows which program an address means. It loads the extra `fleet` late."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from seqthink.core.errors import UsageError
from seqthink.sources.fleet.address import FleetAddress, Kind, parse_address
from seqthink.sources.fleet.credentials import credentials
from seqthink.sources.fleet.engine import FleetEngine, OriginEngine
from seqthink.sources.fleet.layout import Layout, is_origin

__all__ = ["FleetAddress", "open_origin", "open_reader", "parse_address"]

if TYPE_CHECKING:
    from seqthink.sources.fleet.redis.router import Router


def open_origin(
    address: FleetAddress, origin: str, environ: Mapping[str, str], keep_milliseconds: int | None = None
) -> OriginEngine:
    """Return the shipper's side of the engine; it connects with the first call.

    Args:
        address: Where the engine is.
        origin: Whose keys are written.
        environ: Where user and password are.
        keep_milliseconds: How long a session is kept after its last line; 30 days if it is not said.

    Raises:
        UsageError: The extra `fleet` is not installed, or the environment contradicts itself.
    """
    if not is_origin(origin):
        raise UsageError("the name of this machine's origin cannot be part of a key: letters, digits, `.`, `-`, `_`")
    router = _router(address, environ)
    from seqthink.sources.fleet.redis.origin import KEEP_MILLISECONDS, RedisOrigin  # noqa: PLC0415 - the extra is loaded late

    return RedisOrigin(router, Layout(address.tenant), origin, keep_milliseconds or KEEP_MILLISECONDS)


def open_reader(address: FleetAddress, environ: Mapping[str, str]) -> FleetEngine:
    """Return the reader's side of the engine; it connects with the first call.

    Raises:
        UsageError: The extra `fleet` is not installed, or the environment contradicts itself.
    """
    router = _router(address, environ)
    from seqthink.sources.fleet.redis.reader import RedisReader  # noqa: PLC0415 - the extra is loaded late

    return RedisReader(router, Layout(address.tenant))


def _router(address: FleetAddress, environ: Mapping[str, str]) -> "Router":
    who = credentials(environ)
    try:
        import hiredis  # noqa: F401, PLC0415 # pyright: ignore[reportUnusedImport] - only whether it is there
        import redis  # noqa: F401, PLC0415 # pyright: ignore[reportUnusedImport] - only whether it is there
    except ImportError as error:
        raise UsageError(
            "no engine can be reached: the package `redis` is missing; run `pip install 'seqthink[fleet]'`"
        ) from error
    from seqthink.sources.fleet.redis.cluster import ClusterEngine  # noqa: PLC0415 - the extra is loaded late
    from seqthink.sources.fleet.redis.router import OneEngine, at  # noqa: PLC0415 - the extra is loaded late
    from seqthink.sources.fleet.redis.sentinel import SentinelEngine  # noqa: PLC0415 - the extra is loaded late
    from seqthink.sources.fleet.redis.wire import connections  # noqa: PLC0415 - the extra is loaded late

    make = connections(address, who)
    match address.kind:
        case Kind.ONE:
            return OneEngine(at(make, address.endpoints[0]))
        case Kind.UNIX:
            return OneEngine(at(make, None))
        case Kind.CLUSTER:
            return ClusterEngine(make, address.endpoints)
        case Kind.SENTINEL:
            plain = address._replace(db=0)
            nobody = who._replace(user="", password="")
            makes = [connections(plain, one) for one in dict.fromkeys((nobody, who))]
            return SentinelEngine(make, makes, address.endpoints, address.service)
