"""What is said of a row that is not a thought: a refused call, what was done, a prompt, a rule across the tree."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from seqthink.chain.model import NONE, Aside, AsideItem, AsideKind
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import ActionEvent, CompactedEvent, ContextEvent, RejectedEvent, SessionEvent, text_of
from seqthink.core.text import SafeText, first_line, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.attachments import context_words
from seqthink.drawing.describe.calls import SHELLS, called_with, working_folder
from seqthink.drawing.describe.lanes import agent_name
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.gutter_cells import CellSign
from seqthink.drawing.text.spans import Role, Span, Spans

MAX_TOOLS_NAMED = 6
"""How many tools the row of actions names."""
MAX_FILES_NAMED = 2
"""How many files the row names for each tool."""
MIN_COMMAND_CELLS, MIN_SHORT_COMMAND_CELLS = 28, 16
"""Cells that a command has in any case where the row names it alone, and beside other tools."""
UNREADABLE = "this line can no longer be read"


class _NamedTool(NamedTuple):
    """What the row of actions says about one tool."""

    before: str
    """The tool, and the files that it was called for."""
    command: str = ""
    """Its newest command, all of it; empty for another tool than a shell."""
    behind: str = ""
    """How many calls are not named, behind a command."""

    def words(self, cells: int, signs: Signs) -> str:
        """Return it with the command in at most ``cells`` cells."""
        command = cut(self.command, cells, signs.ellipsis)
        return " ".join(filter(None, (self.before, command, self.behind)))


class AsideSign(NamedTuple):
    """How an aside is marked."""

    sign: CellSign
    role: Role
    """The colour of the sign and of the text."""


_SIGNS = {
    AsideKind.REFUSED: AsideSign(CellSign.REFUSED, Role.BAD),
    AsideKind.PROMPT: AsideSign(CellSign.PROMPT, Role.ACCENT),
    AsideKind.RESULT: AsideSign(CellSign.FINAL, Role.GOOD),
    AsideKind.UNFINISHED: AsideSign(CellSign.REFUSED, Role.BAD),
    AsideKind.REMARK: AsideSign(CellSign.REMARK, Role.MUTED),
    AsideKind.CONTEXT: AsideSign(CellSign.CONTEXT, Role.NOTE),
    AsideKind.ACTIONS: AsideSign(CellSign.ACTION, Role.MUTED),
    AsideKind.UNKEPT: AsideSign(CellSign.UNKEPT, Role.MUTED),
    AsideKind.COMPACTED: AsideSign(CellSign.RULE, Role.LINE),
    AsideKind.RESUMED: AsideSign(CellSign.RULE, Role.LINE),
    AsideKind.REWOUND: AsideSign(CellSign.RULE, Role.LINE),
}

_SAID = frozenset({AsideKind.PROMPT, AsideKind.REMARK, AsideKind.RESULT, AsideKind.UNFINISHED})
RULES = frozenset({AsideKind.COMPACTED, AsideKind.RESUMED, AsideKind.REWOUND})
"""The asides that are drawn as a rule across the tree."""


def aside_sign(kind: AsideKind) -> AsideSign:
    """Return sign and colour of an aside."""
    return _SIGNS[kind]


def aside_line(texts: SessionTexts, session: Session, ordinal: int, signs: Signs) -> SafeText:
    """Return what the row of an aside says, without its sign.

    ``session`` is that of ``texts``, or an earlier position of it.
    """
    aside = session.asides.get(ordinal)
    match aside.kind:
        case AsideKind.REFUSED:
            return SafeText(
                f"{refused_words(texts, session, ordinal)}: {first_line(aside_text(texts, session, ordinal))}"
            )
        case AsideKind.PROMPT | AsideKind.REMARK | AsideKind.RESULT | AsideKind.UNFINISHED:
            nothing = "did not finish" if aside.kind is AsideKind.UNFINISHED else "…"
            text = first_line(aside_text(texts, session, ordinal)) or nothing
            return SafeText(f"{_whose(session, aside)}{text}")
        case AsideKind.CONTEXT:
            return _context_line(texts, session, ordinal)
        case AsideKind.ACTIONS:
            done = actions_line(texts, session, ordinal, signs)
            return SafeText(" ".join([done, *(mark.text for mark in failure_mark(session, ordinal, signs))]))
        case AsideKind.UNKEPT:
            return unkept_line(session, ordinal, signs)
        case AsideKind.COMPACTED | AsideKind.RESUMED | AsideKind.REWOUND:
            return SafeText(_rule_words(texts, session, aside, signs))


def aside_text(texts: SessionTexts, session: Session, ordinal: int) -> str:
    """Return the text of an aside as it was written: why a call was refused, a prompt, a remark, a result; else "".

    That of a context item is its content, or "" for an update that left it as it was.
    """
    aside = session.asides.get(ordinal)
    if aside.kind is AsideKind.REFUSED:
        return texts.refusal_reason(ordinal)
    if aside.kind is AsideKind.CONTEXT:
        item = context_item(texts, session, ordinal)
        return UNREADABLE if item is None else item.content or ""
    if aside.kind not in _SAID:
        return ""
    event = texts.event(aside.offset, aside.size)
    text = text_of(event) if event is not None else None
    return UNREADABLE if text is None else text


def refused_tool(texts: SessionTexts, session: Session, ordinal: int) -> SafeText:
    """Return the name of the tool that a refused call was for, "" for the thinking tool."""
    aside = session.asides.get(ordinal)
    event = texts.event(aside.offset, aside.size)
    return one_line((event.tool or "") if isinstance(event, RejectedEvent) else "")


def refused_words(texts: SessionTexts, session: Session, ordinal: int) -> SafeText:
    """Return ``refused``, with the name of the tool if it was not the thinking tool."""
    tool = refused_tool(texts, session, ordinal)
    return SafeText(f"refused {tool}" if tool else "refused")


def context_item(texts: SessionTexts, session: Session, ordinal: int) -> ContextEvent | None:
    """Return the context item that an aside is about; None if its line can no longer be read."""
    aside = session.asides.get(ordinal)
    event = texts.event(aside.offset, aside.size)
    return event if isinstance(event, ContextEvent) else None


def _context_line(texts: SessionTexts, session: Session, ordinal: int) -> SafeText:
    item = context_item(texts, session, ordinal)
    if item is None:
        return SafeText(UNREADABLE)
    begins = first_line(item.content or "")
    return SafeText(f"{context_words(item)} {one_line(item.id)}" + (f": {begins}" if begins else ""))


def _whose(session: Session, aside: Aside) -> SafeText:
    """Return the name of the subagent whose row it is though it has no lane, as ``read the log: ``; else ""."""
    return SafeText("" if aside.agent == NONE else f"{one_line(agent_name(session, aside.agent))}: ")


def actions_line(texts: SessionTexts, session: Session, ordinal: int, signs: Signs, cells: int = 0) -> SafeText:
    """Return what was done by tool, the most frequent first: ``Edit registry.ex, session.ex +3 · Bash mix test +1``.

    Commands are cut, but no further than the line needs to fit in ``cells``.
    """
    whose = _whose(session, session.asides.get(ordinal))
    calls = defaultdict[str, list[AsideItem]](list)
    for item in session.asides.items_of(ordinal):
        calls[item.name].append(item)
    tools = sorted(calls, key=lambda tool: -len(calls[tool]))
    least = MIN_COMMAND_CELLS if len(tools) == 1 else MIN_SHORT_COMMAND_CELLS
    named = [_named(texts, session, tool, calls[tool], signs) for tool in tools[:MAX_TOOLS_NAMED]]
    more = [signs.ellipsis] if len(tools) > MAX_TOOLS_NAMED else []

    def line(rooms: Sequence[int]) -> str:
        words = [tool.words(room, signs) for tool, room in zip(named, rooms, strict=True)]
        return whose + f" {signs.separator} ".join([*words, *more])

    rooms = [least] * len(named)
    for place, tool in enumerate(named):
        if tool.command:  # what it does not need is left for the next one
            rooms[place] += max(0, cells - width(line(rooms)))
    return SafeText(line(rooms))


def failure_mark(session: Session, ordinal: int, signs: Signs) -> Spans:
    """Return how many of the calls of a row failed, ``✗1``; nothing if none did."""
    failed = session.asides.failure_count_of(ordinal)
    return [Span(f"{signs.refused}{failed}", Role.BAD)] if failed else []


def _named(texts: SessionTexts, session: Session, tool: str, calls: Sequence[AsideItem], signs: Signs) -> _NamedTool:
    """Return what is said of a tool: the files it was called for, each once, or its newest command, or how often."""
    name = one_line(tool) or "?"
    files = [*dict.fromkeys(call.file for call in calls if call.file)]
    shown = ", ".join(map(one_line, files[:MAX_FILES_NAMED]))
    more = len(files) - MAX_FILES_NAMED + sum(not call.file for call in calls)
    if not files and (command := _command(texts, session, calls[-1])):
        return _NamedTool(name, command, f"+{len(calls) - 1}" if len(calls) > 1 else "")
    if len(files) > 1:
        times = f"+{more}" if more > 0 else ""
    else:
        times = f"{signs.times}{len(calls)}" if len(calls) > 1 else ""
    return _NamedTool(" ".join(filter(None, (name, shown, times))))


def _command(texts: SessionTexts, session: Session, call: AsideItem) -> str:
    """Return the command that a call ran; empty for a call of another tool than a shell."""
    event = texts.event(call.offset, call.size) if call.name.lower() in SHELLS else None
    summary = (event.summary or "") if isinstance(event, ActionEvent) else ""
    return one_line(called_with(working_folder(session), call.name, summary)[0])


def unkept_line(session: Session, ordinal: int, signs: Signs) -> SafeText:
    """Return how often and how long a model reasoned without a kept text: ``thought 3×, 41s, text not kept``."""
    items = session.asides.items_of(ordinal)
    tokens, took = sum(item.tokens for item in items), sum(item.duration_us for item in items)
    parts = [f"thought {len(items)}{signs.times}" if len(items) > 1 else "thought"]
    if took:
        parts.append(units.duration(took))
    if tokens:
        parts.append(f"{units.tokens(tokens)} tokens")
    return SafeText(", ".join([*parts, "text not kept"]))


def _rule_words(texts: SessionTexts, session: Session, aside: Aside, signs: Signs) -> str:
    event = texts.event(aside.offset, aside.size)
    if isinstance(event, CompactedEvent):
        before, after = event.tokensBefore, event.tokensAfter
        if before and after:
            return f"compacted, {units.tokens(before)} {signs.changed} {units.tokens(after)} tokens"
        return f"compacted at {units.tokens(before)} tokens" if before else "compacted"
    if isinstance(event, SessionEvent):
        return "resumed"
    thoughts, turns = session.native.left_behind_at(aside.entry_index)
    left = units.count(thoughts, "thought") if thoughts else units.count(turns, "turn") if turns else ""
    return f"went back, {left} left behind" if left else "went back"
