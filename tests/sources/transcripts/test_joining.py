"""Our journals and the transcript of the same session: our line of a call leads, and nothing comes twice or is lost."""

import pytest

from seqthink.sources.transcripts.call_keys import CallKeys
from seqthink.sources.transcripts.facts import AgentStarted, Fact, SessionDescribed, TurnEnded
from seqthink.sources.transcripts.joining import MAX_WAIT_MICROSECONDS
from seqthink.sources.transcripts.translation import Translator
from tests.support.transcripts.joined import LATE, NAMES, UNIQUE, Joined, Journal, call, prompt, result, thought

# Our line leads


def test_our_line_is_given_once_with_all_that_it_says_and_the_agent_of_the_transcript() -> None:
    journal = Journal()
    journal.think(thought(), 12, hint="why", coerced=["thoughtNumber"])
    facts = [
        AgentStarted(id="a", time=1, name="general: logs"),
        call("c", thought(number="1"), time=10, agent="a"),
        result("c", time=14, agent="a"),
    ]

    it = Joined().take(facts, journal.lines)

    assert it.kinds == ["session", "agent", "thought"]
    assert it.fields("thought") == [
        {**thought(), "hint": "why", "coerced": ["thoughtNumber"], "call": "c", "agent": "a"}
    ]


def test_our_refusal_keeps_its_own_text() -> None:
    journal = Journal()
    journal.add("rejected", 12, error="must be an integer, got abc", arguments=thought(number="abc"))
    facts = [call("c", thought(number="abc"), time=10), result("c", time=14, is_error=True)]

    it = Joined().take(facts, journal.lines)

    assert [fields["error"] for fields in it.fields("rejected")] == ["must be an integer, got abc"]


def test_a_refusal_for_another_reason_than_its_arguments_is_the_same_call() -> None:
    journal = Journal()
    journal.add("rejected", 12, error="at most 5 thoughts", arguments=thought())
    facts = [call("c", thought(), time=10), result("c", time=14, is_error=True)]

    assert [fields["error"] for fields in Joined().take(facts, journal.lines).fields("rejected")] == [
        "at most 5 thoughts"
    ]


def test_a_refusal_whose_arguments_were_cut_is_the_same_call() -> None:
    journal, long = Journal(), {"thought": "é" * 5000}
    data = '{"thought":"' + "é" * 5000
    cut = data.encode()[:4096].decode("utf-8", "ignore")
    journal.add("rejected", 12, error="ours", arguments=cut, truncated=True)

    it = Joined().take([call("c", long, time=10), result("c", time=14, is_error=True)], journal.lines)

    assert [fields["error"] for fields in it.fields("rejected")] == ["ours"]


def test_refused_calls_with_other_arguments_are_others() -> None:
    journal = Journal()
    journal.add("rejected", 12, error="ours", arguments={"a": 1})
    it = Joined().take([], journal.lines, now=LATE)

    it.take([call("c", {"a": 2}, time=10), result("c", time=14, is_error=True)])

    assert [fields["error"] for fields in it.fields("rejected")] == ["ours", "refused"]


def test_a_refused_call_of_another_tool_waits_for_nothing() -> None:
    journal = Journal()
    journal.add("rejected", 12, error="no such item", tool="update_context", arguments={})

    assert Joined().take([], journal.lines).kinds == ["session", "rejected"]


ATTACHED: list[tuple[str, dict[str, object]]] = [
    ("audit", {"review": {"verdict": "pass"}}),
    ("note", {"id": "n", "text": "look", "of": 0}),
    ("sample", {"purpose": "audit"}),
    ("elicit", {"purpose": "limit", "action": "accept"}),
    ("asking", {"purpose": "limit", "kind": "elicit"}),
    ("auditing", {"done": 1, "steps": 2, "doing": "parse"}),
    ("context", {"id": "c1", "action": "store", "content": "pool"}),
]


