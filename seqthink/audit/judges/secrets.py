"""Secrets in code, named by kind and line, never quoted."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.review import FATAL, CodeFinding
from seqthink.redaction import FoundSecret
from seqthink.redaction import find_secrets as find_known_secrets

_REFERENCE: Final = re.compile(
    r"""^(?:[<$%{\[(]                              # a place to fill in, a variable, an expression
    | [\w.]*(?:environ|getenv|process\.env|env\[|secrets?\.|config\.|settings\.|vault|std::env|System\.get|os\.Get)
    | (?:[a-z_]\w*)(?:\.\w+|\(|\[|->|::)           # a member, a call
    | (?:None|null|nil|true|false|undefined|self|this|str|string|String|bytes|Optional|SecretStr)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"""example|placeholder|change[-_ ]?(?:me|it|this)|replace|redacted|dummy|fake|sample|your[-_ ]?|my[-_ ]|[-_ ]here\b
    | to[-_ ]?do | insert | default | \*{3} | x{3,} | \.{3} | … | 0{8} | 1234567 | abcdef | foo | bar\b | lorem | \btest
    | ^(?:test|secret|password|passwd|pass|pwd|token|key|admin|root|user|guest|none|null|hunter2|letmein|qwerty|s3cr3t
      |correct[ ]horse.*|secret[-_]?key|api[-_]?key|access[-_]?token|bearer|basic|value|string|text)\d*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN_WORDS: Final = re.compile(r"^[A-Za-z]+(?:[-_ .:/][A-Za-z]+)*[:.!?]?$")
"""Names, labels and sentences: a password that reads like these has no shape."""
_TEMPLATE: Final = re.compile(r"\$\{|\{\{|%\(|\{\w*\}|%s|#\{")
_MAX_LINE_CHARS: Final = 2000
"""Characters of a line, past which a shape is looked for too long."""
_LONG_WORD: Final = re.compile(r"[\w.-]{200,}")
_MAX_WORD_CHARS: Final = 200
_OVERLAP_CHARS: Final = 100
"""Characters that two pieces of a line share: no secret that a shape knows by its beginning falls between them."""
_CHUNK_CHARS: Final = 16_000
_LOOKAHEAD_CHARS: Final = 2000
"""What of the next chunk is shown with one, for a key that goes over its end."""
_KINDS_BY_NAME: Final = ("secret", "login", "cookie", "authorization")
"""Kinds known by the name before the value; the others are known by the value itself."""


def find_secrets(unit: CodeUnit) -> list[CodeFinding]:
    """Return where ``source`` holds what nobody but its owner may know."""
    return [
        CodeFinding(
            path=unit.path,
            line=unit.first_line + row,
            comment=f"{_capitalised(kind)} in the code; revoke it and read it from the environment.",
            dimension="security",
            cost=FATAL,
            is_fatal=True,
        )
        for row, kind in sorted(set(_secret_rows(unit.text)))
    ]


def _secret_rows(text: str) -> Iterator[tuple[int, str]]:
    """Yield the row and the kind of each secret in ``text``, all of which is looked at, in time to its length."""
    for rows in _chunks([(row, piece) for row, line in enumerate(text.split("\n")) for piece in _pieces(line)]):
        for found in find_known_secrets("\n".join(piece for _, piece in rows)):
            if not _is_placeholder(found):
                yield rows[found.line - 1][0], found.kind


def _chunks(rows: Sequence[tuple[int, str]]) -> Iterator[Sequence[tuple[int, str]]]:
    """Yield ``rows`` in chunks, each with what follows it."""
    start = 0
    while start < len(rows):
        end = _end_of_chunk(rows, start, _CHUNK_CHARS)
        yield rows[start : _end_of_chunk(rows, end, _LOOKAHEAD_CHARS)]
        start = end


def _end_of_chunk(rows: Sequence[tuple[int, str]], start: int, max_chars: int) -> int:
    """Return the row before which so many letters, counted from ``start``, are full."""
    while start < len(rows) and max_chars > 0:
        max_chars -= len(rows[start][1]) + 1
        start += 1
    return start


def _pieces(line: str) -> Iterator[str]:
    """Yield ``line`` in pieces, and its longest words too: a shape takes time to the square of their length."""
    for part in _windows(line, _MAX_LINE_CHARS):
        yield from _LONG_WORD.sub(lambda word: "\n".join(_windows(word[0], _MAX_WORD_CHARS)), part).split("\n")


def _windows(text: str, size: int) -> Iterator[str]:
    for start in range(0, max(1, len(text) - _OVERLAP_CHARS), size - _OVERLAP_CHARS):
        yield text[start : start + size]


def _is_placeholder(found: FoundSecret) -> bool:
    value = found.text.strip()
    if found.kind == "private key":
        return len(value) < 120
    if found.kind not in _KINDS_BY_NAME:
        return bool(re.search(r"EXAMPLE|x{6}|X{6}|0{8}|(?i:your|example|placeholder)", value))
    return bool(
        _REFERENCE.match(value)
        or _PLACEHOLDER.search(value)
        or _TEMPLATE.search(value)
        or _PLAIN_WORDS.match(value)
        or (found.kind == "secret" and not found.is_quoted)
        or (found.kind == "secret" and not _is_dense(value))
    )


def _is_dense(value: str) -> bool:
    """Return whether ``value`` is one word of many letters: between quotes that belong to others stands code."""
    return not re.search(r"\s|[(){}\[\]]", value) and len(set(value)) >= 5


def _capitalised(kind: str) -> str:
    return kind[:1].upper() + kind[1:]
