"""Under which names `seqthink web` answers: an exact set, so that a foreign name that leads here opens nothing."""

import ipaddress
import re
from collections.abc import Iterable
from typing import Final

MAX_NAME_CHARS: Final = 253
_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\[\]:/]+)(:(?P<port>[0-9]{1,5}))?", re.ASCII)
_PORTS: Final = 65_536
_PORT: Final = re.compile(r"(?<=[\]a-z0-9]):[0-9]{1,5}$")
_HTTP_PORT: Final = 80
LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


def address_of(text: str) -> str:
    """Return the address to listen on that ``text`` names: an IP address, or `localhost`.

    Raises:
        ValueError: it names none.
    """
    if text == "localhost":
        return LOOPBACK_NAMES[0]
    return str(ipaddress.ip_address(text.removeprefix("[").removesuffix("]")))


def is_loopback(address: str) -> bool:
    """Return whether only programs on this machine reach an address."""
    return ipaddress.ip_address(address).is_loopback


def in_url(address: str) -> str:
    """Return an address in the form of a URL."""
    return f"[{address}]" if ":" in address else address


def host_name(text: str) -> str:
    """Return a ``NAME`` or ``NAME:PORT`` as browsers send it: in small letters.

    Raises:
        ValueError: it is not the name of one host: it has a scheme, a path, a wildcard, a dot at its end.
    """
    host = text.lower()
    match = _HOST.fullmatch(host)
    if match is None or not _is_name(match["name"]) or not 0 < int(match["port"] or 1) < _PORTS:
        raise ValueError(f"no host's name: {text[:MAX_NAME_CHARS]!r}")
    return host


def _is_name(text: str) -> bool:
    if not text.startswith("["):
        return len(text) <= MAX_NAME_CHARS and _NAME.fullmatch(text) is not None
    try:
        ipaddress.IPv6Address(text[1:-1])
    except ValueError:
        return False
    return True


def with_port(name: str, port: int) -> str:
    """Return a ``NAME`` or ``NAME:PORT`` with the port that it has, else with ``port``."""
    return name if _PORT.search(name) else f"{name}:{port}"


def allowed_hosts(address: str, port: int, names: Iterable[str]) -> frozenset[bytes]:
    """Return every value of the header `Host` that is answered.

    These are the loopback's names with our port, and ``names`` from `host_name`. A name without a port means itself, as
    a proxy on the usual port passes it on, and itself with our port.
    """
    own = {*LOOPBACK_NAMES, *([in_url(address)] if is_loopback(address) else [])}
    given = set(names)
    bare = own if port == _HTTP_PORT else frozenset[str]()
    return frozenset(host.encode() for host in {*given, *bare, *(with_port(name, port) for name in own | given)})
