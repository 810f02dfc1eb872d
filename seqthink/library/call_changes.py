"""What the calls of a row changed in files: which calls are asked for, and what was read of them, without secrets."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from seqthink.chain.model import NONE, AsideKind
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.file_edit import CallChange, FileEdit
from seqthink.drawing.describe.changes import calls_after_thought, calls_of_aside
from seqthink.journal.decode import LineDecoder, decode
from seqthink.library.places.place import PlacedSession


class AskedRow(NamedTuple):
    """What is asked about a row."""

    calls: Sequence[str]
    """The ids of its calls."""
    title: str
    is_list: bool
    """Whether it is not a row of actions itself, so that its files are listed first."""

    @property
    def nothing(self) -> str:
        """What is said where there are no calls."""
        return "nothing was done here" if self.is_list else "these calls have no ids to look them up by"


def asked_of_row(texts: SessionTexts, session: Session, *, thought: int, aside: int) -> AskedRow:
    """Return what is asked about the row of a thought or an aside, which are NONE where the row is another one."""
    if aside != NONE:
        is_action = session.asides.get(aside).kind is AsideKind.ACTIONS
        title = "changed by these calls" if is_action else "changed after this"
        return AskedRow(calls_of_aside(texts, session, aside), title, is_list=not is_action)
    if thought == NONE:
        return AskedRow((), "", is_list=True)
    is_native = session.thoughts.get(thought).native is not None
    number = session.thoughts.number_of(thought)
    title = "changed after this" if is_native else f"changed after thought {number}"
    return AskedRow(calls_after_thought(texts, session, thought), title, is_list=True)


def read_changes(
    placed: PlacedSession, calls: Sequence[str], decoder: LineDecoder, on_read: Callable[[int], bool]
) -> list[CallChange]:
    """Return what calls changed; without secrets, if ``decoder`` decodes lines without them.

    Raises:
        UsageError: what they changed is not here, in a sentence.
    """
    changes = placed.changes(calls, on_read)
    return changes if decoder is decode else [_redacted(change) for change in changes]


def _redacted(change: CallChange) -> CallChange:
    return change._replace(edits=tuple(map(_redacted_edit, change.edits)))


def _redacted_edit(edit: FileEdit) -> FileEdit:
    from seqthink.core.redaction import redact_text  # noqa: PLC0415 - loads the library of secret patterns

    def redacted(text: str | None) -> str | None:
        return redact_text(text) if text else text

    return replace(
        edit,
        path=redact_text(edit.path),
        before=redacted(edit.before),
        after=redacted(edit.after),
        moved_to=redacted(edit.moved_to),
    )
