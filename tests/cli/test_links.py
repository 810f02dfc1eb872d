"""Links to a thought: ``SESSION#e41``, and other ways to name one."""

import json
import socket
import subprocess
from pathlib import Path

import pytest

from seqthink.journal.links import link_text, split_link
from tests.support.depth import first
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.servers.commands import SHOP_API, TIMEOUT_SECONDS, command, environment, refusal_line, seqthink


@pytest.fixture
def sessions(seqthink_home: Path) -> Path:
    """Return the folder of the journals, with one session in it."""
    folder = seqthink_home / "sessions"
    folder.mkdir()
    shop_api().write(folder / f"{SESSION}.jsonl")
    return folder


@pytest.mark.parametrize(
    ("reference", "session", "seq"),
    [
        ("last#e41", "last", 41),
        ("./a b#c.jsonl#e1", "./a b#c.jsonl", 1),
        ("#e7", None, 7),
        ("last#e0", "last#e0", 0),
        ("last#e", "last#e", 0),
        ("last#e٣", "last#e٣", 0),
        ("last#e99999999999999999", "last#e99999999999999999", 0),
        (None, None, 0),
    ],
)
def test_a_link_is_a_session_and_an_entry(reference: str | None, session: str | None, seq: int) -> None:
    assert split_link(reference) == (session, seq)


def test_a_link_that_was_made_is_read_again() -> None:
    assert split_link(link_text(SESSION, 41)) == (SESSION, 41)


@pytest.mark.parametrize("reference", first(2, [SESSION, SESSION[:9], "last", str(SHOP_API)]))
@pytest.mark.usefixtures("sessions")
def test_show_puts_the_cursor_at_the_thought_of_a_link(reference: str) -> None:
    lines = seqthink("show", f"{reference}#e4", "--width", "80").stdout.splitlines()

    [row] = [line for line in lines if line.startswith("▌")]
    assert " 3 Hypotheses" in row.replace("  ", " ")
    assert [line.replace("▌", " ", 1) for line in lines] == seqthink("show", "--width", "80").stdout.splitlines()


@pytest.mark.usefixtures("sessions")
def test_show_full_of_a_link_adds_that_thought_alone() -> None:
    tree, full = seqthink("show", "last#e4").stdout, seqthink("show", "last#e4", "--full").stdout

    assert full.startswith(tree)
    assert "The hour's beginning" in full[len(tree) :]
    assert "Symptoms" not in full[len(tree) :]
    assert seqthink("show", "last#e4", "--timeline").stdout.count("▌") == 1


@pytest.mark.usefixtures("sessions")
@pytest.mark.parametrize("seq", [1, 999])
@pytest.mark.parametrize("reader", ["show", "replay"])
def test_an_entry_that_is_no_thought_is_one_clear_line(reader: str, seq: int) -> None:
    line = refusal_line(seqthink(reader, f"last#e{seq}"))

    assert line == f"no thought at e{seq}; copy links with Y in the viewer, or leave out what begins with #"


def test_a_file_that_is_named_like_a_link_is_that_file(tmp_path: Path) -> None:
    shop_api().write(tmp_path / "a.jsonl#e2")

    assert seqthink("show", f"{tmp_path}/a.jsonl#e2").stdout == seqthink("show", SHOP_API).stdout


def test_replay_of_a_link_shows_the_session_as_it_was_then() -> None:
    assert seqthink("replay", f"{SHOP_API}#e4").stdout == seqthink("replay", SHOP_API, "--at", "3").stdout


def _repeating(tmp_path: Path) -> Path:
    journal = JournalBuilder().session().thought("a", 1, 3).thought("b", 2, 3)
    journal.thought("x", 1, 2, branch="side", from_=1).thought("y", 2, 2, branch="side").thought("c", 3, 4)
    return journal.thought("d", 4, 4, next=False).end().write(tmp_path / "a.jsonl")


def _replayed(*arguments: str, path: Path) -> str:
    return seqthink("replay", path, *arguments).stdout


def test_at_counts_arrivals_and_number_names_a_thought(tmp_path: Path) -> None:
    _repeating(tmp_path)
    path = tmp_path / "a.jsonl"

    assert " x" in seqthink("replay", path, "--at", "3").stdout
    assert "  3  c" not in _replayed("--at", "4", path=path)
    assert "  3  c" in _replayed("--number", "3", path=path)
    assert "  4  d" not in _replayed("--number", "3", path=path)
    assert "  4  d" in _replayed("--number", "4", path=path)


def test_a_number_that_no_thought_has_is_refused(tmp_path: Path) -> None:
    JournalBuilder().session().write(tmp_path / "empty.jsonl")

    assert refusal_line(seqthink("replay", SHOP_API, "--number", "99")) == (
        "replay: no thought has the number 99; `seqthink show` prints the numbers"
    )
    assert refusal_line(seqthink("replay", tmp_path / "empty.jsonl", "--number", "1")).startswith(
        "replay: no thought has"
    )
    assert "give one of them" in refusal_line(seqthink("replay", SHOP_API, "--number", "4", "--at", "4"))
    assert "give one of them" in refusal_line(seqthink("replay", f"{SHOP_API}#e4", "--at", "4"))


@pytest.mark.usefixtures("sessions")
def test_watch_of_a_finished_session_in_a_pipe_prints_it_and_ends() -> None:
    done = seqthink("watch", "last")

    assert (done.returncode, done.stderr) == (0, "")
    assert seqthink("show", "last").stdout in done.stdout


@pytest.mark.usefixtures("sessions")
def test_watch_of_a_link_in_a_pipe_prints_the_session() -> None:
    assert seqthink("watch", "last#e4").stdout == seqthink("watch", "last").stdout


def test_watch_of_a_session_whose_server_is_gone_ends(sessions: Path) -> None:
    path = sessions / "20260312T091501.000000Z-abcdef.jsonl"
    JournalBuilder().session(path.stem, host=socket.gethostname()).thought("half", 1, 3).write(path)

    done = subprocess.run(
        command("watch", path), env=environment(), capture_output=True, timeout=TIMEOUT_SECONDS, check=False
    )
    assert done.returncode == 0


@pytest.mark.parametrize("place", ["seqthink", "sessions"])
@pytest.mark.parametrize(
    "arguments",
    first(
        3,
        [
            *(("watch",), ("watch", "last"), ("sessions",), ("sessions", "--json"), ("status", "--sources", "journal")),
            *(("status",), ("status", "--format", "tmux"), ("find", "pool"), ("find", "--sources", "journal", "pool")),
            ("stats",),
        ],
    ),
    ids=" ".join,
)
def test_a_file_where_the_folder_should_be_is_one_clear_line(
    place: str, arguments: tuple[str, ...], seqthink_home: Path
) -> None:
    if place == "seqthink":
        seqthink_home.rmdir()
        in_the_way = seqthink_home
    else:
        in_the_way = seqthink_home / "sessions"
    in_the_way.write_text("", encoding="utf-8")

    line = refusal_line(seqthink(*arguments))
    assert arguments == ("watch", "last") or line.startswith(f"{in_the_way} is a file, not a folder; ")


def test_the_sessions_of_a_listing_name_what_a_link_needs(sessions: Path) -> None:
    [listed] = json.loads(seqthink("sessions", "--json", "--journal-dir", sessions).stdout)

    assert "▌" in seqthink("show", f"{listed['session']}#e2").stdout
