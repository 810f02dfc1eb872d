"""The gate as a function of a request: who is let in, and what is refused, in which order."""

import asyncio
import secrets
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

import pytest
from starlette.types import Message, Receive, Scope, Send

from seqthink.share.web.answers import SAFETY_HEADERS
from seqthink.share.web.gate import MAX_HEADERS, MAX_TARGET_BYTES, Gate
from seqthink.share.web.hosts import address_of, allowed_hosts, host_name, is_loopback
from seqthink.share.web.links import Links
from tests.support.depth import first

PORT = 8123
HOST = f"127.0.0.1:{PORT}"
Header = tuple[str, str]


class Answer(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: str) -> bytes | None:
        return dict(self.headers).get(name.encode())


class Door:
    """A gate before an application that notes what reaches it."""

    def __init__(self, *names: str, max_streams: int = 2) -> None:
        self.links = Links()
        self.token = self.links.new_token()
        self.seen: list[Scope] = []
        self.errors: list[Exception] = []
        self.own_headers: list[tuple[bytes, bytes]] = [(b"content-type", b"text/plain")]
        self.leaves: asyncio.Event | None = None
        self.fails_at = ""
        hosts = allowed_hosts("127.0.0.1", PORT, names)
        self.gate = Gate(self._app, self.links, hosts, self.errors.append, max_streams)

    @property
    def cookie(self) -> Header:
        return "cookie", self.links.set_cookie().partition(b";")[0].decode()

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - an application has it
        self.seen.append(scope)
        if self.fails_at == "start":
            raise ValueError("a secret")
        await send({"type": "http.response.start", "status": 200, "headers": self.own_headers})
        if self.leaves is not None:
            await self.leaves.wait()
        if self.fails_at == "middle":
            raise ValueError("a secret")
        await send({"type": "http.response.body", "body": b"page"})

    async def ask(self, target: str = "/", *headers: Header, method: str = "GET", host: str | None = HOST) -> Answer:
        """Ask as a browser that was let in does, which knows the path of the pages."""
        return await self.ask_outside(f"{self.links.prefix}{target}", *headers, method=method, host=host)

    async def ask_outside(self, target: str, *headers: Header, method: str = "GET", host: str | None = HOST) -> Answer:
        """Ask for an address as it is given."""
        sent: list[Message] = []
        path, _, query = target.partition("?")

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        pairs = [*([("host", host)] if host is not None else []), *headers]
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in pairs],
        }
        await self.gate(scope, receive, send)
        body = b"".join(message.get("body", b"") for message in sent[1:])
        return Answer(sent[0]["status"], list(sent[0]["headers"]), body)


@pytest.fixture
def door() -> Iterator[Door]:
    door = Door()
    yield door
    assert all(scope["method"] in {"GET", "HEAD"} for scope in door.seen)


REFUSED_HOSTS = {
    "a foreign name that leads here": "evil.example",
    "a foreign name with our port": f"evil.example:{PORT}",
    "no port": "127.0.0.1",
    "another port": "127.0.0.1:8124",
    "our port, and more digits": f"127.0.0.1:{PORT}0",
    "a port with a leading zero": f"127.0.0.1:0{PORT}",
    "capital letters": f"LOCALHOST:{PORT}",
    "a dot at the end": f"localhost.:{PORT}",
    "another loopback address": f"127.0.0.2:{PORT}",
    "an abbreviated address": f"127.1:{PORT}",
    "an address as a number": f"2130706433:{PORT}",
    "every address": f"0.0.0.0:{PORT}",
    "a long form of the address": f"[0:0:0:0:0:0:0:1]:{PORT}",
    "a mapped address": f"[::ffff:127.0.0.1]:{PORT}",
    "a user before it": f"evil.example@127.0.0.1:{PORT}",
    "our name as its beginning": f"127.0.0.1:{PORT}.evil.example",
    "a blank behind it": f"127.0.0.1:{PORT} ",
    "a list": f"127.0.0.1:{PORT}, 127.0.0.1:{PORT}",
    "a wildcard": "*",
    "nothing": "",
    "a tab and a name": f"127.0.0.1:{PORT}\tevil.example",
    "letters that are not ASCII": f"löcalhost:{PORT}",
}


