"""Distinguishes secrets from their stand-ins: placeholders, references, names, types, hashes. Pure.

The contract is docs/audit.md, "Secrets".
"""

import re
from typing import Final

from seqthink.core.redaction import FoundSecret

MIN_STRONG_CHARS: Final = 8
"""A value without quotes, or in a loose form, is a secret from this length on."""
_MIN_FIXTURE_CHARS: Final = 20
"""In a file of tests, a value that only its name makes a secret is one from this length on."""

KINDS_BY_NAME: Final = ("secret", "login", "cookie", "authorization")
"""Kinds recognised by the name before the value; all others by the value itself."""

_REFERENCE: Final = re.compile(
    r"""^(?:[<%{\[(] | &lt; | \$(?:[\w:({]|$)         # a place to fill in, a variable, an expression
    | [\w.]*(?:environ|getenv|process\.env|env\[|secrets?\.|config\.|settings\.|vault|std::env|System\.get|os\.Get)
    | (?:[a-z_]\w*)(?:\.\w+|\(|\[|->|::)           # a member, a call
    | (?:None|null|nil|true|false|undefined|self|this|str|string|String|bytes|Optional|SecretStr)\b
    | (?:arn|ssm|op|ref\+\w+|vault|secretref|secretsmanager|keyvault|gcp|aws|env|file|kms|sops|data|projects)[:/]
    | (?:ENC|CRYPT|DEC|cipher)[\[({:] | secretref | !\w
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"""example|placeholder|change[-_ ]?(?:me|it|this)|replace|redacted|dummy|fake|sample|your[-_ ]?|my[-_ ]|[-_ ]here\b
    | to[-_ ]?do | insert | default | \*{3} | x{3,} | \.{3} | … | 0{8} | 1234567 | abcdef | foo | bar\b | lorem | \btest
    | anonymous | fixme | ^not[-_ ] | \bgenerate | [-_]goes[-_]
    | ^(?:test|secret|password|passwd|passw0rd|p4ssw0rd|pass|pwd|token|key|admin|root|user|guest|none|null|hunter2
      |letmein|qwerty|s3cr3t|correct[ ]horse.*|secret[-_]?key|api[-_]?key|access[-_]?token|bearer|basic|value|string
      |text)\d*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WORD = r"[^\W\d_]+"
_PLAIN_WORDS: Final = re.compile(rf"^_*{_WORD}(?:[-_ .:/]{_WORD})*[:.!?]?$")
"""Names, labels and sentences; a password that looks like them cannot be distinguished."""
_NAME_WITH_NUMBERS: Final = re.compile(r"^[A-Za-z]{2,}\d?(?:[-_./:]+(?:[A-Za-z]{3,}\d?|v?\d{1,3}|[A-Za-z]{1,2}))+$")
"""The name of something: `db-credentials-v1`, `prod/app/2`."""
_RULES_OF_FORMS: Final = re.compile(r"^[a-z_]+(?::[\w,]+)?(?:\|[a-z_]+(?::[\w,]+)?)+$")
"""What Laravel and others demand of a field: `required|min:8`."""
_PATH: Final = re.compile(r"[\w.\\/~-]*/[\w.-]+\.[A-Za-z]{1,5}|(?:~|\.{1,2})?/[\w./-]*(?:/[\w.-]+)+")
"""The path of a file, to which a word like "token" is often the key."""
_ADDRESS: Final = re.compile(r"^[a-z][\w+.-]*://[^\s/@]+(?:/\S*)?$", re.IGNORECASE)
"""An address without a login."""
_NUMBERS: Final = re.compile(
    r"^[\d.,:TZ/+-]+$|^\d+(?:ms|s|m|h|d|w|y|[kKmMgG]i?[bB]?)$|^v?\d+\.\d+[\w.+-]*$|^0x[\da-fA-F]+$"
    r"|^#[\da-fA-F]{3,8}$|^(?:\\x[\da-fA-F]{2})+$"
)
"""A number, a date, a duration, a version, a colour, bytes."""
_HASH: Final = re.compile(
    r"^(?:\$(?:2[aby]|argon2\w*|[156y]|scrypt|pbkdf2[\w-]*)\$|pbkdf2|scrypt:|bcrypt|argon2|\{S?SHA|SCRAM-SHA|sha\d+[-:$]"
    r"|md5[:$]|0x0[12]00)",
    re.IGNORECASE,
)
"""A password that cannot be read back, and other sums."""
_COOKIE_VALUE: Final = re.compile(r"=(?=[^;\s]*\d)[^;\s]{8,}")
"""What a cookie that lets somebody in has, unlike those of examples."""
_TEMPLATE: Final = re.compile(r"\$\{|\$\(|\{\{|%\(|\{\w*\}|%s|%v|%[A-Za-z_]\w*%|#\{|<%|\$[A-Z_]{2,}\b|\\\(|^`")
_NOT_SECRET: Final = (
    "hash|hashed|digest|sum|md5|sha1|sha256|sha512|id|ids|name|names|url|uri|path|file|dir|type|types|ttl|age|expiry|"
    "expires|expiration|length|len|min|max|count|limit|size|policy|field|label|hint|prompt|column|attr|ref|arn|version|"
    "alg|algorithm|format|regex|re|pattern|header|prefix|suffix|class|provider|manager|store|encoder|encoding|validator|"
    "endpoint|scheme|scope|rotation|timeout|enabled|required|env|var|variable|placeholder|title|text|message|error|help|"
    "description|input|selector|kind|rule|rules|index|mode|public|pub"
)
_NOT_SECRET_NAME: Final = re.compile(
    rf"(?:public[-_]?key\w*|(?i:[-_.](?:{_NOT_SECRET}))|(?:{'|'.join(map(str.capitalize, _NOT_SECRET.split('|')))}))"
    r"[\"'`\]]*(?:\s*:\s*[\w&\[\]<>]+)?\W{1,6}$|(?i:public[-_]?key)\w*\W{1,6}$"
)
"""The end of the text before a value whose name says that it is none: `password_hash =`, `tokenUrl:`."""
_TEST_FILE: Final = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|testdata|fixtures?|mocks?|__mocks__|e2e)/|(?:^|/)(?:test_|conftest)[^/]*$"
    r"|(?:[._-](?:test|tests|spec)|Tests?|Spec)\.\w+$"
)
_MAX_BEFORE_CHARS: Final = 200


