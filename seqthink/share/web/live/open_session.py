"""One open session: followed and folded once, however many read it.

Whatever touches the fold or its trees runs in a worker thread, one piece of work of a session at a time. So the event
loop only waits, and a long journal is opened in slices between which readers have their turn.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TypeVar

import anyio.to_thread

from seqthink.chain.attention import last_activity, standing_of
from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.session import Session
from seqthink.core.background import Troubles, keep_running
from seqthink.core.events import WriterState
from seqthink.core.text import one_line
from seqthink.drawing.describe.now_line import Present, present_of
from seqthink.journal.change_hints import ChangeHints
from seqthink.journal.follow import file_subject
from seqthink.journal.reader import Batch, JournalReader
from seqthink.library.catalog.journal_feed import READING, JournalFeed
from seqthink.library.catalog.labelled import labels_of
from seqthink.share.export.html_shapes import RowDrawer
from seqthink.share.web.live.hints import HintReaders
from seqthink.share.web.live.session_rows import SessionRows
from seqthink.share.web.settings import WebSettings

# It takes time to load, and a page may show journals alone.

SLICE_BYTES = 256 << 10
"""Bytes that are read and folded at a time: a few milliseconds, after which readers have their turn."""
OPENING_HINT_SECONDS = 0.25
"""The shortest time between two hints while a journal opens."""
WRITER_SECONDS = 2.0
"""The pause between two looks whether the server runs, and whether a silent session counts as quiet or stuck."""
HEALTH_THOUGHTS, HEALTH_REST_SECONDS = 50, 0.02
"""How many thoughts are looked at for oddities at a time, and the rest after that."""
MAX_ANSWERS, MAX_ANSWER_BYTES = 256, 8 << 20
"""Bounds on answers that are kept because several readers ask the same."""

CHANGED, RESTARTED, GONE = "changed", "restarted", "gone"
"""What readers receive."""

_Result = TypeVar("_Result")


class News(NamedTuple):
    """What readers receive about a session."""

    entries: int = 0
    thoughts: int = 0
    newest: int = 0
    """``seq`` of the newest thought, or 0."""
    state: str = ""
    doing: str = ""
    """What its agent does now; empty if it is not live."""


class SessionMoment(NamedTuple):
    """A session in one of its forms at one of its positions."""

    rows: SessionRows
    whole: Session
    shown: Session
    at: int
    """How many lines of the journal are shown."""
    is_shown: Shown
    """What of a transcript has rows."""

    @property
    def is_present(self) -> bool:
        """Whether all is shown that there is."""
        return self.shown.entry_count == self.whole.entry_count


class OpenSession:
    """A session that somebody reads.

    Args:
        key: what it is called in addresses.
        path: its journal.
        settings: how it is shown.
    """

    def __init__(self, key: str, path: Path, settings: WebSettings) -> None:
        self.key = key
        self.path = path
        self.listeners = HintReaders()
        """The readers that get news."""
        self.drawer = RowDrawer()
        """Draws its rows."""
        self.version = 0
        """Grows with whatever changes."""
        self.news = News()
        """What has been read."""
        self.has_ended = False
        """Whether it is not followed any more."""
        self._settings = settings
        catalog = settings.catalog
        self._placed = catalog.session(path)
        self.feed = JournalFeed(
            path, is_transcript=catalog.is_transcript(path), awaited_bytes=self._placed.awaited_bytes
        )
        """The session as it is read."""
        self._reader = JournalReader(path, settings.decode)
        self._turn = asyncio.Lock()
        self._has_begun = asyncio.Event()
        self._forms: dict[Shown, SessionRows] = {}
        self._answers: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._answer_bytes = 0
        self._fetch_trouble = ""
        self._troubles = Troubles()
        self._remarks: tuple[str, ...] = ()
        self._is_gone = False
        self._loop = asyncio.get_running_loop()
        self._notified_version = 0
        self._hinted_at = self._writer_at = self._tick_at = 0.0
        self._health_due = asyncio.Event()

    # Working

    async def work(self, function: Callable[[], _Result]) -> _Result:
        """Return what ``function`` returns, run in a worker thread when it is its turn."""
        async with self._turn:
            return await anyio.to_thread.run_sync(function)

    async def wait_begun(self) -> None:
        """Wait until the first slice has been read, or there is nothing to read."""
        await self._has_begun.wait()

    def end(self) -> None:
        """Let nobody wait any more: the session is not followed."""
        self.has_ended = True
        self._has_begun.set()
        self.listeners.notify_all(GONE)

    async def run(self) -> None:
        """Follow the session until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._keep(self._keep_up_to_date, self._placed.task, self.feed.report))
            group.create_task(self._keep(self._watch_health, "looking for oddities", self._troubles.report))
            await self._keep(self._follow, READING, self.feed.report)
            await asyncio.Event().wait()  # what was read stays on the page, which says that reading has stopped

    async def _keep(self, work: Callable[[], Awaitable[None]], name: str, note: Callable[[str, str], bool]) -> None:
        def report(name: str, text: str) -> None:
            self._has_begun.set()
            if note(name, text):
                self.version += 1
                self._notify(CHANGED)

        await keep_running(work, name, report)

    async def _keep_up_to_date(self) -> None:
        """Keep the journal up to date where somebody has to: it is translated, or fetched."""
        await self._placed.follow(self._end_waiting, self._note_trouble)

    def _note_trouble(self, text: str) -> None:
        self._fetch_trouble = text

    def _end_waiting(self) -> None:
        """Take notice that all of the session is there."""
        if self.feed.is_awaited:
            self.feed.end_waiting()
            self.version += 1
            self._notify(CHANGED)

    # Following

    async def _follow(self) -> None:
        """Read the journal, and whatever is appended."""
        hints = ChangeHints(file_subject(self.path))
        async with aclosing(hints.stream()) as looks:
            async for announced in looks:
                hints.report_look(announced=announced, had_news=await self._look())

    async def _look(self) -> bool:
        """Read to the end of the file in slices; return whether there was news."""
        had_news = at_end = False
        while not at_end:
            batch = await self.work(self._read_slice)
            at_end, had_news = batch.at_end or bool(batch.trouble), had_news or batch.has_news
            self._has_begun.set()
            self._notify_of(batch)
            await asyncio.sleep(0)
        return had_news

    def _read_slice(self) -> Batch:
        batch = self._reader.look(SLICE_BYTES)
        if batch.restarted is not None:
            self._forms.clear()
            self._forget_answers()
        if batch.events:
            self._fetch_trouble = ""
        trouble = self.feed.trouble
        self.feed.add_batch(batch)
        if self.feed.trouble != trouble:
            self._writer_at = 0.0
            self._note_news()
        if monotonic() >= self._tick_at:
            self._tick_at = monotonic() + 1
            self.feed.tick()
        is_writer_new = False
        if batch.at_end and (batch.has_news or monotonic() >= self._writer_at):
            self._writer_at = monotonic() + WRITER_SECONDS
            is_writer_new = self.feed.update_writer_state() | self._take_labels()
            self._note_news()
        elif batch.has_news:
            self._note_news()
        remarks = self.remark, self.engine_trouble
        if batch.has_news or is_writer_new or remarks != self._remarks:
            self.version += 1
        self._remarks = remarks
        return batch

    def _take_labels(self) -> bool:
        """Take over what people say about the session; return whether that changed."""
        labels, before = labels_of(self._settings.catalog, self.path), self.feed.labels
        if labels == before:
            return False
        self.feed.labels = labels
        self._forget_answers()
        return True

    def _note_news(self) -> None:
        """Note what has been read, and the session's standing now: time alone may change that."""
        session = self.feed.session_with(self._settings.choice)
        count = session.thought_count
        newest = session.thoughts.get(count - 1).seq if count else 0
        before = self.news
        present = self.present(session)
        doing = present.doing.doing if present.doing is not None else ""
        self.news = News(session.entry_count, count, newest, present.status.word, doing)
        if (before.state, before.doing) != (self.news.state, doing):
            self.version += 1

    def _notify_of(self, batch: Batch) -> None:
        """Notify the readers of what a slice has brought."""
        if batch.restarted is not None:
            self._notify(RESTARTED)
        if batch.gone != self._is_gone:
            self._is_gone = batch.gone
            self._notify(GONE if batch.gone else CHANGED)
        is_opening = not self.feed.is_loaded and not batch.at_end
        if not is_opening or monotonic() - self._hinted_at >= OPENING_HINT_SECONDS:
            self._notify_changed()
        if batch.at_end:
            self._health_due.set()

    def _notify_changed(self) -> None:
        """Notify the readers if anything has changed since the last notice."""
        if self.version != self._notified_version:
            self._notify(CHANGED)

    def _notify(self, name: str) -> None:
        self._notified_version, self._hinted_at = self.version, monotonic()
        self.listeners.notify_all(name)

    # Health

    async def _watch_health(self) -> None:
        """Look at what is odd, a few thoughts at a time, in each form that somebody reads."""
        while True:
            await self._health_due.wait()
            self._health_due.clear()
            for form in [*self._forms.values()]:
                await self._look_at_health(form)

    async def _look_at_health(self, form: SessionRows) -> None:
        while form in self._forms.values() and form.health.is_behind(form.texts.session):
            await asyncio.sleep(HEALTH_REST_SECONDS)
            session, found = form.texts.session, form.health.finding_count
            # What it reads is its own; the health may grow while another thread asks it.
            texts = form.texts.for_thread(session)
            await anyio.to_thread.run_sync(form.health.look_on, session, texts.event, HEALTH_THOUGHTS)
            if form.health.finding_count != found:
                self.version += 1
                self._notify(CHANGED)

    # What is shown. For the thread whose turn it is.

    @property
    def remark(self) -> str:
        """Trouble or news about the file, in words; empty most of the time."""
        # a file of our own comes with its first line
        is_away = bool(self._placed.machine) and self.feed.texts is None
        trouble = (
            self.feed.trouble or self._fetch_trouble or self._troubles.text or ("" if is_away else self.feed.remark)
        )
        return one_line(trouble or self.feed.opening_text or self._placed.remark)

    @property
    def engine_trouble(self) -> str:
        """That the engine of the fleet is not there, and since when; "" while it is, and of this machine's sessions."""
        return self._settings.catalog.trouble(self._settings.zone)

    def moment(self, at: int | None, choice: Shown | None) -> SessionMoment | None:
        """Return the session after ``at`` lines, None for all there are; None while nothing has been read.

        ``choice`` says what of a transcript has rows; None: as the settings say, else by default.
        """
        texts = self.feed.texts
        if texts is None:
            return None
        choice = choice or self._settings.choice
        whole = self.feed.session_with(choice)
        is_shown = self.feed.shown_with(choice)
        form = self._forms.get(is_shown)
        if form is None:
            form = self._forms[is_shown] = SessionRows(texts.for_thread(whole))
            self._health_is_due_soon()
        form.texts.session = whole
        shown = whole
        if at is not None and at < whole.entry_count:
            shown = whole.at(at).with_writer(WriterState.ALIVE)  # how it ended was not known then
        return SessionMoment(form, whole, shown, shown.entry_count, is_shown)

    def _health_is_due_soon(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._health_due.set)

    def present(self, session: Session) -> Present:
        """Return a session's status now, and what its agent does."""
        texts, now = self.feed.texts, self._settings.clock()
        newest = self._placed.last_seen(last_activity(session), now)
        text_of = None
        if texts is not None:
            texts.session = session
            text_of = texts.row_text
        standing = standing_of(session, newest, now, self._settings.stuck_seconds, text_of)
        return present_of(session, standing, now, self._settings.stale_seconds)

    def answer(self, question: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
        """Return the answer to a question, made once however many ask; the question says all that it depends on."""
        known = self._answers.pop(question, None)
        if known is None:
            known = make()
            self._answer_bytes += len(known)
        self._answers[question] = known
        while len(self._answers) > MAX_ANSWERS or (self._answer_bytes > MAX_ANSWER_BYTES and len(self._answers) > 1):
            _, dropped = self._answers.popitem(last=False)
            self._answer_bytes -= len(dropped)
        return known

    def _forget_answers(self) -> None:
        self._answers.clear()
        self._answer_bytes = 0
