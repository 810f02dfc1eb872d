"""What a client asks its user outside of the transcript is in the journal in memory until it ends."""

import pytest

from seqthink.chain.attention import standing
from seqthink.chain.overview.ending_lines import ending_of_lines, fields_of_line
from seqthink.chain.state import State
from seqthink.core.events import AskingEvent, ElicitEvent, WriterState
from seqthink.sources.transcripts.facts import AgentStarted, Fact, Result, SessionDescribed, ToolCall, TurnEnded
from seqthink.sources.transcripts.live.work_watch import MAX_SILENT_SECONDS
from seqthink.sources.transcripts.source import ClientProcess
from seqthink.sources.transcripts.spool import Spool
from tests.support.transcripts.fake_source import NOW, SECOND, FakeSource, call, events_of, kinds, prompt

PROMPT = ClientProcess(is_running=True, waits_for="permission prompt", since=NOW - 5 * SECOND)
BUSY = ClientProcess(is_running=True)


def tool(identifier: str, tool: str = "Bash", summary: str = "make deploy", *, agent: str | None = None) -> ToolCall:
    return ToolCall(id=identifier, time=NOW - 60 * SECOND, agent=agent, tool=tool, summary=summary)


def look(spool: Spool, source: FakeSource, process: ClientProcess, *facts: Fact, now: int = NOW) -> str:
    """Return the question that is open after the next facts, by the newest lines; "" for none."""
    if facts:
        source.say(*facts)
    source.process = process
    spool.advance_to_end(now, 1 << 20)
    lines = [fields for line in spool.path.read_bytes().splitlines() if (fields := fields_of_line(line)) is not None]
    return standing(ending_of_lines(lines, State.THINKING), now).question


def test_a_call_that_waits_for_permission_asks_you_until_the_client_goes_on(spool: Spool, source: FakeSource) -> None:
    states = [
        look(spool, source, BUSY, prompt("p"), tool("1")),
        look(spool, source, PROMPT),
        look(spool, source, PROMPT),
        look(spool, source, BUSY, Result(id="1", time=NOW, is_error=False)),
    ]
    asked = next(event for event in events_of(spool.path) if isinstance(event, AskingEvent))

    assert states == ["", "allow Bash make deploy?", "allow Bash make deploy?", ""]
    assert kinds(spool.path) == ["session", "prompt", "action", "asking", "action", "elicit"]
    assert (asked.of, asked.call, asked.purpose) == (3, "1", "permission")
    assert asked.time.timestamp() * SECOND == PROMPT.since


def test_a_question_that_ends_without_a_word_in_the_transcript_ends(spool: Spool, source: FakeSource) -> None:
    look(spool, source, PROMPT, prompt("p"), tool("1"))

    assert look(spool, source, BUSY) == ""
    ended = events_of(spool.path)[-1]
    assert isinstance(ended, ElicitEvent)
    assert (ended.of, ended.call, ended.action, ended.error) == (3, "1", None, None)


@pytest.mark.parametrize("ending", [TurnEnded(id="t", time=2), TurnEnded(id="t", time=2, is_aborted=True)], ids=str)
def test_a_session_whose_turn_is_over_asks_nothing(spool: Spool, source: FakeSource, ending: TurnEnded) -> None:
    look(spool, source, PROMPT, prompt("p"), tool("1"))

    assert look(spool, source, PROMPT, ending) == ""


def test_the_call_that_is_asked_for_is_the_first_that_has_no_answer(spool: Spool, source: FakeSource) -> None:
    asked = [
        look(spool, source, PROMPT, prompt("p"), tool("1"), tool("2", "Edit", "a.py")),
        look(spool, source, PROMPT, Result(id="1", time=NOW, is_error=False)),
    ]

    assert asked == ["allow Bash make deploy?", "allow Edit a.py?"]


