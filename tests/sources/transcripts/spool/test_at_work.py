"""Whether the agent of a transcript is at work, by its records, its client and its server."""

from pathlib import Path

import pytest

from seqthink.core.events import WriterState
from seqthink.sources.transcripts.facts import Result, ToolCall, TurnEnded
from seqthink.sources.transcripts.live.work_watch import DEAD_SILENT_SECONDS, MAX_SILENT_SECONDS
from seqthink.sources.transcripts.source import ClientProcess
from seqthink.sources.transcripts.spool import Spool
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import HOST, locked_journal
from tests.support.transcripts.fake_source import NOW, SECOND, FakeSource, call, found, kinds, prompt


def test_a_turn_that_has_not_ended_is_running_for_a_while(spool: Spool, source: FakeSource) -> None:
    source.say(prompt("p"))
    spool.advance(NOW)
    times = (NOW, NOW + (MAX_SILENT_SECONDS - 1) * SECOND, NOW + MAX_SILENT_SECONDS * SECOND, NOW)
    states = [spool.writer(now) for now in times]
    source.say(prompt("q", agent="a"), TurnEnded(id="s", time=2, agent="a"))
    spool.advance(NOW)
    states.append(spool.writer(NOW))
    source.say(TurnEnded(id="t", time=2))
    spool.advance(NOW)

    assert [*states, spool.writer(NOW)] == [
        WriterState.ALIVE,
        WriterState.ALIVE,
        WriterState.UNKNOWN,
        WriterState.ALIVE,
        WriterState.ALIVE,
        WriterState.UNKNOWN,
    ]


def test_an_agent_in_the_background_is_running_when_the_main_agent_s_turn_is_over(
    spool: Spool, source: FakeSource
) -> None:
    states: list[WriterState] = []
    for facts in (
        [prompt("p"), prompt("q", agent="a"), TurnEnded(id="t", time=2)],
        [TurnEnded(id="s", time=3, agent="a")],
        [prompt("r"), prompt("u", agent="b"), TurnEnded(id="v", time=4, is_aborted=True)],
    ):
        source.say(*facts)
        spool.advance(NOW)
        states.append(spool.writer(NOW))

    assert states == [WriterState.ALIVE, WriterState.UNKNOWN, WriterState.UNKNOWN]


def test_a_turn_that_was_open_in_a_transcript_that_was_replaced_is_not(spool: Spool, source: FakeSource) -> None:
    source.say(prompt("p"))
    spool.advance(NOW)
    source.say(prompt("q"), TurnEnded(id="t", time=2), restarted=True)
    spool.advance(NOW)

    assert spool.writer(NOW) is WriterState.UNKNOWN


def test_a_turn_in_a_transcript_from_a_clock_that_is_ahead_is_not_running(spool: Spool, source: FakeSource) -> None:
    spool.found = found(changed=NOW + 3600 * SECOND)
    source.say(prompt("p"))
    spool.advance(NOW)

    assert spool.writer(NOW) is WriterState.UNKNOWN


SILENT = NOW + DEAD_SILENT_SECONDS * SECOND


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """The journal of a server that left no `end` line."""
    return JournalBuilder().session(client="gemini-cli", host=HOST).thought("x", 1, 1).write(tmp_path / "j.jsonl")


def in_a_turn(spool: Spool, source: FakeSource, journal: Path) -> Spool:
    source.say(prompt("p"), call("1", "x", 2))
    spool.attach([journal])
    spool.advance_to_end(NOW, 1 << 20)
    return spool


def test_a_session_whose_server_runs_is_running(spool: Spool, journal: Path) -> None:
    spool.attach([journal])
    spool.advance_to_end(NOW, 1 << 20)
    with locked_journal(journal):
        during = spool.writer(NOW)

    assert (during, spool.writer(NOW)) == (WriterState.ALIVE, WriterState.UNKNOWN)


def test_a_session_whose_server_was_killed_in_the_middle_of_a_turn_is_lost(
    spool: Spool, source: FakeSource, journal: Path
) -> None:
    in_a_turn(spool, source, journal)
    with locked_journal(journal):
        during = spool.writer(SILENT)
    states = [spool.writer(now) for now in (NOW, SILENT, NOW + 86_400 * SECOND)]

    assert (during, states) == (WriterState.ALIVE, [WriterState.ALIVE, WriterState.GONE, WriterState.GONE])


