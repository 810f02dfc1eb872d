"""Moving, folding and reading: each action changes the view state and redraws."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from seqthink.chain.model import NONE
from seqthink.drawing.tree.row_source import RowKind
from tui.session_view.find import Find
from tui.session_view.view import View, run_task
from tui.state.viewport import Viewport

THOUGHTS_PER_SLICE, YIELD_SECONDS = 2000, 0.002
"""Thoughts added to the other view at a time, and the pause for keys in between: a few milliseconds each."""
PROGRESS_AFTER_SECONDS, PROGRESS_SECONDS = 0.3, 0.25
"""Delay before progress is shown, and the interval at which it is updated."""
ALL_ROWS = 1 << 40
"""More rows or lines than anything has: moves to the first or last one."""


class Navigation:
    """Moves the selection, folds, and opens and closes what the user reads.

    Args:
        view: the session screen.
        find: search and filter, which are closed first.
        come_back: opens the wall again if the session was opened there; returns whether it was.
    """

    def __init__(self, view: View, *, find: Find, come_back: Callable[[], bool]) -> None:
        self._view = view
        self._find = find
        self._come_back = come_back

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {
            "move": self.move,
            "page": self.page,
            "half_page": self.half_page,
            "first": self.go_to_first,
            "last": self.go_to_last,
            "fold": self.fold,
            "fold_all": self.fold_all,
            "unfold_all": self.unfold_all,
            "jump": self.jump_to_revision,
            "timeline": self.toggle_timeline,
            "diff": self.toggle_diff,
            "raw": self.toggle_raw,
            "enter": self.enter,
            "other_pane": self.switch_pane,
            "close": self.close,
        }

    @property
    def is_text_focused(self) -> bool:
        """Whether movement keys scroll the text instead of moving the selection."""
        view_state = self._view.state
        return self._view.panes.has_text_pane and (view_state.is_reading or view_state.is_text_active)

    def move(self, rows: int) -> None:
        """Move the selection, scroll the text, or choose a client on the waiting screen."""
        if self._view.state.viewport.session is None:
            self._choose_client(rows)
        elif self.is_text_focused:
            self._view.panes.text_pane.scroll_lines(rows)
        else:
            self._view.state.viewport.move(rows)
        self._view.redraw()

    def _choose_client(self, places: int) -> None:
        from tui.state.connect_choices import CONNECT_CHOICES  # noqa: PLC0415 - only the waiting screen needs it

        self._view.state.connect_index = (self._view.state.connect_index + places) % len(CONNECT_CHOICES)

    def page(self, pages: int) -> None:
        """Move by a screenful."""
        if self.is_text_focused:
            self._view.panes.text_pane.scroll_lines(pages * max(1, self._view.panes.text_pane.size.height - 2))
        else:
            self._move_lines(pages * max(1, self._view.state.viewport.height - 1))
        self._view.redraw()

    def half_page(self, halves: int) -> None:
        """Move by half a screenful."""
        if self.is_text_focused:
            self._view.panes.text_pane.scroll_lines(halves * max(1, self._view.panes.text_pane.size.height // 2))
        else:
            self._move_lines(halves * max(1, self._view.state.viewport.height // 2))
        self._view.redraw()

    def _move_lines(self, lines: int) -> None:
        """Move the selection to the row about ``lines`` lines below it."""
        viewport = self._view.state.viewport
        viewport.select(viewport.heights.row_from(viewport.tree, viewport.selected, lines))

    def go_to_first(self) -> None:
        """Select the first row, or scroll to the start of the text."""
        if self.is_text_focused:
            self._view.panes.text_pane.scroll_lines(-ALL_ROWS)
        else:
            self._view.state.viewport.select(0)
        self._view.redraw()

    def go_to_last(self) -> None:
        """Select the last row, or scroll to the end of the text."""
        if self.is_text_focused:
            self._view.panes.text_pane.scroll_lines(ALL_ROWS)
        else:
            self._view.state.viewport.select(ALL_ROWS)
        self._view.redraw()

    def go_to_row(self, row: int) -> None:
        """Select a row; one that is not in view moves to a third of the screen's height."""
        viewport = self._view.state.viewport
        last, _ = viewport.heights.place_in_view(viewport.tree, viewport.top, viewport.height - 1)
        is_in_view = viewport.top <= row <= last
        viewport.select(row)
        if not is_in_view:
            viewport.select_at(row, viewport.height // 3)
        self._view.redraw()

    def fold(self, folded: bool) -> None:
        """Fold or unfold a branch or chain; on the waiting screen, choose a client."""
        if self._view.state.viewport.session is None:
            self._choose_client(-1 if folded else 1)
        elif not self._view.state.is_reading:
            self._view.state.viewport.fold(folded=folded)
        self._view.redraw()

    def fold_all(self) -> None:
        """Fold every branch and chain."""
        if self._can_fold():
            self._view.state.viewport.fold_all()
        self._view.redraw()

    def unfold_all(self) -> None:
        """Unfold every branch and chain."""
        if self._can_fold():
            self._view.state.viewport.unfold_all()
        self._view.redraw()

    def _can_fold(self) -> bool:
        """Return whether something could fold; if not, say why."""
        state = self._view.state
        if state.viewport.session is None or state.is_reading:
            return False
        if state.viewport.foldable is None:
            state.status_message = (
                "nothing folds in a timeline" if state.viewport.is_timeline else "first show all rows: Esc"
            )
        return state.viewport.foldable is not None

    def jump_to_revision(self) -> None:
        """Select the selected thought's target, or else its reviser."""
        if self._view.state.viewport.session is not None and not self._view.state.viewport.jump_to_revision():
            self._view.state.status_message = "not revised"
        self._view.redraw()

    def toggle_timeline(self) -> None:
        """Switch between tree and timeline."""
        if self._view.state.search.active_filter is not None:
            self._view.state.status_message = "first show all rows: Esc"
            self._view.redraw()
            return
        viewport = self._view.state.viewport
        if viewport.prepare_other_view(THOUGHTS_PER_SLICE) < 1:
            toggle = partial(self._toggle_timeline_in_slices, viewport)
            run_task(self._view, toggle, "the other view", group="rows", exclusive=True)
        else:
            viewport.toggle_timeline()
        self._view.redraw()

    async def _toggle_timeline_in_slices(self, viewport: Viewport) -> None:
        """Build the other view in slices, then switch to it; keys stay responsive."""
        now = self._view.settings.monotonic
        progress_drawn_at = now() + PROGRESS_AFTER_SECONDS - PROGRESS_SECONDS
        while (share := viewport.prepare_other_view(THOUGHTS_PER_SLICE)) < 1:
            if now() - progress_drawn_at > PROGRESS_SECONDS:
                progress_drawn_at = now()
                name = "tree" if viewport.is_timeline else "timeline"
                self._view.state.status_message = f"{name} {self._view.settings.signs.ellipsis} {round(100 * share)} %"
                self._view.redraw()
            await asyncio.sleep(YIELD_SECONDS)
            if viewport is not self._view.state.viewport:
                return
        self._view.state.status_message = ""
        viewport.toggle_timeline()
        self._view.redraw()

    def toggle_diff(self) -> None:
        """Switch between the diff of a revision, or of what it revises, and the texts."""
        self._view.state.is_diff = not self._view.state.is_diff
        if not self._view.state.has_diff:
            self._view.state.is_diff, self._view.state.status_message = False, "not revised"
        self._view.redraw()

    def toggle_raw(self) -> None:
        """Switch between raw and rendered text."""
        self._view.state.is_raw = not self._view.state.is_raw
        self._view.state.status_message = "raw text" if self._view.state.is_raw else "rendered"
        self._view.redraw()

    def enter(self) -> None:
        """Switch to reading with the text in the full screen; on the waiting screen of this machine, start the demo."""
        viewport = self._view.state.viewport
        if viewport.session is not None:
            has_text = viewport.thought != NONE or viewport.aside != NONE
            self._view.state.is_reading = has_text and not self._view.state.is_reading
            self._view.redraw()
            return
        settings = self._view.settings
        if settings.demo is None and settings.catalog.is_list and not settings.catalog.is_remote:
            self._view.host.exit("demo")

    def switch_pane(self) -> None:
        """Switch movement keys between tree and text."""
        if self._view.panes.has_text_pane:
            self._view.state.is_text_active = not self._view.state.is_text_active
            self._view.redraw()

    def close(self, quits: bool) -> None:
        """Close the diff, else the text, else search or filter, else go back to the wall; or quit if ``quits``."""
        if self._view.state.is_diff and self._view.state.has_diff:
            self._view.state.is_diff = False
        elif self.is_text_focused:
            self._view.state.is_reading = self._view.state.is_text_active = False
        elif not self._find.clear() and not self._come_back() and quits:
            self._view.host.exit()
        self._view.redraw()

    # With the mouse

    def click_line(self, line: int, *, is_double: bool) -> None:
        """Select the row in a line of the tree; fold or unfold a heading, and read a thought on a double click."""
        view_state, viewport = self._view.state, self._view.state.viewport
        number, _ = viewport.heights.place_in_view(viewport.tree, viewport.top, line)
        if number >= viewport.tree.count:
            return
        viewport.select(number)
        view_state.is_text_active = False
        row = view_state.viewport.tree.row(view_state.viewport.selected)
        if row.kind in {RowKind.BRANCH, RowKind.CHAIN}:
            view_state.viewport.toggle()
        else:
            view_state.is_reading = is_double
        self._view.redraw()

    def scroll(self, lines: int) -> None:
        """Scroll the tree."""
        self._view.state.viewport.scroll(lines)
        self._view.redraw()
