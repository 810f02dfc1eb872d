"""Code that names no language is judged as the only language that parses all of it, else not at all."""

from collections.abc import Sequence
from importlib.util import find_spec

import pytest

from seqthink.audit.code.blocks import code_blocks
from seqthink.audit.code.candidates import candidate_languages
from seqthink.audit.code.naming import language_named
from seqthink.audit.code_under_review import code_of_thought
from seqthink.audit.judges import languages
from seqthink.audit.judges.internal import UnitResult, judge_unit
from seqthink.audit.judges.language_search import MAX_SEARCHED_CHARS
from seqthink.audit.unread_lines import UNNAMED
from tests.support.depth import first

SHAPES = {
    "fence": "So:\n\n```\n{}\n```\n",
    "bare": "That is what it does now.\n\n{}\n\nThat is all there is to do.\n",
}


async def results(thought: str) -> list[UnitResult]:
    code = await code_of_thought(thought, None)
    return [await judge_unit(unit) for unit in code.units]


async def judged_as(thought: str) -> str:
    """Return the language as which the one piece of code in ``thought`` was judged, or ""."""
    [result] = await results(thought)
    assert [part.reason for part in result.unread] == ([] if result.looked_for else [UNNAMED])
    return result.looked_for.language if result.looked_for else ""


@pytest.mark.parametrize("shape", first(1, SHAPES.values()), ids=SHAPES)
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("#!/bin/sh\nmake build", "bash"),
        ("npm ci && npm test", "bash"),
        ("#!/usr/bin/env python3\nprint(1)", "python"),
        ("def f(x):\n    return x", "python"),
        ("import hashlib\ndigest = hashlib.md5(password.encode()).hexdigest()", "python"),
        ("func F() error {\n\treturn nil\n}", "go"),
        ("resp, err := http.Get(url)", "go"),
        ("fn f() -> u8 {\n    1\n}", "rust"),
        ("#include <stdio.h>\nint main(void) {\n    return 0;\n}", "c"),
        ("#include <vector>\nint main() {\n    return std::max(1, 2);\n}", "c"),
        ("package shop;\n\npublic class Cart {\n    public int size() throws Gone { return 1; }\n}", "java"),
        ("const f = (x) => {\n  return x;\n};", "javascript"),
        ("interface X {\n  id: string;\n}\nexport type Id = number", "javascript"),
        ("using System;\n\npublic class A {\n    public int Size => 1;\n}", "csharp"),
        ("SELECT count(*) FROM jobs WHERE state = 'running' AND id < 7;", "sql"),
        ('<div class="a"><span>b</span></div>', "html"),
        ("class Cart < Base\n  def total\n    @items.sum { |i| i.price }\n  end\nend", "ruby"),
        ('data class Item(val id: Int)\n\nfun show(item: Item) {\n    println("$item")\n}', "kotlin"),
        ('{\n  "a": 1,\n  "b": [2]\n}', "json"),
        ("on:\n  push:\n    branches: [main]", "yaml"),
        ('[package]\nname = "demo"\nversion = "0.1.0"', "toml"),
        ("FROM node:20\nRUN npm ci", "dockerfile"),
    ],
)
async def test_code_is_judged_as_the_only_language_that_parses_it(shape: str, text: str, language: str) -> None:
    assert await judged_as(shape.format(text)) == language


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize(
    "text",
    [
        "key = build_key(tenant, user_id)",
        "x.y(1);\nz.y(2);\na.b(3);",
        "public class Counter {\n    private int count;\n}",
        "def total(items: Seq[Item]): BigDecimal = items.map(_.price).sum",
        "using System;\n\npublic class A {\n}",
        "def f(a:\n    return [a]\n\ndef g(b):\n    return f(b)",
        "def find(a):\n    if a.size() > 3 then\n        return a.first()\n    return None",
        'def show(value):\n    print "value:", value',
        "defmodule Cart do\n  def total(items) do\n    Enum.sum(items)\n  end\nend",
        "[Service]\nExecStart=/usr/bin/app --port 80\nRestart=always",
    ],
)
async def test_code_that_several_languages_or_none_parses_is_not_judged(shape: str, text: str) -> None:
    assert await judged_as(shape.format(text)) == ""


