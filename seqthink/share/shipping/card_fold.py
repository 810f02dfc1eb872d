"""What lists show of one journal: folded as it grows, and described with the words of the lists."""

from collections import OrderedDict
from functools import partial
from hashlib import blake2b
from typing import Any, Final

from msgspec.structs import asdict, replace

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.attention import MAX_ENDING_THOUGHTS, STUCK_SECONDS, last_activity, standing_of
from seqthink.chain.fold import Fold
from seqthink.chain.native.switchable_fold import SwitchableFold
from seqthink.chain.overview.work_place import work_place
from seqthink.chain.session import Session
from seqthink.chain.session_texts import title_line
from seqthink.core import system
from seqthink.core.errors import CorruptLineError
from seqthink.core.events import Event, ReasoningEvent, SessionEvent, ThoughtEvent, UnknownEvent, WriterState, text_of
from seqthink.core.labels import NO_LABELS, SessionLabels, labels_text
from seqthink.core.redaction import redact_text
from seqthink.core.text import MAX_NEWEST_CHARS, MAX_TITLE_CHARS, first_line, one_line, sanitize
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe.session import session_name, session_progress
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.reader import Batch
from seqthink.journal.scan import Scanner
from seqthink.library.live_session import LiveSession
from seqthink.library.repositories.repository import Repositories
from seqthink.library.session_client import listed_client
from seqthink.share.shipping.line_redaction import Outgoing, as_it_stands
from seqthink.sources.fleet.cards import MAX_HEAD_BYTES, Card, CardPlace, encoded_place

_MIN_FOLD_BYTES, _ENTRY_BYTES = 28 << 10, 150
"""What a fold takes, by measurement: with the first lines, and for each one."""
_CLEAN: Final = frozenset({"head", "labels"})
"""Fields that come without secrets."""
_SCAN_BYTES: Final = 256 << 10
_MAX_SECRET_CHARS: Final = 4 * MAX_NEWEST_CHARS
"""How far beyond what is shown a text is searched for secrets, so that cutting does not hide the end of one."""


