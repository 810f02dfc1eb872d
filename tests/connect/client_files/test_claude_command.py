"""Claude Code's own file, written by its own command, and what is said when that does something else."""

import json
import stat
import subprocess
from typing import Any

import pytest

from seqthink.connect.client_files import claude_command
from seqthink.connect.client_files.backups import backup_paths
from seqthink.connect.client_files.claude_command import claude_commands
from seqthink.connect.clients.launch import Launch
from seqthink.core.errors import ClientFileError
from tests.support.clients.machine import LAUNCH, Machine, servers_in

OURS = {"type": "stdio", "command": LAUNCH.command, "args": ["serve"]}
STATE = (
    '{"theme":"dark","projects":{"/x":{}},"userID":"claude\'s own",'
    '"mcpServers":{"gh":{"command":"x"}},"numStartups":1.0}'
)
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_ENABLE_TELEMETRY": None,
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "NO_PROXY": None,
}
BARE = '{ "theme": "dark", "userID": "claude\'s own" }'


def test_the_command_adds_our_entry_and_a_copy_is_kept(machine: Machine) -> None:
    machine.install_claude()
    path = machine.write("claude-code", STATE)

    kept = machine.apply(machine.plan("claude-code"))

    assert servers_in(path.read_bytes()) == {"gh": {"command": "x"}, "seqthink": OURS}
    assert kept is not None
    assert (kept.read_text("utf-8"), stat.S_IMODE(kept.stat().st_mode)) == (STATE, 0o600)


def test_the_command_is_run_without_telemetry_updates_and_a_way_out(machine: Machine) -> None:
    machine.install_claude()
    machine.environ |= {"CLAUDE_CODE_ENABLE_TELEMETRY": "1", "NO_PROXY": "*", "HTTPS_PROXY": "http://proxy:1", "A": "b"}
    got = machine.home / "environment.json"
    program = machine.programs / "claude"
    text = program.read_text("utf-8").replace(
        "behaves, words", f"open({str(got)!r}, 'w').write(json.dumps({{**os.environ}}))\nbehaves, words", 1
    )
    program.write_text(text, "utf-8")

    machine.apply(machine.plan("claude-code"))

    environment: dict[str, str] = json.loads(got.read_text("utf-8"))
    assert environment["A"] == "b"
    assert {name: environment.get(name) for name in QUIET} == QUIET


def test_where_there_is_no_file_the_command_creates_it(machine: Machine) -> None:
    machine.install_claude()

    assert machine.apply(machine.plan("claude-code")) is None
    assert servers_in(machine.file("claude-code").read_bytes()) == {"seqthink": OURS}
    assert not machine.plan("claude-code").changes


def test_a_flag_that_claude_code_drops_is_its_own_business(machine: Machine) -> None:
    machine.install_claude()
    path = machine.write("claude-code", STATE.replace('"theme"', '"flag":1,"theme"'))

    machine.apply(machine.plan("claude-code"))

    assert "flag" not in json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("text", [STATE, BARE, json.dumps(json.loads(STATE), indent=2)])
def test_removing_brings_back_the_bytes_that_the_command_reformatted(machine: Machine, text: str) -> None:
    machine.install_claude()
    machine.write("claude-code", text)
    before = machine.snapshot()

    machine.apply(machine.plan("claude-code"))
    assert machine.snapshot() != before
    machine.apply(machine.plan("claude-code", removes=True))

    assert machine.snapshot() == before


def test_removing_keeps_what_claude_code_has_written_since(machine: Machine) -> None:
    machine.install_claude()
    path = machine.write("claude-code", STATE)
    machine.apply(machine.plan("claude-code"))
    path.write_text(path.read_text("utf-8").replace("dark", "light"), "utf-8")

    machine.apply(machine.plan("claude-code", removes=True))

    value: Any = json.loads(path.read_text("utf-8"))
    assert (value["theme"], value["mcpServers"]) == ("light", {"gh": {"command": "x"}})


