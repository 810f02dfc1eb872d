"""Diffs that are applied when the user accepts, and those that stay proposals."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.audit.served.conftest import FLAWED, MENDED, SAMPLES, TALKS, always, config, repair
from tests.support.audit.repositories import Repo
from tests.support.depth import first
from tests.support.servers.dialogue_clients import Answers
from tests.support.servers.wire import Message

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


@pytest.mark.parametrize(
    ("action", "is_applied"), first(2, [("accept", True), ("decline", False), ("cancel", False)], is_unpacked=True)
)
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
    assert [event["purpose"] for event in judged.recorded("elicit")] == ["apply"]


MANY = (
    FIX + "diff --git a/other.py b/other.py\nold mode 100644\nnew mode 100755\n"
    "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n"
    "diff --git a/go.sh b/go.sh\nnew file mode 100755\n--- /dev/null\n+++ b/go.sh\n@@ -0,0 +1 @@\n+go\n"
    "diff --git a/a b.py b/c (new, +1).py\nsimilarity index 100%\nrename from a b.py\nrename to c (new, +1).py\n"
)


def test_the_question_lists_what_may_be_run_and_quotes_names_that_look_like_more(
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
        "It scores 97 instead of 80, of 100.",
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
    assert (judged.recorded("sample"), answer["gan"]["iterations"]) == ([], 1)
    steps = [event["doing"] for event in judged.recorded("auditing")]
    assert steps[2:] == ["trying repairs by tools, round 1 of 1", "asking you whether to apply the proposed diff"]


def test_tools_are_tried_before_the_model_is_asked(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        mended = judged.think(f"```python\n{LITERAL}```\n", always(repair("never asked for")))
        both = judged.think(f"```python\n{LITERAL}```\n{FLAWED}", always(repair("no diff")))

    assert "text == 'a'" in mended["gan"]["proposed_diff"]
    assert "text == 'a'" in both["gan"]["proposed_diff"]
    assert "it contains no diff" in both["gan"]["review"]["summary"]
    assert len(judged.recorded("sample")) == 1


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
    assert judged.recorded("elicit") == []


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
