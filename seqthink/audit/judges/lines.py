"""What lines tell in any language: markers of a conflict, and what was left for later. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from seqthink.audit.review import FATAL, MINOR, Finding
from seqthink.audit.sources import Source

_OURS, _THEIRS, _BETWEEN = (re.compile(shape) for shape in (r"<{7}(?: |$)", r">{7}(?: |$)", r"={7}$"))
_COMMENTS: Final[Mapping[str, str]] = {"python": "#", "bash": "#", "yaml": "#"}
_LATER: Final = r"(?:^|\s){}[*!/#-]*\s*(?:@?(?P<word>TODO|FIXME|XXX|HACK)\b)(?=[\s:(!.-]|$)"
_LONGEST: Final = 2000


def lines(source: Source, language: str) -> list[Finding]:
    """Return the lines of ``source`` that nobody meant to leave."""
    found = list[Finding]()
    later = _later(_COMMENTS.get(language, ""))
    shown = [line[:_LONGEST] for line in source.text.split("\n")]
    conflicts = _conflicts(shown)
    for number, line in enumerate(shown):
        place = source.first_line + number
        if number in conflicts:
            found.append(
                Finding(
                    path=source.path, line=place, comment="Conflict marker left in; resolve the conflict.",
                    dimension="correctness", cost=FATAL, is_fatal=True,
                )
            )  # fmt: skip
        elif match := later.search(line):
            comment = f"{match['word']} left in an added line; finish or file it."
            found.append(Finding(path=source.path, line=place, comment=comment, dimension="clarity", cost=MINOR))
    return found


def _conflicts(shown: list[str]) -> set[int]:
    """Return the lines that part two sides, and those at their ends."""
    ends = {number for number, line in enumerate(shown) if _OURS.match(line) or _THEIRS.match(line)}
    return ends | {number for number, line in enumerate(shown) if ends and _BETWEEN.match(line)}


def _later(sign: str) -> re.Pattern[str]:
    return re.compile(_LATER.format(re.escape(sign) if sign else r"(?://|/\*|\*|#|--|<!--|;|%)"))
