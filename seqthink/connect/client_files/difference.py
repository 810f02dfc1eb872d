"""A planned change as a unified diff for a person: secrets left out, controls made visible, long lines cut."""

import re
import sys
from collections.abc import Sequence
from difflib import unified_diff
from typing import Final

from seqthink.connect.client_files.planning import Plan
from seqthink.connect.clients.editing.documents import Syntax, read_document
from seqthink.connect.clients.editing.errors import ConfigTextError
from seqthink.connect.clients.secrets import secrets_in
from seqthink.core.redaction import redact_text
from seqthink.core.text import SafeText, one_line, sanitize

MAX_LINE_CHARS: Final = 240
"""A longer line is cut to what lies around its change: some clients write their file in one line."""
_CONTEXT_LINES: Final = 3
_CONTEXT_CHARS: Final = 60
_REDACTED: Final = '"[redacted]"'
_STRING: Final = r'(?:"(?>(?:[^"\\\n]++|\\.)*)"|\'[^\'\n]*+\')'
_VARIABLE: Final = re.compile(rf'(?<![\w.-])("?(?!SEQTHINK_)[A-Z][A-Z0-9_]*+"?\s*[:=]\s*){_STRING}')
"""An environment variable of another server, and its value, which may be a secret of any shape."""
_SECRET_OPTION: Final = re.compile(
    rf"(?i)([\"']--?[\w-]*?(?:token|key|secret|pass|auth|header)[\w-]*+[\"']\s*,\s*){_STRING}"
)
"""A word of a command line that asks for a secret, and the next word."""
_JSON_STRING: Final = re.compile(r'"(?>(?:[^"\\\n]++|\\.)*)"')
_TOML_STRING: Final = re.compile(
    rf"\"{{3}}(?:[^\\]|\\.)*?\"{{3}}|'{{3}}.*?'{{3}}|{_JSON_STRING.pattern}|'[^'\n]*+'", re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "e": "\x1b"}
_NUMBER: Final = re.compile(r"(?<![\w.\"'-])\d{4,}(?![\w.\"'-])")
_HUNK: Final = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")


def diff_lines(plan: Plan) -> list[SafeText]:
    """Return the lines of the diff, without line breaks; empty if nothing changes."""
    texts = plan.file.data.decode(), (plan.new or b"").decode()
    secrets = _secrets(plan.client.syntax, texts[0]) | _secrets(plan.client.syntax, texts[1])
    old, new = (_lines(_hidden(plan.client.syntax, text, secrets)) for text in texts)
    start, end = _common(old, new)
    start, end = max(0, start - _CONTEXT_LINES), max(0, end - _CONTEXT_LINES)
    before, after = ([redact_text(line) for line in side[start : len(side) - end]] for side in (old, new))
    name = one_line(plan.place.shown)
    from_name, to_name = (
        name if plan.file.exists else f"{name} (new)",
        f"{name} (deleted)" if plan.new is None else name,
    )
    found = unified_diff(before, after, from_name, to_name, n=_CONTEXT_LINES, lineterm="")
    return [sanitize(_moved(line, start).replace("\r", "␍")) for line in _cut(list(found))]


def _lines(text: str) -> list[str]:
    """Return the lines of a text without the values of variables and of options that ask for a secret."""
    text = _VARIABLE.sub(r'\1"[redacted]"', _SECRET_OPTION.sub(r'\1"[redacted]"', text.removeprefix("\ufeff")))
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    # As in any diff: a last line without its line break says so.
    return lines[:-1] if lines[-1] == "" else [*lines[:-1], f"{lines[-1]}\n\\ No newline at end of file"]


def _secrets(syntax: Syntax, text: str) -> frozenset[str]:
    try:
        return secrets_in(read_document(syntax, text).value)
    except ConfigTextError:  # not of a text that was planned
        return frozenset()


def _hidden(syntax: Syntax, text: str, secrets: frozenset[str]) -> str:
    """Return a text without those of its strings and numbers that are secrets, however they are written."""
    if not secrets:
        return text
    strings = _TOML_STRING if syntax == "toml" else _JSON_STRING
    text = strings.sub(lambda found: _redacted(found[0]) if _meaning(found[0]) in secrets else found[0], text)
    return _NUMBER.sub(lambda found: _REDACTED if found[0] in secrets else found[0], text)


def _redacted(literal: str) -> str:
    """Return the replacement of a secret, on as many lines, so that those after it keep their numbers."""
    return _REDACTED + literal.count("\n") * "\n"


def _meaning(literal: str) -> str:
    """Return what a string literal of JSON or TOML says."""
    marks = 3 if literal[:3] in {'"""', "'''"} and len(literal) > 5 else 1
    inner = literal[marks:-marks]
    if marks == 3:
        inner = inner.removeprefix("\r").removeprefix("\n").replace("\r\n", "\n")
    return inner if literal[0] == "'" or "\\" not in inner else _ESCAPE.sub(_unescaped, inner)


def _unescaped(found: re.Match[str]) -> str:
    short, long, sign = found.groups()
    if sign is not None:
        return _ESCAPED.get(sign, sign)
    code = int(short or long, 16)
    return chr(code) if code <= sys.maxunicode else found[0]


def _common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how many lines at the beginning and at the end are the same, so that only the rest is compared."""
    shorter = min(len(old), len(new))
    start = next((place for place in range(shorter) if old[place] != new[place]), shorter)
    rest = shorter - start
    end = next((place for place in range(rest) if old[-1 - place] != new[-1 - place]), rest)
    return start, end


def _cut(lines: Sequence[str]) -> list[str]:
    """Return the lines of a diff with the long ones cut."""
    removed, added = ([line[1:] for line in lines[2:] if line.startswith(sign)] for sign in "-+")
    same = _same_chars(removed[0], added[0]) if removed and added else 0
    first = max(0, same - _CONTEXT_CHARS)
    return [*lines[:2], *(_cut_line(line, first if line[0] in "-+" else 0) for line in lines[2:])]


def _same_chars(one: str, other: str) -> int:
    """Return how many characters at the beginning of two lines are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _cut_line(line: str, first: int) -> str:
    sign, text = line[0], line[1:]
    if len(text) <= MAX_LINE_CHARS:
        return line
    shown = text[first : first + MAX_LINE_CHARS]
    return f"{sign}{'…' if first else ''}{shown}{'…' if first + MAX_LINE_CHARS < len(text) else ''}"


def _moved(line: str, lines: int) -> str:
    """Return a line of the diff with the places in its hunk's head counted from the beginning of the file."""
    head = _HUNK.fullmatch(line)
    if head is None:
        return line
    old, old_count, new, new_count = head.groups(default="")
    return f"@@ -{int(old) + lines}{old_count} +{int(new) + lines}{new_count} @@"
