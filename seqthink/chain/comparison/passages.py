"""What of a session is compared: its prompts, thoughts, native reasoning and answers, as passages in sections.

A section is what one agent was asked, and what it thought about that: it begins at a prompt, or at a chain that no
prompt began. Agents work at the same time, so each has sections of its own.
"""

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from seqthink.chain.model import NONE, AsideKind, NativeKind
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import text_of


class PassageKind(Enum):
    """What a passage is."""

    PROMPT = "prompt"
    THOUGHT = "thought"
    """A call of the thinking tool."""
    REASONING = "reasoning"
    REMARK = "remark"
    ANSWER = "answer"
    """What ended a turn; of a subagent: its result."""


_NATIVE = {
    NativeKind.PROMPT: PassageKind.PROMPT,
    NativeKind.REASONING: PassageKind.REASONING,
    NativeKind.REMARK: PassageKind.REMARK,
    NativeKind.ANSWER: PassageKind.ANSWER,
    None: PassageKind.THOUGHT,
}
_ASIDES = {
    AsideKind.PROMPT: PassageKind.PROMPT,
    AsideKind.RESULT: PassageKind.ANSWER,
    AsideKind.UNFINISHED: PassageKind.ANSWER,
}
"""The asides that are compared. Remarks and actions between the calls of the thinking tool are not."""


class Passage(Struct, frozen=True, gc=False):
    """A text of a session that is compared."""

    kind: PassageKind
    seq: int
    """Its ``seq`` in the journal."""
    time: int
    """When it arrived, in microseconds since 1970 (UTC)."""
    offset: int
    """Byte offset of its line in the journal."""
    size: int
    """Length of that line in bytes."""
    agent: str | None
    """Id of the agent; None for the main agent."""
    chain: int
    """The chain that it belongs to."""
    thought: int
    """Its place in the order of arrival, if it is a thought or native reasoning; NONE for an aside."""


class Section(Struct, frozen=True):
    """What an agent was asked, and what it thought about that."""

    agent: str | None
    """Id of the agent; None for the main agent."""
    passages: list[Passage]
    """In order of arrival. The first one is the prompt, if there is one."""

    @property
    def has_prompt(self) -> bool:
        """Whether the section begins with a prompt."""
        return self.passages[0].kind is PassageKind.PROMPT


def sections_of(texts: SessionTexts) -> list[Section]:
    """Return the sections of a session, in the order in which they began."""
    found: list[Section] = []
    newest: dict[str | None, Section] = {}
    for passage in _passages(texts):
        section = newest.get(passage.agent)
        if section is None or _begins_section(passage, section.passages[-1]):
            section = newest[passage.agent] = Section(passage.agent, [])
            found.append(section)
        section.passages.append(passage)
    return found


def _begins_section(passage: Passage, before: Passage) -> bool:
    if passage.kind is PassageKind.PROMPT:
        return True
    begins_chain = passage.thought != NONE and passage.chain != before.chain
    return begins_chain and before.kind is not PassageKind.PROMPT


def _passages(texts: SessionTexts) -> Iterator[Passage]:
    """Yield the passages of all agents in order of arrival."""
    session = texts.session
    asides = [ordinal for ordinal in range(session.asides.count) if session.asides.get(ordinal).kind in _ASIDES]
    index = 0
    for ordinal in asides:
        before = session.asides.get(ordinal).thoughts_before
        yield from (_of_thought(texts, thought) for thought in range(index, before))
        index = max(index, before)
        yield _of_aside(texts, ordinal)
    yield from (_of_thought(texts, thought) for thought in range(index, session.thought_count))


def _of_thought(texts: SessionTexts, index: int) -> Passage:
    session = texts.session
    thoughts = session.thoughts
    offset, size = thoughts.line_extent_of(index)
    return Passage(
        _NATIVE[session.native.kind_of(index)],
        thoughts.seq_of(index),
        thoughts.time_of(index),
        offset,
        size,
        session.agents.id_of(session.lanes.agent_of(thoughts.lane_of(index))),
        thoughts.chain_of(index),
        index,
    )


def _of_aside(texts: SessionTexts, ordinal: int) -> Passage:
    aside = texts.session.asides.get(ordinal)
    event = texts.event(aside.offset, aside.size)
    return Passage(
        _ASIDES[aside.kind],
        aside.seq,
        aside.time,
        aside.offset,
        aside.size,
        getattr(event, "agent", None),
        texts.session.asides.chain_of(ordinal),
        NONE,
    )


def passage_text(texts: SessionTexts, passage: Passage) -> str:
    """Return the text of a passage, as much of it as a screen shows; "" if it has none or cannot be read any more."""
    if passage.thought != NONE:
        return texts.prefix(passage.thought).text
    event = texts.event(passage.offset, passage.size)
    return (text_of(event) or "") if event is not None else ""
