"""Several agents in one server process: each counts by itself and has lanes of its own (seqthink/chain/fold.py)."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.events import ThoughtEvent, WriterState
from seqthink.drawing import plain
from seqthink.share.export.document import document
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded, texts
from tests.support.journals.fold_drawing import drawn, states
from tests.support.journals.given_texts import GivenTexts


def interleaved(*names: str | None, thoughts: int = 3) -> Journal:
    """Let agents think by turns, each its 1, 2, 3."""
    journal = Journal()
    for number in range(1, thoughts + 1):
        for name in names:
            journal.think(number, agent=name)
    return journal


# Each counts by itself


def test_two_agents_that_think_by_turns_have_a_lane_each() -> None:
    assert drawn(interleaved(None, "A")) == ["trunk: 1 2 3", "@A from #1: 1 2 3"]


def test_three_agents_without_a_main_one_have_a_lane_each() -> None:
    assert drawn(interleaved("A", "B", "C")) == ["trunk:", "@A ?: 1 2 3", "@B ?: 1 2 3", "@C ?: 1 2 3"]


def test_a_first_number_of_another_agent_begins_no_chain() -> None:
    journal = Journal().think(1).think(2).think(1, agent="A").think(3)

    assert drawn(journal) == ["trunk: 1 2 3", "@A from #2: 1"]


def test_the_main_agent_s_first_thought_joins_the_chain_that_another_one_began() -> None:
    journal = Journal().think(1, agent="A").think(1).think(2, agent="A").think(2)

    assert drawn(journal) == ["trunk: 1 2", "@A ?: 1 2"]


def test_an_agent_that_begins_another_problem_has_another_lane() -> None:
    journal = Journal().think(1).think(1, agent="A").think(2, agent="A").think(2).think(1, agent="A")

    assert drawn(journal) == ["trunk: 1 2", "@A from #1: 1 2", "@A from #4: 1"]


def test_a_number_means_a_thought_of_the_agent_that_names_it() -> None:
    journal = interleaved(None, "A").think(4, agent="A", revisesThought=2).think(4, revisesThought=2)

    assert drawn(journal) == ["trunk: 1 2 3 4↺#3", "@A from #1: 1 2 3 4↺#4"]


def test_a_number_that_only_another_agent_has_means_nothing() -> None:
    journal = interleaved(None, thoughts=3).think(1, agent="A").think(2, agent="A", revisesThought=3)

    assert drawn(journal) == ["trunk: 1 2 3", "@A from #3: 1 2↺3?"]


def test_branches_of_one_name_are_apart() -> None:
    journal = interleaved(None, "A", thoughts=2).branch(3, "x", 1).branch(3, "x", 2, agent="A").branch(4, "x")

    assert drawn(journal) == ["trunk: 1 2", "@A from #1: 1 2", "x from #1: 3 4", "@A/x from #4: 3"]


def test_a_repeat_is_one_only_by_the_same_agent() -> None:
    journal = Journal().think(1, "same").think(1, "same", agent="A").think(2, "b", agent="A").think(2, "b", agent="A")

    assert drawn(journal) == ["trunk: 1", "@A from #1: 1 2 2="]


def test_a_gap_is_one_only_among_the_agent_s_own_numbers() -> None:
    journal = interleaved(None, thoughts=4).think(1, agent="A").think(3, agent="A")

    assert drawn(journal) == ["trunk: 1 2 3 4", "@A from #4: 1 ..1 3"]


def test_an_estimate_changes_within_a_lane() -> None:
    journal = Journal().think(1).think(1, agent="A", totalThoughts=3).think(2).think(2, agent="A", totalThoughts=4)

    assert drawn(journal) == ["trunk: 1 2", "@A from #1: 1 2(3→4)"]


def test_an_empty_id_is_the_main_agent_s() -> None:
    assert drawn(Journal().think(1).think(2, agent="")) == ["trunk: 1 2"]


# Where a lane leaves


def test_a_lane_leaves_from_the_thought_that_called_its_agent() -> None:
    journal = Journal().think(1).think(2).agent("A", of=1).think(3).think(1, agent="A")

    assert drawn(journal) == ["trunk: 1 2 3", "@A from #1: 1"]


def test_a_lane_leaves_from_the_newest_thought_of_the_agent_that_started_it() -> None:
    journal = Journal().think(1).think(1, agent="A").agent("B", parent="A").think(2).think(1, agent="B")

    assert drawn(journal) == ["trunk: 1 2", "@A from #1: 1", "@B from #2: 1"]


def test_an_agent_that_is_its_own_parent_or_unknown_leaves_from_the_main_line() -> None:
    journal = Journal().think(1).agent("A", parent="A").think(1, agent="A")
    journal.agent("B", parent="never seen", of=99).think(1, agent="B")

    assert drawn(journal) == ["trunk: 1", "@A from #1: 1", "@B from #1: 1"]


# Chains of the main agent


def test_an_agent_that_goes_on_after_the_main_one_began_another_chain_goes_on_there() -> None:
    journal = interleaved(None, "A", thoughts=2).think(1).think(3, agent="A").think(4, agent="A", revisesThought=1)

    assert drawn(journal) == ["trunk: 1 2", "@A from #1: 1 2", "--", "trunk: 1", "@A <#4: 3 4↺#2"]


def test_a_branch_of_an_agent_goes_on_in_another_chain_too() -> None:
    journal = Journal().think(1).think(1, agent="A").branch(2, "x", 1, agent="A").think(1).branch(3, "x", agent="A")

    assert drawn(journal) == ["trunk: 1", "@A from #1: 1", "@A/x from #2: 2", "--", "trunk: 1", "@A/x <#3: 3"]


# How a session stands


def test_a_session_is_not_done_when_only_another_agent_is() -> None:
    journal = Journal().think(1).think(1, agent="A", nextThoughtNeeded=False)

    assert states(journal, WriterState.ALIVE) == ["thinking", "thinking"]


def test_a_session_is_not_done_while_another_agent_goes_on_after_the_main_one_s_end() -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).think(1, agent="A")

    assert states(journal, WriterState.ALIVE)[-1] == "thinking"
    assert states(journal.think(2, agent="A", nextThoughtNeeded=False), WriterState.ALIVE)[-1] == "done"


def test_an_agent_that_never_said_it_was_done_keeps_no_session_open_that_the_main_one_concluded() -> None:
    journal = Journal().think(1).think(1, agent="A").think(2, nextThoughtNeeded=False)

    assert states(journal, WriterState.ALIVE)[-1] == "done"


def test_agents_alone_are_done_when_each_of_them_is() -> None:
    journal = Journal().think(1, agent="A").think(1, agent="B", nextThoughtNeeded=False)

    assert states(journal, WriterState.ALIVE)[-1] == "thinking"
    assert states(journal.think(2, agent="A", nextThoughtNeeded=False), WriterState.ALIVE)[-1] == "done"


def test_the_leading_thought_is_the_main_agent_s_newest() -> None:
    session = folded(interleaved(None, "A", "B").items).session()

    assert [session.at(count).current_thought for count in range(10)] == [-1, 0, 0, 0, 3, 3, 3, 6, 6, 6]


def test_the_leading_thought_is_the_newest_of_all_where_the_main_agent_has_none() -> None:
    session = folded(interleaved("A", "B").items).session()

    assert [session.at(count).current_thought for count in range(7)] == [-1, 0, 1, 2, 3, 4, 5]


def test_how_long_a_thought_took_is_counted_from_its_agent_s_own() -> None:
    session = folded(interleaved(None, "A", "B", thoughts=2).items).session()

    assert [session.thoughts.duration_of(index) for index in range(6)] == [
        None,
        None,
        None,
        3_000_000,
        3_000_000,
        3_000_000,
    ]


# What is shown


def picture(journal: Journal, *, is_timeline: bool = False) -> list[str]:
    """Return the rows at 44 columns, the state line first."""
    session, errors = folded(journal.items).session(), ["no"] * len(journal.items)
    spoken = texts(journal.items).__getitem__
    return list(
        plain.overview_lines(GivenTexts(session, spoken, errors.__getitem__), width=44, is_timeline=is_timeline)
    )


def test_the_tree_draws_each_agent_s_thoughts_and_refused_calls_below_one_another() -> None:
    journal = interleaved(None, "A", "B", thoughts=2).rejected(agent="A").agent("A", name="explore:\x1b pool").think(3)

    assert picture(journal) == [
        "○ open · ?                           3 of ~5",
        " ●  1 t1",
        " ├─╮ explore:␛ pool                  2 of ~5",
        " │ ●  1 t2",
        " │ ●  2 t5",
        " │ ✗ refused: no",
        " ├─╮ agent 2                         2 of ~5",
        " │ ●  1 t3",
        " │ ●  2 t6",
        " ●  2 t4",
        " ●  3 t9",
        " ○ 4–5 expected",
    ]


def test_the_timeline_has_a_lane_for_each_agent() -> None:
    journal = interleaved(None, "A", "B", thoughts=2).rejected(agent="A")

    assert picture(journal, is_timeline=True)[1:] == [
        " ●─┬─╮  1 t1",
        " │ ● │  1 agent 1: t2",
        " │ │ ●  1 agent 2: t3",
        " ● │ │  2 t4",
        "   ● │  2 agent 1: t5",
        "     ●  2 agent 2: t6",
        "   ✗   refused: no",
    ]


def test_more_is_expected_of_the_main_agent_only() -> None:
    journal = Journal().think(1, totalThoughts=3).think(1, agent="A", totalThoughts=9)

    assert picture(journal)[-1] == " ○ 2–3 expected"


def test_an_arrow_into_an_earlier_chain_is_no_crooked_line() -> None:
    journal = Journal().think(1).think(1, agent="A").think(1).think(2, agent="A", revisesThought=1).think(2)

    assert picture(journal)[1:] == [
        "── 1 ────────────────────────────── 03:04 ──",
        " ●  1 t1",
        " ├─╮ agent 1                         1 of ~5",
        "   ●  1 t2                                ↻2",
        "── 2 ────────────────────────────── 03:04 ──",
        "   ●  1 t3",
        "   ●  2 t5",
        "   ○ 3–5 expected",
        "   ──╮ agent 1                       2 of ~5",
        "    ┊↺  2 t4                              ↺1",
    ]
    assert picture(journal, is_timeline=True)[1:] == [
        "── 1 ────────────────────────────── 03:04 ──",
        " ●─╮  1 t1",
        "   ●  1 agent 1: t2                       ↻2",
        "── 2 ────────────────────────────── 03:04 ──",
        " ●    1 t3",
        " │ ↺  2 agent 1: t4",
        " ●    2 t5",
    ]


# The folded session as JSON


def test_every_lane_says_whose_it_is() -> None:
    journal = interleaved(None, "A", thoughts=2).branch(3, "x", 1, agent="A")
    session = folded(journal.items).session()
    lanes = document(GivenTexts(session, texts(journal.items).__getitem__))["chains"][0]["lanes"]

    assert [(lane["agent"], lane["branch"], lane["fork"]) for lane in lanes] == [
        (None, None, None),
        ("A", None, 1),
        ("A", "x", 2),
    ]


def test_an_export_without_agents_is_as_it_was_before_there_were_any() -> None:
    journal = interleaved(None)
    session = folded(journal.items).session()
    lane = document(GivenTexts(session, texts(journal.items).__getitem__))["chains"][0]["lanes"][0]

    assert list(lane) == ["branch", "named", "fork", "forkNumber", "thoughts"]


@given(journals(size=40))
def test_a_lane_holds_thoughts_of_one_agent_only(journal: Journal) -> None:
    session = folded(journal.items).session()
    spoken = [item for item in journal.items if isinstance(item, ThoughtEvent)]

    for index, event in enumerate(spoken):
        assert session.agents.id_of(session.lanes.get(session.thoughts.lane_of(index)).agent) == (event.agent or None)


@given(st.data(), st.permutations(["A"] * 6 + ["B"] * 6 + [None] * 6))
def test_however_agents_interleave_each_folds_as_it_would_alone(data: st.DataObject, turns: list[str | None]) -> None:
    """Of the main agent all is equal; of the others what a number means is, a chain of the main one apart."""
    together, alone = Journal(), {name: Journal() for name in (None, "A", "B")}
    for name in turns:
        fields: dict[str, Any] = {
            "totalThoughts": data.draw(st.integers(1, 6)),
            "branchId": data.draw(st.sampled_from([None, None, "x"])),
            "branchFromThought": data.draw(st.sampled_from([None, None, 1, 2])),
            "revisesThought": data.draw(st.sampled_from([None, None, 1, 2])),
        }
        number = data.draw(st.integers(2, 4))  # no 1: nothing begins another problem
        together.think(number, agent=name, **fields)
        alone[name].think(number, f"t{together.seq}", **fields)
    for name, journal in alone.items():
        assert meanings(together, name) == meanings(journal, None)


def meanings(journal: Journal, name: str | None) -> list[tuple[object, ...]]:
    """Return what the numbers of an agent's thoughts mean, each thought by its text."""
    session, spoken = folded(journal.items).session(), texts(journal.items)
    found: list[tuple[object, ...]] = []
    for index in range(session.thought_count):
        thought, lane = session.thoughts.get(index), session.lanes.get(session.thoughts.lane_of(index))
        if session.agents.id_of(lane.agent) != name:
            continue
        target = spoken[thought.target] if thought.target >= 0 else None
        has_own_fork = lane.fork >= 0 and session.lanes.get(session.thoughts.lane_of(lane.fork)).agent == lane.agent
        fork = spoken[lane.fork] if has_own_fork else None
        found.append(
            (
                thought.number,
                target,
                lane.name,
                fork,
                thought.occurrence,
                thought.skipped_count,
                thought.estimate_change,
            )
        )
    return found
