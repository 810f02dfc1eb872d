"""No verdict on unread code: 24 languages, broken and sound, as fences, as diffs and beside other code."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.audit.code.naming import language_of_info
from seqthink.audit.code_under_review import code_of_thought
from seqthink.audit.config import SessionConfig
from seqthink.audit.judge_panel import JudgePanel, PanelVerdicts
from seqthink.audit.judges import internal, languages
from seqthink.audit.judges.internal import judge_unit
from seqthink.audit.review import combine_cards
from seqthink.audit.workspace.workspace import Workspace
from tests.support.audit.audit_languages import LANGUAGES, SOUND_PYTHON, Language
from tests.support.depth import first

NOT_JUDGED = "not judged"
PLAIN = {"python", "json", "toml"}
"""Languages that are judged without the optional packages."""
BROKEN, SOUND = "reject", "pass"


async def verdicts(thought: str, workspace: Path | None = None, threshold: int = 85) -> PanelVerdicts:
    code = await code_of_thought(thought, Workspace(workspace) if workspace else None)
    return await JudgePanel(SessionConfig(threshold=threshold), judge_unit).judge_internally(code)


async def outcome(thought: str, workspace: Path | None = None, threshold: int = 85) -> str:
    """Return the verdict, or ``NOT_JUDGED``."""
    cards = (await verdicts(thought, workspace, threshold)).cards
    return combine_cards(cards, threshold=threshold).verdict if cards else NOT_JUDGED


def fence(code: str, tag: str) -> str:
    return f"So:\n\n```{tag}\n{code}```\n"


def added(code: str, path: str) -> str:
    """Return a diff that adds ``code`` as a new file."""
    lines = code.splitlines()
    head = (
        f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{len(lines)} @@\n"
    )
    return fence(head + "".join(f"+{line}\n" for line in lines), "diff")


def notes_of(found: PanelVerdicts) -> str:
    """Return the sentences about code that was not judged."""
    return " ".join([*found.absence_reasons, *(card.full_notes for card in found.cards)])


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the optional packages are not installed."""

    def find(name: str) -> object:
        return None if name.startswith("tree_sitter") else find_spec(name)

    monkeypatch.setattr(languages, "find_spec", find)
    monkeypatch.setattr(internal, "find_ruff", lambda: None)


@pytest.mark.parametrize("language", first(2, LANGUAGES), ids=lambda language: language.tag)
async def test_read_code_gets_its_verdict_and_unread_code_gets_none(language: Language, tmp_path: Path) -> None:
    for code, verdict in ((language.broken, BROKEN), (language.sound, SOUND)):
        wanted = verdict if language.is_read else NOT_JUDGED
        beside = SOUND_PYTHON + fence(code, language.tag)
        assert await outcome(fence(code, language.tag)) == wanted
        assert await outcome(added(code, language.path), tmp_path) == wanted
        assert await outcome(added(code, language.path)) == wanted
        found = await verdicts(beside)
        assert combine_cards(found.cards, threshold=85).verdict == (BROKEN if wanted == BROKEN else SOUND)
        assert ("Not judged by 'internal'" in notes_of(found)) is not language.is_read


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("language", first(8, LANGUAGES), ids=lambda language: language.tag)
async def test_without_the_extra_python_judges_its_own_syntax_json_s_and_toml_s(
    language: Language, tmp_path: Path
) -> None:
    is_read = language.tag in PLAIN
    for code, verdict in ((language.broken, BROKEN), (language.sound, SOUND)):
        wanted = verdict if is_read else NOT_JUDGED
        assert await outcome(fence(code, language.tag)) == wanted
        assert await outcome(added(code, language.path), tmp_path) == wanted
        assert await outcome(added(code, language.path)) == wanted
        assert await outcome(SOUND_PYTHON + fence(code, language.tag)) == (BROKEN if wanted == BROKEN else SOUND)


