"""Secrets in code, named by kind and line, never quoted."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from seqthink.audit.review import FATAL, Finding
from seqthink.audit.sources import Source
from seqthink.redaction import FoundSecret, find_secrets

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
_WORDS: Final = re.compile(r"^[A-Za-z]+(?:[-_ .:/][A-Za-z]+)*[:.!?]?$")
"""Names, labels and sentences: a password that reads like these has no shape."""
_TEMPLATE: Final = re.compile(r"\$\{|\{\{|%\(|\{\w*\}|%s|#\{")
_LONGEST: Final = 2000
"""Characters of a line, past which a shape is looked for too long."""
_LONG_WORD: Final = re.compile(r"[\w.-]{200,}")
_WORD: Final = 200
_SHARED: Final = 100
"""Characters that two pieces of a line share: no secret that a shape knows by its beginning falls between them."""
_CHUNK: Final = 16_000
_AFTER: Final = 2000
"""What of the next chunk is shown with one, for a key that goes over its end."""
_LOOSE: Final = ("secret", "login", "cookie", "authorization")
"""Kinds known by the name before the value; the others are known by the value itself."""


def secrets(source: Source) -> list[Finding]:
    """Return where ``source`` holds what nobody but its owner may know."""
    return [
        Finding(
            path=source.path,
            line=source.first_line + row,
            comment=f"{_kind(kind)} in the code; revoke it and read it from the environment.",
            dimension="security",
            cost=FATAL,
            is_fatal=True,
        )
        for row, kind in sorted(set(_real(source.text)))
    ]


def _real(text: str) -> Iterator[tuple[int, str]]:
    """Yield the row and the kind of each secret in ``text``, all of which is looked at, in time to its length."""
    for rows in _chunks([(row, piece) for row, line in enumerate(text.split("\n")) for piece in _pieces(line)]):
        for found in find_secrets("\n".join(piece for _, piece in rows)):
            if not _is_placeholder(found):
                yield rows[found.line - 1][0], found.kind


def _chunks(rows: Sequence[tuple[int, str]]) -> Iterator[Sequence[tuple[int, str]]]:
    """Yield ``rows`` in chunks, each with what follows it."""
    start = 0
    while start < len(rows):
        end = _filled(rows, start, _CHUNK)
        yield rows[start : _filled(rows, end, _AFTER)]
        start = end


def _filled(rows: Sequence[tuple[int, str]], start: int, letters: int) -> int:
    """Return the row before which so many letters, counted from ``start``, are full."""
    while start < len(rows) and letters > 0:
        letters -= len(rows[start][1]) + 1
        start += 1
    return start


def _pieces(line: str) -> Iterator[str]:
    """Yield ``line`` in pieces, and its longest words too: a shape takes time to the square of their length."""
    for part in _windows(line, _LONGEST):
        yield from _LONG_WORD.sub(lambda word: "\n".join(_windows(word[0], _WORD)), part).split("\n")


def _windows(text: str, size: int) -> Iterator[str]:
    for start in range(0, max(1, len(text) - _SHARED), size - _SHARED):
        yield text[start : start + size]


def _is_placeholder(found: FoundSecret) -> bool:
    value = found.text.strip()
    if found.kind == "private key":
        return len(value) < 120
    if found.kind not in _LOOSE:
        return bool(re.search(r"EXAMPLE|x{6}|X{6}|0{8}|(?i:your|example|placeholder)", value))
    return bool(
        _REFERENCE.match(value)
        or _PLACEHOLDER.search(value)
        or _TEMPLATE.search(value)
        or _WORDS.match(value)
        or (found.kind == "secret" and not found.is_quoted)
        or (found.kind == "secret" and not _is_dense(value))
    )


def _is_dense(value: str) -> bool:
    """Return whether ``value`` is one word of many letters: between quotes that belong to others stands code."""
    return not re.search(r"\s|[(){}\[\]]", value) and len(set(value)) >= 5


def _kind(kind: str) -> str:
    return kind[:1].upper() + kind[1:]
