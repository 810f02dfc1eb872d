"""The attachments of a thought as lines: audits, exchanges with model and user, context items, notes."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, tzinfo

from seqthink.chain.model import Attachment
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import (
    AskingEvent,
    AttachedEvent,
    AuditEvent,
    AuditingEvent,
    ContextEvent,
    ElicitEvent,
    NoteEvent,
    SampleEvent,
)
from seqthink.core.labels import Comment
from seqthink.core.text import one_line, sanitize
from seqthink.drawing.describe import units
from seqthink.drawing.describe.attachments import (
    UNREADABLE,
    AttachmentTitle,
    attached_events,
    attachment_title,
    message_text,
    note_addressee,
    note_receiver,
    proposed_diffs,
    talk_with_user,
    written_at,
)
from seqthink.drawing.describe.audits import audit_title, is_review_or_diff
from seqthink.drawing.describe.comments import comment_role, comment_time, comment_title
from seqthink.drawing.describe.json_values import MAX_ITEMS, MAX_TEXT_CHARS, as_line, as_object
from seqthink.drawing.detail.audits import answer_lines, audit_lines, progress_lines
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import DOWN, UP, Signs
from seqthink.drawing.text.rules import rule, titled_rule
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, spans_text, spans_width
from seqthink.drawing.text.wrap import wrap

MIN_TAGS_CELLS = 6
"""Cells that the tags of a context item get at least, however long its title is."""

MAX_QUESTION_LINES, KEPT_QUESTION_LINES = 8, 3
"""A question to a model is shown whole up to this many lines; of a longer one the first few."""


def attachment_blocks(
    attached: Sequence[Attachment], texts: SessionTexts, cells: int, signs: Signs, zone: tzinfo = UTC
) -> Iterator[list[Spans]]:
    """Yield each attachment as lines under a rule of its own.

    They keep their order, except that audits come first: the verdict above the questions asked for it.
    """
    events = attached_events(attached, texts)
    diffs = proposed_diffs(events)
    for attachment, event in events:
        receiver = note_receiver(event, texts.session)
        yield list(_attachment_lines(attachment, event, diffs, cells, signs, zone, receiver))
    if len(attached) > MAX_ITEMS:
        yield [[Span(f" {signs.missing} {len(attached) - MAX_ITEMS:,} more", Role.MUTED)]]


def open_question_lines(question: AskingEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield the question that the client has not answered yet, under a rule that says so."""
    asked = "you are asked" if question.kind == "elicit" else "model is asked"
    title = f"{asked} {signs.separator} {one_line(question.purpose)}"
    role = Role.WARN if question.kind == "elicit" else Role.ACCENT
    yield titled_rule(title, "no answer yet", cells, signs, role)
    if question.message:
        yield from text_lines(question.message, cells)


