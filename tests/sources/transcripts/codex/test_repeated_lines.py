"""Lines that are in a rollout twice: written again, or alike by chance."""

import pytest

from seqthink.sources.transcripts.facts import Prompt, Reasoning, ToolCall, TurnEnded
from seqthink.sources.transcripts.source import ReadCounts
from tests.sources.transcripts.codex.rollouts import FORK, LATER_TURN, THREAD, event, facts_of, item, meta, of, words_of
from tests.sources.transcripts.codex.test_copied_lines import ORIGINAL, own_turn, retimed

LINES = [meta(), *ORIGINAL, *own_turn(LATER_TURN), event("agent_message", message="so", second=53)]


@pytest.mark.parametrize("again", [LINES, LINES[:4], LINES[2:5], LINES[-4:-1]], ids=["all", "begin", "middle", "end"])
def test_what_is_appended_again_is_emitted_once(again: list[bytes]) -> None:
    goes_on = event("user_message", message="and now?", second=58)

    assert words_of(facts_of([*LINES, *again, goes_on])) == words_of(facts_of([*LINES, goes_on]))


def test_a_rollout_without_times_that_is_appended_to_itself_is_emitted_once() -> None:
    bare = [one[one.index(b'"payload":') + 10 : -1] for one in LINES[1:] if b'"response_item"' in one]
    lines = [b'{"id":"%s","timestamp":"2025-06-01T10:00:00.000Z"}' % THREAD.encode(), *bare, bare[-1]]

    assert words_of(facts_of(lines * 2)) == words_of(facts_of(lines))


def test_lines_of_one_time_that_are_alike_are_emitted_each() -> None:
    asked = [
        event("task_started", turn_id="t1"),
        event("user_message", message="again"),
        event("agent_message", message="no"),
        event("task_complete", turn_id="t1", last_agent_message="no"),
    ]
    original = [meta(), *asked, *asked]
    fork = [meta(FORK, forked_from_id=THREAD), *retimed(original, 0), *own_turn(LATER_TURN)]

    for lines in (original, fork):
        facts = facts_of(lines)
        assert [one.text for one in of(Prompt, facts)][:2] == ["again", "again"]
        assert [one.text for one in of(TurnEnded, facts)] == ["no", "no"]


def test_what_follows_a_repetition_at_the_same_time_is_new() -> None:
    hm = item("reasoning", id="rs_1", summary=[{"text": "hm"}], second=9)
    call = item("function_call", name="exec_command", arguments="{}", call_id="c9", second=9)

    facts = facts_of([*LINES, *LINES, hm, call])

    assert [one.text for one in of(Reasoning, facts)] == ["hm", "hm"]
    assert [one.id for one in of(ToolCall, facts)][-1] == "c9"


def test_unknown_lines_that_are_alike_are_counted_each() -> None:
    counts = ReadCounts()
    facts_of([b'{"v":9}'] * 3, counts=counts)

    assert counts.unknown == 3


def test_damage_that_is_alike_is_counted_each_also_where_the_rollout_begins_with_it() -> None:
    counts = ReadCounts()
    torn = b'{"time'
    facts_of([torn, *LINES[:3], torn, *LINES[3:], torn], counts=counts)

    assert counts.corrupt == 3


def test_an_unknown_line_before_the_first_record_is_not_where_a_rollout_begins() -> None:
    counts = ReadCounts()
    newer = b'{"type":"newest-of-all","payload":{"type":"x"}}'
    facts_of([newer, *LINES[:3], newer, *LINES[3:]], counts=counts)

    assert counts.unknown == 2
