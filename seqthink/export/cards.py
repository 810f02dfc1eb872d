"""What belongs to a thought as HTML: audits, exchanges with model and person, context items, notes."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from seqthink.chain.model import Attachment
from seqthink.drawing.answers import answer_heading, has_shape, said_diff
from seqthink.drawing.audits import audit_heading, is_plain_pass, remarks, took
from seqthink.drawing.belongings import (
    EventOf,
    Messages,
    answered,
    asked_only,
    context_tags,
    message_text,
    proposed_diffs,
    told_of,
    written,
)
from seqthink.drawing.glyphs import UNICODE
from seqthink.drawing.values import MOST_SHOWN, Fields, fields, items, said
from seqthink.events import AuditEvent, ContextEvent, ElicitEvent, Event, NoteEvent, SampleEvent, UnreadEvent
from seqthink.export import tags
from seqthink.export.prose import long_code, raw


def cards(attached: Sequence[Attachment], event_of: EventOf) -> Iterator[str]:
    """Yield each thing that belongs to a thought, in the order of the text pane."""
    told = told_of(attached, event_of)
    diffs = proposed_diffs(told)
    for one, event in told:
        yield from _card(one, event, diffs)
    if len(attached) > MOST_SHOWN:
        yield f'<p class="muted">{len(attached) - MOST_SHOWN:,} more are not shown</p>\n'


def _card(one: Attachment, event: Event | UnreadEvent | None, diffs: Collection[str]) -> Iterator[str]:
    match event:
        case AuditEvent():
            left, right = audit_heading(one, event, UNICODE)
            yield _head(tags.spans(left[1:]), tags.line(right))
            yield from _audit(one, event)
        case SampleEvent():
            ended = [
                event.model or "",
                _attempt(event.attempt),
                took(event.durationMs) if event.durationMs is not None else "",
            ]
            yield _head(f"model asked · {tags.line(event.purpose)}", _joined(ended))
            yield from _sampled(event, diffs)
            yield from _error(event.error)
        case ElicitEvent():
            ended = [answered(event), took(event.durationMs) if event.durationMs is not None else ""]
            yield _head(f"you were asked · {tags.line(event.purpose)}", _joined(ended))
            yield from _talk(asked_only(event.messages), {"assistant": "seqthink", "user": "you"})
            yield from _pairs((name, said(value)) for name, value in (event.content or {}).items())
            yield from _error(event.error)
        case ContextEvent():
            stored = "stored" if event.action == "store" else "updated"
            yield _head(
                f'<span class="note">+ context {stored}</span> · {tags.line(event.id)}', tags.line(context_tags(event))
            )
            if event.content is not None:
                yield from _raw(event.content)
        case NoteEvent():
            yield _head('<span class="note">» note delivered</span>', tags.line(written(event)))
            yield from _raw(event.text)
        case _:
            yield _head(tags.line(one.kind), "")
            yield '<p class="muted">this line of the journal cannot be read any more</p>'
    yield "</section>\n"


def _head(title: str, right: str) -> str:
    return f'<section class="card"><header><span>{title}</span><span class="muted">{right}</span></header>\n'


def _joined(parts: list[str]) -> str:
    return tags.line(" · ".join(part for part in parts if part))


def _raw(text: str, role: str = "") -> Iterator[str]:
    if text:
        yield from raw(text, role)


def _attempt(attempt: int | None) -> str:
    return f"attempt {attempt}" if attempt and attempt > 1 else ""


def _error(error: str | None) -> Iterator[str]:
    yield from _raw(error or "", "warn")


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    has_begun = False
    for name, value in pairs:
        yield f"{'' if has_begun else '<dl>'}<dt>{tags.line(name)}</dt><dd>"
        yield from tags.long_text(value)
        yield "</dd>\n"
        has_begun = True
    if has_begun:
        yield "</dl>\n"


def _talk(messages: Messages, names: dict[str, str]) -> Iterator[str]:
    roles = ((said(message.get("role")), message_text(message.get("content"))) for message in messages[:MOST_SHOWN])
    yield from _pairs((names.get(role, role), text) for role, text in roles)


def _sampled(event: SampleEvent, diffs: Collection[str]) -> Iterator[str]:
    """Yield what a model was asked, folded, and its answer, as a review or a diff where it is one."""
    model, answer = event.model or "model", fields(event.parsed)
    is_shaped = has_shape(answer)
    for message in event.messages[:MOST_SHOWN]:
        text = message_text(message.get("content"))
        if message.get("role") != "assistant":
            yield "<details><summary>what it was told</summary>"
            yield from _raw(text)
            yield "</details>\n"
        elif is_shaped:
            break
        else:
            yield from _pairs([(model, text)])
    if not is_shaped:
        return
    diff = said_diff(answer)
    yield from _pairs([(model, answer_heading(answer, diffs))])
    yield from _comments(answer)
    if diff and diff not in diffs:
        yield from long_code(diff, "diff")


def _audit(one: Attachment, audit: AuditEvent) -> Iterator[str]:
    review = fields(audit.review)
    details = fields(review.get("review"))
    yield from _error(audit.error)
    yield from _bars(review)
    yield from _comments(details)
    yield from _raw(remarks(review))
    for citation in items(details.get("citations")):
        yield from _raw(said(citation), "muted")
    yield from _judges(one, review)
    if review.get("proposed_diff"):
        yield '<p class="muted">proposed:</p>'
        yield from long_code(str(review["proposed_diff"]), "diff")


def _bars(review: Fields) -> Iterator[str]:
    rows: list[str] = []
    for dimension in map(fields, items(review.get("dimensions"))):
        score = dimension.get("score")
        if isinstance(score, int | float) and abs(score) < 1e6:
            rows.append(_bar(said(dimension.get("name")), min(100, max(0, round(score)))))
    if rows:
        yield f'<table class="bars">{"".join(rows)}</table>\n'


def _bar(name: str, score: int) -> str:
    role = "good" if score >= 85 else "warn" if score >= 60 else "bad"
    bar = '<svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" '
    bar += f'height="6"/><rect class="{role}" width="{score}" height="6"/></svg>'
    return f"<tr><td>{tags.line(name)}</td><td>{bar}</td><td>{score}</td></tr>\n"


def _comments(details: Fields) -> Iterator[str]:
    shown: list[str] = []
    for comment in map(fields, items(details.get("inline"))):
        place = said(comment.get("path")) + (f":{said(comment.get('line'))}" if comment.get("line") else "")
        shown.append(f"<li><code>{tags.line(place)}</code> {tags.line(said(comment.get('comment')))}</li>\n")
    if shown:
        yield f'<ul class="comments">{"".join(shown)}</ul>\n'


def _judges(one: Attachment, review: Fields) -> Iterator[str]:
    if is_plain_pass(review):
        return
    judges = [fields(card) for card in items(review.get("judge_cards"))]
    names = [f"{said(judge.get('model')) or '?'} {said(judge.get('score'))}".rstrip() for judge in judges]
    forced = ["next thought forced: yes"] if one.verdict in {"revise", "reject"} else []
    yield from _raw(" · ".join([*names, *forced]), "muted")
    for judge in judges:
        if said(judge.get("notes")):
            yield from _raw(f"{said(judge.get('model'))}: {said(judge.get('notes'))}", "muted")
