"""The definitions of the context tools, as data: what `tools/list` adds with `--tools context`."""

from typing import Any, Final

from seqthink.server.tools.schemas import (
    TEXT_SCHEMA,
    TEXTS_SCHEMA,
    SchemaStyle,
    object_schema,
    positive_integer_schema,
    tags_schema,
    text_schema,
    tool_definition,
)

STORE_TOOL: Final = "store_context"
UPDATE_TOOL: Final = "update_context"
SEARCH_TOOL: Final = "search_context"

_STORE_DESCRIPTION = """\
Store a finding for later: a decision, a constraint, a measured figure, a command that works, \
something the user said. Use it when you learn what later thoughts, or a later session, will need and would \
otherwise have to work out again; not for what the files at hand say anyway. One item, one finding, in words that make \
sense on their own. The answer gives the item's id. The item belongs to your latest thought, and the user \
can see it there."""

_UPDATE_DESCRIPTION = """\
Change an item that was stored with store_context, when it is no longer true or its tags do not help to find \
it. New content takes the place of the old, new tags the place of all old tags; what you leave out stays as it is, and \
an empty list takes all tags away."""

_SEARCH_DESCRIPTION = """\
Find items that were stored with store_context, also before a restart. Use it before you work out again what you may \
already know: at the start of a task, after your context was cut, before a decision. An item matches when each word of \
the query is in its text or its tags, and it has all the tags given; capitals do not matter. Without arguments it \
gives the newest items. The item changed last comes first; total says how many match, omitted how many are left out."""

_CONTENT = "What to keep, in full sentences"
_NUMBER = {"type": "integer", "minimum": 0}


def context_tool_definitions(schema: SchemaStyle) -> list[dict[str, Any]]:
    """Return the definitions of the three tools as `tools/list` sends them."""
    changed = {"status": TEXT_SCHEMA, "id": TEXT_SCHEMA, "tags": TEXTS_SCHEMA}
    item = {"type": "object", "properties": {"id": TEXT_SCHEMA, "content": TEXT_SCHEMA, "tags": TEXTS_SCHEMA}}
    return [
        tool_definition(
            (STORE_TOOL, "Store Context", _STORE_DESCRIPTION),
            object_schema(
                {
                    "content": text_schema(_CONTENT),
                    "tags": tags_schema("Words to find it by", schema),
                },
                "content",
            ),
            object_schema(changed, *changed),
            {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False},
        ),
        tool_definition(
            (UPDATE_TOOL, "Update Context", _UPDATE_DESCRIPTION),
            object_schema(
                {
                    "id": text_schema("The item's id, as store_context or search_context gave it"),
                    "content": text_schema(_CONTENT),
                    "tags": tags_schema("The item's tags from now on", schema),
                },
                "id",
            ),
            object_schema(changed, *changed),
            {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
        ),
        tool_definition(
            (SEARCH_TOOL, "Search Context", _SEARCH_DESCRIPTION),
            object_schema(
                {
                    "query": text_schema("Words that must all be in an item's text or tags"),
                    "tags": tags_schema("Tags that an item must all have", schema),
                    "limit": positive_integer_schema("How many items to give at most; 10 by default", schema),
                }
            ),
            object_schema(
                {"items": {"type": "array", "items": item}, "total": _NUMBER, "omitted": _NUMBER, "hint": TEXT_SCHEMA},
                *("items", "total", "omitted"),
            ),
            {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True},
        ),
    ]
