"""The law: whatever a folder of transcripts holds is on the screen exactly once, under the agent that had it.

What is damaged is not there, and is counted instead. ``SEQTHINK_EXAMPLES=20000`` with ``--hypothesis-profile=deep``
tries that many folders.
"""

import json
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.__main__ import main
from seqthink.sources.transcripts.codex import zstandard_files
from seqthink.sources.transcripts.spool import Spool
from tests.support.transcripts.known.claude_agents import BackgroundClaudeWriter, InlineClaudeWriter
from tests.support.transcripts.known.claude_files import ClaudeWriter
from tests.support.transcripts.known.claude_mixes import copied, in_one_file, in_two_folders
from tests.support.transcripts.known.cline_files import ClineWriter
from tests.support.transcripts.known.code_mode import CodeModeWriter
from tests.support.transcripts.known.codex_files import CodexWriter
from tests.support.transcripts.known.codex_mixes import in_one_rollout
from tests.support.transcripts.known.compressed import compress, opener
from tests.support.transcripts.known.copies import pi_copy, qwen_copy
from tests.support.transcripts.known.copilot_files import CopilotWriter
from tests.support.transcripts.known.damage import Harm, damages, is_last
from tests.support.transcripts.known.drawn import sessions
from tests.support.transcripts.known.forks import codex_fork, opencode_fork
from tests.support.transcripts.known.gemini_files import GeminiWriter
from tests.support.transcripts.known.opencode_rows import OpenCodeWriter
from tests.support.transcripts.known.pi_files import PiWriter
from tests.support.transcripts.known.qwen_files import QwenWriter
from tests.support.transcripts.known.sessions import Delegate, End, KnownAgent, KnownSession, Rows, Step, Think, Turn
from tests.support.transcripts.known.shown import damage_in, found_in, read_to_end, rows_in, rows_of
from tests.support.transcripts.known.writes import Truth, Write, Written, apply, apply_all

WRITERS = (
    ClaudeWriter,
    CodexWriter,
    CopilotWriter,
    GeminiWriter,
    OpenCodeWriter,
    InlineClaudeWriter,
    BackgroundClaudeWriter,
    CodeModeWriter,
    QwenWriter,
    PiWriter,
    ClineWriter,
)


@st.composite
def folders(draw: st.DrawFn) -> list[Written]:
    """Draw what some clients wrote in one home folder; two of them may have written the same session."""
    size = draw(st.integers(1, 3))
    drawn = [draw(sessions(number)) for number in range(1, size + 1)]
    if draw(st.booleans()):
        drawn[-1] = replace(drawn[0], number=size)
    return [draw(st.sampled_from(WRITERS))(session).write() for session in drawn]


@contextmanager
def new_home() -> Generator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        yield home


def shown_of(home: Path) -> dict[tuple[str, str], Rows]:
    """Return the rows of each session below a home folder."""
    rows: dict[tuple[str, str], Rows] = {}
    for place, (source, found) in enumerate(found_in(home)):
        spool = Spool(source, found, home.parent / f"{place}.jsonl")
        try:
            read_to_end(spool)
            spool.flush()
            rows[found.source, found.id] = rows_in(spool.path)
        finally:
            spool.close()
    return rows


@given(folders())
def test_all_that_is_in_a_folder_is_shown_once_under_its_agent(folder: list[Written]) -> None:
    with new_home() as home:
        for written in folder:
            apply_all(written.writes, home)
        shown = shown_of(home)

    assert set(shown) == {(written.source, written.id) for written in folder}
    for written in folder:
        assert Truth(written).differences(shown[written.source, written.id]) == []


