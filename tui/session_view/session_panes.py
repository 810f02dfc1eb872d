"""Container of the main screen: status line, tree, text, chart, scrubber and keys, drawn from the view state."""

from collections.abc import Callable
from functools import partial

from textual.app import ComposeResult
from textual.containers import Container
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.chain.state import State
from seqthink.core.text import first_line
from seqthink.drawing.describe.comments import commented_thoughts
from seqthink.drawing.describe.lanes import lane_name, lane_progress
from seqthink.drawing.describe.now_line import Present
from seqthink.drawing.detail.aside_page import AsidePage
from seqthink.drawing.detail.thought_page import ThoughtPage
from seqthink.drawing.panels.chapter_map import MIN_LONG_SCREENS, RowsInView, map_width
from seqthink.drawing.panels.estimate_chart import estimate_chart
from seqthink.drawing.panels.scrubber import scrubber_lines, time_axis
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.wrapped_rows import RowRuler
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import Role, Span, Spans, spans_text
from seqthink.library.session_client import keeping_hint
from tui.session_view.layout import ScreenLayout, compute_layout, text_pane_width
from tui.session_view.status_bars import (
    MAX_NOTE_ROWS,
    compact_note_spans,
    compact_status_spans,
    key_line_spans,
    needs_person,
    note_lines,
    now_lines,
    question_lines,
    quit_key_label,
    reader_name,
    status_spans,
    status_text,
)
from tui.session_view.view_state import ViewState
from tui.session_view.waiting_lines import waiting_lines
from tui.settings import Settings
from tui.state import note_state
from tui.state.landing import thoughts_at
from tui.state.viewport import Viewport
from tui.widgets.chain_tree import ChainTree
from tui.widgets.input_lines import InputLine, InputLines, TextEntry
from tui.widgets.line_view import Divider, Lines, LineView, OneLine
from tui.widgets.map_view import MapView
from tui.widgets.scrubber import Scrubber
from tui.widgets.text_pane import TextPane

HELP_HINT = "? keys"
CHART_ROWS = 9
MAX_QUESTION_ROWS = 5
"""Rows that a question to the user takes at most."""
SCREEN_ROWS_PER_QUESTION_ROW = 5
"""Rows of a low screen for each row of the question; one line alone says that the user is asked, and what."""
MAX_HIGHLIGHTED_ROWS = 20