def test_an_older_entry_goes_before_the_new_one_comes_because_the_command_refuses_a_taken_name(
    machine: Machine,
) -> None:
    machine.install_claude()
    path = machine.write("claude-code", '{"mcpServers": {"seqthink": {"command": "/old/seqthink", "timeout": 5}}}')

    plan = machine.plan("claude-code", launch=Launch("/new/seqthink"))
    machine.apply(plan)

    assert [command[2] for command in claude_commands(plan)] == ["remove", "add-json"]
    assert servers_in(path.read_bytes())["seqthink"] == {
        "type": "stdio", "command": "/new/seqthink", "args": ["serve"], "timeout": 5,
    }  # fmt: skip


def test_the_reference_server_goes_by_the_command_too(machine: Machine) -> None:
    machine.install_claude()
    path = machine.write("claude-code", '{"mcpServers": {"st": {"command": "mcp-server-sequential-thinking"}}}')
    machine.apply(machine.plan("claude-code"))
    assert set(servers_in(path.read_bytes())) == {"st", "seqthink"}

    plan = machine.plan("claude-code", replaces=True)
    machine.apply(plan)

    assert [command[2:] for command in claude_commands(plan)] == [["remove", "--scope", "user", "st"]]
    assert set(servers_in(path.read_bytes())) == {"seqthink"}


@pytest.mark.parametrize(
    ("behaves", "reason"),
    [
        (
            "fails",
            "`claude mcp add-json --scope user seqthink` failed with status 1: ␛[31mno room; the file as it was: ",
        ),
        ("loses", "claude has written the file, but these servers in it are not as they should be: gh; the file"),
        ("forgets", "claude has written the file, but these members are gone: projects; the file as it was: "),
    ],
)
def test_a_command_that_does_something_else_is_found_out(machine: Machine, behaves: str, reason: str) -> None:
    machine.install_claude(behaves)
    path = machine.write("claude-code", STATE)

    with pytest.raises(ClientFileError) as failed:
        machine.apply(machine.plan("claude-code"))

    assert reason in str(failed.value)
    [kept] = backup_paths(path)
    assert str(failed.value).endswith(f"; the file as it was: {kept}")
    assert kept.read_text("utf-8") == STATE


def test_a_command_that_never_ends_is_given_up(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.install_program("claude", "#!/bin/sh\nexec sleep 60\n")
    machine.write("claude-code", STATE)
    plan = machine.plan("claude-code")
    monkeypatch.setattr(claude_command, "_BOUND_SECONDS", 0.1)
    machine.environ["PATH"] += ":/usr/bin:/bin"

    with pytest.raises(
        ClientFileError, match="`claude mcp add-json --scope user seqthink` did not end within 0 seconds"
    ):
        machine.apply(plan)


def test_a_file_with_a_comment_never_meets_the_command_that_would_lose_the_servers(machine: Machine) -> None:
    ran = machine.home / "ran"
    machine.install_program("claude", f"#!/bin/sh\ntouch {ran}\n")
    machine.write("claude-code", '{"mcpServers": {"gh": {"command": "x"}} /* mine */}')

    with pytest.raises(ClientFileError, match=r"^~/\.claude\.json:1:\d+: "):
        machine.plan("claude-code")
    assert not ran.exists()


def test_the_command_is_found_where_its_own_installers_put_it(machine: Machine) -> None:
    place = machine.home / ".claude" / "local" / "claude"
    place.parent.mkdir(parents=True)
    place.write_text("#!/bin/sh\n", "utf-8")
    place.chmod(0o755)

    assert machine.plan("claude-code").program == str(place)


def test_the_fake_refuses_a_taken_name_as_the_real_one_does(machine: Machine) -> None:
    machine.install_claude()
    command = [str(machine.programs / "claude"), "mcp", "add-json", "--scope", "user", "seqthink", "{}"]
    ended = [subprocess.run(command, env=machine.environ, capture_output=True, check=False) for _ in range(2)]

    assert [done.returncode for done in ended] == [0, 1]
