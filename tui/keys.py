"""What keys and mouse do: each changes what is shown and draws it."""

import asyncio
from collections.abc import Mapping
from typing import ClassVar

from textual import events, work
from textual.actions import ActionParseResult
from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.clients.registry import CLIENTS
from seqthink.drawing.tree import RowKind
from seqthink.text import sanitize
from tui.board import Board
from tui.screens.help import HelpScreen
from tui.screens.palette import PaletteScreen
from tui.screens.sessions import SessionsScreen
from tui.settings import Settings
from tui.shown import Shown
from tui.theme import THEMES
from tui.viewing import Viewing
from tui.widgets.chain_tree import ChainTree

AT_ONCE, TURN_SECONDS = 2000, 0.002
"""How many thoughts are taken in between two turns of the keys, and how long a turn lasts: a few milliseconds each."""
TELL_AFTER_SECONDS, TELL_SECONDS = 0.3, 0.25
"""What takes longer says so, and from then on it says this often how far it is."""
EVERYWHERE = {"ctrl+c", "ctrl+z"}
"""Keys that do the same whatever is open, or typed."""
FARTHEST = 1 << 40
"""More lines than a text has."""


class Keys(App[str]):
    """The app as far as a person acts on it; it ends with what they want next: ``demo``, or nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", "quit", priority=True),
        Binding("q", "close(True)", "back, quit"),
        Binding("escape", "close(False)", "back"),
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("pageup", "page(-1)", "page up"),
        Binding("g", "first", "first row"),
        Binding("G", "last", "last row"),
        Binding("h,left", "fold(True)", "fold"),
        Binding("l,right", "fold(False)", "unfold"),
        Binding("r", "jump", "revised, reviser"),
        Binding("t", "timeline", "timeline, tree"),
        Binding("d", "diff", "diff, texts"),
        Binding("m", "raw", "raw, rendered"),
        Binding("enter", "enter", "read"),
        # before the screen's own, which would move a focus that nobody sees
        Binding("tab", "other_pane", "other pane", priority=True),
        Binding("y", "copy", "copy"),
        Binding("question_mark", "help", "signs and keys"),
    ]

    def __init__(self, shown: Shown, settings: Settings) -> None:
        super().__init__(ansi_color=not THEMES[settings.look].background)
        self._shown = shown
        self._settings = settings
        self._board = Board(settings)

    def _draw(self) -> None:
        if self.is_running and not self._exit:  # at the end the parts of the screen go one by one, or never come
            self._board.draw(self._shown, self.size.width, self.size.height)

    def _draw_state(self) -> None:
        if self.is_running and not self._exit:
            self._board.draw_state(self._shown, self.size.width)

    def _welcome(self, before: int) -> None:
        """Let what came after the first ``before`` thoughts stand out for a moment."""
        session = self._shown.viewing.session
        if session is not None and self._settings.has_motion and self.is_running:
            self._board.welcome(before, session.thought_count)

    @override
    async def on_event(self, event: events.Event) -> None:
        """Forget what the last key said as soon as another comes; what is typed into a line is no key."""
        if self._exit and isinstance(event, events.InputEvent | events.Paste | events.Resize):
            return
        if isinstance(event, events.Key) and event.key not in EVERYWHERE:
            self._shown.said = ""
            self._shown.feed.acknowledge()
            if self._type(event):
                return
        await super().on_event(event)

    @override
    async def run_action(
        self,
        action: "str | ActionParseResult",
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key is bound to, unless the person has left: a screen that opens now would not get its parts."""
        return not self._exit and await super().run_action(action, default_namespace, namespaces)

    def _type(self, event: events.Key) -> bool:
        screen = self.screen
        if isinstance(screen, SessionsScreen | PaletteScreen):
            return screen.take_key(event)
        return len(self.screen_stack) == 1 and self._take_key(event)

    def _take_key(self, event: events.Key) -> bool:  # noqa: ARG002 - for those who have a line to type into
        """Type into the line that is open; return whether that was what the key did."""
        return False

    def _take_paste(self, text: str) -> bool:  # noqa: ARG002 - as above
        """Put pasted text into the line that is open; return whether one was."""
        return False

    def _clear_find(self) -> bool:
        """Forget what was looked for; return whether something was."""
        return False

    @property
    def _moves_text(self) -> bool:
        """Whether the keys that move are the text's."""
        return self._board.has_text and (self._shown.is_reading or self._shown.is_text_active)

    def action_move(self, rows: int) -> None:
        """Move the selection, the text, or the choice of a client."""
        if self._shown.viewing.session is None:
            self._choose_client(rows)
        elif self._moves_text:
            self._board.text.scroll_lines(rows)
        else:
            self._shown.viewing.move(rows)
        self._draw()

    def _choose_client(self, places: int) -> None:
        self._shown.client = (self._shown.client + places) % len(CLIENTS)

    def action_page(self, pages: int) -> None:
        """Move by a screenful."""
        if self._moves_text:
            self._board.text.scroll_lines(pages * max(1, self._board.text.size.height - 2))
        else:
            self._shown.viewing.move(pages * max(1, self._shown.viewing.height - 1))
        self._draw()

    def action_first(self) -> None:
        """Select the first row, or go to the text's beginning."""
        if self._moves_text:
            self._board.text.scroll_lines(-FARTHEST)
        else:
            self._shown.viewing.select(0)
        self._draw()

    def action_last(self) -> None:
        """Select the last row, or go to the text's end."""
        if self._moves_text:
            self._board.text.scroll_lines(FARTHEST)
        else:
            self._shown.viewing.select(FARTHEST)
        self._draw()

    def action_fold(self, folded: bool) -> None:
        """Fold or unfold a branch or chain; while waiting, choose another client."""
        if self._shown.viewing.session is None:
            self._choose_client(-1 if folded else 1)
        elif not self._shown.is_reading:
            self._shown.viewing.fold(folded=folded)
        self._draw()

    def action_jump(self) -> None:
        """Go to what the selected thought revises, or to what revises it."""
        if self._shown.viewing.session is not None and not self._shown.viewing.jump():
            self._shown.said = "no revision here"
        self._draw()

    def action_timeline(self) -> None:
        """Show the thoughts in order of arrival, or as a tree again."""
        if self._shown.find.filter is not None:
            self._shown.said = "Esc shows all rows first"
            self._draw()
            return
        viewing = self._shown.viewing
        if viewing.catch_up(AT_ONCE) < 1:
            self._show_other(viewing)
        else:
            viewing.toggle_timeline()
        self._draw()

    @work(exclusive=True, group="rows")
    async def _show_other(self, viewing: Viewing) -> None:
        """Show the timeline, or the tree again, as soon as it has taken in all there is; keys have their turn."""
        loop = asyncio.get_running_loop()
        told_at = loop.time() + TELL_AFTER_SECONDS - TELL_SECONDS
        while (share := viewing.catch_up(AT_ONCE)) < 1:
            if loop.time() - told_at > TELL_SECONDS:
                told_at = loop.time()
                name = "tree" if viewing.is_timeline else "timeline"
                self._shown.said = f"{name} {self._settings.signs.ellipsis} {round(100 * share)} %"
                self._draw()
            await asyncio.sleep(TURN_SECONDS)
            if viewing is not self._shown.viewing:
                return
        self._shown.said = ""
        viewing.toggle_timeline()
        self._draw()

    def action_diff(self) -> None:
        """Show what a revision changed instead of what it replaced, or the other way."""
        self._shown.is_diff = not self._shown.is_diff
        if not self._is_on_revision:
            self._shown.is_diff, self._shown.said = False, "no revision here"
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
        """Read the text with all the room; while waiting for an agent, play the demo."""
        viewing = self._shown.viewing
        if viewing.session is not None:
            has_text = viewing.thought != NONE or viewing.refusal != NONE
            self._shown.is_reading = has_text and not self._shown.is_reading
            self._draw()
        elif self._settings.demo is None and self._settings.pipe is None:
            self.exit("demo")

    def action_other_pane(self) -> None:
        """Let the arrow keys move the text, or the tree again."""
        if self._board.has_text and len(self.screen_stack) == 1:
            self._shown.is_text_active = not self._shown.is_text_active
            self._draw()

    def action_close(self, quits: bool) -> None:
        """Leave what changed, then the text, then what was looked for; at the root ``q`` quits, Esc does not."""
        if self._shown.is_diff and self._is_on_revision:
            self._shown.is_diff = False
        elif self._moves_text:
            self._shown.is_reading = self._shown.is_text_active = False
        elif not self._clear_find() and quits:
            self.exit()
        self._draw()

    def action_leave(self) -> None:
        """Quit, whatever is open."""
        self.exit()

    def action_copy(self) -> None:
        """Copy the selected thought's text, or while waiting the command."""
        texts, thought = self._shown.feed.texts, self._shown.viewing.thought
        if self._shown.viewing.session is None:
            self.copy_to_clipboard(f"{self._settings.connect} {list(CLIENTS)[self._shown.client]}")
        elif texts is not None and self._shown.viewing.refusal != NONE:
            self.copy_to_clipboard(sanitize(texts.refusal_reason(self._shown.viewing.refusal)))
        elif texts is not None and thought != NONE:
            self.copy_to_clipboard(sanitize(texts.thought(thought)))
        else:
            return
        self._shown.said = "copied"
        self._draw()

    def action_help(self) -> None:
        """Show the signs and keys."""
        self.push_screen(HelpScreen(self._settings.signs, self._settings.look, *self.size, self._board.drawn_text))

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text is not keys: it goes into a line that is open, or nowhere."""
        screen = self.screen
        if isinstance(screen, SessionsScreen | PaletteScreen):
            screen.take_paste(event.text)
        elif not self._take_paste(event.text):
            self._shown.said = "paste ignored"
            self._draw()

    def on_chain_tree_clicked(self, message: ChainTree.Clicked) -> None:
        """Select the row, and fold or unfold what it heads; a second click on a thought reads it."""
        viewing = self._shown.viewing
        viewing.select(message.row)
        self._shown.is_text_active = False
        row = viewing.tree.row(viewing.selected)
        if row.kind in {RowKind.BRANCH, RowKind.CHAIN}:
            viewing.toggle()
        else:
            self._shown.is_reading = message.is_double
        self._draw()

    def on_chain_tree_scrolled(self, message: ChainTree.Scrolled) -> None:
        """Move the window."""
        self._shown.viewing.scroll(message.rows)
        self._draw()
