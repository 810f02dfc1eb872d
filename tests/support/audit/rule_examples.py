"""The examples in the headers of rule files: they are the rules' tests (docs/audit.md, "Rules").

A header is the comment lines before the query. `Bad:` and `Good:` begin an example, whose lines follow with three
blanks after the semicolon; `>` among them marks a line on which the rule must find something.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from msgspec import Struct

from seqthink.audit.code_units import CodeUnit

_MARGIN = ";   "
_MARK = "; > "
_HEADING = re.compile(r"; (Bad|Good|Also|Without):")


class RuleExample(Struct, frozen=True):
    """Code with the mistake that a rule is for, or without."""

    code: str
    marked_lines: tuple[int, ...]
    """Lines with a finding, from 1."""
    is_bad: bool

    def unit(self, language: str) -> CodeUnit:
        """Return the code as a fence of ``language``."""
        return CodeUnit(path="thought", text=self.code, language=language)


class RuleHeader(Struct, frozen=True):
    """What a rule file says before its query."""

    explanation: str
    """What is wrong, and why."""
    examples: tuple[RuleExample, ...]


def read_header(text: str) -> RuleHeader:
    """Return the header of a rule file."""
    lines = list(takewhile(lambda line: line.startswith(";"), text.split("\n")))
    explanation = list(takewhile(lambda line: not _HEADING.match(line), lines))
    return RuleHeader(" ".join(line[1:].strip() for line in explanation).strip(), tuple(_examples(lines)))


def _examples(lines: list[str]) -> Iterator[RuleExample]:
    for number, line in enumerate(lines):
        if line in ("; Bad:", "; Good:"):
            code = list(takewhile(_is_code, lines[number + 1 :]))
            while code and code[-1] == ";":
                code.pop()
            marked = tuple(at for at, text in enumerate(code, 1) if text.startswith(_MARK))
            yield RuleExample("".join(f"{text[len(_MARK) :]}\n" for text in code), marked, line == "; Bad:")


def _is_code(line: str) -> bool:
    return line == ";" or line.startswith((_MARGIN, _MARK))
