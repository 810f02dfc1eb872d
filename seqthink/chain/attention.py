"""What a session needs from the person who watches it: one word for each session, wherever it is shown.

The rules are in docs/sessions.md, "What a session needs". They look at the end of a session alone: a fold gives it
(`ending_of`), and so do the newest lines of a journal (`seqthink.chain.overview.ending_lines`). Standard library only,
because `seqthink status` has to answer at once.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from seqthink.chain.health.circling import circle_period
from seqthink.chain.state import State

if TYPE_CHECKING:
    from datetime import datetime

    from seqthink.chain.session import Session
    from seqthink.core.events import AskingEvent

STUCK_SECONDS: Final = 300
"""Default number of seconds of silence after which a thinking session is stuck."""
MAX_ENDING_THOUGHTS: Final = 16
"""How many of the newest thoughts are looked at."""


class Attention(StrEnum):
    """What a session needs, or does. A closed set; each is also a string."""

    ASKING = "asking"
    """It asks the person, and cannot go on without an answer."""
    STUCK = "stuck"
    """It thinks, but goes nowhere; the reason is known."""
    THINKING = "thinking"
    """It thinks, or waits for its model."""
    DONE = "done"
    """Its newest chain has its last thought."""
    LOST = "lost"
    """Its server is gone without a last line."""
    STOPPED = "stopped"
    """Its server ended before its chain was done."""
    OPEN = "open"
    """Its chain is not done, and whether anybody goes on cannot be known."""


class StuckReason(StrEnum):
    """Why a session is stuck."""

    SILENT = "silent"
    """Nothing came for a long time."""
    REPEATING = "repeating"
    """The same thought came again."""
    CIRCLING = "circling"
    """The same few numbers come again and again."""


class Doing(StrEnum):
    """What a session does that is not stuck and asks nobody; each is its word on the screen."""

    THINKING = "thinking"
    ACTING = "acting"
    """The agent that wrote last waits for a call of another tool."""
    WAITING = "waiting"
    """Its server runs, and no thought came yet."""
    AUDITING = "auditing"
    """An audit of a thought is running."""
    SAMPLING = "asking model"
    """It asks the client's model."""


class Standing(NamedTuple):
    """The standing of a session."""

    attention: Attention
    reason: StuckReason | None = None
    """Why it is stuck; None if it is not."""
    since: int = 0
    """Since when, in microseconds since 1970: of a question, when it was asked; else the last activity."""
    question: str = ""
    """What the person is asked, as it was written; empty without a question."""
    numbers: tuple[int, ...] = ()
    """Of a circle: the numbers that come again. Of a repeated thought: its number, and how often it came."""
    doing: Doing = Doing.THINKING
    """What it does, if it is thinking."""
    blocked: int = 0
    """Number of the thought that waits for the answer to the question; 0 if there is none."""

    @property
    def needs_person(self) -> bool:
        """Whether it needs the person now."""
        return self.attention in {Attention.ASKING, Attention.STUCK}

    @property
    def is_over(self) -> bool:
        """Whether nothing more is expected of it."""
        return self.attention in _OVER


class EndingThought(NamedTuple):
    """One of the newest thoughts of a session."""

    number: int
    lane: int | str
    """What distinguishes its lane from others."""
    text: str
    is_revision: bool = False


class Question(NamedTuple):
    """A question to the person that has no answer."""

    time: int
    """When it was asked, in microseconds since 1970."""
    message: str = ""
    blocked: int = 0
    """Number of the thought that waits; 0 if that is not known."""


class EndingCall(NamedTuple):
    """The call of a tool that a session waits for, as its newest lines name it."""

    tool: str
    text: str
    """What it was called with, in a few words."""
    time: int
    """When it began, or was allowed by the user, in microseconds since 1970; 0 if that is not known."""


class Ending(NamedTuple):
    """The end of a session: all that its standing depends on."""

    state: State
    """State of its newest chain."""
    last_activity: int
    """In microseconds since 1970."""
    question: Question | None = None
    doing: Doing = Doing.THINKING
    thoughts: tuple[EndingThought, ...] = ()
    """The newest thoughts of the agent that thought last, in its chain: up to ``MAX_ENDING_THOUGHTS``, newest last."""
    call: EndingCall | None = None
    """The call that it waits for, where lines were read and no fold was made."""
    has_agents_at_work: bool = False
    """Whether a subagent is in a turn while its client is known to run."""
    is_context_full: bool = False
    """Whether the context of an agent is nearly full, as far as its client records it."""


_OVER = frozenset({Attention.DONE, Attention.LOST, Attention.STOPPED})
_MAY_BE_STUCK = frozenset({Doing.THINKING, Doing.ACTING})
_ATTENTIONS = {
    State.THINKING: Attention.THINKING,
    State.DONE: Attention.DONE,
    State.LOST: Attention.LOST,
    State.STOPPED: Attention.STOPPED,
}


def attention_of(state: State) -> Attention:
    """Return what a session does whose newest chain has this state, as far as that says it."""
    return _ATTENTIONS.get(state, Attention.OPEN)


