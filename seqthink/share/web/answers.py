"""The headers of every answer of `seqthink web`, and the plain pages that refuse a request.

docs/web.md, "Who may read it".
"""

import base64
import hashlib
from html import escape
from http import HTTPStatus
from typing import Final, NamedTuple

Headers = list[tuple[bytes, bytes]]

_WAY_BACK: Final = r"""
(async () => {
  const prefix = /^\/[\w-]{22}$/.exec(localStorage.getItem("seqthink.prefix"))?.[0];
  const answer = prefix && await fetch(`${prefix}/page.css`, { method: "HEAD" });
  if (answer?.ok) location.replace(prefix + location.pathname.replace(/^\/[\w-]{22}(?=\/)/, "") + location.hash);
})();
"""
"""Leads a browser that is in from an address without our path, or with that of an earlier start, to the page.

The page's script keeps the path in the browser's storage, which no other port can read.
"""
_WAY_BACK_HASH: Final = base64.b64encode(hashlib.sha256(_WAY_BACK.encode()).digest()).decode()
_CONTENT_SECURITY_POLICY: Final = (
    f"default-src 'none'; script-src 'self' 'sha256-{_WAY_BACK_HASH}'; style-src 'self'; connect-src 'self'; "
    "img-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_CLOSED_FEATURES: Final = (
    "accelerometer", "autoplay", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
SAFETY_HEADERS: Final[Headers] = [
    (b"content-security-policy", _CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{feature}=()" for feature in _CLOSED_FEATURES).encode()),
]
"""What every answer carries, whatever its status; names in small letters."""
_OWN_NAMES: Final = {name for name, _ in SAFETY_HEADERS} | {b"server", b"date", b"set-cookie"}
RETRY_SECONDS: Final = 5


class Refusal(NamedTuple):
    """An answer in place of a page: a status, a sentence in plain words, and the headers that the status needs."""

    status: int
    sentence: str
    headers: tuple[tuple[bytes, bytes], ...] = ()
    has_way_back: bool = False
    """Whether a browser that is in already is led to the page."""


def with_safety_headers(headers: Headers) -> Headers:
    """Return an application's ``headers`` with ours in place of its own of the same names; it sets no cookie."""
    return [*((name, value) for name, value in headers if name.lower() not in _OWN_NAMES), *SAFETY_HEADERS]


def refusal_answer(refusal: Refusal) -> tuple[Headers, bytes]:
    """Return headers and body of the plain page for a refusal. The connection ends with it."""
    title = HTTPStatus(refusal.status).phrase
    script = f"<script>{_WAY_BACK}</script>\n" if refusal.has_way_back else ""
    page = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="color-scheme" content="light dark">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>seqthink: {escape(title)}</title>\n<main>\n<h1>{escape(title)}</h1>\n"
        f"<p>{escape(refusal.sentence)}</p>\n</main>\n{script}</html>\n"
    ).encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(page)).encode()),
        (b"connection", b"close"),
        *refusal.headers,
        *SAFETY_HEADERS,
    ]
    return headers, page


BUSY: Final = Refusal(
    503,
    "As many pages are open as this server keeps up with. Close some, then load this one again.",
    ((b"retry-after", str(RETRY_SECONDS).encode()),),
)
FAILED: Final = Refusal(500, "This page could not be made. The terminal that seqthink runs in says what failed.")
MALFORMED: Final = Refusal(400, "This is not a request that a browser makes.")
TOO_LARGE_HEADERS: Final = Refusal(
    431,
    "The headers of this request are too many, or too long. Delete the cookies that this browser has for this address: "
    "any server on this machine can set some.",
)
