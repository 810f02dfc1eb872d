"""Actions for moving, folding and reading, with keys and mouse; each changes the view state and redraws."""

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
from seqthink.drawing.tree.tree import RowKind
from seqthink.text import sanitize
from tui.screens.help import HelpScreen
from tui.screens.sessions import SessionsScreen
from tui.session_view.session_panes import SessionPanes
from tui.settings import Settings
from tui.state.view_state import ViewState
from tui.state.viewport import Viewport
from tui.theme import THEMES
from tui.widgets.chain_tree import ChainTree

THOUGHTS_PER_SLICE, YIELD_SECONDS = 2000, 0.002
"""Thoughts added to the other view at a time, and the pause for keys in between: a few milliseconds each."""
PROGRESS_AFTER_SECONDS, PROGRESS_SECONDS = 0.3, 0.25
"""Delay before progress is shown, and the interval at which it is updated."""
GLOBAL_KEYS = {"ctrl+c", "ctrl+z"}
"""Keys that work whatever is open or being typed."""
ALL_ROWS = 1 << 40
"""More rows or lines than anything has: moves to the first or last one."""


class NavigationActions(App[str]):
    """The layer of the app for movement and keys; it exits with the requested next command: ``demo`` or nothing."""

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
        # before the screen's own binding, which would move an invisible focus
        Binding("tab", "other_pane", "other pane", priority=True),
        Binding("y", "copy", "copy"),
        Binding("question_mark", "help", "signs and keys"),
    ]

    def __init__(self, view_state: ViewState, settings: Settings) -> None:
        super().__init__(ansi_color=not THEMES[settings.theme].background)
        self._view_state = view_state
        self._settings = settings
        self._panes = SessionPanes(settings)

    def _draw(self) -> None:
        if self.is_running and not self._exit:  # on exit, widgets are removed one by one, or were never mounted
            self._panes.draw(self._view_state, self.size.width, self.size.height)

    def _draw_status(self) -> None:
        if self.is_running and not self._exit:
            self._panes.draw_status(self._view_state, self.size.width)

    def _show_status_message(self, message: str) -> None:
        """Show a status message on the visible screen."""
        if isinstance(self.screen, SessionsScreen):
            self.screen.show_status_message(message)
        else:
            self._view_state.status_message = message
            self._draw()

    def _highlight_new_rows(self, first_new: int) -> None:
        """Highlight rows of thoughts after the first ``first_new`` for a moment."""
        session = self._view_state.viewport.session
        if session is not None and self._settings.has_motion and self.is_running:
            self._panes.highlight_new_rows(first_new, session.thought_count)

    @override
    async def on_event(self, event: events.Event) -> None:
        """Clear the last status message on a key press, and pass typed characters to an open text input."""
        if self._exit and isinstance(event, events.InputEvent | events.Paste | events.Resize):
            return
        if isinstance(event, events.Key) and event.key not in GLOBAL_KEYS:
            self._view_state.status_message = ""
            self._view_state.feed.clear_reread_remark()
            if self._route_key(event):
                return
        await super().on_event(event)

    @override
    async def run_action(
        self,
        action: "str | ActionParseResult",
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action unless the app is exiting: a screen opened now would never be mounted."""
        return not self._exit and await super().run_action(action, default_namespace, namespaces)

    def _route_key(self, event: events.Key) -> bool:
        return len(self.screen_stack) == 1 and self._handle_input_key(event)

    def _handle_input_key(self, event: events.Key) -> bool:  # noqa: ARG002 - for subclasses with a text input
        """Pass a key to the open text input; return whether it was used."""
        return False

    def _handle_input_paste(self, text: str) -> bool:  # noqa: ARG002 - as above
        """Insert pasted text into the open text input; return whether one was open."""
        return False

    def _clear_search(self) -> bool:
        """Drop a search or filter; return whether there was one."""
        return False

    @property
    def _is_text_focused(self) -> bool:
        """Whether movement keys scroll the text instead of moving the selection."""
        return self._panes.has_text_pane and (self._view_state.is_reading or self._view_state.is_text_active)

    def action_move(self, rows: int) -> None:
        """Move the selection, scroll the text, or choose a client on the waiting screen."""
        if self._view_state.viewport.session is None:
            self._choose_client(rows)
        elif self._is_text_focused:
            self._panes.text_pane.scroll_lines(rows)
        else:
            self._view_state.viewport.move(rows)
        self._draw()

    def _choose_client(self, places: int) -> None:
        self._view_state.client_index = (self._view_state.client_index + places) % len(CLIENTS)

    def action_page(self, pages: int) -> None:
        """Move by a screenful."""
        if self._is_text_focused:
            self._panes.text_pane.scroll_lines(pages * max(1, self._panes.text_pane.size.height - 2))
        else:
            self._view_state.viewport.move(pages * max(1, self._view_state.viewport.height - 1))
        self._draw()

    def action_first(self) -> None:
        """Select the first row, or scroll to the start of the text."""
        if self._is_text_focused:
            self._panes.text_pane.scroll_lines(-ALL_ROWS)
        else:
            self._view_state.viewport.select(0)
        self._draw()

    def action_last(self) -> None:
        """Select the last row, or scroll to the end of the text."""
        if self._is_text_focused:
            self._panes.text_pane.scroll_lines(ALL_ROWS)
        else:
            self._view_state.viewport.select(ALL_ROWS)
        self._draw()

    def action_fold(self, folded: bool) -> None:
        """Fold or unfold a branch or chain; on the waiting screen, choose a client."""
        if self._view_state.viewport.session is None:
            self._choose_client(-1 if folded else 1)
        elif not self._view_state.is_reading:
            self._view_state.viewport.fold(folded=folded)
        self._draw()

    def action_jump(self) -> None:
        """Select the selected thought's target, or else its reviser."""
        if self._view_state.viewport.session is not None and not self._view_state.viewport.jump_to_revision():
            self._view_state.status_message = "no revision here"
        self._draw()

    def action_timeline(self) -> None:
        """Switch between tree and timeline."""
        if self._view_state.search.active_filter is not None:
            self._view_state.status_message = "first show all rows: Esc"
            self._draw()
            return
        viewport = self._view_state.viewport
        if viewport.prepare_other_view(THOUGHTS_PER_SLICE) < 1:
            self._toggle_timeline_in_slices(viewport)
        else:
            viewport.toggle_timeline()
        self._draw()

    @work(exclusive=True, group="rows")
    async def _toggle_timeline_in_slices(self, viewport: Viewport) -> None:
        """Build the other view in slices, then switch to it; keys stay responsive."""
        loop = asyncio.get_running_loop()
        progress_drawn_at = loop.time() + PROGRESS_AFTER_SECONDS - PROGRESS_SECONDS
        while (share := viewport.prepare_other_view(THOUGHTS_PER_SLICE)) < 1:
            if loop.time() - progress_drawn_at > PROGRESS_SECONDS:
                progress_drawn_at = loop.time()
                name = "tree" if viewport.is_timeline else "timeline"
                self._view_state.status_message = f"{name} {self._settings.signs.ellipsis} {round(100 * share)} %"
                self._draw()
            await asyncio.sleep(YIELD_SECONDS)
            if viewport is not self._view_state.viewport:
                return
        self._view_state.status_message = ""
        viewport.toggle_timeline()
        self._draw()

    def action_diff(self) -> None:
        """Switch between a revision's diff and its texts."""
        self._view_state.is_diff = not self._view_state.is_diff
        if not self._is_on_revision:
            self._view_state.is_diff, self._view_state.status_message = False, "no revision here"
        self._draw()

    @property
    def _is_on_revision(self) -> bool:
        thought, session = self._view_state.viewport.thought, self._view_state.viewport.session
        return session is not None and thought != NONE and session.thoughts.target_of(thought) != NONE

    def action_raw(self) -> None:
        """Switch between raw and rendered text."""
        self._view_state.is_raw = not self._view_state.is_raw
        self._view_state.status_message = "raw text" if self._view_state.is_raw else "rendered"
        self._draw()

    def action_enter(self) -> None:
        """Switch to reading with the text in the full screen; on the waiting screen, start the demo."""
        viewport = self._view_state.viewport
        if viewport.session is not None:
            has_text = viewport.thought != NONE or viewport.refusal != NONE
            self._view_state.is_reading = has_text and not self._view_state.is_reading
            self._draw()
        elif self._settings.demo is None and self._settings.pipe is None:
            self.exit("demo")

    def action_other_pane(self) -> None:
        """Switch movement keys between tree and text."""
        if self._panes.has_text_pane and len(self.screen_stack) == 1:
            self._view_state.is_text_active = not self._view_state.is_text_active
            self._draw()

    def action_close(self, quits: bool) -> None:
        """Close the diff, else the text, else search or filter; with nothing open, quit if ``quits``."""
        if self._view_state.is_diff and self._is_on_revision:
            self._view_state.is_diff = False
        elif self._is_text_focused:
            self._view_state.is_reading = self._view_state.is_text_active = False
        elif not self._clear_search() and quits:
            self.exit()
        self._draw()

    def action_leave(self) -> None:
        """Quit, whatever is open."""
        self.exit()

    def action_copy(self) -> None:
        """Copy the selected thought's text, or on the waiting screen the connect command."""
        texts, thought = self._view_state.feed.texts, self._view_state.viewport.thought
        if self._view_state.viewport.session is None:
            self.copy_to_clipboard(f"{self._settings.connect} {list(CLIENTS)[self._view_state.client_index]}")
        elif texts is not None and self._view_state.viewport.refusal != NONE:
            self.copy_to_clipboard(sanitize(texts.refusal_reason(self._view_state.viewport.refusal)))
        elif texts is not None and thought != NONE:
            self.copy_to_clipboard(sanitize(texts.thought(thought)))
        else:
            return
        self._view_state.status_message = "copied"
        self._draw()

    def action_help(self) -> None:
        """Open the page of signs and keys."""
        self.push_screen(HelpScreen(self._settings.signs, self._settings.theme, *self.size, self._panes.drawn_text))

    async def on_key(self, event: events.Key) -> None:
        """Route a key again that the focused input would have used: it was typed before that had the focus."""
        focused = self.focused
        if focused is not None and focused.check_consume_key(event.key, event.character):
            await self.on_event(event.copy())

    def on_paste(self, event: events.Paste) -> None:
        """Insert pasted text into an open text input; otherwise ignore it: a paste never acts as keys."""
        if self.focused is not None:  # pasted before that had the focus
            self.focused.post_message(event)
        elif not self._handle_input_paste(event.text):
            self._show_status_message("paste ignored")

    def on_clickable_lines_clicked(self, message: ChainTree.Clicked) -> None:
        """Select the row; fold or unfold a heading, and read a thought on a double click."""
        viewport = self._view_state.viewport
        if viewport.top + message.line >= viewport.tree.count:
            return
        viewport.select(viewport.top + message.line)
        self._view_state.is_text_active = False
        row = viewport.tree.row(viewport.selected)
        if row.kind in {RowKind.BRANCH, RowKind.CHAIN}:
            viewport.toggle()
        else:
            self._view_state.is_reading = message.is_double
        self._draw()

    def on_clickable_lines_scrolled(self, message: ChainTree.Scrolled) -> None:
        """Scroll the tree."""
        self._view_state.viewport.scroll(message.rows)
        self._draw()
