"""What the controllers of the session screen may ask of it, and how they run what goes on in the background."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Protocol

from textual.app import App
from textual.geometry import Size

from seqthink.core.background import keep_running
from seqthink.library.catalog.journal_feed import JournalFeed
from tui.session_view.session_panes import SessionPanes
from tui.session_view.view_state import ViewState
from tui.settings import Settings


class View(Protocol):
    """The session screen, as its controllers see it."""

    @property
    def host(self) -> App[str]:
        """The app: opens other screens, has the clipboard and the terminal, and ends."""
        ...

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

    def come_to_front(self) -> None:
        """Close the wall, if it is above."""
        ...

    def announce(self, message: str) -> None:
        """Show a status message on the visible screen."""
        ...

    async def run_action(self, action: str) -> None:
        """Run a Textual action of the screen."""
        ...

    def set_timer(self, delay: float, callback: Callable[[], None]) -> "Stoppable":
        """Call back after ``delay`` seconds."""
        ...

    def run_worker(
        self, work: Callable[[], Coroutine[None, None, None]], *, group: str, exclusive: bool = False
    ) -> object:
        """Run a coroutine function in the background, for `run_task`; an exclusive one replaces others of its group."""
        ...


class Stoppable(Protocol):
    """A timer."""

    def stop(self) -> None:
        """Do not call back."""
        ...


def run_task(
    view: View,
    work: Callable[[], Coroutine[None, None, None]],
    name: str,
    *,
    group: str,
    exclusive: bool = False,
    has_retries: bool = False,
    feed: JournalFeed | None = None,
) -> None:
    """Run a coroutine function in the background; an exclusive one replaces others of its group.

    When it fails, the screen says so by its name (`seqthink.core.background`): as trouble of the session if it
    reads the ``feed`` for it. With ``has_retries`` it is run again after a failure that may pass.
    """
    say = partial(report, view) if feed is None else partial(_report_of_feed, view, feed)
    view.run_worker(partial(keep_running, work, name, say, has_retries=has_retries), group=group, exclusive=exclusive)


def report(view: View, name: str, text: str) -> None:
    """Note what is wrong with a background task, "" once it works again, and show that."""
    if not view.state.troubles.report(name, text):
        return
    if text:
        view.redraw()
    else:
        view.announce(f"{name}: works again")


def _report_of_feed(view: View, feed: JournalFeed, name: str, text: str) -> None:
    if feed.report(name, text) and feed is view.state.feed:
        view.redraw()
