"""The real server on loopback, and what a browser would never send it."""

import re
import resource
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from tests.support.depth import first, sized
from tests.support.servers.commands import refusal_line, seqthink
from tests.support.web.page_server import BIG_BYTES
from tests.support.web.running import CLOSE, PageServer, page_server, parse_answer, read_all, read_until

SPARE_BYTES = 48 << 20
"""More memory than a flood may cost; far less than the floods here send or ask for."""


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    """Give a server that every test may ask, with one reader in."""
    with page_server() as running:
        running.enter()
        yield running
        status, out, err = running.end()
    assert (status, out) == (143, b"")
    assert running.token.encode() not in err
    assert running.cookie.encode() not in err
    assert b"Traceback" not in err


def is_alive(server: PageServer) -> bool:
    return server.get("/s/known").body == b"known"


# Paths. A key is looked up and never joined to a path; here, that it comes to the page as one key or not at all.

PATHS = {
    "up": ("/s/../../etc/passwd", 404),
    "up, encoded": ("/s/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 404),
    "up, encoded twice": ("/s/%252e%252e%252fetc%252fpasswd", 404),
    "up with backslashes": ("/s/..%5c..%5cetc%5cpasswd", 404),
    "up in an overlong spelling": ("/s/%c0%ae%c0%ae%c0%afetc", 404),
    "up behind a known one": ("/s/known/../../etc/passwd", 404),
    "NUL": ("/s/known%00", 404),
    "NUL and an ending": ("/s/known%00.html", 404),
    "line break": ("/s/known%0d%0aSet-Cookie:%20a=b", 404),
    "only dots": ("/s/..", 404),
    "no key": ("/s/", 404),
    "no UTF-8": ("/s/%ff%fe", 404),
    "half an escape": ("/s/%2", 404),
    "overlong": ("/s/" + "a" * 9_000, 414),
    "overlong and encoded": ("/s/" + "%61" * 3_000, 414),
    "overlong beyond the buffer": ("/s/" + "a" * 300_000, 431),
    "with parameters": ("/s/known;a=b", 404),
    "a double slash": ("//s/known", 400),
    "a whole address": ("http://evil.example/", 400),
    "a whole address of ours": ("http://127.0.0.1/s/known", 400),
    "a host alone": ("evil.example:80", 400),
    "an asterisk": ("*", 400),
    "capitals": ("/S/known", 404),
    "the code": ("/../../seqthink/share/web/gate.py", 404),
}


@pytest.mark.parametrize("kind", first(8, PATHS))
def test_no_path_leads_anywhere_but_to_a_page(server: PageServer, kind: str) -> None:
    path, status = PATHS[kind]
    answer = server.get(path)

    assert (answer.status, answer.is_safe) == (status, True)
    assert b"root:" not in answer.body
    assert answer.header("set-cookie") == ""


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PRI", "SEARCH"])
def test_methods_that_do_not_read_are_refused(server: PageServer, method: str) -> None:
    answer = server.get("/", method=method)

    assert (answer.status, answer.header("allow"), answer.is_safe) == (405, "GET, HEAD", True)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.:{port}", "LOCALHOST:{port}"])
def test_a_foreign_name_is_refused(server: PageServer, host: str) -> None:
    answer = server.get("/s/known", host=host.format(port=server.port))

    assert (answer.status, answer.is_safe) == (421, True)


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Origin: null", 403), ("Origin: http://evil.example", 403), ("Sec-Fetch-Site: cross-site", 403),
        ("Sec-Fetch-Site: same-site", 403), ("Sec-Fetch-Site: none", 200), ("Sec-Fetch-Site: same-origin", 200),
    ],
)  # fmt: skip
def test_what_comes_from_another_page_is_refused(server: PageServer, header: str, status: int) -> None:
    answer = server.get("/s/known", header)

    assert (answer.status, answer.is_safe) == (status, True)


def test_a_head_answers_as_a_get_without_the_page(server: PageServer) -> None:
    get, head, stream = (
        server.get("/s/known"),
        server.get("/s/known", method="HEAD"),
        server.get("/events", method="HEAD"),
    )

    assert (head.status, head.headers, head.body) == (200, get.headers, b"")
    assert (stream.status, stream.body, stream.is_safe) == (200, b"", True)


