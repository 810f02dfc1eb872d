"""`seqthink check`: what is wrong with a journal, where; and a valid copy of it with the same events."""

import fcntl
import json
import random
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.journal import scan
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck, JournalFinding
from seqthink.journal.maintenance.repair import JournalRepair
from seqthink.library.live_session import load_journal
from seqthink.share.export.document import document
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.servers.commands import JOURNALS, SHOP_API, refusal_line, seqthink

NAMED = (b'{"v":1,"seq":3,"time":"2026-03-10T14:02:00.000000Z","type":"thought",'
         b'"thought":"x","nextThoughtNeeded":true,"thoughtNumber":2,"totalThoughts":2')  # fmt: skip


def begun() -> JournalBuilder:
    """Return a journal of two lines."""
    return JournalBuilder().session().thought("one", 1, 2)


def found(path: Path, *, is_live: bool = False) -> list[JournalFinding]:
    return list(JournalCheck(JournalFile.open(path), is_live=is_live).findings())


def said(journal: JournalBuilder, folder: Path) -> list[tuple[int, str, bool]]:
    return [(one.line_number, one.message, one.is_error) for one in found(journal.write(folder / "a.jsonl"))]


def at(journal: JournalBuilder, seq: int) -> JournalBuilder:
    """Return ``journal``, which goes on with ``seq``."""
    journal.seq = seq - 1
    return journal


# What is wrong


@pytest.mark.parametrize("name", ["shop-api", "minimal", "full", "unknown"])
def test_a_journal_as_the_server_writes_it_is_fine(name: str) -> None:
    assert found(JOURNALS / f"{name}.jsonl") == []


