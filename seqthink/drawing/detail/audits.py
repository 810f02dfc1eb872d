"""Audits as lines: verdict, dimensions as bars, comments, judges (docs/screens.md, "Audit verdicts")."""

from collections.abc import Iterator

from seqthink.chain.model import Attachment
from seqthink.drawing.describe import units
from seqthink.drawing.describe.json_values import MAX_TEXT_CHARS, JsonObject, as_line, as_list, as_object
from seqthink.drawing.describe.marks import audit_mark
from seqthink.drawing.markup.unified_diff import unified_diff_lines
from seqthink.drawing.text.cells import cut, pad, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spread
from seqthink.drawing.text.wrap import wrap
from seqthink.events import AuditEvent, AuditingEvent
from seqthink.text import sanitize

MAX_BAR_CELLS, MIN_BAR_CELLS, SCORE_CELLS = 20, 4, 5
"""Width of a bar, and of the score after it."""
MAX_STEPS = 9999
"""Steps of an audit that are counted; a journal may name any number."""


def audit_heading(attachment: Attachment, audit: AuditEvent, signs: Signs) -> tuple[Spans, str]:
    """Return the left spans and the right text of the rule above an audit."""
    review, config = as_object(audit.review), as_object(audit.config)
    left: Spans = [Span(f"{signs.rule * 2} ", Role.LINE), *verdict_spans(attachment, signs)]
    if attachment.verdict:
        threshold = config.get("threshold")
        if attachment.verdict != "pass" and isinstance(threshold, int | float):
            left.append(Span(f" {signs.separator} threshold {threshold:g}", Role.MUTED))
    judges = len(as_list(review.get("judge_cards")))
    right = [units.count(judges, "judge")] if judges else []
    right += [duration_text(audit.durationMs)] if audit.durationMs is not None else []
    return left, f" {signs.separator} ".join(right)


def verdict_spans(attachment: Attachment, signs: Signs) -> Spans:
    """Return the verdict in words."""
    label = Span("audit ", Role.MUTED)
    if not attachment.verdict:
        return [label, Span("no verdict", Role.MUTED)]
    verdict = audit_mark(attachment, signs)
    return [label, verdict, Span(f" {attachment.verdict}", verdict.role)]


def progress_span(audit: AuditingEvent) -> Span:
    """Return the progress of a running audit in words."""
    done, steps = _progress(audit)
    return Span(f"auditing, {done} of {steps}", Role.ACCENT)


def _progress(audit: AuditingEvent) -> tuple[int, int]:
    steps = max(1, min(audit.steps, MAX_STEPS))
    return max(0, min(audit.done, steps)), steps


