"""Line rules for all languages: conflict markers, and TODO comments. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.review import FATAL, MINOR, CodeFinding

_OURS, _THEIRS, _BETWEEN = (re.compile(shape) for shape in (r"<{7}(?: |$)", r">{7}(?: |$)", r"={7}$"))
_COMMENTS: Final[Mapping[str, str]] = dict.fromkeys(("python", "bash", "yaml", "ruby", "toml", "dockerfile"), "#")
_TODO_TEMPLATE: Final = r"(?:^|\s){}[*!/#-]*\s*(?:@?(?P<word>TODO|FIXME|XXX|HACK)\b)(?=[\s:(!.-]|$)"
_MAX_LINE_CHARS: Final = 2000


def check_lines(unit: CodeUnit, language: str) -> list[CodeFinding]:
    """Return findings for conflict markers and TODO comments in ``unit``."""
    findings = list[CodeFinding]()
    todo = _todo_pattern(_COMMENTS.get(language, ""))
    visible_lines = [line[:_MAX_LINE_CHARS] for line in unit.text.split("\n")]
    conflicts = _conflict_rows(visible_lines)
    for number, line in enumerate(visible_lines):
        line_number = unit.first_line + number
        if number in conflicts:
            findings.append(
                CodeFinding(
                    path=unit.path, line=line_number, comment="Conflict marker left in; resolve the conflict.",
                    dimension="correctness", cost=FATAL, is_fatal=True,
                )
            )  # fmt: skip
        elif match := todo.search(line):
            comment = f"{match['word']} left in an added line; finish or file it."
            findings.append(
                CodeFinding(path=unit.path, line=line_number, comment=comment, dimension="clarity", cost=MINOR)
            )
    return findings


def _conflict_rows(visible_lines: list[str]) -> set[int]:
    """Return the rows (from 0) of all conflict markers."""
    ends = {number for number, line in enumerate(visible_lines) if _OURS.match(line) or _THEIRS.match(line)}
    return ends | {number for number, line in enumerate(visible_lines) if ends and _BETWEEN.match(line)}


def _todo_pattern(sign: str) -> re.Pattern[str]:
    return re.compile(_TODO_TEMPLATE.format(re.escape(sign) if sign else r"(?://|/\*|\*|#|--|<!--|;|%)"))