async def test_the_lines_that_were_not_judged_are_named_with_the_reason(tmp_path: Path) -> None:
    elixir = "IO.puts 1\nIO.puts 2\n"
    (tmp_path / "there.ex").write_text(elixir, encoding="utf-8")
    changed = "--- a/there.ex\n+++ b/there.ex\n@@ -1,2 +1,2 @@\n IO.puts 1\n-IO.puts 2\n+IO.puts 3\n"

    assert (await verdicts(fence(elixir, "elixir"))).absence_reasons == (
        "Not judged by 'internal' (no judge supports its language): thought:4-5 (elixir).",
    )
    assert notes_of(await verdicts(SOUND_PYTHON + fence(elixir, "elixir") + fence("1\n2\n", "cobol"))).endswith(
        "(no judge supports its language): thought:10-11 (elixir), thought:16-17 (cobol)."
    )
    assert notes_of(await verdicts(fence(changed, "diff"), tmp_path)).endswith(": there.ex.")
    assert notes_of(await verdicts(fence(changed, "diff"))).endswith(": there.ex:1-2.")
    many = "".join(fence(elixir, "elixir") for _ in range(7))
    assert notes_of(await verdicts(many)).endswith("thought:28-29 (elixir) and 2 more.")


@given(
    code=st.text(st.characters(blacklist_characters="`~\r"), min_size=1, max_size=300).filter(str.strip),
    tag=st.sampled_from([one.tag for one in LANGUAGES if not one.is_read] + ["pseudo", "vue", "x"]),
)
def test_unread_code_never_passes(code: str, tag: str) -> None:
    alone, beside = anyio.run(verdicts, fence(code, tag)), anyio.run(verdicts, SOUND_PYTHON + fence(code, tag))

    assert alone.cards == () or alone.cards[0].findings
    assert not any(card.read_units for card in alone.cards)
    assert "Not judged by 'internal'" in notes_of(alone) or "found no code to judge" in notes_of(alone)
    assert "Not judged by 'internal'" in notes_of(beside)


TOKEN = "ghp_" + "b7Kq2mXw9RtY4pLz8VnC3sDf6GhJ1aEu5TiO"


@pytest.mark.parametrize(
    "line",
    [f'token = "{TOKEN}"', "<<<<<<< ours"],
    ids=["a secret", "a conflict"],
)
@pytest.mark.parametrize(("shape", "name"), [(fence, "elixir"), (added, "a.ex")])
async def test_findings_in_unread_code_still_reject_it(shape: Callable[[str, str], str], name: str, line: str) -> None:
    found = await verdicts(shape(f"puts 1\n{line}\n", name))
    [card] = found.cards
    [finding] = card.findings

    assert combine_cards([card], threshold=0).verdict == "reject"
    assert (card.dimensions, card.score) == ({finding.dimension: 0}, 0)
    assert "Not judged by 'internal'" in card.full_notes


async def test_a_diff_of_unread_code_that_does_not_apply_is_rejected(tmp_path: Path) -> None:
    diff = "--- a/none.ex\n+++ b/none.ex\n@@ -1 +1 @@\n-puts 1\n+puts 2\n"

    assert await outcome(fence(diff, "diff"), tmp_path) == "reject"


@pytest.mark.parametrize("threshold", [0, 50, 85])
async def test_minor_findings_in_unread_code_are_reported_and_nothing_passes(threshold: int) -> None:
    found = await verdicts(fence("puts 1\n# TODO: more\n", "elixir"), threshold=threshold)

    assert found.cards == ()
    assert found.absence_reasons[-1] == "thought:5 TODO left in an added line; finish or file it"


async def test_findings_in_unread_code_count_beside_other_code() -> None:
    [card] = (await verdicts(SOUND_PYTHON + fence("puts 1\n# TODO: more\n", "elixir"))).cards

    assert (card.score, [finding.line for finding in card.findings]) == (91, [11])


@pytest.mark.parametrize(
    ("tag", "code", "expected"),
    first(6, [
        ("python", 'class Cart < Base\n  def total\n    @items.sum { |i| i.price }\n  end\nend\n', "reject"),
        ("", 'class Cart < Base\n  def total\n    @items.sum { |i| i.price }\n  end\nend\n', "pass"),
        ("", 'defmodule Cart do\n  def total(items) do\n    Enum.sum(items)\n  end\nend\n', NOT_JUDGED),
        ("pseudo", "for each x in list:\n    add x to y\n", NOT_JUDGED),
        ("pyhton", "def f(:\n    return 1\n", NOT_JUDGED),
        ("", "function find(arr):\n    lo = 0, hi = len(arr)\n    while lo < hi:\n        mid = lo + 1\n", NOT_JUDGED),
        ("python", "def f(a:\n    ...\n    return <value>\n", NOT_JUDGED),
        ("python", "foo(x) -> bar(y)\n", NOT_JUDGED),
        ("json", '{"id": <id>,, "name": }\n', NOT_JUDGED),
        ("js", "const a = {{ name }};\nconst b = ;\n", NOT_JUDGED),
        ("json", "[" * 2000 + "]" * 2000 + "\n", NOT_JUDGED),
        ("diff", "- puts 1\n+ puts 2\n", NOT_JUDGED),
        ("python", "print(1)\n", "pass"),
        ("python", "print(1\n", "reject"),
        ("PYTHON", "print(1\n", "reject"),
        ("{.python .numberLines}", "print(1\n", "reject"),
        ("jsonl", '{"a": 1}\n{"a": \n', NOT_JUDGED),
    ], is_unpacked=True),
)  # fmt: skip
async def test_mislabelled_code_pseudocode_and_too_deep_code_never_pass(tag: str, code: str, expected: str) -> None:
    assert await outcome(fence(code, tag)) == expected
    assert await outcome(SOUND_PYTHON + fence(code, tag)) == ("pass" if expected == NOT_JUDGED else expected)


