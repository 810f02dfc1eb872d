"""Replaces secrets of well-known shapes in what is shown; the journal itself is not changed.

A shape is a regular expression. Those of services are from detect-secrets; those of keys, logins and assignments are
our own, because redaction must match the whole secret, where a scanner needs only its beginning. A secret that looks
like an ordinary word is not found.
"""

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, cast

import msgspec

from seqthink.core.events import Event, UnknownEvent
from seqthink.core.text import one_line, split_pieces

_PLUGINS: Final = {
    "artifactory.ArtifactoryDetector": ("AKC", "AP"),
    "aws.AWSKeyDetector": ("A3T", "ABIA", "ACCA", "AKIA", "ASIA", "aws"),
    "azure_storage_key.AzureStorageKeyDetector": ("AccountKey=",),
    "cloudant.CloudantDetector": ("cloudant",),
    "discord.DiscordBotTokenDetector": (".",),
    "github_token.GitHubTokenDetector": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "gitlab_token.GitLabTokenDetector": (
        "glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "GR1348941", "glcbt-", "glimt-", "glptt-", "glagent-", "gloas-",
    ),
    "mailchimp.MailchimpDetector": ("-us",),
    "pypi_token.PypiTokenDetector": ("pypi-",),
    "sendgrid.SendGridDetector": ("SG.",),
    "slack.SlackDetector": ("xox", "hooks.slack.com"),
    "square_oauth.SquareOAuthDetector": ("sq0csp-",),
    "stripe.StripeDetector": ("k_live_",),
    "telegram_token.TelegramBotTokenDetector": (":",),
    "twilio.TwilioKeyDetector": ("AC", "SK"),
}  # fmt: skip
"""Detectors of detect-secrets, each with its words: a text with such a secret has at least one of them."""
_SLOW_PART: Final = "(?: *)"
"""In those shapes of the listed detectors that take quadratic time; ``_OWN_SHAPES`` replaces them.

The library's detectors for IBM, npm and OpenAI have no other shapes, so they are not listed.
"""

