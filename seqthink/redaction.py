"""Well-known secret shapes taken out of what is shown: a line in, its event without its secrets out.

The shapes of services are those of detect-secrets; those of keys, logins and assignments are ours, since a redaction
needs the whole of a secret and a scanner only its beginning. A journal keeps what it holds. A secret that looks like
any other word has no shape and is not found.
"""

import importlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, cast

import msgspec

from seqthink.events import Event, UnknownEvent
from seqthink.journal.decode import LineDecoder
from seqthink.text import split_pieces

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
    "ibm_cloud_iam.IbmCloudIamDetector": (),
    "mailchimp.MailchimpDetector": ("-us",),
    "npm.NpmDetector": (),
    "openai.OpenAIDetector": (),
    "pypi_token.PypiTokenDetector": ("pypi-",),
    "sendgrid.SendGridDetector": ("SG.",),
    "slack.SlackDetector": ("xox", "hooks.slack.com"),
    "square_oauth.SquareOAuthDetector": ("sq0csp-",),
    "stripe.StripeDetector": ("k_live_",),
    "telegram_token.TelegramBotTokenDetector": (":",),
    "twilio.TwilioKeyDetector": ("AC", "SK"),
}  # fmt: skip
"""The library's detectors, each with words of which a text has one where it has such a secret."""
_SLOW_SHAPES: Final = ("(?: *)", "T3BlbkFJ", "_authToken")
"""What stands in the shapes of the library that take time to the square of a text's length: ours take their place."""

_SECRET_WORDS: Final = ("pass", "pwd", "secret", "token", "key", "credential")
# It begins with a set of letters, for which a text is searched ten times as fast.
_KEYWORD = (
    r"(?:[pPsSſtTaAcC](?i:(?<=p)(?:assword|asswd|assphrase|wd|rivate[ _-]?key)|(?<=s)ecret|(?<=t)oken(?!s)"
    r"|(?<=a)(?:pi|ccess)[ _-]?key|(?<=c)redentials?))"
)
# A name is looked at from its last keyword on, or many in one name would each be looked at up to its end.
_NAME = rf"{_KEYWORD}(?:(?!{_KEYWORD})[\w.-])*+(?![\w.-])"
_QUOTE_CLASS = r"[\"'`*_\]]"
"""What Markdown and code put around a name or a value."""
_PEM = r"-----{} [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_EQUALS = r"[\"']?\]?(?: *+(?:[:=]=?|=>|::)| ) *+[\"']?"
# It comes first: what the others find in a key would break it in two.
_PRIVATE_KEY_SHAPE: Final = (
    "private key",
    ("-----BEGIN ",),
    rf"(?s:{_PEM.format('BEGIN')}(?:.*?{_PEM.format('END')}|.*\Z))",
)
# Each takes time to the length of the text, whatever that is: what can be long in one is either possessive, or ends
# where the same shape may begin again, or is bounded.
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
     r"\beyJ(?:(?!\beyJ)[A-Za-z0-9_-]){8,}+\.[A-Za-z0-9_=-]{4,}(?:\.[A-Za-z0-9_=-]*)?"),
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
     r"(?i:\b(?:set-)?cookie:\s*+(?P<secret>(?:(?!\bcookie:)[^\s=;])++=[^\n\"'`]+))"),
    ("authorization", ("bearer", "basic"), r"(?i:\b(?:bearer|basic)\s++)(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)"),
    # What settings, code and prose assign to a telling name: a string, or what comes before the next blank.
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
    # Behind a colon, or in the next column, stands prose, too: only what no word of it looks like.
    ("secret", _SECRET_WORDS,
     rf"{_NAME}{_QUOTE_CLASS}*+\s*+[:|]{_QUOTE_CLASS}{{0,64}}\s*+(?P<secret>(?=[^\s\"'`,;|]{{0,200}}\d)[^\s\"'`,;|)\[]{{8,}})"),
)  # fmt: skip
_SECRET_NAME = re.compile(rf"[\w.-]*?{_NAME}")
_REDACTED = "[redacted "
_AGENT_IDS: Final = frozenset({"agent", "id", "parent"})
"""Fields that tell one agent from another: two that differ must still differ when their secrets are gone."""
_ALREADY_REDACTED = re.compile(r"\[redacted(?: [^\]]*\]?)?")
_MAX_DEPTH = 100
"""So deep objects and lists are looked into."""
_HINT_WORDS: Final = (*_SECRET_WORDS, "bearer", "basic", "cookie", "curl", "mysql")
_LONG_TOKEN = re.compile(r"[A-Za-z0-9_+/=.:-]{16}")
_LOGIN = re.compile(r"://[^\s/]*@")
_LETTER = re.compile(r"[A-Za-z0-9]")
_MAY_CONTINUE = re.compile(
    rf"(?:{_KEYWORD}[\w.-]*{_QUOTE_CLASS}*\s*(?::=|=>|[=:|])?{_QUOTE_CLASS}*|(?i:bearer|basic|cookie:))\s*\Z|(?i:curl|mysql)"
)
"""A line at whose end something has begun that the next may end."""
_KEY_BEGIN, _KEY_END = (re.compile(_PEM.format(end)) for end in ("BEGIN", "END"))
_MAX_KEY_HEADER_CHARS: Final = 1000
"""Characters of the lines between which a private key stands."""
_MAX_CACHED_CHARS: Final = 64 << 10
"""Characters of a text of which what comes of it is kept."""
_BLOCK_CHARS, _MAX_LINES_TRIED, _MAX_SPLIT_LINE_CHARS, _MAX_WORD_CHARS = 64 << 10, 100, 1000, 40


