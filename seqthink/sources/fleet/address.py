"""Where an engine is: ``redis://host:port/db/tenant`` and its relatives, read with care.

A sentence about a wrong address never repeats it: it may hold a password.
"""

import re
from collections.abc import Mapping
from enum import Enum
from ipaddress import IPv6Address
from typing import Final, NamedTuple

from typing_extensions import override

from seqthink.core.errors import UsageError
from seqthink.sources.fleet.layout import is_tenant

_PORT: Final = 6379
_SENTINEL_PORT: Final = 26379
_MAX_DB: Final = 1 << 20
_MAX_CHARS: Final = 4096
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?\.?")
_SERVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


class Kind(Enum):
    """How the hosts of an address are used."""

    ONE = "one"
    """One engine."""
    CLUSTER = "cluster"
    """Some nodes of a cluster, which know the others."""
    SENTINEL = "sentinel"
    """Sentinels, which know the primary."""
    UNIX = "unix"
    """A socket on this machine."""


class Endpoint(NamedTuple):
    """A host and its port."""

    host: str
    port: int


class FleetAddress(NamedTuple):
    """Where an engine is, and whose part of it is meant. It holds no password."""

    kind: Kind
    tls: bool
    endpoints: tuple[Endpoint, ...]
    """Empty for a socket on this machine."""
    path: str
    """Path of the socket, or empty."""
    db: int
    tenant: str
    service: str
    """What the sentinels call the engine."""

    @property
    def label(self) -> str:
        """The host and the tenant, for people."""
        place = self.path or ",".join(f"{_bracketed(host)}:{port}" for host, port in self.endpoints[:3])
        more = ",…" if len(self.endpoints) > 3 else ""
        return f"{place}{more} ({self.tenant})"

    @property
    def url(self) -> str:
        """The address as `parse_address` takes it, for another process."""
        if self.kind is Kind.UNIX:
            return f"unix://{self.path}?db={self.db}&tenant={self.tenant}"
        kind = "" if self.kind is Kind.ONE else f"+{self.kind.value}"
        hosts = ",".join(f"{_bracketed(host)}:{port}" for host, port in self.endpoints)
        service = f"?service={self.service}" if self.kind is Kind.SENTINEL else ""
        return f"redis{'s' if self.tls else ''}{kind}://{hosts}/{self.db}/{self.tenant}{service}"

    @override
    def __str__(self) -> str:
        return self.label


_SCHEMES: Final[Mapping[str, tuple[Kind, bool]]] = {
    "redis": (Kind.ONE, False),
    "rediss": (Kind.ONE, True),
    "redis+cluster": (Kind.CLUSTER, False),
    "rediss+cluster": (Kind.CLUSTER, True),
    "redis+sentinel": (Kind.SENTINEL, False),
    "rediss+sentinel": (Kind.SENTINEL, True),
    "unix": (Kind.UNIX, False),
}


def parse_address(text: str) -> FleetAddress:
    """Return the engine that ``text`` names.

    Raises:
        UsageError: It names none, or holds a user or a password.
    """
    scheme, rest, query = _parts(text)
    kind, tls = _SCHEMES[scheme]
    options = _options(query)
    if kind is Kind.UNIX:
        return _socket_address(rest, options)
    authority, _, path = rest.partition("/")
    service = options.pop("service", "mymaster") if kind is Kind.SENTINEL else ""
    if options:
        raise UsageError("the engine's address has an option after its `?` that does not exist for this kind")
    if kind is Kind.SENTINEL and not _SERVICE.fullmatch(service):
        raise UsageError("the engine's address has an invalid `service`: use the name of the Sentinel's primary")
    hosts = authority.split(",")
    if kind is Kind.ONE and len(hosts) > 1:
        raise UsageError("the engine's address names several hosts: that needs redis+cluster:// or redis+sentinel://")
    default_port = _SENTINEL_PORT if kind is Kind.SENTINEL else _PORT
    endpoints = tuple(_endpoint(host, default_port) for host in hosts)
    db, tenant = _db_and_tenant(path)
    if kind is Kind.CLUSTER and db:
        raise UsageError("the engine's address names a database, but a cluster has only database 0")
    return FleetAddress(kind, tls, endpoints, "", db, tenant, service)


