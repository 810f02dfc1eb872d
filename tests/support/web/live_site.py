"""A running `seqthink web`, a browser that it let in, and sessions in its folder that grow as under their server."""

import fcntl
import json
import socket
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.support.journals.build import JournalBuilder
from tests.support.screens.browser import Page, browser
from tests.support.web.command import RunningWeb, running_web

ROW_PIXELS = 28
"""The height of a row."""

_SELECTED = "document.querySelector('#rows [aria-selected=true]')"


class GrowingSession:
    """A session with a server that holds its lock, or one that has ended.

    Args:
        path: its journal.
        builder: what it holds; what is added to it later is written by `grow`.
    """

    def __init__(self, path: Path, builder: JournalBuilder) -> None:
        self.path = path
        self.key = path.stem
        self.builder = builder
        self.grow()

    def grow(self) -> None:
        """Append what the builder has and the journal lacks."""
        data = b"".join(self.builder.lines).replace(b'"host":"desk"', f'"host":"{socket.gethostname()}"'.encode())
        with self.path.open("ab") as file:
            file.write(data[file.tell() :])


class LiveSite:
    """A server, a page of the browser that it let in, and the folder of its sessions."""

    def __init__(self, web: RunningWeb, page: Page, folder: Path, held: ExitStack) -> None:
        self.web = web
        self.page = page
        self.folder = folder
        self._held = held

    def session(self, key: str, builder: JournalBuilder, *, is_live: bool = True) -> GrowingSession:
        """Write a session into the folder; while it is live, somebody holds the lock of its journal."""
        session = GrowingSession(self.folder / f"{key}.jsonl", builder)
        if is_live:
            fcntl.flock(self._held.enter_context(session.path.open("rb")), fcntl.LOCK_EX)
        return session

    def show(
        self, session: GrowingSession | str, width: int = 1440, *, after: str = "", is_empty: bool = False
    ) -> Page:
        """Open a session's page again, with nothing kept from before; wait until it has rows."""
        key = session if isinstance(session, str) else session.key
        self.leave()
        self.page.visit(f"{self.web.base}/s/{key}{after}", width)
        if not is_empty:
            self.page.until("document.querySelectorAll('#rows .row').length > 0")
            self.page.until("document.querySelector('#thought .item') !== null")
        return self.page

    def show_list(self, width: int = 1440) -> Page:
        """Open the list again; wait until it has sessions."""
        self.leave()
        self.page.visit(f"{self.web.base}/", width)
        self.page.until("document.querySelectorAll('#sessions a.one').length > 0")
        return self.page

    def leave(self) -> None:
        """Leave the page that is shown, forget what it kept, and what the browser complained of."""
        if self.page.ask("location.protocol") == "http:":
            self.page.ask("localStorage.clear()")
            self.page.visit("about:blank")
        self.page.complaints.clear()


@contextmanager
def live_site(folder: Path, *arguments: str) -> Generator[LiveSite]:
    """Start a server and a browser, and end both."""
    sessions = folder / "sessions"
    sessions.mkdir()
    with ExitStack() as held:
        page = held.enter_context(browser(folder / "browser"))
        web = held.enter_context(serving(sessions, *arguments))
        web.let_in(page)
        yield LiveSite(web, page, sessions, held)


@contextmanager
def serving(sessions: Path, *arguments: str) -> Generator[RunningWeb]:
    """Start a server for the sessions of a folder alone."""
    environ = {"SEQTHINK_HOME": str(sessions), "TZ": "UTC"}
    own = ("--journal-dir", str(sessions), "--sources", "journal")
    with running_web(*arguments, *own, environ=environ) as web:
        yield web


def selected_text(page: Page) -> str:
    """Return the words of the selected row; "" if none is selected or it is not in view."""
    return page.ask(f"{_SELECTED}?.querySelector('.t')?.textContent ?? ''")


def until_selected(page: Page, text: str, *, is_read: bool = True) -> None:
    """Wait until the row with these words is selected and wholly in view, and its text is beside it."""
    words = json.dumps(text)
    card = f"document.querySelector('#thought').textContent.includes({words})" if is_read else "true"
    page.until(
        f"(() => {{ const row = {_SELECTED}, box = document.querySelector('#rows')?.getBoundingClientRect();"
        f"if (!box || !row?.textContent.includes({words}) || !{card}) return false;"
        "const own = row.getBoundingClientRect();"
        "return own.top >= box.top - 0.5 && own.bottom <= box.bottom + 0.5; })()"
    )


def until_text(page: Page, selector: str, text: str) -> None:
    """Wait until a visible element has this text in it."""
    page.until(
        f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
        f"return one !== null && one.checkVisibility() && one.textContent.includes({json.dumps(text)}); }})()"
    )


def rows_of(page: Page) -> list[dict[str, Any]]:
    """Return the painted rows from top to bottom, those above and below the view, too."""
    return page.ask(_ROWS)


_ROWS = """[...document.querySelectorAll('#rows .slot')].map((slot) => ({
  id: slot.id, text: slot.querySelector('.t')?.textContent ?? '', all: slot.textContent,
  top: slot.getBoundingClientRect().top, bottom: slot.getBoundingClientRect().bottom,
  isSelected: slot.getAttribute('aria-selected') === 'true', isWaiting: slot.classList.contains('wait'),
  isOpen: slot.getAttribute('aria-expanded'),
})).sort((one, other) => one.top - other.top)"""


def sound_rows(page: Page) -> list[dict[str, Any]]:
    """Return the painted rows once all in view have arrived: each once, at a place of its own, one at most selected."""
    rows: list[dict[str, Any]] | None = None
    while rows is None:  # hints may come between two questions: rows are there and are read in one
        page.until(_ARRIVED)
        rows = page.ask(f"{_ARRIVED} ? {_ROWS} : null")
    ids = [row["id"] for row in rows if not row["isWaiting"]]
    assert len({*ids}) == len(ids), ids
    gaps = {round(below["top"] - above["top"], 1) for above, below in pairwise(rows)}
    assert gaps <= {ROW_PIXELS}, rows
    assert sum(row["isSelected"] for row in rows) <= 1, rows
    return [row for row in rows if not row["isWaiting"]]


_ARRIVED = """(() => {
  const box = document.querySelector('#rows').getBoundingClientRect();
  const slots = [...document.querySelectorAll('#rows .slot')], shown = slots.filter((slot) => {
    const own = slot.getBoundingClientRect();
    return own.bottom > box.top && own.top < box.bottom;
  });
  return (shown.length > 0 || !slots.length) && shown.every((slot) => !slot.classList.contains('wait'));
})()"""


def watch_place(page: Page, selector: str) -> None:
    """Note at each frame from now on where an element is; `places` returns it."""
    page.ask(
        "(() => { const seen = window.places = []; const look = () => { if (seen !== window.places) return;"
        f"const one = document.querySelector({json.dumps(selector)});"
        "const top = one ? Math.round(10 * one.getBoundingClientRect().top) / 10 : null;"
        "if (seen.at(-1) !== top) seen.push(top); requestAnimationFrame(look); }; look(); })()"
    )


def places(page: Page) -> list[float | None]:
    """Return the places at which a watched element has been, in pixels from the top, once two more frames are drawn."""
    return page.ask(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.places))))"
    )
