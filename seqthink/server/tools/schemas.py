"""The parts that tool definitions are made of, as `tools/list` sends them. Pure."""

from collections.abc import Mapping
from typing import Any, Final, Literal

SchemaStyle = Literal["lenient", "plain"]
""""lenient": input schemas also accept numbers and booleans as strings (``oneOf``); "plain": they do not."""

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
    number: dict[str, Any] = {"type": "integer", "minimum": 1}
    return _described(number, {"type": "string", "pattern": r"^[1-9]\d*$"}, description, style)


def boolean_schema(description: str, style: SchemaStyle) -> dict[str, Any]:
    """Return the schema of a property that is true or false."""
    # JSON Schema patterns are ECMA-262, which has no inline flag to ignore case.
    as_string = {"type": "string", "pattern": "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$"}
    return _described({"type": "boolean"}, as_string, description, style)


def _described(
    typed: Mapping[str, Any], as_string: Mapping[str, Any], description: str, style: SchemaStyle
) -> dict[str, Any]:
    if style == "plain":
        return {**typed, "description": description}
    return {"oneOf": [typed, as_string], "description": description}
