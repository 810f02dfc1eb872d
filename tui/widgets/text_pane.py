"""The whole text of the selected thought."""

import asyncio
import gc
import re
from collections import OrderedDict
from collections.abc import Hashable

from textual import events, work
from typing_extensions import override

from seqthink.chain.query import Query
from seqthink.drawing.highlight import highlight
from seqthink.drawing.spans import Role, Span, Spans, clip, spans_text
from seqthink.drawing.thought_page import TextRenderJob, ThoughtPage
from tui.widgets.line_view import LineView

REST_SECONDS = 0.12
"""How long a long text stays selected before it is drawn in full."""
MOST_KEPT = 8
ENOUGH_WORDS, FAR = 5, 1000
_WORD = re.compile(r"\w+")


class Drawn:
    """A text that has been drawn: its lines, and those of what it replaced."""

    def __init__(self, draft: TextRenderJob) -> None:
        self.upper = draft.own_text_lines()
        self.lower = draft.revision_lines()


def _draw_beside(draft: TextRenderJob) -> Drawn:
    """Draw in a thread; a collection of garbage in it would stop the event loop for as long as it takes."""
    was_enabled = gc.isenabled()
    gc.disable()  # what is made here has no cycles
    try:
        return Drawn(draft)
    finally:
        if was_enabled:
            gc.enable()


