"""What is said of a thought's attachments: which of them are shown, their titles, what was asked and answered."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple, cast

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.model import NONE, Attachment
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import (
    AttachedEvent,
    AuditEvent,
    ContextEvent,
    ElicitEvent,
    NoteEvent,
    SampleEvent,
)
from seqthink.core.text import one_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe import units
from seqthink.drawing.describe.audits import diff_of
from seqthink.drawing.describe.json_values import MAX_ITEMS, JsonObject, as_line, as_list, as_object, pretty_json
from seqthink.drawing.describe.lanes import agent_name
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role

UNREADABLE = "this line of the journal can no longer be read"
"""What is said of an attachment whose line cannot be read."""

AttachedEvents = Sequence[tuple[Attachment, AttachedEvent | None]]
"""Attachments with their events; None for one that can no longer be read."""
Message = dict[str, Any]
"""One message of a conversation, as MCP spells it."""


MAX_AGENT_CELLS = 30
"""How much of an agent's name a message has."""


class AttachmentTitle(NamedTuple):
    """The title of an exchange, a context item or a note."""

    words: str
    """What it is: ``model asked``, ``» note delivered``."""
    subject: str | None
    """What it is about, such as the purpose of a question; None where there is nothing to say."""
    role: Role
    """The colour of the words."""
    facts: tuple[str, ...] = ()
    """The text at its right: the model, the outcome, how long it took, tags, a time."""


def attached_events(attached: Sequence[Attachment], texts: SessionTexts) -> AttachedEvents:
    """Return the attachments to show, each with its event; at most ``MAX_ITEMS``.

    They keep their order, except that audits come first: the verdict above the questions asked for it.
    """
    ordered = sorted(attached, key=lambda attachment: attachment.kind != "audit")
    events = ((attachment, texts.event(attachment.offset, attachment.size)) for attachment in ordered[:MAX_ITEMS])
    return [(attachment, event if isinstance(event, AttachedEvent) else None) for attachment, event in events]


def proposed_diffs(events: AttachedEvents) -> Collection[str]:
    """Return the diffs that audits propose, which other attachments need not repeat."""
    diffs = {diff_of(as_object(event.review)) for _, event in events if isinstance(event, AuditEvent)}
    return diffs - {""}


def attachment_title(
    event: SampleEvent | ElicitEvent | ContextEvent | NoteEvent, signs: Signs, zone: tzinfo = UTC, receiver: str = ""
) -> AttachmentTitle:
    """Return the title of an attachment other than an audit; an audit has its `audit_title`.

    ``receiver`` is the `note_receiver` of a note.
    """
    match event:
        case SampleEvent():
            model = (one_line(event.model),) if event.model else ()
            attempt = (f"attempt {event.attempt}",) if (event.attempt or 1) > 1 else ()
            facts = (*model, *attempt, *_time_taken(event))
            return AttachmentTitle("model asked", one_line(event.purpose), Role.MUTED, facts)
        case ElicitEvent():
            outcome = (elicit_outcome(event),) if event.action else ()
            return AttachmentTitle(
                "you were asked", one_line(event.purpose), Role.MUTED, (*outcome, *_time_taken(event))
            )
        case ContextEvent():
            return AttachmentTitle(
                f"{signs.context} {context_words(event)}", one_line(event.id), Role.NOTE, (tags_text(event),)
            )
        case NoteEvent():
            return AttachmentTitle(
                f"{signs.note} note delivered", receiver or None, Role.NOTE, (written_at(event, zone),)
            )


_STEPPED_THOUGHTS = 50
_STEPS = {
    "audit": "audit begun",
    "sample": "model asked",
    "elicit": "you were asked",
    "context": "context saved",
    "note": "note delivered",
}


def step_words(session: Session, before: int, after: int) -> str:
    """Return what a step between two positions of ``session`` went over where no row shows it; "" for nothing.

    What came with a thought is looked for at the last thoughts before it.
    """
    first, last = sorted((before, after))
    count = session.at(last).thought_count
    if session.at(first).thought_count != count:
        return ""
    words = [
        _STEPS.get(attachment.kind, attachment.kind)
        for index in range(max(0, count - _STEPPED_THOUGHTS), count)
        for attachment in session.thoughts.attachments(index)
        if first <= attachment.entry_index < last and not attachment.verdict
    ]
    return f"stepped over: {', '.join(words)}" if words else ""


