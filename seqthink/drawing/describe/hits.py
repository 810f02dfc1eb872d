"""What is said of a text that a search has found, and of the session that it is in."""

from typing import NamedTuple

from seqthink.core.text import SafeText


class FoundText(NamedTuple):
    """A text in which the words of a query are."""

    seq: int
    """Position of its line in the journal."""
    kind: str
    """``thought``, ``reasoning``, ``prompt``, ``answer``, ``context`` or ``note``."""
    time: int
    """Microseconds since 1970."""
    excerpt: SafeText
    """The text around the words, on one line."""
    is_begun_before: bool = False
    """Whether there is more text before the excerpt."""
    number: int | None = None
    """Number of the thought; None for other texts."""
    branch: SafeText = SafeText("")
    """Name of the thought's branch; empty on the trunk."""
    thought_seq: int = 0
    """``seq`` of the thought to look at: itself, or the one that it is attached to; 0 if it has none."""

    @property
    def place(self) -> str:
        """Number and branch of a thought: ``12``, ``12 cache``; of another text its kind."""
        if self.number is None:
            return self.kind
        return f"{self.number} {self.branch}" if self.branch else str(self.number)


class HitSession(NamedTuple):
    """The session of a text that was found."""

    session: SafeText
    """Its id."""
    name: SafeText
    """Its title, else its folder or client, else its id."""
    client: SafeText
    """Name of the client, or empty."""
    last: int
    """Time of its last change, in microseconds since 1970."""
