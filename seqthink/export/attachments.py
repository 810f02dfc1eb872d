"""Attachments of a thought as cards of a page: audits, exchanges with model and user, context items, notes."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from seqthink.chain.model import Attachment
from seqthink.drawing.describe.json_values import MAX_ITEMS, JsonObject, as_line, as_list, as_object
from seqthink.drawing.detail.attachments import (
    EventOf,
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
from seqthink.drawing.text.spans import Role
from seqthink.events import AuditEvent, ContextEvent, ElicitEvent, Event, NoteEvent, SampleEvent, UnknownEvent
from seqthink.export.html_blocks import Bar, Bars, Block, Comments, Pairs, Prompt, Raw, Remark, Words, code_block
from seqthink.text import one_line


class Card(Struct, frozen=True):
    """An attachment."""

    title: Sequence[Words]
    right: str
    """What stands at the right of the title."""
    blocks: Sequence[Block]


def cards(attached: Sequence[Attachment], event_of: EventOf) -> Iterator[Card]:
    """Yield a card for each attachment of a thought, in the order of the text pane; at most ``MAX_ITEMS``."""
    events = attached_events(attached, event_of)
    diffs = proposed_diffs(events)
    for attachment, event in events:
        yield _card(attachment, event, diffs)


def _card(attachment: Attachment, event: Event | UnknownEvent | None, diffs: Collection[str]) -> Card:
    match event:
        case AuditEvent():
            left, right = audit_heading(attachment, event, UNICODE)
            title = [Words(span.text, span.role if span.text.strip() else None) for span in left[1:]]
            return Card(title, right, list(_audit(attachment, event)))
        case SampleEvent():
            attempt = f"attempt {event.attempt}" if event.attempt and event.attempt > 1 else ""
            right = _joined([event.model or "", attempt, _duration(event.durationMs)])
            return Card(_plain(f"model asked · {one_line(event.purpose)}"), right, list(_sampled(event, diffs)))
        case ElicitEvent():
            right = _joined([elicit_outcome(event), _duration(event.durationMs)])
            return Card(_plain(f"you were asked · {one_line(event.purpose)}"), right, list(_elicited(event)))
        case ContextEvent():
            stored = Words(f"+ context {'stored' if event.action == 'store' else 'updated'}", Role.NOTE)
            title = [stored, Words(f" · {one_line(event.id)}")]
            return Card(title, tags_text(event), list(_raw(event.content)))
        case NoteEvent():
            return Card([Words("» note delivered", Role.NOTE)], written_at(event), list(_raw(event.text)))
        case _:
            title = _plain(one_line(attachment.kind))
            return Card(title, "", [Remark("this line of the journal can no longer be read")])


def _plain(title: str) -> list[Words]:
    return [Words(title)]


def _duration(milliseconds: float | None) -> str:
    return "" if milliseconds is None else duration_text(milliseconds)


def _joined(parts: list[str]) -> str:
    return " · ".join(part for part in parts if part)


def _raw(text: str | None, role: Role | None = None) -> Iterator[Raw]:
    if text:
        yield Raw(text, role)


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[Pairs]:
    if shown := list(pairs):
        yield Pairs(shown)


def _conversation(messages: Messages, names: dict[str, str]) -> Iterator[Pairs]:
    roles = ((as_line(message.get("role")), message_text(message.get("content"))) for message in messages[:MAX_ITEMS])
    yield from _pairs((names.get(role, role), text) for role, text in roles)


def _elicited(event: ElicitEvent) -> Iterator[Block]:
    yield from _conversation(without_tool_results(event.messages), {"assistant": "seqthink", "user": "you"})
    yield from _pairs((name, as_line(value)) for name, value in (event.content or {}).items())
    yield from _raw(event.error, Role.WARN)


def _sampled(event: SampleEvent, diffs: Collection[str]) -> Iterator[Block]:
    """Yield the question to a model, folded, and its answer, as a review or diff if it is one."""
    answer = as_object(event.parsed)
    is_shaped = is_review_or_diff(answer)
    for message in event.messages[:MAX_ITEMS]:
        text = message_text(message.get("content"))
        if message.get("role") != "assistant":
            yield Prompt(text)
        elif is_shaped:
            break
        else:
            yield Pairs([(event.model or "model", text)])
    if is_shaped:
        yield from _answer(event.model or "model", answer, diffs)
    yield from _raw(event.error, Role.WARN)


def _answer(model: str, answer: JsonObject, diffs: Collection[str]) -> Iterator[Block]:
    diff = diff_of(answer)
    yield Pairs([(model, answer_heading(answer, diffs))])
    yield from _comments(answer)
    if diff and diff not in diffs:
        yield code_block(diff, "diff")


def _audit(attachment: Attachment, audit: AuditEvent) -> Iterator[Block]:
    review = as_object(audit.review)
    details = as_object(review.get("review"))
    yield from _raw(audit.error, Role.WARN)
    yield from _bars(review)
    yield from _comments(details)
    yield from _raw(remaining_summary(review))
    for citation in as_list(details.get("citations")):
        yield from _raw(as_line(citation), Role.MUTED)
    yield from _judges(attachment, review)
    if review.get("proposed_diff"):
        yield Remark("proposed:")
        yield code_block(str(review["proposed_diff"]), "diff")


def _bars(review: JsonObject) -> Iterator[Bars]:
    bars: list[Bar] = []
    for dimension in map(as_object, as_list(review.get("dimensions"))):
        score = dimension.get("score")
        if isinstance(score, int | float) and abs(score) < 1e6:
            shown = min(100, max(0, round(score)))
            role = Role.GOOD if shown >= 85 else Role.WARN if shown >= 60 else Role.BAD
            bars.append(Bar(as_line(dimension.get("name")), shown, role))
    if bars:
        yield Bars(bars)


def _comments(details: JsonObject) -> Iterator[Comments]:
    comments: list[tuple[str, str]] = []
    for comment in map(as_object, as_list(details.get("inline"))):
        location = as_line(comment.get("path")) + (f":{as_line(comment.get('line'))}" if comment.get("line") else "")
        comments.append((location, as_line(comment.get("comment"))))
    if comments:
        yield Comments(comments)


def _judges(attachment: Attachment, review: JsonObject) -> Iterator[Raw]:
    if is_internal_pass(review):
        return
    judges = [as_object(card) for card in as_list(review.get("judge_cards"))]
    names = [f"{as_line(judge.get('model')) or '?'} {as_line(judge.get('score'))}".rstrip() for judge in judges]
    forced = ["next thought forced: yes"] if attachment.verdict in {"revise", "reject"} else []
    yield from _raw(" · ".join([*names, *forced]), Role.MUTED)
    for judge in judges:
        if as_line(judge.get("notes")):
            yield from _raw(f"{as_line(judge.get('model'))}: {as_line(judge.get('notes'))}", Role.MUTED)
