"""Finds secrets in code; findings name kind and line, never the secret."""

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
    | anonymous
    | ^(?:test|secret|password|passwd|pass|pwd|token|key|admin|root|user|guest|none|null|hunter2|letmein|qwerty|s3cr3t
      |correct[ ]horse.*|secret[-_]?key|api[-_]?key|access[-_]?token|bearer|basic|value|string|text)\d*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN_WORDS: Final = re.compile(r"^[A-Za-z]+(?:[-_ .:/][A-Za-z]+)*[:.!?]?$")
"""Names, labels and sentences; a password that looks like them cannot be told apart."""
_PATH: Final = re.compile(r"[\w.\\/-]*/[\w.-]+\.[A-Za-z]{1,5}")
"""The path of a file, to which a word like "token" is often the key."""
_COOKIE_VALUE: Final = re.compile(r"=(?=[^;\s]*\d)[^;\s]{8,}")
"""What a cookie that lets somebody in has, unlike those of examples."""
_PUBLIC: Final = re.compile(r"public[-_]?key\w*\W{1,6}$", re.IGNORECASE)
"""A name before the value: this is no secret."""
_TEMPLATE: Final = re.compile(r"\$\{|\{\{|%\(|\{\w*\}|%s|#\{")
_MAX_LINE_CHARS: Final = 2000
"""Characters per piece of a line; searching longer ones takes too long."""
_LONG_WORD: Final = re.compile(r"[\w.-]{200,}")
_MAX_WORD_CHARS: Final = 200
_OVERLAP_CHARS: Final = 100
"""Characters that neighbouring pieces share, so that no secret is cut in two."""
_CHUNK_CHARS: Final = 16_000
_LOOKAHEAD_CHARS: Final = 2000
"""Characters of the next chunk that are searched with this one, for keys that cross the border."""
_KINDS_BY_NAME: Final = ("secret", "login", "cookie", "authorization")
"""Kinds recognised by the name before the value; all others by the value itself."""


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
        for row, kind in sorted(set(_secret_rows(unit.text)))
    ]


def _secret_rows(text: str) -> Iterator[tuple[int, str]]:
    """Yield row and kind of each secret in ``text``, in linear time."""
    for rows in _chunks([(row, piece) for row, line in enumerate(text.split("\n")) for piece in _pieces(line)]):
        for secret in find_known_secrets("\n".join(piece for _, piece in rows)):
            row, line = rows[secret.line - 1]
            is_public = secret.kind == "secret" and _PUBLIC.search(line.partition(secret.text)[0])
            if not is_public and not _is_placeholder(secret):
                yield row, secret.kind


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


def _is_placeholder(secret: FoundSecret) -> bool:
    value = secret.text.strip()
    if secret.kind == "private key":
        return len(value) < 120
    if secret.kind not in _KINDS_BY_NAME:
        return bool(re.search(r"EXAMPLE|x{6}|X{6}|0{8}|(?i:your|example|placeholder)", value))
    return bool(
        _REFERENCE.match(value)
        or _PLACEHOLDER.search(value)
        or _TEMPLATE.search(value)
        or _PLAIN_WORDS.match(value)
        or _PATH.fullmatch(value)
        or (secret.kind == "secret" and not (secret.is_quoted and _is_dense(value)))
        or (secret.kind == "cookie" and not _COOKIE_VALUE.search(value))
    )


def _is_dense(value: str) -> bool:
    """Return whether ``value`` is one word of at least five different characters; mismatched quotes enclose code."""
    return not re.search(r"\s|[(){}\[\]]", value) and len(set(value)) >= 5


def _capitalised(kind: str) -> str:
    return kind[:1].upper() + kind[1:]
