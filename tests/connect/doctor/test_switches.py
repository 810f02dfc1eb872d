"""Entries that are right and still do nothing, by a switch, a list or a missing approval: each has its fix."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.connect.doctor.set_ups import INSTALLED, SetUp
from tests.support.depth import first

PLAIN = {"command": str(INSTALLED), "args": ["serve"]}


def files_of_the_project(set_up: SetUp, **files: object) -> None:
    """Write settings of Claude Code into the project's folder."""
    for name, value in files.items():
        path = set_up.project / ".claude" / f"{name.replace('_', '.')}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")


def claude_code(set_up: SetUp, user: dict[str, Any], of_the_folder: dict[str, Any], folder: Path | None = None) -> Path:
    """Write the user's file of Claude Code, with what it keeps of a folder."""
    value = {"mcpServers": user, "projects": {str(folder or set_up.project): of_the_folder}}
    return set_up.write("claude-code", json.dumps(value))


def fixes_and_page(set_up: SetUp, client: str) -> tuple[list[str], str]:
    examined = set_up.examine(client, "--no-start")
    return examined.fixes, examined.messages("entry")


@pytest.mark.parametrize(
    ("client", "entry", "member"),
    first(
        2,
        [
            ("opencode", {"type": "local", "command": [str(INSTALLED), "serve"], "enabled": False}, "enabled: false"),
            ("cursor", {**PLAIN, "disabled": True}, "disabled: true"),
            ("gemini-cli", {**PLAIN, "includeTools": ["other"]}, "includeTools"),
            ("gemini-cli", {**PLAIN, "excludeTools": ["sequentialthinking"]}, "excludeTools"),
        ],
        is_unpacked=True,
    ),
)
def test_a_switch_in_the_entry_is_to_be_taken_out(
    client: str, entry: dict[str, Any], member: str, set_up: SetUp
) -> None:
    path = set_up.servers(client, seqthink=entry)

    assert fixes_and_page(set_up, client)[0] == [f"take `{member}` out of the entry in {path}"]


@pytest.mark.parametrize(
    ("line", "member"),
    first(
        1,
        [
            ("enabled = false", "enabled = false"),
            ('enabled_tools = ["other"]', "enabled_tools"),
            ('disabled_tools = ["sequentialthinking"]', "disabled_tools"),
        ],
        is_unpacked=True,
    ),
)
def test_a_switch_of_codex_is_named_as_it_stands_there(line: str, member: str, set_up: SetUp) -> None:
    path = set_up.connect("codex")
    path.write_text(path.read_text(encoding="utf-8").replace("args =", f"{line}\nargs ="), encoding="utf-8")

    assert fixes_and_page(set_up, "codex")[0] == [f"take `{member}` out of the entry in {path}"]


def test_a_server_that_is_disabled_in_copilot_is_to_be_taken_out_of_its_list(set_up: SetUp) -> None:
    path = set_up.connect("copilot-cli")
    settings = path.with_name("settings.json")
    settings.write_text('{"disabledMcpServers": ["seqthink"]}', encoding="utf-8")

    assert fixes_and_page(set_up, "copilot-cli")[0] == [f"take `seqthink` out of `disabledMcpServers` in {settings}"]


def test_lists_of_tools_with_ours_are_no_switch(set_up: SetUp) -> None:
    set_up.servers("gemini-cli", seqthink={**PLAIN, "includeTools": ["sequentialthinking"], "excludeTools": ["other"]})

    assert fixes_and_page(set_up, "gemini-cli")[0] == []


@pytest.mark.parametrize(
    ("lists", "fix"),
    [
        ({"excluded": ["SeqThink"]}, "take `seqthink` out of `mcp.excluded` in {}"),
        ({"allowed": ["other"]}, "add `seqthink` to `mcp.allowed` in {}"),
        ({"allowed": []}, "add `seqthink` to `mcp.allowed` in {}"),
    ],
)
@pytest.mark.parametrize("scope", first(1, ["user", "project"]))
def test_gemini_s_lists_of_either_file_count(lists: dict[str, Any], fix: str, scope: str, set_up: SetUp) -> None:
    user, project = {"mcpServers": {"seqthink": PLAIN}}, {"mcp": {"allowed": ["seqthink"], "excluded": ["other"]}}
    mine = user if scope == "user" else project
    mine["mcp"] = lists
    set_up.write("gemini-cli", json.dumps(user))
    set_up.write("gemini-cli", json.dumps(project), "project")

    assert fixes_and_page(set_up, "gemini-cli")[0] == [fix.replace("{}", str(set_up.file("gemini-cli", scope)))]