@pytest.mark.parametrize("host", first(8, REFUSED_HOSTS.values()), ids=REFUSED_HOSTS)
async def test_any_other_host_is_refused_with_or_without_the_cookie_and_the_token(door: Door, host: str) -> None:
    answers = [
        await door.ask("/", host=host),
        await door.ask("/", door.cookie, host=host),
        await door.ask_outside(f"/?t={door.token}", host=host),
    ]

    assert [answer.status for answer in answers] == [421, 421, 421]
    assert door.seen == []
    assert (await door.ask_outside(f"/?t={door.token}")).status == 303  # the link was not used up


async def test_no_host_and_two_hosts_are_refused(door: Door) -> None:
    none = await door.ask("/", door.cookie, host=None)
    two = await door.ask("/", door.cookie, ("host", HOST))

    assert (none.status, two.status) == (421, 421)


@pytest.mark.parametrize("host", [HOST, f"localhost:{PORT}", f"[::1]:{PORT}"])
async def test_the_loopback_s_names_with_our_port_are_answered(door: Door, host: str) -> None:
    assert (await door.ask("/", door.cookie, host=host)).status == 200


async def test_a_named_host_is_answered_as_named_and_with_our_port() -> None:
    door = Door("think.example", "proxy.example:8443")
    hosts = ["think.example", f"think.example:{PORT}", "proxy.example:8443", "proxy.example", f"proxy.example:{PORT}"]

    assert [(await door.ask("/", door.cookie, host=host)).status for host in hosts] == [200, 200, 200, 421, 421]


REFUSED_ORIGINS = [
    "null", "", "http://evil.example", f"http://evil.example:{PORT}", "http://127.0.0.1", "http://127.0.0.1:3000",
    f"HTTP://127.0.0.1:{PORT}", f"http://127.0.0.1:{PORT}/", f"ws://127.0.0.1:{PORT}", f"file://127.0.0.1:{PORT}", HOST,
    f"http://127.0.0.1:{PORT} http://evil.example", "*", "about:blank", f"http://LOCALHOST:{PORT}",
]  # fmt: skip


@pytest.mark.parametrize("origin", REFUSED_ORIGINS)
async def test_a_foreign_origin_is_refused_whatever_else_is_right(door: Door, origin: str) -> None:
    with_cookie = await door.ask("/", door.cookie, ("origin", origin))
    with_token = await door.ask_outside(f"/?t={door.token}", ("origin", origin))
    beside_ours = await door.ask("/", door.cookie, ("origin", f"http://{HOST}"), ("origin", origin))

    assert [with_cookie.status, with_token.status, beside_ours.status] == [403, 403, 403]
    assert door.seen == []


@pytest.mark.parametrize("origin", [f"http://{HOST}", f"https://{HOST}", f"http://localhost:{PORT}"])
async def test_our_own_origin_is_answered(door: Door, origin: str) -> None:
    assert (await door.ask("/", door.cookie, ("origin", origin))).status == 200


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ([], 200),
        (["same-origin"], 200),
        (["none"], 200),
        (["same-site"], 403),
        (["cross-site"], 403),
        (["Same-Origin"], 403),
        ([""], 403),
        (["same-origin, cross-site"], 403),
        (["same-origin", "cross-site"], 403),
        (["something new"], 403),
    ],
)
async def test_only_our_own_pages_and_the_user_may_ask(door: Door, values: list[str], status: int) -> None:
    headers = [("sec-fetch-site", value) for value in values]

    assert (await door.ask("/", door.cookie, *headers)).status == status
    assert (await door.ask_outside(f"/?t={door.token}", *headers)).status == (303 if status == 200 else 403)


@pytest.mark.parametrize(
    "method",
    ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PRI", "get", "HEADER", "QUERY", "", "é"],
)
async def test_methods_that_do_not_read_are_refused_before_anything_else(door: Door, method: str) -> None:
    answer = await door.ask_outside(f"/?t={door.token}", door.cookie, method=method, host="evil.example")

    assert (answer.status, answer.header("allow")) == (405, b"GET, HEAD")
    assert door.seen == []


