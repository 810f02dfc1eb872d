"""Checks a call's arguments: lenient in what it reads, strict in what it returns (docs/tools.md, "Arguments"). Pure."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, cast

NUMBER_LIMIT: Final = 2**53
"""Numbers from here on are refused: JavaScript clients cannot represent them exactly."""

_NUMBER_PATTERN = re.compile(r"\s*\+?0*([1-9][0-9]*)(?:\.0+)?\s*")
_MAX_QUOTED_CHARS = 100
_MAX_JSON_TEXT_CHARS = 1 << 26
"""Longer strings in place of all arguments are refused without being read."""
_MAX_JSON_TEXT_LEVELS = 100
"""What such a string nests deeper is refused: how deep Python could read it depends on who asks."""


class AcceptedThought(NamedTuple):
    """The arguments of an accepted call."""

    fields: dict[str, Any]
    """The tool's fields that were given, after repair, by name."""
    coerced: tuple[str, ...]
    """What was repaired: the names of the fields, and first ``arguments`` if a string held them all as JSON."""


class InvalidArguments(NamedTuple):
    """The problems of a refused call."""

    problems: dict[str, str]
    """For each bad field what was expected and what was received."""

    @property
    def message(self) -> str:
        """All problems as one text, one line each."""
        return "\n".join(f"Invalid {name}: {problem}" for name, problem in self.problems.items())


class GivenArguments(NamedTuple):
    """The arguments of a call, by the names that the client gave them."""

    fields: dict[str, Any]
    is_from_text: bool
    """Whether a string held them as JSON."""


class BadValueError(Exception):
    """A value that its field does not accept; the text says what was expected and what was received."""


_ABSENT: Final[Any] = object()

FieldChecks = Mapping[str, tuple[Callable[[Any, int], Any], bool]]
"""For each field: the function that checks and repairs its value, of a maximum size in bytes; and if it is required."""


def accept(arguments: object, max_bytes: int) -> AcceptedThought | InvalidArguments:
    """Return the thought in ``arguments``, or all their problems. Texts may have ``max_bytes`` each.

    The arguments are an object or a string that holds one as JSON. A field may be named in snake case; the name in
    camel case counts where both have a value (docs/tools.md, "Arguments").
    """
    if isinstance(arguments, dict):
        return _accept_object(cast("dict[str, Any]", arguments), max_bytes)
    given = read_arguments(arguments)
    if isinstance(given, InvalidArguments):
        return given
    thought = _accept_object(given.fields, max_bytes)
    if isinstance(thought, InvalidArguments):
        return thought
    return AcceptedThought(thought.fields, ("arguments", *thought.coerced))


def _accept_object(arguments: Mapping[str, Any], max_bytes: int) -> AcceptedThought | InvalidArguments:
    names = arguments.keys()
    if names <= _REQUIRED_FIELDS.keys():
        checked = check_fields(arguments, _REQUIRED_FIELDS, max_bytes)
    elif CAMEL_CASE_NAMES.keys().isdisjoint(names):
        checked = check_fields(arguments, _FIELDS, max_bytes)
    else:
        return _accept_renamed(arguments, max_bytes)
    return checked if isinstance(checked, InvalidArguments) else AcceptedThought(*checked)


def _accept_renamed(arguments: Mapping[str, Any], max_bytes: int) -> AcceptedThought | InvalidArguments:
    """Return the thought in ``arguments``, which may have names in snake case, or all their problems."""
    renamed = {
        ours: arguments[theirs]
        for theirs, ours in CAMEL_CASE_NAMES.items()
        if theirs in arguments and arguments.get(ours) is None
    }
    checked = check_fields({**arguments, **renamed}, _FIELDS, max_bytes)
    if isinstance(checked, InvalidArguments):
        return checked
    fields, coerced = checked
    return AcceptedThought(fields, tuple(name for name in fields if name in renamed or name in coerced))


def read_arguments(value: object) -> GivenArguments | InvalidArguments:
    """Return the arguments of a call: an object, or the object that a string holds as JSON."""
    if isinstance(value, dict):
        return GivenArguments(cast("dict[str, Any]", value), is_from_text=False)
    fields = _parse_object(value) if isinstance(value, str) else None
    if fields is None:
        return InvalidArguments({"arguments": f"must be an object, got {quote_value(value)}"})
    return GivenArguments(fields, is_from_text=True)


def _parse_object(text: str) -> dict[str, Any] | None:
    """Return the object that ``text`` is as JSON, or None. A string in the string is not read again."""
    if len(text) > _MAX_JSON_TEXT_CHARS or not text.lstrip().startswith("{"):
        return None
    try:
        value = _parse_json(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) and not _is_deep(value) else None


def _is_deep(value: Any) -> bool:  # noqa: ANN401 - any JSON
    inside: list[Any] = [value]
    for _ in range(_MAX_JSON_TEXT_LEVELS):
        inside = [
            item
            for outer in inside
            if isinstance(outer, dict | list)
            for item in (
                cast("dict[str, Any]", outer).values() if isinstance(outer, dict) else cast("list[Any]", outer)
            )
        ]
        if not inside:
            return False
    return True


def _parse_integer(digits: str) -> int | float:
    """Return an integer; a float in place of one that has more digits than Python reads."""
    return int(digits) if len(digits) < 400 else float(digits)  # from 309 digits on, the float is infinite


def _reject_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


# Models that write JSON into a string often leave its line breaks as they are.
_parse_json: Final = json.JSONDecoder(parse_int=_parse_integer, parse_constant=_reject_constant, strict=False).decode


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


def _branch_name(value: Any, max_bytes: int) -> str:  # noqa: ANN401 - whatever a client sent
    """Return ``value`` if it is a string, or a whole number as a string of its digits."""
    whole = int(value) if type(value) is float and value.is_integer() else value
    if type(whole) is int and abs(whole) < NUMBER_LIMIT:
        return str(whole)
    return any_text(value, max_bytes)


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
    """Return ``value`` as an integer, ``NUMBER_LIMIT`` for anything larger, or None if it is not a whole number."""
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
    "branchId": (_branch_name, False),
    "needsMoreThoughts": (_boolean, False),
}
_REQUIRED_FIELDS: Final[FieldChecks] = {name: field for name, field in _FIELDS.items() if field[1]}

CAMEL_CASE_NAMES: Final[Mapping[str, str]] = {
    spelled: name
    for name in _FIELDS
    if (spelled := re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)) != name
}
"""The names of the fields by their names in snake case, as far as the two differ."""