@pytest.mark.parametrize(("kind", "fields"), ATTACHED)
def test_what_belongs_to_a_thought_of_ours_belongs_to_it_here(kind: str, fields: dict[str, object]) -> None:
    journal = Journal()
    journal.think(thought(), 12)
    of = journal.think(thought("y", 2), 22)
    journal.add(kind, 23, **fields | {"of": of})
    facts: list[Fact] = [
        prompt("p", time=5),
        call("c", thought(), time=10),
        result("c", time=14),
        call("d", thought("y", 2), time=20),
        result("d", time=24),
    ]

    it = Joined().take(facts, journal.lines)

    assert it.kinds == ["session", "prompt", "thought", "thought", kind]
    assert it.fields(kind) == [fields | {"of": 4}]


def test_what_belongs_to_a_line_that_could_not_be_read_is_left_out() -> None:
    journal = Journal()
    journal.add("note", 12, id="n", text="t", of=77)

    assert Joined().take([], journal.lines, now=LATE).kinds == []


def test_a_line_of_a_newer_version_is_kept_as_it_is() -> None:
    journal = Journal()
    journal.add("dream", 12, agent=["x"], key=1, fields={}, deep=[[1]])

    it = Joined().take([], journal.lines)

    assert it.fields("dream") == [{"key": 1, "fields": {}, "deep": [[1]]}]


def test_a_context_item_before_any_thought_is_kept() -> None:
    journal = Journal()
    journal.add("context", 12, id="c1", action="store", content="pool")

    assert Joined().take([], journal.lines).kinds == ["session", "context"]


# Whose call it was


def test_equal_calls_of_two_agents_belong_to_their_agents_in_the_order_in_which_they_came() -> None:
    journal = Journal()
    journal.think(thought(), 12, hint="first")
    journal.think(thought(), 13, hint="second")
    facts = [
        call("c", thought(), time=10, agent="a"),
        call("d", thought(), time=11, agent="b"),
        result("d", time=14, agent="b"),
        result("c", time=15, agent="a"),
    ]

    it = Joined().take(facts, journal.lines)

    assert [(fields["hint"], fields["agent"], fields["call"]) for fields in it.fields("thought")] == [
        ("first", "a", "c"),
        ("second", "b", "d"),
    ]


def test_of_equal_calls_one_that_was_answered_has_a_line_though_the_other_came_first() -> None:
    journal = Journal()
    journal.think(thought(), 30, hint="only")
    facts = [
        call("c", thought(), time=10, agent="a"),
        call("d", thought(), time=11, agent="b"),
        result("d", time=14, agent="b"),
        TurnEnded(id="t", time=20, agent="a"),
    ]

    it = Joined().take(facts, journal.lines)

    assert [(fields.get("hint"), fields["agent"]) for fields in it.fields("thought")] == [("only", "b"), (None, "a")]
    assert not it.joined.is_misplaced


def test_the_clients_id_decides_before_the_arguments_do() -> None:
    journal = Journal()
    journal.think(thought(), 12, call="d")
    journal.think(thought(), 13, toolUseId="c")
    facts = [
        call("c", thought(), time=10, agent="a"),
        call("d", thought(), time=11, agent="b"),
        result("c", time=14, agent="a"),
        result("d", time=14, agent="b"),
    ]

    it = Joined().take(facts, journal.lines)

    assert [fields["agent"] for fields in it.fields("thought")] == ["b", "a"]


def test_a_call_that_no_transcript_has_stays_where_it_came_on_the_main_line() -> None:
    journal = Journal()
    journal.think(thought("other"), 12, hint="lonely")
    it = Joined().take([prompt("p", time=5)], journal.lines, now=12 + MAX_WAIT_MICROSECONDS)

    waiting = it.kinds
    it.take(now=13 + MAX_WAIT_MICROSECONDS)

    assert waiting == ["session", "prompt"]
    assert it.kinds == ["session", "prompt", "thought"]
    assert "agent" not in it.fields("thought")[0]


