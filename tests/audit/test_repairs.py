"""Repairs by tools: where they are put, which programs run and how, and what becomes of bad ones."""

import json
import shutil
import stat
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import mcp_types as types
import pytest

from seqthink.audit.audit_run import AuditRun
from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.config import parse_config
from seqthink.audit.judges.internal import judge_unit
from seqthink.audit.judges.ruff_rules import SELECT
from seqthink.audit.repairs import fixers, proposals
from seqthink.audit.repairs.edits import Replacement, only_near, replaced
from seqthink.audit.repairs.fixers import FIXERS, Fixer, RepairError, find_program, fixers_for, repaired_text
from seqthink.audit.workspace.workspace import Workspace, find_root
from seqthink.dialogue.channel import Outcome, Question
from seqthink.dialogue.dialogue import Dialogue
from tests.support.audit.repositories import Repo
from tests.support.depth import first
from tests.support.proc import process_file

FLAWED = "def is_a(x):\n    if x is 'a':\n        return f'yes'\n    return 'no'\n"
MENDED = FLAWED.replace("x is 'a'", "x == 'a'").replace("f'yes'", "'yes'")
SHELL = "d=$1\nrm -r $d\n"


class User:
    """A client without sampling; with an answer, its user is asked by forms."""

    def __init__(self, action: str = "") -> None:
        form = types.ElicitationCapability(form=types.FormElicitationCapability()) if action else None
        self.capabilities = types.ClientCapabilities(elicitation=form)
        self.asked: list[str] = []
        self._action = action

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        """Answer as the user does."""
        for key, question in questions.items():
            assert isinstance(question, types.ElicitRequest)
            self.asked.append(question.params.message)
            outcomes[key] = types.ElicitResult.model_validate({"action": self._action, "content": {}})

    async def left(self) -> None:
        """Stay."""
        await anyio.sleep_forever()

    async def log(self, level: types.LoggingLevel, data: object) -> None:
        """Ignore it."""

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Ignore it."""


class Audited(NamedTuple):
    """What an audit came to."""

    diff: str
    summary: str
    overall: int
    iterations: int
    steps: list[str]


async def audit(thought: str, root: Path, user: User | None = None, seconds: float = 60) -> Audited:
    """Audit ``thought`` as the server does, with the judges in this process."""
    steps: list[str] = []

    async def report(done: int, of_all: int, doing: str) -> None:
        if done < of_all:
            steps.append(doing)

    async def find_workspace(_dialogue: Dialogue) -> Workspace | str:
        found = find_root([], None, root)
        return found if isinstance(found, str) else Workspace(found)

    run = AuditRun(thought, parse_config(thought), report, judge_unit)
    await run.run(find_workspace, Dialogue(user or User(), lambda _kind, _fields: None, 1, lambda: 0.0), seconds)
    review = run.review()
    assert review is not None, run.failure_reason
    return Audited(review.proposed_diff or "", review.summary, review.overall, review.iterations, steps)


def config(**settings: object) -> str:
    return f"```gan-config\n{json.dumps(settings)}\n```\n"


def fence(code: str, info: str = "python") -> str:
    return f"Look:\n\n```{info}\n{code}```\n"


def install(folder: Path, name: str, script: str) -> Path:
    """Write a program, a shell script."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit(**{"a.py": FLAWED, "other.py": "one = 1\n"})
    return made


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return an empty workspace."""
    (made := tmp_path / "work").mkdir()
    return made


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder on PATH, without any fixer but what a test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    git = shutil.which("git")
    assert git is not None
    (folder / "git").symlink_to(git)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    if shutil.which("shellcheck", path="/usr/bin:/bin"):
        pytest.skip("shellcheck is in a folder that the test cannot take from PATH")
    return folder


# What is proposed


async def test_code_in_a_fence_is_repaired_in_the_thought(tmp_path: Path) -> None:
    found = await audit(fence(FLAWED), tmp_path)

    assert found.diff.startswith("diff --git a/thought b/thought\n")
    assert "-    if x is 'a':\n-        return f'yes'\n+    if x == 'a':\n+        return 'yes'\n" in found.diff
    assert (found.overall, found.iterations) == (78, 1)
    assert found.summary.endswith("A proposed diff scores 97.")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("> ```python\n> if x is 'a':\n>\n>     y = 1\n> ```\n", "-> if x is 'a':\n+> if x == 'a':\n"),
        ("1. so:\n   ```python\n   if x is 'a':\n\n       y = 1\n   ```\n", "-   if x is 'a':\n+   if x == 'a':\n"),
        ("```python\r\nif x is 'a':\r\n    y = 1\r\n```\r\n", "-if x is 'a':\r\n+if x == 'a':\r\n"),
        ("```python\n    if x is 'a':\n        y = 1\n```\n", "-    if x is 'a':\n+    if x == 'a':\n"),
        ("```python a.py\nif x is 'a':\n    y = 1\n```\n", "-if x is 'a':\n+if x == 'a':\n"),
    ],
    ids=["quote", "list", "carriage returns", "indented", "named"],
)
async def test_what_stands_around_the_code_stays(tmp_path: Path, before: str, expected: str) -> None:
    found = await audit(f"So:\n\n{before}", tmp_path)

    assert expected in found.diff


async def test_a_file_of_the_workspace_is_repaired(repo: Repo) -> None:
    found = await audit(config(scope="paths", paths=["a.py", "other.py"]), repo.root)
    (repo.root / "proposed").write_text(found.diff, encoding="utf-8")
    repo.git("apply", "proposed")

    assert (repo.root / "a.py").read_text("utf-8") == MENDED
    assert "other.py" not in found.diff


async def test_of_a_change_only_its_new_lines_are_repaired(repo: Repo) -> None:
    repo.write("a.py", FLAWED + "\n\ndef is_b(x):\n    return x is 'b'\n")
    found = await audit(config(scope="diff"), repo.root)

    changed = [line for line in found.diff.splitlines() if line.startswith(("-", "+"))][2:]
    assert changed == ["-    return x is 'b'", "+    return x == 'b'"]


DIFF = "--- a/other.py\n+++ b/other.py\n@@ -1 +1,2 @@\n one = 1\n+two = one is 'a'\n"


async def test_a_proposal_replaces_the_diff_of_the_thought(repo: Repo) -> None:
    found = await audit(f"```diff\n{DIFF}```\n", repo.root)

    assert "+two = one == 'a'\n" in found.diff
    assert "is 'a'" not in found.diff


async def test_a_diff_that_does_not_apply_is_not_repaired_away(repo: Repo) -> None:
    found = await audit(f"```diff\n{DIFF.replace('one = 1', 'no = 1')}```\n{fence(FLAWED)}", repo.root)

    assert found.diff.startswith("diff --git a/thought")
    assert "A proposed diff scores 67." in found.summary


@pytest.mark.parametrize("text", [f"\ufeff{FLAWED}", FLAWED.replace("\n", "\r\n"), FLAWED.rstrip("\n")])
async def test_the_bytes_around_a_repair_stay(repo: Repo, text: str) -> None:
    repo.write("a.py", text)
    user = User("accept")
    await audit(config(scope="paths", paths=["a.py"], applyFixes=True), repo.root, user)

    mended = text.replace("x is 'a'", "x == 'a'").replace("f'yes'", "'yes'")
    assert (repo.root / "a.py").read_bytes() == mended.encode()


@pytest.mark.parametrize("name", first(2, ["a b.py", 'a"b.py', "-a.py", "ä.py", "a\\b.py", "x/thought/b.py"]))
async def test_a_file_of_any_name_is_repaired_or_left_alone(repo: Repo, name: str) -> None:
    repo.write(name, FLAWED)
    user = User("accept")
    found = await audit(config(scope="paths", paths=[name], applyFixes=True), repo.root, user)

    text = (repo.root / name).read_text("utf-8")
    assert text == (MENDED if "was applied" in found.summary else FLAWED)
    assert (repo.root / "a.py").read_text("utf-8") == FLAWED


async def test_without_a_workspace_the_thought_is_repaired_nevertheless() -> None:
    found = await audit(fence(FLAWED), Path("/"))

    assert "+    if x == 'a':\n" in found.diff


async def test_code_that_passes_and_code_that_no_tool_repairs_get_no_proposal(tmp_path: Path) -> None:
    sound, unsafe = await audit(fence(MENDED), tmp_path), await audit(fence("def f(x):\n    eval(x)\n"), tmp_path)

    assert (sound.diff, unsafe.diff) == ("", "")
    assert unsafe.iterations == 1
    assert "dropped" not in unsafe.summary


# Rounds and candidates


async def test_a_second_round_repairs_what_the_first_uncovered(
    work: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposals, "fixers_for", one_fixer("step"))
    install(tools, "step", "awk '!done && / is / {sub(/ is /, \" == \"); done=1} {print}'")
    twice = fence("def f(x, y):\n    return x is 'a'\n\n\ndef g(x):\n    return x is 'b'\n")
    once = await audit(config(threshold=95) + twice, work)
    both = await audit(config(threshold=95, maxCycles=3) + twice, work)

    assert (once.iterations, once.diff.count("\n+    return")) == (1, 1)
    assert (both.iterations, both.diff.count("\n+    return")) == (2, 2)
    assert "scores 97" in both.summary


def fake(name: str, *, prints_diff: bool = False) -> Fixer:
    return Fixer(name=name, languages=("python",), arguments=lambda _unit: [], prints_diff=prints_diff)


def one_fixer(name: str) -> Callable[[CodeUnit], list[Fixer]]:
    """Return a function that knows one fixer, for every language."""

    def fixers_for(_unit: CodeUnit) -> list[Fixer]:
        return [fake(name)]

    return fixers_for


async def test_candidates_are_different_diffs_and_fewer_are_said(tmp_path: Path) -> None:
    two = fence(FLAWED) + fence("def g(x):\n    return x is 'b'\n")
    enough = await audit(config(candidates=3) + two, tmp_path)
    fewer = await audit(config(candidates="4") + two, tmp_path)

    assert "candidates" not in enough.summary
    assert "candidates: 4 were asked for; tools proposed 3 different diffs, and no model can be asked." in fewer.summary
    assert enough.diff.count("\n+") == fewer.diff.count("\n+") == 4


# Which programs run


def test_ruff_repairs_what_the_judge_uses_and_nothing_unsafe() -> None:
    arguments = fixers.fix_arguments(CodeUnit(path=THOUGHT_PATH, text="x\n", language="python"))

    assert {"--isolated", "--no-cache", "--no-unsafe-fixes", "--fix-only", "-"} <= set(arguments)
    assert arguments[arguments.index("--select") + 1] == ",".join(SELECT)


def test_each_fixer_is_for_languages_that_are_judged() -> None:
    assert [(fixer.name, fixer.languages) for fixer in FIXERS] == [("ruff", ("python",)), ("shellcheck", ("bash",))]
    assert [fixer.name for fixer in fixers_for(CodeUnit(path="a.sh", text="x"))] == ["shellcheck"]
    assert fixers_for(CodeUnit(path="a.go", text="x")) == []


@pytest.mark.parametrize("place", ["folder", "link to a program", "link to a folder", "relative"])
def test_a_program_of_the_workspace_is_never_found(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    inside = repo.root / "bin"
    program = install(inside, "shellcheck", "touch ran")
    outside = tmp_path / "outside"
    if place == "link to a folder":
        outside.symlink_to(inside)
    else:
        outside.mkdir()
        (outside / "shellcheck").symlink_to(program)
    folder = {"folder": str(inside), "relative": "bin"}.get(place, str(outside))
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", folder)

    assert find_program(FIXERS[1], repo.root) is None


async def test_a_missing_program_is_named_where_repairs_were_asked_for(work: Path, tools: Path) -> None:
    asked = await audit(config(maxCycles=2) + fence(SHELL, "sh"), work)
    unasked = await audit(fence(SHELL, "sh"), work)

    assert shutil.which("shellcheck", path=str(tools)) is None
    assert "shellcheck is not installed, which could repair bash." in asked.summary
    assert "maxCycles had no effect: no tool here could repair what was found, and the client's" in asked.summary
    assert "shellcheck" not in unasked.summary


async def test_without_git_it_is_said_why_there_is_no_diff(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(work))
    found = await audit(config(maxCycles=2) + fence(FLAWED), work)

    assert found.diff == ""
    assert "no diff could be made: git is not installed. maxCycles had no effect: " in found.summary


SHELLCHECK_DIFF = """\
--- a/-
+++ b/-
@@ -1,2 +1,2 @@
 d=$1
