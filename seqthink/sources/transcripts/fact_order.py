"""Puts all facts of a session in the order in which it happened, before they are translated. Pure."""

from collections.abc import Container, Iterable, Sequence
from operator import itemgetter

from msgspec.structs import replace

from seqthink.sources.transcripts.facts import AgentStarted, Fact, SessionDescribed


def in_order_of_time(facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts by time, where that keeps each agent's own order; those of one time as they were read.

    What describes the session and its forks comes first, each once, with all that is known at the end; so does what is
    known of a subagent, in the place of the first fact about it.
    """
    sessions: dict[str | None, SessionDescribed] = {}
    started: dict[str, AgentStarted] = {}
    dated: list[tuple[int, Fact]] = []
    reached: dict[str | None, int] = {}
    for fact in facts:
        if isinstance(fact, SessionDescribed):
            known_session = sessions.get(fact.agent)
            sessions[fact.agent] = fact if known_session is None else joined_sessions(known_session, fact)
            continue
        if isinstance(fact, AgentStarted):
            known = started.get(fact.id)
            started[fact.id] = fact if known is None else _joined_agents(known, fact)
            if known is not None:
                continue
        # A clock that went back does not change what an agent did first.
        time = reached[fact.agent] = max(fact.time, reached.get(fact.agent, fact.time))
        dated.append((time, fact))
    dated.sort(key=itemgetter(0))
    ordered = [started[fact.id] if isinstance(fact, AgentStarted) else fact for _, fact in dated]
    return [*sorted(sessions.values(), key=lambda session: session.agent is not None), *ordered]


def begin_time(facts: Sequence[Fact]) -> int:
    """Return when a session began whose facts are in order; 0 if nothing happened in it."""
    return next((fact.time for fact in facts if not isinstance(fact, SessionDescribed)), 0)


def as_fork(facts: Iterable[Fact], main: str, fork: str, known_agents: Container[str]) -> list[Fact]:
    """Return the facts of a session as those of a fork of another one.

    Args:
        facts: the facts, read with ``fork`` as the main session.
        main: the session that its journal took for the main one.
        fork: the session that the facts were read from.
        known_agents: the subagents in the journal; those that the copy names again were not started by the fork.
    """
    others = {None: fork, main: None}
    changed: list[Fact] = []
    for fact in facts:
        if isinstance(fact, SessionDescribed):
            if fact.agent is None:
                changed.append(replace(fact, id=fork, agent=fork, title=None, forked_from=main))
            elif fact.agent != main:
                changed.append(fact)
        elif not (isinstance(fact, AgentStarted) and fact.id in known_agents):
            changed.append(replace(fact, agent=others[fact.agent]) if fact.agent in others else fact)
    return changed


def joined_sessions(known: SessionDescribed, later: SessionDescribed) -> SessionDescribed:
    """Return what two facts say about one session; the second is the newer one."""
    return replace(
        known,
        client_version=later.client_version or known.client_version,
        cwd=known.cwd or later.cwd,
        repository=later.repository or known.repository,
        worktree=later.worktree if later.worktree is not None else known.worktree,
        branch=later.branch if later.branch is not None else known.branch,
        remote=later.remote or known.remote,
        title=later.title or known.title,
        forked_from=known.forked_from or later.forked_from,
    )


def _joined_agents(known: AgentStarted, later: AgentStarted) -> AgentStarted:
    return replace(
        known,
        agent=later.agent or known.agent,
        name=later.name or known.name,
        call=later.call or known.call,
        model=later.model or known.model,
    )