def is_test_file(path: str) -> bool:
    """Return whether a file is one of tests, in which passwords are made up."""
    return _TEST_FILE.search(path) is not None


def is_secret(secret: FoundSecret, before: str, *, is_in_test: bool = False) -> bool:
    """Return whether a value that has the form of a secret is one.

    Args:
        secret: the value, and how it was found.
        before: its line, up to the value.
        is_in_test: whether it is in a file of tests.
    """
    value = secret.text.strip()
    if secret.kind == "private key":
        return len(value) >= 120
    if secret.kind not in KINDS_BY_NAME:
        return not re.search(r"EXAMPLE|x{6}|X{6}|0{8}|(?i:your|example|placeholder)", value)
    if _stands_for_secret(value) or (is_in_test and not _is_random(value)):
        return False
    if secret.kind == "cookie":
        return _COOKIE_VALUE.search(value) is not None
    if secret.kind == "secret":
        return secret.is_quoted and _is_dense(value) and not _NOT_SECRET_NAME.search(before[-_MAX_BEFORE_CHARS:])
    return secret.kind == "login" or _is_dense(value)


def is_strong(value: str, before: str) -> bool:
    """Return whether a value that has a loose form of a secret is one: it must look like one, too."""
    value = value.strip()
    is_mixed = re.search(r"[^\W\d_]", value) is not None and re.search(r"[\d!#$%^&*+=~?@]", value) is not None
    return (
        is_mixed
        and len(value) >= MIN_STRONG_CHARS
        and _is_dense(value)
        and not _stands_for_secret(value)
        and not _NOT_SECRET_NAME.search(before[-_MAX_BEFORE_CHARS:])
    )


def _stands_for_secret(value: str) -> bool:
    shapes = (_REFERENCE, _PLAIN_WORDS, _NAME_WITH_NUMBERS, _RULES_OF_FORMS, _ADDRESS, _NUMBERS, _HASH)
    return bool(
        any(shape.match(value) for shape in shapes)
        or _PLACEHOLDER.search(value)
        or _TEMPLATE.search(value)
        or _PATH.fullmatch(value)
    )


def _is_dense(value: str) -> bool:
    """Return whether ``value`` is one word of at least five different characters; mismatched quotes enclose code."""
    return not re.search(r"\s|[(){}\[\]]", value) and len(set(value)) >= 5


def _is_random(value: str) -> bool:
    kinds = (r"[a-z]", r"[A-Z]", r"\d")
    return len(value) >= _MIN_FIXTURE_CHARS and all(re.search(kind, value) for kind in kinds)
