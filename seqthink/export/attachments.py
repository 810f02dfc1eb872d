"""Attachments of a thought as HTML: audits, exchanges with model and user, context items, notes."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from seqthink.chain.model import Attachment
from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.describe.json_values import MAX_ITEMS, JsonObject, as_line, as_list, as_object
from seqthink.drawing.detail.attachments import (
    Messages,
    attached_events,
    elicit_outcome,
    message_text,
    proposed_diffs,
    tags_text,
    without_tool_results,
    written_at,
)
from seqthink.drawing.detail.audits import audit_heading, duration_text, is_internal_pass, remaining_summary
from seqthink.drawing.detail.model_answers import answer_heading, diff_of, is_review_or_diff
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.events import AuditEvent, ContextEvent, ElicitEvent, Event, NoteEvent, SampleEvent, UnknownEvent
from seqthink.export import html_text
from seqthink.export.markdown_html import long_code_html, raw_html


def attachments_html(attached: Sequence[Attachment], texts: SessionTexts) -> Iterator[str]:
    """Yield each attachment of a thought, in the order of the text pane."""
    events = attached_events(attached, texts)
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
            left, right = audit_heading(attachment, event, UNICODE)
            yield _head(html_text.spans(left[1:]), html_text.line(right))
            yield from _audit(attachment, event)
        case SampleEvent():
            parts = [
                event.model or "",
                _attempt(event.attempt),
                duration_text(event.durationMs) if event.durationMs is not None else "",
            ]
            yield _head(f"model asked · {html_text.line(event.purpose)}", _joined(parts))
            yield from _sampled(event, diffs)
            yield from _error(event.error)
        case ElicitEvent():
            parts = [elicit_outcome(event), duration_text(event.durationMs) if event.durationMs is not None else ""]
            yield _head(f"you were asked · {html_text.line(event.purpose)}", _joined(parts))
            yield from _conversation(without_tool_results(event.messages), {"assistant": "seqthink", "user": "you"})
            yield from _pairs((name, as_line(value)) for name, value in (event.content or {}).items())
            yield from _error(event.error)
        case ContextEvent():
            stored = "stored" if event.action == "store" else "updated"
            yield _head(
                f'<span class="note">+ context {stored}</span> · {html_text.line(event.id)}',
                html_text.line(tags_text(event)),
            )
            if event.content is not None:
                yield from _raw(event.content)
        case NoteEvent():
            yield _head('<span class="note">» note delivered</span>', html_text.line(written_at(event)))
            yield from _raw(event.text)
        case _:
            yield _head(html_text.line(attachment.kind), "")
            yield '<p class="muted">this line of the journal can no longer be read</p>'
    yield "</section>\n"


def _head(title: str, right: str) -> str:
    return f'<section class="card"><header><span>{title}</span><span class="muted">{right}</span></header>\n'


def _joined(parts: list[str]) -> str:
    return html_text.line(" · ".join(part for part in parts if part))


def _raw(text: str, role: str = "") -> Iterator[str]:
    if text:
        yield from raw_html(text, role)


def _attempt(attempt: int | None) -> str:
    return f"attempt {attempt}" if attempt and attempt > 1 else ""


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


def _conversation(messages: Messages, names: dict[str, str]) -> Iterator[str]:
    roles = ((as_line(message.get("role")), message_text(message.get("content"))) for message in messages[:MAX_ITEMS])
    yield from _pairs((names.get(role, role), text) for role, text in roles)


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
    yield from _comments(answer)
    if diff and diff not in diffs:
        yield from long_code_html(diff, "diff")


def _audit(attachment: Attachment, audit: AuditEvent) -> Iterator[str]:
    review = as_object(audit.review)
    details = as_object(review.get("review"))
    yield from _error(audit.error)
    yield from _bars(review)
    yield from _comments(details)
    yield from _raw(remaining_summary(review))
    for citation in as_list(details.get("citations")):
        yield from _raw(as_line(citation), "muted")
    yield from _judges(attachment, review)
    if review.get("proposed_diff"):
        yield '<p class="muted">proposed:</p>'
        yield from long_code_html(str(review["proposed_diff"]), "diff")


def _bars(review: JsonObject) -> Iterator[str]:
    rows: list[str] = []
    for dimension in map(as_object, as_list(review.get("dimensions"))):
        score = dimension.get("score")
        if isinstance(score, int | float) and abs(score) < 1e6:
            rows.append(_bar(as_line(dimension.get("name")), min(100, max(0, round(score)))))
    if rows:
        yield f'<table class="bars">{"".join(rows)}</table>\n'


def _bar(name: str, score: int) -> str:
    role = "good" if score >= 85 else "warn" if score >= 60 else "bad"
    bar = '<svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" '
    bar += f'height="6"/><rect class="{role}" width="{score}" height="6"/></svg>'
    return f"<tr><td>{html_text.line(name)}</td><td>{bar}</td><td>{score}</td></tr>\n"


def _comments(details: JsonObject) -> Iterator[str]:
    shown: list[str] = []
    for comment in map(as_object, as_list(details.get("inline"))):
        location = as_line(comment.get("path")) + (f":{as_line(comment.get('line'))}" if comment.get("line") else "")
        shown.append(
            f"<li><code>{html_text.line(location)}</code> {html_text.line(as_line(comment.get('comment')))}</li>\n"
        )
    if shown:
        yield f'<ul class="comments">{"".join(shown)}</ul>\n'


def _judges(attachment: Attachment, review: JsonObject) -> Iterator[str]:
    if is_internal_pass(review):
        return
    judges = [as_object(card) for card in as_list(review.get("judge_cards"))]
    names = [f"{as_line(judge.get('model')) or '?'} {as_line(judge.get('score'))}".rstrip() for judge in judges]
    forced = ["next thought forced: yes"] if attachment.verdict in {"revise", "reject"} else []
    yield from _raw(" · ".join([*names, *forced]), "muted")
    for judge in judges:
        if as_line(judge.get("notes")):
            yield from _raw(f"{as_line(judge.get('model'))}: {as_line(judge.get('notes'))}", "muted")