def progress_lines(audit: AuditingEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield the progress of a running audit: a bar, then what it is doing."""
    done, steps = _progress(audit)
    count_text = f"  {done} of {steps}"
    bar = max(MIN_BAR_CELLS, min(MAX_BAR_CELLS, cells - len(count_text) - 2))
    filled = done * bar // steps
    spans = [Span(signs.bar * filled, Role.ACCENT), Span(signs.bar_rest * (bar - filled), Role.LINE)]
    yield clip([Span(" "), *spans, Span(count_text)], cells)
    yield from _text(audit.doing, cells, Role.MUTED)


def duration_text(milliseconds: float) -> str:
    """Return a duration given in milliseconds as text; values out of range are clamped."""
    return units.duration(int(max(0.0, min(milliseconds, 1e12)) * 1000))


def audit_lines(attachment: Attachment, audit: AuditEvent, cells: int, signs: Signs) -> Iterator[Spans]:
    """Yield the findings of an audit, its judges and its proposed diff."""
    review = as_object(audit.review)
    details = as_object(review.get("review"))
    if audit.error:
        yield from _text(audit.error, cells, Role.WARN)
    bars = list(_bars(review, cells, signs))
    comments = list(comment_lines(details.get("inline"), cells))
    judges = _judges(attachment, review, cells)
    yield from bars
    if bars and comments and not judges:
        yield []
    yield from comments
    if rest := remaining_summary(review):
        yield from _text(rest, cells)
    for citation in as_list(details.get("citations")):
        yield from _text(as_line(citation), cells, Role.MUTED)
    if judges:
        yield []
        yield from judges
    if review.get("proposed_diff"):
        yield []
        yield [Span(" proposed:", Role.MUTED)]
        yield from unified_diff_lines(sanitize(str(review["proposed_diff"])[:MAX_TEXT_CHARS]), cells - 1)


def remaining_summary(review: JsonObject) -> str:
    """Return the part of the summary that neither the comments nor the judges' notes repeat."""
    details = as_object(review.get("review"))
    summary, comments = as_line(details.get("summary")), [as_object(item) for item in as_list(details.get("inline"))]
    if not comments:
        return summary
    end = 0
    for comment in comments:
        path, line, text = (as_line(comment.get(key)) for key in ("path", "line", "comment"))
        quoted = f"{path}:{line} {text.rstrip('.')}"
        end = max(end, summary.find(quoted) + len(quoted)) if quoted in summary else end
    rest = summary[end:].removeprefix("; and more").removeprefix(".").strip() if end else ""
    if is_internal_pass(review):
        return rest
    for card in map(as_object, as_list(review.get("judge_cards"))):
        rest = rest.replace(as_line(card.get("notes")), "").strip() if card.get("notes") else rest
    return rest


def _bars(review: JsonObject, cells: int, signs: Signs) -> Iterator[Spans]:
    dimensions = [as_object(item) for item in as_list(review.get("dimensions"))]
    named = [(as_line(item.get("name")), item.get("score")) for item in dimensions]
    scored = [(name, min(100, max(0, round(score)))) for name, score in named
              if isinstance(score, int | float) and abs(score) < 1e6]  # fmt: skip
    longest = min(max((width(name) for name, _ in scored), default=0), cells // 3)
    bar = max(MIN_BAR_CELLS, min(MAX_BAR_CELLS, cells - longest - SCORE_CELLS - 4))
    for name, score in scored:
        filled = (score * bar + 50) // 100
        role = Role.GOOD if score >= 85 else Role.WARN if score >= 60 else Role.BAD
        yield clip(
            [
                Span(f" {pad(name, longest)}  "),
                Span(signs.bar * filled, role),
                Span(signs.bar_rest * (bar - filled), Role.LINE),
                Span(f"{score:>{SCORE_CELLS}}"),
            ],
            cells,
        )


def comment_lines(comments: object, cells: int) -> Iterator[Spans]:
    """Yield the comments of a review, each behind its path and line."""
    for item in as_list(comments):
        comment = as_object(item)
        location = as_line(comment.get("path")) + (f":{as_line(comment.get('line'))}" if comment.get("line") else "")
        location = cut(location, max(8, cells - 4))
        text = as_line(comment.get("comment"))
        yield from hanging_indent(
            [Span(" ")], wrap_spans([Span(location, Role.MUTED), Span("  "), Span(text)], cells - 2)
        )


def is_internal_pass(review: JsonObject) -> bool:
    """Return whether the only judge was the internal one and it passed; then no judges are shown."""
    cards = [as_object(item).get("model") for item in as_list(review.get("judge_cards"))]
    return review.get("verdict") == "pass" and cards == ["internal"]


def _judges(attachment: Attachment, review: JsonObject, cells: int) -> list[Spans]:
    """Return the judges with their scores, the number of rounds, and whether a next thought is forced."""
    if is_internal_pass(review):
        return []
    cards = [as_object(item) for item in as_list(review.get("judge_cards"))]
    lines: list[Spans] = []
    texts = [f"{as_line(card.get('model')) or '?'} {as_line(card.get('score'))}".rstrip() for card in cards]
    texts += (
        [f"{as_line(review.get('iterations'))} rounds"]
        if as_line(review.get("iterations")) not in {"", "0", "1"}
        else []
    )
    texts += ["next thought forced: yes"] if attachment.verdict in {"revise", "reject"} else []
    lines += [[Span(f" {line}", Role.MUTED)] for line in _packed(texts, cells - 2)]
    for card in cards:
        if as_line(card.get("notes")):
            lines += _text(f"{as_line(card.get('model'))}: {as_line(card.get('notes'))}", cells, Role.MUTED)
    return lines


def _packed(texts: list[str], cells: int) -> Iterator[str]:
    """Yield ``texts`` side by side in as few lines as possible; a text longer than a line is broken."""
    line = ""
    for text in texts:
        longer = f"{line}   {text}" if line else text
        if line and width(longer) > cells:
            yield line
            longer = text
        line = longer
        if width(line) > cells:
            *full, line = wrap(line, cells)
            yield from full
    if line:
        yield line


def _text(text: str, cells: int, role: Role = Role.TEXT) -> Iterator[Spans]:
    for line in wrap(sanitize(text[:MAX_TEXT_CHARS]), cells - 2):
        yield [Span(" "), Span(line, role)]


def with_key_hint(lines: list[Spans], hint: str, cells: int) -> list[Spans]:
    """Return ``lines`` with a key hint at the end of the last line, if it fits."""
    if not lines or sum(width(span.text) for span in lines[-1]) + width(hint) + 3 > cells:
        return lines
    return [*lines[:-1], spread(lines[-1], [Span(hint, Role.MUTED)], cells - 1)]
