"""Where this program writes, with what rights, and what it never follows, replaces or deletes."""

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from seqthink.core.errors import JournalInUseError, UsageError
from seqthink.journal.locked_journal import LockedJournal
from seqthink.journal.resume import open_newest, open_session
from seqthink.journal.writer import JournalWriter
from tests.journal.test_writer import ABOUT, draft, edges, forget, session
from tests.support.depth import first
from tests.support.journals.build import SESSION, JournalBuilder
from tests.support.servers.commands import SHOP_API, command, environment, refusal_line, seqthink
from tests.support.servers.wire import start, thought

OLD = datetime(2020, 5, 4, 12, tzinfo=UTC)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def under(umask: str, *words: str | Path) -> list[str]:
    return ["sh", "-c", f'umask {umask}; exec "$@"', "sh", *map(str, words)]


def pause(_seconds: float) -> None:
    """Wait for nothing."""


def contents(folder: Path) -> dict[str, bytes]:
    """Return what stands in a folder: links as what they say, folders and pipes as nothing."""
    return {
        path.name: str(path.readlink()).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        for path in folder.iterdir()
    }


# Rights


@pytest.mark.parametrize("umask", first(1, ["0000", "0022", "0077", "0777"]))
def test_folders_are_0700_and_journals_0600_under_any_umask(umask: str, tmp_path: Path) -> None:
    home = tmp_path / "far" / "home"
    program = under(umask, sys.executable, "-m", "seqthink", "serve")
    with start(program=program, environ={"SEQTHINK_HOME": str(home)}) as wire:
        wire.call(thought())
        [journal] = (home / "sessions").iterdir()
        wire.hang_up()
        assert wire.status() == 0

    assert [mode(path) for path in (journal, home / "sessions", home, home.parent)] == [0o600, 0o700, 0o700, 0o700]


@pytest.mark.parametrize("umask", first(1, ["0000", "0777"]))
def test_a_clean_copy_is_0600_under_any_umask(umask: str, tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("x").raw(b"?\n").write(tmp_path / "a.jsonl")
    done = subprocess.run(
        under(umask, *command("check", journal, "--repair")), env=environment(), capture_output=True, check=False
    )

    assert done.returncode == 1
    assert mode(tmp_path / "a.repaired.jsonl") == 0o600


def test_a_folder_that_others_may_enter_keeps_its_mode_and_its_journals_are_closed_to_them(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    writer = JournalWriter(tmp_path, edges())
    writer.begin(ABOUT, forget)
    writer.append([draft()])
    writer.end("eof")
    [journal] = tmp_path.glob("*.jsonl")

    assert (mode(tmp_path), mode(journal)) == (0o777, 0o600)


# What a server goes on in


@pytest.fixture
def folder(seqthink_home: Path, tmp_path: Path) -> Path:
    """Return the folder of the journals, with what should not be there."""
    folder = seqthink_home / "sessions"
    folder.mkdir()
    outside = (
        JournalBuilder().session(cwd=str(Path.cwd())).thought("x").raw(b'{"torn').write(tmp_path / "outside.jsonl")
    )
    (folder / "link.jsonl").symlink_to(outside)
    (folder / "nowhere.jsonl").symlink_to(tmp_path / "not-there")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "diary.jsonl").write_bytes(b"Dear diary, without a line feed")
    (folder / "binary.jsonl").write_bytes(bytes(range(256)) * 8)
    os.link(folder / "diary.jsonl", folder / "hard.jsonl")
    return folder


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ("link", "it is a link"),
        ("nowhere", "it is a link"),
        ("folder", "Is a directory"),
        ("pipe", "it is not a regular file"),
        ("diary", "it is not a seqthink journal"),
        ("hard", "it is not a seqthink journal"),
        ("binary", "it is not a seqthink journal"),
    ],
)
def test_a_server_goes_on_in_nothing_but_a_journal_of_the_folder(
    wanted: str, why: str, folder: Path, tmp_path: Path
) -> None:
    before = contents(folder), contents(tmp_path)

    with pytest.raises(UsageError, match=why):
        open_session(folder, wanted, pause)
    assert (contents(folder), contents(tmp_path)) == before


@pytest.mark.parametrize(
    "wanted",
    first(6, ["../outside", "../../outside", "../../outside.jsonl", "/etc/passwd", ".", "..", "./link", "link/../link",
     "a\nb", "a\0b", "*", "[l]ink", "link.jsonl", "~", "-", " link", "\x1b]0;x\x07"]),
)  # fmt: skip
def test_an_id_is_a_name_and_never_a_path(wanted: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "seqthink" / "outside.jsonl").write_bytes((tmp_path / "outside.jsonl").read_bytes())

    with pytest.raises(UsageError, match="no session"):
        open_session(folder, wanted, pause)
    if "\0" not in wanted:
        line = refusal_line(seqthink("serve", f"--resume={wanted}"))
        assert line.isprintable()


