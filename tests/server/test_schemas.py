"""The schemas that `tools/list` sends allow what the server takes, and no more (docs/tools.md, "The tool")."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from seqthink.core.arguments import CAMEL_CASE_NAMES, AcceptedThought, InvalidArguments, accept
from seqthink.journal.drafts import LineLocation
from seqthink.server.recording.calls import Answer, Call
from seqthink.server.recording.context_items import ContextItems
from seqthink.server.setup import tool_definitions
from seqthink.server.tools.schemas import SchemaStyle
from seqthink.server.tools.thinking_tool import FIELD_NAMES, TOOL_NAME
from tests.core.test_arguments import JSON, MINIMAL, OPTIONAL

Arguments = Mapping[str, Any]

MAX_BYTES: Final = 100

_numbers = st.sampled_from(
    [
        *(1, 2, 3.0, 2**53 - 1, 2**53, 1e300, 0, -1, 1.5, "2", " 2 ", "02", "+3", "2.0", "\t2\n", "9" * 40),
        *("0", "", "-1", "1e2", "1.5", "٣", "2 3", True, None, [1], float("inf")),
    ]
)
_booleans = st.sampled_from([True, False, "true", "FALSE", " True ", "no", "", "truefalse", 0, 1, None, []])
_texts = st.one_of(st.sampled_from(["t", "", " ", "x" * 101, "é", 5, None, ["t"]]), st.text(max_size=5))
_names = st.one_of(st.sampled_from(["b", "", 0, 7, -3, 2.0, 1.5, 2**53, 1e300, True, None, ["b"], "x" * 101]), _texts)
_tags = st.one_of(
    st.sampled_from([None, "pool", '["a", "b"]', '["a", 5]', "[5]", ["a", 5], 5, True, {"a": 1}, "x" * 5000]),
    st.lists(st.text(max_size=3), max_size=3),
)
_KINDS: Final[Mapping[str, st.SearchStrategy[Any]]] = {
    **dict.fromkeys(("thoughtNumber", "totalThoughts", "revisesThought", "branchFromThought", "limit"), _numbers),
    **dict.fromkeys(("nextThoughtNeeded", "isRevision", "needsMoreThoughts"), _booleans),
    **dict.fromkeys(("thought", "content", "query"), _texts),
    "branchId": _names,
    "id": st.one_of(st.just("c1"), _texts),
    "tags": _tags,
}


def schema_of(tool: str, style: SchemaStyle) -> dict[str, Any]:
    tools = tool_definitions(style, has_context=True, has_audits=False)
    [schema] = [listed["inputSchema"] for listed in tools if listed["name"] == tool]
    return schema


def allows(tool: str, style: SchemaStyle, arguments: dict[str, Any]) -> bool:
    validator: Any = Draft202012Validator(schema_of(tool, style))  # its types are not complete
    return bool(validator.is_valid(arguments))


def calls_of(names: Iterable[str], spelled: Mapping[str, str] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Return arguments near those of a tool; ``spelled`` gives further names for the same values."""
    kinds = {name: _KINDS[name] for name in names}
    kinds |= {other: _KINDS[name] for other, name in (spelled or {}).items()}
    near = st.fixed_dictionaries({}, optional={name: st.one_of(kind, kind, JSON) for name, kind in kinds.items()})
    return st.builds(dict[str, Any].__or__, near, st.dictionaries(st.text(max_size=3), JSON, max_size=1))


thoughts = st.one_of(
    calls_of(FIELD_NAMES, CAMEL_CASE_NAMES),
    st.builds(dict[str, Any].__or__, st.just(MINIMAL), calls_of(FIELD_NAMES)),
    st.builds(dict[str, Any].__or__, st.just(MINIMAL), calls_of(OPTIONAL, CAMEL_CASE_NAMES)),
)


@given(thoughts)
def test_every_call_that_is_accepted_passes_a_check_by_the_schema_without_its_nulls(arguments: dict[str, Any]) -> None:
    accepted = accept(arguments, MAX_BYTES)

    given_values = _without_nulls(arguments)
    if isinstance(accepted, AcceptedThought) and given_values.keys() >= set(MINIMAL):
        assert allows(TOOL_NAME, "lenient", given_values) or _has_line_breaks_around(given_values)
        assert allows(TOOL_NAME, "plain", accepted.fields)


def _without_nulls(arguments: Arguments) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value is not None}


