"""Runs one real converter over the schemas on stdin; the interpreter is that of `sh .ci/deep`, not the tests' own.

``python converters.py NAME`` reads an object of schemas by name and writes an object of what became of each: the
converted schema, or ``{"refused": "…"}``. Exits with 3 and a line where the package is not installed.
"""

import importlib
import json
import sys
from collections.abc import Callable
from typing import Any

Converter = Callable[[dict[str, Any]], Any]


def google_genai() -> Converter:
    """Convert as google-genai does for Vertex AI."""
    types: Any = importlib.import_module("google.genai.types")

    def convert(schema: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        given = types.JSONSchema.model_validate(schema)
        return types.Schema.from_json_schema(json_schema=given, api_option="VERTEX_AI").model_dump(
            mode="json", exclude_none=True
        )

    return convert


def langchain_google_genai() -> Converter:
    """Convert as LangChain does for Gemini."""
    functions: Any = importlib.import_module("langchain_google_genai._function_utils")

    def convert(schema: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        declared = {"name": "n", "description": "d", "parameters": schema}
        [tool] = functions.convert_to_genai_function_declarations([declared])
        return tool.model_dump(mode="json", exclude_none=True)["function_declarations"][0]["parameters"]

    return convert


def openai_agents() -> Converter:
    """Convert as the strict mode of the OpenAI Agents SDK does."""
    strict: Any = importlib.import_module("agents.strict_schema")
    return strict.ensure_strict_json_schema


def llama_cpp() -> Converter:
    """Convert to a grammar as llama.cpp does, and parse that with its own parser."""
    llama: Any = importlib.import_module("llama_cpp")
    grammars: Any = importlib.import_module("llama_cpp.llama_grammar")

    def convert(schema: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        grammar = grammars.json_schema_to_gbnf(json.dumps(schema))
        sampler = llama.llama_sampler_init_grammar(None, grammar.encode(), b"root")
        if not sampler:
            return {"refused": "failed to parse grammar"}
        llama.llama_sampler_free(sampler)
        return {"grammar": grammar}

    return convert


def llguidance() -> Converter:
    """Compile as llguidance does."""
    matcher: Any = importlib.import_module("llguidance").LLMatcher

    def convert(schema: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        problem = matcher.validate_grammar(matcher.grammar_from_json_schema(json.dumps(schema)))
        return {"refused": problem} if problem else {}

    return convert


def outlines_core() -> Converter:
    """Compile to a regular expression as Outlines does."""
    module: Any = importlib.import_module("outlines_core.json_schema")
    return lambda schema: {"regex": module.build_regex_from_schema(json.dumps(schema))}


CONVERTERS: dict[str, Callable[[], Converter]] = {
    make.__name__: make
    for make in (google_genai, langchain_google_genai, openai_agents, llama_cpp, llguidance, outlines_core)
}


def _converted(convert: Converter, schema: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    try:
        return convert(schema)
    except Exception as error:  # noqa: BLE001 - whatever a converter raises is its refusal
        return {"refused": f"{type(error).__name__}: {error}"}


def main() -> int:
    """Convert, and return the exit status."""
    try:
        convert = CONVERTERS[sys.argv[1]]()
    except ImportError as error:
        sys.stderr.write(f"{error}\n")
        return 3
    schemas: dict[str, dict[str, Any]] = json.load(sys.stdin)
    json.dump({name: _converted(convert, schema) for name, schema in schemas.items()}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
