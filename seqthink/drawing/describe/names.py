"""Display names of lanes and agents. They contain text of a model or client and must be sanitized by the caller."""

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session


def agent_name(session: Session, agent: int) -> str:
    """Return an agent's name: "main", the name its client gave, or its ordinal."""
    known = session.agents.event_of(agent)
    return "main" if agent == MAIN_AGENT else (known.name if known else None) or f"agent {agent}"


def lane_name(session: Session, lane: Lane) -> str:
    """Return a lane's name: its branch name, the agent's name if it is no branch, or "" for a trunk.

    A branch of another agent that does not leave from one of its thoughts has both names.
    """
    agent = lane.agent
    if lane.is_root:
        return agent_name(session, agent) if agent != MAIN_AGENT else ""
    name = lane.name or "?"
    has_agent_above = lane.parent != NONE and session.lanes.get(lane.parent).agent == agent
    return name if agent == MAIN_AGENT or has_agent_above else f"{agent_name(session, agent)}: {name}"