-rm -r $d
+rm -r "$d"

"""


async def test_the_diff_of_shellcheck_is_applied_to_its_script(work: Path, tools: Path) -> None:
    install(tools, "shellcheck", f"echo \"$@\" > '{tools}/arguments'\ncat <<'END'\n{SHELLCHECK_DIFF}END\nexit 1")
    found = await audit(fence(SHELL, "sh"), work)

    arguments = (tools / "arguments").read_text("utf-8").split()
    assert '-rm -r $d\n+rm -r "$d"\n' in found.diff
    assert {"--norc", "--format=diff", "--shell=bash", "-"} <= set(arguments)


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
async def test_the_real_shellcheck_quotes_what_is_found(tmp_path: Path) -> None:
    found = await audit(fence(f"{SHELL}cat `ls`\n", "sh"), tmp_path)

    assert [line for line in found.diff.splitlines() if line[:1] in "+-"][2:] == ["-rm -r $d", '+rm -r "$d"']


# Bad programs


@pytest.fixture
def run_fixer(work: Path, tools: Path) -> Callable[[str], Any]:
    async def run(script: str, *, prints_diff: bool = False) -> str:
        program = install(tools, "fixer", script)
        unit = CodeUnit(path=THOUGHT_PATH, text=FLAWED, language="python")
        fixer = fake("fixer", prints_diff=prints_diff)
        return await repaired_text(fixer, str(program), unit, Workspace(work))

    return run


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("yes", "fixer printed more than 4 MiB"),
        ("yes >&2", "fixer printed more than 4 MiB"),
        ("exit 3", "fixer could not read the code"),
        ("printf '\\377'", "what fixer printed was not used: it is not UTF-8 text"),
        ("kill -9 $$", "fixer could not read the code"),
    ],
)
async def test_what_a_bad_program_does_is_said_and_nothing_of_it_used(
    run_fixer: Callable[..., Any], script: str, reason: str
) -> None:
    with pytest.raises(RepairError, match=f"^{reason}$"):
        await run_fixer(script)


@pytest.mark.slow  # waits for a program that hangs
async def test_a_program_that_hangs_is_killed_with_its_children(
    run_fixer: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seconds = tmp_path / "child", 0.25
    while not path.exists():  # on a busy machine it may be killed before it has a child: then it gets more time
        seconds *= 2
        monkeypatch.setattr(fixers, "TIME_LIMIT_SECONDS", seconds)
        with pytest.raises(RepairError, match=rf"^fixer took longer than {seconds:g} s$"):
            await run_fixer(f'sleep 600 & echo $! > "{path}.new"; mv "{path}.new" "{path}"; wait')

    child = int(path.read_text("utf-8"))
    with anyio.fail_after(10):
        while is_running(child):  # noqa: ASYNC110 - a process has no event
            await anyio.sleep(0.01)


def is_running(process: int) -> bool:
    try:
        return process_file(process, "stat").read_text("utf-8").split()[2] != "Z"
    except OSError:
        return False


async def test_a_program_that_does_not_start_is_said(run_fixer: Callable[..., Any], tools: Path) -> None:
    await run_fixer("cat")
    (tools / "fixer").write_bytes(b"\x7fELF no program")
    unit = CodeUnit(path=THOUGHT_PATH, text=FLAWED, language="python")

    with pytest.raises(RepairError, match=r"^fixer could not be started: "):
        await repaired_text(fake("fixer"), str(tools / "fixer"), unit, Workspace(tools))


@pytest.mark.parametrize(
    "diff", ["--- a/-\n+++ b/-\n@@ -1 +1 @@\n-no\n+yes\n", "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+x\n", "?"]
)
async def test_a_diff_that_is_not_for_the_script_is_not_used(run_fixer: Callable[..., Any], diff: str) -> None:
    with pytest.raises(RepairError, match=r"^the diff of fixer does not apply$"):
        await run_fixer(f"cat <<'END'\n{diff}\nEND", prints_diff=True)


async def test_a_program_sees_nothing_of_the_environment_but_path(
    run_fixer: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "x")
    printed = await run_fixer("env; ls -A; pwd")
    names = {line.partition("=")[0] for line in printed.splitlines() if "=" in line}

    assert names <= {"PATH", "HOME", "LC_ALL", "NO_COLOR", "PWD", "OLDPWD", "SHLVL", "_"}
    assert printed.splitlines()[-1].startswith(tempfile.gettempdir())


@pytest.mark.parametrize("script", first(2, ["cat", "echo 'def ('", "true", "cat; echo 'eval(input())'"]))
async def test_a_repair_that_does_not_improve_the_code_is_dropped(
    work: Path, tools: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    monkeypatch.setattr(proposals, "fixers_for", one_fixer("fixer"))
    install(tools, "fixer", script)
    asked = await audit(config(maxCycles=2) + fence(FLAWED), work)
    unasked = await audit(fence(FLAWED), work)

    assert (asked.diff, unasked.diff) == ("", "")
    assert "dropped" not in unasked.summary
    assert ("a repair by a tool was dropped: it improves nothing." in asked.summary) is (script != "cat")
    assert ("maxCycles had no effect" in asked.summary) is (script == "cat")


@pytest.mark.slow  # waits for a program that hangs
async def test_a_program_that_hangs_is_tried_once(work: Path, tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "fixers_for", one_fixer("fixer"))
    monkeypatch.setattr(fixers, "TIME_LIMIT_SECONDS", 0.5)
    install(tools, "fixer", f"echo >> '{tools}/runs'; sleep 600")
    found = await audit(config(maxCycles=3) + fence(FLAWED) + fence(FLAWED), work)

    assert (tools / "runs").read_text("utf-8") == "\n"
    assert "fixer took longer than 0.5 s. maxCycles had no effect" in found.summary


@pytest.mark.slow  # waits for a program that hangs
async def test_an_audit_that_a_program_outlasts_names_what_was_not_finished(
    work: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposals, "fixers_for", one_fixer("fixer"))
    install(tools, "fixer", "sleep 600")
    found = await audit(config(maxCycles=2, candidates=2, applyFixes=True) + fence(FLAWED), work, seconds=3)

    assert found.summary.endswith(
        "The audit was ended after 3 s; this is what it had. Not finished in time: maxCycles, candidates, applyFixes."
    )
    assert found.overall == 78


# Applying


APPLY_OUTCOMES = {
    "accept": "was applied",
    "decline": "was not applied: the user declined",
    "cancel": "was not applied: the user has not decided",
}


@pytest.mark.parametrize(
    ("action", "is_applied"), first(1, [("accept", True), ("decline", False), ("cancel", False)], is_unpacked=True)
)
async def test_a_repair_is_applied_when_the_user_accepts(repo: Repo, action: str, is_applied: bool) -> None:
    user = User(action)
    found = await audit(config(scope="paths", paths=["a.py"], applyFixes=True), repo.root, user)

    [question] = user.asked
    assert "- a.py (+2 −2)\nIt scores 97 instead of 78, of 100." in question
    assert ((repo.root / "a.py").read_text("utf-8") == MENDED) is is_applied
    assert f"The proposed diff {APPLY_OUTCOMES[action]}." in found.summary
    assert found.steps[-1] == "asking you whether to apply the proposed diff"


async def test_the_step_of_asking_is_not_reported_where_nobody_is_asked(repo: Repo) -> None:
    found = await audit(config(scope="paths", paths=["a.py"], applyFixes=True), repo.root)

    assert found.steps[-1] == "trying repairs by tools, round 1 of 1"
    assert "The proposed diff was not applied: the client cannot ask the user." in found.summary
    assert (repo.root / "a.py").read_text("utf-8") == FLAWED


# Places


@pytest.mark.parametrize(
    ("old", "new", "lines", "kept"),
    [
        ("a\nb\nc\n", "A\nB\nC\n", {2}, "a\nB\nc\n"),
        ("a\nb\nc\n", "a\nc\n", {2}, "a\nc\n"),
        ("a\nb\nc\n", "a\nc\n", {1, 3}, "a\nb\nc\n"),
        ("a\nc\n", "a\nb\nc\n", {2}, "a\nb\nc\n"),
        ("a\nc\n", "a\nb\nc\n", {1}, "a\nc\n"),
        ("a\n", "", {1}, ""),
    ],
)
def test_only_changes_near_findings_are_kept(old: str, new: str, lines: set[int], kept: str) -> None:
    assert only_near(old, new, lines) == kept


def test_parts_are_replaced_where_they_stand_and_nowhere_else() -> None:
    document = "x\n> a\n>\n> b\nx\n  a\n"
    first, gone, last = (
        Replacement(2, "a\n\nb\n", "a\nc\n\n"),
        Replacement(5, "a\n", "c\n"),
        Replacement(6, "a\n", "d\n"),
    )

    assert replaced(document, [first, gone, last]) == "x\n> a\n> c\n>\nx\n  d\n"
    assert replaced(document, [Replacement(6, "a\nb\nc\n", "x\n"), Replacement(99, "a\n", "b\n")]) == document


def test_hostile_code_is_compared_in_linear_time() -> None:
    lines = [f"x{number % 97} = 1" for number in range(85_000)]
    mended = ["y", *lines[1:-1], "z", "more"]
    kept = only_near("\n".join(lines), "\n".join(mended), {1})

    assert kept.split("\n")[0] == "y"
    assert replaced("\n".join(lines), [Replacement(1, "\n".join(lines), kept)]) == kept


async def test_of_a_diff_for_thought_and_files_the_files_part_is_applied(repo: Repo) -> None:
    user = User("accept")
    found = await audit(config(scope="paths", paths=["a.py"], applyFixes=True) + fence(FLAWED), repo.root, user)

    assert "diff --git a/thought b/thought" in found.diff
    assert (repo.root / "a.py").read_text("utf-8") == MENDED
    assert "- a.py (+2 −2)\nIt scores 97" in user.asked[0]
    assert "The proposed diff was applied, except for code in the thought." in found.summary


async def test_a_diff_for_the_thought_alone_has_nothing_to_be_applied_to(repo: Repo) -> None:
    user = User("accept")
    found = await audit(config(applyFixes=True) + fence(FLAWED), repo.root, user)

    assert user.asked == []
    assert "The proposed diff changes code in the thought: there is nothing to apply." in found.summary
