"""The viewer: wires feed, viewing and widgets; the only one to set state."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from datetime import tzinfo
from pathlib import Path
from typing import ClassVar

from msgspec import Struct
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.filter import LineFilter
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.state import State
from seqthink.drawing import state_line, waiting
from seqthink.drawing.detail import Page
from seqthink.drawing.glyphs import UNICODE, Signs
from seqthink.drawing.spans import Role, Span, Spans, spread
from seqthink.drawing.words import count
from seqthink.errors import UsageError
from seqthink.journal.follow import follow, follow_folder, follow_stdin
from seqthink.journal.reader import Batch
from seqthink.text import sanitize
from tui import watching
from tui.arrangement import Arrangement, arrange
from tui.feed import Feed
from tui.safety import NoControls
from tui.screens.help import HelpScreen
from tui.theme import THEMES
from tui.viewing import Viewing
from tui.widgets.chain_tree import ChainTree
from tui.widgets.line_view import Divider, Lines, LineView, OneLine
from tui.widgets.text_pane import TextPane

FRAME_SECONDS = 1 / 15
"""Arrivals are drawn at once after a quiet moment, then at most this often."""


class Settings(Struct, frozen=True, kw_only=True):
    """What the command line decided. ``clock`` gives microseconds since 1970."""

    folder: Path
    clock: Callable[[], int]
    zone: tzinfo
    signs: Signs = UNICODE
    look: str = "dark"
    stale: int = state_line.STALE
    pipe: int | None = None
    replay_at: int | None = None
    is_demo: bool = False


class Viewer(App[str]):
    """Shows one session; it ends with the name of what to do next (``demo``), or with nothing."""

    CSS_PATH = "app.tcss"
    TITLE = "seqthink"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", "quit", priority=True),
        Binding("q,escape", "close", "back"),
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("pageup", "page(-1)", "page up"),
        Binding("g", "first", "first row"),
        Binding("G", "last", "last row"),
        Binding("f,end", "follow", "newest, follow"),
        Binding("home", "first", "first row"),
        Binding("space", "hold", "hold, follow"),
        Binding("h,left", "fold(True)", "fold"),
        Binding("l,right", "fold(False)", "unfold"),
        Binding("r", "jump", "revised, reviser"),
        Binding("enter", "enter", "read"),
        Binding("tab", "other_pane", "other pane"),
        Binding("y", "copy", "copy"),
        Binding("question_mark", "help", "signs and keys"),
    ]

    def __init__(self, path: Path | None, settings: Settings) -> None:
        super().__init__(ansi_color=not THEMES[settings.look].background)
        self.look = settings.look
        self._settings = settings
        self._is_waiting_for_any = path is None and settings.pipe is None
        self._feed = Feed(path)
        self._viewing = Viewing()
        self._is_reading = False
        self._is_text_active = False
        self._newer = ""
        self._client = 0
        self._said = ""
        self._last = ""
        self._drawn_at = 0.0
        self._is_due = False

    @override
    def compose(self) -> ComposeResult:
        yield OneLine(id="state", is_raised=True)
        with Container(id="body"):
            yield ChainTree(id="tree")
            yield Divider("│" if self._settings.signs is UNICODE else "|", id="divider")
            with Container(id="pane"):
                yield OneLine(id="heading")
                yield TextPane(id="text")
        yield Lines(id="waiting")
        yield OneLine(id="keys", is_raised=True)

    def on_mount(self) -> None:
        """Begin to read and to draw."""
        self.screen.styles.background = THEMES[self.look].background or "ansi_default"
        for view in self.query(LineView):
            view.look = self.look
        self.set_interval(1, self._tick)
        self._last = watching.last_in_words(self._settings.folder, self._settings.clock())
        if self._settings.pipe is not None:
            self._read(follow_stdin(self._settings.pipe))
        elif self._feed.path is not None:
            self._read(follow(self._feed.path))
        else:
            self._look_around()
        self._draw()

    @override
    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add the backstop that keeps controls from the terminal."""
        return [*super().get_line_filters(), NoControls()]

    # Reading

    @work(exclusive=True, group="journal")
    async def _read(self, batches: AsyncGenerator[Batch, None]) -> None:
        try:
            async with aclosing(batches):
                async for batch in batches:
                    self._take(batch)
        except (OSError, UsageError) as error:
            self._feed.remark = f"cannot be read: {error}"
            self._draw()

    @work(exclusive=True, group="folder")
    async def _look_around(self) -> None:
        """Show the session that is worth it, now and whenever another one is."""
        async with aclosing(follow_folder(self._settings.folder)) as hints:
            self._choose()
            async for announced in hints:
                if announced or self._feed.path is None:
                    self._choose()

    def _choose(self) -> None:
        folder, current = self._settings.folder, self._feed.path
        if current is None:
            found = watching.worth_showing(folder, self._settings.clock())
            if found is not None:
                self.open(found)
            return
        newer = watching.newer_than(current, folder)
        session = self._viewing.session
        is_thinking = session is not None and session.state is State.THINKING
        if newer is not None and self._viewing.is_following and not is_thinking:
            self.open(newer.path)
        else:
            self._newer = watching.named(newer.path) if newer is not None else ""

    def open(self, path: Path) -> None:
        """Show the journal at ``path``."""
        self._feed, self._viewing, self._newer = Feed(path), Viewing(), ""
        self._read(follow(path))

    def _take(self, batch: Batch) -> None:
        if self._feed.take(batch):
            self._viewing = Viewing()
        if self._feed.is_loaded and not self._is_due:
            self._is_due = True
            wait = self._drawn_at + FRAME_SECONDS - asyncio.get_running_loop().time()
            if wait <= 0:
                self._arrive()
            else:
                self.set_timer(wait, self._arrive)

    def _arrive(self) -> None:
        self._is_due = False
        self._drawn_at = asyncio.get_running_loop().time()
        self._feed.probe()
        session = self._feed.session
        if session.entries or session.corrupt:
            at = self._settings.replay_at
            self._viewing.arrive(session if at is None else session.at_thought(at))
        self._draw()

    def _tick(self) -> None:
        if self._feed.probe() and self._viewing.session is not None and self._settings.replay_at is None:
            self._arrive()
        elif self._viewing.session is None:
            self._draw()
        else:
            self._draw_state()

    # Drawing

    def on_resize(self) -> None:
        """Arrange the parts anew; selection and place stay."""
        self._draw()

    def _draw(self) -> None:
        viewing, texts = self._viewing, self._feed.texts
        is_empty = viewing.session is None or texts is None
        width, height = self.size
        rows = 1 if is_empty else viewing.tree.count
        arrangement = arrange(width, height, rows=rows, is_reading=self._is_reading and not is_empty)
        self._arrange(arrangement, is_empty=is_empty)
        self._draw_state()
        if texts is None or viewing.session is None:
            self._draw_waiting()
            return
        viewing.resize(arrangement.tree_height)
        self.query_one(ChainTree).show(viewing, texts, self._settings.signs, width=arrangement.tree_width, screen=width)
        if arrangement.text_height > 0:
            self._draw_text(arrangement)
        self._draw_keys(arrangement)

    def _arrange(self, at: Arrangement, *, is_empty: bool) -> None:
        body, tree, pane = self.query_one("#body"), self.query_one(ChainTree), self.query_one("#pane")
        body.display, self.query_one("#waiting").display = not is_empty, is_empty
        body.styles.layout = "horizontal" if at.is_wide else "vertical"
        tree.display = at.tree_height > 0
        tree.styles.width, tree.styles.height = max(1, at.tree_width), max(1, at.tree_height)
        pane.display = at.text_height > 0
        self.query_one("#divider").display = at.is_wide and tree.display and pane.display
        self.query_one("#keys").display = at.has_keys

    def _draw_state(self) -> None:
        session, settings, cells = self._viewing.session, self._settings, self.size.width
        line = self.query_one("#state", OneLine)
        if session is None:
            line.show(self._empty_state(cells))
            return
        if settings.replay_at is not None:
            line.show(
                state_line.replay_line(session, self._feed.session, cells, zone=settings.zone, signs=settings.signs)
            )
            return
        line.show(
            state_line.state_line(
                session,
                cells,
                now=settings.clock(),
                stale=settings.stale,
                signs=settings.signs,
                extra=self._extra(session.unread, session.corrupt),
            )
        )

    def _empty_state(self, cells: int) -> Spans:
        signs = self._settings.signs
        left = [Span(f"{signs.expected} waiting", Role.MUTED)]
        if self._feed.remark:
            left.append(Span(f" {signs.separator} {self._feed.remark}", Role.WARN))
        return spread(left, [Span("0 sessions" if not self._last else "no session now", Role.MUTED)], cells)

    def _extra(self, unread: int, corrupt: int) -> Spans:
        remarks = [self._feed.remark] if self._feed.remark else []
        remarks += [f"{count(unread, 'line')} unread"] if unread else []
        remarks += [f"{count(corrupt, 'line')} corrupt"] if corrupt else []
        remarks += [f"new: {self._newer}"] if self._newer else []
        return [Span(f" {self._settings.signs.separator} ".join(remarks), Role.WARN)] if remarks else []

    def _draw_waiting(self) -> None:
        lines = waiting.waiting_lines(
            cells=self.size.width,
            rows=self.size.height - 1,
            chosen=self._client,
            folder=watching.short(self._settings.folder),
            last=self._last,
            signs=self._settings.signs,
            said=self._said,
        )
        self.query_one("#waiting", Lines).show(lines)

    def _draw_text(self, at: Arrangement) -> None:
        heading, text = self.query_one("#heading", OneLine), self.query_one(TextPane)
        texts = self._feed.texts
        if self._viewing.thought == NONE or texts is None:
            heading.show([])
            text.say([])
            return
        page = Page(
            session=self._viewing.tree.session,
            text_of=texts.thought,
            index=self._viewing.thought,
            width=at.text_width,
            signs=self._settings.signs,
            zone=self._settings.zone,
            is_active=self._is_text_active or self._is_reading,
        )
        news = self._viewing.news
        heading.show(
            page.heading(f"{news} new · f" if news and not at.is_wide else page.clock() if at.is_wide else "? keys")
        )
        text.show(page, with_replaced=at.is_wide or self._is_reading)

    def _draw_keys(self, at: Arrangement) -> None:
        if not at.has_keys:
            return
        keys = self._settings.signs.keys
        actions = [
            (f"{keys['up']}{keys['down']}", "move"),
            (f"{keys['left']}{keys['right']}", "fold"),
            ("Enter", "back to the tree" if self._is_reading else "read"),
            ("r", "revised/by"),
            ("y", "copy"),
            ("f", "follow"),
            ("?", "keys"),
            ("q", "back" if self._is_reading else "quit"),
        ]
        spans: Spans = [Span(" ")]
        for key, does in actions:
            spans += [Span(key, Role.ACCENT), Span(f" {does}  ", Role.MUTED)]
        news = self._viewing.news
        state = "following" if self._viewing.is_following else f"{news} new · f" if news else "held"
        if self._settings.replay_at is not None:
            state = ""
        right = [Span(self._said or state, Role.GOOD if self._said else Role.MUTED), Span(" ")]
        self.query_one("#keys", OneLine).show(spread(spans, right, self.size.width))

    # Keys and mouse

    @override
    async def on_event(self, event: events.Event) -> None:
        """Forget what the last key said as soon as another comes."""
        if isinstance(event, events.Key):
            self._said = ""
        await super().on_event(event)

    def action_move(self, rows: int) -> None:
        """Move the selection, the text, or the choice of a client."""
        if self._viewing.session is None:
            self._client = (self._client + rows) % len(waiting.CONNECTIONS)
        elif self._is_reading or self._is_text_active:
            self.query_one(TextPane).scroll_lines(rows)
        else:
            self._viewing.move(rows)
        self._draw()

    def action_page(self, pages: int) -> None:
        """Move by a screenful."""
        if self._is_reading or self._is_text_active:
            self.query_one(TextPane).scroll_lines(pages * max(1, self.query_one(TextPane).size.height - 2))
        elif self._viewing.session is not None:
            self._viewing.move(pages * max(1, self._viewing.height - 1))
        self._draw()

    def action_first(self) -> None:
        """Select the first row."""
        if self._viewing.session is not None:
            self._viewing.select(0)
        self._draw()

    def action_last(self) -> None:
        """Select the last row."""
        if self._viewing.session is not None:
            self._viewing.select(self._viewing.tree.count - 1)
        self._draw()

    def action_follow(self) -> None:
        """Go to the newest thought and stay with what comes."""
        if self._viewing.session is not None:
            self._viewing.follow()
        self._draw()

    def action_hold(self) -> None:
        """Hold, or follow again."""
        if self._viewing.session is not None:
            if self._viewing.is_following:
                self._viewing.stop_following()
            else:
                self._viewing.follow()
        self._draw()

    def action_fold(self, folded: bool) -> None:
        """Fold or unfold a branch or chain."""
        if self._viewing.session is not None and not self._is_reading:
            self._viewing.fold(folded=folded)
        self._draw()

    def action_jump(self) -> None:
        """Go to what the selected thought revises, or to what revises it."""
        if self._viewing.session is not None and not self._viewing.jump():
            self._said = "no revision here"
        self._draw()

    def action_enter(self) -> None:
        """Read the text with all the room; while waiting, play the demo."""
        if self._viewing.session is None:
            self.exit("demo")
            return
        self._is_reading = not self._is_reading
        self._draw()

    def action_other_pane(self) -> None:
        """Let the arrow keys move the text, or the tree again."""
        self._is_text_active = not self._is_text_active
        self._draw()

    def action_close(self) -> None:
        """Leave the text; at the root, quit."""
        if self._is_reading or self._is_text_active:
            self._is_reading = self._is_text_active = False
            self._draw()
        else:
            self.exit()

    def action_leave(self) -> None:
        """Quit, whatever is open."""
        self.exit()

    def action_copy(self) -> None:
        """Copy the selected thought's text, or while waiting the command."""
        texts = self._feed.texts
        if self._viewing.session is None:
            self.copy_to_clipboard(waiting.CONNECTIONS[self._client].command)
        elif texts is not None and self._viewing.thought != NONE:
            self.copy_to_clipboard(sanitize(texts.thought(self._viewing.thought)))
        self._said = " copied"
        self._draw()

    def action_help(self) -> None:
        """Show the signs and keys."""
        self.push_screen(HelpScreen(self._settings.signs, self.look))

    def on_chain_tree_clicked(self, message: ChainTree.Clicked) -> None:
        """Select the row; a second click reads it, a click on a heading or fork folds."""
        self._viewing.select(message.row)
        self._is_reading = message.is_double
        self._draw()

    def on_chain_tree_scrolled(self, message: ChainTree.Scrolled) -> None:
        """Move the window."""
        self._viewing.scroll(message.rows)
        self._draw()
