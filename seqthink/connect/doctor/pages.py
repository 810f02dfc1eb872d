"""What was found, as a page for a terminal, as Markdown for an issue, and as one JSON object. Pure.

The Markdown has only what `CheckResult` promises to be safe: no path, no value, no text of another program.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from seqthink.connect.doctor.results import CheckGroup, CheckResult, Verdict, count
from seqthink.core.text import one_line
from seqthink.drawing.text.cells import pad, width
from seqthink.drawing.text.wrap import wrap

MAX_DETAIL_CHARS: Final = 300
"""Characters of a text from this machine that a page shows."""
_MARGIN: Final = "  "
_MAX_SUBJECT_CELLS: Final = 12
_MIN_TEXT_CELLS: Final = 32
"""Where fewer are left beside the subjects, the text begins right behind its subject."""
_FIX: Final = "fix: "


class VerdictMarks(NamedTuple):
    """A sign for each verdict."""

    right: str
    warning: str
    wrong: str
    unseen: str

    def of(self, verdict: Verdict) -> str:
        """Return the sign of a verdict."""
        match verdict:
            case "right":
                return self.right
            case "warning":
                return self.warning
            case "wrong":
                return self.wrong
            case "not looked at":
                return self.unseen


UNICODE_MARKS: Final = VerdictMarks("✓", "!", "✗", "–")
ASCII_MARKS: Final = VerdictMarks("ok", "! ", "X ", "- ")
_COLOURS: Final[Mapping[Verdict, str]] = {"right": "32", "warning": "33", "wrong": "31", "not looked at": "2"}


def page_lines(groups: Sequence[CheckGroup], cells: int, marks: VerdictMarks, *, has_colours: bool) -> Iterator[str]:
    """Yield the lines of a page that is ``cells`` wide."""
    for group in groups:
        yield one_line(group.title)
        for result in group.results:
            yield from _result_lines(result, cells, marks, has_colours=has_colours)
        yield ""
    yield from wrap(summary(groups), cells)


def _result_lines(result: CheckResult, cells: int, marks: VerdictMarks, *, has_colours: bool) -> Iterator[str]:
    mark = marks.of(result.verdict)
    head = f"{_MARGIN}{mark} "
    subject = f"{pad(result.subject, _MAX_SUBJECT_CELLS)} "
    is_narrow = cells - width(head) - width(subject) < _MIN_TEXT_CELLS
    indent = " " * (width(head) + (0 if is_narrow else width(subject)))
    text = f"{result.subject}: {_shown(result.text)}" if is_narrow else _shown(result.text)
    lines = _wrapped(text, cells - len(indent))
    coloured = f"\x1b[{_COLOURS[result.verdict]}m{mark}\x1b[0m" if has_colours else mark
    yield f"{_MARGIN}{coloured} {'' if is_narrow else subject}{lines[0]}".rstrip()
    for line in lines[1:]:
        yield f"{indent}{line}"
    if result.fix:
        for line in _wrapped(f"{_FIX}{_shown(result.whole_fix)}", cells - len(indent)):
            yield f"{indent}{line}"


def _wrapped(text: str, cells: int) -> list[str]:
    return list(wrap(text, max(1, cells))) or [""]


def _shown(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= MAX_DETAIL_CHARS else f"{line[: MAX_DETAIL_CHARS - 1]}…"


def summary(groups: Sequence[CheckGroup]) -> str:
    """Return in a sentence what was found."""
    wrongs, warnings = count(groups, "wrong"), count(groups, "warning")
    unseen = count(groups, "not looked at")
    parts = [f"{wrongs} wrong"] if wrongs else []
    parts += [f"{warnings} warning{'' if warnings == 1 else 's'}"] if warnings else []
    rest = f"; {unseen} not looked at" if unseen else ""
    return f"{', '.join(parts) or 'All that was looked at is right'}{rest}."


def report_lines(groups: Sequence[CheckGroup]) -> Iterator[str]:
    """Yield the lines of a report in Markdown that others may read."""
    yield "## seqthink doctor"
    for group in groups:
        yield from ("", f"### {group.title}", "")
        for result in group.results:
            yield f"- {UNICODE_MARKS.of(result.verdict)} **{result.subject}**: {result.message}"
            if result.fix:
                yield f"  - {_FIX}{result.public_fix}"
    yield from ("", summary(groups))


def fields(groups: Sequence[CheckGroup], status: int) -> dict[str, Any]:
    """Return everything as one JSON object."""
    return {
        "status": status,
        "wrong": count(groups, "wrong"),
        "warnings": count(groups, "warning"),
        "groups": [
            {
                "title": group.title,
                "client": group.client or None,
                "results": [
                    {
                        "subject": result.subject,
                        "verdict": result.verdict,
                        "message": result.message,
                        "detail": result.detail or None,
                        "fix": result.whole_fix or None,
                    }
                    for result in group.results
                ],
            }
            for group in groups
        ],
    }
