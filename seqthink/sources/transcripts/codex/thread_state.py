"""What is known of a thread between two of its lines."""

from typing import Final

from seqthink.sources.transcripts.call_ids import first_call_id
from seqthink.sources.transcripts.codex.reasoning import ReasoningMerger
from seqthink.sources.transcripts.codex.scripts import SCRIPT_TOOL, CodeScript, CodeScripts
from seqthink.sources.transcripts.codex.tool_calls import ToolCalls, tool_call
from seqthink.sources.transcripts.facts import (
    Compacted,
    ContextUsed,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Rewound,
    TurnEnded,
)
from seqthink.sources.transcripts.json_fields import digest
from seqthink.sources.transcripts.tool_names import unsealed

_IDE_CONTEXT: Final = "# Context from my IDE setup:"
_IDE_REQUEST: Final = "## My request for Codex:"
_COMMENTARY: Final = "commentary"


class ThreadState:
    """The state of one thread, and the facts that need it.

    A record without an id of its own gets one from its turn, its place in it, and its text: the same in a copy.
    """

    def __init__(self) -> None:
        self.time = 0
        """The time of the current record."""
        self.agent: str | None = None
        """Whom the current record is about."""
        self.owner: str | None = None
        """Whose ids the current record has: of a copied record, those of the thread that it was copied from."""
        self.task = ""
        """The name of the thread's task, which replaces a prompt that is sealed."""
        self.turn = ""
        """The client's id of the current turn."""
        self.model: str | None = None
        self.calls = ToolCalls()
        self.scripts = CodeScripts()
        self._reasonings = ReasoningMerger()
        self.has_failed = False
        """Whether the turn met an error since its last text."""
        self._tokens: tuple[int, int] = (0, 0)
        """How large the conversation was when the client last said so, and before that."""
        # Whether the client marks where turns begin and end.
        self._has_turn_marks = False
        self._is_turn_open = False
        # What the model said last in this turn, while it may be the answer; and before that, if it was a remark.
        self._answer: Remark | None = None
        self._last_remark = ""
        self._counted: dict[str, int] = {}
        # What was taken for the answer of a turn, by the id of its end; the turn may have gone on.
        self._unmarked_ends: dict[str, Remark] = {}
        # Ids of the client that were there, each with what had it: some versions count them in each turn.
        self._ended: set[str] = set()
        self._asked: dict[str, tuple[str, str]] = {}
        self._reasoned: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._suggested: Prompt | None = None
        # The text of a prompt that was emitted since no event seemed to come.
        self._emitted_without_event = ""
        self._has_prompts = False
        self._compaction: tuple[str, str] | None = None
        self._turns: list[list[str]] = [[]]

    def enter_turn(self, turn: str, *, is_new: bool = False, is_marked: bool = False) -> None:
        """Take in the id of the turn that the records are in.

        One that is new is open, whatever was asked; one that is marked shows that the client marks where turns end.
        """
        self._has_turn_marks |= is_marked
        self._is_turn_open |= is_new
        if turn and turn != self.turn:
            self.turn = turn
            self.calls.enter_turn()
            self._counted.clear()
            self._unmarked_ends.clear()

    def id_of(self, kind: str, text: str) -> str:
        """Return an id for a record that has none."""
        number = self._counted[kind] = self._counted.get(kind, 0) + 1
        return f"{self._own(self.turn or 'thread')}/{kind}-{number}-{digest(text)}"

    def _own(self, identifier: str) -> str:
        """Return an id that no other thread has, as those have that are counted in each thread (``turn-1``)."""
        return first_call_id(identifier, self.owner) if identifier else ""

    def call_begun(self, call: str, record: str, name: str, arguments: object, time: int | None = None) -> list[Fact]:
        """Return the call of a record, if no record reported it before.

        Args:
            call: the client's id of the call.
            record: the type of the record.
            name: the tool.
            arguments: what it was called with.
            time: when, in microseconds since 1970 (UTC), if not at the record's time.
        """
        if not call or self.calls.add_record(call, record):
            return []
        is_repeated = self.calls.is_known(call)
        identifier = self.id_of("call", f"{call} {arguments}") if is_repeated else first_call_id(call, self.owner)
        begun_at = self.time if time is None else time
        begun = tool_call(identifier, call, name, arguments, begun_at, self.agent)
        return [*self._remarks(), self.calls.begun(call, record, begun)]

    def answered(self, call: str, output: object) -> list[Fact]:
        """Return the end of a call; if its beginning is lost, it shows that the text before was not an answer."""
        said = self._remarks() if call and self.calls.tool(call) is None else []
        return [*said, *self.calls.answered(call, output, self.time, self.agent)]

    def script_begun(self, call: str, code: object) -> list[Fact]:
        """Take in a call that runs a script; return an earlier one with its id that never ended."""
        before = [*self.script_ended(call), *self._remarks()]
        self.scripts.begun(call, CodeScript(code, self.time))
        return before

    def script_ended(self, call: str) -> list[Fact]:
        """Return the script that a call ran, if nothing that it did is emitted; its end is yet to be."""
        script = self.scripts.ended(call)
        return [] if script is None else self._script(call, script)

    def _script(self, call: str, script: CodeScript) -> list[Fact]:
        return self.call_begun(call, "custom_tool_call", SCRIPT_TOOL, script.code, script.time)

    def said(self, record: str, text: str, phase: str) -> list[Fact]:
        """Return what the model said as far as it is certain that its turn goes on.

        Args:
            record: the type of the record: what it said has one of each of several types.
            text: the text.
            phase: what the client takes it for, or empty.
        """
        facts: list[Fact] = []
        text = unsealed(text)
        if text and self._is_new_text(record, text):
            facts = self._remarks()
            identifier = self.id_of("said", text)
            self._is_turn_open |= bool(self._unmarked_ends)
            self._answer = Remark(id=identifier, time=self.time, agent=self.agent, text=text)
        return [*facts, *(self._remarks() if phase == _COMMENTARY else ())]

    def _is_new_text(self, record: str, text: str) -> bool:
        """Return whether no record of another type has said a text as often as those of this type have."""
        name = digest("".join(text.split()))
        often = self._counted[f"{record} {name}"] = self._counted.get(f"{record} {name}", 0) + 1
        is_new = often > self._counted.get(name, 0)
        self._counted[name] = max(often, self._counted.get(name, 0))
        return is_new

    def _remarks(self) -> list[Fact]:
        """Return what the model said last, which ended no turn."""
        remark, self._answer = self._answer, None
        if remark is None:
            return []
        self._last_remark = remark.text
        return [remark]

    def prompt(self, text: str, identifier: str) -> list[Fact]:
        """Return what the user typed, as an event says it."""
        self._has_prompts = True
        self._suggested = None
        text = unsealed(text) or self.task
        was_emitted, self._emitted_without_event = self._emitted_without_event, ""
        if text and text == was_emitted:
            return []
        ended = [] if self._has_turn_marks else self.end_unmarked_turn()
        return [*self._reasonings.settle(), *ended, *self._remarks(), *self._prompted(text, identifier)]

    def suggest_prompt(self, text: str) -> None:
        """Take in what the model was sent in the user's name: the prompt, if this thread has no event that says so."""
        text = unsealed(text)
        self._emitted_without_event = ""
        if text and not self._has_prompts:
            self._suggested = Prompt(id=self.id_of("message", text), time=self.time, agent=self.agent, text=text)

    def forget_copies(self, *, are_shown_elsewhere: bool) -> None:
        """Take in that all so far were copies; those that wait are another thread's, if that is shown."""
        self._has_prompts = False
        if are_shown_elsewhere:
            self.settle()
            self.end_unmarked_turn()
            self._remarks()

    def reasoning(
        self, record: str, identifier: str, parts: list[str], duration_ms: float | None = None, sealed: str = ""
    ) -> list[Fact]:
        """Return a reasoning item, if it can be emitted already.

        Args:
            record: the type of the record: an item has one of each of two types.
            identifier: the item's id, or empty.
            parts: its texts.
            duration_ms: how long it took.
            sealed: its encrypted text, if it has no id.
        """
        settled, text = self._settle_prompt(), "\n".join(parts)
        if not identifier and text and not self._is_new_text(record, f"reasoning: {text}"):
            return settled
        identifier = self._reasoning_id(record, identifier, text) or self.id_of("reasoning", sealed or text)
        return [*settled, *self._reasonings.item(self._reasoning(identifier, "", duration_ms), parts)]

    def _reasoning_id(self, record: str, identifier: str, text: str) -> str:
        """Return an id that no other item has; one is another than the one before if records of one type differ."""
        if not identifier:
            return ""
        items = self._reasoned.setdefault((record, identifier), [])
        item = (self.turn, digest(text))
        if not items or items[-1] != item:
            items.append(item)
        return self._own(identifier) if len(items) == 1 else f"{self._own(identifier)}#{len(items)}"

    def reasoning_part(self, text: str, *, is_raw: bool) -> list[Fact]:
        """Return the reasoning that an event without an id belongs to, if it can be emitted already."""
        facts = self._settle_prompt()
        about = self._reasoning(f"{self._own(self.turn or 'thread')}/part-{digest(text)}", text, None)
        return [*facts, *self._reasonings.part(about, is_raw=is_raw)]

    def settle(self) -> list[Fact]:
        """Return what waited for a record of another kind."""
        return [*self._settle_prompt(), *self._reasonings.settle()]

    def pause(self) -> list[Fact]:
        """Return what waits, since nothing has come for long."""
        return [*self._settle_prompt(), *self._reasonings.pause()]

    def _settle_prompt(self) -> list[Fact]:
        """Return the prompt that no event has said."""
        suggested, self._suggested = self._suggested, None
        if suggested is None:
            return []
        self._emitted_without_event = suggested.text
        return [*self.end_unmarked_turn(), *self._remarks(), *self._as_turn(suggested)]

    def turn_ended(self, identifier: str, text: str, *, is_aborted: bool = False) -> list[Fact]:
        """Return the end of the turn."""
        left = [fact for call, script in self.scripts.abandoned().items() for fact in self._script(call, script)]
        answer = unsealed(text) or (self._answer.text if self._answer is not None else "")
        if self._answer is None and answer == self._last_remark:
            answer = ""  # it is a remark: the model called tools after it
        is_aborted = is_aborted or (self.has_failed and not (text or answer))
        identifier = self._end_id(identifier, self._answer, answer)
        self._answer, self._last_remark, self.has_failed, self._is_turn_open = None, "", False, False
        ended = TurnEnded(id=identifier, time=self.time, agent=self.agent, text=answer, is_aborted=is_aborted)
        return [*left, ended]

    def end_unmarked_turn(self) -> list[Fact]:
        """Return the end of a turn whose end no record marks: it ends with an answer, and another one begins."""
        if not self._is_turn_open or self._answer is None:
            return []
        answer, self._answer = self._answer, None
        self._is_turn_open = False
        identifier = self._end_id(self.turn, answer, answer.text)
        self._unmarked_ends[identifier] = answer
        return [TurnEnded(id=identifier, time=answer.time, agent=self.agent, text=answer.text)]

    def _end_id(self, identifier: str, said: Remark | None, answer: str) -> str:
        """Return the id of the end of a turn: another one, if something else was taken for the answer before."""
        last = next(reversed(self._unmarked_ends), "")
        if last and said is None and self._unmarked_ends[last].text == answer:
            return last
        identifier = self._own(identifier) or self.id_of("end", answer)
        is_known = identifier in self._unmarked_ends or (self._is_turn_open and identifier in self._ended)
        self._ended.add(identifier)
        return self.id_of("end", answer) if is_known else identifier

    def count_tokens(self, tokens: int) -> None:
        """Take in how large the conversation is."""
        self._tokens = (tokens, self._tokens[0])

    def compacted(self, record: str) -> list[Fact]:
        """Return that the conversation was compacted; a record of another kind about the same adds nothing."""
        if self._compaction is not None and self._compaction[0] == self.turn and self._compaction[1] != record:
            self._compaction = None
            return []
        self._compaction = (self.turn, record)
        self._answer = None  # it was the summary
        identifier = self.id_of("compaction", "")
        # The last one may count the request for the summary.
        tokens, self._tokens = max(self._tokens) or None, (0, 0)
        return [Compacted(id=identifier, time=self.time, agent=self.agent, tokens_before=tokens)]

    def rewound(self, turns: int) -> list[Fact]:
        """Return that the last turns of the user were taken back."""
        left = [self._turns.pop() for _ in range(min(max(turns, 0), len(self._turns) - 1))]
        unique = tuple(dict.fromkeys(one for turn in reversed(left) for one in turn))
        if not unique:
            return []
        return [Rewound(id=f"rewind-{unique[0]}", time=self.time, agent=self.agent, dropped=unique)]

    def remember(self, facts: list[Fact]) -> None:
        """Take in what was emitted, for when the user takes it back."""
        for fact in facts:
            if isinstance(fact, Rewound | ContextUsed):
                continue
            if isinstance(fact, Prompt):
                self._turns.append([])
            self._turns[-1].append(fact.id)
            if not isinstance(fact, Compacted):
                self._compaction = None

    def _prompted(self, text: str, identifier: str) -> list[Fact]:
        _, found, request = text.partition(_IDE_REQUEST) if text.startswith(_IDE_CONTEXT) else ("", "", "")
        text = request.strip() if found else text
        identifier = self._prompt_id(identifier, text)
        prompt = Prompt(id=identifier, time=self.time, agent=self.agent, text=text)
        return self._as_turn(prompt)

    def _prompt_id(self, identifier: str, text: str) -> str:
        """Return an id that no other prompt has."""
        asked = (self.turn, text)
        if not identifier or self._asked.setdefault(identifier, asked) != asked:
            return self.id_of("prompt", text)
        return self._own(identifier)

    def _as_turn(self, prompt: Prompt) -> list[Fact]:
        self._is_turn_open, self._last_remark, self.has_failed = True, "", False
        return [prompt]

    def _reasoning(self, identifier: str, text: str, duration_ms: float | None) -> Reasoning:
        return Reasoning(
            id=identifier, time=self.time, agent=self.agent, text=text, duration_ms=duration_ms, model=self.model
        )
