"""The text pane: the whole text of the selected thought."""

import asyncio
import gc
import re
from collections import OrderedDict
from collections.abc import Hashable
from functools import partial

from textual import events, work
from typing_extensions import override

from seqthink.chain.query import Query, compared_thought
from seqthink.core.background import keep_running
from seqthink.drawing.detail.thought_page import RenderedText, TextRenderJob, ThoughtPage
from seqthink.drawing.rows.highlight import highlight
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_text
from tui.widgets.line_view import WHEEL_ROWS, LineView

RENDER_DELAY_SECONDS = 0.12
"""How long a long text has to stay selected before it is rendered in full."""
MAX_CACHED_TEXTS = 8
MIN_ROWS_WITH_COUNT = 4
"""Height from which a line says how many more there are."""
MAX_ANCHOR_WORDS, MAX_ANCHOR_LINES = 5, 1000
_WORD = re.compile(r"\w+")


def _render_in_thread(job: TextRenderJob) -> RenderedText:
    """Render in a thread, without garbage collection, which would stop the event loop meanwhile."""
    was_enabled = gc.isenabled()
    gc.disable()  # rendering makes no reference cycles
    try:
        return job.rendered()
    finally:
        if was_enabled:
            gc.enable()


class TextPane(LineView):
    """Shows a text in lines; scrolls by itself, and starts at the top of every other thought.

    A long text first appears as a plain preview of its start; after a short delay it is rendered in a thread, one text
    at a time. The last few are cached.
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._lines: list[Spans] = []
        self._below: list[Spans] = []
        self._below_at = 0
        self._attachments_summary: Spans = []
        self._top = 0
        self._query: Query | None = None
        self._cut_sign = ""
        self._has_heading = False
        self._thought_key: Hashable = None
        self._page_key: Hashable = None
        self._lines_key: Hashable = None
        self._text_cache: OrderedDict[Hashable, RenderedText] = OrderedDict()
        self._rendering: asyncio.Future[RenderedText] | None = None
        self.is_preview = False
        """The preview is shown while the text is being rendered."""

    def show(self, page: ThoughtPage) -> None:
        """Draw a page: its text, its attachments, and the text that it replaced."""
        # By its line: the index of a thought differs with and without native reasoning.
        thought = (page.texts, page.session.thoughts.line_extent_of(page.index))
        compared = compared_thought(page.session, page.index) if page.is_diff else None
        key = (*thought, page.width, page.is_raw, compared, page.shows_older, page.signs.ellipsis)
        below = page.footer_lines()
        self._attachments_summary = page.summary_spans()
        if key == self._page_key and below == self._below:
            return
        if key == self._page_key and self.is_preview:
            self._below = below
            return
        if thought != self._thought_key:
            self._thought_key, self._lines, self._top = thought, [], 0
        self._below = below
        is_new, self._page_key, self._cut_sign = key != self._page_key, key, page.signs.ellipsis
        drawn = self._text_cache.get(key)
        job = page.render_job() if drawn is None else None
        if job is not None and job.renders_quickly:
            drawn = self._cache_text(key, job.rendered())
        if drawn is not None:
            self._show_rendered(drawn)
        elif job is not None and is_new:
            self.is_preview = True
            if not self._lines:  # else the thought's previous lines stay meanwhile
                self._has_heading = False
                self._replace_lines(job.preview())
            self._render_later(key, job)

    def show_lines(self, lines: list[Spans], key: Hashable = None) -> None:
        """Draw lines that are not a thought's; with the same ``key`` again, the scroll offset stays."""
        self._thought_key, self._page_key, self._below, self.is_preview = None, None, [], False
        if key is None or key != self._lines_key:
            self._top = 0
        self._lines_key = key
        self._has_heading = False
        self._lines = lines
        self.redraw()

    @work(exclusive=True, group="text")
    async def _render_later(self, key: Hashable, job: TextRenderJob) -> None:
        def report(_name: str, trouble: str) -> None:
            if trouble and key == self._page_key:  # the preview stays
                self._replace_lines([*self._lines, [], [Span(f" {trouble}", Role.BAD)]])

        await keep_running(partial(self._draw_in_full, key, job), "drawing the text", report, has_retries=False)

    async def _draw_in_full(self, key: Hashable, job: TextRenderJob) -> None:
        await asyncio.sleep(RENDER_DELAY_SECONDS)
        # A thread cannot be stopped: the next one starts when it is done.
        while self._rendering is not None and not self._rendering.done():
            await asyncio.wait([self._rendering])
        self._rendering = asyncio.get_running_loop().run_in_executor(None, _render_in_thread, job)
        drawn = self._cache_text(key, await asyncio.shield(self._rendering))
        if key == self._page_key:
            self._show_rendered(drawn)

    def _cache_text(self, key: Hashable, drawn: RenderedText) -> RenderedText:
        self._text_cache[key] = drawn
        self._text_cache.move_to_end(key)
        if len(self._text_cache) > MAX_CACHED_TEXTS:
            self._text_cache.popitem(last=False)
        return drawn

    def _show_rendered(self, drawn: RenderedText) -> None:
        self.is_preview = False
        self._has_heading = not drawn.upper
        self._below_at = len(drawn.upper)
        if drawn.upper:
            self._replace_lines([*drawn.upper, *self._below, *drawn.lower])
        else:
            self._replace_lines(drawn.lower)

    def _replace_lines(self, lines: list[Spans]) -> None:
        """Replace the lines; the text at the top stays there if it is found in the new ones."""
        if self._top:
            self._top = max(0, _anchored_line(self._lines, self._top, lines))
        self._lines = lines
        self._clamp()
        self.redraw()

    def highlight_hits(self, query: Query | None) -> None:
        """Highlight the hits of a query."""
        if query != self._query:
            self._query = query
            self.redraw()

    @override
    def line_at(self, y: int) -> tuple[Spans, bool]:
        height = self.size.height
        if self._top and y == 0 and height >= MIN_ROWS_WITH_COUNT:
            return [Span(f" {self._cut_sign} {self._top + 1:,} lines above", Role.MUTED)], False
        # a blank line above the text, where there is room
        indent = len(self._lines) < height and not self._has_heading
        number = self._top + y - indent
        has_more = self._top + height < len(self._lines) and y == height - 1
        if has_more and height >= MIN_ROWS_WITH_COUNT:
            return self._more_line(number), False
        spans = self._lines[number] if 0 <= number < len(self._lines) else []
        if has_more:  # too few rows to give one away
            spans = [*clip(spans, self.size.width - 2), Span(f" {self._cut_sign}", Role.MUTED)]
        return (highlight(spans, self._query) if self._query is not None else spans), False

    def _more_line(self, number: int) -> Spans:
        """Return the line that counts the lines below, with a summary of the attachments among them."""
        more: Spans = [Span(f" {self._cut_sign} {len(self._lines) - number:,} more lines", Role.MUTED)]
        if self._attachments_summary and self._thought_key is not None and number <= self._below_at:
            more += [Span("   "), *self._attachments_summary]
        return clip(more, self.size.width)

    @property
    def _max_top(self) -> int:
        return max(0, len(self._lines) - self.size.height)

    def _clamp(self) -> None:
        # before the first layout the height is unknown
        self._top = min(self._top, self._max_top) if self.size.height else self._top

    def scroll_lines(self, lines: int) -> None:
        """Scroll by ``lines``."""
        top = max(0, min(self._top + lines, self._max_top))
        if top != self._top:
            self._top = top
            self.redraw()

    def on_resize(self, _event: events.Resize) -> None:
        """Keep the scroll offset within the text."""
        self._clamp()
        self.redraw()

    def on_mouse_scroll_down(self) -> None:
        """Scroll down."""
        self.scroll_lines(WHEEL_ROWS)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up."""
        self.scroll_lines(-WHEEL_ROWS)


def _anchored_line(old: list[Spans], top: int, new: list[Spans]) -> int:
    """Return the line of ``new`` that starts with the same words as line ``top`` of ``old``.

    The words are searched for near the same relative position; without a match, that position is returned.
    """
    anchor = _words_of(old, top, top + 8)[:MAX_ANCHOR_WORDS]
    expected = top if len(old) <= top else top * len(new) // len(old)
    nearby = _words_of(new, expected - MAX_ANCHOR_LINES, expected + MAX_ANCHOR_LINES)
    texts = [word for word, _ in nearby]
    anchor_words = [word for word, _ in anchor]
    places = [at for at in range(len(texts)) if anchor_words and texts[at : at + len(anchor_words)] == anchor_words]
    line = min((nearby[at][1] for at in places), key=lambda line: abs(line - expected), default=expected)
    return line - (anchor[0][1] - top if anchor and places else 0)


def _words_of(lines: list[Spans], first: int, last: int) -> list[tuple[str, int]]:
    """Return the words of some lines, each with its line number; Markdown's punctuation does not count."""
    first = max(0, first)
    return [(word, at) for at, line in enumerate(lines[first:last], first) for word in _WORD.findall(spans_text(line))]
