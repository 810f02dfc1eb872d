"""Well-known secret shapes taken out of what is shown: a line in, its event without its secrets out.

The shapes of services are those of detect-secrets; those of keys, logins and assignments are ours, since a redaction
needs the whole of a secret and a scanner only its beginning. A journal keeps what it holds. A secret that looks like
any other word has no shape and is not found.
"""

import importlib
import re
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, cast

import msgspec

from seqthink.events import Event, UnreadEvent
from seqthink.journal.decode import decode

_PLUGINS: Final = (
    "artifactory.ArtifactoryDetector", "aws.AWSKeyDetector", "azure_storage_key.AzureStorageKeyDetector",
    "cloudant.CloudantDetector", "discord.DiscordBotTokenDetector", "github_token.GitHubTokenDetector",
    "gitlab_token.GitLabTokenDetector", "ibm_cloud_iam.IbmCloudIamDetector", "mailchimp.MailchimpDetector",
    "npm.NpmDetector", "openai.OpenAIDetector", "pypi_token.PypiTokenDetector", "sendgrid.SendGridDetector",
    "slack.SlackDetector", "square_oauth.SquareOAuthDetector", "stripe.StripeDetector",
    "telegram_token.TelegramBotTokenDetector", "twilio.TwilioKeyDetector",
)  # fmt: skip

_WORDS: Final = (
    "password", "passwd", "passphrase", "pwd", "secret", "token", "key", "credential", "bearer", "basic", "cookie",
    "curl", "mysql",
)  # fmt: skip
_NAME = (
    r"(?i:(?<![\w.-])[\w.-]*"
    r"(?:password|passwd|passphrase|pwd|secret|token(?!s)|(?:api|access|private)[ _-]?key|credentials?)"
    r"[\w.-]*)"
)
_AROUND = r"[\"'`*_\]]*"
"""What Markdown and code put around a name or a value."""
_PEM = r"-----{} [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_OWN: Final = (
    ("private key", rf"(?s:{_PEM.format('BEGIN')}(?:.*?{_PEM.format('END')}|.*\Z))"),
    ("web token", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_=-]{4,}(?:\.[A-Za-z0-9_=-]*)?"),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    ("OpenAI key", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}"),
    ("GitHub token", r"\bgithub_pat_[A-Za-z0-9_]{22,}"),
    ("Google key", r"\b(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,})"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{36}"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[a-f0-9]{64}"),
    ("age key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    ("Slack token", r"\bxapp-\d-[A-Za-z0-9-]{20,}"),
    ("login", r"://[^\s/:@]*:(?P<secret>[^\s/@]+)@"),
    ("login", r"\bcurl\b[^\n]*?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']+:(?P<secret>[^\s\"']+)"),
    ("login", r"\bmysql\w*\b[^\n]*?\s-p(?P<secret>[^\s\"']{3,})"),
    ("cookie", r"(?i:\b(?:set-)?cookie:\s*)(?P<secret>[^\s=;]+=[^\n\"'`]+)"),
    ("authorization", r"(?i:\b(?:bearer|basic)\s+)(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)"),
    # What settings, code and prose assign to a telling name: a string, or what comes before the next blank.
    ("secret", rf"{_NAME}{_AROUND}\s*(?::=|=>|[=:]){_AROUND}\s*[\"'`](?P<secret>[^\"'`\n]{{3,}})"),
    ("secret", rf"{_NAME}{_AROUND}\s*:?=\s*(?P<secret>(?![=>\"'`$<{{(\[])[^\s\"'`,;)]{{4,}})"),
    (
        "secret",
        r"(?i:--[\w-]*(?:password|passwd|secret|token|api-?key))\s+[\"']?(?P<secret>[^\s\"'`-][^\s\"'`]{3,})",
    ),
    # Behind a colon, or in the next column, stands prose, too: only what no word of it looks like.
    ("secret", rf"{_NAME}{_AROUND}\s*[:|]{_AROUND}\s*(?P<secret>(?=[^\s\"'`,;|]*\d)[^\s\"'`,;|)\[]{{8,}})"),
)
_TELLING = re.compile(_NAME)
_MARK = "[redacted "
_MOST_DEEP = 100
"""So deep objects and lists are looked into."""
_RUN = re.compile(r"[A-Za-z0-9_+/=.:-]{16}")
_LOGIN = re.compile(r"://[^\s/]*@")