# The link and the cookie


async def test_the_link_works_once_and_becomes_a_cookie_and_an_address_without_it(door: Door) -> None:
    first = await door.ask_outside(f"/s/abc?at=5&t={door.token}&view=tree")
    replayed = await door.ask_outside(f"/s/abc?at=5&t={door.token}&view=tree")

    prefix = door.links.prefix
    assert (first.status, first.header("location")) == (303, f"{prefix}/s/abc?at=5&view=tree".encode())
    cookie = (first.header("set-cookie") or b"").decode()
    assert cookie.startswith("seqthink=")
    assert cookie.endswith(f"; HttpOnly; SameSite=Strict; Path={prefix}/")
    assert door.token not in cookie + prefix
    assert (replayed.status, replayed.header("set-cookie"), replayed.header("location")) == (403, None, None)


async def test_each_start_has_a_path_of_its_own_and_no_answer_to_a_stranger_names_it(door: Door) -> None:
    prefix = door.links.prefix
    answers = [
        await door.ask_outside("/"),
        await door.ask_outside("/", door.cookie),
        await door.ask_outside("/?t=x"),
        await door.ask_outside(f"/?t={door.token}", method="HEAD"),
        await door.ask_outside(f"/?t={door.token}", ("sec-purpose", "prefetch")),
        await door.ask_outside(f"/?t={door.token}", ("sec-fetch-site", "cross-site")),
        await door.ask_outside(f"/?t={door.token}", host="evil.example"),
        await door.ask_outside(f"{prefix}", door.cookie),
        await door.ask_outside(f"{Links().prefix}/sessions", door.cookie),
        await door.ask_outside(f"/x{prefix}/sessions", door.cookie),
        await door.ask_outside(f"{prefix.swapcase()}/sessions", door.cookie),
        await door.ask_outside(f"{prefix}x/sessions", door.cookie),
        await door.ask_outside(f"/%{ord(prefix[1]):02x}{prefix[2:]}/sessions", door.cookie),
    ]

    assert len({door.links.prefix, *(Links().prefix for _ in range(99))}) == 100
    assert [answer.status for answer in answers] == [401, 401, 403, 403, 403, 403, 421, 401, 401, 401, 401, 401, 401]
    assert not [answer for answer in answers if prefix.encode() in b"%r" % (answer,)]
    assert door.seen == []


async def test_an_application_is_given_the_path_and_what_is_below_it(door: Door) -> None:
    await door.ask("/s/abc?t=5", door.cookie)

    [scope] = door.seen
    assert (scope["root_path"], scope["path"]) == (door.links.prefix, f"{door.links.prefix}/s/abc")
    assert scope["query_string"] == b"t=5"  # below the path, `t` is not a token


async def test_a_new_link_ends_the_one_before_and_keeps_the_readers(door: Door) -> None:
    cookie, old = door.cookie, door.token
    new = door.links.new_token()

    assert (await door.ask_outside(f"/?t={old}")).status == 403
    assert (await door.ask_outside(f"/?t={new}")).status == 303
    assert (await door.ask("/", cookie)).status == 200


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sec-purpose", "prefetch"),
        ("sec-purpose", "prefetch;prerender"),
        ("purpose", "prefetch"),
        ("x-moz", "prefetch"),
    ],
)
async def test_what_looks_ahead_does_not_use_up_the_link(door: Door, name: str, value: str) -> None:
    ahead = await door.ask_outside(f"/?t={door.token}", (name, value))
    head = await door.ask_outside(f"/?t={door.token}", method="HEAD")

    assert (ahead.status, ahead.header("set-cookie")) == (403, None)
    assert (head.status, head.header("set-cookie")) == (403, None)
    assert (await door.ask_outside(f"/?t={door.token}")).header("set-cookie") is not None