@pytest.mark.parametrize(
    "header",
    ["Range: bytes=0-9", "Range: bytes=0-,0-,0-,0-,0-", "Range: bytes=-1", "Range: lines=1-2", 'If-None-Match: *',
     "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT", "If-Range: x"],
)  # fmt: skip
def test_ranges_and_conditions_change_nothing(server: PageServer, header: str) -> None:
    plain, asked = server.get("/file"), server.get("/file", header)

    assert asked == plain
    assert (asked.status, asked.is_safe) == (200, True)


# What HTTP is made of: {start} is the beginning of a right request, {host} and {cookie} are the right ones.

_START = "GET / HTTP/1.1\r\nHost: {host}\r\n"

RAW: dict[str, tuple[str, tuple[int, ...]]] = {
    "HTTP/0.9": ("GET /\r\n\r\n", (400,)),
    "HTTP/1.0 without a host": ("GET / HTTP/1.0\r\n\r\n", (421,)),
    "HTTP/1.1 without a host": ("GET / HTTP/1.1\r\n\r\n", (400,)),
    "HTTP/2": ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (400, 405)),
    "HTTP/3": ("GET / HTTP/3.0\r\nHost: {host}\r\nConnection: close\r\n\r\n", (400, 401)),
    "TLS": ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\x00" * 64 + "\r\n\r\n", (400,)),
    "no HTTP at all": ("\x00" * 32 + "\r\n\r\n", (400,)),
    "two hosts": ("{start}Host: {host}\r\nCookie: {cookie}\r\n\r\n", (400,)),
    "a foreign host and ours": ("GET / HTTP/1.1\r\nHost: evil.example\r\nHost: {host}\r\n\r\n", (400,)),
    "a whole address with our host": ("GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\n\r\n", (400,)),
    "a folded header": ("GET / HTTP/1.1\r\nHost: evil.example\r\n {host}\r\nCookie: {cookie}\r\n\r\n", (400, 421)),
    "a blank before the colon": ("GET / HTTP/1.1\r\nHost : {host}\r\nCookie: {cookie}\r\n\r\n", (400,)),
    "a header without a colon": ("{start}nonsense\r\n\r\n", (400,)),
    "a header without a name": ("{start}: x\r\n\r\n", (400,)),
    "a bare CR in a header": ("{start}X: a\rSet-Cookie: b\r\n\r\n", (400,)),
    "NUL in a header": ("{start}X: a\0b\r\n\r\n", (400,)),
    "a blank in the target": ("GET /a b HTTP/1.1\r\nHost: {host}\r\n\r\n", (400,)),
    "a header of 100 kB": ("{start}X: " + "a" * 100_000 + "\r\n\r\n", (431,)),
    "a header of 100 kB without an end": ("{start}X: " + "a" * 100_000, (431,)),
    "a name of 100 kB": ("{start}" + "a" * 100_000 + ": b\r\n\r\n", (431,)),
    "a request line without an end": ("GET /" + "a" * 100_000, (431,)),
    "1,000 headers": ("{start}" + "X: a\r\n" * 1_000 + "\r\n", (431,)),
    "a body": ("{start}Cookie: {cookie}\r\nContent-Length: 5\r\n\r\nhello", (413,)),
    "a body that never comes": ("{start}Cookie: {cookie}\r\nContent-Length: 99999\r\n\r\n", (413,)),
    "a body in chunks": (
        "{start}Cookie: {cookie}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", (413,),
    ),
    "a smuggled request": (
        "{start}Content-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /s/known HTTP/1.1\r\n",
        (400, 413),
    ),
    "two lengths": ("{start}Content-Length: 0\r\nContent-Length: 5\r\n\r\n", (400,)),
    "a length that is none": ("{start}Content-Length: -1\r\n\r\n", (400,)),
    "an unknown coding": ("{start}Transfer-Encoding: gzip, chunked\r\n\r\n", (400, 413, 501)),
    "an expectation": (
        "{start}Cookie: {cookie}\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n", (417,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", RAW)
def test_what_is_no_request_of_a_browser_is_refused_and_ends_the_connection(server: PageServer, kind: str) -> None:
    text, statuses = RAW[kind]
    start = _START.format(host=server.host)
    data = server.exchange(text.format(start=start, host=server.host, cookie=server.cookie).encode("latin-1"))
    answer = parse_answer(data)

    assert answer.status in statuses
    assert answer.is_safe
    assert answer.header("connection") == "close"
    assert data.count(b"HTTP/1.1 ") == 1
    assert is_alive(server)


def test_a_web_socket_is_never_opened(server: PageServer) -> None:
    headers = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: " + "A" * 24,
    ]
    with server.connect() as connection:
        connection.sendall(server.request("/s/known", *headers) + server.request("/s/known", CLOSE))
        data = read_all(connection)

    assert re.findall(rb"HTTP/1\.1 ([0-9]+)", data) == [b"200", b"200"]


def test_requests_behind_each_other_are_answered_in_order_each_by_its_own_right(server: PageServer) -> None:
    with_cookie = server.request("/s/known")
    without = b"GET /s/known HTTP/1.1\r\nHost: " + server.host.encode() + b"\r\n\r\n"
    with server.connect() as connection:
        connection.sendall(with_cookie * 3 + without + with_cookie)
        data = read_all(connection)

    # What is refused ends the connection: what was sent behind it is not looked at.
    assert re.findall(rb"HTTP/1\.1 ([0-9]+)", data) == [b"200", b"200", b"200", b"401"]


def test_nonsense_behind_a_request_that_streams_is_not_looked_at(server: PageServer) -> None:
    with server.connect() as connection:
        connection.sendall(server.request("/events"))
        read_until(connection, b"data: 1")
        connection.sendall(b"\0" * 64 + b"\r\n\r\n")

        assert is_alive(server)
        connection.setblocking(False)
        with pytest.raises(BlockingIOError):
            connection.recv(1)


def test_nonsense_behind_a_page_is_refused_when_its_turn_comes(server: PageServer) -> None:
    data = server.exchange(server.request("/s/known") + b"\0" * 64 + b"\r\n\r\n")

    assert re.findall(rb"HTTP/1\.1 ([0-9]+)", data) == [b"200", b"400"]


# Errors


def test_an_error_of_a_page_is_a_plain_page_and_one_line_without_its_text() -> None:
    with page_server() as running:
        running.enter()
        failed, broken = running.get("/failing"), running.get("/breaking")
        _, _, err = running.end()

    assert (failed.status, failed.is_safe) == (500, True)
    assert (broken.status, broken.is_safe) == (200, True)
    assert not broken.body.endswith(b"0\r\n\r\n")  # a reader sees that it is not all
    assert err.decode().count("a page could not be made (ValueError)") == 2
    assert "secret" not in err.decode() + failed.body.decode() + broken.body.decode()
    assert "Traceback" not in err.decode()


# Bounds


def test_headers_that_never_end_close_the_connection() -> None:
    with page_server(header_seconds=0.2) as running, running.connect() as connection:
        running.enter()
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")

        assert read_all(connection) == b""
        assert is_alive(running)


def test_headers_that_come_byte_by_byte_have_no_longer() -> None:
    with page_server(header_seconds=0.3) as running, running.connect() as connection:
        connection.settimeout(0.05)
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        received = None
        while received is None:
            try:
                connection.sendall(b"a")
                received = connection.recv(1)
            except TimeoutError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                received = b""

        assert received == b""


def test_a_connection_that_says_nothing_is_closed() -> None:
    with page_server(header_seconds=0.2) as running, running.connect() as connection:
        assert read_all(connection) == b""


def test_a_second_request_that_never_ends_closes_the_connection_too() -> None:
    with page_server(header_seconds=0.2) as running:
        running.enter()
        with running.connect() as connection:
            connection.sendall(running.request("/s/known"))
            read_until(connection, b"known")
            connection.sendall(b"GET /")

            assert read_all(connection) == b""


def test_a_connection_is_kept_for_the_next_request_and_closed_when_none_comes() -> None:
    with page_server(keep_alive_seconds=0.3) as running:
        running.enter()
        with running.connect() as connection:
            for _ in range(3):
                connection.sendall(running.request("/s/known"))
                read_until(connection, b"known")

            assert read_all(connection) == b""


def test_a_reader_that_does_not_read_is_closed_and_costs_no_memory() -> None:
    with page_server(stall_seconds=0.6) as running, ExitStack() as stack:
        running.enter()
        before, sockets = running.resident_bytes(), running.open_connections()
        readers = [stack.enter_context(running.connect(receive_bytes=4_096)) for _ in range(16)]
        for reader in readers:
            reader.sendall(running.request("/big"))
        for reader in readers:
            assert reader.recv(1, socket.MSG_PEEK)  # its answer has begun
        while running.open_connections() > sockets:  # the kernel's own timer would take a quarter of an hour
            assert running.resident_bytes() < before + SPARE_BYTES
        received = [read_all(reader) for reader in readers]

        assert max(map(len, received)) < BIG_BYTES
        assert is_alive(running)


def test_a_reader_that_leaves_its_last_bytes_is_closed_too() -> None:
    with page_server(stall_seconds=0.6, keep_alive_seconds=0.2) as running:
        running.enter()
        sockets = running.open_connections()
        with running.connect(receive_bytes=4_096) as connection:
            connection.sendall(running.request("/big", "Connection: close"))
            read_until(connection, b"\r\n\r\n")
            while running.open_connections() > sockets:
                pass

        assert is_alive(running)


def test_a_slow_reader_that_reads_gets_all() -> None:
    with page_server(stall_seconds=5) as running:
        running.enter()

        assert len(running.get("/big").body) > BIG_BYTES


def test_streams_are_bounded_and_a_plain_request_is_still_answered() -> None:
    with page_server(streams=3) as running, ExitStack() as stack:
        running.enter()
        readers = [stack.enter_context(running.connect()) for _ in range(3)]
        for reader in readers:
            reader.sendall(running.request("/events"))
            read_until(reader, b"data: 1")
        refused = running.get("/s/known/events")

        assert (refused.status, refused.header("retry-after"), refused.is_safe) == (503, "5", True)
        assert is_alive(running)
        readers[0].close()
        with running.connect() as next_reader:
            while b"data: 1" not in (received := _first_bytes(next_reader, running.request("/events"))):
                assert b" 503 " in received
                next_reader.close()
                next_reader = stack.enter_context(running.connect())  # noqa: PLW2901 - asked again until the server has seen it leave


def _first_bytes(connection: socket.socket, request: bytes) -> bytes:
    connection.sendall(request)
    data = b""
    while b"data: 1" not in data and (more := connection.recv(1 << 16)):
        data += more
    return data


def test_of_too_many_connections_those_that_wait_make_room() -> None:
    with page_server(connections=8) as running, ExitStack() as stack:
        running.enter()
        reader = stack.enter_context(running.connect())
        reader.sendall(running.request("/events"))
        read_until(reader, b"data: 1")
        sockets = running.open_connections()
        idle = [stack.enter_context(running.connect()) for _ in range(40)]

        assert is_alive(running)
        assert running.open_connections() <= sockets + 8
        assert [read_all(connection) for connection in idle[:30]] == [b""] * 30
        reader.setblocking(False)
        with pytest.raises(BlockingIOError):  # who is answered stays
            reader.recv(1)


def test_when_all_are_being_answered_the_next_is_asked_to_come_again() -> None:
    with page_server(connections=4) as running, ExitStack() as stack:
        running.enter()
        for _ in range(4):
            reader = stack.enter_context(running.connect())
            reader.sendall(running.request("/events"))
            read_until(reader, b"data: 1")
        refused = running.send(b"")

        assert (refused.status, refused.header("retry-after"), refused.is_safe) == (503, "5", True)


@pytest.mark.deep  # those that wait make room for others: tried below with few
def test_thousands_of_connections_are_outlived_and_a_reader_is_served_meanwhile() -> None:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    wave = min(500, limit // 2)
    with page_server() as running:
        running.enter()
        before, sockets = running.resident_bytes(), running.open_connections()
        for start in range(0, sized(2 * wave, 10_000), wave):
            with ExitStack() as stack:
                for number in range(start, start + wave):
                    connection = stack.enter_context(running.connect())
                    if number % 2:
                        with suppress(BrokenPipeError, ConnectionResetError):  # it made room
                            connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"a" * 4_000)

                assert is_alive(running)
                assert running.open_connections() <= sockets + 129
        assert running.resident_bytes() < before + SPARE_BYTES
        status, out, err = running.end()

    assert (status, out, err) == (143, b"", b"")


# Start and end


@pytest.mark.parametrize(("number", "status"), first(1, [(signal.SIGTERM, 143), (signal.SIGINT, 0)], is_unpacked=True))
def test_a_signal_ends_all_also_what_is_streaming_or_stuck(number: int, status: int) -> None:
    with page_server() as running, ExitStack() as stack:
        running.enter()
        stream, stuck, idle = (stack.enter_context(running.connect(receive_bytes=4_096)) for _ in range(3))
        stream.sendall(running.request("/events"))
        read_until(stream, b"data: 1")
        stuck.sendall(running.request("/big"))
        read_until(stuck, b"\r\n\r\n")
        idle.sendall(b"GET /")
        ended = running.end(number)

        assert ended == (status, b"", b"")
        assert [read_all(stream), read_all(idle)] == [b"", b""]


def test_the_port_is_free_again_at_once() -> None:
    with page_server() as running:
        running.enter()
        running.end()
        with socket.create_server(("127.0.0.1", running.port)) as other:
            assert other.getsockname()[1] == running.port


def test_enter_prints_a_new_link_for_another_browser_and_the_first_stays_in() -> None:
    with page_server() as running:
        running.enter()
        assert running.process.stdin is not None
        running.process.stdin.write(b"\n")
        running.process.stdin.flush()
        link = running.next_link()
        token = link.rpartition("=")[2]

        assert link == f"http://127.0.0.1:{running.port}/?t={token}"
        assert token != running.token
        assert is_alive(running)
        running.prefix = running.cookie = ""
        assert running.get(f"/?t={running.token}").status == 403
        assert running.get(f"/?t={token}").status == 303


def test_the_end_of_stdin_ends_nothing() -> None:
    with page_server() as running:
        running.enter()
        assert running.process.stdin is not None
        running.process.stdin.close()
        running.process.stdin = None

        assert is_alive(running)
        assert running.end() == (143, b"", b"")


# The command


@pytest.mark.usefixtures("seqthink_home")
def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = refusal_line(seqthink("web", "--port", str(port)))

    assert line == f"web: 127.0.0.1:{port} is in use by another program; name another --port, or none"


REFUSED_OPTIONS = {
    ("--bind", "0.0.0.0"): "web: other machines can reach 0.0.0.0; name the hosts under which browsers may do so, with "
    "--allow-host, or leave out --bind",
    ("--bind", "::"): "web: other machines can reach ::; name the hosts under which browsers may do so, with "
    "--allow-host, or leave out --bind",
    ("--bind", "example.org"): "web: argument --bind: must be an IP address of this machine, got 'example.org'; see "
    "`seqthink web --help`",
    ("--allow-host", "*"): "web: argument --allow-host: must be the name of one host, or NAME:PORT, got '*'; see "
    "`seqthink web --help`",
    ("--port", "65536"): "web: argument --port: must be a port from 1 to 65535, got '65536'; see `seqthink web --help`",
    ("--port", "99999"): "web: argument --port: must be a port from 1 to 65535, got '99999'; see `seqthink web --help`",
    ("--port", "0"): "web: argument --port: must be a port from 1 to 65535, got '0'; see `seqthink web --help`",
    ("--port", "-1"): "web: argument --port: must be a port from 1 to 65535, got '-1'; see `seqthink web --help`",
}


@pytest.mark.usefixtures("seqthink_home")
@pytest.mark.parametrize("options", first(3, REFUSED_OPTIONS), ids=" ".join)
def test_options_that_would_open_the_door_too_wide_are_refused(options: tuple[str, str]) -> None:
    assert refusal_line(seqthink("web", *options)) == REFUSED_OPTIONS[options]
