"""The sessions of a fleet: listed by a thread of its own, filled and followed where they are shown.

Nothing here waits for the engine but `look`, `send`, a search, and what reads the lines of a session.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from typing_extensions import override

from seqthink.chain.attention import STUCK_SECONDS, StuckReason
from seqthink.chain.session import Session
from seqthink.core.background import keep_running_sync
from seqthink.core.errors import SeqthinkError
from seqthink.core.events import WriterState
from seqthink.core.labels import NO_LABELS, SessionLabels, labels_of_text
from seqthink.core.text import SafeText, one_line, sanitize
from seqthink.drawing.describe.session import ListedSession, cleaned_place
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile
from seqthink.library.places.fleet_mailbox import FleetMailbox
from seqthink.library.places.mailbox import Mailbox
from seqthink.library.places.note_obstacles import fleet_obstacle
from seqthink.library.places.place import Place, PlacedSession, PlaceReport, SearchFilter
from seqthink.sources.fleet.failures import EngineRefusedError
from seqthink.sources.fleet.mirror.folder import FleetFolder

if TYPE_CHECKING:
    from seqthink.chain.query import Query

LISTING = "listing the fleet"
"""The name of the background task."""
FIRST_LISTED, MAX_LISTED = 200, 10_000
"""How many sessions, the newest, are listed first of all, and then."""
RELIST_SECONDS, RETRY_SECONDS = 10.0, 0.5
"""The pause before the whole list is looked at again, without news; and while the engine is not there."""
MAX_SUMMARY_BYTES = 32 << 20
"""How much of a session is fetched for a search or for statistics."""
MAX_LISTING_SECONDS = 0.4
"""How long a look waits for the list, which the thread goes on to make."""
MAX_ON_WALL = 64
"""Sessions on the wall: first those that need somebody, then those that moved last."""
HINT_SECONDS, HINT_PAUSE_SECONDS = 0.5, 0.25
"""How often listeners get a hint that time has passed, and the shortest time between two announced changes."""


class FleetPlace(Place):
    """The sessions of a fleet. Any thread may call it.

    Args:
        folder: its sessions as files; its maker closes it.
        place: where the engine is, for people; "" if that is not known.
        clean: takes secrets out of what the machines say of their sessions; None to show it as it is.
    """

    is_remote = True
    announces = False

    def __init__(self, folder: FleetFolder, place: str = "", clean: Callable[[str], str] | None = None) -> None:
        self.folder = folder
        """Its sessions as files."""
        self._clean = clean
        self._name = one_line(place)
        self._was_reached = False
        self._version = 0
        self._refusal: EngineRefusedError | None = None
        self._lock = threading.Lock()
        self._is_listed, self._is_due, self._is_closed = threading.Event(), threading.Event(), False
        self._listeners: list[Callable[[], None]] = []
        self._from: list[SessionFile] = []
        self._listed: list[SessionFile] = []
        self._keyed: dict[Path, tuple[SessionFile, SessionFile]] = {}
        self._shown: Counter[Path] = Counter()
        self._mailboxes: dict[Path, FleetMailbox] = {}
        self._on_wall: frozenset[Path] = frozenset()
        self._followed: frozenset[Path] = frozenset()
        self._thread: threading.Thread | None = None

    # The list

    @property
    @override
    def name(self) -> SafeText:
        return self._name

    def start(self) -> None:
        """Begin to list. Calling it again does nothing."""
        with self._lock:
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="fleet list", daemon=True)
                self._thread.start()

    @override
    def look(self, seconds: float) -> bool:
        self.start()
        self._is_listed.wait(seconds)
        if self._refusal is not None and not self._was_reached:
            raise self._refusal
        return True

    @override
    def refresh(self, *, everywhere: bool = True) -> None:
        self.look(MAX_LISTING_SECONDS)

    @override
    def close(self) -> None:
        """End the thread. Calling it again does nothing."""
        self._is_closed = True
        self._is_due.set()
        self._is_listed.set()

    def _run(self) -> None:
        self.folder.on_change(self._note_change)
        keep_running_sync(
            self._keep_listing, LISTING, self._report, wait=self._is_due.wait, is_over=lambda: self._is_closed
        )

    def _report(self, name: str, text: str) -> None:
        self._is_listed.set()
        if self.folder.tasks.report(name, text):
            self._announce()

    def _keep_listing(self) -> None:
        limit = FIRST_LISTED
        while not self._is_closed:
            self._is_due.clear()
            trouble = self.folder.trouble
            try:
                self.folder.refresh(limit)
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
            is_there = self.folder.trouble is None
            if is_there:
                self._was_reached, self._refusal = True, None
            self._is_listed.set()
            if is_there != (trouble is None) or self.folder.listed is not self._from:
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
        self._version += 1
        for notify in tuple(self._listeners):
            notify()

    @property
    @override
    def version(self) -> int:
        return self._version

    @override
    async def hints(self) -> AsyncGenerator[bool, None]:
        """Yield True when sessions have moved, and False when half a second has passed, as `follow_folder` does."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def notify() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(news.set)

        self._listeners.append(notify)
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
            self._listeners.remove(notify)

    @override
    def sessions(self) -> list[SessionFile]:
        """Return the sessions; their ids are ``ORIGIN/SESSION``, since two machines may have the same session."""
        found = self.folder.listed
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
    @override
    def report(self) -> PlaceReport:
        return _FleetReport(self.folder, was_reached=self._was_reached)

    # One session

    @override
    def holds(self, path: Path) -> bool:
        return self.folder.name_of(path) is not None

    @override
    def session(self, path: Path | None) -> PlacedSession:
        return _FleetSession(self, path)

    def key_of(self, path: Path) -> str:
        """Return what a session is remembered by: its origin and its id."""
        name = self.folder.name_of(path)
        return "/".join(name) if name is not None else path.stem

    def cleaned(self, text: str) -> str:
        """Return what a machine says about a session, without secrets if they are taken out."""
        return self._clean(text) if self._clean is not None else text

    def mailbox(self, path: Path, decode: LineDecoder) -> FleetMailbox:
        """Return what takes notes to a session's agent: the same each time, since it knows what was sent."""
        return self._mailboxes.setdefault(path, FleetMailbox(self.folder, path, decode))

    def refusal_of(self, path: Path) -> str:
        """Return why the engine refused the last note to a session's agent, in words; empty if it did not."""
        mailbox = self._mailboxes.get(path)
        return mailbox.refusal if mailbox is not None else ""

    def follow(self, path: Path) -> None:
        """Keep a session's file up to date, once more."""
        with self._lock:
            self._shown[path] += 1
            self._follow()

    def unfollow(self, path: Path) -> None:
        """Undo one `follow`."""
        with self._lock:
            self._shown[path] -= 1
            self._follow()

    @override
    def on_wall(self, files: list[SessionFile]) -> list[SessionFile]:
        def rank(file: SessionFile) -> tuple[bool, float]:
            summary = self.session(file.path).summary()
            return summary is None or not summary.standing.needs_person, -file.last.timestamp()

        first = sorted(files, key=rank)[:MAX_ON_WALL]
        with self._lock:
            self._on_wall = frozenset(file.path for file in first)
            self._follow()
        return first

    def _follow(self) -> None:
        wanted = self._on_wall.union(+self._shown)
        for path in self._followed - wanted:
            self.folder.unfollow(path)
        for path in wanted - self._followed:
            self.folder.follow(path)
        self._followed = wanted

    @override
    def search_filter(self, query: "Query", since: int | None) -> SearchFilter:
        def prepare(file: SessionFile) -> bool:
            self.folder.fill(file.path, MAX_SUMMARY_BYTES)
            return file.path.is_file()

        return prepare


