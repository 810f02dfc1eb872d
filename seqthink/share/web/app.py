"""The pages of `seqthink web` and what their script asks for (docs/web.md). Who may ask is decided before, by the gate.

Everything is read: no route changes anything.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from urllib.parse import quote

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ExceptionHandler

from seqthink.share.export.html import page_style
from seqthink.share.export.html_templates import render, resource
from seqthink.share.web.json_answers import RefusedRequestError, json_answer, refusal
from seqthink.share.web.live.changed_files import changed_files_answer
from seqthink.share.web.live.event_streams import list_events, session_events
from seqthink.share.web.live.finding import Finder
from seqthink.share.web.live.open_session import OpenSession
from seqthink.share.web.live.open_sessions import OpenSessions
from seqthink.share.web.live.replay_answers import ReplayAnswers
from seqthink.share.web.live.row_windows import MAX_KEY_CHARS, MAX_ROWS, Window
from seqthink.share.web.live.session_answers import SessionAnswers
from seqthink.share.web.live.session_list import SessionList
from seqthink.share.web.parameters import age_of, asked_of, folds_of, number_of, shown_of, switch_of, text_of, words_of
from seqthink.share.web.settings import WebSettings

VIEWS = ("tree", "timeline")
MAX_TRANSCRIPTS = 2
"""How many transcripts are read at a time for what was changed in files."""
SINCE_STEP = 3_600_000_000
"""How exact an age is, in microseconds: what a reader asks next must be the same question."""
FAILED = "seqthink could not answer this; the journal is not affected"


def make_app(settings: WebSettings) -> Starlette:
    """Return the application, to be put behind the gate.

    Args:
        settings: which sessions it shows, and how.
    """
    return _Pages(settings).app()


class _Pages:
    """The routes."""

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._sessions = OpenSessions(settings)
        self._list = SessionList(settings)
        self._finder = Finder(settings)
        self._transcripts = anyio.CapacityLimiter(MAX_TRANSCRIPTS)

    def app(self) -> Starlette:
        """Return the application."""
        of_session = {
            "state": self._state,
            "rows": self._rows,
            "place": self._place,
            "thought/{seq}": self._thought,
            "change/{seq}": self._change,
            "find": self._found_in_session,
            "chart": self._chart,
            "positions": self._positions,
            "step": self._step,
            "marks": self._marks,
            "events": self._session_events,
        }
        routes = [
            Route("/", self._list_page),
            Route("/page.css", _style),
            Route("/page.js", _script),
            Route("/sessions", _answering(self._listed)),
            Route("/find", _answering(self._found)),
            Route("/events", self._list_events),
            Route("/s/{key}", self._session_page),
            *(Route(f"/s/{{key}}/{name}", _answering(answer)) for name, answer in of_session.items()),
        ]
        handlers: dict[int | type[Exception], ExceptionHandler] = {404: _unknown, Exception: _failed}
        return Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=handlers)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            self._list.close()
            self._finder.close()
            await self._sessions.close()

    # Pages

    async def _list_page(self, request: Request) -> Response:
        return _page(request, "list", "")

    async def _session_page(self, request: Request) -> Response:
        try:
            session = await self._sessions.get(request.path_params["key"])
        except RefusedRequestError as error:
            return _refused_page(request, error)
        return _page(request, "session", quote(session.key, safe=""))

    # The list

    async def _listed(self, request: Request) -> Response:
        has_all = switch_of(request, "all") or False
        return json_answer(await self._list.listed(asked_of(request), has_all=has_all))

    async def _list_events(self, request: Request) -> Response:
        return list_events(self._list, request.headers.get("last-event-id", ""))

    # Finding

    async def _found(self, request: Request) -> Response:
        asked, after, age = asked_of(request), number_of(request, "after", 0) or 0, age_of(request, "since")
        since = self._settings.clock() - age if age is not None else None
        since = since // SINCE_STEP * SINCE_STEP if since is not None else None
        return json_answer(await self._finder.in_all(asked, since, after, receive=request.receive))

    async def _found_in_session(self, request: Request) -> Response:
        words, at, choice = words_of(request), number_of(request, "at"), shown_of(request)
        session = await self._session(request)
        found = self._finder.in_session(session, words, at, choice=choice, receive=request.receive)
        return json_answer(await found)

    # A session

    async def _session(self, request: Request) -> OpenSession:
        return await self._sessions.get(request.path_params["key"])

    async def _answered(self, request: Request, question: Callable[[SessionAnswers], bytes]) -> Response:
        """Answer a question about a session, at the position and in the form that the request names."""
        at, choice = number_of(request, "at"), shown_of(request)
        session = await self._session(request)

        def answer() -> bytes:
            return question(SessionAnswers(session, self._settings, at=at, choice=choice))

        return json_answer(await session.work(answer))

    async def _session_events(self, request: Request) -> Response:
        return session_events(await self._session(request), request.headers.get("last-event-id", ""))

    async def _state(self, request: Request) -> Response:
        return await self._answered(request, SessionAnswers.state)

    async def _rows(self, request: Request) -> Response:
        first = number_of(request, "from", 0) or 0
        stop = number_of(request, "to", first + MAX_ROWS) or 0
        window = Window(
            view=_view_of(request),
            first=first,
            stop=stop,
            folds=folds_of(request),
            keep=text_of(request, "keep")[: MAX_KEY_CHARS + 1],
        )
        return await self._answered(request, lambda answers: answers.rows(window))

    async def _place(self, request: Request) -> Response:
        seq, view, folds = number_of(request, "seq", 0) or 0, _view_of(request), folds_of(request)
        return await self._answered(request, lambda answers: answers.place(seq, view, folds))

    async def _thought(self, request: Request) -> Response:
        seq, is_diff = _seq_of(request), switch_of(request, "diff") or False
        return await self._answered(request, lambda answers: answers.thought(seq, is_diff=is_diff))

    async def _change(self, request: Request) -> Response:
        seq, at, choice = _seq_of(request), number_of(request, "at"), shown_of(request)
        session = await self._session(request)
        asked = await session.work(lambda: SessionAnswers(session, self._settings, at=at, choice=choice).asked(seq))
        answer = partial(changed_files_answer, session.path, asked, self._settings)
        return json_answer(await anyio.to_thread.run_sync(answer, limiter=self._transcripts))

    # Its replay

    async def _replayed(self, request: Request, question: Callable[[ReplayAnswers], bytes]) -> Response:
        """Answer a question about the positions of a session."""
        at, choice = number_of(request, "at"), shown_of(request)
        session = await self._session(request)
        return json_answer(await session.work(lambda: question(ReplayAnswers(session, at=at, choice=choice))))

    async def _chart(self, request: Request) -> Response:
        return await self._replayed(request, ReplayAnswers.chart)

    async def _marks(self, request: Request) -> Response:
        return await self._replayed(request, ReplayAnswers.marks)

    async def _positions(self, request: Request) -> Response:
        after = number_of(request, "after", 0) or 0
        return await self._replayed(request, lambda answers: answers.positions(after))

    async def _step(self, request: Request) -> Response:
        to = text_of(request, "to")
        return await self._replayed(request, lambda answers: answers.step(to))


def _answering(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that says in JSON why it refuses."""

    async def endpoint(request: Request) -> Response:
        try:
            return await answer(request)
        except RefusedRequestError as error:
            return refusal(error)

    return endpoint


