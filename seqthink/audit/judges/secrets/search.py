"""Finds secrets in code; findings name kind and line, never the secret."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.languages import language_of
from seqthink.audit.judges.secrets.shapes import loose_secrets
from seqthink.audit.judges.secrets.values import is_secret, is_strong, is_test_file
from seqthink.audit.review import FATAL, CodeFinding
from seqthink.core.redaction import find_secrets as find_known_secrets

_MAX_LINE_CHARS: Final = 2000
"""Characters per piece of a line; searching longer ones takes too long."""
_LONG_WORD: Final = re.compile(r"[\w.-]{200,}")
_MAX_WORD_CHARS: Final = 200
_OVERLAP_CHARS: Final = 100
"""Characters that neighbouring pieces share, so that no secret is cut in two."""
_CHUNK_CHARS: Final = 16_000
_LOOKAHEAD_CHARS: Final = 2000
"""Characters of the next chunk that are searched with this one, for keys that cross the border."""


def find_secrets(unit: CodeUnit) -> list[CodeFinding]:
    """Return a finding for each secret in ``unit``."""
    return [
        CodeFinding(
            path=unit.path,
            line=unit.first_line + row,
            comment=f"{_capitalised(kind)} in the code; revoke it and read it from the environment.",
            dimension="security",
            cost=FATAL,
            is_fatal=True,
        )
        for row, kind in sorted(dict(_secret_rows(unit)).items())
    ]


def _secret_rows(unit: CodeUnit) -> Iterator[tuple[int, str]]:
    """Yield row and kind of each secret in ``unit``, in linear time."""
    language, is_in_test = language_of(unit), is_test_file(unit.path)
    lines = enumerate(unit.text.split("\n"))
    for rows in _chunks([(row, piece) for row, line in lines for piece in _pieces(line)]):
        text = "\n".join(piece for _, piece in rows)
        if not is_in_test:
            yield from ((rows[number][0], "secret") for number in _loose_rows(text, language))
        for secret in find_known_secrets(text):
            row, line = rows[secret.line - 1]
            if is_secret(secret, line.partition(secret.text)[0], is_in_test=is_in_test):
                yield row, secret.kind


def _loose_rows(text: str, language: str) -> Iterator[int]:
    """Yield the row of each secret in a loose form."""
    for found in loose_secrets(text, language):
        before = text[text.rfind("\n", 0, found.start) + 1 : found.start]
        if is_strong(found.text, before):
            yield text.count("\n", 0, found.start)


def _chunks(rows: Sequence[tuple[int, str]]) -> Iterator[Sequence[tuple[int, str]]]:
    """Yield ``rows`` in chunks, each with the beginning of the next."""
    start = 0
    while start < len(rows):
        end = _end_of_chunk(rows, start, _CHUNK_CHARS)
        yield rows[start : _end_of_chunk(rows, end, _LOOKAHEAD_CHARS)]
        start = end


def _end_of_chunk(rows: Sequence[tuple[int, str]], start: int, max_chars: int) -> int:
    """Return the row (exclusive) at which ``max_chars`` characters, counted from ``start``, are reached."""
    while start < len(rows) and max_chars > 0:
        max_chars -= len(rows[start][1]) + 1
        start += 1
    return start


def _pieces(line: str) -> Iterator[str]:
    """Yield ``line`` in pieces, long words again in pieces: searching takes quadratic time in their length."""
    for part in _windows(line, _MAX_LINE_CHARS):
        yield from _LONG_WORD.sub(lambda word: "\n".join(_windows(word[0], _MAX_WORD_CHARS)), part).split("\n")


def _windows(text: str, size: int) -> Iterator[str]:
    for start in range(0, max(1, len(text) - _OVERLAP_CHARS), size - _OVERLAP_CHARS):
        yield text[start : start + size]


def _capitalised(kind: str) -> str:
    return kind[:1].upper() + kind[1:]
