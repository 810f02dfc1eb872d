"""`seqthink doctor --report`: what others read has versions and facts, and nothing that is the user's."""

from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS
from tests.connect.doctor.set_ups import INSTALLED, SetUp
from tests.support.depth import first
from tests.support.servers.wire import start, thought

SECRET = "planted-0f7c"
"""Stands in every text, value and path of the set-ups."""


@pytest.fixture
def named(tmp_path: Path) -> SetUp:
    """Return a home folder whose path has the user's name."""
    set_up = SetUp(tmp_path / f"users-{SECRET}" / f"{SECRET}-jane")
    set_up.variables |= {
        "API_KEY": SECRET,
        "USER": f"{SECRET}-jane",
        "HOSTNAME": f"{SECRET}-host",
        "COLORTERM": SECRET,
        "TERM": SECRET,
        "LANG": f"{SECRET}.UTF-8",
    }
    return set_up


def report(set_up: SetUp, *arguments: str) -> str:
    done = set_up.run("--report", "--timeout", "2", *arguments)
    assert done.stderr == ""
    return done.stdout


def test_a_healthy_report_holds_versions_and_facts(set_up: SetUp) -> None:
    set_up.connect("codex")

    lines = report(set_up).splitlines()

    assert lines[0] == "## seqthink doctor"
    assert any(line.startswith("- ✓ **seqthink**: 0.1.0 on Python 3.") for line in lines)
    assert any(line.startswith("- ✓ **server**: 0.1.0 answered after ") for line in lines)
    assert lines[-1] == "All that was looked at is right; 1 not looked at."


def test_a_report_names_the_fix_without_the_place(set_up: SetUp) -> None:
    set_up.connect("cursor", words=(INSTALLED, "serve", "--journal-dir", "/srv/of-mine"))

    assert "  - fix: seqthink watch --journal-dir …\n" in report(set_up)


def _break_files(set_up: SetUp) -> None:
    set_up.write("claude-code", f'{{"mcpServers": {SECRET}}}')
    set_up.write("codex", f"[mcp_servers.seqthink]\n{SECRET}")
    set_up.write("vscode", f'{{"servers": {{"seqthink": {{"command": ["{SECRET}"], "{SECRET}": 1}}}}}}')
    set_up.write("zed", f'{{"context_servers": {{"seqthink": {{"url": "{SECRET}"}}}}}}')


def _break_commands(set_up: SetUp) -> None:
    folder = set_up.home / SECRET
    folder.mkdir()
    set_up.connect("claude-code", words=(f"/nowhere/{SECRET}/seqthink", "serve", SECRET))
    set_up.connect("codex", words=(folder, "serve"), environment={"TOKEN": SECRET})
    set_up.connect("cursor", words=(f"seqthink-{SECRET}", "serve"))
    set_up.servers("zed", **{f"{SECRET}": {"command": f"/nowhere/{SECRET}/seqthink"}})
    set_up.servers(
        "windsurf", seqthink={"command": str(INSTALLED), "args": ["serve"], "disabled": True, "env": {SECRET: SECRET}}
    )


def _break_servers(set_up: SetUp) -> None:
    ends = set_up.program("ends", f"import sys; sys.exit('{SECRET} on stderr')").rename(set_up.home / "seqthink")
    set_up.connect("claude-code", words=(ends, "serve"))
    set_up.connect("codex", words=(set_up.program("prints", f"print('{SECRET} on stdout')"),))
    set_up.connect("cursor", words=(set_up.answering_server("other", SECRET, SECRET, "sequentialthinking"),))
    set_up.connect("windsurf", words=(set_up.answering_server("none", SECRET, f"1.2.3-{SECRET}", SECRET),))
    set_up.connect("zed", words=(set_up.answering_server("old", "seqthink", f"{SECRET} 0.0.1", "sequentialthinking"),))
    set_up.program("codex", f"echo {SECRET} 0.1.2", language="sh")


def _break_surroundings(set_up: SetUp) -> None:
    set_up.connect("cursor", environment={"SEQTHINK_HOME": f"/srv/{SECRET}"})
    set_up.connect(
        "codex", words=(INSTALLED, "serve", "--title", SECRET), environment={"SEQTHINK_MAX_THOUGHTS": SECRET}
    )
    set_up.sessions.chmod(0o755)
    set_up.program("seqthink", SECRET)
    (set_up.sessions.parent / "settings.toml").write_text(f'theme = "{SECRET}"\n{SECRET} = 1\n', encoding="utf-8")
    with start(environ={"SEQTHINK_HOME": str(set_up.sessions.parent)}) as wire:
        wire.handshake()
        wire.call(thought(thought=SECRET))


def _break_folder(set_up: SetUp) -> None:
    entry = Launch(str(INSTALLED), ("serve",))
    set_up.write("cursor", CLIENTS["cursor"].snippet(entry))
    set_up.sessions.rmdir()
    set_up.sessions.symlink_to(f"/nowhere/{SECRET}")


@pytest.mark.parametrize(
    "break_it",
    first(1, [_break_files, _break_commands, _break_servers, _break_surroundings, _break_folder]),
    ids=lambda one: one.__name__,
)
def test_no_secret_text_path_or_value_is_in_a_report(break_it: Callable[[SetUp], None], named: SetUp) -> None:
    break_it(named)

    text = report(named)

    assert "✗" in text
    assert [line for line in text.splitlines() if SECRET in line or "/" in line.replace("https://", "")] == []


@pytest.mark.parametrize(
    "break_it", first(1, [_break_files, _break_commands, _break_servers]), ids=lambda one: one.__name__
)
def test_the_page_itself_does_say_them(break_it: Callable[[SetUp], None], named: SetUp) -> None:
    break_it(named)

    assert SECRET in named.run("--timeout", "2").stdout
