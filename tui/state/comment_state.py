"""The comment that is being typed, and drafts of others. Pure."""

from msgspec import Struct, field

from seqthink.core.labels import MAX_COMMENT_CHARS
from seqthink.drawing.panels.note_input import NoteInput


class CommentTarget(Struct, frozen=True):
    """The thought that a comment is about."""

    session: str
    """What its session is remembered by."""
    seq: int
    number: int
    """Its number; 0 for reasoning without one."""


class CommentState(Struct, kw_only=True):
    """A comment on a thought while it is typed."""

    text_input: NoteInput | None = None
    """Open while the user types a comment, else None."""
    target: CommentTarget | None = None
    """What the open comment is about."""
    drafts: dict[CommentTarget, str] = field(default_factory=dict[CommentTarget, str])
    """Texts that were left without being kept."""

    def open(self, target: CommentTarget, text: str) -> None:
        """Open the input with the draft for this thought, else with ``text``, which is kept now."""
        self.target = target
        self.text_input = NoteInput(MAX_COMMENT_CHARS, self.drafts.pop(target, text))

    def close(self, *, keeps_draft: bool) -> None:
        """Close the input."""
        if keeps_draft and self.target is not None and self.text_input is not None:
            self.drafts[self.target] = self.text_input.text
        self.text_input = self.target = None
