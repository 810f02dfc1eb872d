"""Which session is on the screen: the one to begin with, a newer one, or the one that the user chose."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import aclosing, suppress
from functools import partial
from pathlib import Path
from time import thread_time

from seqthink.chain.attention import Standing, attention_of, last_activity
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe.status import standing_status
from seqthink.library.catalog.folder_hints import FolderHints
from tui.session_view.loader import Loader
from tui.session_view.read_marking import ReadMarking
from tui.session_view.sharing import Sharing
from tui.session_view.view import View, report, run_task
from tui.sessions import session_choice
from tui.sessions.picked_sessions import PickedSessions
from tui.sessions.session_choice import OtherSession
from tui.settings import NamedSession
from tui.state.next_session import SessionNeed, next_session

FOLLOWING_FOLDER, LISTING, FINDING = "watching the folder", "listing the sessions", "finding the session"
"""The names of the background tasks."""
LOOK_SECONDS = 0.25
"""The shortest pause between two looks at a folder that changes."""


class EndNotice:
    """Tracks whether the end of a session is unread: it ended while the viewer ran, and no key was pressed since.

    The end of a session that was over before the viewer started (``is_old``) counts as read.
    """

    def __init__(self, *, is_old: bool = False) -> None:
        self.has_ended = is_old
        self.is_unread = False

    def update(self, state: State) -> bool:
        """Update to the session's state; return whether it just ended or resumed."""
        before, self.has_ended = self.has_ended, Standing(attention_of(state)).is_over
        if before != self.has_ended:
            self.is_unread = self.has_ended
        return before != self.has_ended

    def acknowledge(self) -> None:
        """Mark the end as read: the user is present."""
        self.is_unread = False


