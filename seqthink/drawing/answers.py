"""A model's answer of a given shape: a judge's review, or a diff; drawn as an audit draws its own (screens.md, (j))."""

from collections.abc import Collection, Iterator

from seqthink.drawing.audits import comment_lines
from seqthink.drawing.flow import flow, hang
from seqthink.drawing.hunks import hunk_lines
from seqthink.drawing.spans import Role, Span, Spans, spans_width
from seqthink.drawing.values import MOST_TEXT, Fields, fields, items, said
from seqthink.text import sanitize


def has_shape(answer: Fields) -> bool:
    """Return whether ``answer`` is one that `answer_lines` knows how to draw."""
    return isinstance(answer.get("diff"), str) or "overall" in answer


def answer_lines(first: Spans, answer: Fields, shown: Collection[str], cells: int) -> Iterator[Spans]:
    """Yield an answer behind ``first``, which says whose it is; a diff that is ``shown`` already is only named."""
    diff = said_diff(answer)
    yield from hang(first, flow([Span(answer_heading(answer, shown))], max(2, cells - spans_width(first) - 1)))
    if scores := _scores(answer):
        yield from hang([Span(" ")], flow([Span(scores, Role.MUTED)], cells - 2))
    yield from comment_lines(answer.get("inline"), cells)
    if diff and diff not in shown:
        yield from hunk_lines(sanitize(diff[:MOST_TEXT]), cells - 1)


def answer_heading(answer: Fields, shown: Collection[str]) -> str:
    """Return what an answer says first: its score and summary, or that it is a diff, or which."""
    if "overall" in answer:
        return f"{_number(answer['overall'])}  {said(answer.get('summary'))}"
    return "the proposed diff" if said_diff(answer) in shown else "a diff"


def said_diff(answer: Fields) -> str:
    """Return the diff that ``answer`` gives, "" for none."""
    diff = answer.get("diff", answer.get("proposed_diff"))
    return diff if isinstance(diff, str) else ""


def _scores(answer: Fields) -> str:
    named = [fields(one) for one in items(answer.get("dimensions"))]
    return "   ".join(f"{said(one.get('name'))} {_number(one.get('score'))}" for one in named)


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else said(value)
