"""What belongs to a thought beside its text: audits, exchanges with model and person, context items, notes."""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, cast

from seqthink.chain.model import Attachment
from seqthink.drawing import words
from seqthink.drawing.audits import audit_heading, audit_lines, duration_text, progress_lines
from seqthink.drawing.cells import cut, width
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.json_values import MAX_ITEMS, MAX_TEXT_CHARS, JsonObject, as_line, as_list, as_object, pretty_json
from seqthink.drawing.model_answers import answer_lines, diff_of, is_review_or_diff
from seqthink.drawing.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.spans import Role, Span, Spans, clip, spans_text, spans_width
from seqthink.drawing.wrap import wrap
from seqthink.events import (
    AskingEvent,
    AuditEvent,
    AuditingEvent,
    ContextEvent,
    ElicitEvent,
    Event,
    NoteEvent,
    SampleEvent,
    UnknownEvent,
)
from seqthink.text import one_line, sanitize

EventOf = Callable[[int, int], Event | UnknownEvent | None]
"""Gives the event whose line begins at an offset and has so many bytes."""
MIN_TAGS_CELLS = 6
"""Cells for an item's tags that even a long title leaves."""

RULE_ENDS_CELLS = 6
"""Cells of a rule that are neither its left nor its right: blanks, and the line itself."""

MAX_QUESTION_LINES, KEPT_QUESTION_LINES = 8, 3
"""A question to a model is shown whole up to so many lines, else only how it begins."""

Message = dict[str, Any]
Messages = Sequence[Message]


def attachment_blocks(
    attached: Sequence[Attachment], event_of: EventOf, cells: int, signs: Signs, zone: tzinfo = UTC
) -> Iterator[list[Spans]]:
    """Yield each thing that belongs to a thought, as lines under a rule of its own.

    They stand in their order, but for audits: what came of one stands above what was asked for it.
    """
    told = attached_events(attached, event_of)
    diffs = proposed_diffs(told)
    for one, event in told:
        yield list(_drawn(one, event, diffs, cells, signs, zone))
    if len(attached) > MAX_ITEMS:
        yield [[Span(f" {signs.missing} {len(attached) - MAX_ITEMS:,} more", Role.MUTED)]]


AttachedEvents = Sequence[tuple[Attachment, Event | UnknownEvent | None]]


def attached_events(attached: Sequence[Attachment], event_of: EventOf) -> AttachedEvents:
    """Return what is shown of all that belongs to a thought, audits first, each with its event."""
    ordered = sorted(attached, key=lambda one: one.kind != "audit")
    return [(one, event_of(one.offset, one.size)) for one in ordered[:MAX_ITEMS]]


def proposed_diffs(told: AttachedEvents) -> Collection[str]:
    """Return the diffs that audits propose: those need not be shown once more."""
    found = {diff_of(as_object(event.review)) for _, event in told if isinstance(event, AuditEvent)}
    return found - {""}


