"""The read-only models that a session returns.

A thought's identity inside a session is its ``index``: its place in the order of arrival, from 0. An ordinal is the
same for lanes, chains, agents, refused calls and verdicts. ``NONE`` (-1) means that there is none.
"""

from enum import Enum

from msgspec import Struct

from seqthink.chain.columns.compact_lists import NONE
from seqthink.chain.lanes import Lane

__all__ = ["NONE", "Aside", "AsideItem", "AsideKind", "Attachment", "Landmark", "Lane", "NativeKind", "Thought"]


class Landmark(Enum):
    """The kinds of landmarks that a replay can jump to, the most important first."""

    REFUSAL = "refusal"
    """A call was refused."""
    REVISION = "revision"
    """A thought revises another."""
    VERDICT = "verdict"
    """An audit ended with a verdict."""
    BRANCH = "branch"
    """A lane other than a trunk opened."""
    ESTIMATE_CHANGE = "change"
    """A thought changed its lane's estimate, and not only to follow the numbers."""
    RETRACTION = "retraction"
    """An agent took something back, in its own words."""
    CHAIN = "chain"
    """A chain began."""
    END = "end"
    """The server ended."""


class Thought(Struct, frozen=True, gc=False, kw_only=True):
    """One thought and what the fold derived from it. Its text stays in the journal at ``offset``."""

    index: int
    """Its place in the order of arrival, from 0: its identity inside a session."""
    seq: int
    """Its ``seq`` in the journal."""
    entry_index: int
    """Index of its journal line, from 0."""
    time: int
    """When it arrived, in microseconds since 1970 (UTC)."""
    number: int
    """`thoughtNumber`, as the model gave it."""
    estimate: int
    """`totalThoughts`, raised to ``number`` if it is below."""
    previous_estimate: int
    """The estimate of the thought before it on its lane if that was different, else 0."""
    lane: int
    """Ordinal of its lane."""
    index_in_lane: int
    """Its place in its lane, from 0."""
    chain: int
    """Ordinal of its chain."""
    highest_number: int
    """The highest number on its lane up to and including it."""
    revised_number: int
    """The number of the thought that it revises, 0 if it names none."""
    target: int
    """The thought that it revises, or NONE."""
    occurrence: int
    """1 for the first thought with this number on its lane, 2 for the second, and so on."""
    skipped_count: int
    """How many numbers were skipped right before it."""
    is_revision: bool
    """Whether it revises an earlier thought."""
    is_repeat: bool
    """Whether it repeats a number without being a revision."""
    needs_more: bool
    """`needsMoreThoughts`."""
    keeps_pace: bool
    """Whether its estimate changed, but only followed the numbers (``seqthink.chain.estimates``)."""
    offset: int
    """Byte offset of its line in the journal."""
    size: int
    """Length of its line in bytes, without the newline."""
    native: "NativeKind | None" = None
    """What it is if it is not a call of the thinking tool; such a thought has the number 0 and no own estimate."""
    place_in_turn: int = 0
    """Of a reasoning item: its place in its turn, from 1, counted by us."""
    is_retraction: bool = False
    """Of native reasoning: whether it takes something back, in its own words."""

    @property
    def estimate_change(self) -> tuple[int, int] | None:
        """The estimate before and after, if this thought changed that of its lane; else None."""
        return (self.previous_estimate, self.estimate) if self.previous_estimate else None

    @property
    def marked_change(self) -> tuple[int, int] | None:
        """The same, but only if the change is news, so that it is marked: not if it only follows the numbers."""
        return None if self.keeps_pace else self.estimate_change


class NativeKind(Enum):
    """What a row of native reasoning is (docs/journal.md, "Native reasoning")."""

    PROMPT = "prompt"
    """What began the turn."""
    REASONING = "reasoning"
    """One reasoning item of the model."""
    REMARK = "remark"
    """What the agent said between two calls."""
    ANSWER = "answer"
    """What ended the turn."""


class AsideKind(Enum):
    """What a row beside the thoughts is."""

    REFUSED = "refused"
    """A refused call."""
    PROMPT = "prompt"
    """What the user asked, or an agent's task, where native reasoning is hidden."""
    RESULT = "result"
    """What a subagent ended with, where native reasoning is hidden."""
    UNFINISHED = "unfinished"
    """As a result, but of a turn that was interrupted, or that an error ended."""
    REMARK = "remark"
    """What an agent said between two calls, where native reasoning is hidden."""
    CONTEXT = "context"
    """A context item that was stored or updated before there was a call of the thinking tool."""
    ACTIONS = "actions"
    """What an agent did between two of its thoughts: calls of other tools, counted in one row."""
    UNKEPT = "unkept"
    """Reasoning whose text the client did not keep, between two thoughts, in one row."""
    COMPACTED = "compacted"
    """The conversation was replaced by a summary."""
    RESUMED = "resumed"
    """The session was resumed."""
    REWOUND = "rewound"
    """The user went back."""


class Aside(Struct, frozen=True, gc=False):
    """A row that is not a thought. It stays where it was when its first line arrived."""

    kind: AsideKind
    entry_index: int
    """Index of its first journal line, from 0."""
    thoughts_before: int
    """Number of thoughts that had arrived before it."""
    seq: int
    """``seq`` of its first line in the journal."""
    time: int
    """When it began, in microseconds since 1970 (UTC)."""
    offset: int
    """Byte offset of its first line in the journal."""
    size: int
    """Length of that line in bytes, without the newline."""
    thought_above: int
    """The thought below which it is drawn: the newest of its agent in the chain, else the newest of all, or NONE."""
    is_retraction: bool = False
    """Whether it takes something back: in the words of an agent, or since a call puts back a file that was edited."""
    agent: int = NONE
    """The subagent whose row it is, if that had no lane, so that the row has to name it; else NONE."""


class AsideItem(Struct, frozen=True, gc=False):
    """One of the lines that an aside counts: an action, or reasoning without text."""

    entry_index: int
    """Index of its journal line, from 0."""
    time: int
    """When it happened, in microseconds since 1970 (UTC)."""
    offset: int
    """Byte offset of its journal line."""
    size: int
    """Length of that line in bytes, without the newline."""
    name: str = ""
    """Of an action: name of the tool."""
    file: str = ""
    """Of an action: name of the file that it was about, without its folders; empty if it was about none."""
    duration_us: int = 0
    """Of reasoning: how long it took in microseconds; 0 if unknown."""
    tokens: int = 0
    """Of reasoning: how many tokens it took; 0 if unknown."""


class Attachment(Struct, frozen=True, gc=False):
    """An event that is attached to a thought: an audit, an exchange, a context item or a note."""

    entry_index: int
    """Index of its journal line, from 0."""
    kind: str
    """Type of the event: audit, sample, elicit, context or note."""
    seq: int
    """Its ``seq`` in the journal."""
    time: int
    """When it was journaled, in microseconds since 1970 (UTC)."""
    offset: int
    """Byte offset of its line in the journal."""
    size: int
    """Length of its line in bytes, without the newline."""
    verdict: str = ""
    """Of an audit: "pass", "revise" or "reject"; empty if it has none."""
    score: int = 0
    """Of an audit with a verdict: its score, 0 to 100."""