def test_the_call_of_a_sub_agent_is_asked_for_and_not_the_one_that_started_it(spool: Spool, source: FakeSource) -> None:
    started = AgentStarted(id="a", time=NOW, call="1")
    one = look(spool, source, PROMPT, prompt("p"), tool("1", "Agent"), started, prompt("q", agent="a"))
    two = look(spool, source, PROMPT, tool("2", agent="a"))
    three = look(spool, source, PROMPT, tool("3", "Edit", "a.py", agent="b"))

    assert (one, two, three) == (
        "permission prompt",
        "allow Bash make deploy?",
        "allow one of Bash make deploy, Edit a.py?",
    )


@pytest.mark.parametrize(
    ("process", "facts", "question"),
    [
        (PROMPT, [tool("1", "ExitPlanMode", "")], "approve the plan?"),
        (PROMPT, [call("1", "So", 2)], "allow sequentialthinking?"),
        (PROMPT, [tool(one, summary=one, agent=one) for one in "abcde"], "allow one of Bash a, Bash b, Bash c +2?"),
        (PROMPT._replace(waits_for="sandbox request"), [tool("1")], "sandbox request"),
        (PROMPT, [], "permission prompt"),
    ],
)
def test_the_question_says_what_is_to_be_allowed(
    spool: Spool, source: FakeSource, process: ClientProcess, facts: list[Fact], question: str
) -> None:
    assert look(spool, source, process, prompt("p"), *facts) == question


def test_a_path_in_the_working_folder_is_relative_to_it(spool: Spool, source: FakeSource) -> None:
    about = SessionDescribed(id="s1", time=1, cwd="/w")

    assert look(spool, source, PROMPT, about, prompt("p"), tool("1", "Edit", "/w/a.py")) == "allow Edit a.py?"


def test_a_question_of_the_client_s_tool_is_the_only_one(spool: Spool, source: FakeSource) -> None:
    asks = ToolCall(id="1", time=2, tool="AskUserQuestion", question="Which pool?")

    assert look(spool, source, PROMPT._replace(waits_for="input needed"), prompt("p"), asks) == "Which pool?"
    assert kinds(spool.path).count("asking") == 1


def test_a_call_that_should_run_by_now_and_does_not_waits_for_permission(spool: Spool, source: FakeSource) -> None:
    called = NOW - 60 * SECOND
    source.unstarted["1"] = called
    soon = look(spool, source, BUSY, prompt("p"), tool("1"), tool("2", "Edit", "a.py"), now=called + SECOND - 1)
    later = look(spool, source, BUSY, now=called + SECOND)
    source.unstarted.clear()

    assert [soon, later, look(spool, source, BUSY)] == ["", "allow Bash make deploy?", ""]


def test_a_call_that_does_not_run_and_has_ended_or_is_not_known_asks_nothing(spool: Spool, source: FakeSource) -> None:
    source.unstarted.update({"1": NOW - 9 * SECOND, "unknown": NOW - 9 * SECOND})

    assert look(spool, source, BUSY, prompt("p"), tool("1"), Result(id="1", time=NOW, is_error=False)) == ""


def test_a_time_that_is_ahead_or_older_than_the_call_is_not_taken(spool: Spool, source: FakeSource) -> None:
    look(spool, source, PROMPT._replace(since=NOW * 10**30), prompt("p"), tool("1"))
    look(spool, source, BUSY)
    look(spool, source, PROMPT._replace(since=0))
    times = [int(one.time.timestamp()) for one in events_of(spool.path) if isinstance(one, AskingEvent)]

    assert times == [NOW // SECOND, NOW // SECOND - 60]


def test_a_transcript_that_was_replaced_is_asked_for_again(spool: Spool, source: FakeSource) -> None:
    look(spool, source, PROMPT, prompt("p"), tool("1"))
    source.say(prompt("q"), tool("2", "Edit", "b.py"), restarted=True)

    assert look(spool, source, PROMPT) == "allow Edit b.py?"


def test_a_session_that_waits_for_its_user_is_at_work_however_long_that_takes(spool: Spool, source: FakeSource) -> None:
    later = NOW + 10 * MAX_SILENT_SECONDS * SECOND
    look(spool, source, PROMPT, prompt("p"), tool("1"))
    during = spool.writer(later)
    source.process = ClientProcess(is_running=False)

    assert (during, spool.writer(later)) == (WriterState.ALIVE, WriterState.GONE)
