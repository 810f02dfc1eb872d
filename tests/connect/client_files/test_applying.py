"""What is written is whole, verified, kept a copy of, and taken back to the byte."""

import ctypes
import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from seqthink.connect.client_files import replacing
from seqthink.connect.client_files.backups import KEPT, backup_paths
from seqthink.connect.client_files.locking import exclusive_lock
from seqthink.connect.client_files.places import FilePlace
from seqthink.connect.client_files.planning import Request, make_plan
from seqthink.connect.client_files.reading import ClientFile
from seqthink.connect.client_files.replacing import FileChangedError, check_unchanged
from seqthink.connect.clients.entries import REFERENCE_PACKAGE
from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS
from seqthink.connect.clients.wish import Wish
from seqthink.core.errors import ClientFileError
from tests.support.clients.machine import LAUNCH, Machine, servers_in
from tests.support.depth import sized
from tests.support.servers.commands import command, environment

OTHER = '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"gh": {"command": "x"}\n\t}\n}'
WRITTEN_DIRECTLY = [name for name in CLIENTS if name != "claude-code"]


def test_a_new_file_and_its_folders_are_made_and_only_the_user_can_read_it(machine: Machine) -> None:
    kept = machine.apply(machine.plan("cursor"))

    path = machine.file("cursor")
    assert kept is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert servers_in(path.read_bytes()) == {"seqthink": {"command": LAUNCH.command, "args": ["serve"]}}
    assert sorted(machine.snapshot()) == [".cursor/mcp.json"]


def test_a_project_file_can_be_read_by_those_who_can_read_the_project(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = os.umask(0o022)
    try:
        machine.apply(machine.plan("cursor", "project"))
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / ".cursor" / "mcp.json").stat().st_mode) == 0o644


@pytest.mark.parametrize("mode", [0o644, 0o600])
def test_a_file_keeps_its_permissions_and_its_copy_is_private(machine: Machine, mode: int) -> None:
    path = machine.write("cursor", OTHER)
    path.chmod(mode)

    kept = machine.apply(machine.plan("cursor"))

    assert kept is not None
    assert kept == path.with_name("mcp.json.seqthink-20260310T140200.000000Z.bak")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert kept.read_text("utf-8") == OTHER
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert set(servers_in(path.read_bytes())) == {"gh", "seqthink"}


@pytest.mark.parametrize("client", WRITTEN_DIRECTLY)
def test_removing_leaves_nothing_where_there_was_nothing(machine: Machine, client: str) -> None:
    machine.apply(machine.plan(client))
    machine.apply(machine.plan(client, removes=True))

    assert machine.snapshot() == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        " { } \n\n",
        "\ufeff{}",
        '{"mcpServers":{}}',
        '{"mcpServers": {"gh": {"command": "x"}}, "z": 1.0}',
        OTHER,
        OTHER.replace("\n", "\r\n"),
        '{"a": [1,\n2], "mcpServers": {\n}}\n',
    ],
)
def test_removing_brings_back_the_file_byte_for_byte(machine: Machine, text: str) -> None:
    machine.write("cursor", text)
    before = machine.snapshot()

    machine.apply(machine.plan("cursor"))
    assert machine.snapshot() != before
    machine.apply(machine.plan("cursor", removes=True))

    assert machine.snapshot() == before


@pytest.mark.parametrize(
    ("client", "text"),
    [
        (
            "zed",
            '// mine\n{\n  "theme": "x", // dark\n  "context_servers": {\n    "a": {"source": "custom",},\n  },\n}\n',
        ),
        ("zed", "// only this\n"),
        ("opencode", '{"$schema": "https://opencode.ai/config.json"} // end'),
        ("codex", 'model = "x" # mine\n\n[mcp_servers.gh]\ncommand = "x"\n\n[tools]\nweb = true\n'),
        ("codex", 'mcp_servers = { gh = { command = "x" } }\r\n'),
        ("codex", "# only this"),
        ("vscode", '{"servers": {/* none */}, "inputs": []}'),
    ],
)
def test_removing_brings_back_comments_and_tables_byte_for_byte(machine: Machine, client: str, text: str) -> None:
    machine.write(client, text)
    before = machine.snapshot()

    machine.apply(machine.plan(client))
    assert LAUNCH.command in machine.file(client).read_text("utf-8")
    machine.apply(machine.plan(client, removes=True))

    assert machine.snapshot() == before


