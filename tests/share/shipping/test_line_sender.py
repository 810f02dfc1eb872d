"""Which lines are sent, and when a journal is left alone."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from seqthink.share.shipping import line_sender
from seqthink.share.shipping.line_redaction import LineRedaction, as_it_stands
from seqthink.share.shipping.line_sender import LineSender
from seqthink.share.shipping.open_journals import OpenJournals
from seqthink.sources.fleet.engine import Shipment
from seqthink.sources.fleet.failures import EngineUnavailableError
from tests.support.fleet.memory_origin import MemoryOrigin


def sender_for(engine: MemoryOrigin, folder: Path, reports: list[str], keep_lines: int | None = None) -> LineSender:
    sender = LineSender(engine, OpenJournals(folder, most=2), as_it_stands, reports.append, keep_lines)
    for path in sorted(folder.glob("*.jsonl")):
        sender.add(path.stem)
        sender.look_at([path.stem])
    return sender


def send_all(sender: LineSender) -> int:
    rounds = 0
    while sender.has_work:
        sender.step()
        rounds += 1
        assert rounds < 1000, "it never ends"
    return rounds


def test_many_journals_need_few_round_trips_and_few_open_files(tmp_path: Path) -> None:
    engine = MemoryOrigin()
    for number in range(40):
        (tmp_path / f"s{number:02}.jsonl").write_bytes(b"%d\n" % number)

    send_all(sender_for(engine, tmp_path, []))

    assert [engine.text(f"s{number:02}") for number in range(40)] == [b"%d\n" % number for number in range(40)]
    assert engine.calls == ["states", "append"]


def test_a_batch_is_bounded_and_a_long_line_is_a_batch_of_its_own(tmp_path: Path) -> None:
    engine, path = MemoryOrigin(), tmp_path / "one.jsonl"
    path.write_bytes(b"".join(b"x" * size + b"\n" for size in (10, 100_000, 200_000, 700_000, 5)))

    rounds = send_all(sender_for(engine, tmp_path, []))

    assert engine.text("one") == path.read_bytes()
    assert rounds >= 3


def test_what_changed_goes_before_the_backlog(tmp_path: Path) -> None:
    engine = MemoryOrigin()
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_bytes(b"x" * 200_000 + b"\n" + b"y" * 200_000 + b"\n")
    sender = sender_for(engine, tmp_path, [])
    (tmp_path / "c.jsonl").write_bytes(b"live\n")
    sender.add("c")
    sender.changed("c")

    sender.step()

    assert engine.text("c") == b"live\n"
    assert sender.has_work


def test_two_senders_on_one_folder_do_no_harm(tmp_path: Path) -> None:
    engine, path = MemoryOrigin(), tmp_path / "one.jsonl"
    path.write_bytes(b"".join(b"%d\n" % number for number in range(1000)))
    first, second = sender_for(engine, tmp_path, []), sender_for(engine, tmp_path, [])

    for number in range(20):
        for sender in (first, second):
            with path.open("ab") as file:
                file.write(b"more %d\n" % number)
            sender.changed("one")
            sender.step()
    send_all(first)
    second.changed("one")
    send_all(second)

    assert engine.text("one") == path.read_bytes()


def test_lines_that_another_sender_has_sent_are_not_sent_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, path = MemoryOrigin(), tmp_path / "one.jsonl"
    path.write_bytes(b"".join(b"%06d" % number + b"x" * 10_000 + b"\n" for number in range(300)))
    late, other = sender_for(engine, tmp_path, []), sender_for(engine, tmp_path, [])
    while not engine.streams.get("one"):
        late.step()
    send_all(other)
    sent: list[int] = []
    append = engine.append

    def noted(shipments: Sequence[Shipment]) -> list[int]:
        sent.append(sum(len(shipment.lines) for shipment in shipments))
        return append(shipments)

    monkeypatch.setattr(engine, "append", noted)
    send_all(late)

    assert engine.text("one") == path.read_bytes()
    assert len(sent) == 1  # the answer says that it has all of them


def test_an_engine_with_more_lines_than_the_journal_is_left_alone_until_it_lost_them(tmp_path: Path) -> None:
    engine, reports, path = MemoryOrigin(), list[str](), tmp_path / "one.jsonl"
    engine.streams["one"] = [b"1", b"2", b"3"]
    path.write_bytes(b"1\n2\n")
    sender = sender_for(engine, tmp_path, reports)

    send_all(sender)
    engine.streams.clear()
    sender.engine_failed()
    send_all(sender)

    assert reports == ["one has diverged: the engine has 3 lines of it, and the journal 2; it is left alone"]
    assert engine.text("one") == path.read_bytes()


def test_lines_without_secrets_are_ours_whether_they_were_redacted_or_not(tmp_path: Path) -> None:
    engine, reports = MemoryOrigin(), list[str]()
    token = b"ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    engine.streams["one"] = [b'{"thought":"%b"}' % token]
    (tmp_path / "one.jsonl").write_bytes(b'{"thought":"%b"}\nnext\n' % token)
    sender = LineSender(engine, OpenJournals(tmp_path), LineRedaction(b"s" * 16), reports.append)
    sender.add("one")
    sender.look_at(["one"])

    send_all(sender)

    assert reports == []
    assert engine.streams["one"][1] == b"next"


def test_a_journal_that_became_another_file_is_compared_again(tmp_path: Path) -> None:
    engine, reports, path = MemoryOrigin(), list[str](), tmp_path / "one.jsonl"
    path.write_bytes(b"1\n2\n")
    sender = sender_for(engine, tmp_path, reports)
    send_all(sender)

    (tmp_path / "new").write_bytes(b"1\n2\n3\n")
    (tmp_path / "new").replace(path)
    sender.replaced("one")
    send_all(sender)
    path.write_bytes(b"1\nX\nY\nZ\n")
    sender.changed("one")
    send_all(sender)

    assert reports == ["one has diverged: line 3 is another one in the engine; it is left alone"]
    assert engine.text("one") == b"1\n2\n3\n"


def test_only_the_newest_lines_are_kept_where_that_is_wanted(tmp_path: Path) -> None:
    engine, path = MemoryOrigin(), tmp_path / "one.jsonl"
    path.write_bytes(b"".join(b"%d\n" % number for number in range(500)))

    send_all(sender_for(engine, tmp_path, [], keep_lines=100))

    assert engine.states(["one"])[0].first == 401


def test_what_was_acknowledged_and_lost_is_found_by_asking(tmp_path: Path) -> None:
    engine, path = MemoryOrigin(), tmp_path / "one.jsonl"
    path.write_bytes(b"1\n2\n3\n")
    sender = sender_for(engine, tmp_path, [])
    send_all(sender)
    del engine.streams["one"]

    sender.verify()
    while sender.has_doubts:
        sender.verify_some()
    send_all(sender)

    assert engine.text("one") == path.read_bytes()


def test_a_failure_in_the_middle_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_sender, "BATCH_BYTES", 100)
    monkeypatch.setattr(line_sender, "_FIRST_READ_BYTES", 20)
    engine, path = MemoryOrigin(), tmp_path / "one.jsonl"
    path.write_bytes(b"".join(b"line %d\n" % number for number in range(300)))
    sender = sender_for(engine, tmp_path, [])

    for number in range(1000):
        engine.failures = number % 3 == 1
        try:
            sender.step()
        except EngineUnavailableError:
            sender.engine_failed()
        if not sender.has_work:
            break

    assert engine.text("one") == path.read_bytes()


def test_a_journal_that_cannot_be_read_is_said_once_and_shipped_when_it_can_be_again(tmp_path: Path) -> None:
    engine, reports = MemoryOrigin(), list[str]()
    path = tmp_path / "one.jsonl"
    path.mkdir()
    sender = sender_for(engine, tmp_path, reports)
    for _ in range(2):
        send_all(sender)
        sender.look_at_unreadable()
    send_all(sender)
    path.rmdir()
    path.write_bytes(b"a line\n")
    sender.look_at_unreadable()
    send_all(sender)

    assert reports == ["cannot read one: is a folder; trying again", "one can be read again"]
    assert engine.text("one") == b"a line\n"
