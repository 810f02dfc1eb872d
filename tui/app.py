"""The viewer: wires feed, viewing and board; the only one to set state."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.state import State
from seqthink.drawing import waiting
from seqthink.errors import UsageError
from seqthink.journal.follow import follow, follow_folder, follow_stdin
from seqthink.journal.reader import Batch
from seqthink.text import sanitize
from tui import watching
from tui.board import Board, Shown
from tui.feed import Feed
from tui.safety import NoControls
from tui.screens.help import HelpScreen
from tui.settings import Settings
from tui.theme import THEMES
from tui.viewing import Viewing
from tui.widgets.chain_tree import ChainTree

FRAME_SECONDS = 1 / 15
"""Arrivals are drawn at once after a quiet moment, then at most this often."""


class Viewer(App[str]):
    """Shows one session at a time; it ends with what the person wants next: ``demo``, or nothing."""

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
        Binding("d", "diff", "diff, texts"),
        Binding("m", "raw", "raw, rendered"),
        Binding("enter", "enter", "read"),
        Binding("tab", "other_pane", "other pane"),
        Binding("y", "copy", "copy"),
        Binding("question_mark", "help", "signs and keys"),
    ]

    def __init__(self, path: Path | None, settings: Settings) -> None:
        super().__init__(ansi_color=not THEMES[settings.look].background)
        self._settings = settings
        self._shown = Shown(feed=Feed(path), viewing=Viewing())
        self._drawn_at = 0.0
        self._is_due = False
        self.failure: Exception | None = None

    @property
    def is_ready(self) -> bool:
        """Whether what there is to show has been read and drawn."""
        shown = self._shown
        return self._drawn_at > 0 and (shown.feed.path is None or shown.feed.is_loaded) and not self._is_due

    @override
    def compose(self) -> ComposeResult:
        yield Board(self._settings)

    def on_mount(self) -> None:
        """Begin to read and to draw."""
        settings = self._settings
        self.screen.styles.background = THEMES[settings.look].background or "ansi_default"
        self.set_interval(1, self._tick)
        if settings.pipe is not None:
            self._read(follow_stdin(settings.pipe))
        elif self._shown.feed.path is not None:
            self._read(follow(self._shown.feed.path))
        else:
            self._shown.last = watching.last_in_words(settings.folder, settings.clock())
            self._look_around()

    @override
    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add the backstop that keeps controls from the terminal."""
        return [*super().get_line_filters(), NoControls()]

    @override
    def _handle_exception(self, error: Exception) -> None:
        """Leave the terminal as it was and keep the error: Textual's own report would show thoughts, unsanitized."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        self.failure = self.failure or error
        self.exit(return_code=1)

    # Reading

    @work(exclusive=True, group="journal")
    async def _read(self, batches: AsyncGenerator[Batch, None]) -> None:
        try:
            async with aclosing(batches):
                async for batch in batches:
                    self._take(batch)
        except (OSError, UsageError) as error:
            self._shown.feed.remark = f"cannot be read: {error}"
            self._draw()

    @work(exclusive=True, group="folder")
    async def _look_around(self) -> None:
        """Show the session that is worth it, now and whenever another one is."""
        self._choose()
        async with aclosing(follow_folder(self._settings.folder)) as hints:
            async for announced in hints:
                if announced or self._shown.feed.path is None:
                    self._choose()

    def _choose(self) -> None:
        folder, demo, current = self._settings.folder, self._settings.demo, self._shown.feed.path
        if current is None:
            found = demo.find() if demo else watching.worth_showing(folder, self._settings.clock())
            if found is not None:
                self.open(found)
            elif demo is not None and demo.trouble():
                self.exit()
            return
        newer = watching.newer_than(current, folder) if demo is None else None
        session = self._shown.viewing.session
        is_thinking = session is not None and session.state is State.THINKING
        if newer is not None and self._shown.viewing.is_following and not is_thinking:
            self.open(newer.path)
        else:
            self._shown.newer = watching.named(newer.path) if newer is not None else ""

    def open(self, path: Path) -> None:
        """Show the journal at ``path``."""
        self._shown.feed, self._shown.viewing, self._shown.newer = Feed(path), Viewing(), ""
        self._read(follow(path))

    def _take(self, batch: Batch) -> None:
        feed = self._shown.feed
        if feed.take(batch):
            self._shown.viewing = Viewing()
        if feed.is_loaded and not self._is_due:
            self._is_due = True
            wait = self._drawn_at + FRAME_SECONDS - asyncio.get_running_loop().time()
            if wait > 0:
                self.set_timer(wait, self._arrive)
            else:
                self._arrive()

    def _arrive(self) -> None:
        self._is_due = False
        self._drawn_at = asyncio.get_running_loop().time()
        self._shown.feed.probe()
        session = self._shown.feed.session
        if session.entries:
            at = self._settings.replay_at
            self._shown.viewing.arrive(session if at is None else session.at_thought(at))
        self._draw()

    def _tick(self) -> None:
        shown = self._shown
        if shown.viewing.session is None:
            self._draw()
        elif not self._settings.is_replay and shown.feed.probe():
            self._arrive()
        else:
            self._board.draw_state(shown, self.size.width)

    # Drawing

    @property
    def _board(self) -> Board:
        return self.screen_stack[0].query_one(Board)

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the parts anew; selection and place stay."""
        self._drawn_at = self._drawn_at or asyncio.get_running_loop().time()
        self._board.draw(self._shown, event.size.width, event.size.height)

    def _draw(self) -> None:
        self._board.draw(self._shown, self.size.width, self.size.height)

    # Keys and mouse

    @override
    async def on_event(self, event: events.Event) -> None:
        """Forget what the last key said as soon as another comes."""
        if isinstance(event, events.Key):
            self._shown.said = ""
        await super().on_event(event)

    def action_move(self, rows: int) -> None:
        """Move the selection, the text, or the choice of a client."""
        if self._shown.viewing.session is None:
            self._shown.client = (self._shown.client + rows) % len(waiting.CONNECTIONS)
        elif self._shown.is_reading or self._shown.is_text_active:
            self._board.text.scroll_lines(rows)
        else:
            self._shown.viewing.move(rows)
        self._draw()

    def action_page(self, pages: int) -> None:
        """Move by a screenful."""
        if self._shown.is_reading or self._shown.is_text_active:
            self._board.text.scroll_lines(pages * max(1, self._board.text.size.height - 2))
        elif self._shown.viewing.session is not None:
            self._shown.viewing.move(pages * max(1, self._shown.viewing.height - 1))
        self._draw()

    def action_first(self) -> None:
        """Select the first row, or show where the text begins."""
        if self._shown.is_reading or self._shown.is_text_active:
            self._board.text.scroll_to_line(is_end=False)
        elif self._shown.viewing.session is not None:
            self._shown.viewing.select(0)
        self._draw()

    def action_last(self) -> None:
        """Select the last row, or show where the text ends."""
        if self._shown.is_reading or self._shown.is_text_active:
            self._board.text.scroll_to_line(is_end=True)
        elif self._shown.viewing.session is not None:
            self._shown.viewing.select(self._shown.viewing.tree.count - 1)
        self._draw()

    def action_follow(self) -> None:
        """Go to the newest thought and stay with what comes."""
        if self._shown.viewing.session is not None:
            self._shown.viewing.follow()
        self._draw()

    def action_hold(self) -> None:
        """Hold, or follow again."""
        if self._shown.viewing.session is not None:
            if self._shown.viewing.is_following:
                self._shown.viewing.stop_following()
            else:
                self._shown.viewing.follow()
        self._draw()

    def action_fold(self, folded: bool) -> None:
        """Fold or unfold a branch or chain."""
        if self._shown.viewing.session is not None and not self._shown.is_reading:
            self._shown.viewing.fold(folded=folded)
        self._draw()

    def action_jump(self) -> None:
        """Go to what the selected thought revises, or to what revises it."""
        if self._shown.viewing.session is not None and not self._shown.viewing.jump():
            self._shown.said = "no revision here"
        self._draw()

    def action_diff(self) -> None:
        """Show what a revision changed instead of what it replaced, or the other way."""
        self._shown.is_diff = not self._shown.is_diff
        if not self._is_on_revision:
            self._shown.is_diff = False
            self._shown.said = "no revision here"
        self._draw()

    @property
    def _is_on_revision(self) -> bool:
        thought, session = self._shown.viewing.thought, self._shown.viewing.session
        return session is not None and thought != NONE and session.target_of(thought) != NONE

    def action_raw(self) -> None:
        """Show texts as they were written, or rendered."""
        self._shown.is_raw = not self._shown.is_raw
        self._shown.said = "raw text" if self._shown.is_raw else "rendered"
        self._draw()

    def action_enter(self) -> None:
        """Read the text with all the room; while waiting, play the demo."""
        if self._shown.viewing.session is None:
            self.exit("demo")
            return
        self._shown.is_reading = not self._shown.is_reading
        self._draw()

    def action_other_pane(self) -> None:
        """Let the arrow keys move the text, or the tree again."""
        self._shown.is_text_active = not self._shown.is_text_active
        self._draw()

    def action_close(self) -> None:
        """Leave what changed, then the text; at the root, quit."""
        if self._shown.is_diff and self._is_on_revision:
            self._shown.is_diff = False
            self._draw()
        elif self._shown.is_reading or self._shown.is_text_active:
            self._shown.is_reading = self._shown.is_text_active = False
            self._draw()
        else:
            self.exit()

    def action_leave(self) -> None:
        """Quit, whatever is open."""
        self.exit()

    def action_copy(self) -> None:
        """Copy the selected thought's text, or while waiting the command."""
        texts = self._shown.feed.texts
        if self._shown.viewing.session is None:
            self.copy_to_clipboard(waiting.CONNECTIONS[self._shown.client].command)
        elif texts is not None and self._shown.viewing.thought != NONE:
            self.copy_to_clipboard(sanitize(texts.thought(self._shown.viewing.thought)))
        self._shown.said = "copied"
        self._draw()

    def action_help(self) -> None:
        """Show the signs and keys."""
        self.push_screen(HelpScreen(self._settings.signs, self._settings.look))

    def on_chain_tree_clicked(self, message: ChainTree.Clicked) -> None:
        """Select the row; a second click reads it, a click on a heading or fork folds."""
        self._shown.viewing.select(message.row)
        self._shown.is_reading = message.is_double
        self._draw()

    def on_chain_tree_scrolled(self, message: ChainTree.Scrolled) -> None:
        """Move the window."""
        self._shown.viewing.scroll(message.rows)
        self._draw()