@pytest.mark.parametrize("tag", ["text", "mermaid", "console", "output"])
async def test_text_that_is_not_code_is_neither_judged_nor_reported_as_left_out(tag: str) -> None:
    code = await code_of_thought(SOUND_PYTHON + fence("graph TD\n  a --> b\n", tag) + "```ruby\n```\n", None)

    assert len(code.units) == 1


async def test_the_readable_part_of_hunks_and_macros_is_judged() -> None:
    hunk = "--- a/a.py\n+++ b/a.py\n@@ -9,3 +9,4 @@\n         ]\n+    total = 1\n     return total\n \n"
    macros = "Q_OBJECT\nclass W : public QWidget {\n    Q_OBJECT\npublic slots:\n    void go();\n};\n"

    assert await outcome(fence(macros, "cpp")) == "pass"
    assert "(it cannot be read as cpp): thought:5, thought:7-8." in notes_of(await verdicts(fence(macros, "cpp")))
    assert await outcome(fence(hunk, "diff")) in {"pass", NOT_JUDGED}


async def test_code_past_the_limit_is_reported_as_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(internal, "MAX_JUDGED_CHARS", 6000)
    [card] = (await verdicts(added("x = 1\n" * 1500, "a.py"), tmp_path)).cards

    assert card.full_notes == "Not judged by 'internal' (it is longer than 6,000 characters): a.py:1000-1500."


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("tag", "code", "expected"),
    [
        ("python", ">>> f(1)\n2\n", "pass"),
        ("python", "    return a + b\n", "pass"),
        ("python", "def f(a, b, ...):\n    …\n", "pass"),
        ("python", "x = '\\d'\n", "pass"),
        ("python", "-" * 200_000 + "1\n", NOT_JUDGED),
        ("python", "def f(:\n    return <x>\n", NOT_JUDGED),
        ("python", 'print "x"\n', "reject"),
        ("python", "def f():\n  x = 1\n    y = 2\n", "reject"),
        ("json", '"a": 1,\n"b": 2\n', "pass"),
        ("json", '// c\n{"a": 1,}\n', "pass"),
        ("jsonc", '{"a": [1, 2, ...]}\n', "pass"),
        ("json", '{"a": 1}\n{"a": 2}\n', "pass"),
        ("json", '{"a": ' + "9" * 9000 + "}\n", "pass"),
        ("json", '{"a": NaN}\n', "reject"),
        ("json", "{'a': 1}\n", "reject"),
        ("json", "[" * 100_000 + "\n", NOT_JUDGED),
    ],
)
async def test_python_reads_pieces_as_the_grammars_do(tag: str, code: str, expected: str) -> None:
    assert await outcome(fence(code, tag)) == expected


@pytest.mark.usefixtures("plain")
async def test_without_the_extra_a_syntax_error_names_its_line_and_its_language() -> None:
    [card] = (await verdicts(fence("x = 1\ny = (1,\n", "python"))).cards

    [finding] = card.findings
    assert finding.line == 5
    assert finding.comment.startswith("Syntax error: '(' was never closed (Python 3.")
    assert card.notes.endswith("is needed: install seqthink[audit].")


def test_the_table_names_languages_as_fences_do() -> None:
    assert len(LANGUAGES) >= 20
    assert [one.tag for one in LANGUAGES if one.is_read != (language_of_info(one.tag) in languages.LANGUAGES)] == []