class SessionSwitcher:
    """Chooses the session to show, and watches the folder for others.

    Args:
        view: the session screen.
        loader: shows a journal.
        sharing: exports a session from the list.
        reading: remembers what the user has seen.
        hints: says when journals may have changed.
        fail: ends the viewer with an error.
        picked: the sessions that are picked in the list.
        compare: compares two sessions of the list.
    """

    def __init__(
        self,
        view: View,
        *,
        loader: Loader,
        sharing: Sharing,
        reading: ReadMarking,
        hints: FolderHints,
        fail: Callable[[Exception], None],
        picked: PickedSessions,
        compare: Callable[[Path, Path], None],
    ) -> None:
        self._view = view
        self._loader = loader
        self._sharing = sharing
        self._reading = reading
        self._hints = hints
        self._fail = fail
        self._picked = picked
        self._compare = compare
        self.end_notice = EndNotice()
        self._is_watching_folder = False
        self._is_session_chosen = self._is_guess = False
        self._other_path: Path | None = None
        self._previous_session = ""

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"sessions": self.open_list, "next_session": self.go_to_next}

    # The user's choice

    def open_list(self) -> None:
        """Open the list of sessions, with the announced or the previous session selected."""
        view = self._view
        if not view.settings.catalog.is_list:
            view.show_status_message("a piped journal is the only session here")
            return
        from tui.screens.sessions import SessionsScreen  # noqa: PLC0415 - loaded when it is opened

        self._reading.write_now()
        view.host.push_screen(
            SessionsScreen(
                view.settings,
                view.state.folder.announced_id or self._previous_session,
                self._sharing.copy_text,
                self._sharing.export_journal,
                self._picked,
                self._compare,
                shown=view.state.feed.path,
            ),
            lambda path: self.choose(path) if path is not None else None,
        )

    def choose(self, path: Path) -> None:
        """Show the session that the user chose; newer ones no longer replace it automatically."""
        self._is_session_chosen = True
        if path != self._view.state.feed.path:
            self._open(path)
        self._reading.open(path)
        self._view.host.call_later(self._view.come_to_front)

    def go_to_next(self) -> bool:
        """Show the next session that needs the user, else the next unread one, else the other one that is named.

        Return whether there is one.
        """
        need = self._next_need
        path = Path(need.key) if need is not None else self._other_path if self.end_notice.has_ended else None
        if path is not None:
            self.choose(path)
        else:
            self._view.announce("no other session needs you, and none is unread")
        return path is not None

    @property
    def _next_need(self) -> SessionNeed | None:
        path = self._view.state.feed.path
        needs = self._view.state.folder.needs
        found = next_session(needs, str(path) if path is not None else None)
        return next_session(needs, None) if found is None and not self._view.is_active else found

    def open_named(self, named: NamedSession) -> None:
        """Show the session of another program that the user named, as soon as it has been found."""
        self._is_session_chosen = True
        self._run(partial(self._open_named, named), FINDING, "named")

    async def _open_named(self, named: NamedSession) -> None:
        sentences: list[str] = []
        try:
            path = await asyncio.to_thread(named.open, sentences.append)
        except (OSError, SeqthinkError) as error:
            self._fail(error)
            return
        if self._view.state.feed.path is None:  # nobody chose another one meanwhile
            self._open(path)
            self._reading.open(path)
            for sentence in sentences:
                self._view.show_status_message(one_line(sentence))

    def follow_library(self) -> None:
        """Look for transcripts though no session is to be chosen: a file may move, and journals may belong to it."""
        self._run(self._follow_transcripts, LISTING, "transcripts")

    # The folder

    def watch_folder(self) -> bool:
        """Show the most relevant session of the folder, and look again whenever the folder changes.

        Return False if that is one of those which the last viewer knew: `follow_library` is to look for others, as soon
        as its rows are drawn.
        """
        # before the first frame, which otherwise would be blank for a moment
        settings = self._view.settings
        try:
            is_through = settings.catalog.look()
            self._view.state.folder.last_session = session_choice.last_session_text(settings.catalog, settings.clock())
            self._choose_session()
        except UsageError as error:
            self._fail(error)
            return True
        if left_out := "; ".join(settings.catalog.left_out_of_programs):
            self._view.show_status_message(one_line(left_out))
        self.end_notice = EndNotice(is_old=True)
        self._is_watching_folder = settings.demo is None
        self._run(self._follow_folder, FOLLOWING_FOLDER, "folder")
        if settings.catalog.announces or not self._is_watching_folder:
            return True
        self._is_guess = not is_through and self._view.state.feed.path is not None
        if not self._is_guess:
            self.follow_library()
        return not self._is_guess

    def _run(self, work: Callable[[], Coroutine[None, None, None]], name: str, group: str) -> None:
        run_task(self._view, work, name, group=group, exclusive=True, has_retries=True)

    async def _follow_folder(self) -> None:
        async with aclosing(self._hints.stream()) as hints:
            async for announced in hints:
                if announced or self._view.state.feed.path is None:
                    before = thread_time()
                    self._choose_session()
                    report(self._view, FOLLOWING_FOLDER, "")
                    # Checking thousands of files may take at most a tenth of the time.
                    await asyncio.sleep(max(LOOK_SECONDS, 10 * (thread_time() - before)))

    async def _follow_transcripts(self) -> None:
        """Look for new and changed transcripts, soon after there seem to be some and now and then in any case."""
        is_first = True
        while True:
            try:
                took = await asyncio.to_thread(self._refresh_catalog)
            except UsageError as error:
                if not self._view.settings.catalog.is_remote:
                    raise
                self._fail(error)  # its engine refuses this user, and has from the start
                return
            if self._is_guess:
                self._correct_guess()
            if self._is_watching_folder:
                self._choose_session()
            report(self._view, LISTING, "")
            if is_first:
                self._loader.settle_memory()
                is_first = False
            await self._until_places_change(took)

    def _refresh_catalog(self) -> float:
        """Look for transcripts; return how long this thread worked for it: waiting for its turn is not work."""
        before = thread_time()
        self._view.settings.catalog.refresh(everywhere=False)
        return thread_time() - before

    async def _until_places_change(self, took: float) -> None:
        """Wait until one of the places should be looked at; the last look at all took ``took`` seconds of work."""
        first, *others = [place for place in self._view.settings.catalog.places if not place.announces]
        waiting = [asyncio.create_task(place.until_changed(took)) for place in others]
        try:
            if not waiting:
                await first.until_changed(took)
                return
            waiting.append(asyncio.create_task(first.until_changed(took)))
            ended, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for one in ended:
                one.result()
        finally:
            for one in waiting:
                one.cancel()

    def _choose_session(self) -> None:
        settings = self._view.settings
        demo = settings.demo
        if self._view.state.feed.path is None:
            if settings.beginning.is_wall:
                return
            found = demo.find_journal() if demo else session_choice.session_to_show(settings.catalog, settings.clock())
            if found is not None:
                self._open(found)
            elif demo is not None and demo.error():
                self._view.host.exit()
        elif demo is None:
            self._check_for_newer()

    def _correct_guess(self) -> None:
        """Show the session that would have been shown at first if all had been listed."""
        settings, self._is_guess = self._view.settings, False
        found = session_choice.session_to_show(settings.catalog, settings.clock())
        if found is not None and found != self._view.state.feed.path and self._may_switch:
            self._open(found)

    def check_for_newer(self) -> None:
        """Switch to a newer session if the user does nothing with the current one; otherwise announce it."""
        with suppress(UsageError):  # the folder cannot be read now: who watches it says so
            self._check_for_newer()

    def _check_for_newer(self) -> None:
        view_state, settings = self._view.state, self._view.settings
        current = view_state.feed.path
        if current is None:
            return
        instead = settings.catalog.shown_instead(current)
        if instead is not None:
            self._open(instead)
            return
        newest = session_choice.newer_session(current, settings.catalog, settings.clock())
        if newest is not None and self._may_switch:
            self._open(newest)
            return
        if newest is not None:
            view_state.folder.newer_session = session_choice.session_name_of(newest, settings.catalog)
            self._other_path = newest
        elif self.end_notice.has_ended:
            live = session_choice.other_live_sessions(current, settings.catalog, settings.clock())
            view_state.folder.newer_session, self._other_path = "", next(iter(live), None)
        view_state.folder.announced_id = self._key(self._other_path) if self._other_path is not None else ""
        self._update_other_session()

    def tick(self) -> None:
        """Call once a second: the current session may be quiet by now, or its end read."""
        view_state = self._view.state
        if view_state.folder.newer_session and self._may_switch:
            self.check_for_newer()
        elif self.end_notice.has_ended and self._is_watching_folder:
            self._update_other_session()

    def notice_end(self) -> None:
        """Look for other sessions when the current one has just ended or resumed."""
        has_changed = self.end_notice.update(self._view.state.feed.session.state)
        if has_changed and self._is_watching_folder:
            self.check_for_newer()

    def _open(self, path: Path) -> None:
        view_state = self._view.state
        if view_state.feed.path is not None:
            self._previous_session = self._key(view_state.feed.path)
        view_state.folder.newer_session = view_state.folder.announced_id = ""
        view_state.folder.other_session = self._other_path = None
        self.end_notice = EndNotice()
        self._loader.open(path)

    def _key(self, path: Path) -> str:
        return self._view.settings.catalog.session(path).key

    def _update_other_session(self) -> None:
        """Show the state of another session once the current one has ended."""
        view_state, before = self._view.state, self._view.state.folder.other_session
        view_state.folder.other_session = self._read_other_session() if self.end_notice.has_ended else None
        if view_state.folder.other_session != before:
            self._view.redraw()

    def _read_other_session(self) -> OtherSession | None:
        """Return the session to which `go_to_next` goes."""
        settings, need = self._view.settings, self._next_need
        if need is not None:
            status = standing_status(need.standing, settings.signs, settings.clock(), settings.stale)
            return OtherSession(SafeText(need.name), status)
        return session_choice.read_other_session(self._other_path, settings) if self._other_path is not None else None

    @property
    def _may_switch(self) -> bool:
        """Whether the viewer may switch sessions by itself: the user follows, and no end is unread."""
        view_state = self._view.state
        session = view_state.viewport.session
        if self._is_unread_end:
            return False
        if self._is_session_chosen or self.end_notice.is_unread or (session is not None and self._is_thinking(session)):
            return False
        is_reading = view_state.is_reading or view_state.is_text_active or view_state.has_input
        has_screen_open = not self._view.is_active
        has_moved = not view_state.viewport.is_following
        return not (has_moved or view_state.is_past or is_reading or has_screen_open)

    @property
    def _is_unread_end(self) -> bool:
        """Whether the session on the screen has ended and its end is unread, in other viewers, too."""
        view_state = self._view.state
        path = str(view_state.feed.path)
        return self.end_notice.has_ended and any(
            need.key == path and need.is_unread for need in view_state.folder.needs
        )

    def _is_thinking(self, session: Session) -> bool:
        """Whether a session is thinking. One that has been quiet for the stale time may have been abandoned."""
        quiet = self._view.settings.clock() - last_activity(session)
        return session.state is State.THINKING and quiet <= self._view.settings.stale * 1_000_000
