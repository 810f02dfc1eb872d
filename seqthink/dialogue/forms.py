"""A pydantic model as the form of an elicitation: flat, of primitives and choices only (MCP, "Elicitation").

A choice of several values is new in version 2025-11-25; a client of an earlier version may refuse such a form.
"""

from typing import Any, Final, Generic, NoReturn, Self, TypeVar, cast, overload

from pydantic import BaseModel

from seqthink.dialogue.exchanges import ElicitExchange

FormModel = TypeVar("FormModel", bound=BaseModel)

_PRIMITIVE_TYPES: Final = {"string", "number", "integer", "boolean"}
_KEPT_KEYS: Final = {
    "type", "title", "description", "default", "enum", "enumNames", "minLength", "maxLength", "minimum", "maximum",
    "format", "oneOf", "const", "items", "minItems", "maxItems",
}  # fmt: skip
_CHOICE_KEYS: Final = {"type", "enum", "anyOf"}


class FormQuestion(Generic[FormModel]):
    """One question of `FormQuestions`: an attribute of the class; in an instance, the attribute is the answer.

    Args:
        message: the question to the user.
        model: the form, a flat pydantic model.
    """

    def __init__(self, message: str, model: type[FormModel]) -> None:
        self.message = message
        self.model = model
        self.key = ""
        """The attribute's name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.key = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: "FormQuestions", owner: type) -> ElicitExchange[FormModel]: ...
    def __get__(self, instance: "FormQuestions | None", owner: type) -> "Self | ElicitExchange[FormModel]":
        return self if instance is None else cast("ElicitExchange[FormModel]", instance.exchanges[self.key])

    def __set__(self, instance: "FormQuestions", value: NoReturn) -> NoReturn:
        raise AttributeError(f"{self.key} is an answer, and cannot be set")


class FormQuestions:
    """Several questions to the user at once, each with its own form; an instance holds the answers.

    A subclass names each question: ``seat = FormQuestion("Which seat?", Seat)``. Give the class to `Dialogue.elicits`;
    ``answers.seat`` is then an ``ElicitExchange[Seat]``. The name is also the question's purpose in the journal.
    """

    def __init__(self, exchanges: dict[str, ElicitExchange[Any]]) -> None:
        self.exchanges = exchanges
        """All answers by their keys."""

    @classmethod
    def questions(cls) -> dict[str, FormQuestion[Any]]:
        """Return the questions by their keys, in the order of the class, those of base classes first."""
        return {
            name: value
            for base in reversed(cls.__mro__)
            for name, value in vars(base).items()
            if isinstance(value, FormQuestion)
        }


def form_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a form.

    Raises:
        TypeError: a field is not a string, a number, a boolean or a choice of strings.
    """
    schema = model.model_json_schema()
    definitions: dict[str, Any] = schema.get("$defs", {})
    fields = {
        name: _form_field(model, name, field, definitions) for name, field in schema.get("properties", {}).items()
    }
    return {"type": "object", "properties": fields, "required": list(schema.get("required", []))}


def _form_field(
    model: type[BaseModel], name: str, field: dict[str, Any], definitions: dict[str, Any]
) -> dict[str, Any]:
    resolved = _resolve(field, definitions)
    if resolved.get("type") == "array":
        resolved["items"] = {
            key: value for key, value in _resolve(resolved["items"], definitions).items() if key in _CHOICE_KEYS
        }
    if resolved.get("type") not in _PRIMITIVE_TYPES and not _is_choice(resolved.get("items", {})):
        raise TypeError(f"{model.__name__}.{name}: a form takes strings, numbers, booleans and choices of strings")
    return {
        key: value for key, value in resolved.items() if key in _KEPT_KEYS and not (key == "default" and value is None)
    }


def _is_choice(items: dict[str, Any]) -> bool:
    """Return whether a list's items are a choice of strings: an enum, or constants with titles."""
    options: list[Any] = items.get("enum") or [option.get("const") for option in items.get("anyOf", ())]
    return bool(options) and all(isinstance(option, str) for option in options)


def _resolve(field: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a field with references resolved and without ``null``: an optional field is simply not required."""
    if "$ref" in field:
        return {**definitions[field["$ref"].rpartition("/")[2]], **{k: v for k, v in field.items() if k != "$ref"}}
    if "anyOf" in field:
        kinds = [kind for kind in cast("list[dict[str, Any]]", field["anyOf"]) if kind.get("type") != "null"]
        if len(kinds) == 1:
            return {**_resolve(kinds[0], definitions), **{k: v for k, v in field.items() if k != "anyOf"}}
    return field
