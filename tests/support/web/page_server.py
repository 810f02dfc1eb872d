"""A program that serves a few pages behind the real gate: `python -m tests.support.web.page_server '{"BOUND": N}'`."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Any

from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from seqthink.share.web.connections import Bounds
from seqthink.share.web.gate import MAX_STREAMS
from seqthink.share.web.serving import ServingOptions, listening_socket, serve_pages

BIG_BYTES = 64 << 20
"""The length of a page that no buffer holds."""


async def home(request: Request) -> Response:
    """Answer with the headers that a page sees."""
    return PlainTextResponse("\n".join(f"{name}: {value}" for name, value in request.headers.items()))


async def session(request: Request) -> Response:
    """Answer with the key as it came, if it is the only one there is."""
    key: str = request.path_params["key"]
    return PlainTextResponse(key, 200 if key == "known" else 404)


async def file(_: Request) -> Response:
    """Answer with a whole file, where Starlette would send ranges."""
    return FileResponse(__file__)


async def events(_: Request) -> Response:
    """Stream one event, and no more until the reader leaves."""

    async def hints() -> AsyncIterator[dict[str, str]]:
        yield {"event": "changed", "data": "1"}
        await asyncio.Event().wait()

    return EventSourceResponse(hints())


async def big(_: Request) -> Response:
    """Stream a page that no buffer holds."""

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(BIG_BYTES >> 16):
            yield bytes(1 << 16)

    return StreamingResponse(chunks())


async def failing(_: Request) -> Response:
    """Fail before an answer has begun."""
    raise ValueError("a secret of somebody's")


async def breaking(_: Request) -> Response:
    """Fail after an answer has begun."""

    async def chunks() -> AsyncIterator[bytes]:
        yield b"half a page"
        raise ValueError("a secret of somebody's")

    return StreamingResponse(chunks())


APP = Starlette(
    routes=[
        Route("/", home),
        Route("/s/{key}", session),
        Route("/s/{key}/events", events),
        Route("/events", events),
        Route("/file", file),
        Route("/big", big),
        Route("/failing", failing),
        Route("/breaking", breaking),
    ]
)


def main(given: dict[str, Any]) -> int:
    """Serve until a signal."""
    streams = given.pop("streams", MAX_STREAMS)
    options = ServingOptions(bounds=Bounds(**given), max_streams=streams)
    with listening_socket("127.0.0.1", 0) as listener:
        return serve_pages(
            APP,
            listener,
            options,
            lambda url: print(url, flush=True),  # noqa: T201 - the only line on stdout
            lambda sentence: print(sentence, file=sys.stderr, flush=True),  # noqa: T201 - as the command does
        )


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