@pytest.mark.parametrize("writer", WRITERS[:4])
def test_the_command_that_exports_shows_all_but_what_is_damaged_and_counts_that(
    writer: type[ClaudeWriter], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = Turn("what does it read?", (Step((), (Think("it reads lines"),)),), (), "lines", End.MARKED)
    delegating = Step(("who knows?",), (Think("ask another"), Delegate(KnownAgent((reader,)))))
    turns = (
        Turn("why is it slow?", (delegating,), (), "it reads twice", End.MARKED),
        Turn("are you sure?", (Step((), (Think("look again"),)),), ("hm",), "yes", End.MARKED),
    )
    written = writer(KnownSession(1, KnownAgent(turns))).write()
    place, broken = next((at, each) for at, each in enumerate(written.writes) if b"are you sure?" in each.data)
    writes = [*written.writes[:place], replace(broken, data=broken.data[9:]), *written.writes[place + 1 :]]
    apply_all(writes, tmp_path)

    main(["export", str(tmp_path / written.writes[0].path), "--native", "--format", "json"])

    exported = json.loads(capsys.readouterr().out)
    assert Truth(written, [broken]).differences(rows_of(exported)) == []
    assert (exported["corrupt"], exported["unread"]) == (1, 0)


@given(st.sampled_from([writer for writer in WRITERS if writer is not OpenCodeWriter]), sessions(), st.data())
def test_a_file_to_which_lines_of_its_own_were_appended_is_shown_once(
    writer: type[ClaudeWriter], session: KnownSession, data: st.DataObject
) -> None:
    written = writer(session).write()
    with new_home() as home:
        apply_all(written.writes, home)
        for path in sorted(home.rglob("*.jsonl")):
            lines = path.read_bytes().splitlines(keepends=True)
            begin = data.draw(st.integers(0, len(lines)))
            again = lines[begin : data.draw(st.integers(begin, len(lines)))] if data.draw(st.booleans()) else lines
            path.write_bytes(b"".join([*lines, *again]))
        shown = shown_of(home)

    assert Truth(written).differences(shown[written.source, written.id]) == []


@given(sessions(1), sessions(2), st.integers(1, 30))
def test_a_copy_of_a_session_is_shown_from_where_it_goes_on(
    session: KnownSession, other: KnownSession, records: int
) -> None:
    goes_on = replace(other, variant=session.variant)  # in the same folder
    _shows_all_of(copied(ClaudeWriter(session).write(), records, ClaudeWriter(goes_on).write()))


@pytest.mark.deep  # a copy that goes on is tried always
@given(sessions(1), sessions(2), st.integers(1, 60), st.booleans())
def test_a_session_whose_file_was_copied_to_another_folder_is_one(
    session: KnownSession, other: KnownSession, records: int, has_agents: bool
) -> None:
    goes_on = replace(other, variant=session.variant)
    original, later = ClaudeWriter(session).write(), ClaudeWriter(goes_on).write()
    if records < len(original.writes):  # both went on: ids that are counted would be those of the other one, too
        session, goes_on = (
            replace(one, has_unique_calls=True, has_counted_ids=False, variant=one.variant & 6)
            for one in (session, goes_on)
        )
        original, later = ClaudeWriter(session).write(), ClaudeWriter(goes_on).write()
    _shows_all_of(in_two_folders(original, records, later, has_agents=has_agents))


@given(st.sampled_from([CodexWriter, CodeModeWriter]), sessions(1), sessions(2), st.integers(1, 3))
def test_a_fork_of_codex_is_shown_from_where_it_leaves_its_original(
    writer: type[CodexWriter], session: KnownSession, other: KnownSession, turns: int
) -> None:
    goes_on = replace(other, variant=session.variant)  # in the same version
    _shows_all_of(codex_fork(writer(session).write(), turns, writer(goes_on).write()))


@given(st.booleans(), sessions(1), sessions(2), st.integers(1, 30))
def test_a_copy_of_qwen_or_pi_is_shown_from_where_it_goes_on(
    is_qwen: bool, session: KnownSession, other: KnownSession, records: int
) -> None:
    goes_on = replace(other, variant=session.variant)
    if is_qwen:
        _shows_all_of(qwen_copy(QwenWriter(session).write(), records, QwenWriter(goes_on).write()))
    else:
        _shows_all_of(pi_copy(PiWriter(session).write(), records, PiWriter(goes_on).write()))


@pytest.mark.deep  # a fork of Codex is tried above
@given(sessions(1), sessions(2), st.integers(1, 9))
def test_a_fork_of_opencode_is_shown_from_where_it_leaves_its_original(
    session: KnownSession, other: KnownSession, messages: int
) -> None:
    goes_on = replace(other, variant=session.variant)
    _shows_all_of(opencode_fork(OpenCodeWriter(session).write(), messages, OpenCodeWriter(goes_on).write()))


def _shows_all_of(written: Written) -> None:
    with new_home() as home:
        apply_all(written.writes, home)
        shown = shown_of(home)

    assert set(shown) == {(written.source, written.id)}
    assert Truth(written).differences(shown[written.source, written.id]) == []


@given(st.booleans(), st.integers(0, 1), st.booleans(), st.lists(st.booleans(), max_size=40))
def test_two_processes_that_write_one_file_are_shown_as_two(
    has_unique_calls: bool, variant: int, is_first: bool, order: list[bool]
) -> None:
    def session(number: int) -> KnownSession:
        turns = (_turn(f"{number} first", End.UNMARKED), _turn(f"{number} then", End.MARKED))
        return KnownSession(number, KnownAgent(turns), has_unique_calls, variant)

    # One goes on after the other has begun: else that is a user who went back.
    order = [is_first, not is_first, *order]
    written = in_one_file(ClaudeWriter(session(1)).write(), ClaudeWriter(session(2)).write(), order)
    with new_home() as home:
        apply_all(written.writes, home)
        shown = shown_of(home)

    assert Truth(written).differences(shown[written.source, written.id]) == []


@pytest.mark.deep  # two that write one file of Claude Code are tried always
@given(st.booleans(), st.booleans(), st.lists(st.booleans(), max_size=40), st.sampled_from([End.MARKED, End.UNMARKED]))
def test_two_processes_that_write_one_rollout_are_shown_as_two(
    has_unique_calls: bool, is_first: bool, order: list[bool], end: End
) -> None:
    def session(number: int) -> KnownSession:
        # Of two processes that have written as many records, a turn that begins could be either one's.
        turns = (_turn(f"{number} first", end, number), _turn(f"{number} then", End.MARKED, number))
        return KnownSession(number, KnownAgent(turns), has_unique_calls)

    order = [is_first, not is_first, *order]
    written = in_one_rollout(CodexWriter(session(1)).write(), CodexWriter(session(2)).write(), order)
    _shows_all_of(written)


def _turn(name: str, end: End, steps: int = 1) -> Turn:
    calls = (Think(f"{name}: one"), Think(f"{name}: two"))
    return Turn(f"{name}?", (Step((f"{name}: hm",), calls),) * steps, ("so",), f"{name}: done", end)


@given(st.sampled_from(WRITERS), sessions(), st.data())
def test_damage_costs_no_more_than_what_is_damaged_and_is_counted(
    writer: type[ClaudeWriter | OpenCodeWriter], session: KnownSession, data: st.DataObject
) -> None:
    # Of calls with one id, a damaged one and the answer to another cannot be distinguished.
    written = writer(replace(session, has_unique_calls=True)).write()
    damaged = data.draw(damages(written))
    with new_home() as home:
        apply_all(damaged.writes, home)
        shown, counted = _read_alone(home, written)

    assert Truth(written, damaged.lost, is_whole=False).differences(shown) == []
    assert counted == damaged.counted


@pytest.mark.deep  # damage of any other file is tried always
@pytest.mark.slow  # each session is compressed and read many times
@given(st.sampled_from([CodexWriter, CodeModeWriter]), sessions(), st.data())
def test_damage_costs_a_compressed_session_no_more(
    writer: type[CodexWriter], session: KnownSession, data: st.DataObject
) -> None:
    written = writer(replace(session, has_unique_calls=True)).write()
    damaged = data.draw(damages(written, tuple(harm for harm in Harm if harm is not Harm.TOO_LONG)))
    with new_home() as home, pytest.MonkeyPatch.context() as patch:
        patch.setattr(zstandard_files, "_opener", opener)
        apply_all(damaged.writes, home)
        for path in sorted(home.rglob("*.jsonl")):
            if data.draw(st.booleans()):
                compress(path)
        shown, counted = _read_alone(home, written)

    assert Truth(written, damaged.lost, is_whole=False).differences(shown) == []
    assert counted == damaged.counted


@given(st.sampled_from([ClaudeWriter, BackgroundClaudeWriter]), sessions(), st.booleans(), st.data())
def test_the_report_of_an_agent_is_shown_though_its_file_is_gone_or_its_call_is_damaged(
    writer: type[ClaudeWriter], session: KnownSession, is_gone: bool, data: st.DataObject
) -> None:
    written = writer(session).write()
    main = written.writes[0].path
    lost = [write for write in written.writes if is_gone and "/agent-" in write.path]
    places = [at for at, write in enumerate(written.writes) if write.path == main and b'"name":"Agent"' in write.data]
    writes = dict(enumerate(written.writes))
    place = data.draw(st.sampled_from([None, *(at for at in places if not is_last(written, at))]))
    if place is not None:
        cut = data.draw(st.integers(1, len(writes[place].data) - 2))
        lost.append(writes[place])
        writes[place] = replace(writes[place], data=writes[place].data[:cut])
    with new_home() as home:
        apply_all((write for write in writes.values() if write not in lost), home)
        shown, counted = _read_alone(home, written)

    assert Truth(written, lost, is_whole=False).differences(shown) == []
    assert counted == (place is not None)


def _read_alone(home: Path, written: Written) -> tuple[Rows, int]:
    """Return what is shown of the only session below a home folder, and how many records were left out."""
    [(source, found)] = found_in(home)
    assert found.source == written.source
    assert written.id.startswith(found.id)  # the name of a file may hold a part of it only
    spool = Spool(source, found, home.parent / "spool.jsonl")
    try:
        read_to_end(spool)
        spool.flush()
        return rows_in(spool.path), damage_in(spool.path)
    finally:
        spool.close()


@pytest.mark.deep  # files that are cut anywhere are tried in test_import_growth.py
@pytest.mark.slow  # each session is written, read and drawn many times
@given(st.sampled_from(WRITERS), sessions(), st.data())
def test_a_session_that_is_read_while_it_grows_is_shown_as_one_that_is_read_at_once(
    writer: type[ClaudeWriter | OpenCodeWriter], session: KnownSession, data: st.DataObject
) -> None:
    written = writer(session).write()
    with new_home() as home:
        begun = 1 + next(at for at, write in enumerate(written.writes) if _is_listed_with(write, home))
        [(source, found)] = found_in(home)
        spool = Spool(source, found, home.parent / "spool.jsonl")
        try:
            _grow(spool, written.writes[begun:], home, data)
            spool.flush()
            shown = rows_in(spool.path)
        finally:
            spool.close()

    assert Truth(replace(written, late=written.awaited), is_whole=False).differences(shown) == []


def _is_listed_with(write: Write, home: Path) -> bool:
    apply(write, home)
    return bool(found_in(home))


def _grow(spool: Spool, writes: list[Write], home: Path, data: st.DataObject) -> None:
    places = data.draw(st.sets(st.integers(0, len(writes) - 1), max_size=4)) if writes else set[int]()
    for place, write in enumerate(writes):
        if place in places:
            at = data.draw(st.integers(0, len(write.data)))
            apply(write, home, at)
            read_to_end(spool, is_quiet=data.draw(st.booleans()))
            if write.sql is None:  # a statement has no halves
                apply(write, home, None, at)
        else:
            apply(write, home)
    read_to_end(spool)
