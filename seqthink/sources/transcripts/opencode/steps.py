"""A message of the model: what it reasoned, called and said in one step, until it waits for results or is done."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from seqthink.sources.transcripts.call_ids import CallIds
from seqthink.sources.transcripts.facts import Compacted, Fact, Prompt, Reasoning, Remark, TurnEnded
from seqthink.sources.transcripts.json_fields import PICTURE, id_in, milliseconds_in, number_in, object_in, text_in
from seqthink.sources.transcripts.opencode.ordering import TaskEnded
from seqthink.sources.transcripts.opencode.rows import ANSWERED
from seqthink.sources.transcripts.opencode.tool_calls import (
    call_start,
    is_ended,
    is_unstarted,
    is_waiting,
    may_wait,
    tool_part_facts,
    waiting_call,
    wanted_permissions,
)

_UNFINISHED: Final = frozenset({"tool-calls", "unknown"})
"""Why a step ends while its turn goes on."""


class Part(NamedTuple):
    """A part of a message that may have something new to say."""

    id: str
    time: int
    """When it was begun, in microseconds since 1970 (UTC)."""
    data: Mapping[str, Any]


class PartFact(NamedTuple):
    """A fact, and the id of the part or message that it would be gone with."""

    owner: str
    fact: Fact


class HeldCall(NamedTuple):
    """A call that may wait for a permission of the user, which the client's log says."""

    time: int
    """When it was made, in microseconds since 1970 (UTC)."""
    permissions: frozenset[str]


class MessageState:
    """What is known of a message from one reading to the next."""

    def __init__(self, message_id: str, agent: str | None, time: int) -> None:
        self.id = message_id
        self.agent = agent
        self.time = time
        self.part_ids: frozenset[str] = frozenset()
        self.facts: dict[str, list[tuple[int, str]]] = {}
        """Place and id of the facts of each part, and under the message's own id of those of the message."""
        self.settled: set[str] = set()
        """Parts that can say no more."""
        self.open_reasoning: dict[str, Reasoning] = {}
        """Reasoning parts whose end was not seen."""
        self.open_remarks: dict[str, Remark] = {}
        """What was said, while it may be the answer."""
        self.unstarted: dict[str, int] = {}
        """Calls that do not run yet, with the time at which each was made."""
        self.held: dict[str, HeldCall] = {}
        """Calls that do not run yet if the client has asked its user for a permission."""
        self.has_calls = False
        self.has_context = False
        """Whether it was reported how much of the context it took."""
        self.waiting_calls: dict[str, list[Fact]] = {}
        """Calls that did not begin to run, though all of what they are called with is there."""
        self.said = ""
        """What the model said in a step that the client has not completed."""
        self.said_at = time
        self.answer = ""
        """What was taken for the answer, since nothing followed that text."""
        self.answered: set[str] = set()
        """Parts with that answer: they are not remarks, whatever follows."""


def prompt_facts(state: MessageState, parts: Sequence[Part], is_reported: bool) -> Iterator[PartFact]:
    """Yield what the user asked. A text that is stored after the prompt was reported is a prompt of its own."""
    texts = {part.id: asked for part in parts if (asked := _asked_text(part.data))}
    texts = texts or {part.id: PICTURE for part in parts if _is_picture(part.data)}
    state.settled.update(part.id for part in parts)
    if texts:
        owner = next(iter(texts))
        prompt_id = owner if is_reported else state.id
        yield PartFact(
            owner, Prompt(id=prompt_id, time=state.time, agent=state.agent, text="\n\n".join(texts.values()))
        )


def step_facts(
    state: MessageState, info: Mapping[str, Any], parts: Sequence[Part], call_ids: CallIds
) -> Iterator[PartFact]:
    """Yield everything that the parts of a step say by now; what was yielded before may come again."""
    for place, part in enumerate(parts):
        match part.data.get("type"):
            case "reasoning":
                yield from _reasoning(state, info, part, parts[place + 1 :])
            case "tool":
                yield from _call(state, part, parts[:place], call_ids)
            case "text":
                yield from _remark(state, part, parts[place + 1 :])
            case _:
                state.settled.add(part.id)
    is_over = completed_time(info) is not None or bool(info.get("error"))
    state.said = "" if is_over else _unsettled_text(state, parts)
    state.said_at = max((part.time for part in parts), default=state.time)
    if is_over:
        yield from _end_of_reasoning(state)
        yield from _waiting_calls(state)
        yield from _turn_end(state, info, parts)