def test_no_line_stops_waiting_while_the_transcript_has_not_been_read_to_its_end() -> None:
    journal = Journal()
    journal.think(thought(), 12)
    it = Joined().take([prompt("p", time=5)], journal.lines, now=LATE, at_end=False)

    it.take([call("c", thought(), time=10, agent="a"), result("c", time=14, agent="a")], now=LATE)

    assert [fields.get("agent") for fields in it.fields("thought")] == ["a"]
    assert not it.joined.is_misplaced


# Which comes first


def test_a_line_that_comes_before_its_call_is_held_until_the_call_is_there() -> None:
    journal = Journal()
    journal.think(thought(), 12)
    it = Joined().take([], journal.lines, now=13)

    it.take([call("c", thought(), time=10, agent="a")], now=14)

    assert [fields.get("agent") for fields in it.fields("thought")] == ["a"]


def test_a_line_comes_before_what_happened_after_it() -> None:
    journal = Journal()
    journal.think(thought(), 12)
    facts: list[Fact] = [prompt("p", time=5), call("c", thought(), time=10), result("c", time=14), prompt("q", time=20)]

    assert Joined().take(facts, journal.lines).kinds == ["session", "prompt", "thought", "prompt"]


def test_a_call_whose_turn_was_interrupted_has_our_line() -> None:
    journal = Journal()
    journal.think(thought("none"), 11, hint="blocks")
    journal.think(thought(), 12, hint="ours")
    facts = [call("c", thought(), time=10), TurnEnded(id="t", time=14, is_aborted=True)]

    it = Joined().take(facts, journal.lines)

    assert [fields["hint"] for fields in it.fields("thought")] == ["blocks", "ours"]
    assert it.kinds[-1] == "turn"


@pytest.mark.parametrize("agent", [None, "a"])
def test_a_line_that_waited_in_vain_is_not_given_again_when_its_call_comes(agent: str | None) -> None:
    journal = Journal()
    journal.think(thought(), 12)
    it = Joined().take([], journal.lines, now=LATE)

    it.take([call("c", thought(), time=10, agent=agent), result("c", time=14, agent=agent)], now=LATE)

    assert len(it.fields("thought")) == 1
    assert it.joined.is_misplaced == (agent == "a")


def test_a_line_that_names_the_agent_by_itself_is_not_misplaced() -> None:
    journal = Journal()
    journal.think(thought(), 12, agent="a", call="c")
    it = Joined().take([], journal.lines, now=LATE)

    it.take([call("c", thought(), time=10, agent="a"), result("c", time=14, agent="a")], now=LATE)

    assert [fields["agent"] for fields in it.fields("thought")] == ["a"]
    assert not it.joined.is_misplaced


def test_a_line_that_the_transcript_was_ahead_of_is_not_given_but_what_belongs_to_it_is() -> None:
    journal = Journal()
    of = journal.think(thought(), 12, hint="lost until it is translated again")
    journal.add("note", 13, id="n", text="t", of=of)
    it = Joined().take([call("c", thought(), time=10), result("c", time=14)])

    it.take([], journal.lines, now=LATE)

    assert it.kinds == ["session", "thought", "note"]
    assert it.fields("note")[0]["of"] == 2
    assert it.joined.is_misplaced


def test_a_second_line_of_a_call_is_given_too() -> None:
    journal = Journal()
    journal.add("rejected", 12, error="e", arguments={}, call=UNIQUE)
    journal.think(thought(), 13, call=UNIQUE)

    it = Joined().take([call(UNIQUE, thought(), time=10, agent="a"), result(UNIQUE, time=14, agent="a")], journal.lines)

    assert [(draft.kind, draft.fields["agent"]) for draft in it.drafts[2:]] == [("rejected", "a"), ("thought", "a")]


# Servers


