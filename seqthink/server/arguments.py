"""A call's arguments: lenient in, strict after (server.md, "The tool"). Pure: values in, a thought or a refusal out."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

NUMBER_LIMIT: Final = 2**53
"""Numbers from here on are refused: a JavaScript client cannot tell them apart."""

_NUMBER = re.compile(r"\s*\+?0*([1-9][0-9]*)(?:\.0+)?\s*")
_SHOWN = 100


class AcceptedThought(NamedTuple):
    """An accepted call: the tool's nine fields after coercion, those given, and the names of those repaired."""

    fields: dict[str, Any]
    coerced: tuple[str, ...]


class InvalidArguments(NamedTuple):
    """A refused call: for each bad field what was expected and what came."""

    problems: dict[str, str]

    @property
    def message(self) -> str:
        """Return all problems as one text, one line each."""
        return "\n".join(f"Invalid {name}: {problem}" for name, problem in self.problems.items())


class BadValueError(Exception):
    """A value that its field does not take; the text says what was expected and what came."""


_ABSENT: Final[Any] = object()

FieldChecks = Mapping[str, tuple[Callable[[Any, int], Any], bool]]
"""For each field what checks and repairs its value, which may be so many bytes long, and whether it is required."""


def accept(arguments: Mapping[str, Any], max_bytes: int) -> AcceptedThought | InvalidArguments:
    """Return the thought that ``arguments`` ask for, or every problem they have; texts may have ``max_bytes`` each."""
    taken = check_fields(arguments, _REQUIRED if arguments.keys() <= _REQUIRED.keys() else _FIELDS, max_bytes)
    return taken if isinstance(taken, InvalidArguments) else AcceptedThought(*taken)


def check_fields(
    arguments: Mapping[str, Any], table: FieldChecks, max_bytes: int
) -> tuple[dict[str, Any], tuple[str, ...]] | InvalidArguments:
    """Return the fields of ``table`` that ``arguments`` give and the names of those repaired, or every problem."""
    fields: dict[str, Any] = {}
    details: dict[str, str] = {}
    coerced: list[str] = []
    for name, (check, is_required) in table.items():
        value = arguments.get(name, _ABSENT)
        if not is_required and (value is _ABSENT or value is None):
            continue
        try:
            fields[name] = checked = check(value, max_bytes)
        except BadValueError as problem:
            details[name] = str(problem)
            continue
        if checked is not value:
            coerced.append(name)
    return InvalidArguments(details) if details else (fields, tuple(coerced))


def quote_value(value: Any) -> str:  # noqa: ANN401 - whatever a client sent
    """Return a received value as JSON for a message, cut to about 100 characters."""
    if value is _ABSENT:
        return "nothing"
    if isinstance(value, str) and len(value) > _SHOWN:
        return json.dumps(value[:_SHOWN], ensure_ascii=False)[:_SHOWN] + '…"'
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return "a value that cannot be shown"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _text(value: Any, max_bytes: int, expected: str) -> str:  # noqa: ANN401 - whatever a client sent
    if not isinstance(value, str):
        raise BadValueError(f"must be {expected}, got {quote_value(value)}")
    # A character takes at most four bytes, so most texts need no encoding to be known as short enough.
    if len(value) * 4 > max_bytes:
        size = len(value.encode("utf-8", "surrogatepass"))
        if size > max_bytes:
            raise BadValueError(f"must be at most {max_bytes} bytes long, got {size} bytes")
    return value


def non_empty_text(value: Any, max_bytes: int) -> str:  # noqa: ANN401 - whatever a client sent
    """Return ``value`` if it is a string that says something.

    Raises:
        BadValueError: it is not.
    """
    text = _text(value, max_bytes, "a non-empty string")
    if not text or text.isspace():
        raise BadValueError(f"must be a non-empty string, got {quote_value(text)}")
    return text


def any_text(value: Any, max_bytes: int) -> str:  # noqa: ANN401 - whatever a client sent
    """Return ``value`` if it is a string.

    Raises:
        BadValueError: it is not.
    """
    return _text(value, max_bytes, "a string")


def positive_integer(value: Any, _max_bytes: int) -> int:  # noqa: ANN401 - whatever a client sent
    """Return the positive integer that ``value`` is or spells.

    Raises:
        BadValueError: it is none.
    """
    whole = value if type(value) is int else _whole(value)
    if whole is None or whole < 1:
        raise BadValueError(f"must be a positive integer, got {quote_value(value)}")
    if whole >= NUMBER_LIMIT:
        raise BadValueError(f"must be a positive integer below {NUMBER_LIMIT}, got {quote_value(value)}")
    return whole


def _whole(value: Any) -> int | None:  # noqa: ANN401 - whatever a client sent
    """Return the whole number that ``value`` is or spells; one with too many digits for ``int`` as ``TOO_LARGE``."""
    if type(value) is float:
        if value >= NUMBER_LIMIT:
            return NUMBER_LIMIT
        return int(value) if value.is_integer() else None
    if isinstance(value, str) and (match := _NUMBER.fullmatch(value)):
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
_REQUIRED: Final[FieldChecks] = {name: field for name, field in _FIELDS.items() if field[1]}
