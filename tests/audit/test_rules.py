"""Every rule file is sound, and finds what its examples say: no more, no less."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import anyio
import pytest

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges import rule_folders, rule_predicates
from seqthink.audit.judges.internal import judge
from seqthink.audit.judges.known_mistakes import match_rule
from seqthink.audit.judges.languages import LANGUAGES
from seqthink.audit.judges.parsing import ParsedUnit, parse_unit
from seqthink.audit.judges.rule_file import COSTS, STANDARD_PREDICATES, Rule, RuleError, read_fragments, read_rule
from seqthink.audit.judges.rule_folders import (
    RULES_FOLDER,
    CompiledRule,
    compile_rule,
    fragments_in,
    load_rules,
    rule_files,
    rules_for,
)
from seqthink.audit.judges.rule_predicates import CUSTOM_PREDICATES
from seqthink.audit.review import MINOR, CodeFinding
from tests.support.audit.rule_examples import RuleHeader, read_header
from tests.support.depth import first
from tests.support.docs.pages import page
from tests.support.docs.proofs import BOUND

FRAGMENTS_FILE = "fragments.toml"
FOLDERS = sorted(entry.name for entry in RULES_FOLDER.iterdir() if entry.name != FRAGMENTS_FILE)
TEXTS = {name: file.read_text("utf-8") for name, file in rule_files(FOLDERS, RULES_FOLDER)}


def rules() -> dict[str, Rule]:
    fragments = fragments_in(RULES_FOLDER)
    return {name: read_rule(name, text, fragments) for name, text in TEXTS.items()}


@cache
def header(name: str) -> RuleHeader:
    return read_header(TEXTS[name])


def found(parsed: ParsedUnit) -> list[tuple[str, int]]:
    """Return the rules that find something in ``parsed``, those without ruff included, and on which line."""
    compiled_rules = rules_for(parsed.dialect).rules
    return [(one.rule.name, finding.line) for one in compiled_rules for finding in match_rule(parsed, one)]


def test_every_folder_is_a_language_and_holds_rules_only() -> None:
    entries = [entry for folder in FOLDERS for entry in (RULES_FOLDER / folder).iterdir()]

    assert set(FOLDERS) <= set(LANGUAGES)
    assert len(TEXTS) == len(entries) > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_a_language_can_be_loaded(language: str) -> None:
    assert rules_for(language).problems == ()


def test_every_rule_is_loaded_for_each_of_its_languages() -> None:
    for name, rule in rules().items():
        for language in rule.languages:
            assert name in {one.rule.name for one in rules_for(language).rules}, (name, language)


def test_every_rule_says_why_and_has_examples() -> None:
    for name in TEXTS:
        said = header(name)

        assert said.explanation.endswith("."), name
        assert {example.is_bad for example in said.examples} == {True, False}, name
        assert all(example.code.strip() for example in said.examples), name
        assert all(bool(example.marked_lines) == example.is_bad for example in said.examples), name


@pytest.mark.parametrize("language", first(8, LANGUAGES))
def test_in_a_bad_example_the_rule_finds_the_marked_lines_and_in_a_good_one_no_rule_finds_anything(
    language: str,
) -> None:
    for name in (name for name, rule in rules().items() if language in rule.languages):
        for number, example in enumerate(header(name).examples):
            parsed = parse_unit(example.unit(language))

            assert (parsed.dialect, parsed.error_nodes) == (language, ()), (name, number)
            assert found(parsed) == [(name, line) for line in example.marked_lines], (name, number)


SOUND = """; A call of `ship` is wrong.
;
; Bad:
; > ship()
;
; Good:
;   keep()

