"""All that a session can be asked, read once: two sessions are the same when these are equal."""

from typing import Any

from seqthink.chain.model import Landmark
from seqthink.chain.session import Session
from seqthink.export.document import document
from tests.events_factory import Item, texts

NOT_READ = {"with_writer", "at"}
"""Gives other sessions, so the laws ask it themselves."""


def readings(session: Session, items: list[Item]) -> dict[str, Any]:
    """Return every public value of ``session`` under its name, and its document."""
    indices, chains = range(session.length), range(session.chain_count)
    lanes = [lane for chain in chains for lane in session.chain_lanes(chain)]
    last_seq = max((session.thought(index).seq for index in indices), default=0)
    positions = range(session.entries + 1)
    return {
        "entries": session.entries,
        "length": session.length,
        "writer": session.writer,
        "at_thought": [_place(session.at_thought(count)) for count in range(-1, session.length + 2)],
        "thought": [(session.thought(index), session.thought(index).change) for index in indices],
        "number_of": [session.number_of(index) for index in indices],
        "peak_of": [session.peak_of(index) for index in indices],
        "target_of": [session.target_of(index) for index in indices],
        "missing_before": [session.missing_before(index) for index in indices],
        "plain_run": [session.plain_run(index, session.length, session.lane_of(index)) for index in indices],
        "lanes_of": list(session.lanes_of(indices)),
        "targets_of": list(session.targets_of(indices)),
        "gaps_in": set(session.gaps_in(indices)),
        "newest_branch_from": [session.newest_branch_from(index) for index in indices],
        "refusals_before": [session.refusals_before(index) for index in indices],
        "refusal_below": [session.refusal_below(index) for index in indices],
        "total_of": [session.total_of(index) for index in indices],
        "is_revision": [session.is_revision(index) for index in indices],
        "extent_of": [session.extent_of(index) for index in indices],
        "entry_of": [session.entry_of(index) for index in indices],
        "lane_of": [session.lane_of(index) for index in indices],
        "place_of": [session.place_of(index) for index in indices],
        "time_of": [session.time_of(index) for index in indices],
        "duration_of": [session.duration_of(index) for index in indices],
        "is_final": [session.is_final(index) for index in indices],
        "reviser_of": [session.reviser_of(index) for index in indices],
        "index_of_seq": [session.index_of_seq(seq) for seq in range(last_seq + 3)],
        "attached": [list(session.attached(index)) for index in indices],
        "verdict_on": [session.verdict_on(index) for index in indices],
        "is_noted": [session.is_noted(index) for index in indices],
        "has_context": [session.has_context(index) for index in indices],
        "lane": [_lane(session, lane) for lane in lanes],
        "fork_of": [session.fork_of(lane) for lane in lanes],
        "lane_length": [session.lane_length(lane) for lane in lanes],
        "lane_duration": [session.lane_duration(lane) for lane in lanes],
        "lane_end": [session.lane_end(lane) for lane in lanes],
        "branches_from": [list(session.branches_from(index)) for index in indices],
        "loose_branches": [list(session.loose_branches(chain)) for chain in chains],
        "agent_count": session.agent_count,
        "agent_id": [session.agent_id(agent) for agent in range(session.agent_count + 1)],
        "agent_event": [session.agent_event(agent) for agent in range(session.agent_count + 1)],
        "leading": session.leading,
        "chain_count": session.chain_count,
        "chain_of": [session.chain_of(index) for index in indices],
        "chain_range": [session.chain_range(chain) for chain in chains],
        "chain_lanes": [session.chain_lanes(chain) for chain in chains],
        "chain_state": [session.chain_state(chain) for chain in chains],
        "state": session.state,
        "alive": session.alive,
        "info": session.info,
        "title": session.title,
        "end": session.end,
        "refusal_count": session.refusal_count,
        "refusal": [session.refusal(number) for number in range(session.refusal_count)],
        "question": session.question,
        "auditing": session.auditing,
        "is_undecided": [session.is_undecided(index) for index in indices],
        "unread": session.unread,
        "corrupt": session.corrupt,
        "branch_count": session.branch_count,
        "revision_count": session.revision_count,
        "landmarks": landmarks(session),
        "landmark_thought": [
            (kind, [session.landmark_thought(kind, number) for number in numbers])
            for kind, numbers in landmarks(session).items()
        ],
        "first_stop": session.first_stop,
        "stop_after": [session.stop_after(position) for position in positions],
        "stop_before": [session.stop_before(position) for position in positions],
        "mark_after": [session.mark_after(position) for position in positions],
        "mark_before": [session.mark_before(position) for position in positions],
        "position_of": [session.position_of(index) for index in indices],
        "moment_at": [session.moment_at(position) for position in positions],
        "verdict": [session.verdict(number) for number in landmarks(session).get(Landmark.VERDICT, ())],
        "has_changed": [session.has_changed(lane) for lane in lanes],
        "document": document(session, texts(items).__getitem__),
    }


def landmarks(session: Session) -> dict[Landmark, range]:
    return {kind: session.landmarks(kind, 0, session.length) for kind in Landmark} if session.length else {}


def _place(session: Session) -> tuple[int, int]:
    return session.entries, session.length


def _lane(session: Session, ordinal: int) -> tuple[Any, ...]:
    lane = session.lane(ordinal)
    return (
        lane.ordinal,
        lane.chain,
        lane.born,
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
        lane.turn,
        list(lane.thoughts[: session.lane_length(ordinal)]),
    )