def end_of_step(state: MessageState) -> Iterator[PartFact]:
    """Yield what of a step had not ended, now that another one has begun."""
    yield from _end_of_reasoning(state)
    yield from unmarked_end(state)
    yield from _remarks(state)


def _end_of_reasoning(state: MessageState) -> Iterator[PartFact]:
    for part_id, reasoning in state.open_reasoning.items():
        yield PartFact(part_id, reasoning)
    state.settled.update(state.open_reasoning)
    state.open_reasoning.clear()


def _waiting_calls(state: MessageState) -> Iterator[PartFact]:
    for part_id, facts in state.waiting_calls.items():
        yield from (PartFact(part_id, fact) for fact in facts)


def unmarked_end(state: MessageState) -> Iterator[PartFact]:
    """Yield what is said in a step that will not be completed any more: the client was killed."""
    for part_id, reasoning in list(state.open_reasoning.items()):
        if reasoning.text:
            del state.open_reasoning[part_id]
            yield PartFact(part_id, reasoning)
    yield from _waiting_calls(state)
    if state.said and not state.has_calls and state.said != state.answer:
        state.answer = state.said
        state.answered.update(state.open_remarks)
        state.open_remarks.clear()
        ended = TurnEnded(id=f"{state.id}:unmarked", time=state.said_at, agent=state.agent, text=state.said)
        yield PartFact(state.id, ended)


def compaction_facts(state: MessageState, info: Mapping[str, Any], tokens_before: int | None) -> Iterator[PartFact]:
    """Yield the compaction that a finished step with a summary completes."""
    completed = completed_time(info)
    if completed is not None and not info.get("error"):
        yield PartFact(state.id, Compacted(id=state.id, time=completed, agent=state.agent, tokens_before=tokens_before))


def idle_facts(state: MessageState, info: Mapping[str, Any]) -> Iterator[PartFact]:
    """Yield the end of a turn whose outcome the client noted, unless its last step says so itself."""
    is_aborted = info.get("outcome") != "succeeded"
    yield PartFact(state.id, TaskEnded(id=state.id, time=state.time, agent=state.agent, is_aborted=is_aborted))


def completed_time(info: Mapping[str, Any]) -> int | None:
    """Return when a step was completed."""
    return milliseconds_in(object_in(info, "time"), "completed")


def context_tokens(info: Mapping[str, Any]) -> int:
    """Return how many tokens the conversation had after a step; 0 if unknown."""
    tokens = object_in(info, "tokens")
    cache = object_in(tokens, "cache")
    parts = [*((tokens, key) for key in ("input", "output", "reasoning")), (cache, "read"), (cache, "write")]
    return number_in(tokens, "total") or sum(number_in(fields, key) or 0 for fields, key in parts)


def _asked_text(part: Mapping[str, Any]) -> str:
    if part.get("type") == "subtask":
        return text_in(part, "prompt").strip()
    if part.get("type") != "text" or part.get("synthetic") is True or part.get("ignored") is True:
        return ""
    return text_in(part, "text").strip()


