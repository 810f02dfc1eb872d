"""What the real converters between MCP and model back ends make of every schema (docs/tools.md)."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import pytest

from seqthink.server.setup import tool_definitions
from tests.conftest import PROJECT
from tests.support.servers.portable_schemas import PAPER_SCHEMA

pytestmark = pytest.mark.deep

FOLDER: Final = PROJECT / ".venv-deep"
BOUND: Final = 300.0
TYPES: Final = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}
"""The types of Vertex AI's API."""
SCHEMAS: Final[Mapping[str, Any]] = {
    f"{style} {tool['name']} {has_audits}": tool["inputSchema"]
    for style in ("lenient", "plain")
    for has_audits in (False, True)
    for tool in tool_definitions(style, has_context=True, has_audits=has_audits)
}
ANSWERS: Final[Mapping[str, Any]] = {
    f"answer of {tool['name']}": tool["outputSchema"]
    for tool in tool_definitions("lenient", has_context=True, has_audits=True)
}
_NUMBER: Final = {"type": "integer", "minimum": 1}
_OLD_TEXT: Final = {"type": "string", "pattern": r"^\s*\+?0*[1-9][0-9]*(\.0+)?\s*$"}
CONTROLS: Final[Mapping[str, Any]] = {
    name: {"type": "object", "properties": {"x": schema}}
    for name, schema in {
        "the paper": PAPER_SCHEMA,
        "ours before": {"anyOf": [_NUMBER, _OLD_TEXT, {"type": "null"}], "description": "A number"},
    }.items()
}
"""Schemas that a back end refuses: what these tests say of ours counts only where they refuse these."""


def converted(command: list[str], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a converter makes of the schemas; skip the test where it is not installed."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is missing: run `sh .ci/deep`")
    done = subprocess.run(
        command, cwd=FOLDER, input=json.dumps(schemas).encode(), capture_output=True, timeout=BOUND, check=False
    )
    if done.returncode == 3:
        pytest.skip(f"{done.stderr.decode().strip()}: run `sh .ci/deep`")
    assert done.returncode == 0, done.stderr.decode()
    return cast("dict[str, Any]", json.loads(done.stdout))


def by_python(name: str, schemas: Mapping[str, Any]) -> dict[str, Any]:
    return converted([str(FOLDER / "bin" / "python"), str(PROJECT / "tests" / "deep" / "converters.py"), name], schemas)


def by_ai_sdk(schemas: Mapping[str, Any]) -> dict[str, Any]:
    if not FOLDER.is_dir():
        pytest.skip("the AI SDK is missing: run `sh .ci/deep`")
    return converted(["node", str(PROJECT / "tests" / "deep" / "ai_sdk.mjs")], schemas)


def refusals(schema: Any, place: str = "") -> Iterator[str]:  # noqa: ANN401 - JSON
    """Yield what Vertex AI refuses in a converted schema: it reads the fields of protobuf's JSON, by either name."""
    union = schema.get("any_of", schema.get("anyOf"))
    if "refused" in schema:
        yield f"{place}: {schema['refused']}"
    if union is not None and len(schema) > 1:
        yield f"{place}: fields beside any_of"
    if union is None and str(schema.get("type")).upper() not in TYPES:
        yield f"{place}: type {schema.get('type')}"
    inner = {**schema.get("properties", {}), **dict(enumerate(union or ()))}
    for name, part in {**inner, **({"items": schema["items"]} if "items" in schema else {})}.items():
        yield from refusals(part, f"{place}/{name}")


@pytest.mark.parametrize("converter", ["google_genai", "langchain_google_genai"])
def test_what_google_is_sent_from_python_has_one_type_at_every_place_and_nothing_beside_a_union(converter: str) -> None:
    made = by_python(converter, SCHEMAS | ANSWERS)

    assert made.keys() == (SCHEMAS | ANSWERS).keys()
    assert [refusal for name, schema in made.items() for refusal in refusals(schema, name)] == []


def test_google_genai_leaves_what_was_advertised_before_without_a_type() -> None:
    made = by_python("google_genai", CONTROLS)

    assert {name: len([*refusals(schema)]) for name, schema in made.items()} == {"the paper": 1, "ours before": 2}


def test_what_google_is_sent_by_the_ai_sdk_has_one_type_at_every_place_and_nothing_beside_a_union() -> None:
    made = by_ai_sdk(SCHEMAS)
    controls = by_ai_sdk(CONTROLS)

    assert [refusal for name, schema in made.items() for refusal in refusals(schema, name)] == []
    assert all([*refusals(schema)] for schema in controls.values())


def test_a_repaired_form_reaches_google_with_its_own_type() -> None:
    for made in (by_python("google_genai", SCHEMAS), by_ai_sdk(SCHEMAS)):
        number = made["lenient sequentialthinking False"]["properties"]["thoughtNumber"]
        forms = number.get("any_of", number.get("anyOf"))
        assert [form["type"].lower() for form in forms] == ["integer", "string"]
        assert forms[0]["description"].startswith("Number of this thought")


def test_llama_cpp_parses_the_grammar_of_every_schema_and_not_that_of_a_shorthand() -> None:
    made = by_python("llama_cpp", SCHEMAS | ANSWERS)
    controls = by_python("llama_cpp", CONTROLS)

    assert [name for name, grammar in made.items() if "refused" in grammar] == []
    assert {name for name, grammar in controls.items() if "refused" in grammar} == CONTROLS.keys()


@pytest.mark.parametrize("converter", ["llguidance", "outlines_core", "openai_agents"])
def test_other_back_ends_compile_every_schema(converter: str) -> None:
    made = by_python(converter, SCHEMAS)

    assert made.keys() == SCHEMAS.keys()
    assert [name for name, result in made.items() if "refused" in result] == []


def test_strict_mode_keeps_both_forms_of_an_argument() -> None:
    made = by_python("openai_agents", SCHEMAS)

    for name, schema in made.items():
        assert schema["additionalProperties"] is False
        assert schema["required"] == [*SCHEMAS[name]["properties"]]
        assert schema["properties"] == SCHEMAS[name]["properties"]
