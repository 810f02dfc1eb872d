"""A session of an agent, in words that fit every client: who said what, in which order."""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final


class Shape(Enum):
    """What a call of the thinking tool says about its place."""

    PLAIN = "plain"
    REVISION = "revision"
    BRANCH = "branch"
    MORE = "more"


class Outcome(Enum):
    """What became of a call."""

    ANSWERED = "answered"
    REFUSED = "refused"


class End(Enum):
    """How a turn ended."""

    MARKED = "marked"
    """With an answer, and a record that says so."""
    UNMARKED = "unmarked"
    """With an answer, and nothing more: the client was killed, or its version writes no mark."""
    ABORTED = "aborted"
    """By the user, who interrupted it: there is no answer."""
    CUT = "cut"
    """In the middle: the client was killed while the model was working."""


@dataclass(frozen=True)
class Think:
    """A call of the thinking tool."""

    text: str
    shape: Shape = Shape.PLAIN
    outcome: Outcome = Outcome.ANSWERED


@dataclass(frozen=True)
class Act:
    """A call of another tool."""

    outcome: Outcome = Outcome.ANSWERED


@dataclass(frozen=True)
class Delegate:
    """A call that starts a subagent, and waits for its report. Those of one step work at the same time."""

    agent: "KnownAgent"


Call = Think | Act | Delegate


@dataclass(frozen=True)
class Step:
    """One answer of the model that is not its last: what it reasoned, and what it called at once."""

    reasoning: tuple[str, ...]
    """A text for each item; an empty one was not kept."""
    calls: tuple[Call, ...]
    interjected: str | None = None
    """What the user typed while the model was working."""
    remark: str | None = None
    """What the model said before its calls."""


@dataclass(frozen=True)
class Turn:
    """What an agent was asked, and how it came to its answer."""

    prompt: str
    steps: tuple[Step, ...]
    reasoning: tuple[str, ...]
    answer: str
    end: End


@dataclass(frozen=True)
class KnownAgent:
    """An agent; a subagent has one turn."""

    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class KnownSession:
    """One session of a client."""

    number: int
    """Distinguishes the sessions of a folder."""
    main: KnownAgent
    has_unique_calls: bool = True
    """Whether the ids of calls are unique; else they are counted from 0 in each answer."""
    variant: int = 0
    """Chooses between what versions of a client write."""
    has_counted_ids: bool = False
    """Whether records are counted in each file or turn, where a client would give them ids that nothing repeats."""


@dataclass(frozen=True, eq=False)
class Said:
    """Something that has to be on the screen, under its agent."""

    agent: str | None
    """The client's id of the agent; None for the main agent."""
    kind: str
    """``prompt``, ``reasoning``, ``remark``, ``thought`` or ``answer``; ``unkept`` and ``refused`` are counted."""
    text: str


COUNTED: Final = frozenset(("unkept", "refused"))
"""What is shown as a number, or outside of the order of thoughts."""
Row = tuple[str, str]
"""The kind of a row, and its text."""
Rows = dict[str | None, list[Row]]
"""The rows of each agent, in order."""


def arguments_of(think: Think, number: int, *, is_last: bool) -> dict[str, Any]:
    """Return the arguments of the call that is an agent's ``number``-th thought on the problem."""
    arguments: dict[str, Any] = {
        "thought": think.text,
        "thoughtNumber": number if think.outcome is Outcome.ANSWERED else "abc",
        "totalThoughts": max(number, 3),
        "nextThoughtNeeded": not is_last,
    }
    match think.shape:
        case Shape.REVISION if number > 1:
            arguments |= {"isRevision": True, "revisesThought": number - 1}
        case Shape.BRANCH if number > 1:
            arguments |= {"branchFromThought": number - 1, "branchId": f"way-{number}"}
        case Shape.MORE:
            arguments |= {"needsMoreThoughts": True}
        case _:
            pass
    return arguments
