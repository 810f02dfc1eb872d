"""Broken set-ups, each made for real: the doctor names the right fix, and no other."""

import stat
from collections.abc import Callable

import pytest

from seqthink.connect.clients.registry import CLIENTS
from tests.connect.doctor.set_ups import INSTALLED, SetUp
from tests.support.depth import first

WRITE = "seqthink config cursor --write"

Case = Callable[[SetUp], list[str]]
"""Breaks a set-up of Cursor, and returns the fixes that are expected."""


def program_is_gone(set_up: SetUp) -> list[str]:
    set_up.connect(words=("/nowhere/bin/seqthink", "serve"))
    return [WRITE]


def program_is_not_on_the_path(set_up: SetUp) -> list[str]:
    set_up.connect(words=("seqthink-of-yesterday", "serve"))
    return ["seqthink config cursor --write --force"]


def program_may_not_be_executed(set_up: SetUp) -> list[str]:
    path = set_up.home / "seqthink"
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    set_up.connect(words=(path, "serve"))
    return [f"chmod u+x {path}"]


def program_is_a_folder(set_up: SetUp) -> list[str]:
    path = set_up.home / "seqthink"
    path.mkdir()
    set_up.connect(words=(path, "serve"))
    return [WRITE]


def program_of_a_single_run_is_gone(set_up: SetUp) -> list[str]:
    set_up.connect(words=(set_up.home / ".cache/uv/archive-v0/x1/bin/seqthink", "serve"))
    return [f"uv tool install seqthink && {WRITE}"]


def interpreter_is_gone(set_up: SetUp) -> list[str]:
    path = set_up.home / "seqthink"
    path.write_text("#!/nowhere/bin/python\n", encoding="utf-8")
    path.chmod(stat.S_IRWXU)
    set_up.connect(words=(path, "serve"))
    return [WRITE]


def option_is_unknown(set_up: SetUp) -> list[str]:
    set_up.connect(words=(INSTALLED, "serve", "--no-such-option"))
    return [WRITE]


def variable_is_wrong(set_up: SetUp) -> list[str]:
    path = set_up.connect(environment={"SEQTHINK_MAX_THOUGHTS": "many"})
    return [f"correct that variable in {path}"]


def program_ends_with_an_error(set_up: SetUp) -> list[str]:
    path = set_up.program("broken", "import sys; sys.exit('it is broken')").rename(set_up.home / "seqthink")
    set_up.connect(words=(path, "serve"))
    return [WRITE]


def program_hangs(set_up: SetUp) -> list[str]:
    path = set_up.program("hanging", "import time; time.sleep(600)").rename(set_up.home / "seqthink")
    set_up.connect(words=(path, "serve"))
    return [WRITE]


def launcher_hangs(set_up: SetUp) -> list[str]:
    path = set_up.program("uvx", "import time; time.sleep(600)")
    set_up.connect(words=(path, "seqthink", "serve"))
    return [f"uv tool install seqthink && {WRITE}"]


def program_prints_garbage(set_up: SetUp) -> list[str]:
    path = set_up.program("garbage", "print('hello, what can I do for you?')").rename(set_up.home / "seqthink")
    set_up.connect(words=(path, "serve"))
    return [WRITE]


def program_floods_stdout(set_up: SetUp) -> list[str]:
    path = set_up.program("flood", "import sys\nwhile True: sys.stdout.write('x' * 65536)")
    set_up.connect(words=(path.rename(set_up.home / "seqthink"), "serve"))
    return [WRITE]


def another_protocol_answers(set_up: SetUp) -> list[str]:
    answer = '{"jsonrpc": "2.0", "id": 1, "result": {"capabilities": {"hoverProvider": true}}}'
    path = set_up.program("lsp", f"import sys\nsys.stdin.readline()\nprint({answer!r}, flush=True)\nsys.stdin.read()")
    set_up.connect(words=(path.rename(set_up.home / "seqthink"), "serve"))
    return [WRITE]


def reference_server_has_our_name(set_up: SetUp) -> list[str]:
    set_up.answering_server("npx", "sequential-thinking-server", "0.2.0", "sequentialthinking")
    set_up.connect(words=(set_up.home / "bin/npx", "-y", "@modelcontextprotocol/server-sequential-thinking"))
    return [f"{WRITE} --force"]


def another_server_has_our_name(set_up: SetUp) -> list[str]:
    set_up.connect(words=(set_up.answering_server("weather", "weather", "1.0.0", "forecast"),))
    return [f"{WRITE} --force"]


