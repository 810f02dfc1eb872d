"""The sessions of a fleet for the viewer: listed by a thread of its own, filled and followed where they are shown.

Nothing here waits for the engine but `fetch`, `ending`, `read_whole`, `read_head` and `send`, which threads call.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Collection
from pathlib import Path

from msgspec.structs import replace

from seqthink.background import keep_running_sync
from seqthink.chain.attention import STUCK_SECONDS, StuckReason
from seqthink.drawing.describe.session import ListedSession
from seqthink.errors import SeqthinkError
from seqthink.events import WriterState
from seqthink.fleet.failures import EngineRefusedError
from seqthink.fleet.mirror.engine_link import Trouble
from seqthink.fleet.mirror.folder import FleetFolder
from seqthink.journal.notes_file import Note
from seqthink.journal.store import SessionFile
from seqthink.text import SafeText, one_line, sanitize

LISTING = "listing the fleet"
"""The name of the background task."""
FIRST_LISTED, MAX_LISTED = 200, 10_000
"""How many sessions, the newest, are listed first of all, and then."""
RELIST_SECONDS, RETRY_SECONDS = 10.0, 0.5
"""The pause before the whole list is looked at again, without news; and while the engine is not there."""
MAX_SUMMARY_BYTES = 32 << 20
"""How much of a session is fetched for a search or for statistics."""
LONG_BYTES = 4 << 20
"""A longer session shows its end before all of it is there."""
HINT_SECONDS, HINT_PAUSE_SECONDS = 0.5, 0.25
"""How often listeners are told that time has passed, and the shortest time between two announced changes."""


class FleetLibrary:
    """The sessions of a fleet. Any thread may call it.

    Args:
        folder: its sessions as files; whoever made it closes it.
        place: where the engine is, for people; "" if that is not known.
        clean: takes secrets out of what the machines say of their sessions; None to show it as it is.
    """

    def __init__(self, folder: FleetFolder, place: str = "", clean: Callable[[str], str] | None = None) -> None:
        self._folder, self._clean = folder, clean
        self.place = one_line(place)
        """Where the engine is."""
        self.was_reached = False
        """Whether the engine has ever answered."""
        self.version = 0
        """Grows with whatever changes in the list."""
        self._refusal: EngineRefusedError | None = None
        self._lock = threading.Lock()
        self._is_listed, self._is_due, self._is_closed = threading.Event(), threading.Event(), False
        self._listeners: list[Callable[[], None]] = []
        self._from: list[SessionFile] = []
        self._listed: list[SessionFile] = []
        self._keyed: dict[Path, tuple[SessionFile, SessionFile]] = {}
        self._shown: Path | None = None
        self._fetched: Path | None = None
        self._on_board: frozenset[Path] = frozenset()
        self._followed: frozenset[Path] = frozenset()
        self._thread: threading.Thread | None = None

    # The list

    def start(self) -> None:
        """Begin to list. Calling it again does nothing."""
        with self._lock:
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="fleet list", daemon=True)
                self._thread.start()

    def wait_listed(self, seconds: float) -> None:
        """Wait until the list is there, at most so long.

        Raises:
            UsageError: the engine will not serve this user.
        """
        self.start()
        self._is_listed.wait(seconds)
        if self._refusal is not None and not self.was_reached:
            raise self._refusal

    def close(self) -> None:
        """End the thread. Calling it again does nothing."""
        self._is_closed = True
        self._is_due.set()
        self._is_listed.set()

    def _run(self) -> None:
        self._folder.on_change(self._note_change)
        keep_running_sync(
            self._keep_listing, LISTING, self._report, wait=self._is_due.wait, is_over=lambda: self._is_closed
        )

    def _report(self, name: str, text: str) -> None:
        self._is_listed.set()
        if self._folder.tasks.report(name, text):
            self._announce()

    def _keep_listing(self) -> None:
        limit = FIRST_LISTED
        while not self._is_closed:
            self._is_due.clear()
            trouble = self._folder.trouble
            try:
                self._folder.refresh(limit)
            except EngineRefusedError as error:
                self._refusal = error
                self._is_listed.set()
                self._is_due.wait(RELIST_SECONDS)
                continue
            except SeqthinkError:  # an answer that makes no sense: another one may
                self._is_listed.set()
                self._is_due.wait(RELIST_SECONDS)
                continue
            self._report(LISTING, "")
            is_there = self._folder.trouble is None
            if is_there:
                self.was_reached, self._refusal = True, None
            self._is_listed.set()
            if is_there != (trouble is None) or self._folder.listed is not self._from:
                self._announce()
            if is_there and limit < MAX_LISTED:
                limit = MAX_LISTED
                continue
            self._is_due.wait(RELIST_SECONDS if is_there else RETRY_SECONDS)

    def _note_change(self, moved: list[Path]) -> None:
        """Take notice of news; without any, the engine came or went."""
        if not moved:
            self._is_due.set()
        self._announce()

    def _announce(self) -> None:
        self.version += 1
        for tell in tuple(self._listeners):
            tell()

    async def hints(self) -> AsyncGenerator[bool, None]:
        """Yield True when sessions have moved, and False when half a second has passed, as `follow_folder` does."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def tell() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(news.set)

        self._listeners.append(tell)
        self.start()
        try:
            while True:
                try:
                    async with asyncio.timeout(HINT_SECONDS):
                        await news.wait()
                except TimeoutError:
                    yield False
                    continue
                news.clear()
                yield True
                await asyncio.sleep(HINT_PAUSE_SECONDS)
        finally:
            self._listeners.remove(tell)

    @property
    def listed(self) -> list[SessionFile]:
        """The sessions, newest first. Their ids are ``ORIGIN/SESSION``: two machines may have the same session."""
        found = self._folder.listed
        if found is not self._from:
            keyed = self._keyed
            self._keyed = {file.path: self._keyed_file(file, keyed.get(file.path)) for file in found}
            self._listed = [own for _, own in self._keyed.values()]
            self._from = found
        return self._listed

    def _keyed_file(
        self, file: SessionFile, known: tuple[SessionFile, SessionFile] | None
    ) -> tuple[SessionFile, SessionFile]:
        if known is not None and known[0] is file:
            return known
        return file, file._replace(session=self.key_of(file.path))

    @property
    def trouble(self) -> Trouble | None:
        """Why the engine is not there; None while it is."""
        return self._folder.trouble

    @property
    def task_trouble(self) -> str:
        """What is wrong with the threads that ask the engine, and does not come from it; empty most of the time."""
        return self._folder.tasks.text

    # One session

    def has(self, path: Path) -> bool:
        """Return whether a session of the fleet has its file at ``path``, be that there or not."""
        return self._folder.name_of(path) is not None

    def key_of(self, path: Path) -> str:
        """Return what a session is remembered by: its origin and its id."""
        name = self._folder.name_of(path)
        return "/".join(name) if name is not None else path.stem

    def host_of(self, path: Path) -> SafeText:
        """Return the name of the machine of a session."""
        return one_line(self._folder.host_of(path))

    def name_of(self, path: Path) -> SafeText:
        """Return the name of a session."""
        summary = self._folder.summary_of(path)
        return one_line(self._cleaned(summary.name)) if summary is not None else one_line(path.stem)

    def _cleaned(self, text: str) -> str:
        return self._clean(text) if self._clean is not None else text

    def size_of(self, path: Path) -> int:
        """Return how long a session is, in bytes, as its machine says."""
        card = self._folder.card_of(path)
        return card.bytes if card is not None else 0

    def takes_notes(self, path: Path) -> bool:
        """Return whether the machine of a session takes notes to its agents."""
        card = self._folder.card_of(path)
        return card is not None and bool(card.notes)

    def summary_of(self, path: Path, stuck_seconds: int = STUCK_SECONDS) -> ListedSession | None:
        """Return what lists show of a session, without reading its lines; None if it is not known."""
        summary = self._folder.summary_of(path, stuck_seconds)
        if summary is None:
            return None
        summary = replace(summary, session=self.key_of(path), host=self.host_of(path))
        if self._clean is None:
            return summary
        return replace(
            summary,
            name=one_line(self._clean(summary.name)),
            title=one_line(self._clean(summary.title)),
            newest=SafeText(sanitize(self._clean(summary.newest))),
            folder=one_line(self._clean(summary.folder)),
            standing=summary.standing._replace(question=self._clean(summary.standing.question)),
        )

    def facts_of(self, path: Path) -> object:
        """Return something that is the same as long as `summary_of` would say the same, but for ages."""
        return id(self._folder.card_of(path)), self._folder.writer_state(path)

    def is_live(self, path: Path) -> bool:
        """Return whether the server of a session runs, as far as its machine's heartbeats say."""
        return self._folder.writer_state(path) is WriterState.ALIVE

    def last_seen(self, path: Path, told: int, now: int) -> int:
        """Return when a session changed last, for how long it is silent: by our clock, not that of its machine.

        Args:
            path: the session's file.
            told: when it says that it did, in microseconds since 1970.
            now: the time by our clock, likewise.
        """
        summary = self._folder.summary_of(path)
        return told if summary is None or summary.standing.reason is StuckReason.SILENT else max(told, now)

    def first_kept(self, path: Path) -> int:
        """Return the number of the first line that is still kept; 1 if all are."""
        return self._folder.first_kept(path)

    def has_holes(self, path: Path) -> bool:
        """Whether lines are missing between those that are shown."""
        return self._folder.has_holes(path)

    def problem_of(self, path: Path) -> str:
        """Return why a session is not shown to its end, in words; "" if it is."""
        return self._folder.problem_of(path)

    # Its lines

    def read_head(self, path: Path) -> None:
        """Make sure that a session's file says what session it is. Raises as `read_whole` does."""
        self._folder.read_head(path)

    def read_whole(self, path: Path, max_bytes: int | None = MAX_SUMMARY_BYTES) -> bool:
        """Bring a session's file up to date, up to ``max_bytes``; return whether all of it is there.

        Raises:
            UsageError: the engine will not serve this user.
        """
        return self._folder.fill(path, max_bytes)

    def fetch(self, path: Path) -> None:
        """Bring the file of the session on the screen up to date, and keep it so. Raises as `read_whole` does."""
        with self._lock:
            self._fetched, self._shown = path, None
            self._follow()
        try:
            self._folder.fill(path)  # before it is followed: two that fetch the same lines keep each other waiting
        finally:
            with self._lock:
                if self._fetched == path:
                    self._shown = path
                    self._follow()

    def ending(self, path: Path) -> Path | None:
        """Return a file with the last lines of a long session; None of a short one. Raises as `read_whole` does."""
        return self._folder.ending(path) if self.size_of(path) >= LONG_BYTES else None

    def put_on_board(self, paths: Collection[Path]) -> None:
        """Keep the files of the sessions on the board up to date."""
        with self._lock:
            self._on_board = frozenset(paths)
            self._follow()

    def _follow(self) -> None:
        wanted = self._on_board | {self._shown} if self._shown is not None else self._on_board
        for path in self._followed - wanted:
            self._folder.unfollow(path)
        for path in wanted - self._followed:
            self._folder.follow(path)
        self._followed = wanted

    def send(self, path: Path, note: Note, by: str) -> None:
        """Send a note to a session's agent.

        Raises:
            SeqthinkError: it was not sent.
        """
        self._folder.send_note(path, note, by)