class _FleetReport(PlaceReport):
    def __init__(self, folder: FleetFolder, *, was_reached: bool) -> None:
        self._folder, self._was_reached = folder, was_reached

    @property
    @override
    def was_reached(self) -> bool:
        return self._was_reached

    @override
    def trouble(self, zone: tzinfo) -> str:
        """Return that the engine is not there, and since when: ``engine lost since 12:31``.

        With an engine that is there, return what else is wrong with asking it.
        """
        trouble = self._folder.trouble
        if trouble is None:
            return one_line(self._folder.tasks.text)
        since = datetime.fromtimestamp(trouble.since / 1_000_000, zone)
        return f"{'engine lost' if self._was_reached else 'no engine'} since {since:%H:%M}"

    @property
    @override
    def is_reached(self) -> bool:
        return self._folder.trouble is None

    @property
    @override
    def waiting_sentence(self) -> str:
        trouble = self._folder.trouble
        if trouble is not None:
            reason = one_line(trouble.sentence).rstrip(".")
            return f"Waiting for the fleet's engine: {reason}. What it has shows up here as soon as it is there."
        return "No sessions in the fleet yet. `seqthink ship` on a machine sends those of its agents."


class _FleetSession(PlacedSession):
    """A session of a fleet: what is known of it is on its card, and its lines are fetched."""

    task = "fetching the session"

    def __init__(self, place: FleetPlace, path: Path | None) -> None:
        super().__init__(path)
        self._place = place
        self._folder = place.folder

    @property
    @override
    def key(self) -> str:
        return self._place.key_of(self.path)

    @property
    @override
    def name(self) -> SafeText:
        summary = self._folder.summary_of(self.path)
        return one_line(self._place.cleaned(summary.name) if summary is not None else self.path.stem)

    @property
    @override
    def machine(self) -> SafeText:
        return one_line(self._folder.host_of(self.path))

    @property
    @override
    def is_there(self) -> bool:
        return self._place.holds(self.path)

    @override
    def is_live(self, file: SessionFile, now: int) -> bool:
        """Return whether its server runs, as far as its machine's heartbeats say."""
        return self._folder.writer_state(self.path) is WriterState.ALIVE

    # Its lines

    @property
    @override
    def awaited_bytes(self) -> int:
        return max(1, self._bytes)

    @property
    def _bytes(self) -> int:
        card = self._folder.card_of(self.path)
        return card.bytes if card is not None else 0

    @override
    def read_whole(self) -> None:
        self._folder.fill(self.path, MAX_SUMMARY_BYTES)

    @override
    async def follow(
        self,
        reached_end: Callable[[], None],
        note_trouble: Callable[[str], None],
    ) -> None:
        try:
            # before it is followed: two that fetch the same lines keep each other waiting
            await asyncio.to_thread(self._folder.fill, self.path)
        except (OSError, SeqthinkError) as error:
            note_trouble(one_line(f"cannot be fetched: {error}"))
        reached_end()
        self._place.follow(self.path)
        try:
            await asyncio.Event().wait()
        finally:
            self._place.unfollow(self.path)

    # Its card

    @override
    def summary(self, stuck_seconds: int = STUCK_SECONDS) -> ListedSession | None:
        summary = self._folder.summary_of(self.path, stuck_seconds)
        if summary is None:
            return None
        clean = self._place.cleaned
        return replace(
            summary,
            session=self.key,
            host=self.machine,
            name=one_line(clean(summary.name)),
            title=one_line(clean(summary.title)),
            newest=SafeText(sanitize(clean(summary.newest))),
            place=cleaned_place(summary.place, clean),
            standing=summary.standing._replace(question=clean(summary.standing.question)),
        )

    @property
    @override
    def received_labels(self) -> SessionLabels:
        card = self._folder.card_of(self.path)
        return labels_of_text(card.labels) if card is not None else NO_LABELS

    @property
    @override
    def facts(self) -> object:
        return id(self._folder.card_of(self.path)), self._folder.writer_state(self.path)

    @override
    def last_seen(self, changed: int, now: int) -> int:
        summary = self._folder.summary_of(self.path)
        return changed if summary is None or summary.standing.reason is StuckReason.SILENT else max(changed, now)

    @property
    @override
    def remark(self) -> str:
        folder, path = self._folder, self.path
        problem, first = folder.problem_of(path), folder.first_kept(path)
        if problem:
            return f"not shown to its end: {one_line(problem)}"
        if first > 1:
            return "line 1 is no longer kept" if first == 2 else f"lines 1–{first - 1:,} are no longer kept"
        return "some lines between are missing" if folder.has_holes(path) else ""

    # Notes to its agent

    @override
    def mailbox(self, decode: LineDecoder) -> Mailbox:
        return self._place.mailbox(self.path, decode)

    @override
    def note_obstacle(self, session: Session, host: str, zone: tzinfo) -> str:
        card = self._folder.card_of(self.path)
        return fleet_obstacle(
            session,
            trouble=self._place.report.trouble(zone),
            takes_notes=card is not None and bool(card.notes),
            refusal=self._place.refusal_of(self.path),
        )
