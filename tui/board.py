"""The one screen: state line, tree, text and keys, arranged for its size; draws what it is given."""

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Container
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.state import State
from seqthink.drawing import welcome_screen
from seqthink.drawing.estimate_chart import estimate_chart
from seqthink.drawing.glyphs import UNICODE
from seqthink.drawing.names import lane_name
from seqthink.drawing.refusal_page import RefusalPage
from seqthink.drawing.scrubber import scrubber_bar, scrubber_lines
from seqthink.drawing.spans import Role, Span, Spans, spans_text
from seqthink.drawing.status_line import lane_progress
from seqthink.drawing.thought_page import ThoughtPage, rule
from seqthink.drawing.wrap import wrap
from seqthink.text import first_line
from tui import notes, watching
from tui.arrangement import Arrangement, arrange, pane_width
from tui.bars import key_spans, lone_spans, note_line, standing, state_spans, way_back
from tui.settings import Settings
from tui.shown import Shown
from tui.widgets.chain_tree import ChainTree
from tui.widgets.line_view import Divider, Lines, LineView, OneLine
from tui.widgets.text_pane import TextPane
from tui.widgets.time_bar import TimeBar

_STARTING = "The agent is starting: its first thought shows up here."
_NOTHING_YET = "Nothing has come in yet: the first thought shows up here."

HELP = "? keys"
CHART_ROWS = 9
MOST_WELCOMED = 20