def test_removing_keeps_what_was_written_since(machine: Machine) -> None:
    path = machine.write("cursor", OTHER)
    machine.apply(machine.plan("cursor"))
    path.write_text(path.read_text("utf-8").replace("dark", "light"), "utf-8")

    machine.apply(machine.plan("cursor", removes=True))

    assert path.read_text("utf-8") == OTHER.replace("dark", "light")
    assert len(backup_paths(path)) == 2


def test_a_second_time_there_is_nothing_to_do(machine: Machine) -> None:
    machine.write("cursor", OTHER)
    machine.apply(machine.plan("cursor"))

    assert not machine.plan("cursor").changes


def test_only_the_newest_copies_are_kept(machine: Machine) -> None:
    path = machine.write("cursor", OTHER)
    mine = path.with_name("mcp.json.seqthink-my-own.bak")
    mine.write_text("", "utf-8")
    for number in range(KEPT + 2):
        launch = Launch(f"/opt/{number}/seqthink")
        machine.apply(machine.plan("cursor", launch=launch))

    kept = [path.name for path in backup_paths(path)]
    assert kept == [f"mcp.json.seqthink-20260310T14020{number}.000000Z.bak" for number in (4, 3, 2)]
    assert mine.exists()


def test_a_file_that_was_written_meanwhile_is_not_overwritten(machine: Machine) -> None:
    path = machine.write("cursor", OTHER)
    plan = machine.plan("cursor")
    path.write_text("{}", "utf-8")

    with pytest.raises(FileChangedError, match="another program has written it meanwhile"):
        machine.apply(plan)
    assert path.read_text("utf-8") == "{}"
    assert backup_paths(path) == []