def _parts(text: str) -> tuple[str, str, str]:
    """Return scheme, place and options."""
    if not text.strip():
        raise UsageError("the engine's address is empty; one looks like redis://host:6379")
    if len(text) > _MAX_CHARS:
        raise UsageError("the engine's address is too long")
    if any(not "!" <= char <= "~" for char in text):
        raise UsageError("the engine's address has a space or another character that no address has")
    scheme, separator, rest = text.partition("://")
    if not separator or scheme.lower() not in _SCHEMES:
        raise UsageError(
            "the engine's address begins with none of redis://, rediss://, redis+cluster://, rediss+cluster://, "
            "redis+sentinel://, rediss+sentinel://, unix://"
        )
    if "@" in rest:
        raise UsageError(
            "the engine's address holds a user or a password, which others can see: set SEQTHINK_FLEET_USER and "
            "SEQTHINK_FLEET_PASSWORD or SEQTHINK_FLEET_PASSWORD_FILE instead, and leave out what is before the `@`"
        )
    if "#" in rest:
        raise UsageError("the engine's address has a `#`, which means nothing there")
    place, _, query = rest.partition("?")
    return scheme.lower(), place, query


def _options(query: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in query.split("&") if query else ():
        key, separator, value = pair.partition("=")
        if not separator or key in options:
            raise UsageError("the engine's address has an option after its `?` that is not name=value, or has it twice")
        options[key] = value
    return options


def _socket_address(path: str, options: dict[str, str]) -> FleetAddress:
    if not path.startswith("/") or path.endswith("/"):
        raise UsageError("the engine's address names no socket: one looks like unix:///run/redis/redis.sock")
    if len(path) > 100:
        raise UsageError("the engine's address names a socket with a path that is too long")
    db, tenant = _db(options.pop("db", "")), _tenant(options.pop("tenant", ""))
    if options:
        raise UsageError("the engine's address has an option after its `?` that does not exist for this kind")
    return FleetAddress(Kind.UNIX, False, (), path, db, tenant, "")


def _endpoint(text: str, default_port: int) -> Endpoint:
    host, port = _host_and_port(text)
    if not host:
        raise UsageError("the engine's address names no host; one looks like redis://host:6379")
    if not port:
        return Endpoint(host, default_port)
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 1 <= int(port) <= 65535:
        raise UsageError("the engine's address has an invalid port: use a number from 1 to 65535")
    return Endpoint(host, int(port))


def _host_and_port(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or not _is_version_6(host) or (rest and not rest.startswith(":")):
            raise UsageError(
                "the engine's address has brackets without an IPv6 address; one looks like redis://[::1]:6379"
            )
        return host, _port(rest)
    if text.count(":") > 1:
        raise UsageError("the engine's address has an IPv6 address without brackets; one looks like redis://[::1]:6379")
    host, colon, port = text.partition(":")
    if host and not _HOST.fullmatch(host):
        raise UsageError("the engine's address has an invalid host: use a name or an IP address")
    return host, _port(colon + port)


def _port(text: str) -> str:
    if text == ":":
        raise UsageError("the engine's address has an invalid port: use a number from 1 to 65535")
    return text[1:]


def is_host(text: str) -> bool:
    """Whether a text is a host's name or its IP address, without brackets."""
    return _HOST.fullmatch(text) is not None or (":" in text and _is_version_6(text))


def _is_version_6(host: str) -> bool:
    try:
        IPv6Address(host)
    except ValueError:
        return False
    return "%" not in host


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _db_and_tenant(path: str) -> tuple[int, str]:
    db, _, tenant = path.partition("/")
    return _db(db), _tenant(tenant.removesuffix("/"))


def _db(text: str) -> int:
    if not text:
        return 0
    if not re.fullmatch(r"[0-9]{1,7}", text) or int(text) > _MAX_DB:
        raise UsageError(
            "the engine's address has an invalid database: use a number, then the tenant, as in "
            "redis://host:6379/0/main"
        )
    return int(text)


def _tenant(text: str) -> str:
    if not text:
        return "main"
    if not is_tenant(text):
        raise UsageError(
            "the engine's address has an invalid tenant: use 1 to 64 letters, digits, `-` and `_`, "
            "the first a letter or a digit"
        )
    return text