class Board(Container):
    """The parts of the screen."""

    DEFAULT_CSS = """
    Board { height: 1fr; width: 1fr; layout: vertical; }
    Board #body, Board #waiting { height: 1fr; width: 1fr; }
    Board #pane { height: 1fr; width: 1fr; layout: vertical; }
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._signs = settings.signs
        self._at = arrange(0, 0, rows=0, is_reading=False)

    @override
    def compose(self) -> ComposeResult:
        yield OneLine(id="state", is_raised=True)
        with Container(id="body"):
            yield ChainTree(id="tree")
            yield Divider("│" if self._signs is UNICODE else "|", id="divider")
            with Container(id="pane"):
                yield OneLine(id="heading")
                yield TextPane(id="text")
                yield Lines(id="chart")
        yield Lines(id="waiting")
        yield TimeBar(id="time")
        yield Lines(id="note", is_raised=True)
        yield OneLine(id="keys", is_raised=True)

    def on_mount(self) -> None:
        """Give every part its colours."""
        self.wear(self._settings)

    def wear(self, settings: Settings) -> None:
        """Change the colours."""
        self._settings = settings
        for view in self.query(LineView):
            view.look = settings.look
            view.redraw()

    @property
    def text(self) -> TextPane:
        """The text pane."""
        return self.query_one(TextPane)

    @property
    def has_text(self) -> bool:
        """Whether the text pane is on the screen."""
        return self._at.text_height > 0 and bool(self.query_one("#body").display)

    def draw(self, shown: Shown, width: int, height: int) -> None:
        """Draw everything on a screen of ``width`` by ``height`` cells."""
        viewing, texts = shown.viewing, shown.feed.texts
        is_empty = viewing.session is None or texts is None
        rows = 1 if is_empty else viewing.tree.count
        chart = [] if viewing.session is None else self._chart(shown, width)
        note = self._note(shown, width, height)
        at = self._at = arrange(
            width,
            height,
            rows=rows,
            is_reading=shown.is_reading and not is_empty,
            chart=len(chart),
            has_playhead=shown.has_playhead,
            has_field=shown.find.field is not None,
            note=len(note),
        )
        self._arrange(at, is_empty=is_empty)
        self.draw_state(shown, width)
        if viewing.session is None or texts is None:
            self._draw_waiting(shown, width, height - 1)
            return
        if at.tree_height > 0:
            viewing.resize(at.tree_height)
        tree = self.query_one(ChainTree)
        zone = self._settings.zone
        tree.show(viewing, texts, self._signs, zone, width=at.tree_width, screen=width, find=shown.find)
        if at.text_height > 0:
            self._draw_text(shown, at)
        self.query_one("#chart", Lines).show(chart)
        self.query_one("#note", Lines).show(note)
        if at.time_height:
            self._draw_time(shown, width)
        if at.has_keys:
            typed = note_line if at.is_line else key_spans
            self.query_one("#keys", OneLine).show(typed(shown, self._settings, width))

    def _arrange(self, at: Arrangement, *, is_empty: bool) -> None:
        body, tree, pane = self.query_one("#body"), self.query_one(ChainTree), self.query_one("#pane")
        body.display, self.query_one("#waiting").display = not is_empty, is_empty
        body.styles.layout = "horizontal" if at.is_wide else "vertical"
        tree.display = at.tree_height > 0
        tree.styles.width, tree.styles.height = max(1, at.tree_width), max(1, at.tree_height)
        pane.display = at.text_height > 0
        self.query_one("#divider").display = at.is_wide and tree.display and pane.display
        for part, rows in (("#chart", at.chart_height), ("#time", at.time_height), ("#note", at.note_height)):
            lines = self.query_one(part)
            lines.display, lines.styles.height = rows > 0 and not is_empty, rows
        self.query_one("#keys").display = at.has_keys and not is_empty

    @property
    def drawn_text(self) -> str:
        """What stands on the state line and in the tree, as text."""
        return "\n".join((self.query_one("#state", OneLine).drawn_text, self.query_one(ChainTree).drawn_text))

    def welcome(self, before: int, now: int) -> None:
        """Let the rows of a few new thoughts stand out for a moment."""
        if before < now <= before + MOST_WELCOMED:
            self.query_one(ChainTree).welcome(before)

    def draw_state(self, shown: Shown, width: int) -> None:
        """Draw the state line alone: its seconds move."""
        draw = state_spans
        if self._at.is_line:
            draw = lone_spans if self._at.has_keys or not shown.has_field else note_line
        self.query_one("#state", OneLine).show(draw(shown, self._settings, width))

    def _note(self, shown: Shown, width: int, height: int) -> list[Spans]:
        """Return the note that is typed, in a fifth of the screen."""
        rows = 1 + max(1, min(notes.MOST_ROWS, height // 5))
        return notes.lines(shown.notes, shown.feed.session, shown.said, width, rows, self._signs)

    def _draw_waiting(self, shown: Shown, width: int, height: int) -> None:
        settings = self._settings
        if not shown.feed.is_empty:
            self.query_one("#waiting", Lines).show([])
            return
        path = shown.feed.path
        if settings.demo is not None or settings.pipe is not None or path is not None:
            sentence = _STARTING if settings.demo is not None else _NOTHING_YET
            if path is not None:
                sentence = f"No thought in {watching.short(path)} yet: the first one shows up here."
            lines: list[Spans] = [[], *([Span(f" {line}", Role.MUTED)] for line in wrap(sentence, width - 2)), []]
            self.query_one("#waiting", Lines).show([*lines, [Span(" q", Role.ACCENT), Span(" quit", Role.MUTED)]])
            return
        lines = welcome_screen.welcome_lines(
            cells=width,
            rows=height,
            chosen=shown.client,
            connect=settings.connect,
            folder=watching.short(settings.folder),
            newest_session=shown.last,
            signs=self._signs,
            status_message=shown.said,
        )
        self.query_one("#waiting", Lines).show(lines)

    def _draw_text(self, shown: Shown, at: Arrangement) -> None:
        heading, viewing, texts = self.query_one("#heading", OneLine), shown.viewing, shown.feed.texts
        is_active = shown.is_text_active or shown.is_reading
        if texts is not None and viewing.refusal != NONE:
            refused = RefusalPage(
                session=viewing.tree.session,
                event_of=texts.event,
                number=viewing.refusal,
                width=at.text_width,
                signs=self._signs,
                zone=self._settings.zone,
                is_active=is_active,
            )
            heading.show(refused.heading(refused.clock()) if at.has_bar else self._headed(refused.heading, shown))
            self.text.say(refused.lines(), ("refused", viewing.refusal))
            return
        if viewing.thought == NONE or texts is None:
            left: Spans = [Span(self._signs.rule, Role.LINE)]
            heading.show(self._headed(lambda right: rule(left, right, at.text_width, self._signs), shown))
            self.text.say([])
            return
        page = ThoughtPage(
            session=viewing.tree.session,
            beginning_of=texts.prefix,
            event_of=texts.event,
            index=viewing.thought,
            width=at.text_width,
            screen_width=self.size.width,
            signs=self._signs,
            zone=self._settings.zone,
            is_active=is_active,
            is_raw=shown.is_raw,
            is_diff=shown.is_diff,
            is_reading=shown.is_reading,
            shows_older=at.is_wide or shown.is_reading,
            waiting=shown.notes.waiting if viewing.thought == shown.feed.session.thought_count - 1 else (),
            delivery_hint=notes.prospect(shown.feed.session),
        )
        heading.show(page.heading(page.clock()) if at.has_bar else self._headed(page.heading, shown))
        self.text.mark(shown.find.query)
        self.text.show(page)

    def _headed(self, heading: Callable[[str], Spans], shown: Shown) -> Spans:
        """Return a heading with what there is to say at its end, else with keys, the one that explains all at least."""
        said = shown.said or standing(shown, self._signs, self.size.width, with_notes=False)
        if said or shown.has_field:
            return heading(said)
        spans = heading(f"{HELP} {self._signs.separator} q {way_back(shown)}")
        return spans if HELP in spans_text(spans) else heading(HELP)

    def _chart(self, shown: Shown, width: int) -> list[Spans]:
        """Return the chart of the selected lane's estimate under its heading; nothing when it has not changed."""
        session, index, cells = shown.viewing.tree.session, shown.viewing.thought, pane_width(width)
        if not cells or index == NONE or not session.has_estimate_changed(session.lane_of(index)):
            return []
        lane = session.lane(session.lane_of(index))
        name = first_line(lane_name(session, lane) or "trunk")
        heading = [
            Span(f"{self._signs.rule * 2} ", Role.LINE),
            Span(f"estimate {self._signs.separator} {name}", Role.MUTED),
        ]
        chart = estimate_chart(session, lane.ordinal, width=cells, height=CHART_ROWS, signs=self._signs)
        right = lane_progress(session, lane.ordinal)
        return [rule(heading, right, cells, self._signs), *chart] if chart else []

    def _draw_time(self, shown: Shown, width: int) -> None:
        settings, session, whole = self._settings, shown.viewing.tree.session, shown.feed.session
        is_live = not shown.is_replay and whole.state is State.THINKING
        until = settings.clock() if is_live else whole.time_at(whole.entry_count)
        lines = scrubber_lines(
            session, whole, width, end_time=until, signs=self._signs, zone=settings.zone, is_live=is_live
        )
        self.query_one(TimeBar).show_bar(lines, scrubber_bar(width), whole.thought_count)
