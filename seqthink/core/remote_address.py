"""The address of a remote git repository in one spelling, without user, password and port. Pure; URLs are untrusted."""

import re
from typing import Final

MAX_ADDRESS_CHARS: Final = 500
"""A longer URL is ignored."""

_URL: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<host>[^/?#\\]*)(?P<path>[^?#]*)")
_SCP: Final = re.compile(r"(?P<host>(?:[^/@:\\]*@)?(?:[^/@:\\]{2,}|\[[^\]/]+\])):(?!:)(?P<path>[^?#]*)")
"""``user@host:path``; a host of one letter is a drive of Windows."""
_SECRET: Final = re.compile(r":[^@]*@")
"""The end of ``user:password@``, where none should be: the password has a slash, or the address is a mistake."""
_PORT: Final = re.compile(r":\d*\Z")
_SLASHES: Final = re.compile(r"/{2,}")


def remote_address(url: str) -> str:
    """Return where ``url`` leads, such as ``github.com/acme/shop``; an absolute path for a folder, else "".

    ``https://user:token@GitHub.com:443/acme/shop.git`` and ``git@github.com:acme/shop`` lead to the same place.
    """
    url = url.strip()
    if not url or len(url) > MAX_ADDRESS_CHARS or not url.isprintable():
        return ""
    long = _URL.fullmatch(url.partition("?")[0].partition("#")[0])
    found, is_short = long or _SCP.fullmatch(url), long is None
    if found is None:
        return _trimmed(url) if url.startswith("/") else ""
    host = _PORT.sub("", found["host"].rpartition("@")[2]).lower()
    path = _trimmed(found["path"])
    shown = path if host.startswith("[") else f"{host}/{path}"
    if _SECRET.search(shown) or (is_short and "@" in path.strip("/").partition("/")[0]):
        return ""
    if found.groupdict().get("scheme", "").lower() == "file":
        return path
    return f"{host}/{path.strip('/')}" if host and path.strip("/") else ""


def _trimmed(path: str) -> str:
    """Return a path without what git adds or ignores at its end."""
    return _SLASHES.sub("/", path).rstrip("/").removesuffix(".git").rstrip("/")