def _is_picture(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "file" and text_in(part, "mime").startswith("image/")


def _reasoning(state: MessageState, info: Mapping[str, Any], part: Part, after: Sequence[Part]) -> Iterator[PartFact]:
    """Yield reasoning that has ended. The text is stored with the end: until then an empty one may yet be filled."""
    times = object_in(part.data, "time")
    start, end = milliseconds_in(times, "start") or part.time, milliseconds_in(times, "end")
    reasoning = Reasoning(
        id=part.id,
        time=_said_until(start, end, after),
        agent=state.agent,
        text=text_in(part.data, "text"),
        duration_ms=None if end is None else max(0, end - start) / 1000,
        model=text_in(info, "modelID") or None,
    )
    if end is not None or (reasoning.text and any(later.data.get("type") != "reasoning" for later in after)):
        state.open_reasoning.pop(part.id, None)
        state.settled.add(part.id)
        yield PartFact(part.id, reasoning)
    else:
        state.open_reasoning[part.id] = reasoning


def _remark(state: MessageState, part: Part, after: Sequence[Part]) -> Iterator[PartFact]:
    """Yield a text that a call follows: it is not an answer."""
    said = text_in(part.data, "text").strip()
    if not said or part.id in state.answered or part.data.get("synthetic") is True or part.data.get("ignored") is True:
        return
    times = object_in(part.data, "time")
    start, end = milliseconds_in(times, "start") or part.time, milliseconds_in(times, "end")
    remark = Remark(id=part.id, time=_said_until(start, end, after), agent=state.agent, text=said)
    if any(later.data.get("type") == "tool" for later in after):
        state.open_remarks.pop(part.id, None)
        state.settled.add(part.id)
        yield PartFact(part.id, remark)
    else:
        state.open_remarks[part.id] = remark


def _said_until(start: int, end: int | None, after: Sequence[Part]) -> int:
    """Return when words or reasoning ended: before the next call began, though some providers end them later."""
    calls = (began for later in after if (began := call_start(later.data, later.time)) is not None)
    return max(start, min([start if end is None else end, *calls]))


def _call(state: MessageState, part: Part, before: Sequence[Part], call_ids: CallIds) -> Iterator[PartFact]:
    """Yield what is known of a call. One that waits for its end waits for the words before it, too."""
    state.has_calls = True
    if is_ended(part.data):
        state.settled.add(part.id)
    elif any(map(_is_being_said, before)) and may_wait(part.data):
        return
    client_id = id_in(part.data, "callID") or None
    call_id = call_ids.of(client_id, part.id) if client_id else part.id
    _note_start(state, part, call_id)
    for fact in tool_part_facts(part.id, part.data, call_id, state.agent, part.time):
        yield PartFact(part.id, fact)


def _note_start(state: MessageState, part: Part, call_id: str) -> None:
    """Note whether a call runs: a command may need the user's permission, and another one may never begin."""
    state.unstarted.pop(call_id, None)
    state.held.pop(call_id, None)
    state.waiting_calls.pop(part.id, None)
    if is_unstarted(part.data):
        state.unstarted[call_id] = call_start(part.data, part.time) or part.time
    elif permissions := wanted_permissions(part.data):
        state.held[call_id] = HeldCall(call_start(part.data, part.time) or part.time, permissions)
    if is_waiting(part.data):
        state.waiting_calls[part.id] = waiting_call(part.data, call_id, state.agent, part.time)


def _is_being_said(part: Part) -> bool:
    """Return whether words or reasoning have begun, and have no text yet: the client stores that when they end."""
    if part.data.get("type") not in {"text", "reasoning"} or text_in(part.data, "text"):
        return False
    times = object_in(part.data, "time")
    return milliseconds_in(times, "start") is not None and milliseconds_in(times, "end") is None


def _remarks(state: MessageState) -> Iterator[PartFact]:
    """Yield what was said, now that it is known that it ended no turn."""
    for part_id, remark in state.open_remarks.items():
        yield PartFact(part_id, remark)
    state.settled.update(state.open_remarks)
    state.open_remarks.clear()


def _turn_end(state: MessageState, info: Mapping[str, Any], parts: Sequence[Part]) -> Iterator[PartFact]:
    failed = bool(info.get("error"))
    finish = text_in(info, "finish")
    goes_on = not finish or finish in _UNFINISHED or (state.has_calls and finish != ANSWERED)
    if goes_on and not failed:
        yield from _remarks(state)
        return
    state.open_remarks.clear()
    answer = _unsettled_text(state, parts)
    if answer and answer == state.answer:
        return
    time = completed_time(info) or state.time
    yield PartFact(state.id, TurnEnded(id=state.id, time=time, agent=state.agent, text=answer, is_aborted=failed))


def _unsettled_text(state: MessageState, parts: Sequence[Part]) -> str:
    """Return what was said and is not a remark."""
    texts = (part for part in parts if part.data.get("type") == "text" and part.id not in state.settled)
    said = [text_in(part.data, "text").strip() for part in texts]
    return "\n\n".join(each for each in said if each)
