"""The parts that tool definitions are made of, as `tools/list` sends them. Pure."""

from collections.abc import Mapping
from typing import Any, Final, Literal

SchemaStyle = Literal["lenient", "plain"]
"""What input schemas allow. "lenient": all that the server repairs, too (``anyOf``); "plain": the plain type alone."""

TEXT_SCHEMA: Final = {"type": "string"}
TEXTS_SCHEMA: Final = {"type": "array", "items": TEXT_SCHEMA}


def tool_definition(
    names: tuple[str, str, str],
    input_schema: Mapping[str, Any],
    output_schema: Mapping[str, Any],
    hints: Mapping[str, bool],
) -> dict[str, Any]:
    """Return the definition of a tool with a name, a title and a description. It touches nothing outside the server."""
    name, title, description = names
    return {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": input_schema,
        "outputSchema": output_schema,
        "annotations": {**hints, "openWorldHint": False},
    }


def object_schema(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    """Return the schema of an object."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def positive_integer_schema(description: str, style: SchemaStyle) -> dict[str, Any]:
    """Return the schema of a property that is a whole number above 0."""
    as_text = {"type": "string", "pattern": "^ *[+]?0*[1-9][0-9]*([.]0+)? *$"}
    return _described({"type": "integer", "minimum": 1}, as_text, description, style)


def boolean_schema(description: str, style: SchemaStyle) -> dict[str, Any]:
    """Return the schema of a property that is true or false."""
    # JSON Schema patterns are ECMA-262, which has no inline flag to ignore case.
    as_text = {"type": "string", "pattern": "^ *([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]) *$"}
    return _described({"type": "boolean"}, as_text, description, style)


def text_schema(description: str) -> dict[str, Any]:
    """Return the schema of a property that is text."""
    return {**TEXT_SCHEMA, "description": description}


def name_schema(description: str, style: SchemaStyle) -> dict[str, Any]:
    """Return the schema of a property that is text, where a whole number is taken for its digits."""
    return _described(TEXT_SCHEMA, {"type": "integer"}, description, style)


def tags_schema(description: str, style: SchemaStyle) -> dict[str, Any]:
    """Return the schema of a property that is a list of texts, where one text is taken, too."""
    return _described(TEXTS_SCHEMA, TEXT_SCHEMA, description, style)


def _described(
    plain: Mapping[str, Any], repaired: Mapping[str, Any], description: str, style: SchemaStyle
) -> dict[str, Any]:
    """Return the schema of a property: its plain type and, in the lenient style, also the form that is repaired.

    The form follows from what model back ends refuse (docs/tools.md, "What model back ends take"): nothing beside
    ``anyOf``, every branch with one type, no null, patterns without shorthands. The plain type comes first, since
    some clients show a model only that.
    """
    described = {**plain, "description": description}
    return described if style == "plain" else {"anyOf": [described, repaired]}