class TextPane(LineView):
    """The text in lines; it scrolls by itself and starts at its top with every other thought.

    A long text is there at once as it is, its beginning; after a short rest it is drawn beside the event loop, one at
    a time. The last few are kept.
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._lines: list[Spans] = []
        self._below: list[Spans] = []
        self._below_at = 0
        self._glance: Spans = []
        self._top = 0
        self._query: Query | None = None
        self._cut = ""
        self._has_heading = False
        self._thought: Hashable = None
        self._key: Hashable = None
        self._said: Hashable = None
        self._kept: OrderedDict[Hashable, Drawn] = OrderedDict()
        self._drawing: asyncio.Future[Drawn] | None = None
        self.is_preview = False

    def show(self, page: ThoughtPage) -> None:
        """Draw the text of a page, what belongs to it, and what it replaced."""
        thought = (page.beginning_of, page.index)
        key = (*thought, page.width, page.is_raw, page.is_diff, page.shows_older, page.signs.ellipsis)
        below = page.footer_lines()
        self._glance = page.summary_spans()
        if key == self._key and below == self._below:
            return
        if key == self._key and self.is_preview:
            self._below = below
            return
        if thought != self._thought:
            self._thought, self._lines, self._top = thought, [], 0
        self._below = below
        is_new, self._key, self._cut = key != self._key, key, page.signs.ellipsis
        drawn = self._kept.get(key)
        draft = page.render_job() if drawn is None else None
        if draft is not None and draft.renders_quickly:
            drawn = self._keep(key, Drawn(draft))
        if drawn is not None:
            self._swap(drawn)
        elif draft is not None and is_new:
            self.is_preview = True
            if not self._lines:  # else the same thought, drawn otherwise, stays until this is ready
                self._has_heading = False
                self._set(draft.preview())
            self._draw_later(key, draft)

    def say(self, lines: list[Spans], key: Hashable = None) -> None:
        """Draw something else than a thought; the same ``key`` again leaves it where it was scrolled to."""
        self._thought, self._key, self._below, self.is_preview = None, None, [], False
        if key is None or key != self._said:
            self._top = 0
        self._said = key
        self._has_heading = False
        self._lines = lines
        self.redraw()

    @work(exclusive=True, group="text")
    async def _draw_later(self, key: Hashable, draft: TextRenderJob) -> None:
        await asyncio.sleep(REST_SECONDS)
        # A thread cannot be stopped: the next begins when it is done.
        while self._drawing is not None and not self._drawing.done():
            await asyncio.wait([self._drawing])
        self._drawing = asyncio.get_running_loop().run_in_executor(None, _draw_beside, draft)
        drawn = self._keep(key, await asyncio.shield(self._drawing))
        if key == self._key:
            self._swap(drawn)

    def _keep(self, key: Hashable, drawn: Drawn) -> Drawn:
        self._kept[key] = drawn
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return drawn

    def _swap(self, drawn: Drawn) -> None:
        self.is_preview = False
        self._has_heading = not drawn.upper
        self._below_at = len(drawn.upper)
        if drawn.upper:
            self._set([*drawn.upper, *self._below, *drawn.lower])
        else:
            self._set(drawn.lower)

    def _set(self, lines: list[Spans]) -> None:
        """Put other lines in place; what stood at the top stays there, if it can be found."""
        if self._top:
            self._top = max(0, _found(self._lines, self._top, lines))
        self._lines = lines
        self._clamp()
        self.redraw()

    def mark(self, query: Query | None) -> None:
        """Mark in the text what was looked for."""
        if query != self._query:
            self._query = query
            self.redraw()

    @override
    def line(self, y: int) -> tuple[Spans, bool]:
        height = self.size.height
        if self._top and y == 0 and height > 2:
            return [Span(f" {self._cut} {self._top + 1:,} lines above", Role.MUTED)], False
        # a blank line above the text, where it costs nothing
        indent = len(self._lines) < height and not self._has_heading
        number = self._top + y - indent
        has_more = self._top + height < len(self._lines) and y == height - 1
        if has_more and height > 2:
            return self._more(number), False
        spans = self._lines[number] if 0 <= number < len(self._lines) else []
        return (highlight(spans, self._query) if self._query is not None else spans), False

    def _more(self, number: int) -> Spans:
        """Return the last line of many, with what is worth knowing of the part that is not in view."""
        more: Spans = [Span(f" {self._cut} {len(self._lines) - number:,} more lines", Role.MUTED)]
        if self._glance and self._thought is not None and number <= self._below_at:
            more += [Span("   "), *self._glance]
        return clip(more, self.size.width)

    @property
    def _most(self) -> int:
        return max(0, len(self._lines) - self.size.height)

    def _clamp(self) -> None:
        # before the first layout there is no height to go by
        self._top = min(self._top, self._most) if self.size.height else self._top

    def scroll_lines(self, lines: int) -> None:
        """Move the text by ``lines``."""
        top = max(0, min(self._top + lines, self._most))
        if top != self._top:
            self._top = top
            self.redraw()

    def on_resize(self, _event: events.Resize) -> None:
        """Keep the end of the text in view where it was."""
        self._clamp()
        self.redraw()

    def on_mouse_scroll_down(self) -> None:
        """Move the text up."""
        self.scroll_lines(3)

    def on_mouse_scroll_up(self) -> None:
        """Move the text down."""
        self.scroll_lines(-3)


def _found(old: list[Spans], top: int, new: list[Spans]) -> int:
    """Return where the words that stand from line ``top`` of the old lines on stand in the new.

    They are looked for around the same part of the text; without them, it is that part.
    """
    sought = _words(old, top, top + 8)[:ENOUGH_WORDS]
    near = top if len(old) <= top else top * len(new) // len(old)
    around = _words(new, near - FAR, near + FAR)
    texts = [word for word, _ in around]
    wanted = [word for word, _ in sought]
    places = [at for at in range(len(texts)) if wanted and texts[at : at + len(wanted)] == wanted]
    found = min((around[at][1] for at in places), key=lambda line: abs(line - near), default=near)
    return found - (sought[0][1] - top if sought and places else 0)


def _words(lines: list[Spans], first: int, last: int) -> list[tuple[str, int]]:
    """Return the words of some lines, each with the line it stands in; Markdown's signs are none."""
    first = max(0, first)
    return [(word, at) for at, line in enumerate(lines[first:last], first) for word in _WORD.findall(spans_text(line))]
