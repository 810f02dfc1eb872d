"""Verdicts as a client sees them, in both protocol versions: answers and journal entries."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seqthink.audit.improvement_loop import MAX_DIFF_CHARS
from tests.audit.served.conftest import (
    BROKEN,
    BROKEN_ELIXIR,
    CLEAN,
    ELIXIR,
    FIVE,
    FLAWED,
    LEAKING,
    LOOKED_FOR,
    MENDED,
    NO_JUDGE,
    SAMPLES,
    SECRET,
    TALKS,
    TOOL,
    always,
    config,
    repair,
)
from tests.support.audit.repositories import Repo
from tests.support.depth import first
from tests.support.servers.dialogue_clients import (
    CLIENTS,
    no_answer,
)
from tests.support.servers.wire import events, journals, start, thought


def test_without_the_switch_nothing_is_audited_and_no_shape_changes(version: str, tmp_path: Path) -> None:
    with start("--journal-dir", str(tmp_path), environ={"ENABLE_GAN_AUDITING": "no"}) as wire:
        answer = CLIENTS[version](wire, TALKS).call(TOOL, thought(BROKEN), no_answer)

    assert answer["structuredContent"].keys() == FIVE
    assert [event["type"] for event in events(journals(tmp_path)[0])] == ["session", "thought"]


@pytest.mark.parametrize("word", first(2, ["1", "yes", "on", "TRUE", " True "]))
def test_any_word_for_yes_turns_audits_on(word: str, tmp_path: Path) -> None:
    with start("--journal-dir", str(tmp_path), environ={"ENABLE_GAN_AUDITING": word}) as wire:
        wire.handshake()
        [tool] = wire.ask("tools/list")["result"]["tools"]

    assert "gan" in tool["outputSchema"]["properties"]


@pytest.mark.parametrize("name", ["ENABLE_GAN_AUDITING", "DISABLE_THOUGHT_LOGGING"])
def test_a_word_that_is_neither_yes_nor_no_counts_as_no_and_is_said(name: str, tmp_path: Path) -> None:
    with start("--journal-dir", str(tmp_path), environ={name: "ja"}, keep_stderr=True) as wire:
        answer = CLIENTS["handshake"](wire, {}).call(TOOL, thought(BROKEN), no_answer)
        wire.hang_up()
        wire.status()
        assert wire.stderr is not None
        said = b"".join(iter(lambda: os.read(wire.stderr or 0, 4096), b"")).decode()

    assert answer["structuredContent"].keys() == FIVE
    assert said.count(f"{name}: must be yes or no (1, true, on; 0, false, off), got 'ja'; it counts as no") == 1


@pytest.mark.parametrize("options", [(), ("--no-front",)], ids=["fast", "sdk"])
def test_only_thoughts_with_code_are_audited(audited: Callable[..., Any], options: tuple[str, ...]) -> None:
    with audited({}, *options, alone=True) as judged:
        prose = judged.think("- call `add()`\n- then sleep\n")
        code = judged.think(CLEAN)

    assert prose.keys() == FIVE
    assert code.keys() == FIVE | {"gan", "sessionId"}
    assert [event["of"] for event in judged.recorded("audit")] == [3]


def test_clean_code_passes_and_the_thought_stays_final(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(CLEAN)

    gan = answer["gan"]
    assert (gan["verdict"], gan["overall"], answer["nextThoughtNeeded"]) == ("pass", 97, False)
    assert gan["judge_cards"] == [{"model": "internal", "score": 97}]
    assert gan["dimensions"][0] == {"name": "correctness", "score": 90}
    assert LOOKED_FOR.fullmatch(gan["review"]["summary"])
    assert (gan["iterations"], gan["proposed_diff"], gan["review"]["inline"]) == (1, None, [])


def test_an_audit_knows_a_branch_by_the_name_that_the_server_took(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(CLEAN, branch_from_thought=1, branch_id=7)

    assert answer["sessionId"] == "7"
    assert "7" in answer["branches"]


def test_flawed_code_asks_for_another_thought_and_is_journaled(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(FLAWED, branchId="b", branchFromThought=1)
        plain = judged.think(FLAWED)

    assert (answer["gan"]["verdict"], answer["nextThoughtNeeded"]) == ("revise", True)
    assert answer["gan"]["review"]["inline"][0]["path"] == "thought"
    assert answer["gan"]["review"]["inline"][0]["line"] == 5
    assert answer["sessionId"] == "b"
    [first, second] = judged.recorded("audit")
    assert first["review"] == answer["gan"]
    assert first["sessionId"] == "b"
    assert first["config"]["threshold"] == 85
    assert "error" not in first
    assert second["sessionId"] == plain["sessionId"] == judged.session_id
    kinds = [event["type"] for event in judged.recorded("thought", "auditing", "audit")]
    assert kinds[0] == "thought"
    assert kinds.index("auditing") < kinds.index("audit")
    assert judged.recorded("thought")[0]["nextThoughtNeeded"] is False


def test_broken_syntax_is_rejected(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(BROKEN)

    assert (answer["gan"]["verdict"], answer["nextThoughtNeeded"]) == ("reject", True)


def test_a_secret_is_rejected_and_never_quoted(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(LEAKING)

    assert answer["gan"]["verdict"] == "reject"
    assert SECRET not in json.dumps([answer, judged.recorded("audit", "auditing")])


@pytest.mark.parametrize(
    "words",
    [
        f"```python config/{SECRET}.py\ndef f(text):\n    return eval(text)\n```\n",
        f"```diff\n--- a/{SECRET}.py\n+++ b/{SECRET}.py\n@@ -1 +1 @@\n-x = eval(y)\n+x = eval(z)  # TODO\n```",
        config(scope="paths", paths=[f"{SECRET}.py", "there.py"], judges=[SECRET]),
        config(threshold=SECRET, **{SECRET: 1}) + CLEAN,
        config(scope="paths", paths=[f"{SECRET}.py"]),
    ],
    ids=["a fence's name", "a diff's name", "settings", "bad settings", "auditError"],
)
def test_a_secret_in_a_name_is_never_quoted(audited: Callable[..., Any], tmp_path: Path, words: str) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"there.py": "x = 1\n"})
    with audited({}, cwd=repo.root) as judged:
        answer = judged.think(words)

    assert SECRET[4:16] not in json.dumps([answer, judged.recorded("audit", "auditing")])


MANY_LINES = "def add(a, b):\n    return a + b\n\n\n" * 9000


LONG_CLASS = "class A:\n" + "    def add(self, a, b):\n        return a + b\n\n" * 6000
LONG_DIFF = "--- a/b.py\n+++ b/b.py\n@@ -0,0 +1,40000 @@\n" + "+add(1, 2)\n" * 40_000


@pytest.mark.parametrize("version", ["handshake", pytest.param("stateless", marks=pytest.mark.deep)], indirect=True)
@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        pytest.param(f"```python\n{MANY_LINES}```\n", "pass", id="clean"),
        pytest.param(f"```python\n{LONG_CLASS}```\n", "pass", id="clean class", marks=pytest.mark.deep),
        pytest.param(f"```diff\n{LONG_DIFF}```\n", "pass", id="diff", marks=pytest.mark.deep),
        pytest.param(
            "```python\n" + MANY_LINES.replace("a + b", "eval(a)", 99) + "```\n",
            "revise",
            id="flawed",
            marks=pytest.mark.deep,
        ),
        pytest.param(f'```python\n{MANY_LINES}token = "{SECRET}"\n```\n', "reject", id="secret at the end"),
    ],
)
def test_a_very_long_thought_is_judged_as_far_as_it_is_read(
    audited: Callable[..., Any], words: str, verdict: str
) -> None:
    with audited({}) as judged:
        gan = judged.think(words)["gan"]

    assert gan["verdict"] == verdict
    assert "characters of the thought were judged, all searched." in gan["review"]["summary"]


@pytest.mark.parametrize("kind", ["missing", "outside", "link", "pipe", "no repository"])
def test_nothing_passes_where_nothing_could_be_judged(audited: Callable[..., Any], tmp_path: Path, kind: str) -> None:
    work = tmp_path / "somewhere"
    work.mkdir()
    (tmp_path / "outside.py").write_text("x = 1\n", encoding="utf-8")
    (work / "link.py").symlink_to(tmp_path / "outside.py")
    os.mkfifo(work / "pipe.py")
    words = {
        "missing": config(scope="paths", paths=["gone.py"]),
        "outside": config(scope="paths", paths=["../outside.py"]),
        "link": config(scope="paths", paths=["link.py"]),
        "pipe": config(scope="paths", paths=["pipe.py"]),
        "no repository": config(),
    }[kind]
    with audited({}, cwd=work) as judged:
        answer = judged.think(words)

    assert "gan" not in answer
    assert answer["nextThoughtNeeded"] is False
    reasons = {
        "missing": "the file does not exist", "outside": "it is outside", "link": "link is not followed",
        "pipe": "it is not a regular file", "no repository": "not a git repository",
    }  # fmt: skip
    assert "found no code to judge" in answer["auditError"]
    assert reasons[kind] in answer["auditError"]


def test_a_client_s_error_is_reported_in_one_short_line(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        answer = judged.think(
            config(judges=["internal", "critic"]) + CLEAN,
            always({"error": {"code": -1, "message": "no\x1b[31m \n" * 500}}),
        )

    assert "\x1b" not in json.dumps(answer, ensure_ascii=False)
    assert len(answer["gan"]["review"]["summary"]) < 500


def test_a_proposed_diff_that_is_too_long_is_dropped(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        answer = judged.think(FLAWED, always(repair(MENDED + "\n" * MAX_DIFF_CHARS)))

    assert answer["gan"]["proposed_diff"] is None
    assert "longer than 256 KiB" in answer["gan"]["review"]["summary"]


def test_a_diff_is_judged_by_the_files_that_it_leaves(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"jobs/report.py": "import pool\n\n\ndef run(q):\n    return pool.go(q)\n"})
    diff = (
        "```diff\n--- a/jobs/report.py\n+++ b/jobs/report.py\n@@ -4,2 +4,2 @@\n def run(q):\n-    return pool.go(q)\n"
    )
    with audited({}, cwd=repo.root) as judged:
        fine = judged.think(diff + "+    return pool.go(q, 5)\n```")
        leftover = judged.think(diff + "+    return pool.go(q)  # TODO release\n```")
        elsewhere = judged.think(diff.replace("report", "other") + "+    pass\n```")

    assert fine["gan"]["verdict"] == "pass"
    [todo] = leftover["gan"]["review"]["inline"]
    assert (todo["path"], todo["line"]) == ("jobs/report.py", 5)
    assert elsewhere["gan"]["verdict"] == "reject"
    assert "does not apply" in elsewhere["gan"]["review"]["inline"][0]["comment"]


def test_a_diff_that_was_already_applied_costs_nothing(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.py": "one = 1\n"})
    repo.write("a.py", "one = 11\n")
    with audited({}, cwd=repo.root) as judged:
        answer = judged.think("```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one = 1\n+one = 11\n```")

    assert answer["gan"]["verdict"] == "pass"
    assert answer["gan"]["review"]["citations"] == ["repo://a.py:1-1"]


def test_a_change_that_only_removes_lines_has_no_citation(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.py": "one = 1\ntwo = 2\n"})
    repo.write("a.py", "one = 1\n")
    with audited({}, cwd=repo.root) as judged:
        answer = judged.think(CLEAN)

    assert answer["gan"]["review"]["citations"] == []


@pytest.mark.parametrize("words", [ELIXIR, BROKEN_ELIXIR], ids=["sound", "broken"])
@pytest.mark.parametrize("goes_on", [True, False])
def test_code_that_no_judge_reads_is_not_judged(audited: Callable[..., Any], words: str, goes_on: bool) -> None:
    with audited({}) as judged:
        answer = judged.think(words, nextThoughtNeeded=goes_on)

    assert answer.keys() == FIVE | {"sessionId", "auditError"}
    assert answer["auditError"] == f"{NO_JUDGE}thought:4-6 (elixir)."
    assert answer["nextThoughtNeeded"] is goes_on
    [kept] = judged.recorded("audit")
    assert kept["error"] == answer["auditError"]
    assert "review" not in kept


def test_beside_code_that_is_read_the_rest_is_said_not_to_be_judged(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        sound = judged.think(CLEAN + BROKEN_ELIXIR)
        flawed = judged.think(FLAWED + ELIXIR)

    unjudged = f"{NO_JUDGE}thought:10-12 (elixir)."
    assert (sound["gan"]["verdict"], sound["nextThoughtNeeded"]) == ("pass", False)
    assert LOOKED_FOR.fullmatch(sound["gan"]["review"]["summary"].removesuffix(f" {unjudged}"))
    assert sound["gan"]["judge_cards"] == [{"model": "internal", "score": 97, "notes": unjudged}]
    assert (flawed["gan"]["verdict"], flawed["nextThoughtNeeded"]) == ("revise", True)
    assert flawed["gan"]["judge_cards"][0]["notes"] == unjudged


def test_a_secret_in_code_that_no_judge_reads_is_rejected(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(f'```elixir\nx = 1\ntoken = "{SECRET}"\n```\n')

    assert (answer["gan"]["verdict"], answer["nextThoughtNeeded"]) == ("reject", True)
    assert answer["gan"]["dimensions"] == [{"name": "security", "score": 0}]
    assert SECRET not in json.dumps([answer, judged.recorded("audit", "auditing")])


def test_a_change_in_unread_code_is_judged_as_far_as_it_is_read(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.py": "one = 1\n", "b.ex": "one = 1\n"})
    change = "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-one = 1\n+one = 11\n"
    with audited({}, cwd=repo.root) as judged:
        unread = judged.think(f"```diff\n{change.format('b.ex')}```\n")
        both = judged.think(f"```diff\n{change.format('a.py')}{change.format('b.ex')}```\n")

    assert unread["auditError"] == f"{NO_JUDGE}b.ex."
    assert (both["gan"]["verdict"], both["gan"]["overall"]) == ("pass", 97)
    assert both["gan"]["review"]["summary"].endswith(f"{NO_JUDGE}b.ex.")


def test_only_what_was_judged_is_cited(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.py": "one = 1\ntwo = 2\n", "b.ex": "one = 1\n"})
    repo.write("a.py", "one = 1\ntwo = 22\n")
    repo.write("b.ex", "one = 11\n")
    shown = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one = 1\n-two = 2\n+two = 22\n```\n"
    planned = shown.replace("22", "23").replace("-two = 2", "-two = 22")
    with audited({}, cwd=repo.root) as judged:
        thoughts = [CLEAN, shown, planned, config(scope="diff"), config(scope="workspace")]
        cited = [judged.think(words)["gan"]["review"]["citations"] for words in thoughts]

    assert cited == [[], ["repo://a.py:2-2"], [], ["repo://a.py:2-2"], ["repo://a.py:1-2"]]
