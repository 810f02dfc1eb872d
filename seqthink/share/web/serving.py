"""Listens, lets in through the gate, and ends when the user says so."""

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.lifespan.on import LifespanOn
from uvicorn.server import ServerState

from seqthink.core.background import keep_running_sync
from seqthink.core.errors import UsageError
from seqthink.core.system import is_on
from seqthink.share.web.connections import MAX_INCOMPLETE_BYTES, BoundedConnection, Bounds, WaitingConnections
from seqthink.share.web.gate import MAX_STREAMS, Gate
from seqthink.share.web.hosts import LOOPBACK_NAMES, allowed_hosts, in_url, is_loopback, with_port
from seqthink.share.web.links import TOKEN_NAME, Links

BACKLOG: Final = 128
_EXIT_BY_TERM: Final = 128 + 15
_STDIN: Final = 0
_READ_BYTES: Final = 4_096
_BACKGROUND_SECONDS: Final = 1.0
"""The pause between two tries to read from a terminal that another program has in its foreground."""


class ServingOptions(NamedTuple):
    """Where pages are served, and to whom."""

    address: str = LOOPBACK_NAMES[0]
    names: tuple[str, ...] = ()
    """Further names of this server, as `seqthink.share.web.hosts.host_name` returns them."""
    path: str = "/"
    """Of the page that the link opens; it may end with ``#`` and a place there."""
    opens_browser: bool = False
    bounds: Bounds = Bounds()
    max_streams: int = MAX_STREAMS


def listening_socket(address: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        UsageError: the address or port cannot be listened on.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family, backlog=BACKLOG)
    except OSError as error:
        where = f"{in_url(address)}:{port}"
        if error.errno == errno.EADDRINUSE:
            raise UsageError(f"web: {where} is in use by another program; name another --port, or none") from error
        # what `create_server` says names the address once more
        reason = (os.strerror(error.errno) if error.errno else str(error)).lower()
        raise UsageError(f"web: cannot listen on {where if port else in_url(address)}: {reason}") from error


def serve_pages(
    app: ASGIApp,
    listener: socket.socket,
    options: ServingOptions,
    print_url: Callable[[str], None],
    say: Callable[[str], None],
) -> int:
    """Serve the pages of ``app`` until the user ends it; return the exit status: 0 by Ctrl-C, 143 by TERM.

    Args:
        app: makes the pages.
        listener: from `listening_socket`; it is closed.
        options: where, and to whom.
        print_url: is given the link at the start, and a new one for each line on stdin.
        say: is given sentences for the user.
    """
    return asyncio.run(_Pages(app, listener, options, print_url, say).run())


def _silence(*names: str) -> None:
    """Let a library's loggers say nothing: addresses in requests are readers' own, and errors are said by `_report`."""
    for name in names:
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.setLevel(logging.CRITICAL + 1)


