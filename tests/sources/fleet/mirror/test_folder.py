"""A fleet's sessions as a folder of journals."""

from datetime import datetime
from pathlib import Path

import pytest

from seqthink.chain.attention import Attention, StuckReason
from seqthink.chain.state import State
from seqthink.core.errors import AmbiguousSessionError, JournalNotFoundError
from seqthink.core.events import WriterState
from seqthink.journal.notes_file import Note
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.library.summary import quick_summary
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.folder import FleetFolder
from seqthink.sources.fleet.signing import verify
from tests.sources.fleet.mirror.conftest import NOW
from tests.support.fleet.memory_fleet import MemoryFleet
from tests.support.fleet.waiting import wait_for

BOX, LAB = SessionName("build-box-a2b3c4", "20260101T000000.000001Z-aaaaaa"), SessionName("lab-zzzzzz", "s2")
HEAD = (
    b'{"v":1,"seq":1,"time":"2023-11-14T22:13:20.000Z","type":"session","session":"20260101T000000.000001Z-aaaaaa",'
    b'"server":{"name":"seqthink","version":"1"},"cwd":"/home/ada/shop","host":"evil"}'
)


def thought(number: int) -> bytes:
    return (
        b'{"v":1,"seq":%d,"time":"2023-11-14T22:13:21.000Z","type":"thought","thought":"step %d","thoughtNumber":%d,'
        b'"totalThoughts":9,"nextThoughtNeeded":true}' % (number + 1, number, number)
    )


def put(fleet: MemoryFleet, name: SessionName, thoughts: int = 3, *, ago: int = 0) -> list[bytes]:
    lines = [HEAD, *map(thought, range(1, thoughts + 1))]
    fleet.append(name, lines)
    last = NOW - ago * 1_000_000
    fleet.put(name, Card(name="shop", state="thinking", attention="thinking", last=last, lines=len(lines), bytes=9))
    fleet.alive.add(name)
    fleet.shippers.add(name.origin)
    return lines