def test_what_our_server_says_of_the_session_leads_and_the_clients_ids_stay() -> None:
    journal = Journal()
    journal.add("session", 11, session="ours", title="T", client={"name": "gemini-cli", "version": "1"}, pid=4)
    journal.think(thought(), 12)
    facts: list[Fact] = [
        SessionDescribed(id="s1", time=1, title="theirs", cwd="/w"),
        prompt("p", time=5),
        call("c", thought(), time=10),
        result("c", time=14),
    ]

    it = Joined().take(facts, journal.lines)
    first, second = it.fields("session")

    assert (first["title"], first["notes"]) == ("theirs", False)
    assert second == {
        "session": "gemini-s1",
        "title": "T",
        "client": {"name": "gemini-cli", "version": "1"},
        "cwd": "/w",
        "source": "gemini",
        "sourceIds": ["s1"],
        "pid": 4,
    }


def test_a_journal_that_takes_no_notes_says_so_here() -> None:
    journal = Journal()
    journal.add("session", 11, session="ours", notes=False, source="tap")
    journal.think(thought(), 12)

    assert Joined().take([], journal.lines, now=LATE).fields("session")[-1]["notes"] is False


def test_each_later_server_of_the_main_agent_resumed_the_session() -> None:
    first, second = Journal(0), Journal(1)
    first.add("session", 11, session="one")
    first.think(thought(), 12)
    first.add("end", 13, reason="eof")
    second.add("session", 21, session="two")
    second.think(thought("y"), 22)

    it = Joined(2).take([], [*second.lines, *first.lines], now=LATE)

    assert it.kinds == ["session", "thought", "end", "session", "thought"]
    assert [fields.get("resumed") for fields in it.fields("session")] == [None, True]


def test_the_server_of_a_fork_did_not_resume_the_session() -> None:
    first, second = Journal(0), Journal(1)
    first.add("session", 5, session="one")
    first.think(thought(), 6)
    second.add("session", 25, session="two")
    second.think(thought("b", 2), 26)
    facts = [
        call("c", thought(), time=5),
        result("c", time=7),
        call("d", thought("b", 2), time=24, agent="fork"),
        result("d", time=27, agent="fork"),
    ]

    it = Joined(2).take(facts, [*first.lines, *second.lines])

    assert [fields.get("resumed") for fields in it.fields("session")] == [None]
    assert [fields.get("agent") for fields in it.fields("thought")] == [None, "fork"]


def test_the_journal_of_a_subagents_server_brings_its_calls_only() -> None:
    main, agents = Journal(0), Journal(1)
    main.add("session", 11, session="main")
    main.think(thought(), 12, call="c")
    agents.add("session", 21, session="agents", title="not this")
    agents.add("agent", 21, id="a", model="m")
    agents.think(thought("y"), 22, agent="a", call="d")
    agents.add("end", 23, reason="eof")
    facts = [
        call("c", thought(), time=10),
        result("c", time=14),
        AgentStarted(id="a", time=20, name="Ada"),
        call("d", thought("y"), time=21, agent="a"),
        result("d", time=24, agent="a"),
    ]

    it = Joined(2).take(facts, [*main.lines, *agents.lines])

    assert it.kinds == ["session", "thought", "agent", "thought"]
    assert it.fields("agent")[0]["name"] == "Ada"
    assert "title" not in it.fields("session")[0]


def test_a_servers_first_line_waits_for_the_one_that_says_whose_server_it_is() -> None:
    agents = Journal()
    agents.add("session", 21, session="agents", title="not this")
    agents.add("agent", 21, id="a")
    agents.think(thought(), 22, agent="a", call="d")
    it = Joined()
    it.take([prompt("p", time=1)])

    for line in agents.lines:
        it.take([], [line], now=LATE)

    assert "title" not in it.fields("session")[0]
    assert len(it.fields("session")) == 1


def test_the_end_of_a_server_that_serves_several_agents_is_kept() -> None:
    journal = Journal()
    journal.add("session", 11, session="s")
    journal.think(thought(), 12)
    journal.add("agent", 13, id="a")
    journal.think(thought("y"), 13, agent="a")
    journal.add("end", 14, reason="eof")

    assert Joined().take([], journal.lines, now=LATE).kinds == ["session", "thought", "agent", "thought", "end"]


