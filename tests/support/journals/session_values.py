"""All public values of a session, read once: two sessions are the same when these are equal."""

from typing import Any

from seqthink.chain.model import Landmark
from seqthink.chain.session import Session
from seqthink.share.export.document import document
from tests.support.journals.events_factory import Item, texts
from tests.support.journals.given_texts import GivenTexts

SESSION_MAKERS = {"with_writer", "at"}
"""Members that return other sessions; the laws call them themselves."""
BEYOND_THE_MOMENT = {"asides.will_move", "chains.moving_from", "positions.follow"}
"""Members that say something of all that was read, whichever moment the session shows, or of two sessions."""
VIEWS = {"thoughts", "lanes", "chains", "agents", "asides", "positions", "landmarks", "native", "branch_returns"}
"""Members that hold others."""


def public_values(session: Session, items: list[Item]) -> dict[str, Any]:
    """Return every public value of ``session`` under its name (``thoughts.number_of``), and its document."""
    indices, chains = range(session.thought_count), range(session.chain_count)
    lanes = [lane for chain in chains for lane in session.chains.lanes_of(chain)]
    last_seq = max((session.thoughts.get(index).seq for index in indices), default=0)
    positions, asides = range(session.entry_count + 1), range(session.asides.count)
    has_native = session.native.count > 0
    return {
        "entry_count": session.entry_count,
        "thought_count": session.thought_count,
        "writer": session.writer,
        "at_thought": [_place(session.at_thought(count)) for count in range(-1, session.thought_count + 2)],
        "thoughts.get": [
            (session.thoughts.get(index), session.thoughts.get(index).estimate_change) for index in indices
        ],
        "thoughts.seq_of": [session.thoughts.seq_of(index) for index in indices],
        "thoughts.number_of": [session.thoughts.number_of(index) for index in indices],
        "thoughts.highest_number_of": [session.thoughts.highest_number_of(index) for index in indices],
        "thoughts.target_of": [session.thoughts.target_of(index) for index in indices],
        "thoughts.skipped_count_of": [session.thoughts.skipped_count_of(index) for index in indices],
        "thoughts.plain_run": [
            session.thoughts.plain_run(index, session.thought_count, session.thoughts.lane_of(index))
            for index in indices
        ],
        "thoughts.lanes_of": list(session.thoughts.lanes_of(indices)),
        "thoughts.targets_of": list(session.thoughts.targets_of(indices)),
        "thoughts.gaps_in": set(session.thoughts.gaps_in(indices)),
        "lanes.newest_branch_from": [session.lanes.newest_branch_from(index) for index in indices],
        "asides.count_before": [session.asides.count_before(index) for index in indices],
        "asides.first_after": [session.asides.first_after(index) for index in indices],
        "asides.first_after with those that moved": [
            session.asides.first_after(index, with_moved=True) for index in indices
        ],
        "asides.all_after": [list(session.asides.all_after(index)) for index in indices],
        "asides.is_head": [session.asides.is_head(number) for number in asides],
        "asides.chain_of": [session.asides.chain_of(number) for number in asides],
        "asides.above_at_first": [session.asides.above_at_first(number) for number in asides],
        "asides.heads_of": [list(session.asides.heads_of(chain)) for chain in chains],
        "thoughts.estimate_of": [session.thoughts.estimate_of(index) for index in indices],
        "thoughts.may_change_estimate": [session.thoughts.may_change_estimate(index) for index in indices],
        "thoughts.is_plain": [session.thoughts.is_plain(index) for index in indices],
        "thoughts.is_revision": [session.thoughts.is_revision(index) for index in indices],
        "thoughts.line_extent_of": [session.thoughts.line_extent_of(index) for index in indices],
        "thoughts.entry_index_of": [session.thoughts.entry_index_of(index) for index in indices],
        "thoughts.lane_of": [session.thoughts.lane_of(index) for index in indices],
        "thoughts.index_in_lane": [session.thoughts.index_in_lane(index) for index in indices],
        "thoughts.time_of": [session.thoughts.time_of(index) for index in indices],
        "thoughts.duration_of": [session.thoughts.duration_of(index) for index in indices],
        "thoughts.is_final": [session.thoughts.is_final(index) for index in indices],
        "thoughts.reviser_of": [session.thoughts.reviser_of(index) for index in indices],
        "thoughts.revisers_of": [list(session.thoughts.revisers_of(index)) for index in indices],
        "thoughts.index_of_seq": [session.thoughts.index_of_seq(seq) for seq in range(last_seq + 3)],
        "thoughts.attachments": [list(session.thoughts.attachments(index)) for index in indices],
        "thoughts.verdict_on": [session.thoughts.verdict_on(index) for index in indices],
        "thoughts.has_attached": [
            (session.thoughts.has_attached(index, "note"), session.thoughts.has_attached(index, "context"))
            for index in indices
        ],
        "lanes.get": [_lane(session, lane) for lane in lanes],
        "lanes.agent_of": [session.lanes.agent_of(lane) for lane in lanes],
        "lanes.fork_of": [session.lanes.fork_of(lane) for lane in lanes],
        "lanes.length_of": [session.lanes.length_of(lane) for lane in lanes],
        "lanes.duration_of": [session.lanes.duration_of(lane) for lane in lanes],
        "lanes.newest_in": [session.lanes.newest_in(lane) for lane in lanes],
        "lanes.branches_from": [list(session.lanes.branches_from(index)) for index in indices],
        "lanes.branches_without_fork": [list(session.lanes.branches_without_fork(chain)) for chain in chains],
        "branch_returns.brought_back_by": [list(session.branch_returns.brought_back_by(index)) for index in indices],
        "branch_returns.returns_of": [list(session.branch_returns.returns_of(lane)) for lane in lanes],
        "branch_returns.return_of": [session.branch_returns.return_of(lane) for lane in lanes],
        "branch_returns.end_before": [session.branch_returns.end_before(lane, len(indices)) for lane in lanes],
        "branch_returns.is_end_of_returned": [session.branch_returns.is_end_of_returned(index) for index in indices],
        "labels": session.labels,
        "agents.count": session.agents.count,
        "agents.id_of": [session.agents.id_of(agent) for agent in range(session.agents.count + 1)],
        "agents.find": [session.agents.find(session.agents.id_of(agent)) for agent in range(session.agents.count + 1)],
        "agents.fork_count": session.agents.fork_count,
        "agents.is_fork": [session.agents.is_fork(agent) for agent in range(session.agents.count + 1)],
        "agents.in_turn_count": session.agents.in_turn_count,
        "agents.has_ended": [session.agents.has_ended(agent) for agent in range(session.agents.count + 1)],
        "agents.context_of": [session.agents.context_of(agent) for agent in range(session.agents.count + 1)],
        "agents.nearly_full": session.agents.nearly_full,
        "agents.event_of": [session.agents.event_of(agent) for agent in range(session.agents.count + 1)],
        "current_thought": session.current_thought,
        "chain_count": session.chain_count,
        "thoughts.chain_of": [session.thoughts.chain_of(index) for index in indices],
        "chains.thoughts_of": [session.chains.thoughts_of(chain) for chain in chains],
        "chains.lanes_of": [session.chains.lanes_of(chain) for chain in chains],
        "chains.first_of_main": [session.chains.first_of_main(chain) for chain in chains],
        "chains.heads_of": [list(session.chains.heads_of(chain)) for chain in chains],
        "chains.native_heads_of": [list(session.chains.native_heads_of(chain)) for chain in chains],
        "chains.drawn_in": [session.chains.drawn_in(index) for index in indices],
        "chains.drawn_on": [session.chains.drawn_on(index) for index in indices],
        "chains.is_answered": [session.chains.is_answered(chain) for chain in chains],
        "chains.is_concluded": [session.chains.is_concluded(chain) for chain in chains],
        "positions.end": session.positions.end,
        "chain_state": [session.chain_state(chain) for chain in chains],
        "state": session.state,
        "is_alive": session.is_alive,
        "session_event": session.session_event,
        "title": session.title,
        "end_event": session.end_event,
        "asides.refused_count": session.asides.refused_count,
        "asides.count": session.asides.count,
        "asides.first_prompt": session.asides.first_prompt,
        "asides.prompts": list(session.asides.prompts),
        "native.prompts": list(session.native.prompts),
        "branch_returns.returning": list(session.branch_returns.returning),
        "asides.get": [session.asides.get(number) for number in asides],
        "asides.items_of": [list(session.asides.items_of(number)) for number in asides],
        "asides.end_of": [list(map(session.asides.end_of, session.asides.items_of(number))) for number in asides],
        "asides.is_running": [
            list(map(session.asides.is_running, session.asides.items_of(number))) for number in asides
        ],
        "asides.failure_count_of": [session.asides.failure_count_of(number) for number in asides],
        "asides.put_back_by": [session.asides.put_back_by(number) for number in asides],
        "asides.retractions": list(session.asides.retractions),
        "native.has_numbers": session.native.has_numbers,
        "native.retractions": list(session.native.retractions),
        "asides.refused": list(session.asides.refused),
        "native.count": session.native.count,
        "native.call_count": session.native.call_count,
        "native.turn_count": session.native.turn_count,
        "native.has_unkept": session.native.has_unkept,
        "native.names_call_ends": session.native.names_call_ends,
        "native.has_remarks": session.native.has_remarks,
        "native.running_call": session.native.running_call,
        "native.last_agent": session.native.last_agent,
        "native.running_calls_of": [
            session.native.running_calls_of(session.agents.id_of(agent)) for agent in range(session.agents.count + 1)
        ],
        "native.last_record_of": [
            session.native.last_record_of(session.agents.id_of(agent)) for agent in range(session.agents.count + 1)
        ],
        "native.is_recorded": session.native.is_recorded,
        "native.left_behind_at": [session.native.left_behind_at(entry) for entry in range(session.entry_count)],
        "native.kind_of": [session.native.kind_of(index) for index in indices],
        "native.is_left_behind": [session.native.is_left_behind(index) for index in indices],
        "native.left_behind_since": [session.native.left_behind_since(index) for index in indices],
        "native.newest_call_at": [session.native.newest_call_at(index) for index in indices],
        "lanes.leading_in": [session.lanes.leading_in(lane) for lane in lanes],
        "chains.has_calls": [session.chains.has_calls(chain) for chain in chains],
        "chains.newest_of": [
            session.chains.newest_of(chain, agent) for chain in chains for agent in range(session.agents.count + 1)
        ],
        "open_question": session.open_question,
        "running_audit": session.running_audit,
        "thoughts.is_undecided": [session.thoughts.is_undecided(index) for index in indices],
        "unknown_count": session.unknown_count,
        "corrupt_count": session.corrupt_count,
        "native.skipped_records": session.native.skipped_records,
        "branch_count": session.branch_count,
        "revision_count": session.revision_count,
        "landmarks.between": landmarks(session),
        "landmarks.thought_at": [
            (kind, [session.landmarks.thought_at(kind, number) for number in numbers])
            for kind, numbers in landmarks(session).items()
        ],
        "positions.first": session.positions.first,
        "positions.next_visible": [session.positions.next_visible(position) for position in positions],
        "positions.previous_visible": [session.positions.previous_visible(position) for position in positions],
        "positions.next_landmark": [session.positions.next_landmark(position) for position in positions],
        "positions.previous_landmark": [session.positions.previous_landmark(position) for position in positions],
        "positions.has_landmark_between": [
            session.positions.has_landmark_between(position, position + 1) for position in positions
        ],
        "positions.after_thought": [session.positions.after_thought(index) for index in indices],
        "positions.time_at": [session.positions.time_at(position) for position in positions],
        "landmarks.verdict": [
            session.landmarks.verdict(number) for number in landmarks(session).get(Landmark.VERDICT, ())
        ],
        "thoughts.arrivals": (
            [session.thoughts.arrivals.time_of(index) for index in indices],
            [session.thoughts.arrivals.count_until(time) for time in (0, 1, 60_000_000, 1 << 62)],
            session.thoughts.arrivals.pauses(1_000),
            session.thoughts.arrivals.last_other_time,
        ),
        "lanes.has_estimate_changed": [session.lanes.has_estimate_changed(lane) for lane in lanes],
        "document": document(GivenTexts(session, texts(items, has_native=has_native).__getitem__)),
    }


def landmarks(session: Session) -> dict[Landmark, range]:
    return (
        {kind: session.landmarks.between(kind, 0, session.thought_count) for kind in Landmark}
        if session.thought_count
        else {}
    )


def _place(session: Session) -> tuple[int, int]:
    return session.entry_count, session.thought_count


def _lane(session: Session, ordinal: int) -> tuple[Any, ...]:
    lane = session.lanes.get(ordinal)
    return (
        lane.ordinal,
        lane.chain,
        lane.entry_index,
        lane.name,
        lane.is_named,
        lane.is_trunk,
        lane.is_root,
        lane.agent,
        lane.fork,
        lane.origin,
        lane.fork_number,
        lane.parent,
        lane.depth,
        lane.colour_slot,
        list(lane.thoughts[: session.lanes.length_of(ordinal)]),
    )