def file_of(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def test_sessions_are_listed_newest_first_by_their_cards(fleet: MemoryFleet, folder: FleetFolder) -> None:
    put(fleet, BOX, ago=60)
    put(fleet, LAB, ago=5)

    folder.refresh()

    assert [file.session for file in folder.listed] == [LAB.session, BOX.session]
    assert [folder.host_of(file.path) for file in folder.listed] == ["lab", "build-box"]
    assert folder.listed[0].size == 9
    assert folder.listed[1].path.parts[-2:] == (BOX.origin, f"{BOX.session}.jsonl")
    assert not folder.listed[0].path.exists()


def test_a_clock_that_is_ahead_does_not_put_a_session_into_the_future(fleet: MemoryFleet, folder: FleetFolder) -> None:
    put(fleet, BOX, ago=-86400)

    folder.refresh()

    assert folder.listed[0].last.timestamp() == NOW / 1_000_000


def test_a_session_is_filled_and_followed_without_a_gap(fleet: MemoryFleet, folder: FleetFolder) -> None:
    lines = put(fleet, BOX)
    path = folder.resolve("last")

    assert folder.fill(path)
    assert path.read_bytes() == file_of(lines)

    folder.follow(path)
    for number in range(4, 40):
        lines.append(thought(number))
        fleet.append(BOX, lines[-1:])
    wait_for(lambda: content(path) == file_of(lines))


def test_an_engine_that_lost_all_and_is_filled_again_leaves_the_file_as_it_is(
    fleet: MemoryFleet, folder: FleetFolder
) -> None:
    lines = put(fleet, BOX, thoughts=5)
    path = folder.resolve(None)
    folder.follow(path)
    wait_for(lambda: content(path) == file_of(lines))

    fleet.break_with(EngineUnavailableError("the engine is away"))
    wait_for(lambda: folder.trouble)
    inode = path.stat().st_ino
    fleet.forget_all()
    fleet.break_with(None)
    wait_for(lambda: not folder.trouble)
    fleet.append(BOX, lines[:2])
    fleet.append(BOX, lines[2:])
    lines.append(thought(6))
    fleet.append(BOX, lines[-1:])

    wait_for(lambda: content(path) == file_of(lines))
    assert path.stat().st_ino == inode


def test_another_session_under_the_same_name_replaces_the_file(fleet: MemoryFleet, folder: FleetFolder) -> None:
    lines = put(fleet, BOX, thoughts=5)
    path = folder.resolve(None)
    folder.fill(path)
    fleet.forget_all()
    others = [HEAD, *map(thought, range(11, 14))]
    fleet.append(BOX, others)

    assert folder.fill(path)

    assert path.read_bytes() == file_of(others) != file_of(lines)


def test_lines_that_are_no_longer_kept_are_said_and_the_first_line_stands_for_them(
    fleet: MemoryFleet, folder: FleetFolder
) -> None:
    lines = put(fleet, BOX, thoughts=9)
    fleet.put(BOX, Card(name="shop", last=NOW, head=HEAD.decode()))
    fleet.trim(BOX, 6)
    path = folder.resolve(None)

    assert folder.fill(path)

    assert folder.first_kept(path) == 6
    assert path.read_bytes() == file_of([HEAD, *lines[5:]])


def test_retention_that_passes_a_reader_lets_the_file_start_again(fleet: MemoryFleet, folder: FleetFolder) -> None:
    lines = put(fleet, BOX, thoughts=9)
    path = folder.resolve(None)
    folder.fill(path)
    lines += map(thought, range(10, 20))
    fleet.append(BOX, lines[10:])
    fleet.trim(BOX, 15)

    assert folder.fill(path)

    assert folder.first_kept(path) == 15
    assert path.read_bytes() == file_of(lines[14:])


def test_heartbeats_say_whether_a_server_runs_and_clocks_do_not(fleet: MemoryFleet, folder: FleetFolder) -> None:
    put(fleet, BOX, ago=86400)
    path = folder.resolve(None)
    folder.fill(path)
    states: list[WriterState] = [writer_state(path, first_session_event(path))]
    fleet.alive.clear()
    folder.refresh()
    states.append(writer_state(path, first_session_event(path)))
    fleet.shippers.clear()
    folder.refresh()
    states.append(writer_state(path, first_session_event(path)))

    assert states == [WriterState.ALIVE, WriterState.GONE, WriterState.UNKNOWN]


def test_while_the_engine_is_away_nothing_is_claimed_and_what_is_known_stays(
    fleet: MemoryFleet, folder: FleetFolder
) -> None:
    put(fleet, BOX)
    folder.refresh()
    fleet.break_with(EngineUnavailableError("the engine is away"))
    folder.refresh()
    path = folder.listed[0].path
    summary = folder.summary_of(path)

    assert folder.trouble == ("the engine is away", NOW)
    assert folder.writer_state(path) is WriterState.UNKNOWN
    assert summary is not None
    assert (summary.state, summary.alive, summary.name) == (State.UNKNOWN, False, "shop")

    fleet.break_with(None)
    folder.refresh()
    assert folder.trouble is None
    assert folder.writer_state(path) is WriterState.ALIVE


def test_an_engine_that_refuses_is_said(fleet: MemoryFleet, folder: FleetFolder) -> None:
    fleet.break_with(EngineRefusedError("wrong password"))

    with pytest.raises(EngineRefusedError, match="wrong password"):
        folder.refresh()


@pytest.mark.parametrize(
    ("reference", "session"),
    [("last", LAB), (None, LAB), ("2026", BOX), (BOX.session, BOX), ("build-box/2", BOX), ("lab/last", LAB)],
)
def test_a_reference_means_one_session(
    fleet: MemoryFleet, folder: FleetFolder, reference: str | None, session: SessionName
) -> None:
    put(fleet, BOX, ago=10)
    put(fleet, LAB)

    assert folder.name_of(folder.resolve(reference)) == session


def test_an_id_on_two_machines_needs_the_host(fleet: MemoryFleet, folder: FleetFolder) -> None:
    put(fleet, BOX)
    put(fleet, SessionName("mac-qqqqqq", BOX.session))

    with pytest.raises(AmbiguousSessionError, match=r"mac-qqqqqq/2026.*build-box-a2b3c4/2026.*type more"):
        folder.resolve(BOX.session)
    with pytest.raises(JournalNotFoundError, match="no session 'x' in the fleet"):
        folder.resolve("x")


def test_no_session_yet(folder: FleetFolder) -> None:
    with pytest.raises(JournalNotFoundError, match="no sessions in the fleet yet"):
        folder.resolve(None)


def test_the_head_is_enough_for_a_list(fleet: MemoryFleet, folder: FleetFolder) -> None:
    put(fleet, BOX, thoughts=5000)
    folder.refresh()
    folder.fill(folder.listed[0].path, 64 << 10)

    assert quick_summary(folder.listed[0], has_end=False).name == "shop"
    assert folder.listed[0].path.stat().st_size < 100_000


def test_a_session_is_silent_by_our_clock_alone(fleet: MemoryFleet, tmp_path: Path) -> None:
    now = [NOW]
    folder = FleetFolder(fleet.open, {"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: now[0])
    put(fleet, BOX, ago=86400)
    folder.refresh()
    path = folder.listed[0].path
    first = folder.summary_of(path)
    fleet.put(BOX, Card(name="shop", state="thinking", attention="thinking", last=NOW - 86_000_000_000))
    folder.refresh()
    now[0] += 301 * 1_000_000
    second = folder.summary_of(path)
    folder.close()

    assert first is not None
    assert second is not None
    assert first.standing.attention is Attention.THINKING
    assert (second.standing.attention, second.standing.reason) == (Attention.STUCK, StuckReason.SILENT)


def test_news_update_the_list_and_notify(fleet: MemoryFleet, folder: FleetFolder) -> None:
    notified: list[list[Path]] = []
    folder.on_change(notified.append)
    wait_for(lambda: "news" in fleet.calls)
    put(fleet, BOX)

    wait_for(lambda: notified)
    assert notified[0] == [folder.listed[0].path]
    fleet.break_with(EngineUnavailableError("away"))
    wait_for(lambda: notified[-1] == [])
    fleet.break_with(None)
    wait_for(lambda: len(notified) > 2)
    assert folder.trouble is None


def test_a_note_is_sent_to_its_session(fleet: MemoryFleet, folder: FleetFolder) -> None:
    put(fleet, BOX)
    path = folder.resolve(None)
    folder.send_note(path, Note("0123456789abcdef", "look here", "2026-01-01T00:00:00Z"), "ann@desk")
    name, note = fleet.sent[0]

    assert name == BOX
    assert (note.session, note.id, note.text, note.by) == (BOX.session, "0123456789abcdef", "look here", "ann@desk")


def test_a_note_is_signed_where_there_is_a_key(fleet: MemoryFleet, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o600)
    environ = {"XDG_RUNTIME_DIR": str(tmp_path), "SEQTHINK_NOTE_KEY_FILE": str(key)}
    folder = FleetFolder(fleet.open, environ, lambda: NOW)
    put(fleet, BOX)
    time = "2026-01-01T00:00:00Z"
    folder.send_note(folder.resolve(None), Note("0123456789abcdef", "look here", time), "ann@desk")
    folder.close()

    assert verify(fleet.sent[0][1], b"k" * 32, datetime.fromisoformat(time)) is None


def test_a_list_in_which_nothing_changed_is_the_same(fleet: MemoryFleet, folder: FleetFolder) -> None:
    put(fleet, BOX)
    folder.refresh()
    before = folder.listed
    folder.refresh()
    assert folder.listed is before
    fleet.put(BOX, Card(name="shop", last=NOW - 1))
    folder.refresh()

    assert folder.listed is not before


def test_two_sessions_are_followed_and_one_of_them_no_longer(fleet: MemoryFleet, folder: FleetFolder) -> None:
    lines = {name: put(fleet, name) for name in (BOX, LAB)}
    paths = {name: folder.resolve("/".join(name)) for name in lines}
    for name, path in paths.items():
        folder.follow(path)
        wait_for(lambda name=name, path=path: content(path) == file_of(lines[name]))
    assert folder.trouble is None
    folder.unfollow(paths[LAB])
    for number in (4, 5, 6):  # what came for the first two was asked for before, perhaps for both sessions
        if number == 6:
            fleet.append(LAB, [thought(4)])
        fleet.append(BOX, [thought(number)])
        lines[BOX] = [*lines[BOX], thought(number)]
        wait_for(lambda: content(paths[BOX]) == file_of(lines[BOX]))

    assert content(paths[LAB]) == file_of(lines[LAB])


def test_mirrors_that_were_not_used_for_long_are_dropped(fleet: MemoryFleet, folder: FleetFolder) -> None:
    names = [SessionName("box-aaaaaa", f"s{number}") for number in range(70)]
    for name in names:
        put(fleet, name)
    folder.refresh()
    paths = [file.path for file in folder.listed]
    folder.follow(paths[0])
    for path in paths:
        folder.fill(path)

    assert sum(path.exists() for path in paths) == 66
    assert paths[0].exists()
    assert not paths[1].exists()
    assert folder.fill(paths[1])
    assert paths[1].exists()


def test_closing_removes_everything(fleet: MemoryFleet, tmp_path: Path) -> None:
    folder = FleetFolder(fleet.open, {"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: NOW)
    put(fleet, BOX)
    folder.fill(folder.resolve(None))
    folder.close()
    folder.close()

    assert not list(tmp_path.glob("seqthink-fleet-*"))
