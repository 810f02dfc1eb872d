"""Opens an engine by its address."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from seqthink.errors import UsageError
from seqthink.fleet.engine import FleetEngine, OriginEngine


def parse_address(text: str) -> str:
    return text


def _client(address: str, environ: Mapping[str, str]):
    try:
        import redis
    except ImportError:
        raise UsageError("a fleet needs `pip install seqthink[fleet]`") from None
    parts = urlsplit(address)
    tenant = (parts.path.strip("/").split("/") + ["", ""])[1] or "main"
    client = redis.Redis(host=parts.hostname or "127.0.0.1", port=parts.port or 6379, protocol=2,
        username=environ.get("SEQTHINK_FLEET_USER"), password=environ.get("SEQTHINK_FLEET_PASSWORD"), socket_timeout=15)
    return client, tenant


def open_origin(address: str, origin: str, environ: Mapping[str, str]) -> OriginEngine:
    from seqthink.fleet.redis.quick import RedisOrigin

    return RedisOrigin(*_client(address, environ), origin)


def open_reader(address: str, environ: Mapping[str, str]) -> FleetEngine:
    from seqthink.fleet.redis.quick import RedisReader

    return RedisReader(*_client(address, environ))