def standing(ending: Ending, now: int, stuck_seconds: int = STUCK_SECONDS) -> Standing:
    """Return the standing of a session with this end at ``now``, in microseconds since 1970; 0 s: never silent."""
    question, since = ending.question, ending.last_activity
    if question is not None and ending.state is not State.LOST:
        return Standing(Attention.ASKING, since=question.time, question=question.message, blocked=question.blocked)
    attention = attention_of(ending.state)
    is_silent = bool(stuck_seconds) and now - since > stuck_seconds * 1_000_000
    if attention is Attention.DONE and _goes_on(ending, is_silent=is_silent):
        attention = Attention.THINKING
    if attention is not Attention.THINKING or ending.doing not in _MAY_BE_STUCK:
        return Standing(attention, since=since, doing=ending.doing)
    numbers = _circle(ending.thoughts)
    if numbers:
        return Standing(Attention.STUCK, StuckReason.CIRCLING, since, numbers=numbers)
    times = _times_of_newest(ending.thoughts)
    if times > 1:
        return Standing(Attention.STUCK, StuckReason.REPEATING, since, numbers=(ending.thoughts[-1].number, times))
    if is_silent:
        return Standing(Attention.STUCK, StuckReason.SILENT, since)
    return Standing(attention, since=since, doing=ending.doing)


def _goes_on(ending: Ending, *, is_silent: bool) -> bool:
    """Return whether something goes on although the newest chain is done.

    What comes of an audit or a question may open the chain again. A subagent in the background may have been killed
    without a word, so it counts only while something comes.
    """
    return ending.doing in {Doing.AUDITING, Doing.SAMPLING} or (ending.has_agents_at_work and not is_silent)


def standing_of(
    session: "Session",
    last_activity: int,
    now: int,
    stuck_seconds: int = STUCK_SECONDS,
    text_of: Callable[[int], str] | None = None,
) -> Standing:
    """Return the standing of a folded session at ``now``.

    Args:
        session: the session.
        last_activity: its last activity, in microseconds since 1970.
        now: the time, likewise.
        stuck_seconds: seconds of silence after which a thinking session is stuck; 0 for never.
        text_of: returns the text of a thought; without it no thought counts as repeated.
    """
    return standing(ending_of(session, last_activity, text_of), now, stuck_seconds)


def plain_standing(session: "Session") -> Standing:
    """Return the standing of a folded session without a clock: it is never stuck."""
    found = standing_of(session, last_activity(session), 0, 0)
    return Standing(Attention.THINKING, since=found.since) if found.attention is Attention.STUCK else found


def last_activity(session: "Session") -> int:
    """Return the time of the last activity in microseconds since 1970; 0 for none.

    Activity is any line of the journal but those that say that a server started or ended; of a session with no other
    line, the start of its server.
    """
    times = [session.thoughts.time_of(session.thought_count - 1)] if session.thought_count else []
    if other := session.thoughts.arrivals.last_other_time:
        times.append(other)
    if not times and session.session_event is not None:
        times.append(_microseconds_of(session.session_event.time))
    return max(times, default=0)


def ending_of(session: "Session", last_activity: int, text_of: Callable[[int], str] | None = None) -> Ending:
    """Return the end of a folded session."""
    asked, state = session.open_question, session.state
    doing = Doing.THINKING
    if session.running_audit is not None:
        doing = Doing.AUDITING
    elif asked is not None and asked.kind == "sample":
        doing = Doing.SAMPLING
    elif state is not State.LOST and session.native.running_call is not None:
        doing = Doing.ACTING
    elif not session.thought_count:
        doing = Doing.WAITING
    question = _question(session, asked) if asked is not None and asked.kind == "elicit" else None
    is_looked_at = state is State.THINKING and question is None and doing in _MAY_BE_STUCK
    thoughts = _newest_thoughts(session, text_of) if is_looked_at else ()
    has_agents_at_work = session.is_alive and session.agents.in_turn_count > 0
    return Ending(
        state,
        last_activity,
        question,
        doing,
        thoughts,
        has_agents_at_work=has_agents_at_work,
        is_context_full=bool(session.agents.nearly_full),
    )


def _question(session: "Session", asked: "AskingEvent") -> Question:
    index = session.thoughts.index_of_seq(asked.of)
    blocked = session.thoughts.number_of(index) if index >= 0 else 0
    return Question(_microseconds_of(asked.time), asked.message or "", blocked)


def _microseconds_of(time: "datetime") -> int:
    # The module of times would be loaded for every `seqthink status`, which has no fold.
    from seqthink.core.times import microseconds_of  # noqa: PLC0415 - as said above

    return microseconds_of(time)


def _newest_thoughts(session: "Session", text_of: Callable[[int], str] | None) -> tuple[EndingThought, ...]:
    """Return the newest thoughts of the agent that thought last, in its chain, without native reasoning."""
    found: list[EndingThought] = []
    agent = chain = -1
    for index in range(session.thought_count - 1, max(-1, session.thought_count - 1 - 4 * MAX_ENDING_THOUGHTS), -1):
        if session.native.kind_of(index) is not None:
            continue
        thought = session.thoughts.get(index)
        own_agent = session.lanes.get(thought.lane).agent
        if not found:
            agent, chain = own_agent, thought.chain
        if thought.chain != chain or len(found) == MAX_ENDING_THOUGHTS:
            break
        if own_agent == agent:
            text = text_of(index) if text_of is not None else ""
            found.append(EndingThought(thought.number, thought.lane, text, thought.is_revision))
    return tuple(reversed(found))


def _circle(thoughts: tuple[EndingThought, ...]) -> tuple[int, ...]:
    """Return the numbers with which the thoughts circle, since the last revision; () if they do not."""
    first = next((place + 1 for place in range(len(thoughts) - 1, -1, -1) if thoughts[place].is_revision), 0)
    steps = tuple((thought.number, thought.lane) for thought in thoughts[first:])
    period = circle_period(steps)
    return tuple(number for number, _ in steps[len(steps) - period :]) if period else ()


def _times_of_newest(thoughts: tuple[EndingThought, ...]) -> int:
    """Return how often the newest thought's text is among ``thoughts``; an empty text does not count."""
    text = thoughts[-1].text if thoughts else ""
    return sum(thought.text == text for thought in thoughts) if text else 0
