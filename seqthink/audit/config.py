"""Configuration of an audit: the defaults, and the fenced `gan-config` blocks of a thought. Pure.

A bad value is reported and its default used, so no thought can stop an audit. Null means "not set", and is reported,
too. Numbers and booleans may be spelled as strings, as everywhere else (docs/audit.md, "Configuration").
"""

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Literal, cast

from msgspec import Struct
from msgspec.structs import asdict

from seqthink.audit.code.blocks import CONFIG_LANGUAGE, fenced_blocks
from seqthink.core.arguments import BadValueError, positive_integer
from seqthink.core.redaction import quote_safely, redact_text
from seqthink.core.text import one_line, sanitize, without_controls

AuditScope = Literal["diff", "paths", "workspace"]

MAX_CYCLES: Final = 10
MAX_CANDIDATES: Final = 8
MAX_JUDGES: Final = 8
MAX_PATHS: Final = 100
MAX_TASK_CHARS: Final = 2000
MAX_NAME_CHARS: Final = 1000
MAX_PROBLEMS: Final = 5
"""Problems that the summary lists; further ones are only counted."""
_MAX_VALUE_CHARS: Final = 60
"""Characters of a bad value that a problem quotes."""


class SessionConfig(Struct, frozen=True, kw_only=True):
    """Settings of one audit (docs/audit.md, "Configuration")."""

    task: str = "Audit and improve the provided candidate"
    """The models' instructions."""
    scope: AuditScope = "diff"
    """Which workspace files are judged with the thought."""
    paths: tuple[str, ...] = ()
    """Files and folders for the scope "paths"."""
    threshold: int | float = 85
    """Lowest overall score that passes, 0 to 100."""
    maxCycles: int = 1
    """Cycles of asking for better code, at most."""
    candidates: int = 1
    """Diffs to ask for in each cycle."""
    judges: tuple[str, ...] = ("internal",)
    """"internal", or names of models to ask."""
    applyFixes: bool = False
    """Whether to ask the user to apply the best diff."""

    def fields(self) -> dict[str, Any]:
        """Return the settings as the journal spells them."""
        paths = [quote_safely(path, MAX_NAME_CHARS) for path in self.paths]
        spelled = {**asdict(self), "task": redact_text(self.task), "paths": paths, "judges": list(self.judges)}
        return {name: value for name, value in spelled.items() if name != "paths" or value}


class ParsedConfig(Struct, frozen=True, kw_only=True):
    """The configuration that a thought asks for."""

    config: SessionConfig
    problems: tuple[str, ...] = ()
    """Sentences for the summary, one per setting whose value was replaced by its default."""
    given_settings: frozenset[str] = frozenset()
    """Names of the settings that a block sets to a valid value."""
    has_block: bool = False
    """Whether the thought has a configuration block."""


class _BadValueError(Exception):
    """A bad value; the message says what was expected."""


def parse_config(thought: str) -> ParsedConfig:
    """Return what the `gan-config` blocks of ``thought`` set; later blocks override earlier ones."""
    config_blocks = [fence for fence in fenced_blocks(thought) if fence.language == CONFIG_LANGUAGE]
    raw_settings: dict[str, Any] = {}
    problems: list[str] = []
    for block in config_blocks:
        given = _parse_object(block.text, problems)
        nulls = [name for name, value in given.items() if value is None]
        problems += [f"{_describe_name(name)} is null, so it is not set" for name in nulls]
        raw_settings |= {name: value for name, value in given.items() if value is not None}
    settings: dict[str, Any] = {}
    for name, value in raw_settings.items():
        try:
            settings[name] = _checker(name)(value)
        except _BadValueError as expected:
            problems.append(f"{_describe_name(name)} {expected}, got {_describe(value)}; the default is used")
    if settings.get("scope") == "paths" and "paths" not in settings:
        problems.append('scope "paths" needs paths; the default is used')
        del settings["scope"]
    return ParsedConfig(
        config=SessionConfig(**settings),
        problems=_bounded_problems(problems),
        given_settings=frozenset(settings),
        has_block=bool(config_blocks),
    )


def _bounded_problems(problems: list[str]) -> tuple[str, ...]:
    sentences = [f"{CONFIG_LANGUAGE}: {problem}." for problem in problems[:MAX_PROBLEMS]]
    more = len(problems) - MAX_PROBLEMS
    return (*sentences, f"{CONFIG_LANGUAGE}: {more} more settings cannot be used.") if more > 0 else tuple(sentences)


def _parse_object(text: str, problems: list[str]) -> Mapping[str, Any]:
    if not text.strip():
        problems.append("the block is empty; the defaults are used")
        return {}
    try:
        value = json.loads(text, parse_int=_parse_number)
    except (ValueError, RecursionError) as error:
        problems.append(f"not JSON ({one_line(str(error))[:_MAX_VALUE_CHARS]}); the defaults are used")
        return {}
    if not isinstance(value, dict):
        problems.append(f"must be a JSON object, got {_describe(value)}; the defaults are used")
        return {}
    return cast("dict[str, Any]", value)


def _parse_number(digits: str) -> int | float:
    """Return a number of any length; huge ones become floats, which every range check rejects."""
    return int(digits) if len(digits) <= 20 else float(digits)


def _describe(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Return the beginning of ``value`` on one line without control characters; nested values only as their kind."""
    match value:
        case dict():
            return "an object"
        case list():
            items = cast("list[Any]", value)[:_MAX_VALUE_CHARS]
            text = f"[{', '.join('a list' if isinstance(item, list) else _describe(item) for item in items)}]"
        case str():
            text = json.dumps(quote_safely(value, _MAX_VALUE_CHARS), ensure_ascii=False)
        case _:
            text = json.dumps(value)
    return text if len(text) <= _MAX_VALUE_CHARS else text[: _MAX_VALUE_CHARS - 1] + "…"


def _describe_name(name: str) -> str:
    return name if name in _CHECKERS else _describe(name)


def _checker(name: str) -> Callable[[Any], Any]:
    return _CHECKERS.get(name, _reject_unknown)


def _reject_unknown(_value: Any) -> None:  # noqa: ANN401 - any JSON
    raise _BadValueError("is not a setting")


def _check_task(value: Any) -> str:  # noqa: ANN401 - any JSON
    if isinstance(value, str) and (text := without_controls(value).strip()):
        return text[:MAX_TASK_CHARS]
    raise _BadValueError("must be a non-empty text")


def _check_scope(value: Any) -> str:  # noqa: ANN401 - any JSON
    if value in ("diff", "paths", "workspace"):
        return value
    raise _BadValueError('must be "diff", "paths" or "workspace"')


def _list_checker(max_items: int, item_name: str, is_valid: Callable[[Any], bool]) -> Callable[[Any], tuple[str, ...]]:
    def check(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON
        items: list[Any] = cast("list[Any]", value) if isinstance(value, list) else []
        texts = [item.strip() for item in items if is_valid(item)]
        if not texts or len(texts) != len(items) or len(texts) > max_items:
            raise _BadValueError(f"must be a list of 1 to {max_items} {item_name}")
        return tuple(dict.fromkeys(texts))

    return check


def _is_name(value: Any) -> bool:  # noqa: ANN401 - any JSON
    if not isinstance(value, str) or not 0 < len(value.strip()) <= MAX_NAME_CHARS:
        return False
    return sanitize(value) == value and "\n" not in value


def _is_judge(value: Any) -> bool:  # noqa: ANN401 - any JSON
    """Return whether ``value`` is fit to be shown as the name of a judge, and is not a misplaced secret."""
    return _is_name(value) and redact_text(value) == value


def _check_threshold(value: Any) -> int | float:  # noqa: ANN401 - any JSON
    number = _spelled_number(value) if isinstance(value, str) else value
    if isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 100:
        return number
    raise _BadValueError("must be a number from 0 to 100")


def _spelled_number(text: str) -> int | float | None:
    """Return the number that ``text`` spells; None if it spells none."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return int(number) if number.is_integer() else number


def _count_checker(max_count: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:  # noqa: ANN401 - any JSON
        with suppress(BadValueError):
            if (number := positive_integer(value, _MAX_VALUE_CHARS)) <= max_count:
                return number
        raise _BadValueError(f"must be a whole number from 1 to {max_count}")

    return check


def _check_flag(value: Any) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and (known := _FLAGS.get(value.strip().lower())) is not None:
        return known
    raise _BadValueError("must be true or false")


_NUMBER: Final = re.compile(r"\s*\+?[0-9]{1,20}(?:\.[0-9]{1,20})?\s*")
_FLAGS: Final[Mapping[str, bool]] = {"true": True, "false": False}
_CHECKERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "task": _check_task,
    "scope": _check_scope,
    "paths": _list_checker(MAX_PATHS, "paths", _is_name),
    "threshold": _check_threshold,
    "maxCycles": _count_checker(MAX_CYCLES),
    "candidates": _count_checker(MAX_CANDIDATES),
    "judges": _list_checker(MAX_JUDGES, "names of judges", _is_judge),
    "applyFixes": _check_flag,
}