def running_audit_lines(audit: AuditingEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield the progress of a running audit under a rule."""
    yield titled_rule("audit running", "", cells, signs, Role.ACCENT)
    yield from progress_lines(audit, cells, signs)


def waiting_note_lines(
    notes: Sequence[NoteEvent], session: Session, delivery_hint: str, cells: int, signs: Signs, zone: tzinfo
) -> Iterator[Spans]:
    """Yield the notes that were not delivered yet, then ``delivery_hint``, which says what they wait for."""
    for note in notes[:MAX_ITEMS]:
        title = AttachmentTitle("note waiting", note_addressee(note, session) or None, Role.NOTE)
        yield titled_rule(f"{signs.note} {_title_text(title, signs)}", written_at(note, zone), cells, signs, Role.NOTE)
        yield from text_lines(note.text, cells)
    if len(notes) > MAX_ITEMS:
        yield [Span(f" {signs.missing} {len(notes) - MAX_ITEMS:,} more", Role.MUTED)]
    if notes:
        yield from text_lines(delivery_hint, cells, Role.MUTED)


def comment_lines(comments: Sequence[Comment], cells: int, signs: Signs, zone: tzinfo) -> Iterator[Spans]:
    """Yield what people wrote about a thought, each under a rule with the author, behind a bar: no agent said it."""
    bar = signs.box[UP | DOWN]
    for comment in comments[:MAX_ITEMS]:
        role = comment_role(comment)
        yield titled_rule(comment_title(comment, signs), comment_time(comment, zone), cells, signs, role)
        for line in wrap(sanitize(comment.text), max(2, cells - 4)):
            yield [Span(f" {bar} ", role), Span(line)]
    if len(comments) > MAX_ITEMS:
        yield [Span(f" {signs.missing} {len(comments) - MAX_ITEMS:,} more", Role.MUTED)]


def _attachment_lines(
    attachment: Attachment,
    event: AttachedEvent | None,
    diffs: Collection[str],
    cells: int,
    signs: Signs,
    zone: tzinfo,
    receiver: str,
) -> Iterator[Spans]:
    match event:
        case AuditEvent():
            title, facts = audit_title(attachment, event, signs)
            yield rule([Span(f"{signs.rule * 2} ", Role.LINE), *title], facts, cells, signs)
            yield from audit_lines(attachment, event, cells, signs)
        case SampleEvent():
            yield _title_line(attachment_title(event, signs), cells, signs)
            yield from _sample_lines(event, diffs, cells, signs)
            yield from _error_lines(event.error, cells)
        case ElicitEvent():
            yield _title_line(attachment_title(event, signs), cells, signs)
            yield from _elicit_lines(event, cells)
            yield from _error_lines(event.error, cells)
        case ContextEvent():
            yield from context_lines(event, cells, signs)
        case NoteEvent():
            yield _title_line(attachment_title(event, signs, zone, receiver), cells, signs)
            yield from text_lines(event.text, cells)
        case None:
            yield titled_rule(one_line(attachment.kind), "", cells, signs)
            yield [Span(f" {UNREADABLE}"[:cells], Role.MUTED)]


def _title_line(title: AttachmentTitle, cells: int, signs: Signs) -> Spans:
    return titled_rule(_title_text(title, signs), f" {signs.separator} ".join(title.facts), cells, signs, title.role)


def _title_text(title: AttachmentTitle, signs: Signs) -> str:
    return title.words if title.subject is None else f"{title.words} {signs.separator} {title.subject}"


def _elicit_lines(event: ElicitEvent, cells: int) -> Iterator[Spans]:
    """Yield a question to the user, then the fields of the answer."""
    for name, text in talk_with_user(event):
        yield from _message(name, text, cells)
    for name, value in (event.content or {}).items():
        yield from _message(one_line(name[:40]), as_line(value), cells)


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


def context_lines(event: ContextEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield a context item under a rule: its id, tags and text, or what of them an update changed."""
    title = attachment_title(event, signs)
    room = cells - width(f"{signs.rule * 2} {_title_text(title, signs)}   {signs.rule * 3}")
    tags = (cut(tags, max(MIN_TAGS_CELLS, room), signs.ellipsis) for tags in title.facts)
    yield _title_line(title._replace(facts=tuple(tags)), cells, signs)
    if event.content is not None:
        yield from text_lines(event.content, cells)
    elif event.action == "update":
        yield from text_lines("the text is unchanged", cells, Role.MUTED)


def _message(name: str, text: str, cells: int) -> Iterator[Spans]:
    first: Spans = [Span(f" {cut(name, cells // 3)}: ", Role.MUTED)]
    body = wrap_spans([Span(_shortened(text))], max(2, cells - spans_width(first) - 1))
    yield from hanging_indent(first, body)


def _error_lines(error: str | None, cells: int) -> Iterator[Spans]:
    if error:
        yield from text_lines(error, cells, Role.BAD)


def text_lines(text: str, cells: int, role: Role = Role.TEXT) -> Iterator[Spans]:
    """Yield the start of ``text`` (at most ``MAX_TEXT_CHARS`` characters), sanitized and wrapped."""
    for line in wrap(_shortened(text), cells - 2):
        yield [Span(" "), Span(line, role)]


def _shortened(text: str) -> str:
    rest = len(text) - MAX_TEXT_CHARS
    return sanitize(text[:MAX_TEXT_CHARS]) + (f" ({rest:,} characters more)" if rest > 0 else "")
