"""What a model is asked for, and what its answers come to: a card as any judge gives one, and diffs to try.

A model's words are as untrusted as a thought: what does not fit the shape is asked for again, what is too much is cut.
"""

from typing import Annotated, Final

from pydantic import BaseModel, Field

from seqthink.audit.review import LONGEST_NOTES, Card, Finding
from seqthink.audit.telling import told

MOST_INLINE: Final = 40
_MOST_DIMENSIONS: Final = 12
_MOST_NAME: Final = 40
_MOST_PATH: Final = 200
_MOST_WORDS: Final = 500

Score = Annotated[float, Field(ge=0, le=100)]


class Dimension(BaseModel):
    """One side of the code, and how good it is."""

    name: str = Field(min_length=1)
    score: Score


class Comment(BaseModel):
    """What to do about one line."""

    path: str
    line: int = Field(ge=0, le=2**31)
    comment: str = Field(min_length=1)


class Opinion(BaseModel):
    """A review by a model, of the GanReview's shape as far as one judge can fill it."""

    overall: Score = Field(description="How good the code is, from 0 to 100.")
    dimensions: list[Dimension] = Field(default_factory=list[Dimension])
    summary: str = Field(description="Two sentences: what is good, what must change.")
    inline: list[Comment] = Field(default_factory=list[Comment])
    proposed_diff: str | None = Field(default=None, description="A unified diff that repairs what you found, or null.")

    def card(self, model: str) -> Card:
        """Return the opinion as the card of the judge ``model``."""
        named = [(told(one.name, _MOST_NAME).lower(), round(one.score)) for one in self.dimensions]
        dimensions = dict([(name, score) for name, score in named if name][:_MOST_DIMENSIONS])
        findings = [
            Finding(path=told(one.path, _MOST_PATH), line=one.line, comment=told(one.comment, _MOST_WORDS))
            for one in self.inline[:MOST_INLINE]
        ]
        return Card(
            model=model,
            score=round(self.overall),
            notes=told(self.summary, LONGEST_NOTES),
            dimensions=dimensions,
            findings=tuple(findings),
            proposed_diff=self.proposed_diff or None,
        )


class Repair(BaseModel):
    """A model's try at better code."""

    diff: str = Field(min_length=1, description="One unified diff, complete, that `git apply` takes.")