def test_lines_of_several_servers_come_in_the_order_of_their_times() -> None:
    first, second = Journal(0), Journal(1)
    for time in (11, 13, 15):
        first.think(thought(f"t{time}"), time)
    for time in (12, 14):
        second.think(thought(f"t{time}"), time)

    it = Joined(2).take([], [*first.lines, *second.lines], now=LATE)

    assert [fields["thought"] for fields in it.fields("thought")] == ["t11", "t12", "t13", "t14", "t15"]


def test_a_fork_repeats_calls_that_have_their_lines_already() -> None:
    journal = Journal()
    journal.think(thought(), 12, hint="h")
    facts: list[Fact] = [
        call("c", thought(), time=10),
        result("c", time=14),
        SessionDescribed(id="s2", time=30, agent="s2", forked_from="s1"),
        call("c", thought(), time=10, agent="s2"),
        result("c", time=14, agent="s2"),
        call("d", thought("y"), time=31, agent="s2"),
        result("d", time=32, agent="s2"),
    ]

    it = Joined().take(facts, journal.lines)

    assert [(fields["thought"], fields.get("agent")) for fields in it.fields("thought")] == [("x", None), ("y", "s2")]
    assert it.fields("agent") == [{"id": "s2", "name": "fork", "fork": True, "of": 2}]


def test_a_transcript_without_journals_is_translated_as_it_is() -> None:
    facts: list[Fact] = [prompt("p", time=1), call("c", thought(), time=2), result("c", time=3)]

    assert Joined(0).take(facts).drafts == Translator(NAMES).translate(facts)


# Which transcript a journal belongs to


def test_a_transcript_holds_a_call_by_its_id_or_else_by_its_arguments() -> None:
    keys = CallKeys()
    keys.add([call(UNIQUE, thought(number="1"), time=1), prompt("p", time=1)])
    lines = Journal()
    lines.think(thought(), 1)
    lines.think(thought("other"), 1, call=UNIQUE)
    lines.think(thought(), 1, call="other")
    lines.think(thought("other"), 1)
    lines.add("note", 1, id="n")

    assert [keys.holds(line) for line in lines.lines] == [True, True, False, False, False]


def test_calls_with_one_id_are_distinguished_by_their_arguments() -> None:
    journal = Journal()
    journal.think(thought("x"), 12, call="call_0")
    journal.think(thought("y"), 22, call="call_0")
    journal.think(thought("z"), 23, call="call_0")
    agent = call("a/call_0", thought("z"), time=21, agent="a", client_id="call_0")
    facts: list[Fact] = [
        call("call_0", thought("x"), time=11),
        result("call_0", time=13),
        agent,
        call("m2/call_0", thought("y"), time=21, client_id="call_0"),
        result("m2/call_0", time=24),
        result("a/call_0", time=25, agent="a"),
    ]

    it = Joined().take(facts, journal.lines, now=LATE)

    shown = [(fields["thought"], fields.get("agent")) for fields in it.fields("thought")]
    assert shown == [("x", None), ("y", None), ("z", "a")]
    assert not it.joined.is_misplaced


def test_a_line_waits_for_its_own_call_where_another_has_the_same_id() -> None:
    journal = Journal()
    journal.think(thought("of the agent"), 12, call="call_0")
    journal.think(thought("of the main line"), 13, call="call_0")
    it = Joined().take([call("call_0", thought("of the main line"), time=11)], journal.lines, now=14)

    it.take([call("a/call_0", thought("of the agent"), time=11, agent="a", client_id="call_0")], now=15)

    shown = [(fields["thought"], fields.get("agent")) for fields in it.fields("thought")]
    assert shown == [("of the agent", "a"), ("of the main line", None)]


def test_a_raised_estimate_is_compared_as_it_was_asked_for() -> None:
    keys = CallKeys()
    keys.add([call("c", thought(number=5), time=1)])
    journal = Journal()
    journal.think(thought(number=5) | {"totalThoughts": 5}, 1, requestedTotal=3)

    assert keys.holds(journal.lines[0])
