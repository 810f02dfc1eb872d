"""Secrets in code, named by kind and line, never quoted."""

import re
from collections.abc import Iterator
from typing import Final

from seqthink.audit.review import FATAL, Finding
from seqthink.audit.sources import Source
from seqthink.redaction import Found, secrets_in

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
_LONG_WORD: Final = re.compile(r"([\w.-]{500})[\w.-]+")
_LOOSE: Final = ("secret", "login", "cookie", "authorization")
"""Kinds known by the name before the value; the others are known by the value itself."""


def secrets(source: Source) -> list[Finding]:
    """Return where ``source`` holds what nobody but its owner may know."""
    return [
        Finding(
            path=source.path,
            line=source.first_line + found.line - 1,
            comment=f"{_kind(found.kind)} in the code; revoke it and read it from the environment.",
            dimension="security",
            cost=FATAL,
            is_fatal=True,
        )
        for found in _real(source.text)
    ]


def _real(text: str) -> Iterator[Found]:
    for found in secrets_in(_short(text)):
        if not _is_placeholder(found):
            yield found


def _short(text: str) -> str:
    """Return ``text`` without the ends of its longest lines and words, in which a shape is looked for too long."""
    return "\n".join(_LONG_WORD.sub(r"\1", line[:_LONGEST]) for line in text.split("\n"))


def _is_placeholder(found: Found) -> bool:
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