def test_the_last_session_is_never_a_link_and_no_server_touches_what_stands_there(folder: Path, tmp_path: Path) -> None:
    before = contents(folder), contents(tmp_path)

    assert open_newest(folder, str(Path.cwd()), pause) is None
    assert (contents(folder), contents(tmp_path)) == before


def test_a_link_in_the_place_of_a_new_journal_is_not_followed(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path, edges())
    writer.begin(ABOUT, forget)
    taken = tmp_path / f"{writer.session}.jsonl"
    taken.symlink_to(tmp_path / "elsewhere")
    receipt = writer.append([draft()])

    assert receipt.waiting == 0
    assert [path.is_file() for path in tmp_path.glob("*.jsonl") if path != taken] == [True]
    assert not (tmp_path / "elsewhere").exists()


def test_two_names_of_one_journal_have_one_writer(tmp_path: Path) -> None:
    path = session(tmp_path, "/w", letters="aaaaaa", day=3)
    os.link(path, tmp_path / "other.jsonl")
    _, file = open_session(tmp_path, path.stem, pause)

    with pytest.raises(JournalInUseError):
        open_session(tmp_path, "other", pause)
    file.close()


def test_what_is_no_regular_file_is_not_opened_as_a_journal(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match="not a regular file"):
        LockedJournal.open(tmp_path / "pipe", pause)


# What readers are given


@pytest.mark.parametrize("name", ["show", "export", "check"])
@pytest.mark.parametrize("reference", ["..", "/", "a\nb", "a\0b", "../sessions", "\x1b[31m", "*"])
def test_what_names_no_journal_is_refused_in_one_line(
    name: str, reference: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from seqthink.__main__ import main

    assert folder.is_dir()
    assert main([name, *(("--format", "md") if name == "export" else ()), reference]) == 2
    said = capsys.readouterr()
    assert said.out.count("\n") == 0
    assert said.err.rstrip("\n").isprintable()


# What an export writes


def test_an_export_follows_no_link_that_leads_nowhere(tmp_path: Path) -> None:
    link = tmp_path / "out.json"
    link.symlink_to(tmp_path / "home" / "made")
    for force in ((), ("--force",)):
        message = refusal_line(seqthink("export", SHOP_API, "-o", link, *force))

        assert message == f"{link} is a broken link; name a file"
    assert list((tmp_path / "home").iterdir()) == []


def test_no_journal_is_replaced_by_an_export(tmp_path: Path) -> None:
    mine = JournalBuilder().session().thought("mine").write(tmp_path / "mine.json")
    before = mine.read_bytes()
    second = tmp_path / "second.json"
    os.link(mine, second)
    (tmp_path / "link.json").symlink_to(mine)
    for target in (mine, second, tmp_path / "link.json"):
        assert "is a journal; name another" in refusal_line(seqthink("export", SHOP_API, "-o", target, "--force"))
    assert "is the journal itself" in refusal_line(seqthink("export", mine, "-o", second, "--force"))
    assert mine.read_bytes() == before


def test_an_export_writes_one_file_and_an_earlier_name_of_what_it_replaces_stays(tmp_path: Path) -> None:
    target, other = tmp_path / "out.md", tmp_path / "other.md"
    target.write_bytes(b"before")
    os.link(target, other)
    before = contents(tmp_path)

    assert seqthink("export", SHOP_API, "-o", target, "--force").returncode == 0
    assert {name for name, data in contents(tmp_path).items() if before.get(name) != data} == {"out.md"}


# What is deleted


def test_only_what_is_listed_is_deleted_whatever_it_is_called(folder: Path, tmp_path: Path) -> None:
    odd = [
        "-rf",
        " ",
        "a b",
        "new\nline",
        "\x1b]0;x\x07",
        "..",
        "...",
        "*",
        "é",
        "\udcff",
        "x.notes",
        "x.jsonl",
        SESSION,
    ]
    for name in odd:
        JournalBuilder(OLD).session().thought("x").end().write(folder / f"{name}.jsonl")
    (folder / "a b.notes.jsonl").mkdir()
    (folder / "é.notes.jsonl").write_bytes(b"{}\n")
    (folder / "below").mkdir()
    JournalBuilder(OLD).session().thought("x").end().write(folder / "below" / "old.jsonl")
    os.link(folder / "*.jsonl", tmp_path / "second-name")
    for path in folder.iterdir():
        os.utime(path, (0, 0), follow_symlinks=False)
    before, outside = contents(folder), contents(tmp_path)
    done = seqthink("prune", "--older-than", "30d", "--json")
    listed = {Path(path).name for one in json.loads(done.stdout) for path in one["files"]}

    assert before.keys() - contents(folder).keys() == listed
    assert listed == {f"{name}.jsonl" for name in odd if name != "x.notes"} | {"é.notes.jsonl"}
    assert contents(tmp_path) == outside
    assert (folder / "below" / "old.jsonl").exists()
