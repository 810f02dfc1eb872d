"""The attachments of a thought as lines: audits, exchanges with model and user, context items, notes."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, cast

from seqthink.chain.model import Attachment
from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.describe import units
from seqthink.drawing.describe.json_values import (
    MAX_ITEMS,
    MAX_TEXT_CHARS,
    JsonObject,
    as_line,
    as_list,
    as_object,
    pretty_json,
)
from seqthink.drawing.detail.audits import audit_heading, audit_lines, duration_text, progress_lines
from seqthink.drawing.detail.model_answers import answer_lines, diff_of, is_review_or_diff
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_text, spans_width
from seqthink.drawing.text.wrap import wrap
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

MIN_TAGS_CELLS = 6
"""Cells that the tags of a context item get at least, however long its title is."""

RULE_ENDS_CELLS = 6
"""Cells of a rule that belong neither to its left nor to its right text: blanks and line."""

MAX_QUESTION_LINES, KEPT_QUESTION_LINES = 8, 3
"""A question to a model is shown whole up to this many lines; of a longer one the first few."""

Message = dict[str, Any]
"""One message of a conversation, as MCP spells it."""
Messages = Sequence[Message]


def attachment_blocks(
    attached: Sequence[Attachment], texts: SessionTexts, cells: int, signs: Signs, zone: tzinfo = UTC
) -> Iterator[list[Spans]]:
    """Yield each attachment as lines under a rule of its own.

    They keep their order, except that audits come first: the verdict above the questions asked for it.
    """
    events = attached_events(attached, texts)
    diffs = proposed_diffs(events)
    for attachment, event in events:
        yield list(_attachment_lines(attachment, event, diffs, cells, signs, zone))
    if len(attached) > MAX_ITEMS:
        yield [[Span(f" {signs.missing} {len(attached) - MAX_ITEMS:,} more", Role.MUTED)]]


AttachedEvents = Sequence[tuple[Attachment, Event | UnknownEvent | None]]
"""Attachments with their events; None for one that cannot be read."""


def attached_events(attached: Sequence[Attachment], texts: SessionTexts) -> AttachedEvents:
    """Return the attachments to show, audits first, each with its event; at most ``MAX_ITEMS``."""
    ordered = sorted(attached, key=lambda attachment: attachment.kind != "audit")
    return [(attachment, texts.event(attachment.offset, attachment.size)) for attachment in ordered[:MAX_ITEMS]]


def proposed_diffs(events: AttachedEvents) -> Collection[str]:
    """Return the diffs that audits propose, which other attachments need not repeat."""
    diffs = {diff_of(as_object(event.review)) for _, event in events if isinstance(event, AuditEvent)}
    return diffs - {""}


def open_question_lines(question: AskingEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield the question that the client has not answered yet, under a rule that says so."""
    asked = "you are asked" if question.kind == "elicit" else "model is asked"
    title = f"{asked} {signs.separator} {one_line(question.purpose)}"
    yield titled_rule(title, "no answer yet", cells, signs, Role.WARN)
    if question.message:
        yield from text_lines(question.message, cells)


