"""The door of `seqthink web`: every request passes here before any page is made.

Pure ASGI, in an order that gives away nothing: method, form, host, where the request comes from, who asks. docs/web.md,
"Who may read it".
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seqthink.share.web.answers import (
    BUSY,
    FAILED,
    MALFORMED,
    SAFETY_HEADERS,
    TOO_LARGE_HEADERS,
    Refusal,
    refusal_answer,
    with_safety_headers,
)
from seqthink.share.web.links import TOKEN_NAME, Links

MAX_HEADERS: Final = 64
MAX_HEADER_BYTES: Final = 16_384
"""Names and values of all headers of a request together."""
MAX_TARGET_BYTES: Final = 8_192
MAX_STREAMS: Final = 32
"""Readers that get news, over all sessions."""
STREAM_ENDING: Final = "/events"
_ICON: Final = b"/favicon.ico"
_TARGET: Final = re.compile(rb"/(?!/)[A-Za-z0-9._~!$&'()+*,;=:@%/-]*")
_QUERY: Final = re.compile(rb"[!-~]*")
_PASSED_HEADERS: Final = {b"host", b"accept", b"accept-encoding", b"accept-language", b"last-event-id"}
"""What an application sees of a request: no cookie, no range, nothing that a proxy or a guest may claim."""

_WRONG_METHOD: Final = Refusal(405, "This page is for reading only.", ((b"allow", b"GET, HEAD"),))
_HAS_BODY: Final = Refusal(413, "This server takes no content.")
_EXPECTS: Final = Refusal(417, "This server takes no content, so there is nothing to wait for.")
_LONG_TARGET: Final = Refusal(414, "This address is too long.")
_WRONG_HOST: Final = Refusal(
    421,
    "This server does not answer under this name. Open the link that seqthink printed, or name the host with "
    "--allow-host.",
)
_FOREIGN: Final = Refusal(
    403, "This request comes from another page. Copy the link that seqthink printed into the address bar."
)
_NO_COOKIE: Final = Refusal(
    401,
    "Open the link that seqthink printed. For another browser, press Enter where seqthink runs: it prints a new one.",
    ((b"www-authenticate", b'Cookie realm="seqthink"'),),
    has_way_back=True,
)
_WRONG_TOKEN: Final = Refusal(
    403,
    "This link was used already, or is of another start of seqthink. Press Enter where seqthink runs: it prints a new "
    "one.",
    has_way_back=True,
)
_PREFETCH: Final = Refusal(403, "This link works once, so it is not loaded in advance.")


class _Request(NamedTuple):
    path: bytes
    query: bytes
    headers: Mapping[bytes, list[bytes]]


class Gate:
    """An ASGI application around ``app`` that passes on only what may be read, and makes every answer safe.

    Args:
        app: makes the pages; it sees GET and HEAD only, and of the headers only what it needs.
        links: who is let in.
        hosts: every value of `Host` that is answered.
        report: gets an error of ``app``, which the reader does not see.
        max_streams: requests whose path ends with `STREAM_ENDING` that may be open together.
    """

    def __init__(
        self,
        app: ASGIApp,
        links: Links,
        hosts: frozenset[bytes],
        report: Callable[[Exception], None],
        max_streams: int = MAX_STREAMS,
    ) -> None:
        self._app = app
        self._links = links
        self._hosts = hosts
        self._origins = {b"%s://%s" % (scheme, host) for scheme in (b"http", b"https") for host in hosts}
        self._report = report
        self._max_streams = max_streams
        self._streams = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; what is not a request (the application's start and end) is passed on."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        request = _request_of(scope)
        refusal = _malformed(scope["method"], request) or self._stranger(request)
        if refusal is not None:
            await _refuse(refusal, send)
            return
        if not self._links.is_below(request.path):
            await self._let_in(scope["method"], request, send)
            return
        if self._links.has_cookie(request.headers.get(b"cookie", [])):
            await self._pass_on(scope, request, receive, send)
        else:
            await _refuse(_NO_COOKIE, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            self._report(error)
            raise

    def _stranger(self, request: _Request) -> Refusal | None:
        """Return why a request is refused for where it goes to, or comes from."""
        headers = request.headers
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return _WRONG_HOST
        if not self._origins.issuperset(headers.get(b"origin", [])):
            return _FOREIGN
        return None if {b"same-origin", b"none"}.issuperset(headers.get(b"sec-fetch-site", [])) else _FOREIGN

    async def _let_in(self, method: str, request: _Request, send: Send) -> None:
        """Exchange a token for the cookie and the path where it counts. A refused reader gets neither."""
        token, rest = _without_token(request.query)
        if request.path == _ICON:
            await _send_no_icon(send)
        elif token is None:
            await _refuse(_NO_COOKIE, send)
        elif not self._links.is_token(token):
            await _refuse(_WRONG_TOKEN, send)
        elif method == "HEAD" or _is_prefetch(request.headers):
            await _refuse(_PREFETCH, send)
        else:
            self._links.use_token()
            await _redirect(self._links.prefix.encode() + request.path, rest, self._links.set_cookie(), send)

    async def _pass_on(self, scope: Scope, request: _Request, receive: Receive, send: Send) -> None:
        is_stream = scope["path"].endswith(STREAM_ENDING) and scope["method"] == "GET"
        if is_stream and self._streams >= self._max_streams:
            await _refuse(BUSY, send)
            return
        self._streams += is_stream
        try:
            await self._answer(scope, request, receive, send)
        finally:
            self._streams -= is_stream

    async def _answer(self, scope: Scope, request: _Request, receive: Receive, send: Send) -> None:
        """Let the application answer; what it raises becomes a plain page, or the end of the connection."""
        has_started = is_complete = False

        async def send_safely(message: Message) -> None:
            nonlocal has_started, is_complete
            if message["type"] == "http.response.start":
                has_started = True
                message = {**message, "headers": with_safety_headers(list(message.get("headers", [])))}
            else:
                is_complete = not message.get("more_body", False)
            await send(message)

        headers = [(name, value) for name in _PASSED_HEADERS for value in request.headers.get(name, [])]
        try:
            await self._app({**scope, "headers": headers, "root_path": self._links.prefix}, receive, send_safely)
        except Exception as error:  # noqa: BLE001 - a reader sees no traceback, whatever it is
            self._report(error)
            if not has_started:
                await _refuse(FAILED, send)
            elif not is_complete:
                raise _CutShortError from None  # the server closes the connection: the reader must not take it for all


class _CutShortError(Exception):
    """An answer failed after its beginning had left; it was reported already."""


def _request_of(scope: Scope) -> _Request:
    headers: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.lower(), []).append(value)
    return _Request(scope.get("raw_path") or scope["path"].encode(), scope["query_string"], headers)


def _malformed(method: str, request: _Request) -> Refusal | None:
    """Return why a request is refused for its form."""
    path, query, headers = request
    values = [(name, value) for name, several in headers.items() for value in several]
    checks = (
        (method not in {"GET", "HEAD"}, _WRONG_METHOD),
        (len(values) > MAX_HEADERS or sum(map(len, sum(values, ()))) > MAX_HEADER_BYTES, TOO_LARGE_HEADERS),
        (b"expect" in headers, _EXPECTS),
        (b"transfer-encoding" in headers or set(headers.get(b"content-length", [])) - {b"0"}, _HAS_BODY),
        (len(path) + len(query) > MAX_TARGET_BYTES, _LONG_TARGET),
        # Also what would lead elsewhere in a redirect: `//host`, `/\host`, `http://host`.
        (_TARGET.fullmatch(path) is None or _QUERY.fullmatch(query) is None, MALFORMED),
    )
    return next((refusal for is_wrong, refusal in checks if is_wrong), None)


def _without_token(query: bytes) -> tuple[bytes | None, bytes]:
    """Return the token of a query, and the query without it; None if it has none. Two are none that is right."""
    parts = query.split(b"&")
    pairs = [(unquote_to_bytes(name), value) for name, _, value in (part.partition(b"=") for part in parts)]
    tokens = [value for name, value in pairs if name == TOKEN_NAME.encode()]
    rest = b"&".join(part for part, (name, _) in zip(parts, pairs, strict=True) if name != TOKEN_NAME.encode())
    return (unquote_to_bytes(tokens[0]) if len(tokens) == 1 else b"" if tokens else None), rest


def _is_prefetch(headers: Mapping[bytes, list[bytes]]) -> bool:
    """Return whether a browser loads a page that nobody has opened yet, as it does while an address is typed."""
    purposes = [value for name in (b"sec-purpose", b"purpose", b"x-moz") for value in headers.get(name, [])]
    return any(b"prefetch" in value.lower() or b"prerender" in value.lower() for value in purposes)


async def _redirect(path: bytes, query: bytes, cookie: bytes, send: Send) -> None:
    location = path + (b"?" + query if query else b"")
    headers = [(b"location", location), (b"set-cookie", cookie), (b"content-length", b"0"), *SAFETY_HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _send_no_icon(send: Send) -> None:
    """Answer a browser that asks for an icon by itself: an error would be in its console."""
    await send({"type": "http.response.start", "status": 204, "headers": SAFETY_HEADERS})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(refusal: Refusal, send: Send) -> None:
    headers, page = refusal_answer(refusal)
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": page})
