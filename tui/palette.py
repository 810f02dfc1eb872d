"""The command palette: every action with its key, the themes, sessions, and ``#n`` for a thought."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.types import IgnoreReturnCallbackType
from textual.widgets import Input
from typing_extensions import override

from seqthink.drawing.state_line import session_label
from seqthink.errors import UsageError
from seqthink.journal.ends import head
from seqthink.journal.store import sessions
from seqthink.text import one_line

MOST_SESSIONS = 50
THEMES_OFFERED = ("dark", "light", "ansi")

ACTIONS = (
    ("Search the texts", "/", "search"),
    ("Next hit", "n", "hit(1)"),
    ("Hit before", "N", "hit(-1)"),
    ("Filter: only matching rows", "&", "filter"),
    ("Sessions", "s", "sessions"),
    ("Read the thought, or back to the tree", "Enter", "enter"),
    ("Follow the newest thought", "f", "follow"),
    ("Hold or follow; in a replay play or pause", "Space", "play"),
    ("A step back in time", ",", "step(-1)"),
    ("A step on in time", ".", "step(1)"),
    ("The mark before", "[", "mark(-1)"),
    ("The next mark", "]", "mark(1)"),
    ("Slower", "<", "speed(-1)"),
    ("Faster", ">", "speed(1)"),
    ("The start", "Home", "start"),
    ("The end, or the present", "End", "now"),
    ("Loop the replay, or not", "", "loop"),
    ("First row", "g", "first"),
    ("Last row", "G", "last"),
    ("Fold", "h", "fold(True)"),
    ("Unfold", "l", "fold(False)"),
    ("Go to the revised thought, or its reviser", "r", "jump"),
    ("Timeline, or the tree again", "t", "timeline"),
    ("What a revision changed", "d", "diff"),
    ("Raw text, or rendered", "m", "raw"),
    ("Other pane", "Tab", "other_pane"),
    ("Copy the thought", "y", "copy"),
    ("Open a copy in the editor", "o", "editor"),
    ("Signs and keys", "?", "help"),
    ("Quit", "Ctrl+C", "leave"),
)


class Target(NamedTuple):
    """Something to choose: what it is called, what is said below it, what it does."""

    name: str
    help: str
    run: IgnoreReturnCallbackType


class Served(Protocol):
    """What the palette asks of the app."""

    async def run_action(self, action: str) -> bool:
        """Do what a key does."""
        ...

    def wear(self, look: str) -> None:
        """Change the theme."""
        ...

    def visit(self, path: Path) -> None:
        """Show another session."""
        ...

    def go_to_number(self, number: int) -> None:
        """Select the thought with a number."""
        ...

    @property
    def folder(self) -> Path:
        """Where the sessions are."""
        ...


class Palette(CommandPalette):
    """Textual's palette, in which nothing blinks."""

    def on_mount(self) -> None:
        """Keep the cursor still."""
        self.query_one(Input).cursor_blink = False


class Commands(Provider):
    """What can be chosen."""

    @override
    async def startup(self) -> None:
        self._sessions: list[tuple[str, str, Path]] = await asyncio.to_thread(_newest, self._served.folder)

    @property
    def _served(self) -> Served:
        return cast("Served", self.app)

    @override
    async def discover(self) -> Hits:
        for target in self._targets():
            yield DiscoveryHit(Content(target.name), target.run, text=target.name, help=target.help)

    @override
    async def search(self, query: str) -> Hits:
        matcher, number = self.matcher(query), query.strip().removeprefix("#")
        if number.isascii() and number.isdigit():
            name = f"Go to thought {number[:16]}"
            yield Hit(1.0, Content(name), partial(self._served.go_to_number, int(number[:16])), text=name)
        for target in self._targets():
            score = matcher.match(target.name)
            if score > 0:
                yield Hit(score, matcher.highlight(target.name), target.run, text=target.name, help=target.help)

    def _targets(self) -> Iterator[Target]:
        for name, key, action in ACTIONS:
            yield Target(name, f"key: {key}" if key else "", partial(self._served.run_action, action))
        for look in THEMES_OFFERED:
            yield Target(f"Theme: {look}", "until the viewer ends", partial(self._served.wear, look))
        for name, session, path in self._sessions:
            yield Target(f"Session: {name}", session, partial(self._served.visit, path))


def _newest(folder: Path) -> list[tuple[str, str, Path]]:
    try:
        files = sessions(folder)[:MOST_SESSIONS]
    except UsageError:
        return []
    infos = [(file, head(file.path)) for file in files]
    return [
        (session_label(info) if info is not None else one_line(file.session), one_line(file.session), file.path)
        for file, info in infos
    ]
