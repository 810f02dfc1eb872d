"""The text pane: one thought in full, its attachments, and what it replaced.

Drawn in docs/screens.md, "Narrow", "Wide", "One thought" and "Audit verdicts".
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from itertools import zip_longest
from typing import NamedTuple

from msgspec import Struct

from seqthink.chain.model import NONE, Thought
from seqthink.chain.query import compared_thought
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import AskingEvent, Event, NoteEvent, ReasoningEvent, ThoughtEvent, UnknownEvent
from seqthink.core.labels import Comment
from seqthink.core.text import MAX_RENDERED_CHARS, TextPrefix, first_line, unescape_breaks
from seqthink.drawing.describe import units
from seqthink.drawing.describe.audits import NEXT_THOUGHT_FORCED, progress_span, verdict_spans
from seqthink.drawing.describe.context_use import context_fact
from seqthink.drawing.describe.lanes import lane_name, lane_role
from seqthink.drawing.describe.marks import all_marks, row_marks
from seqthink.drawing.describe.oddities import oddity_sentences
from seqthink.drawing.describe.thought import (
    call_details,
    call_facts,
    native_facts,
    native_heading,
    retraction_facts,
    revision_facts,
)
from seqthink.drawing.detail.attachments import (
    attachment_blocks,
    comment_lines,
    open_question_lines,
    running_audit_lines,
    waiting_note_lines,
)
from seqthink.drawing.markup.code_lines import is_colouring_quick
from seqthink.drawing.markup.markdown import NOT_RENDERED, markdown_lines, plain_lines
from seqthink.drawing.markup.revision_diff import revision_diff_lines
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS, row_layout
from seqthink.drawing.text.rules import rule, titled_rule
from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, spans_width, spread

COLUMN_GAP_CELLS, MIN_COLUMN_CELLS = 2, 36
"""Blanks between two texts side by side, and the width without which they are not."""
MAX_QUICK_CHARS = 2000
"""Characters that are rendered at once on a key press; longer texts are rendered in another thread."""


class RenderedText(NamedTuple):
    """A text as it is drawn: what belongs to the thought is between the two parts, or nowhere without the first."""

    upper: list[Spans]
    """Its own lines."""
    lower: list[Spans]
    """The text that it replaced, or what changed."""


class TextRenderJob(Struct, frozen=True, kw_only=True):
    """Everything needed to render a thought's text in another thread, without session or file."""

    text: TextPrefix | None
    """The thought's text; None if only the revision below it is wanted."""
    width: int
    """Cells of the text pane."""
    signs: Signs = UNICODE
    is_raw: bool = False
    """Whether the Markdown is shown as it is written."""
    older: TextPrefix | None = None
    """The text of the revised thought; None if it is not shown."""
    newer: TextPrefix = TextPrefix("")
    """The text that ``older`` is compared with."""
    number: int = 0
    """The thought's number."""
    older_number: int = 0
    """The number of the revised thought."""
    is_diff: bool = False
    """Whether the changes are shown instead of the older text."""
    diff_key: str = "d"
    """The key that changes this, as it is called now."""

    @property
    def renders_quickly(self) -> bool:
        """Whether all texts together have at most `MAX_QUICK_CHARS` characters, and their code is soon coloured."""
        texts = [beginning.text for beginning in (self.text, self.older, self.newer) if beginning is not None]
        if sum(map(len, texts)) > MAX_QUICK_CHARS:
            return False
        return self.is_raw or all(map(is_colouring_quick, texts))

    def preview(self) -> list[Spans]:
        """Return the start of the text, unrendered, to show until the job is done."""
        text = self.text or self.older or TextPrefix("")
        return [
            *plain_lines(unescape_breaks(text.text[:MAX_QUICK_CHARS]), self.width),
            [Span(f" {self.signs.ellipsis}", Role.MUTED)],
        ]

    def rendered(self) -> RenderedText:
        """Return the lines of the thought's own text, and of the text it replaced or what changed."""
        own: list[Spans] = [] if self.text is None else self._text(self.text, self.width)
        if self.older is None:
            return RenderedText(own, [])
        if not self.is_diff:
            return RenderedText(
                own,
                [[], self._heading(self._older_title, f"{self.diff_key} diff".strip()), [], *self._older(self.width)],
            )
        title = self._heading(
            f"{self.older_number} {self.signs.changed} {self.number}, changes", f"{self.diff_key} texts".strip()
        )
        older, newer = (beginning.text[:MAX_RENDERED_CHARS] for beginning in (self.older, self.newer))
        changes = revision_diff_lines(older, newer, self.width, self.signs)
        if changes is not None:
            gap: list[Spans] = [] if self.text is None else [[]]
            return RenderedText(own, [*gap, title, [], *changes])
        notice = [
            [Span(" "), *line]
            for line in wrap_spans([Span("Too little in common: both texts.", Role.MUTED)], self.width - 2)
        ]
        return RenderedText([], [title, [], *notice, [], *self._both_texts()])

    def _both_texts(self) -> list[Spans]:
        """Return the older and the newer text side by side, or without the room for it one below the other."""
        cells = (self.width - COLUMN_GAP_CELLS) // 2
        if cells < MIN_COLUMN_CELLS:
            older_heading, newer_heading = self._heading(self._older_title, ""), self._heading(f"{self.number}", "")
            return [
                older_heading, [], *self._older(self.width), [], newer_heading, [], *self._text(self.newer, self.width)
            ]  # fmt: skip
        left = [titled_rule(self._older_title, "", cells, self.signs), [], *self._older(cells)]
        right = [titled_rule(f"{self.number}", "", cells, self.signs), [], *self._text(self.newer, cells)]
        gap = Span(" " * COLUMN_GAP_CELLS)
        return [
            [*before, Span(" " * (cells - spans_width(before))), gap, *behind] if behind else before
            for before, behind in zip_longest(left, right, fillvalue=list[Span]())
        ]

    @property
    def _older_title(self) -> str:
        return f"{self.older_number}, as it was"

    def _heading(self, title: str, right: str) -> Spans:
        return titled_rule(title, right, self.width, self.signs)

    def _older(self, cells: int) -> list[Spans]:
        return self._text(self.older or TextPrefix(""), cells, Role.MUTED)

    def _text(self, text: TextPrefix, cells: int, role: Role = Role.TEXT) -> list[Spans]:
        shown, length = text.text[:MAX_RENDERED_CHARS], max(text.whole_chars, len(text.text))
        is_cut = len(shown) < length
        if self.is_raw or is_cut:
            lines = list(plain_lines(shown, cells, role=role))
        else:
            lines = markdown_lines(shown, cells, role=role, signs=self.signs)
        if is_cut:
            rest = f"{length - len(shown):,} of {length:,} characters are not shown here; "
            notice = f"{rest}o opens all in an editor, y copies all." + ("" if self.is_raw else f" {NOT_RENDERED}")
            lines += [[], *([Span(" "), *line] for line in wrap_spans([Span(notice, Role.MUTED)], cells - 2))]
        return lines


