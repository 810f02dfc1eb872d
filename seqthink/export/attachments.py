"""Attachments of a thought as HTML: audits, exchanges with model and user, context items, notes."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from seqthink.chain.model import Attachment
from seqthink.drawing.describe.attachments import (
    UNREADABLE,
    AttachmentTitle,
    EventOf,
    attached_events,
    attachment_title,
    message_text,
    proposed_diffs,
    talk_with_user,
)
from seqthink.drawing.describe.audits import (
    answer_heading,
    audit_title,
    diff_of,
    is_review_or_diff,
    judge_facts,
    judge_notes,
    remaining_summary,
    review_comments,
    score_role,
    scored_dimensions,
)
from seqthink.drawing.describe.json_values import MAX_ITEMS, JsonObject, as_line, as_list, as_object
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import Role, Span
from seqthink.events import AuditEvent, ContextEvent, ElicitEvent, Event, NoteEvent, SampleEvent, UnknownEvent
from seqthink.export import html_text
from seqthink.export.markdown_html import long_code_html, raw_html


def attachments_html(attached: Sequence[Attachment], event_of: EventOf) -> Iterator[str]:
    """Yield each attachment of a thought, in the order of the text pane."""
    events = attached_events(attached, event_of)
    diffs = proposed_diffs(events)
    for attachment, event in events:
        yield from _attachment_html(attachment, event, diffs)
    if len(attached) > MAX_ITEMS:
        yield f'<p class="muted">{len(attached) - MAX_ITEMS:,} more not shown</p>\n'


def _attachment_html(
    attachment: Attachment, event: Event | UnknownEvent | None, diffs: Collection[str]
) -> Iterator[str]:
    match event:
        case AuditEvent():
            title, facts = audit_title(attachment, event, UNICODE)
            yield _head(html_text.spans(title), html_text.line(facts))
            yield from _audit(attachment, event)
        case SampleEvent():
            yield _title(attachment_title(event, UNICODE))
            yield from _sampled(event, diffs)
            yield from _error(event.error)
        case ElicitEvent():
            yield _title(attachment_title(event, UNICODE))
            yield from _pairs(talk_with_user(event))
            yield from _pairs((name, as_line(value)) for name, value in (event.content or {}).items())
            yield from _error(event.error)
        case ContextEvent():
            yield _title(attachment_title(event, UNICODE))
            if event.content is not None:
                yield from _raw(event.content)
        case NoteEvent():
            yield _title(attachment_title(event, UNICODE))
            yield from _raw(event.text)
        case _:
            yield _head(html_text.line(attachment.kind), "")
            yield f'<p class="muted">{UNREADABLE}</p>'
    yield "</section>\n"


def _title(title: AttachmentTitle) -> str:
    words = html_text.spans([Span(title.words, title.role)]) if title.role is Role.NOTE else html_text.line(title.words)
    subject = f" · {html_text.line(title.subject)}" if title.subject is not None else ""
    return _head(words + subject, html_text.line(" · ".join(title.facts)))


def _head(title: str, right: str) -> str:
    return f'<section class="card"><header><span>{title}</span><span class="muted">{right}</span></header>\n'


def _raw(text: str, role: str = "") -> Iterator[str]:
    if text:
        yield from raw_html(text, role)


def _error(error: str | None) -> Iterator[str]:
    yield from _raw(error or "", "warn")


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    has_begun = False
    for name, value in pairs:
        yield f"{'' if has_begun else '<dl>'}<dt>{html_text.line(name)}</dt><dd>"
        yield from html_text.long_text(value)
        yield "</dd>\n"
        has_begun = True
    if has_begun:
        yield "</dl>\n"


def _sampled(event: SampleEvent, diffs: Collection[str]) -> Iterator[str]:
    """Yield the question to a model, folded, and its answer, as a review or diff if it is one."""
    model, answer = event.model or "model", as_object(event.parsed)
    is_shaped = is_review_or_diff(answer)
    for message in event.messages[:MAX_ITEMS]:
        text = message_text(message.get("content"))
        if message.get("role") != "assistant":
            yield "<details><summary>the prompt</summary>"
            yield from _raw(text)
            yield "</details>\n"
        elif is_shaped:
            break
        else:
            yield from _pairs([(model, text)])
    if not is_shaped:
        return
    diff = diff_of(answer)
    yield from _pairs([(model, answer_heading(answer, diffs))])
    yield from _comments(answer.get("inline"))
    if diff and diff not in diffs:
        yield from long_code_html(diff, "diff")


def _audit(attachment: Attachment, audit: AuditEvent) -> Iterator[str]:
    review = as_object(audit.review)
    details = as_object(review.get("review"))
    yield from _error(audit.error)
    yield from _bars(review)
    yield from _comments(details.get("inline"))
    yield from _raw(remaining_summary(review))
    for citation in as_list(details.get("citations")):
        yield from _raw(as_line(citation), "muted")
    yield from _judges(attachment, review)
    if review.get("proposed_diff"):
        yield '<p class="muted">proposed:</p>'
        yield from long_code_html(str(review["proposed_diff"]), "diff")


def _bars(review: JsonObject) -> Iterator[str]:
    rows = [_bar(name, score) for name, score in scored_dimensions(review)]
    if rows:
        yield f'<table class="bars">{"".join(rows)}</table>\n'


def _bar(name: str, score: int) -> str:
    bar = '<svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" '
    bar += f'height="6"/><rect class="{score_role(score).value}" width="{score}" height="6"/></svg>'
    return f"<tr><td>{html_text.line(name)}</td><td>{bar}</td><td>{score}</td></tr>\n"


def _comments(inline: object) -> Iterator[str]:
    shown = [
        f"<li><code>{html_text.line(comment.location)}</code> {html_text.line(comment.text)}</li>\n"
        for comment in review_comments(inline)
    ]
    if shown:
        yield f'<ul class="comments">{"".join(shown)}</ul>\n'


def _judges(attachment: Attachment, review: JsonObject) -> Iterator[str]:
    yield from _raw(" · ".join(judge_facts(attachment, review, has_rounds=False)), "muted")
    for note in judge_notes(review):
        yield from _raw(note, "muted")
