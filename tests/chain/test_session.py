"""Sessions are read-only views: later events change none; a prefix is what it would have been by itself."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.core.events import ThoughtEvent, WriterState
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded
from tests.support.journals.naive_fold import NaiveLane, NaiveSession, NaiveThought, naive_fold
from tests.support.journals.session_values import BEYOND_THE_MOMENT, SESSION_MAKERS, VIEWS, public_values


@given(journals(transcript=True), st.sampled_from(list(WriterState)), st.booleans())
def test_every_prefix_reads_as_if_the_rest_had_never_come(
    journal: Journal, writer: WriterState, has_native: bool
) -> None:
    items = journal.items
    whole = folded(items, Fold(has_native=has_native)).session(writer)

    for count in range(len(items) + 1):
        alone = folded(items[:count], Fold(has_native=has_native)).session(writer)
        assert public_values(whole.at(count), items) == public_values(alone, items)


@given(journals(transcript=True), st.sampled_from(list(WriterState)), st.booleans())
def test_a_session_taken_earlier_reads_as_it_did(journal: Journal, writer: WriterState, has_native: bool) -> None:
    growing, taken = Fold(has_native=has_native), list[Session]()
    before = list[dict[str, object]]()
    for item in [None, *journal.items]:
        folded([] if item is None else [item], growing)
        taken.append(growing.session(writer))
        before.append(public_values(taken[-1], journal.items))

    assert [public_values(session, journal.items) for session in taken] == before


@pytest.mark.deep  # each prefix reads as if the rest had never come: above
@given(journals(transcript=True), st.booleans())
def test_a_prefix_of_a_prefix_is_that_prefix(journal: Journal, has_native: bool) -> None:
    whole = folded(journal.items, Fold(has_native=has_native)).session()

    for longer in range(len(journal.items) + 1):
        for shorter in (0, longer // 2, longer, longer + 1):
            once = whole.at(min(shorter, longer))
            assert public_values(whole.at(longer).at(shorter), journal.items) == public_values(once, journal.items)


@given(journals(transcript=True))
def test_a_session_at_a_thought_ends_with_that_thought(journal: Journal) -> None:
    whole = folded(journal.items).session()
    places = [place for place, item in enumerate(journal.items, 1) if isinstance(item, ThoughtEvent)]

    assert [whole.at_thought(count).entry_count for count in range(1, whole.thought_count + 1)] == places
    assert whole.at_thought(0).thought_count == 0


def test_the_laws_read_everything_that_a_session_offers() -> None:
    session = folded(Journal().think(1).items).session()
    offered = _public_names(session) | {
        f"{view}.{name}" for view in VIEWS for name in _public_names(getattr(session, view))
    }

    values = public_values(session, Journal().think(1).items).keys()
    read = {name for name in values if " " not in name} - {"document"}
    assert offered - SESSION_MAKERS - VIEWS - BEYOND_THE_MOMENT == read


@given(journals(size=40, transcript=True), st.booleans())
def test_what_is_kept_ready_is_what_a_count_would_give(journal: Journal, has_native: bool) -> None:
    session = folded(journal.items, Fold(has_native=has_native)).session()
    asides = [session.asides.get(number) for number in range(session.asides.count)]

    for chain in range(session.chain_count):
        for lane in session.chains.lanes_of(chain):
            thoughts = session.lanes.get(lane).thoughts
            calls = [index for index in thoughts if session.native.kind_of(index) is None]
            assert session.lanes.duration_of(lane) == sum(
                session.thoughts.duration_of(index) or 0 for index in calls or thoughts
            )
    for index in range(session.thought_count):
        thought = session.thoughts.get(index)
        assert (session.thoughts.target_of(index), session.thoughts.skipped_count_of(index)) == (
            thought.target,
            thought.skipped_count,
        )
        assert session.lanes.newest_branch_from(index) == max(session.lanes.branches_from(index), default=NONE)
        assert session.asides.count_before(index) == sum(aside.thoughts_before <= index for aside in asides)
        below = [number for number, aside in enumerate(asides) if aside.thought_above == index]
        assert session.asides.first_after(index) == (below[0] if below else NONE)


def test_clocks_that_jump_to_and_fro_never_add_up_to_more_than_a_column_holds() -> None:
    far = datetime(9999, 1, 1, tzinfo=UTC)
    journal = Journal()
    for number in range(1, 200):
        journal.clock = far if number % 2 else datetime(1, 1, 2, tzinfo=UTC)
        journal.think(number)

    assert folded(journal.items).session().lanes.duration_of(0) > 0


@given(journals(size=40, transcript=True))
def test_a_branch_has_never_the_turn_of_the_one_before_it_nor_of_its_own_lane(journal: Journal) -> None:
    session = folded(journal.items).session()
    for chain in range(session.chain_count):
        trunk, *branches = (session.lanes.get(ordinal) for ordinal in session.chains.lanes_of(chain))
        beside: dict[int, list[int]] = {}
        for lane in branches:
            parent = trunk.ordinal if lane.parent == NONE else lane.parent
            before = beside.setdefault(parent, [])
            assert lane.colour_slot not in before[-4:]
            if parent != trunk.ordinal:
                assert lane.colour_slot != session.lanes.get(parent).colour_slot
            before.append(lane.colour_slot)


def test_branches_of_one_lane_take_all_turns_before_one_comes_again() -> None:
    journal = Journal().think(1, totalThoughts=2)
    for name in "abcdefgh":
        journal.think(1, branchId=name, branchFromThought=1)
    session = folded(journal.items).session()

    assert [session.lanes.get(ordinal).colour_slot for ordinal in range(1, 9)] == [0, 1, 2, 3, 4, 5, 0, 1]


@given(journals(size=40, transcript=True))
def test_a_session_answers_as_a_count_over_the_plain_fold(journal: Journal) -> None:
    session, plain = folded(journal.items).session(), naive_fold(journal.items)
    place = {thought: index for index, thought in enumerate(plain.thoughts)}
    lanes = [lane for chain in plain.chains for lane in chain.lanes]
    branches = [lane for lane in lanes if lane.key is not None]
    # A lane hangs from a thought of its own chain; one that goes on from an earlier chain hangs from nothing.
    forks = {lane: lane.fork for chain in plain.chains for lane in chain.lanes if lane.fork in (None, *chain.thoughts)}

    for thought, index in place.items():
        lane = lanes[session.thoughts.lane_of(index)]
        place_in_lane = session.thoughts.index_in_lane(index)
        shown = session.thoughts.get(index)
        revisers = [place[other] for other in plain.thoughts if other.revises is thought]
        assert lane.thoughts[place_in_lane] is thought
        assert session.thoughts.reviser_of(index) == max(revisers, default=NONE)
        assert list(session.lanes.branches_from(index)) == [
            ordinal for ordinal, other in enumerate(lanes) if forks.get(other) is thought
        ]
        assert thought in plain.chains[session.thoughts.chain_of(index)].thoughts
        assert (shown.highest_number, shown.occurrence) == (thought.lane_high, thought.occurrence)
        assert session.thoughts.index_of_seq(shown.seq) == index
        assert place_in_lane + 1 <= session.lanes.length_of(session.thoughts.lane_of(index))
    depths = [session.lanes.get(ordinal).depth for ordinal in range(len(lanes))]
    assert depths == [_depth(lane, plain, forks) for lane in lanes]
    assert session.branch_count == len(branches)
    assert session.revision_count == sum(thought.is_revision for thought in plain.thoughts)
    for ordinal, chain in enumerate(plain.chains):
        assert [place[thought] for thought in chain.thoughts] == list(session.chains.thoughts_of(ordinal))
        assert [lanes[lane] for lane in session.chains.lanes_of(ordinal)] == chain.lanes
        loose = session.lanes.branches_without_fork(ordinal)
        assert [lanes[lane] for lane in loose] == [lane for lane in chain.lanes[1:] if forks.get(lane) is None]


def _depth(lane: NaiveLane, plain: NaiveSession, forks: dict[NaiveLane, NaiveThought | None]) -> int:
    if lane in [chain.lanes[0] for chain in plain.chains]:
        return 0
    fork = forks.get(lane)
    return 1 + (_depth(plain.lane_of(fork), plain, forks) if fork is not None else 0)


def test_an_index_of_a_seq_that_is_no_thought_is_none() -> None:
    session = folded(Journal().session().think(1).rejected().think(2).items).session()

    assert [session.thoughts.index_of_seq(seq) for seq in range(6)] == [NONE, NONE, 0, NONE, 1, NONE]


def test_a_prefix_knows_no_index_of_a_later_seq() -> None:
    session = folded(Journal().think(1).think(2).items).session()

    assert session.at(1).thoughts.index_of_seq(2) == NONE


def test_a_reviser_is_the_newest_within_the_prefix() -> None:
    session = folded(Journal().think(1).revise(2, 1).revise(3, 1).items).session()

    assert [session.at(count).thoughts.reviser_of(0) for count in (1, 2, 3)] == [NONE, 1, 2]


def test_a_late_audit_is_unknown_to_an_earlier_moment() -> None:
    session = folded(Journal().think(1, nextThoughtNeeded=False).audit(1, "reject").items).session()

    assert [session.at(count).thoughts.is_final(0) for count in (1, 2)] == [True, False]
    assert [len(session.at(count).thoughts.attachments(0)) for count in (1, 2)] == [0, 1]


def test_a_second_audit_does_not_move_the_moment_of_the_first() -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).audit(1, "reject").audit(1, "revise")
    session = folded(journal.items).session()

    assert [session.at(count).thoughts.is_final(0) for count in (1, 2, 3)] == [True, False, False]


def test_lines_that_come_after_a_moment_are_not_counted_in_it() -> None:
    session = folded(Journal().think(1).unread().corrupt().rejected().think(2).items).session()

    counted = [session.at(count) for count in range(6)]

    assert [(one.unknown_count, one.corrupt_count, one.asides.refused_count) for one in counted] == [
        (0, 0, 0),
        (0, 0, 0),
        (1, 0, 0),
        (1, 1, 0),
        (1, 1, 1),
        (1, 1, 1),
    ]


def test_a_refusal_says_after_how_many_thoughts_it_came() -> None:
    session = folded(Journal().rejected().think(1).think(2).rejected().items).session()

    assert [session.asides.get(number).thoughts_before for number in range(session.asides.refused_count)] == [0, 2]


def test_a_moment_out_of_range_is_the_nearest_there_is() -> None:
    session = folded(Journal().session().think(1).end().items).session()

    assert [session.at(count).entry_count for count in (-1, 99)] == [0, 3]
    assert [session.at_thought(count).entry_count for count in (-1, 99)] == [0, 2]


def test_a_title_outlives_a_resume_without_one() -> None:
    session = folded(Journal().session(title="T").end().session(resumed=True).items).session()

    assert session.title == "T"
    assert session.at(0).title is None


def test_the_place_of_a_line_in_its_file_is_kept() -> None:
    growing = Fold()
    for item, offset in zip(Journal().think(1).rejected().audit(1).items, (7, 70, 700), strict=True):
        assert not isinstance(item, str)
        growing.evolve(item, offset, 63)
    session = growing.session()

    places = [session.thoughts.get(0), session.asides.get(0), session.thoughts.attachments(0)[0]]

    assert [(place.offset, place.size) for place in places] == [(7, 63), (70, 63), (700, 63)]


@given(journals(size=20, transcript=True), st.sampled_from(list(WriterState)), st.sampled_from(list(WriterState)))
def test_with_another_writer_a_session_reads_as_if_folded_with_that_one(
    journal: Journal, writer: WriterState, other: WriterState
) -> None:
    fold = folded(journal.items)

    read = public_values(fold.session(writer).with_writer(other), journal.items)

    assert read == public_values(fold.session(other), journal.items)


@given(journals(40))
def test_what_a_row_has_marks_for_is_among_what_belongs_to_its_thought(journal: Journal) -> None:
    whole = folded(journal.items).session()
    for session in (whole.at(entries) for entries in range(whole.entry_count + 1)):
        for index in range(session.thought_count):
            attached = session.thoughts.attachments(index)

            assert session.thoughts.verdict_on(index) == next((one for one in reversed(attached) if one.verdict), None)
            assert session.thoughts.has_attached(index, "note") == any(one.kind == "note" for one in attached)
            assert session.thoughts.has_attached(index, "context") == any(one.kind == "context" for one in attached)
            assert attached[:2] == list(attached)[:2]


def _public_names(value: object) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}
