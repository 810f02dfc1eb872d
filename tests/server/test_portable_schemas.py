"""No model back end refuses a tool that we advertise (docs/tools.md, "What model back ends take")."""

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from seqthink.server.prompts.thinking_prompts import prompt_definitions
from seqthink.server.setup import tool_definitions
from seqthink.server.tools.schemas import SchemaStyle
from tests.support.docs.pages import page
from tests.support.servers.portable_schemas import (
    PAPER_SCHEMA,
    RULES,
    Rule,
    schema_problems,
    table,
    tool_problems,
)

STYLES: tuple[SchemaStyle, ...] = ("lenient", "plain")
NUMBER = {"type": "integer", "minimum": 1}


@pytest.mark.parametrize(("style", "has_context", "has_audits"), product(STYLES, (False, True), (False, True)))
def test_no_tool_breaks_a_rule_of_a_back_end(style: SchemaStyle, has_context: bool, has_audits: bool) -> None:
    tools = tool_definitions(style, has_context=has_context, has_audits=has_audits)

    assert {tool["name"]: tool_problems(tool) for tool in tools} == {tool["name"]: [] for tool in tools}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.refused)
def test_each_rule_finds_what_it_is_about_however_deep_it_is(rule: Rule) -> None:
    as_argument = {"type": "object", "properties": {"x": rule.example}}
    as_items = {"type": "object", "properties": {"x": {"type": "array", "items": rule.example}}}

    assert schema_problems(as_argument) == schema_problems(as_items) == [rule.refused]


@pytest.mark.parametrize(
    "schema",
    [
        PAPER_SCHEMA,
        {"anyOf": [NUMBER, {"type": "string", "pattern": r"^\s*[1-9]\s*$"}, {"type": "null"}], "description": "n"},
        {"anyOf": [NUMBER, {"type": ["string", "null"]}]},
    ],
    ids=["the paper's", "ours before", "a list of types"],
)
def test_the_forms_that_are_not_used_are_refused_somewhere(schema: Mapping[str, Any]) -> None:
    assert schema_problems({"type": "object", "properties": {"x": schema}}) != []


@pytest.mark.parametrize(
    "wrong",
    [
        {"inputSchema": {"anyOf": [{"type": "object"}]}},
        {"description": "x" * 1025},
        {"name": "sequential thinking"},
        {"name": "x" * 50},
        {"outputSchema": {"type": "object", "properties": {"gan": {"type": "object"}}}},
    ],
)
def test_a_definition_is_checked_as_a_whole(wrong: Mapping[str, Any]) -> None:
    [tool] = tool_definitions("lenient", has_context=False, has_audits=False)

    assert tool_problems(tool) == []
    assert tool_problems({**tool, **wrong}) != []


def test_prompts_have_names_that_every_client_takes() -> None:
    names = [name for prompt in prompt_definitions() for name in _names(prompt)]

    assert [name for name in names if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", name)] == []


def _names(prompt: Mapping[str, Any]) -> list[str]:
    return [prompt["name"], *(argument["name"] for argument in prompt["arguments"])]


def test_the_page_has_the_rules_and_the_block_of_the_paper() -> None:
    text = page("tools").text

    assert table() in text
    assert '{ type: "string", pattern: "^[1-9]\\\\d*$" }' in text
