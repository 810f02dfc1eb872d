"""Checks a call's arguments: lenient in what it reads, strict in what it returns (docs/tools.md, "Arguments"). Pure."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

NUMBER_LIMIT: Final = 2**53
"""Numbers from here on are refused: JavaScript clients cannot represent them exactly."""

_NUMBER_PATTERN = re.compile(r"\s*\+?0*([1-9][0-9]*)(?:\.0+)?\s*")
_MAX_QUOTED_CHARS = 100


class AcceptedThought(NamedTuple):
    """The arguments of an accepted call."""

    fields: dict[str, Any]
    """The tool's fields that were given, after repair, by name."""
    coerced: tuple[str, ...]
    """The names of the fields that were repaired, such as a number given as a string."""


class InvalidArguments(NamedTuple):
    """The problems of a refused call."""

    problems: dict[str, str]
    """For each bad field what was expected and what was received."""

    @property
    def message(self) -> str:
        """All problems as one text, one line each."""
        return "\n".join(f"Invalid {name}: {problem}" for name, problem in self.problems.items())


class BadValueError(Exception):
    """A value that its field does not accept; the text says what was expected and what was received."""


_ABSENT: Final[Any] = object()

FieldChecks = Mapping[str, tuple[Callable[[Any, int], Any], bool]]
"""For each field: the function that checks and repairs its value, of a maximum size in bytes; and if it is required."""


def accept(arguments: Mapping[str, Any], max_bytes: int) -> AcceptedThought | InvalidArguments:
    """Return the thought in ``arguments``, or all their problems. Texts may have ``max_bytes`` each."""
    checked = check_fields(
        arguments, _REQUIRED_FIELDS if arguments.keys() <= _REQUIRED_FIELDS.keys() else _FIELDS, max_bytes
    )
    return checked if isinstance(checked, InvalidArguments) else AcceptedThought(*checked)


def check_fields(
    arguments: Mapping[str, Any], checks: FieldChecks, max_bytes: int
) -> tuple[dict[str, Any], tuple[str, ...]] | InvalidArguments:
    """Return the fields named in ``checks`` after repair and the names of the repaired ones, or every problem."""
    fields: dict[str, Any] = {}
    problems: dict[str, str] = {}
    coerced: list[str] = []
    for name, (check, is_required) in checks.items():
        value = arguments.get(name, _ABSENT)
        if not is_required and (value is _ABSENT or value is None):
            continue
        try:
            fields[name] = checked = check(value, max_bytes)
        except BadValueError as problem:
            problems[name] = str(problem)
            continue
        if checked is not value:
            coerced.append(name)
    return InvalidArguments(problems) if problems else (fields, tuple(coerced))


def quote_value(value: Any) -> str:  # noqa: ANN401 - whatever a client sent
    """Return a received value as JSON for an error message, cut to about 100 characters."""
    if value is _ABSENT:
        return "nothing"
    if isinstance(value, str) and len(value) > _MAX_QUOTED_CHARS:
        return json.dumps(value[:_MAX_QUOTED_CHARS], ensure_ascii=False)[:_MAX_QUOTED_CHARS] + '…"'
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return "a value that cannot be shown"
    return text if len(text) <= _MAX_QUOTED_CHARS else text[:_MAX_QUOTED_CHARS] + "…"


def _checked_text(value: Any, max_bytes: int, expected: str) -> str:  # noqa: ANN401 - whatever a client sent
    if not isinstance(value, str):
        raise BadValueError(f"must be {expected}, got {quote_value(value)}")
    # A character takes at most four bytes: most texts are short enough without encoding them.
    if len(value) * 4 > max_bytes:
        size = len(value.encode("utf-8", "surrogatepass"))
        if size > max_bytes:
            raise BadValueError(f"must be at most {max_bytes} bytes long, got {size} bytes")
    return value


def non_empty_text(value: Any, max_bytes: int) -> str:  # noqa: ANN401 - whatever a client sent
    """Return ``value`` if it is a string with more than white space.

    Raises:
        BadValueError: it is not, or longer than ``max_bytes``.
    """
    text = _checked_text(value, max_bytes, "a non-empty string")
    if not text or text.isspace():
        raise BadValueError(f"must be a non-empty string, got {quote_value(text)}")
    return text


def any_text(value: Any, max_bytes: int) -> str:  # noqa: ANN401 - whatever a client sent
    """Return ``value`` if it is a string.

    Raises:
        BadValueError: it is not, or longer than ``max_bytes``.
    """
    return _checked_text(value, max_bytes, "a string")


def positive_integer(value: Any, _max_bytes: int) -> int:  # noqa: ANN401 - whatever a client sent
    """Return ``value`` as a positive integer below ``NUMBER_LIMIT``; a string or a float may spell it.

    Raises:
        BadValueError: it is not one.
    """
    whole = value if type(value) is int else _whole_number(value)
    if whole is None or whole < 1:
        raise BadValueError(f"must be a positive integer, got {quote_value(value)}")
    if whole >= NUMBER_LIMIT:
        raise BadValueError(f"must be a positive integer below {NUMBER_LIMIT}, got {quote_value(value)}")
    return whole


def _whole_number(value: Any) -> int | None:  # noqa: ANN401 - whatever a client sent
    """Return ``value`` as an integer, ``NUMBER_LIMIT`` for anything larger, or None if it is no whole number."""
    if type(value) is float:
        if value >= NUMBER_LIMIT:
            return NUMBER_LIMIT
        return int(value) if value.is_integer() else None
    if isinstance(value, str) and (match := _NUMBER_PATTERN.fullmatch(value)):
        digits = match[1]
        return int(digits) if len(digits) <= len(str(NUMBER_LIMIT)) else NUMBER_LIMIT
    return None


def _boolean(value: Any, _max_bytes: int) -> bool:  # noqa: ANN401 - whatever a client sent
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        word = value.strip()
        if len(word) <= len("false") and (known := _BOOLEANS.get(word.lower())) is not None:
            return known
    raise BadValueError(f"must be true or false, got {quote_value(value)}")


_BOOLEANS: Final = {"true": True, "false": False}

_FIELDS: Final[FieldChecks] = {
    "thought": (non_empty_text, True),
    "nextThoughtNeeded": (_boolean, True),
    "thoughtNumber": (positive_integer, True),
    "totalThoughts": (positive_integer, True),
    "isRevision": (_boolean, False),
    "revisesThought": (positive_integer, False),
    "branchFromThought": (positive_integer, False),
    "branchId": (any_text, False),
    "needsMoreThoughts": (_boolean, False),
}
_REQUIRED_FIELDS: Final[FieldChecks] = {name: field for name, field in _FIELDS.items() if field[1]}