def _has_line_breaks_around(arguments: Arguments) -> bool:
    """Return whether a text has other blanks around it than spaces, which no pattern that is portable can allow."""
    return any(isinstance(value, str) and value.strip(" ") != value.strip() for value in arguments.values())


@given(thoughts)
def test_every_call_that_passes_the_check_is_accepted_or_refused_by_a_rule_of_the_page(
    arguments: dict[str, Any],
) -> None:
    decided = accept(arguments, MAX_BYTES)

    if allows(TOOL_NAME, "lenient", arguments) and isinstance(decided, InvalidArguments):
        for name, problem in decided.problems.items():
            value = arguments.get(name)
            assert _is_too_large(value) or _is_blank(value) or _is_spelled_badly(arguments, name), (name, problem)
    if allows(TOOL_NAME, "plain", arguments):
        assert allows(TOOL_NAME, "lenient", arguments)


def _is_too_large(value: object) -> bool:
    """Return whether a value is beyond what every client represents, or a text over the limit of bytes."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass")) > MAX_BYTES or (value.isdigit() and int(value) >= 2**53)
    return isinstance(value, int | float) and abs(value) >= 2**53


def _is_blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip()


def _is_spelled_badly(arguments: Arguments, name: str) -> bool:
    """Return whether the value came under the name in snake case, about which the schema says nothing."""
    return arguments.get(name) is None and any(CAMEL_CASE_NAMES.get(other) == name for other in arguments)


def test_names_in_snake_case_pass_where_the_argument_is_optional() -> None:
    required = {"thought_number", "total_thoughts", "next_thought_needed"}
    optional = dict.fromkeys(CAMEL_CASE_NAMES.keys() - required, 1)

    assert allows(TOOL_NAME, "lenient", MINIMAL | optional)
    assert allows(TOOL_NAME, "plain", MINIMAL | optional)
    assert not allows(TOOL_NAME, "lenient", {"thought": "t", **dict.fromkeys(required, 1)})


# Context items


class _Journal:
    session = "s"

    def read(self, location: LineLocation) -> bytes:  # noqa: ARG002 - there is one line
        return b'{"content":"text"}'


def _answer(tool: str, arguments: Arguments) -> Answer:
    """Return the answer of a session that holds an item ``c1``."""
    items = ContextItems(MAX_BYTES)
    items.decide(Call("search_context", {}), _Journal())
    items.restore({"type": "context", "id": "c1", "action": "store", "content": "text"}, LineLocation("s", 0, 1))
    return items.decide(Call(tool, arguments), _Journal())


@pytest.mark.parametrize("tool", ["store_context", "update_context", "search_context"])
@given(data=st.data())
def test_every_call_of_a_context_tool_that_is_answered_passes_a_check_by_the_schema(
    tool: str, data: st.DataObject
) -> None:
    arguments = data.draw(calls_of(schema_of(tool, "lenient")["properties"]))
    answer = _answer(tool, arguments)

    is_allowed = allows(tool, "lenient", _without_nulls(arguments))
    if not answer.is_error:
        assert is_allowed or _has_line_breaks_around(arguments)
    elif is_allowed:
        assert any(rule in str(answer.body["error" if "error" in answer.body else "message"]) for rule in _RULES)


_RULES: Final = (
    "must be a non-empty string, got",
    "must be at most",
    "must be a positive integer below",
    "must be the id of an item that was stored",
    "there is nothing to update",
    "Invalid type for tags parameter",
)


# How the schemas read


@pytest.mark.parametrize("style", ["lenient", "plain"])
def test_the_schemas_are_such_and_forbid_no_further_argument(style: SchemaStyle) -> None:
    for tool in tool_definitions(style, has_context=True, has_audits=True):
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert not {"anyOf", "oneOf", "allOf", "additionalProperties"} & schema.keys()


def test_an_argument_s_plain_type_comes_first_with_the_description_and_one_repaired_form_follows() -> None:
    plain = {tool["name"]: tool for tool in tool_definitions("plain", has_context=True, has_audits=True)}

    for tool in tool_definitions("lenient", has_context=True, has_audits=True):
        its_plain = plain[tool["name"]]["inputSchema"]
        assert tool["inputSchema"].get("required") == its_plain.get("required")
        for name, schema in tool["inputSchema"]["properties"].items():
            first, *repaired = schema.get("anyOf", [schema])
            assert first == its_plain["properties"][name]
            assert first["description"]
            assert [form.keys() <= {"type", "pattern"} for form in repaired] == [True] * ("anyOf" in schema)
