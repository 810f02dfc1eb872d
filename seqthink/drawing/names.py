"""What lanes and agents are called: text of a model or a client, to be sanitized like any other."""

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session


def agent_name(session: Session, agent: int) -> str:
    """Return what an agent is called by its ordinal: as the client named it, else by the order in which they came."""
    known = session.agent_event(agent)
    return "main" if agent == MAIN_AGENT else (known.name if known else None) or f"agent {agent}"


def lane_name(session: Session, lane: Lane) -> str:
    """Return what a lane is called: its branch's name, or the agent's where it is no branch; nothing for a trunk.

    A branch of another agent that leaves from none of its thoughts has both names.
    """
    agent = lane.agent
    if lane.is_root:
        return agent_name(session, agent) if agent != MAIN_AGENT else ""
    name = lane.name or "?"
    has_agent_above = lane.parent != NONE and session.lane(lane.parent).agent == agent
    return name if agent == MAIN_AGENT or has_agent_above else f"{agent_name(session, agent)}: {name}"
