"""Asks an application as a server does, in the loop of the test."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.types import ASGIApp, Message

WAIT_SECONDS = 20
"""How long a test waits for what must come."""


class Answer(NamedTuple):
    """An answer to a request."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - values of JSON are of any kind
        """What the body says."""
        return json.loads(self.body)


class Stream:
    """A stream of events that a reader has open."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[bytes] = asyncio.Queue()
        self.left = asyncio.Event()
        self._rest = b""

    async def event(self) -> dict[str, str]:
        """Return the next event's fields."""
        async with asyncio.timeout(WAIT_SECONDS):
            while b"\n\n" not in self._rest:
                self._rest += await self.sent.get()
        block, _, self._rest = self._rest.partition(b"\n\n")
        return dict(line.split(": ", 1) for line in block.decode().split("\n"))

    async def event_with(self, **wanted: object) -> dict[str, str]:
        """Return the first event whose data say so."""
        while True:
            event = await self.event()
            if wanted.items() <= json.loads(event["data"]).items():
                return event


class Reader:
    """A reader of an application that has begun."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def get(self, target: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Return the whole answer to a request."""
        sent: list[Message] = []
        has_asked = False

        async def receive() -> Message:
            nonlocal has_asked
            if has_asked:
                await asyncio.Event().wait()
            has_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        async with asyncio.timeout(WAIT_SECONDS):
            await self._app(_scope(target, headers or {}), receive, send)
        return Answer(sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:]))

    async def answer_with(self, target: str, is_so: Callable[[Any], object]) -> Any:  # noqa: ANN401 - values of JSON are of any kind
        """Return an answer once it is so. It is asked for when a hint says that there is news, as the page does."""
        async with self.stream(f"{target.partition('?')[0].rpartition('/')[0]}/events") as stream:
            while not is_so(answer := (await self.get(target)).json):
                await stream.event()
        return answer

    @asynccontextmanager
    async def stream(self, target: str, last_id: str = "") -> AsyncGenerator[Stream]:
        """Open a stream of events until the block ends."""
        stream = Stream()
        headers = {"last-event-id": last_id} if last_id else {}

        async def receive() -> Message:
            await stream.left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.body":
                await stream.sent.put(message["body"])

        task = asyncio.ensure_future(self._app(_scope(target, headers), receive, send))
        try:
            yield stream
        finally:
            stream.left.set()
            async with asyncio.timeout(WAIT_SECONDS):
                await task


@asynccontextmanager
async def reading(app: Starlette) -> AsyncGenerator[Reader]:
    """Begin an application, give a reader of it, and end it."""
    async with app.router.lifespan_context(app):
        yield Reader(app)


def _scope(target: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = target.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }
