"""What an audit is to do: defaults, and what a thought's fenced `gan-config` says otherwise. Pure.

A bad value falls back to its default and is named; nothing that a thought says can stop an audit. Null is no value.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, cast

from msgspec import Struct
from msgspec.structs import asdict

from seqthink.audit.code.blocks import CONFIG, fences
from seqthink.audit.telling import told
from seqthink.redaction import redact_text
from seqthink.text import one_line, sanitize, without_controls

Scope = Literal["diff", "paths", "workspace"]

MOST_CYCLES: Final = 10
MOST_CANDIDATES: Final = 8
MOST_JUDGES: Final = 8
MOST_PATHS: Final = 100
MOST_LETTERS: Final = 2000
LONGEST_NAME: Final = 1000
MOST_PROBLEMS: Final = 5
"""So many are named in the summary, the rest counted."""
_SHOWN: Final = 60


class SessionConfig(Struct, frozen=True, kw_only=True):
    """The audit's settings (gan-audit.md, "SessionConfig")."""

    task: str = "Audit and improve the provided candidate"
    scope: Scope = "diff"
    paths: tuple[str, ...] = ()
    threshold: int | float = 85
    maxCycles: int = 1
    candidates: int = 1
    judges: tuple[str, ...] = ("internal",)
    applyFixes: bool = False

    def fields(self) -> dict[str, Any]:
        """Return the settings as the journal spells them."""
        paths = [told(path, LONGEST_NAME) for path in self.paths]
        spelled = {**asdict(self), "task": redact_text(self.task), "paths": paths, "judges": list(self.judges)}
        return {name: value for name, value in spelled.items() if name != "paths" or value}


class Configured(Struct, frozen=True, kw_only=True):
    """What a thought says of its audit.

    ``problems`` are sentences for the summary, one for each setting that stands at its default though another was
    given. ``given`` are the settings that a block set, to whatever value; ``is_given`` is whether there was a block.
    """

    config: SessionConfig
    problems: tuple[str, ...] = ()
    given: frozenset[str] = frozenset()
    is_given: bool = False


class _BadValueError(Exception):
    """What a field should have been."""


def configure(thought: str) -> Configured:
    """Return what the fenced `gan-config` blocks of ``thought`` set; a later one wins, field by field."""
    found = [fence for fence in fences(thought) if fence.language == CONFIG]
    said: dict[str, Any] = {}
    problems: list[str] = []
    for block in found:
        said |= {name: value for name, value in _object(block.text, problems).items() if value is not None}
    settings: dict[str, Any] = {}
    for name, value in said.items():
        try:
            settings[name] = _check(name)(value)
        except _BadValueError as expected:
            problems.append(f"{_shown_name(name)} {expected}, got {_shown(value)}; the default stands")
    if settings.get("scope") == "paths" and "paths" not in settings:
        problems.append('scope "paths" needs paths; the default stands')
        del settings["scope"]
    return Configured(
        config=SessionConfig(**settings),
        problems=_bounded(problems),
        given=frozenset(settings),
        is_given=bool(found),
    )


def _bounded(problems: list[str]) -> tuple[str, ...]:
    named = [f"{CONFIG}: {problem}." for problem in problems[:MOST_PROBLEMS]]
    more = len(problems) - MOST_PROBLEMS
    return (*named, f"{CONFIG}: {more} more that cannot be used.") if more > 0 else tuple(named)


def _object(text: str, problems: list[str]) -> Mapping[str, Any]:
    try:
        value = json.loads(text, parse_int=_number)
    except (ValueError, RecursionError) as error:
        problems.append(f"not JSON ({one_line(str(error))[:_SHOWN]}); the defaults stand")
        return {}
    if not isinstance(value, dict):
        problems.append(f"must be a JSON object, got {_shown(value)}; the defaults stand")
        return {}
    return cast("dict[str, Any]", value)


def _number(digits: str) -> int | float:
    """Return a number of any length: one that is longer than all ranges only has to miss them."""
    return int(digits) if len(digits) <= 20 else float(digits)


def _shown(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Return how ``value`` begins, in one line without controls; what is nested is only named by its kind."""
    match value:
        case dict():
            return "an object"
        case list():
            items = cast("list[Any]", value)[:_SHOWN]
            text = f"[{', '.join('a list' if isinstance(item, list) else _shown(item) for item in items)}]"
        case str():
            text = json.dumps(told(value, _SHOWN), ensure_ascii=False)
        case _:
            text = json.dumps(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _shown_name(name: str) -> str:
    return name if name in _CHECKS else _shown(name)


def _check(name: str) -> Callable[[Any], Any]:
    return _CHECKS.get(name, _unknown)


def _unknown(_value: Any) -> None:  # noqa: ANN401 - any JSON
    raise _BadValueError("is no setting")


def _words(value: Any) -> str:  # noqa: ANN401 - any JSON
    if isinstance(value, str) and (text := without_controls(value).strip()):
        return text[:MOST_LETTERS]
    raise _BadValueError("must be a text that is not empty")


def _scope(value: Any) -> str:  # noqa: ANN401 - any JSON
    if value in ("diff", "paths", "workspace"):
        return value
    raise _BadValueError('must be "diff", "paths" or "workspace"')


def _list(most: int, what: str, is_one: Callable[[Any], bool]) -> Callable[[Any], tuple[str, ...]]:
    def check(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON
        items: list[Any] = cast("list[Any]", value) if isinstance(value, list) else []
        texts = [item.strip() for item in items if is_one(item)]
        if not texts or len(texts) != len(items) or len(texts) > most:
            raise _BadValueError(f"must be a list of 1 to {most} {what}")
        return tuple(dict.fromkeys(texts))

    return check


def _is_name(value: Any) -> bool:  # noqa: ANN401 - any JSON
    if not isinstance(value, str) or not 0 < len(value.strip()) <= LONGEST_NAME:
        return False
    return sanitize(value) == value and "\n" not in value


def _is_judge(value: Any) -> bool:  # noqa: ANN401 - any JSON
    """Return whether ``value`` may be told as the name of a judge: no token that came into the wrong place."""
    return _is_name(value) and redact_text(value) == value


def _threshold(value: Any) -> int | float:  # noqa: ANN401 - any JSON
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100:
        return value
    raise _BadValueError("must be a number from 0 to 100")


def _count(most: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:  # noqa: ANN401 - any JSON
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= most:
            return number
        raise _BadValueError(f"must be a whole number from 1 to {most}")

    return check


def _flag(value: Any) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(value, bool):
        return value
    raise _BadValueError("must be true or false")


_CHECKS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "task": _words,
    "scope": _scope,
    "paths": _list(MOST_PATHS, "paths", _is_name),
    "threshold": _threshold,
    "maxCycles": _count(MOST_CYCLES),
    "candidates": _count(MOST_CANDIDATES),
    "judges": _list(MOST_JUDGES, "names of judges", _is_judge),
    "applyFixes": _flag,
}