def decode_redacted(line: bytes) -> Event | UnreadEvent:
    """Return the event of one complete line, with each secret in its texts replaced by what kind it was of.

    Raises:
        CorruptLineError: the line is no JSON object, or a known type with bad fields.
    """
    return _redacted(decode(line))


@lru_cache(maxsize=64)
def redact_text(text: str) -> str:
    """Return ``text`` with each secret replaced by what kind it was of."""
    if not _may_hold(text):
        return text
    for kind, shape in _shapes():
        text = shape.sub(lambda match, kind=kind: _replaced(match, kind), text)
    return text


MOST_FOUND: Final = 200


class Found(NamedTuple):
    """A secret in a text: its kind, its line from 1, itself, and whether it stands between quotes."""

    kind: str
    line: int
    text: str
    is_quoted: bool


def secrets_in(text: str) -> list[Found]:
    """Return the secrets in ``text`` in their order, each once, by the first shape that it has; of very many some."""
    if not _may_hold(text):
        return []
    taken: dict[tuple[int, int], str] = {}
    for kind, shape in _shapes():
        for match in shape.finditer(text):
            start, end = match.span("secret" if "secret" in shape.groupindex else 0)
            if len(taken) == MOST_FOUND:
                break
            if not any(start < last and first < end for first, last in taken):
                taken[start, end] = kind
    return [
        Found(kind, text.count("\n", 0, start) + 1, text[start:end], text[max(0, start - 1) : start] in tuple("\"'`"))
        for (start, end), kind in sorted(taken.items())
    ]


def _may_hold(text: str) -> bool:
    """Return whether there may be a secret in ``text``: most prose has nothing of the kind, which is soon seen."""
    lowered = text.lower()
    return any(word in lowered for word in _WORDS) or bool(_RUN.search(text) or _LOGIN.search(text))


def _replaced(match: re.Match[str], kind: str) -> str:
    """Return what stands instead of a match: of an assignment, the name stays."""
    is_part = "secret" in match.re.groupindex
    if _MARK.rstrip() in (match["secret"] if is_part else match[0]):
        return match[0]
    start, end = match.span("secret" if is_part else 0)
    whole = match.string
    return f"{whole[match.start() : start]}{_MARK}{kind}]{whole[end : match.end()]}"


def _redacted(value: Any, depth: int = 0) -> Any:  # noqa: ANN401, PLR0911 - any field of an event, one return a kind
    """Return ``value`` without secrets; the same object where it holds none.

    What stands too deep in its event to be looked into, at ``depth``, is left out.
    """
    if isinstance(value, str):
        clean = redact_text(value)
        return value if clean == value else clean
    if depth > _MOST_DEEP:
        return f"{_MARK}nested too deeply]" if isinstance(value, dict | list | tuple) else value
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.asdict(value)
        changed = {name: clean for name, item in fields.items() if (clean := _redacted(item)) is not item}
        return msgspec.structs.replace(value, **changed) if changed else value
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return _same(table, {_redacted(key): _redacted_field(key, item, depth + 1) for key, item in table.items()})
    if isinstance(value, list):
        return _same(cast("list[Any]", value), [_redacted(item, depth + 1) for item in cast("list[Any]", value)])
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        return _same(items, tuple([_redacted(item, depth + 1) for item in items]))
    return value


def _redacted_field(name: str, value: Any, depth: int) -> Any:  # noqa: ANN401 - any JSON
    """Return what an object holds under ``name``, which may tell that it is a secret."""
    if isinstance(value, str) and value and _TELLING.fullmatch(name):
        return f"{_MARK}secret]"
    return _redacted(value, depth)


def _same(value: Any, clean: Any) -> Any:  # noqa: ANN401 - any field of an event
    return value if clean == value else clean


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    own = [(kind, re.compile(shape)) for kind, shape in _OWN]
    library: list[tuple[str, re.Pattern[str]]] = []
    for plugin in _PLUGINS:
        module, _, name = plugin.partition(".")
        detector = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)
        library += [(detector.secret_type, shape) for shape in detector.denylist]
    return (*library, *own)