@pytest.mark.parametrize(
    ("thought", "language"),
    [
        ("In Python:\n\nrows = pool.run(query)\n", "python"),
        ("The C++ part is:\n```\nif (count = 0) { return; }\n```\n", "cpp"),
        ("With shell:\n\nrows = pool.run(query)\n", ""),
        ("In Python or in Ruby:\n\nrows = pool.run(query)\n", ""),
        ("That was in Python.\n\nrows = pool.run(query)\n", ""),
        ("# jobs/report.py\nrows = pool.run(query)\nrows.sort(key=size)\n", "python"),
        ("`jobs/report.go`:\n\nrows = pool.run(query)\n", "go"),
        ("```\ngit status\nfoo (bar\n```\n", ""),
        ("`jobs/report.ex`:\n\ndef f(x):\n    return x\n", ""),
    ],
)
async def test_what_the_text_names_decides_if_it_parses(thought: str, language: str) -> None:
    assert await judged_as(thought) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [("In Go, that is:", "go"), ("We go on:", ""), ("as C#:", "csharp"), ("The C.I. says:", ""), ("Python.org:", "")],
)
def test_a_language_is_named_as_prose_writes_it(line: str, language: str) -> None:
    assert language_named(line) == language


def rules_found(found: Sequence[UnitResult]) -> list[tuple[int, str]]:
    return [(finding.line, finding.dimension) for result in found for finding in result.findings]


async def test_mistakes_are_found_in_what_is_judged_and_secrets_also_in_what_is_not() -> None:
    judged = await results("So:\n\ntry:\n    rows = pool.run(query)\nexcept Exception:\n    pass\n")
    unjudged = await results('So:\n\nkey = build_key("ghp_' + "b7Kq2mXw9RtY4pLz8VnC3sDf6GhJ1aEu5TiO" + '")\n')

    assert rules_found(judged) == [(5, "correctness"), (5, "correctness")]
    assert rules_found(unjudged) == [(3, "security")]
    assert [part.reason for result in unjudged for part in result.unread] == [UNNAMED]


async def test_long_code_must_name_its_language() -> None:
    function = "def f(x):\n    return x\n\n\n"
    count = MAX_SEARCHED_CHARS // len(function)

    assert await judged_as(f"```\n{function * count}```\n") == "python"
    assert await judged_as(f"```\n{function * (count + 1)}```\n") == ""


async def test_without_grammars_python_parses_what_is_named_and_json(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> object:
        return None if name.startswith("tree_sitter") else find_spec(name)

    monkeypatch.setattr(languages, "find_spec", find)

    assert await judged_as("In Python:\n\nrows = pool.run(query)\n") == "python"
    assert await judged_as('{\n  "a": 1,\n  "b": [2]\n}\n') == "json"
    assert await judged_as("def f(x):\n    return x\n") == ""
    assert await judged_as("In Go:\n\nrows := pool.Run(query)\n") == ""


def test_every_language_is_a_candidate() -> None:
    """Data and commands are known by their form."""
    text = "fi\nend\nputs a\nval a\nfun a\n$a\n<a\na {\nRUN a\nvar a\n"
    known = {*candidate_languages(text), "json", "yaml", "toml"}

    assert {dialect for language in known for dialect in languages.dialects(language)} == set(languages.LANGUAGES)


def test_a_block_that_names_its_language_has_no_candidates() -> None:
    [named, unnamed] = code_blocks("```py\nf(1)\n```\n\n```\nf(1)\n```\n")

    assert (named.language, named.candidates) == ("python", ())
    assert unnamed.language == ""
    assert "python" in unnamed.candidates
