"""What is said of a lane: its name, the colour of its branch, how far it has come.

A name contains text of a model or client: the caller sanitizes it.
"""

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.model import NONE, Lane, NativeKind
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.text.spans import BRANCH_ROLES, Role

# looked up once: a member of an enum takes as long as a cell
_LINE = Role.LINE


def agent_name(session: Session, agent: int) -> str:
    """Return an agent's name: "main", the name its client gave, or its ordinal."""
    known = session.agents.event_of(agent)
    return "main" if agent == MAIN_AGENT else (known.name if known else None) or f"agent {agent}"


def lane_name(session: Session, lane: Lane) -> str:
    """Return a lane's name: its branch name, the agent's name if it is not a branch, or "" for a trunk.

    A branch of another agent that does not leave from one of its thoughts has both names.
    """
    agent = lane.agent
    if lane.is_root:
        return agent_name(session, agent) if agent != MAIN_AGENT else ""
    name = lane.name or "?"
    has_agent_above = lane.parent != NONE and session.lanes.get(lane.parent).agent == agent
    return name if agent == MAIN_AGENT or has_agent_above else f"{agent_name(session, agent)}: {name}"


def lane_role(lane: Lane) -> Role:
    """Return the colour role of a lane; branches cycle through the branch colours."""
    return _LINE if lane.is_trunk else BRANCH_ROLES[lane.colour_slot % len(BRANCH_ROLES)]


def lane_progress(session: Session, lane: int) -> str:
    """Return ``6 of ~8`` for a lane that has thoughts; ``~`` means that more may come.

    For a lane of native reasoning alone, return how many reasoning items the newest turn has: nothing says how many
    will follow.
    """
    newest = session.thoughts.get(session.lanes.leading_in(lane))
    if newest.native is not None:
        return _native_progress(session, lane)
    is_over = session.thoughts.is_final(newest.index) or session.chain_state(newest.chain) is State.DONE
    is_over = is_over or (session.lanes.agent_of(lane) == MAIN_AGENT and session.chains.is_answered(newest.chain))
    about = "~" if newest.highest_number < newest.estimate and not is_over else ""
    return f"{newest.highest_number} of {about}{newest.estimate}"


def _native_progress(session: Session, lane: int) -> str:
    length, thoughts = session.lanes.length_of(lane), session.lanes.get(lane).thoughts
    for position in range(length - 1, -1, -1):
        thought = session.thoughts.get(thoughts[position])
        if thought.place_in_turn:
            is_over = session.thoughts.is_final(thoughts[length - 1])
            return f"{thought.place_in_turn}" if is_over else f"{thought.place_in_turn} so far"
        if thought.native is NativeKind.PROMPT:
            break
    return ""


def agent_silence(session: Session, lane: Lane) -> int | None:
    """Return since when a subagent at work has been silent, in microseconds since 1970; None for any other lane.

    It is at work while its session is live and neither its own last words nor its transcript say that it has ended.
    """
    newest = session.lanes.newest_in(lane.ordinal)
    is_subagent = lane.is_root and lane.agent != MAIN_AGENT and newest != NONE
    if not is_subagent or not session.is_alive or session.agents.is_fork(lane.agent):
        return None
    if session.agents.has_ended(lane.agent) or session.thoughts.is_final(newest):
        return None
    last = session.native.last_record_of(session.agents.id_of(lane.agent))
    return max(session.thoughts.time_of(newest), last.time)


def is_acting(session: Session, lane: Lane) -> bool:
    """Return whether the agent of a lane waits for a call of another tool than the thinking tool."""
    return session.native.running_calls_of(session.agents.id_of(lane.agent))[0] is not None