def wrong_tokens(token: str) -> dict[str, str]:
    """Return values of `t` that are not the token."""
    return {
        "empty": "",
        "guessed": secrets.token_urlsafe(32),
        "cut": token[:-1],
        "longer": token + "A",
        "other letters": token.swapcase(),
        "huge": "A" * (MAX_TARGET_BYTES - 8),
        "not ASCII, encoded": quote("Ⓣ" * 40),
        "no UTF-8": "%ff%fe%80",
        "NUL behind it": token + "%00",
        "line break behind it": token + "%0d%0aSet-Cookie:%20x=y",
        "blank before it": "%20" + token,
        "twice": f"{token}&t={token}",
        "twice, one wrong": f"{token}&t=x",
        "twice, one encoded": f"{token}&%74={token}",
        "as a list": f"{token},{token}",
        "the cookie's own value": "the cookie",
    }


@pytest.mark.parametrize("kind", wrong_tokens("a"))
async def test_a_wrong_token_is_refused_and_uses_nothing_up(door: Door, kind: str) -> None:
    value = door.cookie[1].partition("=")[2] if kind == "the cookie's own value" else wrong_tokens(door.token)[kind]
    answer = await door.ask_outside(f"/?t={value}")

    assert (answer.status, answer.header("set-cookie"), answer.header("location")) == (403, None, None)
    assert door.token.encode() not in answer.body
    assert (await door.ask_outside(f"/?t={door.token}")).status == 303


async def test_an_unused_link_of_no_value_lets_nobody_in(door: Door) -> None:
    door.links.use_token()

    assert [(await door.ask_outside(target)).status for target in ("/?t=", "/?t", "/?t=&", "/?%74=")] == [
        403,
        403,
        403,
        403,
    ]


async def test_without_the_cookie_the_page_says_how_to_get_in_whatever_else_a_browser_sends(door: Door) -> None:
    nothing = await door.ask("/")
    other = await door.ask("/", ("cookie", "theme=dark; seqthink-1=x"))

    false = await door.ask("/", ("cookie", "seqthink=x"))  # set by another port, which also pushed ours out

    assert [nothing.status, other.status, false.status] == [401, 401, 401]
    assert b"Open the link that seqthink printed" in nothing.body
    assert nothing.body == false.body


def cookies(own: str) -> dict[str, tuple[list[str], int]]:
    """Return headers `Cookie` and what they are worth; ``own`` is the right pair."""
    name, _, value = own.partition("=")
    return {
        "alone": ([own], 200),
        "among others": ([f"a=b; {own}; c=d"], 200),
        "without blanks": ([f"a=b;{own};c=d"], 200),
        "in a second header": (["a=b", own], 200),
        "beside a false one of its name": ([f"{name}=x; {own}"], 200),
        "behind a false one in another header": ([f"{name}=x", own], 200),
        "empty": ([f"{name}="], 401),
        "its name alone": ([name], 401),
        "cut": ([own[:-1]], 401),
        "longer": ([own + "A"], 401),
        "quoted": ([f'{name}="{value}"'], 401),
        "encoded": ([f"{name}=%{ord(value[0]):02x}{value[1:]}"], 401),
        "not ASCII": ([f"{name}=\xe9\xff{value}"], 401),
        "huge": ([f"{name}=" + "A" * 12_000], 401),
        "in capitals": ([own.upper()], 401),
        "of another name": ([f"seqthink-1={value}"], 401),
        "with commas": ([f"a=b, {own}"], 401),
        "many false ones": ([f"{name}=x; " * 900], 401),
    }


@pytest.mark.parametrize("kind", cookies("a=b"))
async def test_only_the_cookie_itself_lets_in(door: Door, kind: str) -> None:
    headers, status = cookies(door.cookie[1])[kind]

    assert (await door.ask("/", *(("cookie", header) for header in headers))).status == status
    assert len(door.seen) == (status == 200)


async def test_the_token_is_no_cookie(door: Door) -> None:
    assert (await door.ask("/", ("cookie", f"seqthink={door.token}"))).status == 401


# The form of a request

WRONG_TARGETS = {
    "another host": "//evil.example/",
    "another host with a backslash": "/\\evil.example",
    "a whole address": "http://evil.example/",
    "no slash": "evil",
    "a fragment": "/#t",
    "a quote": '/"><script>',
    "a bracket": "/[::1]",
    "letters that are not ASCII": "/\xe9",
    "asterisk": "*",
    "nothing": "",
}


