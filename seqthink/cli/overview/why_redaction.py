"""What `seqthink why --redact` hides beside the texts of journals: names of files and what commits say."""

from msgspec.structs import replace

from seqthink.core.redaction import redact_text
from seqthink.library.why.answers import AnsweringEdit, LineAnswer
from seqthink.library.why.attribution import Commit


def redacted_commit(commit: Commit) -> Commit:
    """Return a commit without secrets in its author and its summary."""
    return replace(commit, author=redact_text(commit.author), summary=redact_text(commit.summary))


def redacted_answer(answer: LineAnswer) -> LineAnswer:
    """Return an answer without secrets in the names of its files; its texts come redacted from the journal."""
    return replace(answer, path=redact_text(answer.path), edits=tuple(map(_redacted_edit, answer.edits)))


def _redacted_edit(made: AnsweringEdit) -> AnsweringEdit:
    return made._replace(edit=replace(made.edit, path=redact_text(made.edit.path)))
