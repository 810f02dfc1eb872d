"""Runs what the session screen does in the background; when it fails, the screen says so and lives on."""

from collections.abc import Callable, Coroutine
from functools import partial

from seqthink.background import keep_running
from seqthink.catalog.journal_feed import JournalFeed
from tui.session_view.view import View


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

    When it fails, the screen says so by its name (`seqthink.background`): as trouble of the session if it reads the
    ``feed`` for it. With ``has_retries`` it is run again after a failure that may pass.
    """
    said = partial(report, view) if feed is None else partial(_report_of_feed, view, feed)
    view.run_worker(partial(keep_running, work, name, said, has_retries=has_retries), group=group, exclusive=exclusive)


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
