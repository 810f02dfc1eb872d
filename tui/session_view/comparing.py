"""Comparing two sessions (``D``): opens the comparison, and goes to the thought that was chosen there."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tui.session_view.session_finder import SessionFinder
from tui.session_view.view import View
from tui.state.picked_sessions import PickedSessions

if TYPE_CHECKING:
    from tui.screens.comparison import ComparedThought

HOW_TO_PICK = "pick a session in the list (s) with Space; D then compares it with this one"


class Comparing:
    """Compares two sessions.

    Args:
        view: the session screen.
        finder: goes to a thought of any session.
        picked: the sessions that were picked in the list.
    """

    def __init__(self, view: View, *, finder: SessionFinder, picked: PickedSessions) -> None:
        self._view = view
        self._finder = finder
        self._picked = picked

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"compare": self.compare_shown}

    def compare_shown(self) -> None:
        """Compare the session on the screen with the picked one, or both picked ones."""
        pair = self._picked.pair_with(self._view.state.feed.path)
        if pair is None:
            self._view.show_status_message(HOW_TO_PICK)
            return
        self.compare(*pair)

    def compare(self, left: Path, right: Path) -> None:
        """Open the comparison of two sessions."""
        from tui.screens.comparison import ComparisonScreen  # noqa: PLC0415 - loaded when it is opened

        self._view.host.push_screen(ComparisonScreen(self._view.settings, left, right), self._go_to)

    def _go_to(self, chosen: "ComparedThought | None") -> None:
        if chosen is None:
            return
        host = self._view.host
        while not self._view.is_active and len(host.screen_stack) > 1:
            host.pop_screen()
        self._finder.show(chosen.path, chosen.seq)