class _Pages:
    """One run of the server."""

    def __init__(
        self,
        app: ASGIApp,
        listener: socket.socket,
        options: ServingOptions,
        print_url: Callable[[str], None],
        say: Callable[[str], None],
    ) -> None:
        self._options = options
        self._listener = listener
        self._print_url = print_url
        self._say = say
        self._port: int = listener.getsockname()[1]
        self._links = Links()
        hosts = allowed_hosts(options.address, self._port, options.names)
        self._gate = Gate(app, self._links, hosts, self._report, options.max_streams)
        self._state = ServerState()
        self._waiting = WaitingConnections()
        self._end_signal = 0

    async def run(self) -> int:
        """Serve until a signal; return the exit status."""
        _silence("uvicorn", "uvicorn.error", "uvicorn.access")
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self._report(context.get("exception")))
        ended = self._catch_signals(loop)
        config = Config(
            self._gate, http=BoundedConnection, ws="none", lifespan="on", interface="asgi3", log_config=None,
            access_log=False, server_header=False, date_header=False, proxy_headers=False,
            h11_max_incomplete_event_size=MAX_INCOMPLETE_BYTES,
            timeout_keep_alive=self._options.bounds.keep_alive_seconds,  # pyright: ignore[reportArgumentType] - handed to `call_later`
        )  # fmt: skip
        config.load()
        lifespan = LifespanOn(config)
        await lifespan.startup()
        if lifespan.should_exit:
            return 1  # `_report` has said why

        def connection() -> BoundedConnection:
            return BoundedConnection(config, self._state, lifespan.state, self._options.bounds, self._waiting)

        server = await loop.create_server(connection, sock=self._listener, backlog=BACKLOG)
        self._print_link()
        read_lines = partial(self._read_lines, loop)
        read = partial(keep_running_sync, read_lines, "reading stdin, for new links,", self._say_trouble)
        threading.Thread(target=read, daemon=True).start()
        await ended.wait()
        server.close()
        await self._end_answers()
        await lifespan.shutdown()
        return _EXIT_BY_TERM if self._end_signal == signal.SIGTERM else 0

    async def _end_answers(self) -> None:
        """End what is being answered, streams above all, which would go on for ever."""
        for task in [*self._state.tasks]:
            task.cancel()
        for connection in [*self._state.connections]:
            connection.transport.abort()
        await asyncio.gather(*self._state.tasks, return_exceptions=True)

    def _catch_signals(self, loop: asyncio.AbstractEventLoop) -> asyncio.Event:
        ended = asyncio.Event()

        def end(number: int) -> None:
            self._end_signal = self._end_signal or number
            ended.set()

        if hasattr(signal, "SIGTTIN"):
            signal.signal(
                signal.SIGTTIN, signal.SIG_IGN
            )  # in the background, reading the terminal fails then, and stops nothing
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                loop.add_signal_handler(number, end, number)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda received, _: loop.call_soon_threadsafe(end, received))
        return ended

    # The link

    def _print_link(self) -> None:
        url = self._url()
        self._print_url(url)
        if self._options.opens_browser:
            threading.Thread(target=self._open, args=(url,), daemon=True).start()

    def _url(self) -> str:
        address, names = self._options.address, self._options.names
        host = with_port(in_url(address) if is_loopback(address) or not names else names[0], self._port)
        path, _, fragment = self._options.path.partition("#")
        link = f"http://{host}{path}?{TOKEN_NAME}={self._links.new_token()}"
        return f"{link}#{fragment}" if fragment else link  # the redirect keeps it

    def _open(self, url: str) -> None:
        """Open a link in the user's browser, which may take as long as the browser."""
        try:
            is_open = webbrowser.open(url)
        except (OSError, webbrowser.Error):
            is_open = False
        if not is_open:
            self._say("no browser could be opened; open the link yourself")

    def _read_lines(self, loop: asyncio.AbstractEventLoop) -> None:
        """Print a new link for each line on stdin: the one before works in one browser only."""
        pause = threading.Event()
        while True:
            try:
                data = os.read(_STDIN, _READ_BYTES)
            except OSError as error:
                if error.errno == errno.EBADF:  # there is none
                    return
                if error.errno != errno.EIO:
                    raise
                pause.wait(_BACKGROUND_SECONDS)  # the terminal's, and we are in the background
                continue
            if not data:
                return
            for _ in range(data.count(b"\n")):
                with suppress(RuntimeError):  # the server has ended
                    loop.call_soon_threadsafe(lambda: self._print_url(self._url()))

    def _say_trouble(self, _name: str, trouble: str) -> None:
        if trouble:
            self._say(trouble)

    def _report(self, error: BaseException | None) -> None:
        """Say on stderr that a page failed, without anybody's text."""
        if error is not None and is_on(os.environ, "SEQTHINK_DEBUG", self._say):
            sys.excepthook(type(error), error, error.__traceback__)
        name = "unknown" if error is None else type(error).__name__
        self._say(f"a page could not be made ({name}); SEQTHINK_DEBUG=1 shows the traceback")