def test_a_session_that_goes_on_without_its_server_is_not_lost(spool: Spool, source: FakeSource, journal: Path) -> None:
    in_a_turn(spool, source, journal)
    lost = spool.writer(SILENT)
    spool.found = found(changed=SILENT + SECOND)

    assert (lost, spool.writer(SILENT + 10 * SECOND)) == (WriterState.GONE, WriterState.ALIVE)


def test_a_session_whose_client_runs_is_not_lost_with_its_server(
    spool: Spool, source: FakeSource, journal: Path
) -> None:
    in_a_turn(spool, source, journal)
    source.process = ClientProcess(is_running=True)

    assert spool.writer(SILENT) is WriterState.ALIVE


def test_a_session_whose_client_was_killed_in_the_middle_of_a_turn_is_lost_also_without_a_journal(
    spool: Spool, source: FakeSource
) -> None:
    source.process = ClientProcess(is_running=False)
    source.say(prompt("p"))
    spool.advance(NOW)
    during = spool.writer(SILENT)
    source.say(TurnEnded(id="t", time=2))
    spool.advance(NOW)

    assert (during, spool.writer(SILENT)) == (WriterState.GONE, WriterState.UNKNOWN)


def test_a_session_whose_server_ended_by_itself_is_not_lost(spool: Spool, source: FakeSource, tmp_path: Path) -> None:
    journal = JournalBuilder().session(client="gemini-cli", host=HOST).thought("x", 1, 1).end()
    in_a_turn(spool, source, journal.write(tmp_path / "ended.jsonl"))

    assert spool.writer(SILENT) is WriterState.ALIVE


def test_a_subagent_whose_server_was_killed_does_not_make_the_session_lost(
    spool: Spool, source: FakeSource, journal: Path
) -> None:
    source.say(prompt("p"), call("1", "x", 2, agent="a"))
    spool.attach([journal])
    spool.advance_to_end(NOW, 1 << 20)

    assert spool.writer(SILENT) is WriterState.ALIVE


def test_a_session_whose_files_no_client_can_write_any_more_is_lost_unless_its_process_says_that_it_runs(
    spool: Spool, source: FakeSource
) -> None:
    source.say(prompt("p"))
    spool.advance(NOW)
    source.is_abandoned = True
    states = [spool.writer(NOW), spool.writer(SILENT)]
    source.process = ClientProcess(is_running=True)

    assert [*states, spool.writer(SILENT)] == [WriterState.ALIVE, WriterState.GONE, WriterState.ALIVE]


@pytest.mark.parametrize("knows", ["process", "files"])
def test_a_call_without_an_answer_is_awaited_for_as_long_as_its_client_is_known_to_run(
    spool: Spool, source: FakeSource, knows: str
) -> None:
    if knows == "process":
        source.process = ClientProcess(is_running=True)
    else:
        source.is_abandoned = False
    later = NOW + 3600 * SECOND
    source.say(prompt("p"), call("1", "x", 2))
    spool.advance(NOW)
    spool.advance(later)
    during = spool.writer(later)
    source.process, source.is_abandoned = ClientProcess(), None
    unknown = spool.writer(later)
    source.is_abandoned = False
    source.say(Result(id="1", time=3, is_error=False))
    spool.advance(later)

    assert (during, unknown, spool.writer(later)) == (WriterState.ALIVE, WriterState.UNKNOWN, WriterState.UNKNOWN)


def test_a_call_that_only_the_client_s_process_shows_keeps_a_session_at_work_and_is_in_its_journal_once(
    spool: Spool, source: FakeSource
) -> None:
    later = NOW + 3600 * SECOND
    source.process = ClientProcess(is_running=True)
    source.say(prompt("p"), TurnEnded(id="t", time=2, text="I run the tests."))
    spool.advance(NOW)
    states = [spool.writer(later)]
    source.running = [ToolCall(id="c", time=3, tool="run_shell_command", summary="make")]
    for _ in range(2):
        spool.advance(later)
    states.append(spool.writer(later))
    source.running.clear()
    source.say(
        ToolCall(id="c", time=2, tool="run_shell_command", summary="make"), Result(id="c", time=4, is_error=False)
    )
    spool.advance(later)
    states.append(spool.writer(later))

    assert states == [WriterState.UNKNOWN, WriterState.ALIVE, WriterState.UNKNOWN]
    assert kinds(spool.path) == ["session", "prompt", "turn", "action", "action"]