@pytest.mark.parametrize("kind", WRONG_TARGETS)
async def test_targets_that_browsers_do_not_send_are_refused(door: Door, kind: str) -> None:
    answers = [
        await door.ask_outside(WRONG_TARGETS[kind], door.cookie),
        await door.ask_outside(f"{WRONG_TARGETS[kind]}?t={door.token}"),
    ]

    assert [(answer.status, answer.header("location")) for answer in answers] == [(400, None)] * 2


async def test_a_redirect_stays_on_this_server_whatever_is_asked_for(door: Door) -> None:
    targets = ["/%2f%2fevil.example", "/.//evil.example", "/%5cevil.example", "/a?//evil.example", "/?next=http://evil"]
    answers: list[Answer] = []
    for target in targets:
        answers.append(await door.ask_outside(f"{target}{'&' if '?' in target else '?'}t={door.token}"))
        door.token = door.links.new_token()

    assert [answer.status for answer in answers] == [303] * len(targets)
    locations = [(answer.header("location") or b"").decode() for answer in answers]
    assert locations == [f"{door.links.prefix}{target}" for target in targets]


FORMS: dict[str, tuple[list[Header], int]] = {
    "a body": ([("content-length", "5")], 413),
    "no body, said so": ([("content-length", "0")], 200),
    "two lengths": ([("content-length", "0"), ("content-length", "5")], 413),
    "a length that is none": ([("content-length", "-1")], 413),
    "chunks": ([("transfer-encoding", "chunked")], 413),
    "both": ([("transfer-encoding", "chunked"), ("content-length", "0")], 413),
    "an expectation": ([("expect", "100-continue")], 417),
    "too many headers": ([(f"x-{number}", "1") for number in range(MAX_HEADERS)], 431),
    "headers that are too long": ([("x-long", "a" * 20_000)], 431),
}


@pytest.mark.parametrize("kind", FORMS)
async def test_what_a_page_never_needs_is_refused(door: Door, kind: str) -> None:
    headers, status = FORMS[kind]

    assert (await door.ask("/", door.cookie, *headers)).status == status


async def test_an_address_that_is_too_long_is_refused(door: Door) -> None:
    assert (await door.ask("/" + "a" * MAX_TARGET_BYTES, door.cookie)).status == 414
    assert (await door.ask("/?q=" + "a" * MAX_TARGET_BYTES, door.cookie)).status == 414


# What the application sees, and what leaves


async def test_a_page_sees_neither_cookie_nor_range_nor_what_a_proxy_may_claim(door: Door) -> None:
    hidden = ["range", "if-none-match", "if-range", "if-modified-since", "x-forwarded-for", "x-forwarded-host",
              "forwarded", "x-original-url", "x-http-method-override", "authorization", "upgrade",
              "referer"]  # fmt: skip
    await door.ask("/", door.cookie, *((name, "x") for name in hidden), ("last-event-id", "7"), ("accept", "*/*"))

    [scope] = door.seen
    assert dict(scope["headers"]) == {b"host": HOST.encode(), b"last-event-id": b"7", b"accept": b"*/*"}


async def test_every_answer_has_our_headers_once_and_none_of_the_page_s_own_in_their_place(door: Door) -> None:
    door.own_headers += [
        (b"Cache-Control", b"public"), (b"content-security-policy", b"default-src *"), (b"Set-Cookie", b"a=b"),
        (b"server", b"x"), (b"date", b"now"), (b"x-own", b"kept"),
    ]  # fmt: skip
    answers = [
        await door.ask("/", door.cookie),
        await door.ask("/", door.cookie, method="HEAD"),
        await door.ask("/"),
        await door.ask("/", ("cookie", "seqthink=x")),
        await door.ask("/", method="POST"),
        await door.ask("/", host="evil.example"),
        await door.ask_outside("//"),
        await door.ask("/", ("expect", "100-continue")),
        await door.ask("/", ("content-length", "1")),
        await door.ask("/" + "a" * MAX_TARGET_BYTES),
        await door.ask("/", ("x-long", "a" * 20_000)),
        await door.ask_outside(f"/?t={door.token}"),
    ]
    door.fails_at = "start"
    answers.append(await door.ask("/", door.cookie))

    assert [answer.status for answer in answers] == [200, 200, 401, 401, 405, 421, 400, 417, 413, 414, 431, 303, 500]
    for answer in answers:
        names = [name for name, _ in answer.headers]
        assert [header for header in answer.headers if header in SAFETY_HEADERS] == SAFETY_HEADERS
        assert len(names) == len(set(names))
        assert not {b"server", b"date"} & set(names)
    assert answers[0].header("x-own") == b"kept"
    assert [answer.header("set-cookie") is not None for answer in answers].count(True) == 1


