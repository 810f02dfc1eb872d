"""Our plugin of Claude Code and our extension of Gemini CLI are seen, and no second entry is written."""

import json
from pathlib import Path

import pytest

from seqthink.connect.client_files.plugins import Plugin, plugins_with_us
from seqthink.connect.clients.registry import CLIENTS
from tests.support.clients.machine import Machine, servers_in
from tests.support.clients.plugins import enable_claude_plugin, install_claude_plugin, install_gemini_extension
from tests.support.servers.commands import seqthink

REFERENCE = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]}


@pytest.fixture
def project(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project's folder, which is the current one."""
    folder = machine.home / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def seen(machine: Machine, client: str) -> list[Plugin]:
    return plugins_with_us(CLIENTS[client], machine.environ)


@pytest.mark.usefixtures("project")
def test_our_plugin_is_seen_with_the_command_that_uninstalls_it(machine: Machine) -> None:
    folder = install_claude_plugin(machine.home)

    [plugin] = seen(machine, "claude-code")

    assert (plugin.kind, plugin.name, plugin.server) == ("plugin", "seqthink@seqthink", "seqthink")
    assert plugin.path == folder / ".mcp.json"
    assert plugin.removal == "claude plugin uninstall seqthink@seqthink"
    assert plugin.is_everywhere


def test_a_plugin_of_one_project_is_seen_there_and_of_several_switches_the_nearest_counts(
    machine: Machine, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_claude_plugin(machine.home, settings=project / ".claude" / "settings.json")
    [here] = seen(machine, "claude-code")
    monkeypatch.chdir(machine.home)
    elsewhere = seen(machine, "claude-code")
    monkeypatch.chdir(project)
    enable_claude_plugin(project / ".claude" / "settings.local.json", is_on=False)

    assert (here.is_everywhere, here.removal) == (
        False,
        "claude plugin uninstall --scope project seqthink@seqthink",
    )
    assert elsewhere == []
    assert seen(machine, "claude-code") == []


@pytest.mark.usefixtures("project")
def test_a_plugin_that_is_switched_off_or_starts_something_else_is_not_seen(machine: Machine) -> None:
    folder = install_claude_plugin(machine.home)
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"seqthink": {"command": "other"}}}), "utf-8")
    other = seen(machine, "claude-code")
    (folder / ".mcp.json").unlink()
    settings = machine.home / ".claude" / "settings.json"
    enable_claude_plugin(settings, is_on=False)
    off = seen(machine, "claude-code")
    settings.write_text("{", "utf-8")

    assert (other, off, seen(machine, "claude-code")) == ([], [], [])


@pytest.mark.usefixtures("project")
def test_the_name_of_another_plugin_is_in_no_command(machine: Machine) -> None:
    install_claude_plugin(machine.home, "private@firm")

    [plugin] = seen(machine, "claude-code")

    assert (plugin.name, plugin.removal) == ("private@firm", "claude plugin uninstall …")


def test_our_extension_is_seen_where_its_rules_have_it_on(machine: Machine, project: Path) -> None:
    home = machine.home
    rules = [(f"{home}/*",), (f"!{home}/*",), (f"!{home}/*", f"{project}/*"), (f"{home}/*", f"!{project}/")]
    found: list[list[bool]] = []
    for one in rules:
        install_gemini_extension(home, *one)
        found.append([extension.is_everywhere for extension in seen(machine, "gemini-cli")])

    assert found == [[True], [], [False], []]


@pytest.mark.usefixtures("project")
def test_a_linked_extension_is_read_where_it_is(machine: Machine, tmp_path: Path) -> None:
    install_gemini_extension(machine.home, link=tmp_path / "checkout")

    [extension] = seen(machine, "gemini-cli")

    assert extension.path == tmp_path / "checkout" / "gemini-extension.json"
    assert extension.removal == "gemini extensions uninstall seqthink"


@pytest.mark.usefixtures("project")
def test_setup_writes_no_second_entry(machine: Machine) -> None:
    machine.install_claude()
    install_claude_plugin(machine.home)
    install_gemini_extension(machine.home)
    before = machine.snapshot()

    done = seqthink("setup", "--yes", variables=machine.environ)

    assert (done.returncode, done.stderr) == (0, "")
    assert "the plugin seqthink@seqthink starts seqthink already" in done.stdout
    assert "the extension seqthink starts seqthink already" in done.stdout
    assert machine.snapshot() == before


@pytest.mark.usefixtures("project")
def test_replacing_takes_the_reference_server_out_and_adds_no_second_entry(machine: Machine) -> None:
    install_gemini_extension(machine.home)
    path = machine.write("gemini-cli", json.dumps({"mcpServers": {"st": REFERENCE, "gh": {"command": "x"}}}))

    machine.apply(machine.plan("gemini-cli", replaces=True))

    assert set(servers_in(path.read_bytes())) == {"gh"}


@pytest.mark.usefixtures("project")
def test_force_writes_the_entry_all_the_same(machine: Machine) -> None:
    install_gemini_extension(machine.home)

    assert machine.plan("gemini-cli", forces=True).changes
    assert not machine.plan("gemini-cli").changes


@pytest.mark.usefixtures("project")
def test_of_an_entry_beside_the_extension_it_is_said_that_one_is_enough(machine: Machine) -> None:
    machine.apply(machine.plan("gemini-cli"))
    install_gemini_extension(machine.home)

    written = seqthink("config", "gemini-cli", "--write", "--yes", variables=machine.environ)
    printed = seqthink("config", "gemini-cli", variables=machine.environ)
    removed = seqthink("config", "gemini-cli", "--remove", "--yes", variables=machine.environ)

    assert "keep one of the two: gemini extensions uninstall seqthink" in written.stderr
    assert "the extension seqthink starts seqthink already" in printed.stderr
    assert "the extension seqthink still starts seqthink: gemini extensions uninstall seqthink" in removed.stderr