def note_receiver(event: AttachedEvent | None, session: Session) -> str:
    """Return to which agent a note went, as ``to main``; "" for any other event, and where there is one agent only."""
    thought = session.thoughts.index_of_seq(event.of) if isinstance(event, NoteEvent) else NONE
    if thought == NONE or not session.agents.count:
        return ""
    return f"to {one_line(agent_name(session, session.lanes.get(session.thoughts.lane_of(thought)).agent))}"


def short_agent_name(session: Session, agent: int) -> str:
    """Return an agent's name for a message: names that are tasks fill more than a line."""
    return cut(one_line(agent_name(session, agent)), MAX_AGENT_CELLS)


def note_addressee(note: NoteEvent, session: Session) -> str:
    """Return for which agent a waiting note is, as ``to worker``; "" if it is for whichever thinks next."""
    agent = session.agents.find(note.agent)
    return f"to {short_agent_name(session, agent)}" if agent > MAIN_AGENT else ""


def _time_taken(event: SampleEvent | ElicitEvent) -> tuple[str, ...]:
    return (units.duration_ms(event.durationMs),) if event.durationMs is not None else ()


def elicit_outcome(event: ElicitEvent) -> str:
    """Return in one word how the user reacted to a question; "" while that is unknown."""
    accepted = "answered" if event.content else "accepted"
    return {"accept": accepted, "decline": "declined", "cancel": "cancelled", None: ""}[event.action]


def context_words(event: ContextEvent) -> str:
    """Return what happened to a context item: ``context stored``, ``context updated``."""
    return "context stored" if event.action == "store" else "context updated"


def tags_text(event: ContextEvent) -> str:
    """Return the tags of a context item for one row; "no tags" after an update that removed them."""
    if event.tags == () and event.action == "update":
        return "no tags"
    return " ".join(f"#{one_line(tag)}" for tag in (event.tags or ())[:MAX_ITEMS])


def written_at(note: NoteEvent, zone: tzinfo = UTC) -> str:
    """Return the time at which a note was written as text; "" if the journal does not give it."""
    try:
        time = datetime.fromisoformat(note.writtenAt or "")
    except ValueError:
        return ""
    return f"written {units.clock(microseconds_of(time), zone)}" if time.tzinfo else ""


def talk_with_user(event: ElicitEvent) -> Iterator[tuple[str, str]]:
    """Yield who spoke and what, unsanitized, in a question to the user; its answer is said field by field."""
    names = {"assistant": "seqthink", "user": "you"}
    for message in [message for message in event.messages if not _is_tool_result(message)][:MAX_ITEMS]:
        role = as_line(message.get("role"))
        yield names.get(role, role), message_text(message.get("content"))


def _is_tool_result(message: Message) -> bool:
    kinds = {as_object(block).get("type") for block in as_list(message.get("content"))}
    return kinds == {"tool_result"}


def message_text(content: object) -> str:
    """Return the text of a protocol message, unsanitized; other content is named by its type."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_content_text(part) for part in as_list(cast("object", content)))
    return _content_text(content)


def _content_text(block: object) -> str:
    facts = as_object(block)
    if isinstance(text := facts.get("text"), str):
        return text
    if facts.get("type") == "tool_use":
        return _tool_use_text(as_line(facts.get("name")), as_object(facts.get("input")))
    if facts.get("type") == "tool_result":
        return "\n".join(as_line(as_object(part).get("text")) for part in as_list(facts.get("content")))
    return f"({as_line(facts.get('type')) or 'nothing'} {as_line(facts.get('mimeType'))}".rstrip() + ")"


def _tool_use_text(name: str, tool_input: JsonObject) -> str:
    """Return the input of a tool use; ``elicit`` is a question to the user, ``__schema__`` a structured answer."""
    if name == "elicit" and isinstance(message := tool_input.get("message"), str):
        return message
    arguments = pretty_json(tool_input, indent=0)
    return arguments if name == "__schema__" else f"{name} {arguments}"