async def test_an_error_of_a_page_is_reported_and_not_shown(door: Door) -> None:
    door.fails_at = "start"
    answer = await door.ask("/", door.cookie)

    assert (answer.status, b"secret" in answer.body, len(door.errors)) == (500, False, 1)


async def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one(door: Door) -> None:
    door.fails_at = "middle"
    with pytest.raises(Exception, match=r"^$"):
        await door.ask("/", door.cookie)

    assert [type(error) for error in door.errors] == [ValueError]


async def test_streams_are_bounded_together_and_one_that_ends_makes_room(door: Door) -> None:
    door.leaves = asyncio.Event()
    readers = [asyncio.ensure_future(door.ask(path, door.cookie)) for path in ("/events", "/s/a/events")]
    while len(door.seen) < len(readers):  # noqa: ASYNC110 - the pages count, and notify nobody
        await asyncio.sleep(0)
    one_more = await door.ask("/s/b/events", door.cookie)
    head = asyncio.ensure_future(door.ask("/events", door.cookie, method="HEAD"))
    door.leaves.set()
    await asyncio.gather(*readers, head)

    assert (one_more.status, one_more.header("retry-after")) == (503, b"5")
    assert (await door.ask("/s/b/events", door.cookie)).status == 200


async def test_the_start_and_the_end_of_the_application_pass_the_gate() -> None:
    door, sent = Door(), list[Message]()

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "lifespan.startup"}

    await door.gate({"type": "lifespan"}, receive, send)

    assert [scope["type"] for scope in door.seen] == ["lifespan"]


# Names


@pytest.mark.parametrize(
    ("given", "host"),
    [
        ("think.example", "think.example"),
        ("Think.Example:8443", "think.example:8443"),
        ("192.168.1.5", "192.168.1.5"),
        ("[fe80::1]:80", "[fe80::1]:80"),
        ("laptop", "laptop"),
    ],
)
def test_a_host_is_named_as_browsers_send_it(given: str, host: str) -> None:
    assert host_name(given) == host


@pytest.mark.parametrize(
    "given",
    ["", "*", "*.example", "http://think.example", "think.example/", "think.example.", ".example", "a b", "a,b", "a:0",
     "a:65536", "a:", ":80", "-a", "a..b", "[::1", "::1", "[nonsense]", "a@b", "ä.example", "a" * 254, "a\nb", "a:8o"],
)  # fmt: skip
def test_what_names_no_single_host_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match=r"^no host's name: "):
        host_name(given)


def test_an_address_to_listen_on_is_one_of_this_machine_s() -> None:
    assert [address_of(text) for text in ("localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0", "::")] == [
        "127.0.0.1", "127.0.0.1", "::1", "::1", "0.0.0.0", "::",
    ]  # fmt: skip
    assert [is_loopback(text) for text in ("127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::", "192.168.1.5")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_a_bound_loopback_address_is_a_name_of_the_server_and_a_public_one_is_not() -> None:
    assert f"127.0.0.2:{PORT}".encode() in allowed_hosts("127.0.0.2", PORT, ())
    assert f"0.0.0.0:{PORT}".encode() not in allowed_hosts("0.0.0.0", PORT, ())
    assert b"localhost" in allowed_hosts("127.0.0.1", 80, ())
    assert b"localhost" not in allowed_hosts("127.0.0.1", PORT, ())
