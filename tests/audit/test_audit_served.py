"""Audits as a client sees them, in both protocol versions: answers, questions to model and user, journal entries."""

import json
import os
import re
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from seqthink.audit.improvement_loop import MAX_DIFF_CHARS
from tests.support.audit.repositories import Repo
from tests.support.servers.dialogue_clients import (
    CLIENTS,
    Answers,
    HandshakeClient,
    StatelessClient,
    no_answer,
    text_answer,
    tool_use_answer,
)
from tests.support.servers.warm_server import TIMEOUT_SECONDS
from tests.support.servers.wire import Message, events, journals, start, thought

TOOL = "sequentialthinking"
FIVE = {"thoughtNumber", "totalThoughts", "nextThoughtNeeded", "branches", "thoughtHistoryLength"}
SAMPLES: Message = {"sampling": {"tools": {}}}
TALKS: Message = {"sampling": {"tools": {}}, "elicitation": {"form": {}}}

CLEAN = "Sum them:\n\n```python\ndef add(a: int, b: int) -> int:\n    return a + b\n```\n"
FLAWED = "Load it:\n\n```python\ndef load(text):\n    return eval(text)\n```\n"
BROKEN = "Start:\n\n```go\nfunc main() {\n\tx :=\n}\n```\n"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
LEAKING = f'Log in:\n\n```python\ntoken = "{SECRET}"\n```\n'
MENDED = """\
--- a/thought
+++ b/thought
@@ -2,5 +2,5 @@

 ```python
 def load(text):
-    return eval(text)
+    return float(text)
 ```
"""
WORSE = MENDED.replace("+    return float(text)", "+    return exec(text")


def config(**settings: object) -> str:
    return f"```gan-config\n{json.dumps(settings)}\n```\n"


def model_review(score: float, **more: object) -> Message:
    fields = {"overall": score, "dimensions": [{"name": "correctness", "score": score}], "summary": f"It is {score}."}
    return tool_use_answer("__schema__", fields | more)


def repair(diff: str) -> Message:
    return tool_use_answer("__schema__", {"diff": diff})


def always(answer: Message) -> Answers:
    return lambda _question: answer


def in_turn(*answers: Message) -> Answers:
    left = iter(answers)
    return lambda _question: next(left)


class Judged:
    """A server that audits, its client, and its journal."""

    def __init__(self, host: HandshakeClient | StatelessClient, folder: Path) -> None:
        self.host = host
        self._folder = folder

    def think(self, words: str, answers: Answers = no_answer, **more: Any) -> Message:  # noqa: ANN401 - any argument of the tool
        """Return the structured answer to a thought, which must equal its text."""
        result = self.host.call(TOOL, thought(words, **more) | {"nextThoughtNeeded": False} | more, answers)
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def told(self, *kinds: str) -> list[Message]:
        """Return the journal's events of these types."""
        return [event for event in events(journals(self._folder)[-1]) if event["type"] in kinds]


@pytest.fixture(params=CLIENTS)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def audited(version: str, tmp_path: Path) -> Callable[..., Any]:
    @contextmanager
    def serve(capabilities: Message, *options: str, cwd: Path | None = None) -> Generator[Judged]:
        folder, work = tmp_path / "journals", cwd or tmp_path / "work"
        work.mkdir(exist_ok=True)
        environ = {"ENABLE_GAN_AUDITING": "true", "DISABLE_THOUGHT_LOGGING": "true"}
        with start("--journal-dir", str(folder), *options, environ=environ, cwd=work) as wire:
            yield Judged(CLIENTS[version](wire, capabilities), folder)

    return serve


LOOKED_FOR = re.compile(
    r"Pass\. Looked for: syntax, \d+ rules and ruff for Python; secrets\. "
    r"No known mistake found; behaviour was not checked\."
)


def test_without_the_switch_nothing_is_audited_and_no_shape_changes(version: str, tmp_path: Path) -> None:
    with start("--journal-dir", str(tmp_path), environ={"ENABLE_GAN_AUDITING": "no"}) as wire:
        answer = CLIENTS[version](wire, TALKS).call(TOOL, thought(BROKEN), no_answer)

    assert answer["structuredContent"].keys() == FIVE
    assert [event["type"] for event in events(journals(tmp_path)[0])] == ["session", "thought"]