def test_gemini_s_own_switch_is_named_with_its_file(set_up: SetUp) -> None:
    path = set_up.connect("gemini-cli").with_name("mcp-server-enablement.json")
    path.write_text('{"seqthink": {"enabled": false}, "other": {"enabled": false}}', encoding="utf-8")

    fixes, said = fixes_and_page(set_up, "gemini-cli")

    assert fixes == [f"take `seqthink` out of {path}"]
    assert "it is switched off by `mcp-server-enablement.json`" in said


def test_claude_code_s_own_list_for_the_folder_comes_before_all_others(set_up: SetUp) -> None:
    claude_code(set_up, {"seqthink": PLAIN}, {"mcpServers": {"seqthink": {"command": "/nowhere/seqthink"}}})
    set_up.connect("claude-code", scope="project")

    fixes, said = fixes_and_page(set_up, "claude-code")

    assert fixes == ["claude mcp remove seqthink -s local"]
    assert "in the user's file, for this folder alone; the project's file and the user's file have one" in said


def test_claude_code_knows_a_folder_by_its_repository(set_up: SetUp) -> None:
    (set_up.home / ".git").mkdir()
    claude_code(set_up, {"seqthink": PLAIN}, {"disabledMcpServers": ["seqthink"]}, set_up.home)

    fixes, said = fixes_and_page(set_up, "claude-code")

    assert fixes == [f"switch `seqthink` on in the menu /mcp of Claude Code, which edits {set_up.file('claude-code')}"]
    assert "it is switched off for this folder" in said


def test_what_claude_code_keeps_of_other_folders_is_not_ours(set_up: SetUp) -> None:
    off = {"disabledMcpServers": ["seqthink"], "mcpServers": {"seqthink": {"command": "/nowhere/seqthink"}}}
    claude_code(set_up, {"seqthink": PLAIN}, off, set_up.home / "elsewhere")

    assert fixes_and_page(set_up, "claude-code")[0] == []


def test_a_project_s_entry_waits_for_approval_in_claude_code(set_up: SetUp) -> None:
    set_up.connect("claude-code", scope="project")

    assert fixes_and_page(set_up, "claude-code")[0] == ["start `claude` here once, and approve it"]


@pytest.mark.parametrize(
    "approval", [{"enabledMcpjsonServers": ["seqthink"]}, {"enableAllProjectMcpServers": True}], ids=["one", "all"]
)
def test_an_approved_entry_of_a_project_is_right(approval: dict[str, Any], set_up: SetUp) -> None:
    set_up.connect("claude-code", scope="project")
    files_of_the_project(set_up, settings_local=approval)

    assert fixes_and_page(set_up, "claude-code")[0] == []


def test_a_refused_entry_of_a_project_is_wrong(set_up: SetUp) -> None:
    set_up.connect("claude-code", scope="project")
    claude_code(set_up, {}, {"enabledMcpjsonServers": ["seqthink"]})
    files_of_the_project(set_up, settings={"disabledMcpjsonServers": ["seqthink"]})

    assert fixes_and_page(set_up, "claude-code")[0] == [
        f"take `seqthink` out of `disabledMcpjsonServers` in {set_up.project}/.claude/settings.json"
    ]


@pytest.mark.parametrize(
    "value", first(2, ["7", "[]", '{"projects": 7, "mcp": [], "x": {}}', '{"projects": {"/": []}}', "{"])
)
def test_odd_files_of_switches_do_no_harm(value: str, set_up: SetUp) -> None:
    set_up.connect("gemini-cli").with_name("mcp-server-enablement.json").write_text(value, encoding="utf-8")
    set_up.connect("claude-code")
    settings = set_up.home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(value, encoding="utf-8")

    assert set_up.examine("gemini-cli", "claude-code", "--no-start").fixes == []