class CardFold:
    """One journal, folded.

    Args:
        outgoing: what the lines are made of when they are shipped; secrets are replaced here, too, unless they go
            unchanged.
    """

    def __init__(self, outgoing: Outgoing = as_it_stands) -> None:
        self._outgoing = outgoing
        self._repositories = Repositories()
        self._scanner: Scanner | None = None
        self._live: LiveSession[Fold | SwitchableFold] | None = None
        self._head = ""
        self._started = 0
        self._digests: OrderedDict[int, str] = OrderedDict()
        self._title = ((-1, 0), "")
        self.accounted = 0
        """How much memory it takes, about, when `account` was last called."""

    def read(self, file: JournalFile, limit_bytes: int = _SCAN_BYTES) -> bool:
        """Fold in what came since the last time, at most about this many bytes; return whether that is all.

        Raises:
            OSError: the file cannot be read.
        """
        scanner = self._scanner
        if scanner is not None:
            scanner.file = file
            if scanner.restart_reason() is not None:
                self.__init__(self._outgoing)
                scanner = None
        if scanner is None:
            scanner = self._scanner = Scanner(file)
            self._read_head(file)
        found = scanner.read(limit_bytes)
        if self._live is None:
            self._live = LiveSession(partial(_fold_for, [event for event, _, _ in found.events[:1]]))
        self._live.add(Batch(found.events, found.unknown_count, found.corrupt_lines, journal=file))
        return found.at_end

    @property
    def offset(self) -> int:
        """How many bytes of the journal are folded."""
        return self._scanner.offset if self._scanner is not None else 0

    def account(self) -> int:
        """Estimate again how much memory it takes; return how much more that is."""
        before, entries = self.accounted, self._session(is_alive=True).entry_count
        self.accounted = _MIN_FOLD_BYTES + _ENTRY_BYTES * entries
        return self.accounted - before

    def has_ended(self) -> bool:
        """Whether the journal says that its server ended."""
        return self._live is not None and self._live.fold.session().end_event is not None

    def card(
        self,
        file: JournalFile,
        now: int,
        *,
        is_alive: bool,
        lines: int,
        takes_notes: bool,
        signed: bool,
        labels: SessionLabels = NO_LABELS,
    ) -> Card:
        """Return what lists show.

        Args:
            file: the journal.
            now: the time, in microseconds since 1970.
            is_alive: whether its server runs.
            lines: how many lines the journal has.
            takes_notes: whether this machine takes notes to its agents.
            signed: whether notes must be signed.
            labels: what people say about it, without secrets if these are replaced.

        Raises:
            OSError: the file cannot be read.
        """
        session = self._session(is_alive=is_alive)
        began, place = session.session_event, work_place(session.session_event)
        repository = self._repositories.of_place(place)
        activity, use = last_activity(session), session.agents.context_of(MAIN_AGENT)
        standing = standing_of(session, activity, now, STUCK_SECONDS, lambda index: self._digest(file, session, index))
        return self._without_secrets(
            Card(
                cwd=_text(place.folder),
                place=encoded_place(CardPlace(repository.address, _text(place.branch))),
                client=listed_client(began),
                name=session_name(session) if began is not None else "",
                title=self._title_of(file, session),
                progress=session_progress(session),
                state=session.state.value,
                attention=standing.attention.value,
                doing=standing.doing.value,
                reason=standing.reason.value if standing.reason is not None else "",
                question=sanitize(standing.question[:MAX_NEWEST_CHARS]),
                head=self._head,
                started=self._started,
                last=activity,
                lines=lines,
                bytes=file.stat().st_size,
                chains=session.chain_count,
                thoughts=session.native.call_count,
                turns=session.native.turn_count,
                branches=session.branch_count,
                revisions=session.revision_count,
                context=f"{use.tokens}/{use.window}" if use is not None else "",
                ended=int(session.end_event is not None),
                notes=int(takes_notes and began is not None and began.notes and began.source is None),
                signed=int(signed),
                labels=labels_text(labels),
                **self._newest_fields(file, session),
            )
        )

    def _session(self, *, is_alive: bool) -> Session:
        fold = self._live.fold if self._live is not None else Fold()
        session = fold.session()
        return session.with_writer(_writer_state(session.session_event, is_alive=is_alive))

    def _read_head(self, file: JournalFile) -> None:
        head, line_feed, _ = file.read_bytes(0, MAX_HEAD_BYTES).partition(b"\n")
        if not line_feed:
            return
        self._head = self._outgoing(head).decode("utf-8", "replace")
        try:
            event = file.decode(head)
        except CorruptLineError:
            return
        self._started = microseconds_of(event.time) if isinstance(event, SessionEvent) else 0

    def _digest(self, file: JournalFile, session: Session, index: int) -> str:
        """Return what distinguishes the text of a thought from others; each is read once."""
        found = self._digests.get(index)
        if found is None:
            event = _event(file, session.thoughts.line_extent_of(index))
            text = (text_of(event) or "") if event is not None and not isinstance(event, UnknownEvent) else ""
            found = blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest() if text else ""
            self._digests[index] = found
            if len(self._digests) > MAX_ENDING_THOUGHTS:
                self._digests.popitem(last=False)
        return found

    def _title_of(self, file: JournalFile, session: Session) -> str:
        if not session.chain_count:
            return ""
        line = title_line(session, session.chain_count - 1)
        if line is None:
            return ""
        if self._title[0] != line:
            self._title = line, first_line(self._shown_text(_event(file, line)))[:MAX_TITLE_CHARS]
        return self._title[1]

    def _newest_fields(self, file: JournalFile, session: Session) -> dict[str, Any]:
        if not session.thought_count:
            return {}
        index = session.thought_count - 1
        event = _event(file, session.thoughts.line_extent_of(index))
        return {
            "newest": sanitize(self._shown_text(event)[:MAX_NEWEST_CHARS]),
            "newest_number": str(event.thoughtNumber) if isinstance(event, ThoughtEvent) else "",
            "newest_time": session.thoughts.time_of(index),
            "model": one_line(event.model or "") if isinstance(event, ReasoningEvent) else "",
        }

    def _shown_text(self, event: Event | UnknownEvent | None) -> str:
        """Return the beginning of a thought's text, without secrets unless lines go unchanged."""
        if event is None or isinstance(event, UnknownEvent):
            return ""
        text = (text_of(event) or "")[:_MAX_SECRET_CHARS]
        return text if self._outgoing is as_it_stands else redact_text(text)

    def _without_secrets(self, card: Card) -> Card:
        if self._outgoing is as_it_stands:
            return card
        texts = {name: value for name, value in asdict(card).items() if isinstance(value, str) and name not in _CLEAN}
        changed = {name: clean for name, text in texts.items() if (clean := redact_text(text)) != text}
        return replace(card, **changed) if changed else card


def _event(file: JournalFile, line: tuple[int, int]) -> Event | UnknownEvent | None:
    """Return the event of a line by its offset and size; None if it cannot be read."""
    try:
        return file.read_event(*line)
    except CorruptLineError:  # it was edited meanwhile
        return None


def _fold_for(events: list[Event | UnknownEvent]) -> Fold | SwitchableFold:
    """Return a fold for a journal with these first events: a transcript of a client has native reasoning."""
    first = events[0] if events else None
    is_transcript = isinstance(first, SessionEvent) and first.source not in {None, "tap"}
    return SwitchableFold() if is_transcript else Fold()


def _writer_state(began: SessionEvent | None, *, is_alive: bool) -> WriterState:
    """Return whether a server runs. Nobody knows of a transcript to which nobody adds: its agent may be waiting."""
    if is_alive:
        return WriterState.ALIVE
    is_ours = began is not None and not began.imported and began.source in {None, "tap"}
    if is_ours and began is not None and began.host != system.host_name():
        is_ours = False  # a lock says nothing about another machine
    return WriterState.GONE if is_ours else WriterState.UNKNOWN


def _text(value: str | None) -> str:
    return one_line(value or "")