@pytest.mark.parametrize("word", ["1", "yes", "on", "TRUE", " True "])
def test_any_word_for_yes_turns_audits_on(word: str, tmp_path: Path) -> None:
    with start("--journal-dir", str(tmp_path), environ={"ENABLE_GAN_AUDITING": word}) as wire:
        answer = CLIENTS["handshake"](wire, {}).call(TOOL, thought(BROKEN), no_answer)

    assert answer["structuredContent"]["gan"]["verdict"] == "reject"


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
    with audited({}, *options) as judged:
        prose = judged.think("- call `add()`\n- then sleep\n")
        code = judged.think(CLEAN)

    assert prose.keys() == FIVE
    assert code.keys() == FIVE | {"gan", "sessionId"}
    assert [event["of"] for event in judged.told("audit")] == [3]


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

    assert (answer["sessionId"], answer["branches"]) == ("7", ["7"])


def test_flawed_code_asks_for_another_thought_and_is_journaled(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(FLAWED, branchId="b", branchFromThought=1)
        plain = judged.think(FLAWED)

    assert (answer["gan"]["verdict"], answer["nextThoughtNeeded"]) == ("revise", True)
    assert answer["gan"]["review"]["inline"][0]["path"] == "thought"
    assert answer["gan"]["review"]["inline"][0]["line"] == 5
    assert answer["sessionId"] == "b"
    [first, second] = judged.told("audit")
    assert first["review"] == answer["gan"]
    assert first["sessionId"] == "b"
    assert first["config"]["threshold"] == 85
    assert "error" not in first
    assert second["sessionId"] == plain["sessionId"] == judged.told("session")[0]["session"]
    kinds = [event["type"] for event in judged.told("thought", "auditing", "audit")]
    assert kinds[0] == "thought"
    assert kinds.index("auditing") < kinds.index("audit")
    assert judged.told("thought")[0]["nextThoughtNeeded"] is False


def test_broken_syntax_is_rejected(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(BROKEN)

    assert (answer["gan"]["verdict"], answer["nextThoughtNeeded"]) == ("reject", True)


def test_a_secret_is_rejected_and_never_quoted(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(LEAKING)

    assert answer["gan"]["verdict"] == "reject"
    assert SECRET not in json.dumps([answer, judged.told("audit", "auditing")])


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

    assert SECRET[4:16] not in json.dumps([answer, judged.told("audit", "auditing")])


MANY_LINES = "def add(a, b):\n    return a + b\n\n\n" * 9000


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (f"```python\n{MANY_LINES}```\n", "pass"),
        ("```python\nclass A:\n" + "    def add(self, a, b):\n        return a + b\n\n" * 6000 + "```\n", "pass"),
        ("```diff\n--- a/b.py\n+++ b/b.py\n@@ -0,0 +1,40000 @@\n" + "+add(1, 2)\n" * 40_000 + "```\n", "pass"),
        ("```python\n" + MANY_LINES.replace("a + b", "eval(a)", 99) + "```\n", "revise"),
        (f'```python\n{MANY_LINES}token = "{SECRET}"\n```\n', "reject"),
    ],
    ids=["clean", "clean class", "diff", "flawed", "secret at the end"],
)
def test_a_very_long_thought_is_judged_as_far_as_it_is_read(
    audited: Callable[..., Any], words: str, verdict: str
) -> None:
    with audited({}, "--max-thought-bytes", str(1 << 20)) as judged:
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


ELIXIR = "Greet:\n\n```elixir\ndef greet(name) do\n  IO.puts(name)\nend\n```\n"
BROKEN_ELIXIR = ELIXIR.replace("(name)", "(name").replace("end", "en")
NO_JUDGE = "Not judged by 'internal' (no judge supports its language): "


@pytest.mark.parametrize("words", [ELIXIR, BROKEN_ELIXIR], ids=["sound", "broken"])
@pytest.mark.parametrize("goes_on", [True, False])
def test_code_that_no_judge_reads_is_not_judged(audited: Callable[..., Any], words: str, goes_on: bool) -> None:
    with audited({}) as judged:
        answer = judged.think(words, nextThoughtNeeded=goes_on)

    assert answer.keys() == FIVE | {"sessionId", "auditError"}
    assert answer["auditError"] == f"{NO_JUDGE}thought:4-6 (elixir)."
    assert answer["nextThoughtNeeded"] is goes_on
    [kept] = judged.told("audit")
    assert kept["error"] == answer["auditError"]
    assert "review" not in kept


def test_beside_code_that_is_read_the_rest_is_said_not_to_be_judged(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        sound = judged.think(CLEAN + BROKEN_ELIXIR)
        flawed = judged.think(FLAWED + ELIXIR)

    told = f"{NO_JUDGE}thought:10-12 (elixir)."
    assert (sound["gan"]["verdict"], sound["nextThoughtNeeded"]) == ("pass", False)
    assert LOOKED_FOR.fullmatch(sound["gan"]["review"]["summary"].removesuffix(f" {told}"))
    assert sound["gan"]["judge_cards"] == [{"model": "internal", "score": 97, "notes": told}]
    assert (flawed["gan"]["verdict"], flawed["nextThoughtNeeded"]) == ("revise", True)
    assert flawed["gan"]["judge_cards"][0]["notes"] == told


def test_a_secret_in_code_that_no_judge_reads_is_rejected(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(f'```elixir\nx = 1\ntoken = "{SECRET}"\n```\n')

    assert (answer["gan"]["verdict"], answer["nextThoughtNeeded"]) == ("reject", True)
    assert answer["gan"]["dimensions"] == [{"name": "security", "score": 0}]
    assert SECRET not in json.dumps([answer, judged.told("audit", "auditing")])


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


# Judges that are models


def test_a_model_judges_code_that_no_rule_covers(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"b.ex": "one = 1\n"})
    with audited(SAMPLES, cwd=repo.root) as judged:
        asked = config(judges=["internal", "critic"], scope="paths", paths=["b.ex"])
        good = judged.think(asked + ELIXIR, always(model_review(90)))
        bad = judged.think(asked + ELIXIR, always(model_review(40)))
        shy = judged.think(asked + ELIXIR, always(text_answer("No.")))

    told = f"{NO_JUDGE}thought:7-9 (elixir), b.ex."
    assert good["gan"]["judge_cards"] == [{"model": "critic", "score": 90, "notes": "It is 90."}]
    assert (good["gan"]["verdict"], good["nextThoughtNeeded"]) == ("pass", False)
    assert good["gan"]["review"]["summary"] == f"Pass. critic names no line. It is 90. {told}"
    assert good["gan"]["review"]["citations"] == ["repo://b.ex:1-1"]
    assert (bad["gan"]["verdict"], bad["nextThoughtNeeded"]) == ("reject", True)
    assert bad["gan"]["review"]["summary"].startswith("Reject. The score of 40 is below 50, and no judge names a line.")
    assert shy["auditError"].startswith(f"{told} judge 'critic' gave no review")


def test_code_that_a_model_was_not_shown_is_reported_as_not_judged(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.rb": "x = 1\n" * 12_000, "b.ex": "x = 1\n"})
    with audited(SAMPLES, cwd=repo.root) as judged:
        words = config(judges=["critic"], scope="paths", paths=["a.rb", "b.ex"])
        gan = judged.think(words, always(model_review(90)))["gan"]

    told = "Not judged by 'critic' (more than it was shown): a.rb:10001-12000, b.ex."
    assert gan["judge_cards"] == [{"model": "critic", "score": 90, "notes": f"{told} It is 90."}]
    assert gan["review"]["citations"] == ["repo://a.rb:1-10000"]


def test_each_judge_gives_a_card_and_the_mean_decides(audited: Callable[..., Any]) -> None:
    def answers(question: Message) -> Message:
        [hint] = question["params"]["modelPreferences"]["hints"]
        comment = {"path": "thought", "line": 5, "comment": "Say what it returns."}
        return model_review(80 if hint["name"] == "one" else 60, inline=[comment])

    with audited(SAMPLES) as judged:
        answer = judged.think(config(judges=["internal", "one", "two"], threshold=79) + CLEAN, answers)

    gan = answer["gan"]
    assert [(card["model"], card["score"]) for card in gan["judge_cards"]] == [
        ("internal", 97),
        ("one", 80),
        ("two", 60),
    ]
    assert (gan["overall"], gan["verdict"]) == (79, "pass")
    assert {"path": "thought", "line": 5, "comment": "Say what it returns."} in gan["review"]["inline"]
    assert len(judged.told("sample")) == 2


def test_a_judge_with_malformed_answers_is_asked_again_and_then_left_out(audited: Callable[..., Any]) -> None:
    bad = in_turn(text_answer("It is fine."), tool_use_answer("look", {}), model_review(101))
    with audited(SAMPLES) as judged:
        answer = judged.think(config(judges=["internal", "odd"]) + CLEAN, bad)

    assert [card["model"] for card in answer["gan"]["judge_cards"]] == ["internal"]
    assert "odd" in answer["gan"]["review"]["summary"]
    assert len(judged.told("sample")) == 3


def test_where_no_judge_gives_a_review_there_is_an_error_and_the_thought_stays(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        answer = judged.think(config(judges=["shy"]) + FLAWED, always(text_answer("No.")), nextThoughtNeeded=True)

    assert answer.keys() == FIVE | {"sessionId", "auditError"}
    assert "shy" in answer["auditError"]
    [kept] = judged.told("audit")
    assert kept["error"] == answer["auditError"]
    assert "review" not in kept


@pytest.mark.parametrize(
    "version", ["handshake"], indirect=True
)  # later, a client that refuses does not repeat the call
def test_a_judge_whom_the_user_refuses_is_left_out(audited: Callable[..., Any]) -> None:
    refusal = {"error": {"code": -1, "message": "The user said no"}}
    with audited(SAMPLES) as judged:
        answer = judged.think(config(judges=["internal", "shy"]) + CLEAN, always(refusal))

    assert [card["model"] for card in answer["gan"]["judge_cards"]] == ["internal"]
    assert "The user said no" in answer["gan"]["review"]["summary"]


def test_a_client_without_sampling_is_not_asked(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(config(judges=["internal", "m"]) + FLAWED)

    assert "the client does not support sampling" in answer["gan"]["review"]["summary"]
    assert (answer["gan"]["iterations"], answer["gan"]["proposed_diff"]) == (1, None)
    assert judged.told("asking", "sample") == []


def in_text(fields: Message) -> Message:
    return text_answer(f"Here it is:\n\n```json\n{json.dumps(fields)}\n```")


def test_a_client_that_samples_without_tools_judges_and_repairs_in_text(audited: Callable[..., Any]) -> None:
    review = {"overall": 70, "summary": "It is 70.", "inline": [{"path": "thought", "line": 8, "comment": "Parse it."}]}

    def answers(question: Message) -> Message:
        assert "tools" not in question["params"]
        asked = question["params"]["messages"][0]["content"]["text"]
        return in_text(review if "Review the code in it." in asked else {"diff": _behind_config(MENDED)})

    with audited({"sampling": {}}) as judged:
        gan = judged.think(config(judges=["internal", "critic"]) + FLAWED, answers)["gan"]

    assert [(card["model"], card["score"]) for card in gan["judge_cards"]] == [("internal", 83), ("critic", 70)]
    assert gan["proposed_diff"] == _behind_config(MENDED)
    assert [event["purpose"] for event in judged.told("sample")] == ["audit critic", "repair 1.1", "repair critic"]


def test_a_judge_that_gave_no_review_is_not_asked_about_repairs(audited: Callable[..., Any]) -> None:
    def answers(question: Message) -> Message:
        is_for_code = "Answer with one unified diff" in json.dumps(question["params"]["messages"])
        return repair(_behind_config(MENDED)) if is_for_code else text_answer("No.")

    with audited(SAMPLES) as judged:
        gan = judged.think(config(judges=["internal", "critic"]) + FLAWED, answers)["gan"]

    assert gan["proposed_diff"] is not None
    assert "repair critic" not in {event["purpose"] for event in judged.told("sample")}


def test_a_judge_that_never_answers_costs_the_time_limit_and_no_more(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES, "--audit-timeout", "3") as judged:
        judged.think(config(judges=["internal"]) + CLEAN)  # so that a busy machine needs no part of the limit to load
        answer = _slow(judged, config(judges=["internal", "slow", "quick"]) + CLEAN)
    summary = answer["gan"]["review"]["summary"]
    cards = [card["model"] for card in answer["gan"]["judge_cards"]]
    assert cards == (["internal", "quick"] if isinstance(judged.host, HandshakeClient) else ["internal"])
    assert "judge 'slow' gave no review in time" in summary
    assert "ended after 3 s" in summary


def _slow(judged: Judged, words: str) -> Message:
    """Return the answer to a thought while one judge never answers; later, none does."""

    def quick(question: Message) -> Message | None:
        is_quick = question["params"]["modelPreferences"]["hints"] == [{"name": "quick"}]
        return model_review(90) if is_quick else None

    if isinstance(judged.host, HandshakeClient):
        return judged.think(words, quick)
    arguments = thought(words) | {"nextThoughtNeeded": False}
    before = len(judged.told("audit"))
    result = judged.host.send_and_receive(TOOL, arguments)
    end = time.monotonic() + TIMEOUT_SECONDS
    while len(judged.told("audit")) == before:
        assert time.monotonic() < end
    return judged.host.send_and_receive(TOOL, arguments, {}, result["requestState"])["structuredContent"]


# The loop


def test_the_repair_of_a_model_becomes_the_proposed_diff(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        answer = judged.think(FLAWED, always(repair(MENDED)))

    gan = answer["gan"]
    assert (gan["verdict"], gan["proposed_diff"], gan["iterations"]) == ("revise", MENDED, 1)
    assert "scores 97" in gan["review"]["summary"]
    assert answer["nextThoughtNeeded"] is True


def test_the_loop_goes_on_until_it_passes_and_keeps_the_best(audited: Callable[..., Any]) -> None:
    proposals = in_turn(*(repair(_behind_config(diff)) for diff in (WORSE, FLAWED, MENDED, "never asked for")))
    with audited(SAMPLES) as judged:
        answer = judged.think(config(maxCycles=5) + FLAWED, proposals)

    gan = answer["gan"]
    assert (gan["iterations"], gan["proposed_diff"]) == (3, _behind_config(MENDED))
    assert len(judged.told("sample")) == 3


def _behind_config(diff: str) -> str:
    """Return a diff whose line numbers are three higher, for the configuration above the code."""
    return diff.replace("@@ -2,5 +2,5 @@", "@@ -5,5 +5,5 @@")


def test_of_several_candidates_the_best_is_kept(audited: Callable[..., Any]) -> None:
    def answers(question: Message) -> Message:
        is_second = "attempt 2" in question["params"]["messages"][0]["content"]["text"]
        return repair(_behind_config(MENDED if is_second else WORSE))

    with audited(SAMPLES) as judged:
        answer = judged.think(config(candidates=2) + FLAWED, answers)

    assert answer["gan"]["proposed_diff"] == _behind_config(MENDED)
    assert answer["gan"]["iterations"] == 1


def test_code_that_passes_is_not_improved(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        judged.think(CLEAN)

    assert judged.told("asking", "sample") == []


# Applying


FIX = (
    "--- a/load.py\n+++ b/load.py\n@@ -1,2 +1,2 @@\n def load(text):\n-    return eval(text)\n+    return float(text)\n"
)


def _proposing(action: str, asked: list[str], diff: str = FIX) -> Answers:
    def answers(question: Message) -> Message:
        if question["method"] == "elicitation/create":
            asked.append(question["params"]["message"])
            return {"action": action, "content": {}}
        return repair(diff)

    return answers


@pytest.mark.parametrize(("action", "is_applied"), [("accept", True), ("decline", False), ("cancel", False)])
def test_a_proposed_diff_is_applied_when_the_user_accepts(
    audited: Callable[..., Any], tmp_path: Path, action: str, is_applied: bool
) -> None:
    repo, asked = Repo(tmp_path / "repo"), list[str]()
    repo.commit(**{"load.py": "def load(text):\n    return eval(text)\n", "other.py": "one = 1\n"})
    words = config(scope="paths", paths=["load.py"], applyFixes=True)
    with audited(TALKS, cwd=repo.root) as judged:
        answer = judged.think(words, _proposing(action, asked))

    assert "- load.py (+1 −1)" in asked[0]
    assert ("return float(text)" in (repo.root / "load.py").read_text("utf-8")) is is_applied
    assert ("was applied" in answer["gan"]["review"]["summary"]) is is_applied
    assert answer["gan"]["proposed_diff"] == FIX
    assert repo.git("diff", "--cached", "--name-only") == ""
    assert [event["purpose"] for event in judged.told("elicit")] == ["apply"]


MANY = (
    FIX + "diff --git a/other.py b/other.py\nold mode 100644\nnew mode 100755\n"
    "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n"
    "diff --git a/go.sh b/go.sh\nnew file mode 100755\n--- /dev/null\n+++ b/go.sh\n@@ -0,0 +1 @@\n+go\n"
    "diff --git a/a b.py b/c (new, +1).py\nsimilarity index 100%\nrename from a b.py\nrename to c (new, +1).py\n"
)


def test_the_question_tells_what_may_be_run_and_quotes_names_that_look_like_more(
    audited: Callable[..., Any], tmp_path: Path
) -> None:
    repo, asked = Repo(tmp_path / "repo"), list[str]()
    repo.commit(**{"load.py": "def load(text):\n    return eval(text)\n", "other.py": "one = 1\n", "a b.py": "x = 1\n"})
    repo.write("run.sh", "ls\n")
    (repo.root / "run.sh").chmod(0o755)
    words = config(scope="paths", paths=["load.py"], applyFixes=True)
    with audited(TALKS, cwd=repo.root) as judged:
        judged.think(words, _proposing("decline", asked, MANY))

    assert asked[0].split("\n")[1:] == [
        '- "a b.py" → "c (new, +1).py" (+0 −0)',
        "- go.sh (new, becomes executable, +1 −0)",
        "- load.py (+1 −1)",
        "- other.py (becomes executable, +0 −0)",
        "- run.sh (is no longer executable, +0 −0)",
        "It scores 97 instead of 83, of 100.",
    ]


LITERAL = "def is_a(text):\n    return text is 'a'\n"


@pytest.mark.parametrize(("action", "is_applied"), [("accept", True), ("decline", False)])
def test_without_sampling_a_tool_s_repair_is_applied_when_the_user_accepts(
    audited: Callable[..., Any], tmp_path: Path, action: str, is_applied: bool
) -> None:
    repo, asked = Repo(tmp_path / "repo"), list[str]()
    repo.commit(**{"load.py": LITERAL})
    words = config(scope="paths", paths=["load.py"], applyFixes="true")
    with audited({"elicitation": {"form": {}}}, cwd=repo.root) as judged:
        answer = judged.think(words, _proposing(action, asked))

    assert "- load.py (+1 −1)" in asked[0]
    assert ("text == 'a'" in (repo.root / "load.py").read_text("utf-8")) is is_applied
    assert "+    return text == 'a'\n" in answer["gan"]["proposed_diff"]
    assert (judged.told("sample"), answer["gan"]["iterations"]) == ([], 1)
    steps = [event["doing"] for event in judged.told("auditing")]
    assert steps[2:] == ["trying repairs by tools, round 1 of 1", "asking you whether to apply the proposed diff"]


def test_tools_are_tried_before_the_model_is_asked(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        mended = judged.think(f"```python\n{LITERAL}```\n", always(repair("never asked for")))
        both = judged.think(f"```python\n{LITERAL}```\n{FLAWED}", always(repair("no diff")))

    assert "text == 'a'" in mended["gan"]["proposed_diff"]
    assert "text == 'a'" in both["gan"]["proposed_diff"]
    assert "it contains no diff" in both["gan"]["review"]["summary"]
    assert len(judged.told("sample")) == 1


def test_without_elicitation_or_apply_fixes_a_diff_stays_a_proposal(
    audited: Callable[..., Any], tmp_path: Path
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"load.py": "def load(text):\n    return eval(text)\n"})
    with audited(SAMPLES, cwd=repo.root) as judged:
        wished = judged.think(config(scope="paths", paths=["load.py"], applyFixes=True), _proposing("accept", []))
        unasked = judged.think(config(scope="paths", paths=["load.py"]), _proposing("accept", []))

    assert "eval" in (repo.root / "load.py").read_text("utf-8")
    assert "cannot ask" in wished["gan"]["review"]["summary"]
    assert wished["gan"]["proposed_diff"] == unasked["gan"]["proposed_diff"] == FIX
    assert judged.told("elicit") == []


ELSEWHERE = "--- a/other.py\n+++ b/other.py\n@@ -1 +1 @@\n-one = 1\n+one = 2\n"
MORE = "--- a/load.py\n+++ b/load.py\n@@ -2 +2,2 @@\n     return eval(text)\n+    exec(text)\n"


@pytest.mark.parametrize("diff", [ELSEWHERE, MORE], ids=["elsewhere", "worse"])
def test_a_diff_that_repairs_nothing_is_not_proposed(audited: Callable[..., Any], tmp_path: Path, diff: str) -> None:
    repo, asked = Repo(tmp_path / "repo"), list[str]()
    repo.commit(**{"load.py": "def load(text):\n    return eval(text)\n", "other.py": "one = 1\n"})
    with audited(TALKS, cwd=repo.root) as judged:
        words = config(scope="paths", paths=["load.py"], applyFixes=True)
        answer = judged.think(words, _proposing("accept", asked, diff))

    assert answer["gan"]["proposed_diff"] is None
    assert "improves nothing" in answer["gan"]["review"]["summary"]
    assert asked == []


def test_a_diff_that_leaves_more_unread_code_is_not_proposed(audited: Callable[..., Any]) -> None:
    hidden = MENDED.replace(" ```\n", " ```\n+\n+```elixir\n+eval(text)\n+```\n")
    with audited(SAMPLES) as judged:
        answer = judged.think(FLAWED, always(repair(hidden.replace("+2,5", "+2,9"))))

    assert answer["gan"]["proposed_diff"] is None
    assert "it leaves more code that could not be judged" in answer["gan"]["review"]["summary"]


def test_what_a_repair_leaves_of_a_diff_is_still_judged(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.py": "one = 1\ntwo = 2\n"})
    flawed = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-one = 1\n+one = eval('1')\n two = 2\n"
    half = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-one = 1\n-two = 2\n+one = eval('1')\n+two = 3\n"
    with audited(SAMPLES, cwd=repo.root) as judged:
        answer = judged.think(f"```diff\n{flawed}```", always(repair(half)))

    assert answer["gan"]["proposed_diff"] is None


# The workspace, limits, and clients that leave


def test_the_client_s_root_is_the_workspace_before_the_option(audited: Callable[..., Any], tmp_path: Path) -> None:
    theirs, ours = Repo(tmp_path / "their root"), Repo(tmp_path / "ours")
    theirs.commit(**{"a.py": "one = 1\n"})
    ours.commit(**{"b.py": "two = 2\n"})
    asked: list[str] = []

    def answers(question: Message) -> Message:
        asked.append(question["method"])
        return {"roots": [{"uri": theirs.root.as_uri()}]}

    with audited({"roots": {}}, "--workspace", str(ours.root)) as judged:
        answer = judged.think(config(scope="workspace"), answers)
        judged.think(CLEAN, answers)

    assert answer["gan"]["review"]["citations"] == ["repo://a.py:1-1"]
    assert asked == ["roots/list"]


def test_a_chain_past_its_limit_is_not_audited(audited: Callable[..., Any]) -> None:
    with audited({}, "--max-thoughts", "1") as judged:
        judged.think("Why?", nextThoughtNeeded=True)
        answer = judged.think(FLAWED, number=2, nextThoughtNeeded=True)

    assert answer["nextThoughtNeeded"] is False
    assert answer["auditError"] == "not audited: the chain is past its limit"
    assert judged.told("audit") == []


def test_a_client_that_leaves_ends_the_audit_at_once(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        judged.host.begin(TOOL, thought(config(judges=["internal", "slow"]) + CLEAN))
        judged.host.wire.hang_up()

        assert judged.host.wire.status() == 0  # waited for 20 s: the audit alone would take 60
    [kept] = judged.told("audit")
    assert kept["error"] == "client left"
    assert judged.told("end") != []


def test_only_a_client_that_gave_a_token_gets_the_progress_of_an_audit(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        judged.host.call(TOOL, thought(CLEAN), no_answer)
        silent = list(judged.host.notifications)
        judged.host.call(TOOL, thought(CLEAN), no_answer, progressToken="t")

    told = [note["params"] for note in judged.host.notifications if note["method"] == "notifications/progress"]
    assert silent == []
    assert [note["progress"] for note in told] == sorted(note["progress"] for note in told)
    assert told[-1]["progress"] == told[-1]["total"]
    assert told[0]["message"] == "reading the workspace"
