"""Checks syntax with the standard library: of Python and JSON where no grammars are installed, of TOML always."""

import ast
import json
import re
import sys
import tomllib
import warnings
from collections.abc import Callable, Mapping
from typing import Final, Never

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.parsing import MAX_WRAPPED_CHARS, is_template
from seqthink.audit.judges.pseudocode import must_parse
from seqthink.audit.judges.snippet_wrapping import wrappings
from seqthink.audit.review import FATAL, CodeFinding
from seqthink.audit.unread_lines import NO_GRAMMAR, TOO_COMPLEX, UnreadLines, all_unread
from seqthink.core.redaction import quote_safely

_LINE_REFERENCE: Final = re.compile(r" \(detected at line \d+\)| on line \d+")
"""Line numbers in Python's messages, which count differently from findings."""
_MAX_COMMENT_CHARS: Final = 160
SYNTAX_ONLY_LANGUAGES: Final = ("json", "toml")
"""Languages with only their syntax judged, so the standard library is enough."""
_TOML_PLACE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_BLANK: Final = re.compile(r"\s*")


class _InvalidCodeError(Exception):
    """Invalid code; ``row`` counts from 0."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row = row


def check_with_stdlib(unit: CodeUnit, language: str) -> tuple[list[CodeFinding], list[UnreadLines]]:
    """Return the syntax error in ``unit``, if there is one, and the lines that could not be judged."""
    check = _CHECKERS.get(language)
    if check is None:
        return [], [all_unread(unit, NO_GRAMMAR)]
    first_error: _InvalidCodeError | None = None
    for wrapping in wrappings(language, unit.text, may_wrap=len(unit.text) <= MAX_WRAPPED_CHARS):
        try:
            check(wrapping.text)
        except _InvalidCodeError as error:
            first_error = first_error or error
        except (RecursionError, MemoryError):
            return [], [all_unread(unit, TOO_COMPLEX)]
        else:
            return [], []
    assert first_error is not None, "a text is read at least as it is, and that is tried first"
    if (language != "python" and is_template(unit.text)) or not must_parse(unit):
        return [], [all_unread(unit, f"it cannot be read as {language}")]
    reason = quote_safely(_LINE_REFERENCE.sub("", str(first_error)), _MAX_COMMENT_CHARS).rstrip(".")
    comment = f"Syntax error: {reason}; correct it."
    line = min(unit.first_line + first_error.row, unit.last_line)
    return [CodeFinding(path=unit.path, line=line, comment=comment, cost=FATAL, is_fatal=True)], []


def is_python(text: str) -> bool:
    """Return whether Python itself parses ``text`` as it is."""
    try:
        _check_python(text)
    except (_InvalidCodeError, RecursionError, MemoryError):
        return False
    return True


def _check_python(text: str) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        version = ".".join(map(str, sys.version_info[:2]))
        raise _InvalidCodeError((error.lineno or 1) - 1, f"{error.msg} (Python {version})") from None
    except ValueError as error:
        raise _InvalidCodeError(0, str(error)) from None


def _check_json(text: str) -> None:
    """Check JSON values one after another, as in JSON Lines files."""
    at = _skip_blanks(text, 0)
    try:
        while at < len(text):
            _, end = _JSON.raw_decode(text, at)
            at = _skip_blanks(text, end)
    except json.JSONDecodeError as error:
        raise _InvalidCodeError(error.lineno - 1, error.msg) from None


def _check_toml(text: str) -> None:
    """Check a TOML document; of a part of one, too, every line must be sound."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        row = int(place[1]) - 1 if place and place[1] else text.rstrip().count("\n")
        raise _InvalidCodeError(row, _TOML_PLACE.sub("", str(error))) from None
    except ValueError:
        raise _InvalidCodeError(0, "A number has too many digits") from None


def _skip_blanks(text: str, offset: int) -> int:
    """Return the offset of the next character that is not blank."""
    match = _BLANK.match(text, offset)
    return match.end() if match else offset


def _reject_constant(name: str) -> Never:
    raise json.JSONDecodeError(f"{name} is not a value", "", 0)


_JSON: Final = json.JSONDecoder(parse_constant=_reject_constant, parse_int=len, parse_float=len)
_CHECKERS: Final[Mapping[str, Callable[[str], None]]] = {
    "python": _check_python,
    "json": _check_json,
    "toml": _check_toml,
}