class ThoughtPage(Struct, frozen=True, kw_only=True):
    """The text pane's content for one thought at one width."""

    session: Session
    """The session as it is shown: that of ``texts``, or an earlier position of it."""
    texts: SessionTexts
    index: int
    """The thought's index."""
    width: int
    """Cells of the text pane."""
    screen_width: int
    """Cells of the whole screen."""
    signs: Signs = UNICODE
    zone: tzinfo = UTC
    """The time zone of displayed times."""
    is_active: bool = False
    """Whether the text pane has the focus."""
    is_raw: bool = False
    """Whether the Markdown is shown as it is written."""
    is_diff: bool = False
    """Whether the changes are shown instead of the older text."""
    diff_key: str = "d"
    """The key that changes this, as it is called now."""
    is_reading: bool = False
    """Whether the call's details (date, size, agent, call id) are shown, as in reading mode."""
    shows_older: bool = False
    """Whether the revised text, or the diff, is shown below the thought's own text."""
    has_keys: bool = True
    """Whether key hints are shown."""
    waiting: Sequence[NoteEvent] = ()
    """Notes that were not delivered yet."""
    delivery_hint: str = ""
    """What the waiting notes wait for."""

    @property
    def comments(self) -> Sequence[Comment]:
        """What people wrote about the thought."""
        return self.session.labels.on(self.session.thoughts.seq_of(self.index)) if self.session.labels.comments else ()

    def heading(self, right: str) -> Spans:
        """Return the rule above the text: number, branch, revisions, duration; ``right`` at its end."""
        session, signs = self.session, self.signs
        thought = session.thoughts.get(self.index)
        lane = session.lanes.get(thought.lane)
        is_final = session.thoughts.is_final(thought.index)
        name = str(thought.number) if thought.native is None else native_heading(thought, is_final=is_final)
        pieces: Spans = [Span(name, Role.ACCENT)]
        if not lane.is_trunk:
            pieces.append(Span(str(first_line(lane_name(self.session, lane))), lane_role(lane)))
        pieces += [Span(fact, Role.MUTED) for fact in self._facts(thought)]
        pieces += self._more_marks(thought)
        left: Spans = []
        for piece in pieces:
            left += [Span(f" {signs.separator} " if left else f"{signs.rule * 2} ", Role.LINE), piece]
        return rule(left, right, self.width, signs, Role.ACCENT if self.is_active else Role.LINE)

    def _facts(self, thought: Thought) -> Iterator[str]:
        if self.session.native.is_left_behind(thought.index):
            yield "left behind"
        yield from (fact.text for fact in revision_facts(self.session, thought))
        took = self.session.thoughts.duration_of(thought.index)
        yield units.duration(took) if took is not None else units.size(self._length)

    def _more_marks(self, thought: Thought) -> Spans:
        """Return the marks that did not fit on the row and that the heading does not already say in words."""
        max_marks = row_layout(self.screen_width, screen_width=self.screen_width, tracks=0, digits=0).marks
        is_odd = bool(self.texts.health.at(self.session).oddities_at(self.index))
        shown = row_marks(
            self.session,
            thought,
            self.signs,
            is_odd=is_odd,
            max_marks=max_marks,
            has_words=self.screen_width >= NARROW_BELOW_CELLS,
        )
        every = all_marks(self.session, thought, self.signs, is_odd=is_odd, has_words=False)
        known = (self.signs.brings_back, self.signs.odd)
        count = len(shown.marks)
        return [mark for mark in every[count:] if not mark.text.startswith(known)]

    def clock(self) -> str:
        """Return the time of day at which the thought arrived."""
        return units.clock(self.session.thoughts.time_of(self.index), self.zone)

    def render_job(self) -> TextRenderJob:
        """Return the render job for the thought's text and, where it is shown, the one that it is compared with."""
        thoughts, text = self.session.thoughts, self.texts.prefix(self.index)
        pair = self._compared()
        is_alone = self.is_diff and pair is not None and not self.shows_older
        if pair is None or not (self.shows_older or self.is_diff):
            return TextRenderJob(
                text=text, width=self.width, signs=self.signs, is_raw=self.is_raw, number=thoughts.number_of(self.index)
            )
        older, newer = pair
        return TextRenderJob(
            text=None if is_alone else text,
            width=self.width,
            signs=self.signs,
            is_raw=self.is_raw,
            older=self.texts.prefix(older),
            newer=self.texts.prefix(newer) if self.is_diff else TextPrefix(""),
            number=thoughts.number_of(newer),
            older_number=thoughts.number_of(older),
            is_diff=self.is_diff,
            diff_key=self.diff_key,
        )

    def _compared(self) -> tuple[int, int] | None:
        """Return the older and the newer thought to compare: of one that is only revised, its reviser for a diff."""
        other = compared_thought(self.session, self.index)
        if self.session.thoughts.target_of(self.index) != NONE:
            return other, self.index
        return (self.index, other) if self.is_diff and other != NONE else None

    def summary_spans(self) -> Spans:
        """Return a short notice of what may be below the visible lines (question, running audit, verdict), or []."""
        thought = self.session.thoughts.get(self.index)
        question, auditing = self.session.open_question, self.session.running_audit
        if question is not None and question.of == thought.seq and question.kind == "elicit":
            return [Span("you are asked", Role.WARN)]
        if auditing is not None and auditing.of == thought.seq:
            return [progress_span(auditing)]
        verdict = self.session.thoughts.verdict_on(self.index)
        if verdict is not None:
            return verdict_spans(verdict, self.signs)
        return [Span(units.count(len(self.comments), "comment"), Role.NOTE)] if self.comments else []

    def footer_lines(self) -> list[Spans]:
        """Return the lines below the text: attachments, waiting notes, and facts of the call."""
        thought = self.session.thoughts.get(self.index)
        event = self.texts.event(*self.session.thoughts.line_extent_of(self.index))
        lines: list[Spans] = list(comment_lines(self.comments, self.width, self.signs, self.zone))
        auditing = self.session.running_audit
        if auditing is not None and auditing.of == thought.seq:
            lines += running_audit_lines(auditing, self.width, self.signs)
        question = self.session.open_question
        if question is not None and question.of == thought.seq:
            lines += open_question_lines(question, self.width, self.signs)
        for block in attachment_blocks(
            self.session.thoughts.attachments(self.index), self.texts, self.width, self.signs, self.zone
        ):
            lines += block
        lines += waiting_note_lines(self.waiting, self.session, self.delivery_hint, self.width, self.signs, self.zone)
        if self.has_keys and lines and NEXT_THOUGHT_FORCED in lines[-1][-1].text:
            lines = _with_key_hint(lines, "m text" if self.is_raw else "m raw", self.width)
        sentences = self._sentences(thought, event, question)
        if sentences:
            lines.append([])
        for fact in sentences:
            lines += hanging_indent([Span(" ")], wrap_spans([Span(fact, Role.MUTED)], max(2, self.width - 2)))
        return lines

    def _sentences(
        self, thought: Thought, event: Event | UnknownEvent | None, question: AskingEvent | None
    ) -> list[str]:
        """Return the facts of the call, or of the reasoning item; when it is read alone, its details, too."""
        called = event if isinstance(event, ThoughtEvent) else None
        sentences = oddity_sentences(self.texts.health.at(self.session), self.session, self.index)
        sentences += call_facts(self.session, thought, called, unanswered=self._unanswered(question))
        if thought.is_retraction:
            sentences += retraction_facts(self.texts.prefix(self.index).text)
        if isinstance(event, ReasoningEvent):
            sentences += native_facts(event, self.signs)
        if self.is_reading or self.index == self.session.lanes.newest_in(thought.lane):
            sentences += context_fact(self.session, self.index, self.zone, self.signs)
        if self.is_reading:
            size = units.size(self._length) if called else ""
            sentences.append(call_details(self.session, self.index, called, size, zone=self.zone, signs=self.signs))
        return sentences

    @property
    def _length(self) -> int:
        beginning = self.texts.prefix(self.index)
        return max(beginning.whole_chars, len(beginning.text))

    def _unanswered(self, question: AskingEvent | None) -> str:
        if not self.session.thoughts.is_undecided(self.index):
            return ""
        is_open = question is not None and self.session.thoughts.index_of_seq(question.of) == self.index
        return "not decided yet" if is_open else "never answered"


def _with_key_hint(lines: list[Spans], hint: str, cells: int) -> list[Spans]:
    """Return ``lines`` with a key hint at the end of the last line, if it fits."""
    if not lines or sum(width(span.text) for span in lines[-1]) + width(hint) + 3 > cells:
        return lines
    return [*lines[:-1], spread(lines[-1], [Span(hint, Role.MUTED)], cells - 1)]
