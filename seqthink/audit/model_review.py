"""The shapes of a model's answers: a review, which becomes a card, or a repair.

A model's text is as untrusted as a thought: answers of the wrong shape are asked for again, long ones are cut.
"""

from typing import Annotated, Final

from pydantic import BaseModel, Field

from seqthink.audit.review import MAX_COMMENT_CHARS, MAX_NOTES_CHARS, MAX_PATH_CHARS, CodeFinding, JudgeCard
from seqthink.core.redaction import quote_safely

MAX_INLINE_COMMENTS: Final = 40
_MAX_DIMENSIONS: Final = 12
_MAX_NAME_CHARS: Final = 40

Score = Annotated[float, Field(ge=0, le=100)]


class ModelDimension(BaseModel):
    """One aspect of the code, and how good it is."""

    name: str = Field(min_length=1)
    score: Score


class ModelComment(BaseModel):
    """What to do about one line."""

    path: str
    line: int = Field(ge=0, le=2**31)
    comment: str = Field(min_length=1)


class ModelReview(BaseModel):
    """A model's review of the code."""

    overall: Score = Field(description="How good the code is, from 0 to 100.")
    dimensions: list[ModelDimension] = Field(default_factory=list[ModelDimension])
    summary: str = Field(description="Two sentences: what is good, what must change.")
    inline: list[ModelComment] = Field(default_factory=list[ModelComment])
    proposed_diff: str | None = Field(default=None, description="A unified diff that repairs what you found, or null.")

    def as_card(self, model: str) -> JudgeCard:
        """Return the review as the card of the judge ``model``."""
        scores = [(quote_safely(item.name, _MAX_NAME_CHARS).lower(), round(item.score)) for item in self.dimensions]
        dimensions = dict([(name, score) for name, score in scores if name][:_MAX_DIMENSIONS])
        findings = [
            CodeFinding(
                path=quote_safely(item.path, MAX_PATH_CHARS),
                line=item.line,
                comment=quote_safely(item.comment, MAX_COMMENT_CHARS),
            )
            for item in self.inline[:MAX_INLINE_COMMENTS]
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
    """A model's proposal for better code."""

    diff: str = Field(min_length=1, description="One complete unified diff that `git apply` accepts.")
