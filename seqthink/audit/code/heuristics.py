"""Heuristics: is a text code? Only signs count that prose never has. Pure."""

import re
from collections import Counter
from typing import Final

from seqthink.audit.code.data_formats import is_json, is_yaml
from seqthink.audit.code.statements import is_closer, sign_of

STRONG, WEAK, INDENTED, OPEN, PROSE, BLANK = "strong", "weak", "indented", "open", "prose", "blank"
CODE_KINDS: Final = (STRONG, WEAK)
_MAX_LINE_CHARS: Final = 200
"""Characters of a line that are examined."""

_LIST_ITEM = re.compile(r"(?! (?:  )*\*)\s*+(?:[-*+•>|]|\d{1,9}[.)]|[a-z]\))\s")
_PROSE_WORDS = re.compile(r"(?:^|[\s(,:])[A-Za-z][a-z']*+(?:,?\s[a-z']++){3}|\w[.!?]$|[a-z]{2}[,:]$")
_COMMENT_OR_TEXT = re.compile(r"""\s*+(?://|\#|--|/?\*|["'`])""")
_OUTPUT_LINE = re.compile(
    r"""\s*+(?:Traceback\s\(most | at\s\S.*[:(]\S*\d+\)?$ | File\s".*",\sline\s\d | goroutine\s\d
    | panic:\s | thread\s'.*'\spanicked
    | \[?\d{4}-\d\d-\d\d[T\s]\d\d: | \[?\d\d:\d\d:\d\d | \[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL)\b
    | E\s{3} | error(?:\[E\d+\])?:\s | -->\s\S+:\d+:\d+ | \d+\s\| | (?:\w+\.)*\w+(?:Error|Exception):\s | Caused\sby:\s
    | FAILED\s | PASSED\s | \S+:\d+:\d+:\s | ={3,}\s)""",
    re.VERBOSE,
)
_PUNCTUATED = re.compile(r"[;{]$|(?<!\w)\}$|\w\(.*\)[;,]?$|\s=>\s|^\s*+[.@]\w+[({]")
"""What prose seldom has, at the end of a line or at its beginning."""
_SQL_QUERY = re.compile(r"\s*(?:select\s|insert into\s|update\s|delete from\s|create table\s)", re.IGNORECASE)
_NAME_OF_FUNCTION = re.compile(r"\s*+[\w.]+\(\)$")
_PROMPT = re.compile(r"\s*\$\s[a-z./]")


def line_kind(line: str) -> str:
    """Return which kind of line this is: strong or weak sign of code, indented, open, prose or blank."""
    line = line[:_MAX_LINE_CHARS].rstrip()
    if not line or line.isspace():
        return BLANK
    if _OUTPUT_LINE.match(line) or _LIST_ITEM.match(line):
        return PROSE
    sign = sign_of(line)
    if sign.weight > 1 or line.startswith("#!/"):
        return STRONG
    is_indented = line[0] in " \t"
    has_words = sign.is_sentence or _PROSE_WORDS.search(line)
    if has_words and not is_indented and not _COMMENT_OR_TEXT.match(line):
        return PROSE
    if not has_words and (sign.weight or is_closer(line) or _PUNCTUATED.search(line)):
        return WEAK
    return INDENTED if is_indented else OPEN


def is_output_line(line: str) -> bool:
    """Return whether ``line`` is one of a log, a trace or a report."""
    return bool(_OUTPUT_LINE.match(line[:_MAX_LINE_CHARS]))


def is_talk_line(line: str) -> bool:
    """Return whether ``line`` is an item of a list, a quotation or a row of a table."""
    return bool(_LIST_ITEM.match(line[:_MAX_LINE_CHARS]))


def is_code(text: str, *, is_fenced: bool) -> bool:
    """Return whether ``text`` looks like a program; fenced text needs fewer signs."""
    if is_json(text) or text.startswith("#!/") or (is_fenced and (is_yaml(text) or _is_sql_query(text))):
        return True
    kinds = Counter(line_kind(line) for line in text.split("\n"))
    lines = kinds.total() - kinds[BLANK]
    names = sum(bool(_NAME_OF_FUNCTION.match(line)) for line in text.split("\n"))
    strong, weak, prose = kinds[STRONG], kinds[WEAK] - max(0, names - 1), kinds[PROSE]
    if is_fenced:
        return (strong > 0 and prose <= strong + weak) or (weak * 2 >= max(2, lines) and prose * 3 <= weak)
    return strong >= 2 or (strong == 1 and weak > 0) or (weak >= 3 and weak * 3 >= lines * 2)


def is_program_output(text: str) -> bool:
    """Return whether ``text`` is output of programs: a log, a trace, or commands with more output than input."""
    lines = [line[:_MAX_LINE_CHARS] for line in text.split("\n") if line.strip()]
    if not lines:
        return False
    output_lines = sum(bool(_OUTPUT_LINE.match(line)) for line in lines)
    prompt_lines = sum(bool(_PROMPT.match(line)) for line in lines)
    return bool(_OUTPUT_LINE.match(lines[0])) or output_lines * 3 > len(lines) or 0 < prompt_lines * 2 < len(lines)


def _is_sql_query(text: str) -> bool:
    """Return whether ``text`` is lowercase SQL; prose may use the same words but ends differently."""
    text = text.strip().lower()
    is_whole = text.endswith(";") and not any(mark in text for mark in "!?")
    return is_whole and bool(_SQL_QUERY.match(text)) and (not text.startswith("select") or "\nfrom " in text)