def open_question_lines(question: AskingEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield what the client is being asked, under a rule that says that nobody has answered yet."""
    asked = "you are asked" if question.kind == "elicit" else "model is asked"
    title = f"{asked} {signs.separator} {one_line(question.purpose)}"
    yield titled_rule(title, "no answer yet", cells, signs, Role.WARN)
    if question.message:
        yield from text_lines(question.message, cells)


def running_audit_lines(audit: AuditingEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield how far the audit is that goes on, under a rule of its own."""
    yield titled_rule("audit goes on", "", cells, signs, Role.ACCENT)
    yield from progress_lines(audit, cells, signs)


def rule(left: Spans, right: str, cells: int, signs: Signs, role: Role = Role.LINE) -> Spans:
    """Return a rule of exactly ``cells`` cells with ``left`` at its beginning and ``right`` near its end.

    Where there is no room for both, a ``right`` of several parts loses them, the last one first; else ``left`` is cut.
    """
    separator = f" {signs.separator} "
    parts = right.split(separator)
    if len(parts) > 1:
        while parts and spans_width(left) + width(separator.join(parts)) + RULE_ENDS_CELLS > cells:
            parts.pop()
        right = separator.join(parts)
    right = cut(right, cells - 10, signs.ellipsis)
    tail = f" {right} {signs.rule * 2}" if right else ""
    room = cells - spans_width(left) - width(tail) - 1
    if room < 1:
        kept = clip(left, cells - width(tail) - 3)
        left = [*kept, Span(signs.ellipsis, kept[-1].role if kept else role)]
        room = cells - spans_width(left) - width(tail) - 1
    return [*left, Span(" " + signs.rule * room, role), Span(tail, Role.MUTED)]


def titled_rule(title: str, right: str, cells: int, signs: Signs, role: Role = Role.MUTED) -> Spans:
    """Return a rule with a title of one role."""
    return rule([Span(f"{signs.rule * 2} ", Role.LINE), Span(title, role)], right, cells, signs)


def waiting_note_lines(
    notes: Sequence[NoteEvent], delivery_hint: str, cells: int, signs: Signs, zone: tzinfo
) -> Iterator[Spans]:
    """Yield the notes that the agent does not have yet, and what that depends on."""
    for note in notes[:MAX_ITEMS]:
        yield titled_rule(f"{signs.note} note waiting", written_at(note, zone), cells, signs, Role.NOTE)
        yield from text_lines(note.text, cells)
    if len(notes) > MAX_ITEMS:
        yield [Span(f" {signs.missing} {len(notes) - MAX_ITEMS:,} more", Role.MUTED)]
    if notes:
        yield from text_lines(delivery_hint, cells, Role.MUTED)


def written_at(note: NoteEvent, zone: tzinfo = UTC) -> str:
    """Return when a note was written, in words; nothing where that is not told."""
    try:
        moment = datetime.fromisoformat(note.writtenAt or "")
    except ValueError:
        return ""
    return f"written {words.clock(int(moment.timestamp() * 1_000_000), zone)}" if moment.tzinfo else ""


def _drawn(
    one: Attachment, event: Event | UnknownEvent | None, diffs: Collection[str], cells: int, signs: Signs, zone: tzinfo
) -> Iterator[Spans]:
    match event:
        case AuditEvent():
            yield rule(*audit_heading(one, event, signs), cells, signs)
            yield from audit_lines(one, event, cells, signs)
        case SampleEvent():
            ended: list[str] = [one_line(event.model)] if event.model else []
            yield titled_rule(
                f"model asked {signs.separator} {one_line(event.purpose)}", _end(ended, event, signs), cells, signs
            )
            yield from _sampled(event, diffs, cells, signs)
            yield from _error(event.error, cells)
        case ElicitEvent():
            ended = [elicit_outcome(event)] if event.action else []
            yield titled_rule(
                f"you were asked {signs.separator} {one_line(event.purpose)}", _end(ended, event, signs), cells, signs
            )
            yield from _conversation(
                without_tool_results(event.messages), {"assistant": "seqthink", "user": "you"}, cells
            )
            for name, value in (event.content or {}).items():
                yield from _message(one_line(name[:40]), as_line(value), cells)
            yield from _error(event.error, cells)
        case ContextEvent():
            yield from _item(event, cells, signs)
        case NoteEvent():
            yield titled_rule(f"{signs.note} note delivered", written_at(event, zone), cells, signs, Role.NOTE)
            yield from text_lines(event.text, cells)
        case _:
            yield titled_rule(one_line(one.kind), "", cells, signs)
            yield [Span(" this line of the journal cannot be read any more"[:cells], Role.MUTED)]


def elicit_outcome(event: ElicitEvent) -> str:
    """Return in a word what a person did with a question; nothing while that is not known."""
    accepted = "answered" if event.content else "accepted"
    return {"accept": accepted, "decline": "declined", "cancel": "cancelled", None: ""}[event.action]


def _sampled(event: SampleEvent, diffs: Collection[str], cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield a conversation with a model: how the question begins, and the answer, drawn where its shape is known."""
    model = cut(one_line(event.model or "model"), 12, signs.ellipsis)
    answer = as_object(event.parsed)
    for message in event.messages[:MAX_ITEMS]:
        role = as_line(message.get("role"))
        if role == "assistant" and is_review_or_diff(answer):
            yield from answer_lines([Span(f" {cut(model, cells // 3)}: ", Role.MUTED)], answer, diffs, cells)
            return
        lines = list(
            _message(
                {"user": "seqthink", "assistant": model}.get(role, role), message_text(message.get("content")), cells
            )
        )
        yield from lines if role == "assistant" else _begun(lines, signs)


def _begun(lines: list[Spans], signs: Signs) -> Iterator[Spans]:
    """Yield the beginning of what a model was asked: much of it is the thought itself."""
    if len(lines) <= MAX_QUESTION_LINES:
        yield from lines
        return
    yield from (line for line in lines[:KEPT_QUESTION_LINES] if spans_text(line).strip())
    yield [Span(f" {signs.ellipsis} {words.count(len(lines) - KEPT_QUESTION_LINES, 'more line')}", Role.MUTED)]


def _item(event: ContextEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    stored = "stored" if event.action == "store" else "updated"
    title = f"{signs.context} context {stored} {signs.separator} {one_line(event.id)}"
    tags = tags_text(event)
    room = cells - width(f"{signs.rule * 2} {title}   {signs.rule * 3}")
    yield titled_rule(title, cut(tags, max(MIN_TAGS_CELLS, room), signs.ellipsis), cells, signs, Role.NOTE)
    if event.content is not None:
        yield from text_lines(event.content, cells)
    elif event.action == "update":
        yield from text_lines("the text stays as it was", cells, Role.MUTED)


def tags_text(event: ContextEvent) -> str:
    """Return an item's tags for one row; an update that took them all away says so."""
    if event.tags == () and event.action == "update":
        return "no tags"
    return " ".join(f"#{one_line(tag)}" for tag in (event.tags or ())[:MAX_ITEMS])


def _end(parts: list[str], event: SampleEvent | ElicitEvent, signs: Signs) -> str:
    if isinstance(event, SampleEvent) and (event.attempt or 1) > 1:
        parts = [*parts, f"attempt {event.attempt}"]
    parts = [*parts, *([duration_text(event.durationMs)] if event.durationMs is not None else [])]
    return f" {signs.separator} ".join(parts)


def _conversation(messages: Messages, names: dict[str, str], cells: int) -> Iterator[Spans]:
    for message in messages[:MAX_ITEMS]:
        role = as_line(message.get("role"))
        yield from _message(names.get(role, role), message_text(message.get("content")), cells)


def _message(name: str, text: str, cells: int) -> Iterator[Spans]:
    first: Spans = [Span(f" {cut(name, cells // 3)}: ", Role.MUTED)]
    body = wrap_spans([Span(_short(text))], max(2, cells - spans_width(first) - 1))
    yield from hanging_indent(first, body)


def message_text(content: object) -> str:
    """Return what a message of the protocol says, as it came; what is no text is named by its type."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_block(part) for part in as_list(cast("object", content)))
    return _block(content)


def without_tool_results(messages: Messages) -> list[Message]:
    """Return the question to a person without the answer as a tool's result: it is told field by field."""
    return [message for message in messages if not _is_result(message)]


def _is_result(message: Message) -> bool:
    kinds = {as_object(block).get("type") for block in as_list(message.get("content"))}
    return kinds == {"tool_result"}


def _block(block: object) -> str:
    facts = as_object(block)
    if isinstance(text := facts.get("text"), str):
        return text
    if facts.get("type") == "tool_use":
        return _use(as_line(facts.get("name")), as_object(facts.get("input")))
    if facts.get("type") == "tool_result":
        return "\n".join(as_line(as_object(part).get("text")) for part in as_list(facts.get("content")))
    return f"({as_line(facts.get('type')) or 'nothing'} {as_line(facts.get('mimeType'))}".rstrip() + ")"


def _use(name: str, asked: JsonObject) -> str:
    """Return what a tool is used for: the reserved ones are the question to a person and an answer in a given shape."""
    if name == "elicit" and isinstance(message := asked.get("message"), str):
        return message
    told = pretty_json(asked, indent=0)
    return told if name == "__schema__" else f"{name} {told}"


def _error(error: str | None, cells: int) -> Iterator[Spans]:
    if error:
        yield from text_lines(error, cells, Role.WARN)


def text_lines(text: str, cells: int, role: Role = Role.TEXT) -> Iterator[Spans]:
    """Yield the beginning of ``text`` as it is, in lines."""
    for line in wrap(_short(text), cells - 2):
        yield [Span(" "), Span(line, role)]


def _short(text: str) -> str:
    rest = len(text) - MAX_TEXT_CHARS
    return sanitize(text[:MAX_TEXT_CHARS]) + (f" ({rest:,} characters more)" if rest > 0 else "")
