"""What is planned for a client's file: nothing is written, and what is wrong is named with its place."""

import os
from pathlib import Path

import pytest

from seqthink.connect.client_files.places import config_file, home_folder, place_of
from seqthink.connect.client_files.planning import Request, make_plan
from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS
from seqthink.connect.clients.wish import Wish
from seqthink.core.errors import ClientFileError, UsageError
from tests.support.clients.machine import LAUNCH, Machine, servers_in

REFERENCE = '{"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]}'
DOCKER = '{"command": "docker", "args": ["run", "--rm", "-i", "mcp/sequentialthinking"]}'


@pytest.mark.parametrize("client", [name for name in CLIENTS if name != "claude-code"])
def test_a_new_file_holds_our_entry_and_what_the_client_wants_of_a_file(machine: Machine, client: str) -> None:
    plan = machine.plan(client)

    assert plan.changes
    assert plan.new is not None
    assert plan.new.decode().strip() == CLIENTS[client].snippet(LAUNCH)
    assert machine.snapshot() == {}


def test_an_entry_that_is_there_already_changes_nothing(machine: Machine) -> None:
    machine.write("cursor", machine.plan("cursor").new or b"")

    assert not machine.plan("cursor").changes


def test_an_older_entry_of_ours_is_renewed_and_keeps_what_its_user_added(machine: Machine) -> None:
    machine.write("cursor", '{"mcpServers": {"seqthink": {"command": "/old/seqthink", "args": [], "timeout": 5}}}')

    plan = machine.plan("cursor")

    assert servers_in(plan.new or b"")["seqthink"] == {"command": LAUNCH.command, "args": ["serve"], "timeout": 5}


def test_a_server_of_our_name_that_is_another_is_left_alone_unless_forced(machine: Machine) -> None:
    machine.write("cursor", '{"mcpServers": {"seqthink": {"url": "https://example.org", "x": 1}, "b": {}}}')

    for removes in (False, True):
        with pytest.raises(ClientFileError, match="does not start seqthink"):
            machine.plan("cursor", removes=removes)
    forced = machine.plan("cursor", forces=True)
    assert servers_in(forced.new or b"") == {
        "b": {},
        "seqthink": {"command": LAUNCH.command, "args": ["serve"]},
    }
    assert servers_in(machine.plan("cursor", forces=True, removes=True).new or b"") == {"b": {}}


def test_the_reference_server_is_named_and_goes_only_when_asked(machine: Machine) -> None:
    machine.write("cursor", f'{{"mcpServers": {{"st": {REFERENCE}, "other": {{"command": "x"}}, "d": {DOCKER}}}}}')

    asked, unasked = machine.plan("cursor", replaces=True), machine.plan("cursor")

    assert unasked.change.remaining == ("st", "d")
    assert set(servers_in(unasked.new or b"")) == {"st", "other", "d", "seqthink"}
    assert (asked.change.replaced, asked.change.remaining) == (("st", "d"), ())
    assert set(servers_in(asked.new or b"")) == {"other", "seqthink"}


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("cursor", '{\n  "mcpServers": {\n'),
        ("cursor", "[]"),
        ("cursor", '"text"'),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", '{"a": 1, // no comments here\n"mcpServers": {}}'),
        ("zed", '{"context_servers": {}, "context_servers": {}}'),
        ("codex", "[mcp_servers\n"),
        ("codex", "[[mcp_servers]]\nname = 'a'\n"),
    ],
)
def test_what_cannot_be_edited_is_refused_with_its_line_and_column(machine: Machine, client: str, text: str) -> None:
    path = machine.write(client, text)

    with pytest.raises(ClientFileError) as refused:
        machine.plan(client)

    assert str(refused.value).startswith(f"~/{path.relative_to(machine.home)}:")
    assert all(part.isdecimal() for part in str(refused.value).split(":")[1:3])
    assert path.read_text("utf-8") == text


def test_a_read_only_file_is_left_to_its_owner(machine: Machine) -> None:
    path = machine.write("cursor", "{}")
    path.chmod(0o444)

    with pytest.raises(ClientFileError, match=r"^~/\.cursor/mcp\.json: it is read-only; `chmod u\+w`"):
        machine.plan("cursor")


