"""Answers `prompts/get` (docs/tools.md, "Prompts"). Pure, standard library only."""

from collections.abc import Mapping
from typing import Any, cast

from seqthink.core.arguments import quote_value
from seqthink.server.prompts.thinking_prompts import PROMPTS, ThinkingPrompt


class InvalidPromptRequestError(ValueError):
    """A request for a prompt that cannot be answered; its text says what to change."""


def get_prompt(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of `prompts/get`: one message of the user, with the arguments in it as material.

    An optional argument that is null, empty or blank counts as absent; arguments that the prompt does not know are
    ignored.

    Raises:
        InvalidPromptRequestError: there is no such prompt, an argument is not text, or a required one is missing.
    """
    name = params.get("name")
    if not isinstance(name, str):
        raise InvalidPromptRequestError("Invalid params: `name` must be a string")
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise InvalidPromptRequestError(f"Unknown prompt: {quote_value(name)}; there is {', '.join(PROMPTS)}")
    text = prompt.text(_material(prompt, params.get("arguments")))
    return {
        "description": prompt.description,
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
    }


def _material(prompt: ThinkingPrompt, arguments: object) -> dict[str, str]:
    if arguments is not None and not isinstance(arguments, dict):
        raise InvalidPromptRequestError("Invalid params: `arguments` must be an object")
    given = cast("dict[str, object]", arguments or {})
    material: dict[str, str] = {}
    for argument in prompt.arguments:
        value = given.get(argument.name)
        if value is not None and not isinstance(value, str):
            raise InvalidPromptRequestError(f"Invalid {argument.name}: must be text, got {quote_value(value)}")
        if value and not value.isspace():
            material[argument.name] = value
        elif argument.is_required:
            raise InvalidPromptRequestError(
                f"Invalid {argument.name}: is required by the prompt {prompt.name}: {argument.description}"
            )
    return material
