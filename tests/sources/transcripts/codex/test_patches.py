"""A patch that Codex's model gives to a shell is an edit of its files, and no command."""

import json

import pytest

from seqthink.sources.transcripts.facts import Result, ToolCall
from tests.sources.transcripts.codex.rollouts import completed, facts_of, item, meta, of

PATCH = "*** Begin Patch\n*** Update File: jobs/a.py\n@@\n-size = 20\n+size = 60\n*** End Patch"
TWO = "*** Begin Patch\n*** Add File: b.py\n+x\n*** Delete File: c.py\n*** End Patch"
HERE = f"apply_patch <<'EOF'\n{PATCH}\nEOF"


def called(name: str, arguments: object) -> ToolCall:
    record = item("function_call", name=name, arguments=json.dumps(arguments), call_id="c")
    (call,) = of(ToolCall, facts_of([meta(), record]))
    return call


@pytest.mark.parametrize(
    ("name", "arguments", "files"),
    [
        ("exec_command", {"cmd": HERE}, "jobs/a.py"),
        ("exec_command", {"cmd": f"apply_patch << EOF\n{TWO}\nEOF\n"}, "b.py +1"),
        ("exec_command", {"cmd": f"cd src && {HERE}"}, "src/jobs/a.py"),
        ("exec_command", {"cmd": f"applypatch '{PATCH}'"}, "jobs/a.py"),
        ("shell_command", {"command": HERE}, "jobs/a.py"),
        ("shell", {"command": ["bash", "-lc", HERE]}, "jobs/a.py"),
        ("shell", {"command": ["apply_patch", PATCH]}, "jobs/a.py"),
    ],
)
def test_a_command_that_applies_a_patch_is_an_edit_of_its_files(name: str, arguments: object, files: str) -> None:
    call = called(name, arguments)

    assert (call.tool, call.summary) == ("apply_patch", files)


@pytest.mark.parametrize(
    "command",
    [
        f"{HERE}\nmake",
        f"cat <<'EOF'\n{PATCH}\nEOF",
        f"make && {HERE}",
        "apply_patch <<'EOF'\n*** Begin Patch\nEOF",
        "apply_patch < a.patch",
        f"echo apply_patch {PATCH}",
    ],
)
def test_a_command_that_does_more_or_something_else_is_a_command(command: str) -> None:
    call = called("exec_command", {"cmd": command})

    assert call.tool == "exec_command"
    assert call.summary.startswith(command[:9])


def test_what_codex_made_of_the_patch_is_the_same_call() -> None:
    lines = [
        item("function_call", name="exec_command", arguments=json.dumps({"cmd": HERE}), call_id="c"),
        completed("FileChange", id="c", changes={"/w/jobs/a.py": {"type": "update"}}, status="completed"),
        item("function_call_output", call_id="c", output="Success."),
    ]
    facts = facts_of([meta(), *lines])

    assert [(call.tool, call.summary) for call in of(ToolCall, facts)] == [("apply_patch", "jobs/a.py")]
    assert [end.is_error for end in of(Result, facts)] == [False]


def test_arguments_that_are_no_json_or_hold_anything_are_taken_as_before() -> None:
    odd: list[object] = [
        {"cmd": 7, "apply": 1},
        {"command": ["apply_patch", 7]},
        {"command": []},
        ["apply_patch"],
        f"apply_patch {PATCH[:40]}",
    ]

    assert {called("exec_command", one).tool for one in odd} == {"exec_command"}
