"""Attachments of a thought as cards of a page: audits, exchanges with model and user, context items, notes."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from seqthink.chain.model import Attachment
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import AttachedEvent, AuditEvent, ContextEvent, ElicitEvent, NoteEvent, SampleEvent
from seqthink.core.labels import Comment
from seqthink.core.text import one_line
from seqthink.drawing.describe.attachments import (
    UNREADABLE,
    AttachmentTitle,
    attached_events,
    attachment_title,
    message_text,
    note_receiver,
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
from seqthink.drawing.describe.comments import comment_role, comment_time, shared_comment_title
from seqthink.drawing.describe.json_values import MAX_ITEMS, JsonObject, as_line, as_list, as_object
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import Role
from seqthink.share.export.html_blocks import (
    Bar,
    Bars,
    Block,
    Comments,
    ModelQuestion,
    Pairs,
    Raw,
    Sentence,
    Words,
    code_block,
)


class AttachmentCard(Struct, frozen=True):
    """An attachment."""

    title: Sequence[Words]
    right: str
    """The text at the right of the title."""
    blocks: Sequence[Block]


def comment_cards(comments: Sequence[Comment]) -> Iterator[AttachmentCard]:
    """Yield a card for each comment of a person on a thought; at most ``MAX_ITEMS``. No agent said it."""
    for comment in comments[:MAX_ITEMS]:
        title = [Words(shared_comment_title(comment, UNICODE), comment_role(comment))]
        yield AttachmentCard(title, comment_time(comment), [Raw(comment.text)])


def cards(attached: Sequence[Attachment], texts: SessionTexts) -> Iterator[AttachmentCard]:
    """Yield a card for each attachment of a thought, in the order of the text pane; at most ``MAX_ITEMS``."""
    events = attached_events(attached, texts)
    diffs = proposed_diffs(events)
    for attachment, event in events:
        yield _card(attachment, event, diffs, note_receiver(event, texts.session))


def _card(attachment: Attachment, event: AttachedEvent | None, diffs: Collection[str], receiver: str) -> AttachmentCard:
    match event:
        case AuditEvent():
            spans, facts = audit_title(attachment, event, UNICODE)
            title = [Words(span.text, span.role if span.text.strip() else None) for span in spans]
            return AttachmentCard(title, facts, list(_audit(attachment, event)))
        case SampleEvent():
            return _titled(attachment_title(event, UNICODE), _sampled(event, diffs))
        case ElicitEvent():
            return _titled(attachment_title(event, UNICODE), _elicited(event))
        case ContextEvent():
            return _titled(attachment_title(event, UNICODE), _raw(event.content))
        case NoteEvent():
            return _titled(attachment_title(event, UNICODE, receiver=receiver), _raw(event.text))
        case None:
            return AttachmentCard([Words(one_line(attachment.kind))], "", [Sentence(UNREADABLE)])


def _titled(title: AttachmentTitle, blocks: Iterable[Block]) -> AttachmentCard:
    words = [Words(title.words, title.role if title.role is Role.NOTE else None)]
    words += [Words(f" · {one_line(title.subject)}")] if title.subject is not None else []
    return AttachmentCard(words, " · ".join(title.facts), list(blocks))


def _raw(text: str | None, role: Role | None = None) -> Iterator[Raw]:
    if text:
        yield Raw(text, role)


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[Pairs]:
    if shown := list(pairs):
        yield Pairs(shown)


def _elicited(event: ElicitEvent) -> Iterator[Block]:
    yield from _pairs(talk_with_user(event))
    yield from _pairs((name, as_line(value)) for name, value in (event.content or {}).items())
    yield from _raw(event.error, Role.WARN)


def _sampled(event: SampleEvent, diffs: Collection[str]) -> Iterator[Block]:
    """Yield the question to a model, folded, and its answer, as a review or diff if it is one."""
    answer = as_object(event.parsed)
    is_shaped = is_review_or_diff(answer)
    for message in event.messages[:MAX_ITEMS]:
        text = message_text(message.get("content"))
        if message.get("role") != "assistant":
            yield ModelQuestion(text)
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
    yield from _comments(answer.get("inline"))
    if diff and diff not in diffs:
        yield code_block(diff, "diff")


def _audit(attachment: Attachment, audit: AuditEvent) -> Iterator[Block]:
    review = as_object(audit.review)
    details = as_object(review.get("review"))
    yield from _raw(audit.error, Role.WARN)
    yield from _bars(review)
    yield from _comments(details.get("inline"))
    yield from _raw(remaining_summary(review))
    for citation in as_list(details.get("citations")):
        yield from _raw(as_line(citation), Role.MUTED)
    yield from _judges(attachment, review)
    if review.get("proposed_diff"):
        yield Sentence("proposed:")
        yield code_block(str(review["proposed_diff"]), "diff")


def _bars(review: JsonObject) -> Iterator[Bars]:
    if bars := [Bar(name, score, score_role(score)) for name, score in scored_dimensions(review)]:
        yield Bars(bars)


def _comments(inline: object) -> Iterator[Comments]:
    if comments := review_comments(inline):
        yield Comments(comments)


def _judges(attachment: Attachment, review: JsonObject) -> Iterator[Raw]:
    yield from _raw(" · ".join(judge_facts(attachment, review, has_rounds=False)), Role.MUTED)
    for note in judge_notes(review):
        yield from _raw(note, Role.MUTED)
