"""All public values of a session, read once: two sessions are the same when these are equal."""

from typing import Any

from seqthink.chain.model import Landmark
from seqthink.chain.session import Session
from seqthink.export.document import document
from tests.support.journals.events_factory import Item, texts
from tests.support.journals.given_texts import GivenTexts

SESSION_MAKERS = {"with_writer", "at"}
"""Members that return other sessions; the laws call them themselves."""


def public_values(session: Session, items: list[Item]) -> dict[str, Any]:
    """Return every public value of ``session`` under its name, and its document."""
    indices, chains = range(session.thought_count), range(session.chain_count)
    lanes = [lane for chain in chains for lane in session.chain_lanes(chain)]
    last_seq = max((session.thought(index).seq for index in indices), default=0)
    positions = range(session.entry_count + 1)
    return {
        "entry_count": session.entry_count,
        "thought_count": session.thought_count,
        "writer": session.writer,
        "at_thought": [_place(session.at_thought(count)) for count in range(-1, session.thought_count + 2)],
        "thought": [(session.thought(index), session.thought(index).estimate_change) for index in indices],
        "number_of": [session.number_of(index) for index in indices],
        "highest_number_of": [session.highest_number_of(index) for index in indices],
        "target_of": [session.target_of(index) for index in indices],
        "skipped_count_of": [session.skipped_count_of(index) for index in indices],
        "plain_run": [session.plain_run(index, session.thought_count, session.lane_of(index)) for index in indices],
        "lanes_of": list(session.lanes_of(indices)),
        "targets_of": list(session.targets_of(indices)),
        "gaps_in": set(session.gaps_in(indices)),
        "newest_branch_from": [session.newest_branch_from(index) for index in indices],
        "refusals_before": [session.refusals_before(index) for index in indices],
        "first_refusal_after": [session.first_refusal_after(index) for index in indices],
        "estimate_of": [session.estimate_of(index) for index in indices],
        "is_revision": [session.is_revision(index) for index in indices],
        "line_extent_of": [session.line_extent_of(index) for index in indices],
        "entry_index_of": [session.entry_index_of(index) for index in indices],
        "lane_of": [session.lane_of(index) for index in indices],
        "index_in_lane": [session.index_in_lane(index) for index in indices],
        "time_of": [session.time_of(index) for index in indices],
        "duration_of": [session.duration_of(index) for index in indices],
        "is_final": [session.is_final(index) for index in indices],
        "reviser_of": [session.reviser_of(index) for index in indices],
        "revisers_of": [list(session.revisers_of(index)) for index in indices],
        "index_of_seq": [session.index_of_seq(seq) for seq in range(last_seq + 3)],
        "attachments": [list(session.attachments(index)) for index in indices],
        "verdict_on": [session.verdict_on(index) for index in indices],
        "has_note": [session.has_note(index) for index in indices],
        "has_context": [session.has_context(index) for index in indices],
        "lane": [_lane(session, lane) for lane in lanes],
        "fork_of": [session.fork_of(lane) for lane in lanes],
        "lane_length": [session.lane_length(lane) for lane in lanes],
        "lane_duration": [session.lane_duration(lane) for lane in lanes],
        "newest_in_lane": [session.newest_in_lane(lane) for lane in lanes],
        "branches_from": [list(session.branches_from(index)) for index in indices],
        "branches_without_fork": [list(session.branches_without_fork(chain)) for chain in chains],
        "agent_count": session.agent_count,
        "agent_id": [session.agent_id(agent) for agent in range(session.agent_count + 1)],
        "agent_event": [session.agent_event(agent) for agent in range(session.agent_count + 1)],
        "current_thought": session.current_thought,
        "chain_count": session.chain_count,
        "chain_of": [session.chain_of(index) for index in indices],
        "chain_range": [session.chain_range(chain) for chain in chains],
        "chain_lanes": [session.chain_lanes(chain) for chain in chains],
        "chain_state": [session.chain_state(chain) for chain in chains],
        "state": session.state,
        "is_alive": session.is_alive,
        "session_event": session.session_event,
        "title": session.title,
        "end_event": session.end_event,
        "refusal_count": session.refusal_count,
        "refusal": [session.refusal(number) for number in range(session.refusal_count)],
        "open_question": session.open_question,
        "running_audit": session.running_audit,
        "is_undecided": [session.is_undecided(index) for index in indices],
        "unknown_count": session.unknown_count,
        "corrupt_count": session.corrupt_count,
        "branch_count": session.branch_count,
        "revision_count": session.revision_count,
        "landmarks": landmarks(session),
        "landmark_thought": [
            (kind, [session.landmark_thought(kind, number) for number in numbers])
            for kind, numbers in landmarks(session).items()
        ],
        "first_position": session.first_position,
        "next_position": [session.next_position(position) for position in positions],
        "previous_position": [session.previous_position(position) for position in positions],
        "next_landmark": [session.next_landmark(position) for position in positions],
        "previous_landmark": [session.previous_landmark(position) for position in positions],
        "position_of": [session.position_of(index) for index in indices],
        "time_at": [session.time_at(position) for position in positions],
        "verdict": [session.verdict(number) for number in landmarks(session).get(Landmark.VERDICT, ())],
        "has_estimate_changed": [session.has_estimate_changed(lane) for lane in lanes],
        "document": document(GivenTexts(session, texts(items).__getitem__)),
    }


def landmarks(session: Session) -> dict[Landmark, range]:
    return (
        {kind: session.landmarks(kind, 0, session.thought_count) for kind in Landmark} if session.thought_count else {}
    )


def _place(session: Session) -> tuple[int, int]:
    return session.entry_count, session.thought_count


def _lane(session: Session, ordinal: int) -> tuple[Any, ...]:
    lane = session.lane(ordinal)
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
        list(lane.thoughts[: session.lane_length(ordinal)]),
    )