class SessionPanes(Container):
    """The widgets of the main screen, laid out for its size."""

    DEFAULT_CSS = """
    SessionPanes { height: 1fr; width: 1fr; layout: vertical; }
    SessionPanes #body, SessionPanes #waiting { height: 1fr; width: 1fr; }
    SessionPanes #rows { layout: horizontal; }
    SessionPanes #pane { height: 1fr; width: 1fr; layout: vertical; }
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._signs = settings.signs
        self._screen_layout = compute_layout(0, 0, tree_rows=0, is_reading=False)
        self._entries: tuple[TextEntry, ...] = ()
        self._question: list[Spans] = []  # or what is done now
        self._has_question = False
        self._long_viewport: Viewport | None = None  # has a map since its rows were much longer than the screen

    @override
    def compose(self) -> ComposeResult:
        yield InputLine(id="state", is_raised=True)
        yield Lines(id="question", is_raised=True)
        with Container(id="body"):
            with Container(id="rows"):
                yield ChainTree(id="tree")
                yield MapView(id="map")
            yield Divider("│" if self._signs is UNICODE else "|", id="divider")
            with Container(id="pane"):
                yield OneLine(id="heading")
                yield TextPane(id="text")
                yield Lines(id="chart")
        yield Lines(id="waiting")
        yield Scrubber(id="time")
        yield InputLines(id="note", is_raised=True)
        yield InputLine(id="keys", is_raised=True)

    def on_mount(self) -> None:
        """Apply the theme to every part."""
        self.apply_settings(self._settings)

    def apply_settings(self, settings: Settings) -> None:
        """Replace the settings and apply their theme."""
        self._settings = settings
        for view in self.query(LineView):
            view.theme_name = settings.theme
            view.redraw()

    def take_keys_for(self, *entries: TextEntry) -> None:
        """Give keys and pastes to these texts while one of them is being typed."""
        self._entries = entries

    def _focus_entry(self, layout: ScreenLayout) -> None:
        """Focus the line in which a text is being typed, or nothing."""
        entry = next((entry for entry in self._entries if entry.is_open), None)
        if entry is None:
            self.screen.set_focus(None)
            return
        name = "#note" if layout.note_height else "#keys" if layout.has_key_line else "#state"
        line = self.query_one(name, InputLines if layout.note_height else InputLine)
        line.entry = entry
        self.screen.set_focus(line, scroll_visible=False)

    @property
    def text_pane(self) -> TextPane:
        """The text pane."""
        return self.query_one(TextPane)

    @property
    def has_text_pane(self) -> bool:
        """Whether the text pane is on the screen."""
        return self._screen_layout.text_height > 0 and bool(self.query_one("#body").display)

    def draw_waiting(self, view_state: ViewState, present: Present | None, width: int, height: int) -> None:
        """Draw a screen of ``width`` cells by ``height`` rows on which there is no session yet."""
        layout_for, _ = self._layout_for(view_state, present, width, height)
        self._arrange(layout_for(tree_rows=1, is_reading=False), is_empty=True)
        self._draw_state(view_state, present, width)
        self.query_one("#waiting", Lines).show(waiting_lines(view_state, self._settings, width, height - 1))

    def draw(
        self,
        view_state: ViewState,
        session: Session,
        texts: SessionTexts,
        present: Present | None,
        width: int,
        height: int,
    ) -> None:
        """Draw ``session`` on a screen of ``width`` cells by ``height`` rows; ``present`` is as of `shown_present`."""
        layout_for, note = self._layout_for(view_state, present, width, height)
        chart = self._chart_lines(view_state, width)
        layout_for = partial(layout_for, is_reading=view_state.is_reading, chart_rows=len(chart))
        marked = thoughts_at(session, view_state.marked_seqs)
        painting = self._painting(view_state, texts, marked, width)
        layout = self._fitted_layout(view_state, layout_for, painting, height)
        self._arrange(layout, is_empty=False)
        self._draw_state(view_state, present, width)
        self._draw_rows(view_state, texts, layout, painting, marked)
        if layout.text_height > 0:
            self._draw_text(view_state, texts, layout)
        self.query_one("#chart", Lines).show(chart)
        self.query_one("#note", Lines).show(note)
        if layout.scrubber_height:
            self._draw_scrubber(view_state, width)
        if layout.has_key_line:
            typed = compact_note_spans if layout.is_single_line else key_line_spans
            self.query_one("#keys", OneLine).show(typed(view_state, self._settings, width))

    def _layout_for(
        self, view_state: ViewState, present: Present | None, width: int, height: int
    ) -> tuple[Callable[..., ScreenLayout], list[Spans]]:
        """Return what computes the layout around the bars of the screen, and the lines of the open note input."""
        note = note_lines(view_state, self._settings, width, 1 + max(1, min(MAX_NOTE_ROWS, height // 5)))
        rows = min(MAX_QUESTION_ROWS, height // SCREEN_ROWS_PER_QUESTION_ROW)
        question = question_lines(present, reader_name(view_state.feed.session), self._signs, width, rows)
        self._has_question = bool(question)
        self._question = question or now_lines(view_state, present, self._signs, width)
        layout_for = partial(
            compute_layout,
            width,
            height,
            has_playhead=view_state.has_playhead,
            has_input=view_state.search.text_input is not None,
            note_rows=len(note),
            question_rows=len(self._question),
        )
        return layout_for, note

    def _fitted_layout(
        self,
        view_state: ViewState,
        layout_for: Callable[..., ScreenLayout],
        painting: Callable[..., Painter],
        height: int,
    ) -> ScreenLayout:
        """Return the layout for the rows that there are; each of them takes as many lines as there is room for."""
        layout = layout_for(tree_rows=height)
        if map_cells := self._map_cells(view_state, layout):
            layout_for = partial(layout_for, map_cells=map_cells)
            layout = layout_for(tree_rows=height)
        if not layout.tree_height:
            return layout
        ruler = RowRuler(lambda tree: painting(tree=tree, width=layout.tree_width))
        rows = view_state.viewport.fit(layout.tree_height, ruler.lines_needed, has_own_column=layout.is_wide)
        return layout_for(tree_rows=rows)

    def _draw_rows(
        self,
        view_state: ViewState,
        texts: SessionTexts,
        layout: ScreenLayout,
        painting: Callable[..., Painter],
        marked: frozenset[int],
    ) -> None:
        """Draw the tree or timeline, and its map."""
        viewport = view_state.viewport
        if layout.tree_height > 0:
            viewport.resize(layout.tree_height)
        painter = painting(tree=viewport.tree, selected=viewport.selected, width=layout.tree_width)
        self.query_one(ChainTree).show(viewport, painter, view_state.search)
        if layout.map_width:
            last, _ = viewport.heights.place_in_view(viewport.tree, viewport.top, viewport.height - 1)
            rows = RowsInView(viewport.top, last, viewport.selected)
            size = layout.map_width, layout.tree_height
            search = view_state.search.active_search
            self.query_one(MapView).show_map(
                viewport.tree, texts, rows, size, self._signs, search=search, marked=marked
            )

    def _map_cells(self, view_state: ViewState, layout: ScreenLayout) -> int:
        """Return the width of the map of a chain that does not fit the screen: as the user chose, else if it is long.

        It stays while the chain does not fit, so that folding a branch does not move all texts.
        """
        choice, height, viewport = view_state.feed.map_choice, layout.tree_height, view_state.viewport
        if not height:
            return 0
        if viewport.tree.count >= MIN_LONG_SCREENS * height:
            self._long_viewport = viewport
        elif viewport.tree.count <= height:
            self._long_viewport = None
            return 0
        is_wanted = self._long_viewport is viewport if choice is None else choice
        return map_width(layout.tree_width, is_chosen=bool(choice)) if is_wanted else 0

    @property
    def has_map(self) -> bool:
        """Whether the map is on the screen."""
        return self._screen_layout.map_width > 0

    def _painting(
        self, view_state: ViewState, texts: SessionTexts, marked: frozenset[int], screen_width: int
    ) -> Callable[..., Painter]:
        """Return what makes a painter of a tree's rows at one width, on a screen of ``screen_width`` cells."""
        settings, search = self._settings, view_state.search
        return partial(
            Painter,
            texts=texts,
            screen_width=screen_width,
            signs=self._signs,
            marked=marked,
            commented=commented_thoughts(texts.session),
            zone=settings.zone,
            has_arrows=search.active_filter is None,
            now=None if view_state.has_playhead else settings.clock(),
        )

    def _arrange(self, layout: ScreenLayout, *, is_empty: bool) -> None:
        """Give each part its place and size, and the keys to the line in which a text is being typed."""
        self._screen_layout = layout
        self._apply_layout(layout, is_empty=is_empty)
        shown = [] if layout.is_single_line else self._question
        lines = self.query_one("#question", Lines)
        lines.display, lines.styles.height = bool(shown), len(shown)
        lines.show(shown)
        self._focus_entry(layout)

    def _apply_layout(self, layout: ScreenLayout, *, is_empty: bool) -> None:
        body, tree, pane = self.query_one("#body"), self.query_one(ChainTree), self.query_one("#pane")
        body.display, self.query_one("#waiting").display = not is_empty, is_empty
        body.styles.layout = "horizontal" if layout.is_wide else "vertical"
        rows, chapters = self.query_one("#rows"), self.query_one(MapView)
        rows.display = layout.tree_height > 0
        rows.styles.width = max(1, layout.tree_width + layout.map_width)
        rows.styles.height = max(1, layout.tree_height)
        tree.styles.width, chapters.styles.width = max(1, layout.tree_width), layout.map_width
        chapters.display = layout.map_width > 0
        pane.display = layout.text_height > 0
        self.query_one("#divider").display = layout.is_wide and rows.display and pane.display
        for part, rows in (
            ("#chart", layout.chart_height),
            ("#time", layout.scrubber_height),
            ("#note", layout.note_height),
        ):
            lines = self.query_one(part)
            lines.display, lines.styles.height = rows > 0 and not is_empty, rows
        self.query_one("#keys").display = layout.has_key_line and not is_empty

    @property
    def drawn_text(self) -> str:
        """The text of the status line and the tree."""
        return "\n".join((self.query_one("#state", OneLine).drawn_text, self.query_one(ChainTree).drawn_text))

    def highlight_new_rows(self, first_new: int, thought_count: int) -> None:
        """Highlight the rows of new thoughts for a moment, unless there are too many."""
        if first_new < thought_count <= first_new + MAX_HIGHLIGHTED_ROWS:
            self.query_one(ChainTree).highlight_new_rows(first_new)

    def draw_status(self, view_state: ViewState, present: Present | None, width: int) -> None:
        """Draw the state line, and what is done now: their seconds move."""
        self._draw_state(view_state, present, width)
        if not self._has_question and self._screen_layout.question_height:
            self.query_one("#question", Lines).show(now_lines(view_state, present, self._signs, width))

    def _draw_state(self, view_state: ViewState, present: Present | None, width: int) -> None:
        self._alert(is_alert=needs_person(view_state, present))
        layout = self._screen_layout
        if layout.is_single_line and view_state.has_input and not layout.has_key_line:
            shown = compact_note_spans(view_state, self._settings, width)
        else:
            draw = compact_status_spans if layout.is_single_line else status_spans
            shown = draw(view_state, present, self._settings, width)
        self.query_one("#state", OneLine).show(shown)

    def _alert(self, *, is_alert: bool) -> None:
        """Draw all that frames the screen, bars and lines, as of a session that needs the person or does not."""
        for part in ("#state", "#map", "#divider", "#heading", "#chart", "#keys"):
            self.query_one(part, LineView).alert(is_alert=is_alert)

    def _draw_text(self, view_state: ViewState, texts: SessionTexts, layout: ScreenLayout) -> None:
        viewport = view_state.viewport
        page: AsidePage | ThoughtPage | None = None
        if viewport.aside != NONE:
            page = AsidePage(
                session=viewport.tree.session,
                texts=texts,
                ordinal=viewport.aside,
                width=layout.text_width,
                signs=self._signs,
                zone=self._settings.zone,
                is_active=view_state.is_text_active or view_state.is_reading,
                keeping_hint=keeping_hint(viewport.tree.session.session_event),
            )
            self.text_pane.show_lines(page.lines(), ("aside", viewport.aside))
        elif viewport.thought != NONE:
            page = self._thought_page(view_state, texts, layout)
            self.text_pane.highlight_hits(view_state.search.highlight_query)
            self.text_pane.show(page)
        else:
            self.text_pane.show_lines([])
        self.query_one("#heading", OneLine).show(self._heading(page, view_state, layout))

    def _thought_page(self, view_state: ViewState, texts: SessionTexts, layout: ScreenLayout) -> ThoughtPage:
        viewport, session = view_state.viewport, view_state.feed.session
        return ThoughtPage(
            session=viewport.tree.session,
            texts=texts,
            index=viewport.thought,
            width=layout.text_width,
            screen_width=self.size.width,
            signs=self._signs,
            zone=self._settings.zone,
            is_active=view_state.is_text_active or view_state.is_reading,
            is_raw=view_state.is_raw,
            is_diff=view_state.is_diff,
            diff_key=self._settings.key_map.renamed("d"),
            is_reading=view_state.is_reading,
            shows_older=layout.is_wide or view_state.is_reading,
            waiting=view_state.notes.waiting if viewport.thought == session.thought_count - 1 else (),
            delivery_hint=note_state.waiting_prospect(session, view_state.notes.waiting),
        )

    def _heading(self, page: AsidePage | ThoughtPage | None, view_state: ViewState, layout: ScreenLayout) -> Spans:
        """Return the rule above the text: it ends with the page's time, or with what the missing key line would say."""
        if page is not None and layout.has_permanent_key_line:
            return page.heading(page.clock())
        start: Spans = [Span(self._signs.rule, Role.LINE)]
        heading = page.heading if page is not None else partial(rule, start, cells=layout.text_width, signs=self._signs)
        status = view_state.status_message or status_text(view_state, self._signs, self.size.width, with_notes=False)
        if status or view_state.has_input:
            return heading(status)
        spans = heading(f"{HELP_HINT} {self._signs.separator} q {quit_key_label(view_state)}")
        return spans if HELP_HINT in spans_text(spans) else heading(HELP_HINT)

    def _chart_lines(self, view_state: ViewState, width: int) -> list[Spans]:
        """Return the estimate chart of the selected lane under its heading; ``[]`` when it has nothing to say."""
        session, index, cells = view_state.viewport.tree.session, view_state.viewport.thought, text_pane_width(width)
        if not cells or index == NONE or not session.lanes.has_estimate_changed(session.thoughts.lane_of(index)):
            return []
        lane = session.lanes.get(session.thoughts.lane_of(index))
        name = first_line(lane_name(session, lane) or "trunk")
        heading = [
            Span(f"{self._signs.rule * 2} ", Role.LINE),
            Span(f"thoughts left {self._signs.separator} {name}", Role.MUTED),
        ]
        chart = estimate_chart(session, lane.ordinal, width=cells, height=CHART_ROWS, signs=self._signs)
        right = lane_progress(session, lane.ordinal)
        return [rule(heading, right, cells, self._signs), *chart] if chart else []

    def _draw_scrubber(self, view_state: ViewState, width: int) -> None:
        settings, session, whole = self._settings, view_state.viewport.tree.session, view_state.feed.session
        is_live = not view_state.is_replay and whole.state is State.THINKING
        axis = time_axis(whole, width)
        lines = scrubber_lines(session, whole, axis, width, signs=self._signs, zone=settings.zone, is_live=is_live)
        self.query_one(Scrubber).show_scrubber(lines, axis)
