"""Names, tags, pins and comments of all sessions, as somebody gave them on this machine, or as they came with a copy.

Each record says one thing, so that several viewers that write at once lose nothing of each other.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import cast

from msgspec.structs import asdict, replace

from seqthink.core.labels import (
    MAX_AUTHOR_CHARS,
    MAX_COMMENT_CHARS,
    MAX_NAME_CHARS,
    MAX_TAGS,
    NO_LABELS,
    Comment,
    SessionLabels,
    comment_of_fields,
    in_order,
    labels_fields,
    labels_of_fields,
    tag_of,
)
from seqthink.journal.folder import seqthink_home
from seqthink.library.viewer_store.folder import viewer_folder
from seqthink.library.viewer_store.record_file import MAX_BYTES, MIN_OUTDATED_LINES, Record, RecordFile

FILE_NAME = "labels.jsonl"


class LabelBook:
    """The labels in a file; several viewers may change them.

    Every method that reads raises an OSError where the file cannot be read, and a UsageError where it is not a file of
    our own; every method that writes raises them where it cannot be written.

    Args:
        folder: the folder of what viewers keep.
        clean: returns a text as it may be shown, without secrets; None to show it as it is.
    """

    def __init__(self, folder: Path, clean: Callable[[str], str] | None = None) -> None:
        self._file = RecordFile(folder / FILE_NAME)
        self._clean = clean
        self._signature: tuple[int, int, int] | None = None
        self._labels: Mapping[str, SessionLabels] = {}

    # Reading

    def of(self, session: str) -> SessionLabels:
        """Return what is said about a session."""
        return self.all().get(session, NO_LABELS)

    def all(self) -> Mapping[str, SessionLabels]:
        """Return the labels of all sessions that have some, by their keys. It is the same object until they change."""
        signature = self._file.signature()
        if signature != self._signature:
            records = self._file.read()
            folded = _folded(records)
            labels = {session: kept.own.joined(kept.received) for session, kept in folded.items()}
            if self._clean is not None:
                labels = {session: one.cleaned(self._clean) for session, one in labels.items()}
            self._labels, self._signature = labels, signature
            count = sum(map(_record_count, folded.values()))
            is_large = signature is not None and signature[1] > MAX_BYTES // 2
            if len(records) > (count if is_large else 2 * count + MIN_OUTDATED_LINES):
                self._file.rewrite(_kept)
        return self._labels

    def cleaned(self, labels: SessionLabels) -> SessionLabels:
        """Return labels that come from elsewhere as those of the book are shown."""
        return labels if self._clean is None else labels.cleaned(self._clean)

    # Writing

    def name(self, session: str, name: str) -> None:
        """Give a session a name; an empty one takes the name away."""
        self._file.append([{"session": session, "name": " ".join(name.split())[:MAX_NAME_CHARS]}])

    def tag(self, session: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        """Add tags to a session, and take others away."""
        records: list[Record] = [{"session": session, "tag": tag} for word in add if (tag := tag_of(word))]
        records += [{"session": session, "untag": tag} for word in remove if (tag := tag_of(word))]
        if records:
            self._file.append(records)

    def pin(self, session: str, *, is_pinned: bool) -> None:
        """Pin a session, or take the pin away."""
        self._file.append([{"session": session, "pinned": is_pinned}])

    def comment(self, session: str, comment: Comment) -> None:
        """Write a comment in place of the author's own one on the thought; an empty text takes that away."""
        text, by = comment.text.strip()[:MAX_COMMENT_CHARS], comment.by[:MAX_AUTHOR_CHARS]
        self._file.append([{"session": session, "comment": _fields(replace(comment, text=text, by=by))}])

    def receive(self, session: str, labels: SessionLabels) -> None:
        """Keep what came with a copy of a session, in place of what came before; the user's own labels stay."""
        if labels != NO_LABELS or self.of(session) != NO_LABELS:
            record = {"session": session, "received": labels_fields(labels)}
            self._file.rewrite(lambda records: _kept([*records, record]))  # what came before may be large

    def forget(self, sessions: Collection[str]) -> None:
        """Remove all labels of some sessions."""
        if any(record.get("session") in sessions for record in self._file.read()):
            self._file.rewrite(lambda records: _kept([r for r in records if r.get("session") not in sessions]))


def label_book_of(environ: Mapping[str, str], *, is_redacted: bool = False) -> LabelBook | None:
    """Return the user's labels, without secrets if texts are redacted; None where the home folder is unknown."""
    try:
        folder = viewer_folder(seqthink_home(environ))
    except RuntimeError:
        return None
    if not is_redacted:
        return LabelBook(folder)
    from seqthink.core.redaction import redact_text  # noqa: PLC0415 - loads the library of secret patterns

    return LabelBook(folder, redact_text)


class _KeptLabels:
    """What the records say about one session."""

    def __init__(self) -> None:
        self.received = NO_LABELS
        self._name = ""
        self._is_pinned = False
        self._tags: dict[str, None] = {}
        self._comments: dict[tuple[int, str], Comment] = {}

    @property
    def own(self) -> SessionLabels:
        """What was said on this machine."""
        return SessionLabels(
            name=self._name,
            tags=tuple(self._tags)[:MAX_TAGS],
            is_pinned=self._is_pinned,
            comments=in_order(self._comments.values()),
        )

    def add(self, record: Record) -> None:
        """Take in one more record; what in it is of no known kind is left out."""
        name, pinned, received = record.get("name"), record.get("pinned"), record.get("received")
        if isinstance(name, str):
            self._name = name[:MAX_NAME_CHARS]
        if isinstance(pinned, bool):
            self._is_pinned = pinned
        if isinstance(received, dict):
            self.received = labels_of_fields(cast("Record", received))
        if isinstance(tag := record.get("tag"), str) and tag_of(tag):
            self._tags[tag_of(tag)] = None
        if isinstance(tag := record.get("untag"), str):
            self._untag(tag_of(tag))
        self._add_comment(record.get("comment"))

    def _untag(self, tag: str) -> None:
        self._tags.pop(tag, None)
        self.received = replace(self.received, tags=tuple(one for one in self.received.tags if one != tag))

    def _add_comment(self, value: object) -> None:
        comment = comment_of_fields(value, is_own=True)
        if comment is None:
            return
        self._comments.pop((comment.seq, comment.by), None)
        if comment.text:
            self._comments[comment.seq, comment.by] = comment

    def records(self, session: str) -> list[Record]:
        """Return records that say the same."""
        own = self.own
        records: list[Record] = [{"session": session, "received": labels_fields(self.received)}]
        records += [{"session": session, "name": own.name}, {"session": session, "pinned": own.is_pinned}]
        records += [{"session": session, "tag": tag} for tag in own.tags]
        records += [{"session": session, "comment": _fields(comment)} for comment in own.comments]
        return [record for record in records if any(value for key, value in record.items() if key != "session")]


def _fields(comment: Comment) -> Record:
    return {name: value for name, value in asdict(comment).items() if name != "is_own"}


def _folded(records: Iterable[Record]) -> dict[str, _KeptLabels]:
    found: dict[str, _KeptLabels] = {}
    for record in records:
        session = record.get("session")
        if isinstance(session, str) and session:
            found.setdefault(session, _KeptLabels()).add(record)
    return found


def _record_count(kept: _KeptLabels) -> int:
    return len(kept.records(""))


def _kept(records: list[Record]) -> list[Record]:
    return [record for session, kept in _folded(records).items() for record in kept.records(session)]
