"""What Python itself can read: Python's syntax and JSON's, where the grammars are not installed."""

import ast
import json
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Final, Never

from seqthink.audit.judges.fragments import ways
from seqthink.audit.judges.reading import MOST_TRIED, is_template
from seqthink.audit.judges.sketches import has_to_be_right
from seqthink.audit.review import FATAL, Finding
from seqthink.audit.sources import Source
from seqthink.audit.telling import told
from seqthink.audit.unread import NO_GRAMMAR, TOO_MUCH, Unread, all_of

_ELSEWHERE: Final = re.compile(r" \(detected at line \d+\)| on line \d+")
"""Lines as the message numbers them, which is not as findings are."""
_WIDTH: Final = 160
WHOLLY: Final = ("json",)
"""Languages of which nothing but the syntax is judged anyway."""
_BLANK: Final = re.compile(r"\s*")


class _WrongError(Exception):
    """The code is none of its language: on which row, from 0, and why."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row = row


def read_plainly(source: Source, language: str) -> tuple[list[Finding], list[Unread]]:
    """Return where ``source`` breaks the syntax of ``language``, and what of it could not be read."""
    check = _CHECKS.get(language)
    if check is None:
        return [], [all_of(source, NO_GRAMMAR)]
    wrong: _WrongError | None = None
    for way in ways(language, source.text, may_vary=len(source.text) <= MOST_TRIED):
        try:
            check(way.text)
        except _WrongError as error:
            wrong = wrong or error
        except (RecursionError, MemoryError):
            return [], [all_of(source, TOO_MUCH)]
        else:
            return [], []
    assert wrong is not None, "a text is read at least as it is, and that is tried first"
    if (language != "python" and is_template(source.text)) or not has_to_be_right(source):
        return [], [all_of(source, f"it cannot be read as {language}")]
    comment = f"Syntax error: {told(_ELSEWHERE.sub('', str(wrong)), _WIDTH).rstrip('.')}; correct it."
    line = min(source.first_line + wrong.row, source.last_line)
    return [Finding(path=source.path, line=line, comment=comment, cost=FATAL, is_fatal=True)], []


def _check_python(text: str) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        version = ".".join(map(str, sys.version_info[:2]))
        raise _WrongError((error.lineno or 1) - 1, f"{error.msg} (Python {version})") from None
    except ValueError as error:
        raise _WrongError(0, str(error)) from None


def _check_json(text: str) -> None:
    """Take one value after another, as files of records have them."""
    at = _after(text, 0)
    try:
        while at < len(text):
            _, end = _JSON.raw_decode(text, at)
            at = _after(text, end)
    except json.JSONDecodeError as error:
        raise _WrongError(error.lineno - 1, error.msg) from None


def _after(text: str, at: int) -> int:
    """Return where what is no blank goes on."""
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _constant(name: str) -> Never:
    raise json.JSONDecodeError(f"{name} is no value", "", 0)


_JSON: Final = json.JSONDecoder(parse_constant=_constant, parse_int=len, parse_float=len)
_CHECKS: Final[Mapping[str, Callable[[str], None]]] = {"python": _check_python, "json": _check_json}