def reference_server_is_there_too(set_up: SetUp) -> list[str]:
    set_up.servers(
        seqthink={"command": str(INSTALLED), "args": ["serve"]},
        thinking={"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]},
    )
    return [f"{WRITE} --replace"]


def version_is_another(set_up: SetUp) -> list[str]:
    path = set_up.answering_server("old", "seqthink", "0.0.1", "sequentialthinking").rename(set_up.home / "seqthink")
    set_up.connect(words=(path, "serve"))
    return [WRITE, "if the test is in your list, remove it: seqthink sessions, seqthink delete ID"]


def entry_is_switched_off(set_up: SetUp) -> list[str]:
    path = set_up.servers(seqthink={"command": str(INSTALLED), "args": ["serve"], "disabled": True})
    return [f"take `disabled: true` out of the entry in {path}"]


def entry_names_an_address(set_up: SetUp) -> list[str]:
    set_up.servers(seqthink={"url": "http://localhost:1/mcp"})
    return [f"{WRITE} --force"]


def arguments_are_no_list(set_up: SetUp) -> list[str]:
    set_up.servers(seqthink={"command": str(INSTALLED), "args": "serve"})
    return [WRITE]


def entry_is_no_object(set_up: SetUp) -> list[str]:
    set_up.servers(seqthink="seqthink serve")
    return [f"{WRITE} --force"]


def file_is_garbage(set_up: SetUp) -> list[str]:
    path = set_up.write("cursor", '{\n  "mcpServers": {\n    oops\n')
    return [f"correct line 3 of {path}"]


def file_is_a_folder(set_up: SetUp) -> list[str]:
    path = set_up.file("cursor")
    path.mkdir(parents=True)
    return [f"mv {path} {path}.moved"]


def servers_are_a_list(set_up: SetUp) -> list[str]:
    path = set_up.write("cursor", '{"mcpServers": []}')
    return [f"correct line 1 of {path}"]


def there_is_no_entry(set_up: SetUp) -> list[str]:
    set_up.write("cursor", "{}")
    return [WRITE]


def server_writes_elsewhere(set_up: SetUp) -> list[str]:
    elsewhere = set_up.home / "elsewhere"
    set_up.connect(environment={"SEQTHINK_HOME": str(elsewhere)})
    return [f"seqthink watch --journal-dir {elsewhere}/sessions"]


def option_names_another_folder(set_up: SetUp) -> list[str]:
    set_up.connect(words=(INSTALLED, "serve", "--journal-dir", str(set_up.home / "my journals")))
    return [f"seqthink watch --journal-dir '{set_up.home}/my journals'"]


def shell_names_another_folder(set_up: SetUp) -> list[str]:
    set_up.connect()
    home = set_up.home / "mine"
    (home / "sessions").mkdir(mode=0o700, parents=True)
    set_up.variables["SEQTHINK_HOME"] = str(home)
    return [WRITE]


def others_can_read_the_journals(set_up: SetUp) -> list[str]:
    set_up.connect()
    set_up.sessions.chmod(0o755)
    return [f"chmod 700 {set_up.sessions}"]


def file_stands_in_place_of_the_journals(set_up: SetUp) -> list[str]:
    set_up.connect()
    set_up.sessions.rmdir()
    set_up.sessions.write_text("", encoding="utf-8")
    return [f"mv {set_up.sessions} {set_up.sessions}.moved"]


def settings_are_wrong(set_up: SetUp) -> list[str]:
    set_up.connect()
    path = set_up.sessions.parent / "settings.toml"
    path.write_text('theme = "no such theme"\n', encoding="utf-8")
    return [f"correct {path}; `seqthink settings` names each line"]


def installed_twice(set_up: SetUp) -> list[str]:
    set_up.connect()
    path = set_up.program("seqthink", "")
    return [f"rm {path}"]


def audits_lack_their_libraries(set_up: SetUp) -> list[str]:
    folder = set_up.home / "tool"
    (folder / "bin").mkdir(parents=True)
    (folder / "lib/python3.13/site-packages").mkdir(parents=True)
    program = folder / "bin" / "seqthink"
    program.write_text(f'#!/bin/sh\nexec {INSTALLED} "$@"\n', encoding="utf-8")
    program.chmod(stat.S_IRWXU)
    set_up.connect(words=(program, "serve"), environment={"ENABLE_GAN_AUDITING": "true"})
    return ["uv tool install 'seqthink[audit]'"]


CASES: list[Case] = [
    program_is_gone,
    program_may_not_be_executed,
    program_is_a_folder,
    program_of_a_single_run_is_gone,
    interpreter_is_gone,
    option_is_unknown,
    variable_is_wrong,
    program_ends_with_an_error,
    program_hangs,
    launcher_hangs,
    program_prints_garbage,
    program_floods_stdout,
    another_protocol_answers,
    reference_server_has_our_name,
    another_server_has_our_name,
    reference_server_is_there_too,
    version_is_another,
    entry_is_switched_off,
    entry_names_an_address,
    arguments_are_no_list,
    entry_is_no_object,
    file_is_garbage,
    file_is_a_folder,
    servers_are_a_list,
    there_is_no_entry,
    server_writes_elsewhere,
    option_names_another_folder,
    shell_names_another_folder,
    others_can_read_the_journals,
    file_stands_in_place_of_the_journals,
    settings_are_wrong,
    installed_twice,
    audits_lack_their_libraries,
    program_is_not_on_the_path,
]
HANGING = {program_hangs, launcher_hangs}
WARNINGS = {
    reference_server_is_there_too,
    version_is_another,
    others_can_read_the_journals,
    installed_twice,
    audits_lack_their_libraries,
}


@pytest.mark.parametrize("case", first(12, CASES), ids=lambda case: case.__name__)
def test_a_broken_set_up_gets_the_right_fix_and_no_other(case: Case, set_up: SetUp) -> None:
    expected = case(set_up)

    examined = set_up.examine("cursor", "--timeout", "1" if case in HANGING else "60")

    assert examined.fixes == expected
    assert examined.status == (0 if case in WARNINGS else 1)


@pytest.mark.parametrize("client", first(3, CLIENTS))
def test_a_healthy_set_up_is_all_right(client: str, set_up: SetUp) -> None:
    set_up.connect(client)

    examined = set_up.examine()

    assert examined.fixes == []
    assert examined.status == 0
    assert ("server", "right") in examined.of(CLIENTS[client].title)
    assert ("call", "right") in examined.of(CLIENTS[client].title)
    assert ("journals", "right") in examined.of(CLIENTS[client].title)
    assert ("lock", "right") in examined.of("Journals")
    assert examined.unseen == ["terminal"]
    assert list(set_up.sessions.iterdir()) == []