def running_audit_lines(audit: AuditingEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield the progress of a running audit under a rule."""
    yield titled_rule("audit running", "", cells, signs, Role.ACCENT)
    yield from progress_lines(audit, cells, signs)


def rule(left: Spans, right: str, cells: int, signs: Signs, role: Role = Role.LINE) -> Spans:
    """Return a rule of exactly ``cells`` cells with ``left`` at its start and ``right`` near its end.

    When both do not fit, ``right`` loses its last parts first (parts are separated by ``signs.separator``); then
    ``left`` is cut.
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
    """Return a rule whose title has one role."""
    return rule([Span(f"{signs.rule * 2} ", Role.LINE), Span(title, role)], right, cells, signs)


def waiting_note_lines(
    notes: Sequence[NoteEvent], delivery_hint: str, cells: int, signs: Signs, zone: tzinfo
) -> Iterator[Spans]:
    """Yield the notes that were not delivered yet, then ``delivery_hint``, which says what they wait for."""
    for note in notes[:MAX_ITEMS]:
        yield titled_rule(f"{signs.note} note waiting", written_at(note, zone), cells, signs, Role.NOTE)
        yield from text_lines(note.text, cells)
    if len(notes) > MAX_ITEMS:
        yield [Span(f" {signs.missing} {len(notes) - MAX_ITEMS:,} more", Role.MUTED)]
    if notes:
        yield from text_lines(delivery_hint, cells, Role.MUTED)


def written_at(note: NoteEvent, zone: tzinfo = UTC) -> str:
    """Return the time at which a note was written as text; "" if the journal does not give it."""
    try:
        time = datetime.fromisoformat(note.writtenAt or "")
    except ValueError:
        return ""
    return f"written {units.clock(int(time.timestamp() * 1_000_000), zone)}" if time.tzinfo else ""


def _attachment_lines(
    attachment: Attachment,
    event: Event | UnknownEvent | None,
    diffs: Collection[str],
    cells: int,
    signs: Signs,
    zone: tzinfo,
) -> Iterator[Spans]:
    match event:
        case AuditEvent():
            yield rule(*audit_heading(attachment, event, signs), cells, signs)
            yield from audit_lines(attachment, event, cells, signs)
        case SampleEvent():
            parts: list[str] = [one_line(event.model)] if event.model else []
            yield titled_rule(
                f"model asked {signs.separator} {one_line(event.purpose)}",
                _right_text(parts, event, signs),
                cells,
                signs,
            )
            yield from _sample_lines(event, diffs, cells, signs)
            yield from _error_lines(event.error, cells)
        case ElicitEvent():
            parts = [elicit_outcome(event)] if event.action else []
            yield titled_rule(
                f"you were asked {signs.separator} {one_line(event.purpose)}",
                _right_text(parts, event, signs),
                cells,
                signs,
            )
            yield from _conversation(
                without_tool_results(event.messages), {"assistant": "seqthink", "user": "you"}, cells
            )
            for name, value in (event.content or {}).items():
                yield from _message(one_line(name[:40]), as_line(value), cells)
            yield from _error_lines(event.error, cells)
        case ContextEvent():
            yield from _context_lines(event, cells, signs)
        case NoteEvent():
            yield titled_rule(f"{signs.note} note delivered", written_at(event, zone), cells, signs, Role.NOTE)
            yield from text_lines(event.text, cells)
        case _:
            yield titled_rule(one_line(attachment.kind), "", cells, signs)
            yield [Span(" this line of the journal can no longer be read"[:cells], Role.MUTED)]


def elicit_outcome(event: ElicitEvent) -> str:
    """Return in one word how the user reacted to a question; "" while that is unknown."""
    accepted = "answered" if event.content else "accepted"
    return {"accept": accepted, "decline": "declined", "cancel": "cancelled", None: ""}[event.action]


def _sample_lines(event: SampleEvent, diffs: Collection[str], cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield a conversation with a model: the start of the question, then the answer, drawn if its shape is known."""
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
        yield from lines if role == "assistant" else _question_start(lines, signs)


def _question_start(lines: list[Spans], signs: Signs) -> Iterator[Spans]:
    """Yield only the first lines of a long question to a model: most of it repeats the thought."""
    if len(lines) <= MAX_QUESTION_LINES:
        yield from lines
        return
    yield from (line for line in lines[:KEPT_QUESTION_LINES] if spans_text(line).strip())
    yield [Span(f" {signs.ellipsis} {units.count(len(lines) - KEPT_QUESTION_LINES, 'more line')}", Role.MUTED)]


def _context_lines(event: ContextEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    stored = "stored" if event.action == "store" else "updated"
    title = f"{signs.context} context {stored} {signs.separator} {one_line(event.id)}"
    tags = tags_text(event)
    room = cells - width(f"{signs.rule * 2} {title}   {signs.rule * 3}")
    yield titled_rule(title, cut(tags, max(MIN_TAGS_CELLS, room), signs.ellipsis), cells, signs, Role.NOTE)
    if event.content is not None:
        yield from text_lines(event.content, cells)
    elif event.action == "update":
        yield from text_lines("the text is unchanged", cells, Role.MUTED)


def tags_text(event: ContextEvent) -> str:
    """Return the tags of a context item for one row; "no tags" after an update that removed them."""
    if event.tags == () and event.action == "update":
        return "no tags"
    return " ".join(f"#{one_line(tag)}" for tag in (event.tags or ())[:MAX_ITEMS])


def _right_text(parts: list[str], event: SampleEvent | ElicitEvent, signs: Signs) -> str:
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
    body = wrap_spans([Span(_shortened(text))], max(2, cells - spans_width(first) - 1))
    yield from hanging_indent(first, body)


def message_text(content: object) -> str:
    """Return the text of a protocol message, unsanitized; other content is named by its type."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_content_text(part) for part in as_list(cast("object", content)))
    return _content_text(content)


def without_tool_results(messages: Messages) -> list[Message]:
    """Return the messages to the user without tool results: the answer is shown field by field."""
    return [message for message in messages if not _is_result(message)]


def _is_result(message: Message) -> bool:
    kinds = {as_object(block).get("type") for block in as_list(message.get("content"))}
    return kinds == {"tool_result"}


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


def _error_lines(error: str | None, cells: int) -> Iterator[Spans]:
    if error:
        yield from text_lines(error, cells, Role.WARN)


def text_lines(text: str, cells: int, role: Role = Role.TEXT) -> Iterator[Spans]:
    """Yield the start of ``text`` (at most ``MAX_TEXT_CHARS`` characters), sanitized and wrapped."""
    for line in wrap(_shortened(text), cells - 2):
        yield [Span(" "), Span(line, role)]


def _shortened(text: str) -> str:
    rest = len(text) - MAX_TEXT_CHARS
    return sanitize(text[:MAX_TEXT_CHARS]) + (f" ({rest:,} characters more)" if rest > 0 else "")