(call function: (identifier) @name
  (#eq? @name "ship")
  (#set! comment "Shipped \\"now\\"; keep it.")
  (#set! dimension "clarity")
  (#set! cost "minor")) @here
"""


def unsound(old: str, new: str) -> str:
    assert old in SOUND
    return SOUND.replace(old, new)


UNSOUND = {
    "a setting that there is not": (unsound('dimension "clarity"', 'color "red"'), "#set! takes comment, dimension"),
    "a setting without a value": (unsound('dimension "clarity"', "dimension"), "#set! takes comment, dimension"),
    "a missing setting": (unsound('(#set! cost "minor")', ""), "no #set! gives its cost"),
    "an empty comment": (unsound('Shipped \\"now\\"; keep it.', ""), "no #set! gives its comment"),
    "a setting given twice": (unsound('dimension "clarity"', 'cost "minor"'), "each may be given once"),
    "a cost that there is not": (unsound('"minor"', '"huge"'), '"huge" is not a cost; it is one of minor, serious'),
    "a dimension that there is not": (unsound('"clarity"', '"taste"'), '"taste" is not a dimension'),
    "a predicate that there is not": (unsound("#eq?", "#looks-like?"), "#looks-like? is not a predicate"),
    "a directive that there is not": (unsound("#eq?", "#offset!"), "#offset! is not a predicate"),
    "a predicate without its text": (
        unsound('#eq? @name "ship"', "#kind-match? @name"),
        "#kind-match? takes a capture",
    ),
    "a predicate on a text": (unsound('#eq? @name "ship"', '#kind-match? "a" "b"'), "#kind-match? takes a capture"),
    "an expression that is none": (unsound('#eq? @name "ship"', '#kind-match? @name "("'), "#kind-match?: missing )"),
    "the same for a standard predicate": (
        unsound('#eq? @name "ship"', '#match? @name "("'),
        "regular expression error",
    ),
    "a capture that there is not": (unsound("#eq? @name", "#eq? @nobody"), "Invalid capture name"),
    "another release's node type": (unsound("(identifier)", "(identificator)"), "Invalid node type"),
    "another release's field": (unsound("function:", "funktion:"), "Invalid field name"),
    "a bracket too few": (unsound("(identifier)", "(identifier"), "Invalid syntax"),
    "no place": (unsound(")) @here", "))"), "does not capture @here"),
    "a pattern without a place": (SOUND + "(call) @call\n", "does not capture @here"),
    "a predicate outside of its pattern": (SOUND + '(#eq? @here "a")\n', "a predicate is outside of its pattern"),
    "nothing but comments": ("; A call of `ship` is wrong.\n", "no #set! gives its comment, dimension, cost"),
    "another tool that may be missing": ("; Without: mypy\n" + SOUND, '"Without: mypy" is not known'),
}


@pytest.mark.parametrize(("text", "why"), UNSOUND.values(), ids=UNSOUND)
def test_a_file_that_is_no_rule_is_named_with_the_reason_and_the_others_count(
    tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "broken.scm").write_text(text, "utf-8")
    (tmp_path / "python" / "sound.scm").write_text(SOUND, "utf-8")
    loaded = load_rules("python", tmp_path)

    assert [one.rule.name for one in loaded.rules] == ["python/sound"]
    assert loaded.problems[0].startswith("The rule python/broken could not be loaded: ")
    assert why in loaded.problems[0]
    assert len(loaded.problems) == 1


def test_a_file_that_is_no_text_is_named_like_a_broken_one(tmp_path: Path) -> None:
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "bytes.scm").write_bytes(b"\xff\xfe")
    (tmp_path / "python" / "folder.scm").mkdir()
    loaded = load_rules("python", tmp_path)

    assert loaded.rules == ()
    assert [problem.split(":")[0] for problem in loaded.problems] == [
        "The rule python/bytes could not be loaded",
        "The rule python/folder could not be loaded",
    ]


def test_a_rule_that_could_not_be_loaded_is_on_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "go").mkdir()
    (tmp_path / "go" / "broken.scm").write_text(unsound("call function:", "funktion"), "utf-8")
    monkeypatch.setattr(rule_folders, "RULES_FOLDER", tmp_path)
    rules_for.cache_clear()
    try:
        card = anyio.run(judge, [CodeUnit(path="thought", text="package a\n\nfunc f() {}\n", language="go")])
    finally:
        rules_for.cache_clear()

    assert card.findings == ()
    assert card.notes.startswith("The rule go/broken could not be loaded: Invalid node type")


def test_every_fragment_is_shared_and_is_an_expression() -> None:
    queries = {name: re.sub(r"^;.*", "", text, flags=re.MULTILINE) for name, text in TEXTS.items()}
    file = (RULES_FOLDER / FRAGMENTS_FILE).read_text("utf-8")
    for fragment, expression in fragments_in(RULES_FOLDER).items():
        uses = sum(f"{{{fragment}}}" in query for query in queries.values()) + file.count(f"{{{fragment}}}")

        assert uses > 1, fragment
        assert re.compile(expression), fragment


def test_a_fragment_is_replaced_in_rules_and_in_the_fragments_below_it(tmp_path: Path) -> None:
    (tmp_path / "python").mkdir()
    (tmp_path / FRAGMENTS_FILE).write_text("""SHIP = 's\\w+'\nSHIPPED = '^{SHIP}|["]$'\n""", "utf-8")
    (tmp_path / "python" / "shipped.scm").write_text(unsound('#eq? @name "ship"', '#match? @name "{SHIPPED}"'), "utf-8")
    loaded = load_rules("python", tmp_path)
    findings = match_rule(parse_unit(CodeUnit(path="a.py", text="keep()\nship()\n")), loaded.rules[0])

    assert loaded.problems == ()
    assert loaded.rules[0].rule.predicates[0].arguments == ("@name", '^s\\w+|["]$')
    assert [finding.line for finding in findings] == [2]


def test_the_fragment_on_the_page_is_in_the_file() -> None:
    [shown] = [fence.text for fence in page("audit").fences if fence.language == "toml"]

    assert shown.strip() in (RULES_FOLDER / FRAGMENTS_FILE).read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A", "the fragments are not TOML: "),
        ("A = 1", "the fragment A is not a text"),
        ("AA = '{BB}'\nBB = 'b'", "{BB} is not a fragment"),
    ],
)
def test_fragments_that_cannot_be_read_are_named_and_rules_without_them_count(
    tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / "python").mkdir()
    (tmp_path / FRAGMENTS_FILE).write_text(text, "utf-8")
    (tmp_path / "python" / "sound.scm").write_text(SOUND, "utf-8")
    (tmp_path / "python" / "using.scm").write_text(unsound('"ship"', '"{AA}"'), "utf-8")
    loaded = load_rules("python", tmp_path)

    assert [one.rule.name for one in loaded.rules] == ["python/sound"]
    assert loaded.problems[0].startswith(f"The fragments of the rules could not be loaded: {why}")
    assert loaded.problems[1:] == ("The rule python/using could not be loaded: {AA} is not a fragment.",)
    with pytest.raises(RuleError, match=re.escape(why)):
        read_fragments(text)


def test_what_a_rule_says_is_what_a_finding_says(tmp_path: Path) -> None:
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "sound.scm").write_text(SOUND, "utf-8")
    [compiled] = load_rules("python", tmp_path).rules
    code = "ship()\nkeep()\nship(ship())\n"
    findings = match_rule(parse_unit(CodeUnit(path="a.py", text=code, first_line=7)), compiled)

    assert findings == [
        CodeFinding(path="a.py", line=line, comment='Shipped "now"; keep it.', dimension="clarity", cost=MINOR)
        for line in (7, 9)
    ]


def matched(query: str, code: str, language: str = "python") -> list[int]:
    """Return the lines of ``code`` that a rule with ``query`` finds."""
    settings = '(#set! comment "x") (#set! dimension "clarity") (#set! cost "minor")'
    text = f'{query}\n((module) @here (#eq? @here "") {settings})'
    rule = read_rule(f"{language}/test", text)
    parsed = parse_unit(CodeUnit(path="a.py", text=code))
    return [finding.line for finding in match_rule(parsed, CompiledRule(rule, compile_rule(rule, language)))]


OPENED = r'((assignment left: (_) @name) @here (#never-used-after? @name "^([.]?close\\(|return)"))'
CLOSED_IN_FINALLY = r'((assignment left: (_) @name) @here (#never-used-after? @name "^finally_clause [.]close\\("))'
AROUND = r'((assignment left: (_) @name) @here (#never-around? @here "\\bwith {name}\\b"))'
PARTS = r'((assignment right: (_) @value) @here (#not-every-part? @value "^(escape\\($|[A-Z]+$)"))'
HOLDS = r'((while_statement body: (block) @body) @here (#not-holds? @body "^(break_|return_|call stop\\()"))'


@pytest.mark.parametrize(
    ("query", "code", "lines"),
    [
        (OPENED, "def f():\n    a = o()\n", [2]),
        (OPENED, "def f():\n    a = o()\n    a.close()\n", []),
        (OPENED, "def f():\n    a = o()\n    close(a)\n", []),
        (OPENED, "def f():\n    a = o()\n    b.close()\n", [2]),
        (OPENED, "def f():\n    a = o()\n    close(a.b)\n", [2]),
        (OPENED, "def f():\n    a = o()\n    a.b.close()\n", [2]),
        (OPENED, "def f():\n    a = o()\n    close(b(a))\n", [2]),
        (OPENED, "def f():\n    a = o()\n    close(a or b)\n", []),
        (OPENED, "def f():\n    a = o()\n    return b(a)\n", [2]),
        (OPENED, "def f():\n    a = o()\n    return b, a\n", []),
        (OPENED, "def f():\n    a = o()\n    return a.b\n", [2]),
        (OPENED, "def f():\n    a = o()\n    return b if a else c\n", [2]),
        (OPENED, "def f():\n    a = o()\n    return b if c else a\n", []),
        (OPENED, "def f():\n    a = o()\n    # a.close()\n    g('a.close()')\n", [2]),
        (OPENED, "def f():\n    a.close()\n    a = o()\n", [3]),
        (OPENED, "def f():\n    a = o()\n    a = p()\n    a.close()\n", [2]),
        (OPENED, "def f():\n    a = o()\n    if b:\n        a = p()\n    a.close()\n", []),
        (OPENED, "def f():\n    a = o()\n\ndef g():\n    a.close()\n", [2]),
        (OPENED, "def f():\n    a = o()\n    def g():\n        a.close()\n", []),
        (OPENED, "def f():\n    a = o()\n    def g(a):\n        a.close()\n", [2]),
        (OPENED, "a = o()\n", []),
        (OPENED, "async def it():\n    a = o()\n", []),
        (OPENED.replace("#never", "#not-never"), "a = o()\n", []),
        (CLOSED_IN_FINALLY, "def f():\n    a = o()\n    try: b()\n    finally: a.close()\n", []),
        (CLOSED_IN_FINALLY, "def f():\n    a = o()\n    a.close()\n    try: b()\n    finally: c()\n", [2]),
        (PARTS, 'a = "b" + "c"\n', []),
        (PARTS, 'a = "b" + c + "d"\n', [1]),
        (PARTS, 'a = "b" + escape(c) + "d"\n', []),
        (PARTS, 'a = "b" + escape(c) + d\n', [1]),
        (PARTS, 'a = f"b{c}"\n', [1]),
        (PARTS, 'a = f"b{escape(c)}" + D\n', []),
        (PARTS, 'a = "escape(" + b\n', [1]),
        (PARTS, "a = b  # escape(b)\n", [1]),
        (PARTS, "a = b(escape(c))\n", [1]),
        (HOLDS, "while 1:\n    a()\n", [1]),
        (HOLDS, "while 1:\n    if a: break\n", []),
        (HOLDS, "while 1:\n    for a in b: break\n", [1]),
        (HOLDS, "while 1:\n    for a in b: return\n", []),
        (HOLDS, "while 1:\n    for a in b: c()\n    else: break\n", []),
        (HOLDS, "while 1:\n    def a(): return\n", [1]),
        (HOLDS, "while 1:\n    if a: stop()\n", []),
        (HOLDS, "while 1:\n    a('stop()')  # stop()\n", [1]),
        (AROUND, "def f():\n    # with a\n    a = o('with a')\n", [3]),
        (AROUND, "def f():\n    with a: pass\n    a = o()\n", []),
        (AROUND, "def f():\n    with ab: pass\n    a = o()\n", [3]),
        (r'((call) @here (#within-named? @here "^token$"))', "token = f()\nname = f()\n", [1]),
        (r'((call) @here (#not-within-named? @here "^token$"))', "token = f()\nname = f()\n", [2]),
        (r'(module (_) @here (#kind-match? @here "^expr"))', "f()\nimport a\n", [1]),
        (r'(module (_) @here (#not-kind-match? @here "^expr"))', "f()\nimport a\n", [2]),
        (r'((call (argument_list (integer)? @more)) @here (#kind-match? @more "^int"))', "f()\nf(1)\n", [1, 2]),
    ],
)
def test_custom_predicates(query: str, code: str, lines: list[int]) -> None:
    assert matched(query, code) == lines


def test_the_rule_on_the_page_is_a_rule_and_its_examples_hold(tmp_path: Path) -> None:
    [shown] = [fence.text for fence in page("audit").fences if fence.language == "scheme"]
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "left-print.scm").write_text(shown, "utf-8")
    loaded = load_rules("python", tmp_path)
    examples = read_header(shown).examples

    assert loaded.problems == ()
    assert [example.is_bad for example in examples] == [True, False]
    for example in examples:
        findings = match_rule(parse_unit(example.unit("python")), loaded.rules[0])
        assert tuple(finding.line for finding in findings) == example.marked_lines


def test_the_page_names_every_predicate_and_setting() -> None:
    [table] = [text for text in page("audit").text.split("\n\n") if text.startswith("| Predicate |")]
    names = re.findall(r"^\| `#(\S+)` \|", table, re.MULTILINE)

    assert names == list(CUSTOM_PREDICATES)
    assert all(f"`#{name}`" in page("audit").text for name in STANDARD_PREDICATES)
    assert all(f"{word} ({points}" in page("audit").text for word, points in COSTS.items())


def test_the_program_on_the_page_shows_a_tree() -> None:
    [program] = [fence.text for fence in page("audit").fences if fence.language == "python"]
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True, timeout=BOUND
    )

    assert shown.stdout.startswith("(module (expression_statement (call function: (identifier)")


def test_a_rule_searches_only_so_much_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "".join(f"def f{number}():\n    a = o()\n" + "    a.b()\n" * 10 for number in range(3))
    everything = matched(OPENED, code)
    monkeypatch.setattr(rule_predicates, "_MAX_SEARCHED_CHARS", 150)

    assert everything == [2, 14, 26]
    assert matched(OPENED, code) == [2, 14]