WRONG: dict[str, tuple[Callable[[], JournalBuilder], int, str]] = {
    "torn": (lambda: begun().raw(b'{"v":1,'), 3, "a torn line: 7 bytes without a line feed"),
    "blank": (lambda: begun().raw(b"\n"), 3, "blank line"),
    "no JSON": (lambda: begun().raw(b"hello\n"), 3, "not JSON: Expecting value, at character 0"),
    "no object": (lambda: begun().raw(b"[1]\n"), 3, "not a JSON object"),
    "bad fields": (lambda: begun().event("thought", {"thought": "x"}), 3, "missing required field"),
    "large number": (lambda: begun().thought("x", 2**53, 1), 3, "Expected `int` <= 9007199254740991"),
    "no number": (lambda: begun().raw(NAMED + b',"x":NaN}\n'), 3, "NaN is not JSON"),
    "version": (lambda: begun().raw(b'{"v":0,"seq":3}\n'), 3, "no version"),
    "mark": (lambda: JournalBuilder().raw(b"\xef\xbb\xbf").session(), 1, "a byte order mark"),
    "zeros": (lambda: begun().raw(b"\0" * 4096 + b"\n"), 3, "4,096 NUL bytes"),
    "not UTF-8": (lambda: begun().raw(NAMED.replace(b'"x"', b'"\xff"') + b"}\n"), 3, "not UTF-8: invalid start byte"),
    "stray bytes": (lambda: begun().raw(NAMED + b',"new":"\xff"}\n'), 3, "not UTF-8: invalid start byte"),
    "raw surrogate": (lambda: begun().raw(NAMED.replace(b'"x"', b'"\xed\xa0\x80"') + b"}\n"), 3, "not UTF-8: readers"),
    "key twice": (lambda: begun().raw(NAMED + b',"thought":"y"}\n'), 3, "the key `thought` twice"),
    "inner key twice": (lambda: begun().raw(NAMED + b',"new":{"a":1,"a":2}}\n'), 3, "the key `a` twice"),
    "late start": (lambda: at(JournalBuilder(), 4).session(), 1, "seq 4 after 0: 3 missing"),
    "gap": (lambda: at(begun(), 7).thought("x", 2, 2), 3, "seq 7 after 2: 4 missing"),
    "same seq": (lambda: at(begun(), 2).thought("x", 2, 2), 3, "seq 2 a second time"),
    "back": (lambda: at(begun().thought("x", 2, 3), 1).thought("y", 3, 3), 4, "seq 1 after 3"),
    "wider than lost": (lambda: at(begun().raw(b"?\n"), 5).thought("x"), 4, "seq 5 after 2: 1 missing"),
    "no session": (lambda: JournalBuilder().thought("x"), 1, "the first event is not a `session`"),
    "two sessions": (lambda: begun().session(), 3, "another `session` that is not `resumed`"),
    "after the end": (lambda: begun().end().thought("x", 2, 2), 4, "an event after `end`"),
    "two ends": (lambda: begun().end().end(), 4, "an event after `end`"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_problem_is_reported_with_its_line_and_offset(case: str, tmp_path: Path) -> None:
    make, number, what = WRONG[case]
    journal = make()
    lines = (journal.write(tmp_path / "a.jsonl").read_bytes()).split(b"\n")

    finding = next(one for one in found(tmp_path / "a.jsonl") if one.is_error and one.line_number == number)

    assert what in finding.message
    assert finding.offset == sum(len(line) + 1 for line in lines[: number - 1])


def test_each_problem_is_reported_once(tmp_path: Path) -> None:
    journal = at(begun(), 7).thought("a gap", 2, 4).thought("goes on", 3, 4).end().thought("after").thought("more", 2)

    assert [number for number, _, _ in said(journal, tmp_path)] == [3, 6]


def test_a_lost_line_explains_the_gap_that_it_leaves(tmp_path: Path) -> None:
    lost = at(begun().raw(b"?\n"), 4).thought("x", 2, 2)
    newer = at(begun().raw(b'{"v":2,"id":"x"}\n'), 4).thought("x", 2, 2)

    assert [number for number, _, _ in said(lost, tmp_path)] == [3]
    assert said(newer, tmp_path) == []


def test_what_readers_tolerate_is_only_a_note(tmp_path: Path) -> None:
    early = begun().thought("before", 2, 2, after=-3600).thought("same time", 3, 3, after=0)
    loose = begun().raw(NAMED.replace(b"00.000000Z", b"00Z") + b"}\n")
    spaced = begun().raw(NAMED.replace(b",", b", ").replace(b'":', b'" : ') + b"}\r\n")

    assert said(early, tmp_path) == [(3, "the clock goes back by 1:00:00", False)]
    assert said(loose, tmp_path) == [
        (3, "does not begin with `v`, `seq`, `time` (UTC, microseconds, Z), `type`", False)
    ]
    assert said(spaced, tmp_path) == []


def test_a_resume_after_an_end_is_fine(tmp_path: Path) -> None:
    journal = begun().end().session(resumed=True).thought("on", 2, 2).session(resumed=True).end()

    assert said(journal, tmp_path) == []


def test_a_lone_surrogate_that_is_escaped_is_fine(tmp_path: Path) -> None:
    assert said(begun().thought("half of 😀: \ud83d", 2, 2), tmp_path) == []


def test_a_line_that_is_too_long_is_not_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MAX_LINE_BYTES", 2 << 20)
    journal = begun().thought("x" * (3 << 20), 2, 3).thought("after it", 3, 3)

    assert said(journal, tmp_path) == [(3, f"line too long: {len(journal.lines[2]) - 1} bytes", True)]


def test_many_lines_keep_their_numbers_over_all_batches(tmp_path: Path) -> None:
    journal = begun()
    for number in range(2, 4000):
        journal.thought("x" * 900, number, 4000)
        if number % 1000 == 0:
            journal.raw(b"?\n")

    assert [number for number, _, _ in said(journal, tmp_path)] == [1002, 2003, 3004]


# A copy that is right


def _contents(path: Path) -> dict[str, Any]:
    """Return what a journal has, its events by their order instead of their ``seq``."""
    texts = load_journal(path)
    session = texts.session
    indices, chains = range(session.thought_count), range(session.chain_count)
    lanes = [session.lanes.get(lane) for chain in chains for lane in session.chains.lanes_of(chain)]
    contents = document(texts)
    for chain in contents["chains"]:
        for lane in chain["lanes"]:
            del lane["fork"]
            for thought in lane["thoughts"]:
                del thought["seq"], thought["revises"]
    del contents["corrupt"], contents["session"]
    return contents | {
        "forks": [lane.fork for lane in lanes],
        "targets": [session.thoughts.target_of(index) for index in indices],
        "attached": [
            [(one.kind, one.time, one.verdict) for one in session.thoughts.attachments(index)] for index in indices
        ],
        "refusals": [texts.refusal_reason(number) for number in session.asides.refused],
        "title": session.title,
    }


def _repair(path: Path) -> Path:
    copy = path.with_name("copy.jsonl")
    copy.write_bytes(b"".join(JournalRepair(JournalFile.open(path), "lost").lines()))
    return copy


GARBAGE = [b"\n", b"?\n", b'{"v":1}\n', b"\0\0\n",
           b'{"v":1,"seq":3,"time":"2026-03-10T14:02:00.000000Z","type":"new"}\n',
           b'{"v":2,"seq":"no","type":"thought"}\n', b'{"v":1,"type":"new"}\n',
           NAMED + b',"thought":"y"}\n', NAMED + b',"x":1e999,"x":"\xff"}\n',
           NAMED.replace(b'"x"', b'"\xed\xa0\x80"') + b"}\n",
           NAMED.replace(b":02:00.000000Z", b":02:00+02:00").replace(b",", b" ,") + b',"hint":null}\r\n']  # fmt: skip


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    journal, size = JournalBuilder(), 14
    of = st.integers(1, size)

    def think() -> None:
        number, branch, revises = draw(st.integers(1, 4)), draw(st.sampled_from([None, "a"])), draw(st.none() | of)
        journal.thought("x", number, 4, branch=branch, revises=revises, next=draw(st.booleans()))

    def elsewhere() -> None:
        journal.seq = draw(st.integers(0, size))

    steps: list[Callable[[], object]] = [
        think,
        think,
        elsewhere,
        lambda: journal.session(resumed=draw(st.booleans())),
        lambda: journal.audit(draw(of), draw(st.sampled_from(["pass", "revise"]))),
        lambda: journal.context(of=draw(st.none() | of)),
        lambda: journal.note(of=draw(of)),
        journal.rejected,
        journal.end,
        lambda: journal.raw(draw(st.sampled_from(GARBAGE))),
    ]
    for step in draw(st.lists(st.sampled_from(steps), max_size=size)):
        step()
    return journal.data + draw(st.sampled_from([b"", b'{"v":1,"se']))


@given(_damaged())
def test_a_repaired_copy_is_valid_and_folds_to_the_same_session(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        whole, cut = Path(folder) / "whole.jsonl", Path(folder) / "cut.jsonl"
        whole.write_bytes(begun().data + data)
        cut.write_bytes(data)
        for journal in (whole, cut):
            copy = _repair(journal)

            assert [one for one in found(copy) if one.is_error] == []
            if copy.stat().st_size:
                assert _contents(copy) == _contents(journal)


@pytest.mark.parametrize("name", sorted(path.stem for path in JOURNALS.glob("*.jsonl")))
def test_a_copy_of_a_sample_is_right_and_one_of_a_fine_one_is_the_same(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes((JOURNALS / f"{name}.jsonl").read_bytes())
    copy = _repair(path)

    assert [one for one in found(copy) if one.is_error] == []
    assert _contents(copy) == _contents(path)
    assert bool(found(path)) or copy.read_bytes() == path.read_bytes()


def test_an_audit_stays_with_its_thought_and_one_of_a_lost_thought_finds_no_other(tmp_path: Path) -> None:
    journal = begun().raw(b"?\n")
    journal = at(journal, 4).thought("kept", 2, 3).thought("next", 3, 3).audit(4, "pass").audit(3, "reject")
    copy = load_journal(_repair(journal.write(tmp_path / "a.jsonl"))).session

    assert [[one.verdict for one in copy.thoughts.attachments(index)] for index in range(3)] == [[], ["pass"], []]


def test_a_lost_first_line_is_made_up_for(tmp_path: Path) -> None:
    path = JournalBuilder().thought("x").write(tmp_path / "a.jsonl")
    first = json.loads(_repair(path).read_bytes().partition(b"\n")[0])

    assert first == {"v": 1, "seq": 1, "time": "2026-03-10T14:02:00.000000Z", "type": "session", "session": "lost"}


# The command


def test_the_command_prints_each_problem_with_its_place_and_a_summary() -> None:
    path = JOURNALS / "torn.jsonl"
    done = seqthink("check", path)

    assert done.returncode == 1
    assert done.stdout == (
        f"{path}:3 (byte 442): a torn line: 86 bytes without a line feed\n1 journal, 3 lines: 1 problem\n"
    )


def test_a_fine_journal_is_exit_0_and_may_be_named_as_everywhere(seqthink_home: Path) -> None:
    (seqthink_home / "sessions").mkdir()
    shop_api().write(seqthink_home / "sessions" / f"{SESSION}.jsonl")

    for name in (SESSION, "last", "2026"):
        done = seqthink("check", name)
        assert (done.returncode, done.stdout) == (0, "1 journal, 15 lines: nothing wrong\n")


def test_several_journals_are_all_checked_also_after_one_that_is_not_there(tmp_path: Path) -> None:
    done = seqthink("check", tmp_path / "none.jsonl", tmp_path, SHOP_API, JOURNALS / "torn.jsonl")

    assert done.returncode == 2
    assert [line.partition(": ")[2].partition(";")[0] for line in done.stderr.splitlines()] == [
        f"{tmp_path}/none.jsonl: no such file",
        f"{tmp_path} is a folder",
    ]
    assert done.stdout.splitlines()[-1] == "2 journals, 18 lines: 1 problem"


def test_programs_get_one_array(tmp_path: Path) -> None:
    done = seqthink("check", JOURNALS / "torn.jsonl", SHOP_API, "--json")
    torn, fine = json.loads(done.stdout)

    assert (torn["lines"], torn["wrong"], fine["findings"], fine["copy"]) == (3, 1, [], None)
    assert torn["findings"][0]["offset"] == 442
    assert json.loads(seqthink("check", tmp_path / "none.jsonl", "--json").stdout) == []


def test_a_damaged_journal_gets_a_copy_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes((JOURNALS / "corrupt.jsonl").read_bytes())
    done = seqthink("check", path, "--repair")
    copy = tmp_path / "a.repaired.jsonl"

    assert done.returncode == 1
    assert f"clean copy: {copy} (11 lines left out)" in done.stdout
    assert path.read_bytes() == (JOURNALS / "corrupt.jsonl").read_bytes()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert seqthink("check", copy, "--repair").stdout == "1 journal, 4 lines: nothing wrong\n"
    assert {one.name for one in tmp_path.iterdir()} == {"a.jsonl", "a.repaired.jsonl", "home", "seqthink"}


def test_an_existing_copy_is_only_replaced_when_asked_to(tmp_path: Path) -> None:
    path, copy = begun().raw(b"?\n").write(tmp_path / "a.jsonl"), tmp_path / "a.repaired.jsonl"
    copy.write_bytes(b"mine")
    kept = seqthink("check", path, "--repair")

    assert (kept.returncode, copy.read_bytes()) == (2, b"mine")
    assert kept.stderr == f"seqthink: {copy} already exists; --force replaces it\n"
    assert seqthink("check", path, "--repair", "--force").returncode == 1
    assert copy.read_bytes() == begun().data
    assert "give both" in refusal_line(seqthink("check", path, "--force"))


def test_what_is_no_journal_at_all_has_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(bytes(range(256)) * 100)
    done = seqthink("check", path, "--repair")

    assert (done.returncode, list(tmp_path.glob("*.repaired*"))) == (1, [])
    assert "no line can be read" in done.stderr
    assert all(character.isprintable() for character in done.stdout.replace("\n", ""))


def test_of_very_many_findings_the_first_are_printed_and_all_are_counted(tmp_path: Path) -> None:
    path = begun().raw(b"?\n" * 250).write(tmp_path / "a.jsonl")
    contents = seqthink("check", path).stdout.splitlines()

    assert [line.partition(" (")[0] for line in contents[:-2]] == [f"{path}:{number}" for number in range(3, 103)]
    assert contents[-2:] == [f"{path}: 150 more; --json lists them all", "1 journal, 252 lines: 250 problems"]
    assert len(json.loads(seqthink("check", path, "--json").stdout)[0]["findings"]) == 250


def test_of_a_binary_little_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(random.Random(6).randbytes(1 << 20))
    done = seqthink("check", path)

    assert done.returncode == 1
    assert done.stdout.count("\n") == 102
    assert len(done.stdout) < 20_000


def test_a_torn_line_that_a_server_still_writes_is_no_fault(tmp_path: Path) -> None:
    path = begun().raw(b'{"v":1').write(tmp_path / "a.jsonl")
    path.write_bytes(JournalBuilder().session(host=socket.gethostname()).raw(b'{"v":1').data)
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        live = seqthink("check", path, "--repair")

    assert (live.returncode, live.stdout.count("note: a torn line")) == (0, 1)
    assert seqthink("check", path).returncode == 1


def test_an_empty_journal_has_nothing_wrong(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch()

    assert seqthink("check", path).stdout == "1 journal, 0 lines: nothing wrong\n"


def test_a_copy_is_no_session_of_its_own(seqthink_home: Path) -> None:
    folder = seqthink_home / "sessions"
    folder.mkdir()
    begun().raw(b"?\n").write(folder / f"{SESSION}.jsonl")
    seqthink("check", "last", "--repair")
    listed = json.loads(seqthink("sessions", "--json").stdout)

    assert (folder / f"{SESSION}.repaired.jsonl").is_file()
    assert [one["session"] for one in listed] == [SESSION]