_SECRET_WORDS: Final = ("pass", "pwd", "secret", "token", "key", "credential")
# It begins with a set of letters, which makes the search ten times as fast.
_KEYWORD = (
    r"(?:[pPsSſtTaAcC](?i:(?<=p)(?:assword|asswd|assphrase|wd|rivate[ _-]?key)|(?<=s)ecret|(?<=t)oken(?!s)"
    r"|(?<=a)(?:pi|ccess)[ _-]?key|(?<=c)redentials?))"
)
# Match a name from its last keyword on: otherwise each keyword in a name would be tried up to the end of the name.
_NAME = rf"{_KEYWORD}(?>(?:(?!{_KEYWORD})[\w.-])*)(?![\w.-])"
_QUOTE_CLASS = r"[\"'`*_\]]"
"""Characters that Markdown and code put around a name or a value."""
_PEM = r"-----{} [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_EQUALS = r"[\"']?\]?(?: *+(?:[:=]=?|=>|::)| ) *+[\"']?"
# Applied first: a replacement by another shape inside of a key would split it.
_PRIVATE_KEY_SHAPE: Final = (
    "private key",
    ("-----BEGIN ",),
    rf"(?s:{_PEM.format('BEGIN')}(?:.*?{_PEM.format('END')}|.*\Z))",
)
# Each takes linear time for any text: every part that can be long is possessive, or bounded, or ends where the same
# shape may begin again.
_OWN_SHAPES: Final = (
    ("IBM Cloud IAM Key", ("key", "pwd", "pass", "token"),
     r"(?i:(?<!\w)[_-]?(?:(?:ibm|cloud|iam)[_-]?){0,3}(?:api[_-]?)?(?:key|pwd|password|pass|token)"
     rf"{_EQUALS}(?P<secret>[a-z0-9_-]{{44}}(?![a-z0-9_-])))"),
    ("Cloudant Credentials", ("cl",),
     r"(?i:(?<!\w)(?:cloudant|clou|cl)[_-]?(?:api)?(?:key|pwd|password|pass|pw|token)"
     rf"{_EQUALS}(?P<secret>[0-9a-f]{{64}}|[a-z]{{24}}))"),
    ("NPM tokens", ("_authToken=",), r"(?<=/:)_authToken=\s*+(?P<secret>(?:npm_.|[A-Fa-f0-9-]{36}).*)"),
    ("OpenAI Token", ("T3BlbkFJ",),
     r"(?<![A-Za-z0-9_-])(?>[A-Za-z0-9_-]*?(?=sk-))"
     r"(?P<secret>sk-[A-Za-z0-9_-]*[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})"),
    ("web token", ("eyJ",),
     r"\beyJ(?>(?:(?!\beyJ)[A-Za-z0-9_-]){8,})\.[A-Za-z0-9_=-]{4,}(?:\.[A-Za-z0-9_=-]*)?"),
    ("Anthropic key", ("sk-ant-",), r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    ("OpenAI key", ("sk-",), r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}"),
    ("GitHub token", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{22,}"),
    ("Google key", ("AIza", "ya29."), r"\b(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,})"),
    ("Hugging Face token", ("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),
    ("npm token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}"),
    ("DigitalOcean token", ("_v1_",), r"\bdo[opr]_v1_[a-f0-9]{64}"),
    ("age key", ("AGE-SECRET-KEY-1",), r"\bAGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    ("Slack token", ("xapp-",), r"\bxapp-\d-[A-Za-z0-9-]{20,}"),
    ("login", ("://",), r"://[^\s/:@]*:(?P<secret>[^\s/@]++)@"),
    ("login", ("curl",),
     r"\bcurl\b(?:(?!\bcurl\b)[^\n])*?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']+:(?P<secret>[^\s\"']+)"),
    ("login", ("mysql",), r"\bmysql\w*\b(?:(?!\bmysql)[^\n])*?\s-p(?P<secret>[^\s\"']{3,})"),
    ("cookie", ("cookie:",),
     r"(?i:\b(?:set-)?cookie:\s*+(?P<secret>(?>(?:(?!\bcookie:)[^\s=;])+)=[^\n\"'`]+))"),
    ("authorization", ("bearer", "basic"), r"(?i:\b(?:bearer|basic)\s++)(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)"),
    # What is assigned to a name like "password" in settings, code or prose: a string, or the text up to the next blank.
    (
        "secret",
        _SECRET_WORDS,
        rf"{_NAME}{_QUOTE_CLASS}*+\s*+(?::=|=>|[=:]){_QUOTE_CLASS}*\s*[\"'`](?P<secret>[^\"'`\n]{{3,}})",
    ),
    ("secret", _SECRET_WORDS, rf"{_NAME}{_QUOTE_CLASS}*+\s*+:?=\s*+(?P<secret>(?![=>\"'`$<{{(\[])[^\s\"'`,;)]{{4,}})"),
    ("secret", ("--",),
     r"(?<![\w-])(?>[\w-]*?--)[\w-]*+"
     r"(?i:(?<=password)|(?<=passwd)|(?<=secret)|(?<=token)|(?<=api-key)|(?<=apikey))"
     r"\s++[\"']?(?P<secret>[^\s\"'`-][^\s\"'`]{3,})"),
    # Prose, too, follows a colon or is in the next column: match only what does not look like a word.
    ("secret", _SECRET_WORDS,
     rf"{_NAME}{_QUOTE_CLASS}*+\s*+[:|]{_QUOTE_CLASS}{{0,64}}\s*+(?P<secret>(?=[^\s\"'`,;|]{{0,200}}\d)[^\s\"'`,;|)\[]{{8,}})"),
)  # fmt: skip
_SECRET_NAME = re.compile(rf"[\w.-]*?{_NAME}")
_REDACTED = "[redacted "
_AGENT_IDS: Final = frozenset({"agent", "id", "parent"})
"""Fields with ids of agents: two different ids must still differ after redaction."""
_OWN_FIELDS: Final = frozenset({"time", "type"})
_OWN_VALUE = re.compile(r"[a-z-]{1,32}|[-0-9T:.]{1,40}Z")
"""What these fields hold in each line: a type and a time are not secrets."""
_ALREADY_REDACTED = re.compile(r"\[redacted(?: [^\]]*\]?)?")
_MAX_DEPTH = 100
"""Levels to which nested objects and lists are redacted; deeper ones are left out."""
_HINT_WORDS: Final = (*_SECRET_WORDS, "bearer", "basic", "cookie", "curl", "mysql")
_LONG_TOKEN = re.compile(r"[A-Za-z0-9_+/=.:-]{16}")
_LOGIN = re.compile(r"://[^\s/]*@")
"""A text without any of these words, long tokens and logins holds no secret."""
_LETTER = re.compile(r"[A-Za-z0-9]")
_MAY_CONTINUE = re.compile(
    rf"(?:{_KEYWORD}[\w.-]*{_QUOTE_CLASS}*\s*(?::=|=>|[=:|])?{_QUOTE_CLASS}*|(?i:bearer|basic|cookie:))\s*\Z|(?i:curl|mysql)"
)
"""End of a line at which a secret may have begun that the next line completes."""
_KEY_BEGIN, _KEY_END = (re.compile(_PEM.format(end)) for end in ("BEGIN", "END"))
_MAX_KEY_HEADER_CHARS: Final = 1000
"""Maximal length of the BEGIN and END lines of a private key."""
_MAX_CACHED_CHARS: Final = 64 << 10
"""Texts up to this length have their redacted form cached."""
_BLOCK_CHARS = 64 << 10
"""Characters of a long text that are redacted, or searched for words, at a time."""
_MAX_LINES_TRIED, _MAX_SPLIT_LINE_CHARS = 100, 1000
"""How many of the last lines of a block are tried as the end of it, and how long such a line may be."""
MAX_QUOTE_CHARS: Final = 300
_QUOTE_SCAN_FACTOR: Final = 4
"""How far beyond the limit a quoted text is searched for secrets, so that cutting does not hide the end of one."""
_MAX_WORD_CHARS = 40
"""Overlap of two blocks that are searched: no word is longer."""


@lru_cache(maxsize=64)
def _redact_short(text: str) -> str:
    return _redact_whole(text)


def redact_text(text: str) -> str:
    """Return ``text`` with each secret replaced by its kind: ``[redacted GitHub token]``."""
    return _redact_short(text) if len(text) <= _MAX_CACHED_CHARS else _redact_whole(text)


def load_shapes() -> None:
    """Load the shapes of secrets now; else the first text that may hold one waits for them."""
    _shapes()


def quote_safely(text: str, max_chars: int = MAX_QUOTE_CHARS) -> str:
    """Return the beginning of an untrusted text on one line, without control characters and secrets."""
    clean = redact_text(one_line(text[: max_chars * _QUOTE_SCAN_FACTOR + 1000]))
    return clean if len(clean) <= max_chars else clean[: max_chars - 1] + "…"


def _redact_whole(text: str) -> str:
    for kind, shape in _shapes_for(text):
        text = shape.sub(lambda match, kind=kind: _replacement(match, kind), text)
    return text


def redact_pieces(pieces: Iterable[str], block_chars: int = _BLOCK_CHARS) -> Iterator[str]:
    """Yield a text that comes in ``pieces`` redacted, in pieces: joined they equal `redact_text` of the whole.

    Little of the text is held in memory, except for a huge line. It is split after lines that no secret extends beyond,
    and inside of private keys, which are dropped anyway.
    """
    held, enough = "", block_chars
    is_inside_key = False
    for piece in pieces:
        held += piece
        if is_inside_key:
            held, is_inside_key = _after_key(held)
        if is_inside_key or len(held) < enough:
            continue
        cut = _safe_cut(held)
        begun = _unfinished_key(held[:cut])
        if begun is not None:
            yield from split_pieces(redact_text(held[:begun]))
            yield f"{_REDACTED}private key]"
            held, is_inside_key = _after_key(held[begun:])
            enough = block_chars
        elif cut:
            yield from split_pieces(redact_text(held[:cut]))
            held, enough = held[cut:], block_chars
        else:
            enough = 2 * len(held)
    if not is_inside_key:
        yield from split_pieces(redact_text(held))


def _after_key(text: str) -> tuple[str, bool]:
    """Return the text after the end of a private key, and whether it is still inside the key.

    Inside the key the text returned is the end of ``text``, in which the END line may have begun.
    """
    end = _KEY_END.search(text)
    return (text[end.end() :], False) if end else (text[-_MAX_KEY_HEADER_CHARS:], True)


def _safe_cut(text: str) -> int:
    """Return where ``text`` can be split: after the last line that no secret extends beyond, or 0.

    Names and secrets contain no line break, and there are no letters between a name and its secret.
    """
    end = text.rfind("\n")
    for _ in range(_MAX_LINES_TRIED):
        start = text.rfind("\n", 0, end) + 1
        if end <= 0 or not start:
            return 0
        if (
            end - start < _MAX_SPLIT_LINE_CHARS
            and _LETTER.search(text, start, end)
            and not _MAY_CONTINUE.search(text[start:end])
        ):
            return end + 1
        end = start - 1
    return 0


def _unfinished_key(text: str) -> int | None:
    """Return the start of a private key whose end is not in ``text``, or None."""
    start = 0
    while begin := _KEY_BEGIN.search(text, start):
        end = _KEY_END.search(text, begin.end())
        if end is None:
            return begin.start()
        start = end.end()
    return None


MAX_SECRETS: Final = 200
"""How many secrets of a text are reported."""


class FoundSecret(NamedTuple):
    """A secret in a text."""

    kind: str
    """What it is, in words."""
    line: int
    """Number of its line in the text, from 1."""
    text: str
    """The secret."""
    is_quoted: bool
    """Whether it is in quotation marks."""


def find_secrets(text: str) -> list[FoundSecret]:
    """Return the secrets in ``text`` in order, each by the first shape that matches it, at most ``MAX_SECRETS``."""
    found: dict[tuple[int, int], str] = {}
    for kind, shape in _shapes_for(text):
        for match in shape.finditer(text):
            start, end = match.span("secret" if "secret" in shape.groupindex else 0)
            if len(found) == MAX_SECRETS:
                break
            if not any(start < last and first < end for first, last in found):
                found[start, end] = kind
    return [
        FoundSecret(
            kind, text.count("\n", 0, start) + 1, text[start:end], text[max(0, start - 1) : start] in tuple("\"'`")
        )
        for (start, end), kind in sorted(found.items())
    ]


def _may_hold_secret(text: str) -> bool:
    """Return whether ``text`` may hold a secret: a quick test that rules out most prose."""
    lowered = text.lower()
    return any(word in lowered for word in _HINT_WORDS) or bool(_LONG_TOKEN.search(text) or _LOGIN.search(text))


def _shapes_for(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the (kind, shape) pairs that may match in ``text``: those with one of their words in it."""
    if len(text) <= _BLOCK_CHARS and not _may_hold_secret(text):
        return
    words, shapes = _shapes()
    found: set[str] = set()
    for start in range(0, len(text), _BLOCK_CHARS):
        block = text[start : start + _BLOCK_CHARS + _MAX_WORD_CHARS]
        lowered = block.lower()
        found |= {word for word in words - found if word in (lowered if word.islower() else block)}
    for kind, own, shape in shapes:
        if not found.isdisjoint(own):
            yield kind, shape


def _replacement(match: re.Match[str], kind: str) -> str:
    """Return the replacement of a match; of an assignment, only the value is replaced."""
    is_part = "secret" in match.re.groupindex
    if is_part and _ALREADY_REDACTED.fullmatch(match["secret"]):
        return match[0]
    start, end = match.span("secret" if is_part else 0)
    whole = match.string
    return f"{whole[match.start() : start]}{_REDACTED}{kind}]{whole[end : match.end()]}"


def _redacted(value: Any, depth: int = 0) -> Any:  # noqa: ANN401, PLR0911 - any field of an event, one return a kind
    """Return ``value`` without secrets; the same object if it holds none.

    Objects and lists nested deeper than ``_MAX_DEPTH`` are left out; ``depth`` is the current one.
    """
    if isinstance(value, str):
        clean = redact_text(value)
        return value if clean == value else clean
    if depth > _MAX_DEPTH:
        return f"{_REDACTED}nested too deeply]" if isinstance(value, dict | list | tuple) else value
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.asdict(value)
        changed = {
            name: _with_hash(clean, item) if name in _AGENT_IDS else clean
            for name, item in fields.items()
            if (clean := _redacted(item)) is not item
        }
        return msgspec.structs.replace(value, **changed) if changed else value
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return _original_if_equal(
            table, {_redacted(key): _redacted_field(key, item, depth + 1) for key, item in table.items()}
        )
    if isinstance(value, list):
        return _original_if_equal(
            cast("list[Any]", value), [_redacted(item, depth + 1) for item in cast("list[Any]", value)]
        )
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        return _original_if_equal(items, tuple([_redacted(item, depth + 1) for item in items]))
    return value


def redact_event(event: Event | UnknownEvent) -> Event | UnknownEvent:
    """Return the event with secrets replaced by their kinds; the same object if it holds none."""
    return _redacted(event)


def _with_hash(clean: str, item: str) -> str:
    """Return a redacted id made unique with a hash of the original, which Python salts for each process."""
    return f"{clean} {hash(item) & 0xFFFF_FFFF:08x}"


def _redacted_field(name: str, value: Any, depth: int) -> Any:  # noqa: ANN401 - any JSON
    """Return the redacted value of the field ``name``; a name like "password" makes any string a secret."""
    if isinstance(value, str) and value and _SECRET_NAME.fullmatch(name):
        return f"{_REDACTED}secret]"
    return _redacted(value, depth)


def redact_fields(fields: dict[str, Any], mark: Callable[[str], str]) -> dict[str, Any]:
    """Return the fields of a line without secrets; the same object if it holds none.

    Args:
        fields: the line, read as JSON.
        mark: returns what distinguishes a redacted id of an agent from others, by the original.
    """
    changed: dict[str, Any] = {}
    for name, value in fields.items():
        if name in _OWN_FIELDS and isinstance(value, str) and _OWN_VALUE.fullmatch(value):
            continue
        clean = _redacted_field(name, value, 0)
        if clean is value and _redacted(name) is name:
            continue
        is_id = name in _AGENT_IDS and isinstance(value, str)
        changed[name] = f"{clean} {mark(value)}" if is_id else clean
    return {_redacted(name): changed.get(name, value) for name, value in fields.items()} if changed else fields


def _original_if_equal(value: Any, clean: Any) -> Any:  # noqa: ANN401 - any field of an event
    return value if clean == value else clean


@cache
def _shapes() -> tuple[frozenset[str], Sequence[tuple[str, Sequence[str], re.Pattern[str]]]]:
    """Return all words, and all shapes as (kind, words, pattern).

    A text with such a secret contains at least one of the words. A word in lower case matches in any case.
    """
    key, *own = [(kind, words, re.compile(shape)) for kind, words, shape in (_PRIVATE_KEY_SHAPE, *_OWN_SHAPES)]
    library: list[tuple[str, Sequence[str], re.Pattern[str]]] = []
    for plugin, words in _PLUGINS.items():
        module, _, name = plugin.partition(".")
        detector = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)
        quick = (shape for shape in detector.denylist if _SLOW_PART not in shape.pattern)
        library += [(detector.secret_type, words, shape) for shape in quick]
    shapes = [key, *library, *own]
    return frozenset(word for _, words, _ in shapes for word in words), shapes