def test_a_file_that_everybody_can_write_is_not_trusted_with_a_command(machine: Machine) -> None:
    path = machine.write("cursor", "{}")
    path.chmod(0o666)

    with pytest.raises(ClientFileError, match="`chmod o-w`"):
        machine.plan("cursor")


def test_a_project_file_is_that_of_the_current_folder(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)

    plan = machine.plan("claude-code", "project", Launch("uvx", ("seqthink", "serve")))

    assert (plan.file.target, plan.place.shown) == (project / ".mcp.json", ".mcp.json")
    assert servers_in(plan.new or b"")["seqthink"] == {"type": "stdio", "command": "uvx", "args": ["seqthink", "serve"]}
    assert not plan.place.is_private


def test_a_project_file_that_leads_out_of_the_project_is_refused(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "elsewhere.json").write_text("{}", "utf-8")
    (project / ".mcp.json").symlink_to(tmp_path / "elsewhere.json")
    monkeypatch.chdir(project)

    with pytest.raises(ClientFileError, match="out of the folder that it belongs to"):
        machine.plan("claude-code", "project")


@pytest.mark.parametrize("client", ["claude-desktop", "codex", "windsurf"])
def test_a_client_without_a_project_file_says_so(machine: Machine, client: str) -> None:
    with pytest.raises(UsageError, match="has no configuration file for one project; leave --scope out"):
        machine.plan(client, "project")


def test_of_two_names_of_one_file_the_one_that_is_there_is_edited(machine: Machine) -> None:
    folder = machine.home / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.jsonc").write_text("{} // mine", "utf-8")

    plan = machine.plan("opencode")

    assert plan.file.target == folder / "opencode.jsonc"
    assert plan.place.shown == "~/.config/opencode/opencode.jsonc"


def test_of_two_files_the_one_with_our_entry_is_edited(machine: Machine) -> None:
    folder = machine.home / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.json").write_text("{}", "utf-8")
    (folder / "opencode.jsonc").write_text('{"mcp": {"seqthink": {"command": ["seqthink"]}}}', "utf-8")

    assert machine.plan("opencode").file.target == folder / "opencode.jsonc"


@pytest.mark.parametrize("home", ["", "relative/home", "~"])
def test_a_home_that_is_no_absolute_path_is_refused(home: str) -> None:
    with pytest.raises(ClientFileError, match="HOME is not an absolute path"):
        home_folder({"HOME": home})


def test_a_home_that_does_not_exist_is_not_made(machine: Machine, tmp_path: Path) -> None:
    request = Request(CLIENTS["cursor"], LAUNCH, "user", Wish())

    with pytest.raises(ClientFileError, match="HOME names no folder; set it to your home folder"):
        make_plan(request, machine.environ | {"HOME": str(tmp_path / "none")})


def test_without_home_the_password_file_knows_it() -> None:
    assert home_folder({}).is_absolute()


def test_a_folder_that_a_variable_names_may_be_anywhere(machine: Machine, tmp_path: Path) -> None:
    environ = machine.environ | {"CODEX_HOME": str(tmp_path / "codex")}

    place = place_of(config_file(CLIENTS["codex"], "user", environ), environ)

    assert place.path == tmp_path / "codex" / "config.toml"
    assert tmp_path / "codex" in place.roots


def test_claude_codes_own_file_needs_its_own_command(machine: Machine) -> None:
    with pytest.raises(ClientFileError, match=r"there is no `claude` on the PATH; .* --scope project"):
        machine.plan("claude-code")
    machine.install_claude()
    assert machine.plan("claude-code").program == str(machine.programs / "claude")


def test_a_relative_xdg_folder_is_ignored_as_its_specification_says(machine: Machine) -> None:
    environ = machine.environ | {"XDG_CONFIG_HOME": "relative"}

    place = place_of(config_file(CLIENTS["zed"], "user", environ), environ)

    assert place.path == machine.home / ".config" / "zed" / "settings.json"


def test_root_creates_no_file_in_the_home_of_another_user(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: machine.home.stat().st_uid + 1)

    with pytest.raises(ClientFileError, match=r"^~/\.cursor/mcp\.json: its folder belongs to another user"):
        machine.plan("cursor")