def _seq_of(request: Request) -> int:
    text = request.path_params["seq"]
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise RefusedRequestError(404, "an entry is a number")
    return int(text)


def _view_of(request: Request) -> str:
    view = text_of(request, "view") or VIEWS[0]
    if view not in VIEWS:
        raise RefusedRequestError(400, "view must be tree or timeline")
    return view


def _page(request: Request, kind: str, key: str) -> Response:
    page = render("live.html", prefix=request.scope["root_path"], kind=kind, key=key)
    return Response(page, media_type="text/html")


async def _style(_: Request) -> Response:
    return Response(page_style(), media_type="text/css")


async def _script(_: Request) -> Response:
    return Response(resource("page.js"), media_type="text/javascript")


async def _unknown(request: Request, _: Exception) -> Response:
    return _refused(request, RefusedRequestError(404, "there is nothing at this address"))


async def _failed(request: Request, _: Exception) -> Response:
    return _refused(request, RefusedRequestError(500, FAILED))


def _refused(request: Request, error: RefusedRequestError) -> Response:
    """Return a page for a browser that opens an address, and JSON for the script."""
    return _refused_page(request, error) if "text/html" in request.headers.get("accept", "") else refusal(error)


def _refused_page(request: Request, error: RefusedRequestError) -> Response:
    sentence = f"{error.sentence[:1].upper()}{error.sentence[1:]}."
    prefix, title = request.scope["root_path"], HTTPStatus(error.status).phrase
    page = render("refused.html", prefix=prefix, title=title, sentence=sentence)
    return Response(page, error.status, media_type="text/html")
