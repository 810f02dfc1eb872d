"""What model back ends refuse in a tool's definition: one table for the tests and docs/tools.md.

A back end that refuses one definition refuses the whole request, so one tool would cost a user every other. The rules
come from the converters that tests/deep runs, and from what users reported of the back ends themselves.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

Schema = Mapping[str, Any]

PAPER_SCHEMA: Final[Schema] = {
    "oneOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^[1-9]\d*$"}],
    "description": "Current thought number (numeric value, e.g., 1, 2, 3)",
}
"""A number in the paper on lenient input, whose form this project started from."""

_KEYWORDS: Final = {"type", "description", "properties", "required", "items", "anyOf", "minimum", "pattern"}
_PROPERTY_NAME: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CLIENT_PREFIX: Final = "mcp__seqthink__"
"""The longest of what clients put before a tool's name: Claude Code's."""
_MAX_DESCRIPTION_CHARS: Final = 1024
_SHORTHAND: Final = re.compile(r"\\[a-zA-Z]|\(\?|[*+?}]\?|[*+?}]\+")
"""A class such as ``\\d``, a group that is more than a group, a lazy or a possessive count."""
_TOP_LEVEL_UNIONS: Final = {"anyOf", "oneOf", "allOf", "not", "enum", "const"}


class Rule(NamedTuple):
    """Something that a back end refuses."""

    back_ends: str
    refused: str
    """As the page says it."""
    is_broken_by: Callable[[Schema], bool]
    """Whether one schema, which may be part of another, breaks the rule."""
    example: Schema
    """The schema of an argument that breaks this rule."""


def nodes(schema: Schema) -> Iterator[Schema]:
    """Yield a schema and all schemas in it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), *schema.get("oneOf", ())]
    for part in [*inner, *([schema["items"]] if isinstance(schema.get("items"), Mapping) else [])]:
        yield from nodes(cast("Schema", part))


def _is_typed(schema: Schema) -> bool:
    return isinstance(schema.get("type"), str)


def _has_siblings_of_any_of(schema: Schema) -> bool:
    return "anyOf" in schema and len(schema) > 1


def _is_null(schema: Schema) -> bool:
    return schema.get("type") == "null"


def _has_other_keywords(schema: Schema) -> bool:
    return not schema.keys() <= _KEYWORDS


def _has_untyped_branch(schema: Schema) -> bool:
    return not all(map(_is_typed, schema.get("anyOf", ()))) or not (_is_typed(schema) or "anyOf" in schema)


def _is_hollow(schema: Schema) -> bool:
    kind = schema.get("type")
    missing = set(schema.get("required", ())) - schema.get("properties", {}).keys()
    return (
        bool(missing)
        or (kind == "object" and not schema.get("properties"))
        or (kind == "array" and not schema.get("items"))
    )


def _has_open_pattern(schema: Schema) -> bool:
    pattern = schema.get("pattern", "^$")
    return not (pattern.startswith("^") and pattern.endswith("$")) or bool(_SHORTHAND.search(pattern))


def _has_bad_name(schema: Schema) -> bool:
    return not all(map(_PROPERTY_NAME.fullmatch, schema.get("properties", {})))


RULES: Final = (
    Rule(
        "Vertex AI",
        "anything beside `anyOf`, `description` included",
        _has_siblings_of_any_of,
        {"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "A number"},
    ),
    Rule(
        "Vertex AI, Gemini API",
        "a branch without one type of its own: `anyOf` in `anyOf`, a list of types",
        _has_untyped_branch,
        {"anyOf": [{"type": "integer"}, {"anyOf": [{"type": "string"}, {"type": "boolean"}]}]},
    ),
    Rule(
        "Vertex AI",
        "`null` in a union of three: converters make it an untyped branch, `nullable` beside `anyOf`, "
        "or a type that it does not have",
        _is_null,
        {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
    ),
    Rule(
        "Vertex AI, Gemini API",
        "keywords other than `type` `description` `properties` `required` `items` `anyOf` `minimum` `pattern`: "
        "some, such as `oneOf` `const` `$ref` `default` `additionalProperties`",
        _has_other_keywords,
        {"type": "integer", "default": 1},
    ),
    Rule(
        "Gemini API",
        "an object without properties, a list without `items`, `required` with other names than the properties'",
        _is_hollow,
        {"type": "object"},
    ),
    Rule(
        "llama.cpp (Ollama, LM Studio)",
        "a pattern without `^` and `$`, or with a shorthand such as `\\d`, a look-around, a lazy count",
        _has_open_pattern,
        {"type": "string", "pattern": r"^\d+$"},
    ),
    Rule(
        "Anthropic, OpenAI",
        "an argument's name with characters other than letters, digits, `_` `.` `-`, or more than 64",
        _has_bad_name,
        {"type": "object", "properties": {"thought number": {"type": "string"}}},
    ),
)
TOP_LEVEL_RULES: Final[Mapping[str, str]] = {
    "Anthropic, OpenAI, Bedrock": (
        "a schema that is not an `object` at its top level, or has `anyOf`, `oneOf` or `allOf` there"
    ),
    "OpenAI": "a description of a tool over 1,024 characters",
    "Anthropic, OpenAI, Gemini API": (
        "a tool's name with characters other than letters, digits, `_` `-`, or more than 64 with a client's prefix"
    ),
}
"""What is refused of a whole definition, by who refuses it."""


def schema_problems(schema: Schema) -> list[str]:
    """Return which rules a schema breaks, by what they say."""
    return [rule.refused for rule in RULES if any(map(rule.is_broken_by, nodes(schema)))]


def tool_problems(tool: Mapping[str, Any]) -> list[str]:
    """Return which rules a tool's definition breaks, its output included: some hosts hand that on, too."""
    inputs = tool["inputSchema"]
    top_level, description, name = TOP_LEVEL_RULES.values()
    problems = [
        (top_level, inputs.get("type") != "object" or bool(_TOP_LEVEL_UNIONS & inputs.keys())),
        (description, len(tool["description"]) > _MAX_DESCRIPTION_CHARS),
        (name, not _TOOL_NAME.fullmatch(_CLIENT_PREFIX + tool["name"])),
    ]
    found = [words for words, is_broken in problems if is_broken]
    return [*found, *schema_problems(inputs), *schema_problems(tool["outputSchema"])]


def table() -> str:
    """Return the rules as a Markdown table."""
    rows = [*((rule.back_ends, rule.refused) for rule in RULES), *TOP_LEVEL_RULES.items()]
    lines = ["| Back end | Refuses |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {who} | {what} |" for who, what in rows)]) + "\n"
