"""Reads the tags of a context item, and describes values that are not tags (docs/tools.md, "Tags"). Pure."""

import json
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

from seqthink.core.arguments import NUMBER_LIMIT, quote_value
from seqthink.core.text import sanitize

Tags = tuple[str, ...]

INVALID_TAGS_MESSAGE: Final = "Invalid type for tags parameter"
MAX_TAG_CHARS: Final = 4096
"""How many characters the tags of one item may have together: they stay in memory."""

_MIXED_LIST: Final = "list with non-string items"


class InvalidTags(NamedTuple):
    """A value that is not tags."""

    received_type: str
    """The kind of value, in words."""
    received: Any

    def body(self) -> dict[str, Any]:
        """Return the documented error."""
        return {
            "status": "error",
            "error_code": "INVALID_TAGS_TYPE",
            "message": INVALID_TAGS_MESSAGE,
            "details": {
                "received_type": self.received_type,
                "expected_types": ["None", "list of strings"],
                "received_value": _sanitized(self.received),
                "parameter": "tags",
            },
        }


def parse_tags(value: Any) -> Tags | InvalidTags | None:  # noqa: ANN401 - whatever a client sent
    """Return the tags in ``value``, trimmed, without repetitions, in their order; None where no tags were given."""
    if value is None:
        return None
    if isinstance(value, str):
        items = _parse_list(value)
        return _distinct([value]) if items is None else _tags_from_list(items, f"str holding a {_MIXED_LIST}", value)
    if isinstance(value, list):
        return _tags_from_list(cast("list[Any]", value), _MIXED_LIST, value)
    return InvalidTags(type(value).__name__, value)


def _tags_from_list(items: list[Any], fault: str, value: Any) -> Tags | InvalidTags:  # noqa: ANN401 - whatever a client sent
    texts = [item for item in items if isinstance(item, str)]
    return _distinct(texts) if len(texts) == len(items) else InvalidTags(fault, value)


def _distinct(texts: Sequence[str]) -> Tags:
    return tuple(dict.fromkeys(tag for text in texts if (tag := text.strip())))


def _parse_list(text: str) -> list[Any] | None:
    """Return ``text`` as a JSON list, or None: a text that is not a JSON list is a single tag."""
    if not text.lstrip().startswith("["):
        return None
    try:
        value = _loads(text)
    except ValueError:
        return None
    except RecursionError:
        return [None]  # a list nested that deep is not a list of strings
    return cast("list[Any]", value) if isinstance(value, list) else None


# Huge integers parse as floats instead of raising an error; items that are not strings are refused anyway. Unescaped
# control characters are part of a tag, as they would be in a list.
_loads = json.JSONDecoder(parse_int=float, strict=False).decode


def _sanitized(value: Any) -> Any:  # noqa: ANN401 - whatever a client sent
    """Return a received value for an answer: numbers and booleans as they are, anything else as short, safe text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and math.isfinite(value) and abs(value) < NUMBER_LIMIT:
        return value
    return sanitize(quote_value(value))
