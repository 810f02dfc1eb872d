"""A model's structured answer, a review or a diff, drawn like an audit (docs/screens.md, "Audit verdicts")."""

from collections.abc import Collection, Iterator

from seqthink.drawing.describe.json_values import MAX_TEXT_CHARS, JsonObject, as_line, as_list, as_object
from seqthink.drawing.detail.audits import comment_lines
from seqthink.drawing.markup.unified_diff import unified_diff_lines
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, spans_width
from seqthink.text import sanitize


def is_review_or_diff(answer: JsonObject) -> bool:
    """Return whether `answer_lines` can draw ``answer``: it has a diff or an overall score."""
    return isinstance(answer.get("diff"), str) or "overall" in answer


def answer_lines(first: Spans, answer: JsonObject, shown_diffs: Collection[str], cells: int) -> Iterator[Spans]:
    """Yield an answer behind ``first``, the name of the model; a diff in ``shown_diffs`` is only named."""
    diff = diff_of(answer)
    yield from hanging_indent(
        first, wrap_spans([Span(answer_heading(answer, shown_diffs))], max(2, cells - spans_width(first) - 1))
    )
    if scores := _scores(answer):
        yield from hanging_indent([Span(" ")], wrap_spans([Span(scores, Role.MUTED)], cells - 2))
    yield from comment_lines(answer.get("inline"), cells)
    if diff and diff not in shown_diffs:
        yield from unified_diff_lines(sanitize(diff[:MAX_TEXT_CHARS]), cells - 1)


def answer_heading(answer: JsonObject, shown_diffs: Collection[str]) -> str:
    """Return the first line of an answer: its score and summary, or which diff it is."""
    if "overall" in answer:
        return f"{_number(answer['overall'])}  {as_line(answer.get('summary'))}"
    return "the proposed diff" if diff_of(answer) in shown_diffs else "a diff"


def diff_of(answer: JsonObject) -> str:
    """Return the diff in ``answer``, or ""."""
    diff = answer.get("diff", answer.get("proposed_diff"))
    return diff if isinstance(diff, str) else ""


def _scores(answer: JsonObject) -> str:
    dimensions = [as_object(item) for item in as_list(answer.get("dimensions"))]
    return "   ".join(f"{as_line(item.get('name'))} {_number(item.get('score'))}" for item in dimensions)


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else as_line(value)