def test_a_file_that_was_written_at_the_last_moment_is_not_overwritten(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = machine.write("cursor", OTHER)
    plan = machine.plan("cursor")
    sync = os.fsync

    def written_by_its_client(descriptor: int) -> None:
        sync(descriptor)
        path.write_text("{}", "utf-8")

    monkeypatch.setattr(os, "fsync", written_by_its_client)
    with pytest.raises(FileChangedError):
        machine.apply(plan)
    monkeypatch.undo()
    assert path.read_text("utf-8") == "{}"
    assert sorted(machine.snapshot()) == [".cursor/mcp.json"]


def test_a_file_that_was_created_at_the_last_moment_is_not_overwritten(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, path = machine.plan("cursor"), machine.file("cursor")
    link = os.link

    def created_by_its_client(source: Path, target: Path, src_dir_fd: int | None = None) -> None:
        if target == path:
            path.write_text("{}", "utf-8")
        link(source, target, src_dir_fd=src_dir_fd)

    monkeypatch.setattr(os, "link", created_by_its_client)
    with pytest.raises(FileChangedError, match="another program has created it"):
        machine.apply(plan)
    assert machine.snapshot() == {".cursor/mcp.json": b"{}"}


def test_without_hard_links_a_new_file_is_renamed_into_place(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_source: Path, _target: Path, **_options: int) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    machine.apply(machine.plan("cursor"))

    assert sorted(machine.snapshot()) == [".cursor/mcp.json"]


@pytest.mark.parametrize("failing", [0, 1])
def test_a_full_disk_leaves_all_as_it_was(machine: Machine, monkeypatch: pytest.MonkeyPatch, failing: int) -> None:
    machine.write("cursor", OTHER)
    before, synced, sync = machine.snapshot(), list[int](), os.fsync

    def full(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) > failing:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ClientFileError, match="cannot be written: no space left on device; it is as it was"):
        machine.apply(machine.plan("cursor"))
    assert machine.snapshot() == before


def test_a_folder_that_cannot_be_made_is_said(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path, *_more: object, **_others: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    plan = machine.plan("cursor")
    (machine.home.parent / "seqthink").mkdir(exist_ok=True)
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(ClientFileError, match=r"^~/\.cursor/mcp\.json: cannot be written: permission denied"):
        machine.apply(plan)


def test_the_target_of_a_link_is_edited_and_the_link_stays(machine: Machine) -> None:
    target = machine.home / "dotfiles" / "cursor.json"
    target.parent.mkdir()
    target.write_text(OTHER, "utf-8")
    path = machine.file("cursor")
    path.parent.mkdir()
    path.symlink_to("../dotfiles/cursor.json")

    machine.apply(machine.plan("cursor"))

    assert path.is_symlink()
    assert set(servers_in(target.read_bytes())) == {"gh", "seqthink"}
    assert [copy.parent for copy in backup_paths(target)] == [target.parent]


def test_while_one_of_us_writes_the_other_waits(machine: Machine) -> None:
    machine.write("cursor", OTHER)
    variables = environment(**machine.environ)
    with exclusive_lock(machine.environ):
        started = [
            subprocess.Popen(
                command("config", "cursor", "--write", "--yes"), env=variables, stdout=subprocess.PIPE, encoding="utf-8"
            )
            for _ in range(3)
        ]
    said = [process.communicate(timeout=60)[0] for process in started]

    assert [process.returncode for process in started] == [0, 0, 0]
    assert sum("written; a copy" in text for text in said) == 1
    assert sum("nothing to change" in text or "already done it" in text for text in said) == 2
    servers = servers_in(machine.file("cursor").read_bytes())
    assert servers["seqthink"]["command"] == str(Path(sys.executable).parent / "seqthink")
    assert len(backup_paths(machine.file("cursor"))) == 1


@pytest.mark.deep  # many processes; that one waits for the other is tested above
def test_many_of_us_at_once_all_write_what_they_were_asked_for(machine: Machine) -> None:
    before = machine.write("cursor", OTHER).read_bytes()
    variables = environment(**machine.environ)
    folders = [str(machine.home / f"journals-{number}") for number in range(sized(4, 12))]
    with exclusive_lock(machine.environ):
        started = [
            subprocess.Popen(
                command("setup", "cursor", "--yes", "--journal-dir", folder),
                env=variables,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )
            for folder in folders
        ]
    said = [process.communicate(timeout=60) for process in started]

    assert [(process.returncode, error) for process, (_, error) in zip(started, said, strict=True)] == [(0, "")] * len(
        folders
    )
    assert all("written; a copy" in output for output, _ in said)
    servers = servers_in(machine.file("cursor").read_bytes())
    assert set(servers) == {"gh", "seqthink"}
    assert servers["seqthink"]["args"][-1] in folders
    assert machine.apply(machine.plan("cursor", removes=True)) is None or len(backup_paths(machine.file("cursor"))) == 3
    assert servers_in(machine.file("cursor").read_bytes()) == servers_in(before)


def test_what_we_have_just_written_is_believed_at_once(machine: Machine) -> None:
    machine.write("cursor", OTHER)
    machine.apply(machine.plan("cursor"))

    def wait() -> None:
        pytest.fail("it waited")

    request = Request(CLIENTS["cursor"], LAUNCH, "user", Wish(removes=True))
    plan = make_plan(request, machine.environ, wait)

    assert plan.changes
    os.utime(plan.file.target)
    with pytest.raises(pytest.fail.Exception):
        make_plan(request, machine.environ, wait)


def test_without_the_record_of_our_writes_they_are_read_like_those_of_others(machine: Machine) -> None:
    machine.write("cursor", OTHER)
    machine.apply(machine.plan("cursor"))
    record = machine.home.parent / "seqthink" / "clients.written"
    assert record.is_file()
    record.write_bytes(b"\xff\x00 1 2\n" * 10_000)

    machine.apply(machine.plan("cursor", removes=True))

    assert machine.file("cursor").read_text("utf-8") == OTHER
    assert stat.S_IMODE(record.stat().st_mode) == 0o600


REFERENCE = '{"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]}'


@pytest.mark.parametrize(
    ("client", "text", "forces"),
    [
        ("cursor", f'{{"mcpServers": {{"st": {REFERENCE}}}}}\n', False),
        ("cursor", f'{{"mcpServers": {{\n"a": {{}}, "st": {REFERENCE},\n"b": {REFERENCE}}}}}', False),
        (
            "zed",
            f'{{"context_servers": {{"st": {{"command": {{"path": "npx", "args": ["{REFERENCE_PACKAGE}"]}}}}}}}}',
            "replaces",
        ),
        ("codex", f'[mcp_servers.st] # theirs\ncommand = "npx"\nargs = ["-y", "{REFERENCE_PACKAGE}"]\n', False),
        ("cursor", '{"mcpServers": {"seqthink": {"url": "https://example.org"}}}', True),
    ],
)
def test_what_had_to_go_comes_back_when_our_entry_goes(
    machine: Machine, client: str, text: str, *, forces: bool
) -> None:
    path = machine.write(client, text)
    before = machine.snapshot()

    machine.apply(machine.plan(client, forces=forces, replaces=True))
    edited = path.read_text("utf-8")
    machine.apply(machine.plan(client, removes=True))

    assert REFERENCE_PACKAGE not in edited
    assert "example.org" not in edited
    assert machine.snapshot() == before


@pytest.mark.parametrize("removes", [False, True])
@pytest.mark.parametrize("by_a_new_file", [False, True])
def test_a_file_that_was_written_between_the_last_look_and_the_replacement_is_put_back(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, *, by_a_new_file: bool, removes: bool
) -> None:
    path = machine.write("cursor", "" if removes else OTHER)
    if removes:
        path.unlink()
        machine.apply(machine.plan("cursor"))
    plan = machine.plan("cursor", removes=removes)

    def write_unseen(place: FilePlace, file: ClientFile) -> None:
        check_unchanged(place, file)
        if by_a_new_file:
            (path.parent / "theirs").write_text('{"theirs": 1}', "utf-8")
            (path.parent / "theirs").replace(path)
        else:
            path.write_text('{"theirs": 1}', "utf-8")

    monkeypatch.setattr(replacing, "check_unchanged", write_unseen)
    if not removes and not hasattr(ctypes.CDLL(None), "renameat2"):
        pytest.skip("this system exchanges no files in one step")
    with pytest.raises(FileChangedError, match="another program has written it meanwhile"):
        machine.apply(plan)
    assert machine.snapshot() == {".cursor/mcp.json": b'{"theirs": 1}'}


def test_where_files_cannot_be_exchanged_the_new_one_is_renamed_into_place(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = machine.write("cursor", OTHER)
    monkeypatch.setattr(replacing, "_linux_rename", lambda: None)

    machine.apply(machine.plan("cursor"))

    assert set(servers_in(path.read_bytes())) == {"gh", "seqthink"}
    assert len(machine.snapshot()) == 2


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="this system has no such attributes")
def test_attributes_of_a_file_stay(machine: Machine) -> None:
    path = machine.write("cursor", OTHER)
    try:
        os.setxattr(path, "user.mine", b"1")
    except OSError:
        pytest.skip("this file system has no such attributes")

    machine.apply(machine.plan("cursor"))

    assert os.getxattr(path, "user.mine") == b"1"
