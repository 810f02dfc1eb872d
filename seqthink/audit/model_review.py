"""What a model is asked for, and what its answers come to: a card as any judge gives one, and diffs to try.

A model's words are as untrusted as a thought: what does not fit the shape is asked for again, what is too much is cut.
"""

from typing import Annotated, Final

from pydantic import BaseModel, Field

from seqthink.audit.quoting import quote_safely
from seqthink.audit.review import MAX_NOTES_CHARS, CodeFinding, JudgeCard

MAX_INLINE_COMMENTS: Final = 40
_MAX_DIMENSIONS: Final = 12
_MAX_NAME_CHARS: Final = 40
_MAX_PATH_CHARS: Final = 200
_MAX_COMMENT_CHARS: Final = 500

Score = Annotated[float, Field(ge=0, le=100)]


class ModelDimension(BaseModel):
    """One side of the code, and how good it is."""

    name: str = Field(min_length=1)
    score: Score


class ModelComment(BaseModel):
    """What to do about one line."""

    path: str
    line: int = Field(ge=0, le=2**31)
    comment: str = Field(min_length=1)


class ModelReview(BaseModel):
    """A review by a model, of the GanReview's shape as far as one judge can fill it."""

    overall: Score = Field(description="How good the code is, from 0 to 100.")
    dimensions: list[ModelDimension] = Field(default_factory=list[ModelDimension])
    summary: str = Field(description="Two sentences: what is good, what must change.")
    inline: list[ModelComment] = Field(default_factory=list[ModelComment])
    proposed_diff: str | None = Field(default=None, description="A unified diff that repairs what you found, or null.")

    def as_card(self, model: str) -> JudgeCard:
        """Return the opinion as the card of the judge ``model``."""
        named = [(quote_safely(one.name, _MAX_NAME_CHARS).lower(), round(one.score)) for one in self.dimensions]
        dimensions = dict([(name, score) for name, score in named if name][:_MAX_DIMENSIONS])
        findings = [
            CodeFinding(
                path=quote_safely(one.path, _MAX_PATH_CHARS),
                line=one.line,
                comment=quote_safely(one.comment, _MAX_COMMENT_CHARS),
            )
            for one in self.inline[:MAX_INLINE_COMMENTS]
        ]
        return JudgeCard(
            model=model,
            score=round(self.overall),
            notes=quote_safely(self.summary, MAX_NOTES_CHARS),
            dimensions=dimensions,
            findings=tuple(findings),
            proposed_diff=self.proposed_diff or None,
        )


class ModelRepair(BaseModel):
    """A model's try at better code."""

    diff: str = Field(min_length=1, description="One unified diff, complete, that `git apply` takes.")
