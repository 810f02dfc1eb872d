"""A pydantic model as the form of an elicitation: flat, of primitives and choices only (MCP, "Elicitation").

To choose several is new in revision 2025-11-25; a client of an earlier one may refuse such a form.
"""

from typing import Any, Final, cast

from pydantic import BaseModel

_PRIMITIVE: Final = {"string", "number", "integer", "boolean"}
_KEPT: Final = {
    "type", "title", "description", "default", "enum", "enumNames", "minLength", "maxLength", "minimum", "maximum",
    "format", "oneOf", "const", "items", "minItems", "maxItems",
}  # fmt: skip
_CHOICE: Final = {"type", "enum", "anyOf"}


def form(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema that a client can make a form of.

    Raises:
        TypeError: a field is no string, number, boolean or choice of strings: a mistake of whoever wrote the model.
    """
    schema = model.model_json_schema()
    shared: dict[str, Any] = schema.get("$defs", {})
    fields = {name: _field(model, name, field, shared) for name, field in schema.get("properties", {}).items()}
    return {"type": "object", "properties": fields, "required": list(schema.get("required", []))}


def _field(model: type[BaseModel], name: str, field: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    bare = _bare(field, shared)
    if bare.get("type") == "array":
        bare["items"] = {key: value for key, value in _bare(bare["items"], shared).items() if key in _CHOICE}
    if bare.get("type") not in _PRIMITIVE and not _is_choice(bare.get("items", {})):
        raise TypeError(f"{model.__name__}.{name}: a form takes strings, numbers, booleans and choices of strings")
    return {key: value for key, value in bare.items() if key in _KEPT and not (key == "default" and value is None)}


def _is_choice(items: dict[str, Any]) -> bool:
    """Return whether a list's items are chosen from strings: bare ones, or constants with titles."""
    options: list[Any] = items.get("enum") or [option.get("const") for option in items.get("anyOf", ())]
    return bool(options) and all(isinstance(option, str) for option in options)


def _bare(field: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    """Return a field without references and without ``null``: what may be left out is not required."""
    if "$ref" in field:
        return {**shared[field["$ref"].rpartition("/")[2]], **{k: v for k, v in field.items() if k != "$ref"}}
    if "anyOf" in field:
        kinds = [kind for kind in cast("list[dict[str, Any]]", field["anyOf"]) if kind.get("type") != "null"]
        if len(kinds) == 1:
            return {**_bare(kinds[0], shared), **{k: v for k, v in field.items() if k != "anyOf"}}
    return field