@lru_cache(maxsize=64)
def _redact_short(text: str) -> str:
    return _redact_whole(text)


def redact_text(text: str) -> str:
    """Return ``text`` with each secret replaced by what kind it was of."""
    return _redact_short(text) if len(text) <= _MAX_CACHED_CHARS else _redact_whole(text)


def _redact_whole(text: str) -> str:
    for kind, shape in _shapes_for(text):
        text = shape.sub(lambda match, kind=kind: _replacement(match, kind), text)
    return text


def redact_pieces(pieces: Iterable[str], block_chars: int = _BLOCK_CHARS) -> Iterator[str]:
    """Yield what `redact_text` makes of a text that comes in ``pieces``; but for huge lines, little of it is held.

    It is cut behind lines that no secret goes across, and in a private key, of which nothing comes out anyway.
    """
    held, enough = "", block_chars
    is_within = False
    for piece in pieces:
        held += piece
        if is_within:
            held, is_within = _after_key(held)
        if is_within or len(held) < enough:
            continue
        cut = _safe_cut(held)
        begun = _unfinished_key(held[:cut])
        if begun is not None:
            yield from split_pieces(redact_text(held[:begun]))
            yield f"{_REDACTED}private key]"
            held, is_within = _after_key(held[begun:])
            enough = block_chars
        elif cut:
            yield from split_pieces(redact_text(held[:cut]))
            held, enough = held[cut:], block_chars
        else:
            enough = 2 * len(held)
    if not is_within:
        yield from split_pieces(redact_text(held))


def _after_key(text: str) -> tuple[str, bool]:
    """Return what stands behind a private key's end; while there is none, what it may begin in, and True."""
    end = _KEY_END.search(text)
    return (text[end.end() :], False) if end else (text[-_MAX_KEY_HEADER_CHARS:], True)


