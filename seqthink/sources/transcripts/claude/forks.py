"""Which files of a folder begin as a copy of another: those whose first record has the same uuid.

A copy names its original only in newer versions, so heads of files are compared. Each is read once, a bounded number
of them in one call; what is not known yet remains alone until a later call.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.claude.description import origin_of
from seqthink.sources.transcripts.claude.record_ids import said_in
from seqthink.sources.transcripts.claude.shapes import KNOWN_TYPES, decode_record, records_in_damaged
from seqthink.sources.transcripts.files.json_lines import microseconds_of_text
from seqthink.sources.transcripts.files.listing import ListedFile
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.unreadable import unknown_format_at

MAX_HEADS: Final = 400
"""How many heads are read in one call, where nothing else is said."""
_HEAD_BYTES: Final = 1 << 16
_MAX_HEAD_BYTES: Final = 1 << 20
_MESSAGES: Final = ("user", "assistant")
_COPY_DELAY: Final = 1_000_000
"""A session whose own first record is this many microseconds younger than the first of its tree is a copy."""


class _Head(NamedTuple):
    size: int
    first_uuid: str | None
    first_said: int | None
    """A digest of what that record says; None if it is damaged."""
    session: str | None
    is_copy: bool
    is_blank: bool = False
    """Whether the whole file has no record of the tree yet."""
    is_known: bool = False
    """Whether a record is of a type that we know."""
    has_records: bool = False
    is_damaged: bool = False
    """Whether a line is not a record."""
    has_messages: bool = False
    """Whether somebody says something, also in a record that has no uuid."""


class ForkGroups:
    """Groups session files by the record with which they begin, and remembers what their heads say."""

    def __init__(self, max_heads: int = MAX_HEADS, budget: Budget | None = None) -> None:
        """Group files; at most ``max_heads`` of them are read in one call, within a budget."""
        self._max_heads = max_heads
        self._budget = budget or Budget()
        self._heads: dict[tuple[int, int], _Head] = {}
        # The file that was reported as a group's first; it stays the first, whatever changes last.
        self._originals: dict[tuple[str, str, int | None], str] = {}

    def group(self, files: Iterable[ListedFile], max_heads: int | None = None) -> list[list[ListedFile]]:
        """Return the files grouped by session, in the order of the newest of each; the oldest of a group is first.

        Files in which nothing was said yet are left out: what they are a copy of is not known, and there is nothing to
        read in them.
        """
        groups: dict[tuple[str, str], list[ListedFile]] = {}
        left = self._max_heads if max_heads is None else max_heads
        for file in files:
            head = self._known_head(file)
            if head is None and left > 0:
                left -= 1
                head = self._read_head(file)
                if self._budget.is_spent:
                    left = 0
                    self._budget.leave_out(
                        f"Claude Code: copies of sessions may count twice, not all files were read {self._budget.words}"
                    )
            if head and head.is_blank:
                if head.has_records and not head.is_known:
                    self._budget.leave_out(unknown_format_at(file.path, "Claude Code"))
                continue
            folder = file.path.rpartition("/")[0]
            key = (folder, head.first_uuid) if head and head.first_uuid else (file.path, "")
            groups.setdefault(key, []).append(file)
        return [
            self._in_order((*key, said), alike)
            for key, members in groups.items()
            for said, alike in self._by_what_they_say(members)
        ]

    def session_of(self, file: ListedFile) -> str | None:
        """Return the session's id as the head of its file says it."""
        head = self._known_head(file) or self._read_head(file)
        return head.session

    def _by_what_they_say(self, members: list[ListedFile]) -> Iterable[tuple[int | None, list[ListedFile]]]:
        """Return the files whose first records say the same; one whose first record is damaged is with the first."""
        if len(members) == 1:  # nearly all
            return ((None, members),)
        heads = [self._known_head(file) for file in members]
        said = [head.first_said if head else None for head in heads]
        usual = next((one for one in said if one is not None), None)
        alike: dict[int | None, list[ListedFile]] = {}
        for file, one in zip(members, said, strict=True):
            alike.setdefault(usual if one is None else one, []).append(file)
        return alike.items()

    def _in_order(self, key: tuple[str, str, int | None], members: list[ListedFile]) -> list[ListedFile]:
        if len(members) == 1:
            return members
        ordered = sorted(members, key=self._age)
        original = self._originals.setdefault(key, ordered[0].path)
        return sorted(ordered, key=lambda file: file.path != original)

    def _age(self, file: ListedFile) -> tuple[bool, int, str]:
        head = self._known_head(file)
        return head is not None and head.is_copy, file.changed, file.path

    def _known_head(self, file: ListedFile) -> _Head | None:
        head = self._heads.get((file.device, file.inode))
        if head is None or (head.first_uuid is None and head.size != file.size) or file.size < head.size:
            return None
        return head

    def _read_head(self, file: ListedFile) -> _Head:
        head = _Head(file.size, None, None, None, is_copy=False)
        size = _HEAD_BYTES
        while head.first_uuid is None and size <= _MAX_HEAD_BYTES:
            try:
                data = read_head(Path(file.path), size)
            except OSError:
                break
            *lines, last = data.split(b"\n")
            # NULs are what a crash leaves: such a line is not a record that is still being written.
            head = _head_of([*lines, last] if b"\0" in last else lines, file.size)
            if len(data) < size:
                is_emitted = head.has_messages or (head.is_known and head.is_damaged)
                head = head._replace(is_blank=head.first_uuid is None and not is_emitted)
                break
            size *= 4
        self._heads[file.device, file.inode] = head
        return head


def _head_of(lines: Sequence[bytes], size: int) -> _Head:
    """Return what the first lines say: until a record of the tree, and after it whether it was copied."""
    first_uuid = first_said = session = None
    opened = first_time = None
    is_copy = is_known = is_damaged = has_messages = False
    for line in filter(bytes.strip, lines):
        record = decode_record(line)
        if record is None:
            is_damaged = True
            record = next(map(decode_record, records_in_damaged(line)), None)
        if record is None:
            continue
        is_known = is_known or record.type in KNOWN_TYPES
        has_messages = has_messages or record.type in _MESSAGES
        session = session or record.session_id
        time = microseconds_of_text(record.timestamp)
        if first_uuid is None:
            first_uuid = record.uuid
            first_said = None if is_damaged else said_in(record)
            if first_uuid is not None and is_damaged:
                first_uuid = record.parent_uuid or first_uuid  # the record before it is damaged
            if first_uuid is None:
                opened = opened or time
            else:
                first_time = time
        is_copy = is_copy or (session is not None and origin_of(record, session) is not None)
    if opened is not None and first_time is not None:
        is_copy = is_copy or opened - first_time > _COPY_DELAY
    has_records = any(map(bytes.strip, lines))
    return _Head(
        size,
        first_uuid,
        first_said,
        session,
        is_copy,
        is_known=is_known,
        has_records=has_records,
        is_damaged=is_damaged,
        has_messages=has_messages,
    )
