"""The core of the Cline source: a rewritten document of messages in, what is new in it out.

A message that is there again says nothing new. Those at the end that are not there any more were left behind: the user
went back. Those at the beginning that are gone made room in the model's context, and stay.
"""

from collections.abc import Iterator, Sequence

from seqthink.sources.transcripts.call_ids import CallIds
from seqthink.sources.transcripts.cline.agents import ClineAgents
from seqthink.sources.transcripts.cline.messages import (
    AGENT_TOOL,
    answered,
    asked_of,
    is_message,
    message_id,
    parts_of,
    prompt_of,
    said_in,
)
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import ContextUsed, Fact, Prompt, Reasoning, Remark, Result, Rewound, TurnEnded
from seqthink.sources.transcripts.json_fields import (
    Fields,
    id_in,
    milliseconds_in,
    number_in,
    object_in,
    objects_in,
    text_in,
)
from seqthink.sources.transcripts.tool_names import is_thinking_tool, next_in_answer, own_tool_name, tool_call


class ClineReader:
    """Reads one document again and again: a session's, or a subagent's."""

    def __init__(self, counts: ReadCounts, agents: ClineAgents, agent: str | None = None) -> None:
        """Read the document of a session, or of its subagent ``agent``.

        Args:
            counts: Counts what cannot be read, shared.
            agents: What is known of the session's subagents, shared.
            agent: The subagent's id; None in the session's own document.
        """
        self.agent = agent
        """The subagent's id; None for the main agent."""
        self.first_prompt = ""
        """What was asked first; empty until it was read."""
        self._counts = counts
        self._agents = agents
        self._calls = CallIds(agent)
        self._tools: dict[str, str] = {}
        self._time = 0
        # The facts of each message that was read and not left behind, by its id, in order.
        self._facts: dict[str, list[str]] = {}
        self._open_turn = ""

    @property
    def open_turn(self) -> str:
        """The id of the newest message, if the turn that it belongs to has not ended; else empty."""
        return self._open_turn

    @property
    def time(self) -> int:
        """The time of the newest message, in microseconds since 1970."""
        return self._time

    def read(self, document: Fields, *, is_whole: bool) -> list[Fact]:
        """Return what is new in a document; of a damaged one, nothing counts as left behind."""
        messages = [message for message in objects_in(document, "messages") if is_message(message)]
        self._counts.read += len(messages)
        self._counts.unknown += len(objects_in(document, "messages")) - len(messages)
        identified = [(message_id(message), message) for message in messages]
        facts: list[Fact] = self._left_behind([identifier for identifier, _ in identified]) if is_whole else []
        for identifier, message in identified:
            if identifier not in self._facts:
                new = list(self._message(identifier, message))
                self._facts[identifier] = [fact.id for fact in new]
                facts += [*self._used(identifier, message), *new]
        return facts

    def _left_behind(self, identifiers: Sequence[str]) -> list[Fact]:
        """Take back the messages behind the newest one that is still there."""
        there = set(identifiers)
        known = list(self._facts)
        places = [place for place, identifier in enumerate(known) if identifier in there]
        if not places or places[-1] == len(known) - 1:
            return []
        left = known[places[-1] + 1 :]
        dropped = tuple(fact for identifier in left for fact in self._facts.pop(identifier))
        self._open_turn = ""
        if not dropped:
            return []
        return [Rewound(id=f"rewind-{dropped[0]}", time=self._time, agent=self.agent, dropped=dropped)]

    def _message(self, identifier: str, message: Fields) -> Iterator[Fact]:
        self._time = max(milliseconds_in(message, "ts") or self._time, self._time)
        match text_in(message, "role"):
            case "user":
                yield from self._user(identifier, message)
            case "assistant":
                yield from self._model(identifier, message)
            case _:
                self._counts.unknown += 1

    def _used(self, identifier: str, message: Fields) -> list[Fact]:
        """Return how much of the context an answer of the model took; the client records no window."""
        metrics = object_in(message, "metrics")
        sent = number_in(metrics, "inputTokens")  # also what a cache held
        if not sent:
            return []
        tokens = sent + (number_in(metrics, "outputTokens") or 0)
        model = text_in(object_in(message, "modelInfo"), "id") or None
        return [ContextUsed(id=identifier, time=self._time, agent=self.agent, tokens=tokens, model=model)]

    def _user(self, identifier: str, message: Fields) -> Iterator[Fact]:
        for result in parts_of(message, "tool_result"):
            yield from self._result(result)
        text = prompt_of(message)
        self._open_turn = identifier
        if text:
            self.first_prompt = self.first_prompt or text
            if self.agent is not None:
                yield from self._agents.asked(self.agent, text, self._time)
            yield Prompt(id=identifier, time=self._time, agent=self.agent, text=text)

    def _model(self, identifier: str, message: Fields) -> Iterator[Fact]:
        model = text_in(object_in(message, "modelInfo"), "id") or None
        for index, part in enumerate(parts_of(message, "thinking")):
            place = f"{identifier}/{index}"
            text = text_in(part, "thinking")
            yield Reasoning(id=place, time=self._time, agent=self.agent, text=text, model=model)
        said, calls = said_in(message), parts_of(message, "tool_use")
        self._open_turn = identifier if calls else ""
        if said and calls:
            yield Remark(id=identifier, time=self._time, agent=self.agent, text=said)
        elif not calls:
            yield TurnEnded(id=identifier, time=self._time, agent=self.agent, text=said)
        for index, call in enumerate(calls):
            yield from self._call(f"{identifier}/call-{index}", call)

    def _call(self, place: str, call: Fields) -> Iterator[Fact]:
        tool, client_id = own_tool_name(text_in(call, "name")) or "?", id_in(call, "id")
        identifier = self._calls.of(client_id, place) if client_id else place
        self._tools[identifier] = tool
        asked = call.get("input")
        yield tool_call(identifier, client_id, tool, asked, shown=asked_of(asked), time=self._time, agent=self.agent)
        if tool == AGENT_TOOL:
            yield from self._agents.called(
                identifier, self.agent, text_in(object_in(call, "input"), "task"), self._time
            )

    def _result(self, result: Fields) -> Iterator[Fact]:
        client_id = id_in(result, "tool_use_id")
        if not client_id:
            return
        call = self._calls.newest(client_id)
        tool = self._tools.get(call, own_tool_name(text_in(result, "name")))
        how = answered(result, tool)
        yield Result(
            id=call,
            time=self._time,
            agent=self.agent,
            is_error=how.is_error,
            error=how.text if how.is_error else "",
            answered_next=next_in_answer(how.text) if is_thinking_tool(tool) and not how.is_error else None,
        )
        if tool == AGENT_TOOL and how.is_error:
            yield from self._agents.failed(call, self._time)