def _safe_cut(text: str) -> int:
    """Return up to where a text can be looked at by itself: behind the last line that nothing goes across, or 0.

    No name and no secret breaks a line, and between the two stand no letters.
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
    """Return where a private key begins that does not end in ``text``."""
    start = 0
    while begin := _KEY_BEGIN.search(text, start):
        end = _KEY_END.search(text, begin.end())
        if end is None:
            return begin.start()
        start = end.end()
    return None


MAX_SECRETS: Final = 200


class FoundSecret(NamedTuple):
    """A secret in a text: its kind, its line from 1, itself, and whether it stands between quotes."""

    kind: str
    line: int
    text: str
    is_quoted: bool


def find_secrets(text: str) -> list[FoundSecret]:
    """Return the secrets in ``text`` in their order, each once, by the first shape that it has; of very many some."""
    taken: dict[tuple[int, int], str] = {}
    for kind, shape in _shapes_for(text):
        for match in shape.finditer(text):
            start, end = match.span("secret" if "secret" in shape.groupindex else 0)
            if len(taken) == MAX_SECRETS:
                break
            if not any(start < last and first < end for first, last in taken):
                taken[start, end] = kind
    return [
        FoundSecret(
            kind, text.count("\n", 0, start) + 1, text[start:end], text[max(0, start - 1) : start] in tuple("\"'`")
        )
        for (start, end), kind in sorted(taken.items())
    ]


def _may_hold_secret(text: str) -> bool:
    """Return whether there may be a secret in ``text``: most prose has nothing of the kind, which is soon seen."""
    lowered = text.lower()
    return any(word in lowered for word in _HINT_WORDS) or bool(_LONG_TOKEN.search(text) or _LOGIN.search(text))


def _shapes_for(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the kinds and shapes of which there may be one in ``text``: of most it has not even a word."""
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
    """Return what stands instead of a match: of an assignment, the name stays."""
    is_part = "secret" in match.re.groupindex
    if is_part and _ALREADY_REDACTED.fullmatch(match["secret"]):
        return match[0]
    start, end = match.span("secret" if is_part else 0)
    whole = match.string
    return f"{whole[match.start() : start]}{_REDACTED}{kind}]{whole[end : match.end()]}"


def _redacted(value: Any, depth: int = 0) -> Any:  # noqa: ANN401, PLR0911 - any field of an event, one return a kind
    """Return ``value`` without secrets; the same object where it holds none.

    What stands too deep in its event to be looked into, at ``depth``, is left out.
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


def _with_hash(clean: str, item: str) -> str:
    """Return the ``clean`` form of an id so that no other id has the same; Python salts the hash in each process."""
    return f"{clean} {hash(item) & 0xFFFF_FFFF:08x}"


def _redacted_field(name: str, value: Any, depth: int) -> Any:  # noqa: ANN401 - any JSON
    """Return what an object holds under ``name``, which may tell that it is a secret."""
    if isinstance(value, str) and value and _SECRET_NAME.fullmatch(name):
        return f"{_REDACTED}secret]"
    return _redacted(value, depth)


def _original_if_equal(value: Any, clean: Any) -> Any:  # noqa: ANN401 - any field of an event
    return value if clean == value else clean


@cache
def _shapes() -> tuple[frozenset[str], Sequence[tuple[str, Sequence[str], re.Pattern[str]]]]:
    """Return all words, and all shapes: their kinds, and of which words there is one in a text that has such a secret.

    A word without capitals may be written in any way.
    """
    key, *own = [(kind, words, re.compile(shape)) for kind, words, shape in (_PRIVATE_KEY_SHAPE, *_OWN_SHAPES)]
    library: list[tuple[str, Sequence[str], re.Pattern[str]]] = []
    for plugin, words in _PLUGINS.items():
        module, _, name = plugin.partition(".")
        detector = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)
        quick = (shape for shape in detector.denylist if not any(slow in shape.pattern for slow in _SLOW_SHAPES))
        library += [(detector.secret_type, words, shape) for shape in quick]
    shapes = [key, *library, *own]
    return frozenset(word for _, words, _ in shapes for word in words), shapes


def _clean(event: Event | UnknownEvent) -> Event | UnknownEvent:
    return _redacted(event)


decode_redacted: Final = LineDecoder(_clean, redact_pieces)
"""Makes events of lines, each secret in their texts replaced by what kind it was of."""
