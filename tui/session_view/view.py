"""What the controllers of the session screen may ask of it, and what a text input offers to the keys."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from textual.geometry import Size
from textual.screen import Screen

from tui.session_view.session_panes import SessionPanes
from tui.session_view.view_state import ViewState
from tui.settings import Settings

Result = TypeVar("Result")


class View(Protocol):
    """The session screen, as its controllers see it."""

    @property
    def state(self) -> ViewState:
        """What the screen depends on."""
        ...

    @property
    def settings(self) -> Settings:
        """How sessions are shown; they change with the theme."""
        ...

    @property
    def panes(self) -> SessionPanes:
        """The widgets."""
        ...

    @property
    def size(self) -> Size:
        """Cells and rows of the screen."""
        ...

    @property
    def is_active(self) -> bool:
        """Whether no other screen is open above it."""
        ...

    def redraw(self) -> None:
        """Draw everything."""
        ...

    def redraw_status(self) -> None:
        """Draw the status line alone."""
        ...

    def highlight_new_rows(self, first_new: int) -> None:
        """Highlight rows of thoughts after the first ``first_new`` for a moment."""
        ...

    def show_status_message(self, message: str) -> None:
        """Show a status message on this screen."""
        ...

    def announce(self, message: str) -> None:
        """Show a status message on the visible screen."""
        ...

    # The app

    def open_screen(self, screen: Screen[Result], callback: Callable[[Result | None], None]) -> None:
        """Open a screen above this one, and call back with what was chosen there."""
        ...

    def copy(self, text: str) -> None:
        """Put a text on the clipboard."""
        ...

    def suspend(self) -> AbstractContextManager[None]:
        """Release the terminal to another program.

        Raises:
            SuspendNotSupported: there is no terminal.
        """
        ...

    def leave(self, request: str = "") -> None:
        """End the viewer; ``request`` is the next command."""
        ...

    @property
    def has_failed(self) -> bool:
        """Whether the viewer ends because of a failure or a signal."""
        ...

    def set_timer(self, delay: float, callback: Callable[[], None]) -> "Stoppable":
        """Call back after ``delay`` seconds."""
        ...

    def run_worker(
        self, work: Callable[[], Coroutine[None, None, None]], *, group: str, exclusive: bool = False
    ) -> object:
        """Run a coroutine function in the background; an exclusive one replaces others of its group."""
        ...


class Stoppable(Protocol):
    """A timer."""

    def stop(self) -> None:
        """Do not call back."""
        ...
