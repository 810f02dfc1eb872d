"""What an agent may say for tags, and what it is told when they are none (reference/context-tags.md). Pure."""

import json
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

from seqthink.server.arguments import NUMBER_LIMIT, quote_value
from seqthink.text import sanitize

Tags = tuple[str, ...]

INVALID_TAGS_MESSAGE: Final = "Invalid type for tags parameter"
MAX_TAG_CHARS: Final = 4096
"""Tags stay in memory, so those of one item may be so long together."""

_MIXED: Final = "list with non-string items"


class InvalidTags(NamedTuple):
    """A value that is no tags: what it is, and the value itself."""

    received_type: str
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
                "received_value": _cleaned(self.received),
                "parameter": "tags",
            },
        }


def parse_tags(value: Any) -> Tags | InvalidTags | None:  # noqa: ANN401 - whatever a client sent
    """Return the tags that ``value`` means, trimmed, each once, in their order; ``None`` where none are spoken of."""
    if value is None:
        return None
    if isinstance(value, str):
        listed = _listed(value)
        return _told_apart([value]) if listed is None else _of_list(listed, f"str holding a {_MIXED}", value)
    if isinstance(value, list):
        return _of_list(cast("list[Any]", value), _MIXED, value)
    return InvalidTags(type(value).__name__, value)


def _of_list(items: list[Any], fault: str, value: Any) -> Tags | InvalidTags:  # noqa: ANN401 - whatever a client sent
    texts = [item for item in items if isinstance(item, str)]
    return _told_apart(texts) if len(texts) == len(items) else InvalidTags(fault, value)


def _told_apart(texts: Sequence[str]) -> Tags:
    return tuple(dict.fromkeys(tag for text in texts if (tag := text.strip())))


def _listed(text: str) -> list[Any] | None:
    """Return the list that ``text`` is as JSON; a text that is no JSON list is a tag as it stands."""
    if not text.lstrip().startswith("["):
        return None
    try:
        value = _loads(text)
    except ValueError:
        return None
    except RecursionError:
        return [None]  # whatever it holds at that depth, no string stands at the top
    return cast("list[Any]", value) if isinstance(value, list) else None


# Digits beyond all bounds are no error as a float, and what is no string is refused anyway. A control that a client did
# not escape is part of a tag, as it would be in a list.
_loads = json.JSONDecoder(parse_int=float, strict=False).decode


def _cleaned(value: Any) -> Any:  # noqa: ANN401 - whatever a client sent
    """Return a received value for an answer: a scalar as it is, anything else cut, as text without controls."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and math.isfinite(value) and abs(value) < NUMBER_LIMIT:
        return value
    return sanitize(quote_value(value))
