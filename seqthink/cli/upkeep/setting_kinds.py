"""The settings that `settings.toml` may have, with their defaults and what each allows."""

import re
import shlex
from collections.abc import Sequence

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.chain.state import STALE_SECONDS
from seqthink.core.errors import UsageError
from seqthink.core.labels import MAX_AUTHOR_CHARS
from seqthink.core.settings_file import NotAllowedError, SettingKind, strings_of
from seqthink.share.notify.states import NotifyState
from seqthink.sources.transcripts.registry import parse_sources, source_names

MAX_WALL_TILES = 9
"""Most tiles side by side, and one below the other."""
THEMES = ("dark", "light", "ansi")
NOTIFY_TABLE = "notify"
"""The table of the commands that are started when a session needs the user or has ended."""
_NUMBER_LIMIT = 2**53


def _is_on(value: object) -> object:
    if isinstance(value, bool):
        return value
    raise NotAllowedError("must be true or false")


def _theme(value: object) -> object:
    if value in THEMES:
        return value
    raise NotAllowedError(f"choose from {', '.join(THEMES)}")


def _author(value: object) -> object:
    if isinstance(value, str) and len(value) <= MAX_AUTHOR_CHARS:
        return value
    raise NotAllowedError(f"must be a name of at most {MAX_AUTHOR_CHARS} characters")


def _seconds(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _NUMBER_LIMIT:
        return value
    raise NotAllowedError("must be a whole number of seconds above 0")


def _sources(value: object) -> object:
    words = strings_of(value)
    if words is None:
        raise NotAllowedError(f"must be a list of {', '.join(source_names())}, or none")
    try:
        return parse_sources(",".join(words))
    except UsageError as error:
        raise NotAllowedError(str(error)) from error


def _wall(value: object) -> object:
    if value == "auto":
        return value
    match = re.fullmatch(r"([1-9])[x×]([1-9])", value) if isinstance(value, str) else None
    if match is None:
        raise NotAllowedError(f'must be "2x3", columns and rows from 1 to {MAX_WALL_TILES}, or "auto"')
    return f"{match[1]}x{match[2]}"


def _command(value: object) -> object:
    """Return a command as its words: a list as it is, a string as a shell would split it; no shell runs it."""
    words: Sequence[str] | None = strings_of(value)
    if words is None:
        raise NotAllowedError('must be a command such as "notify-me --loud", or a list of its words')
    if isinstance(value, str):
        try:
            words = shlex.split(value)
        except ValueError as error:
            raise NotAllowedError(f"cannot be split into words: {str(error).lower()}") from error
    if any("\0" in word for word in words):
        raise NotAllowedError("must not hold a NUL character")
    if words and not words[0]:
        raise NotAllowedError("must begin with the name of a program")
    program = words[0] if words else ""
    if re.search(r"[/\\]", program) and not re.match(r"[/\\]|~[/\\]|[A-Za-z]:[/\\]", program):
        raise NotAllowedError("must begin with a program in your PATH, or with its whole path")
    return list(words)


KINDS = (
    SettingKind("theme", THEMES[0], _theme, "SEQTHINK_THEME"),
    SettingKind("sources", lambda: frozenset(source_names()), _sources, "SEQTHINK_SOURCES"),
    SettingKind("stale", STALE_SECONDS, _seconds),
    SettingKind("stuck", STUCK_SECONDS, _seconds),
    SettingKind("wall", "auto", _wall),
    SettingKind("author", "", _author, "SEQTHINK_AUTHOR"),
    SettingKind("motion", True, _is_on),
    SettingKind("mouse", True, _is_on),
    SettingKind("ascii", False, _is_on),
    SettingKind("notifications.title", True, _is_on),
    SettingKind("notifications.bell", True, _is_on),
    SettingKind("notifications.notify", True, _is_on),
    *(SettingKind(f"{NOTIFY_TABLE}.{state}", [], _command, has_option=False) for state in NotifyState),
)
"""All settings but the keys, in the order in which they are listed; tables come last, as TOML wants them."""
