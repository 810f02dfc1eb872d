"""The one screen: state line, tree, text and keys, arranged for its size; draws what it is given."""

from msgspec import Struct, field
from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import Container
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.drawing import state_line, waiting
from seqthink.drawing.detail import Page
from seqthink.drawing.glyphs import UNICODE
from seqthink.drawing.spans import Role, Span, Spans, spread
from seqthink.drawing.words import count
from seqthink.drawing.wrap import wrap
from tui import watching
from tui.arrangement import WIDE, Arrangement, arrange
from tui.feed import Feed
from tui.finding import Find
from tui.settings import Settings
from tui.viewing import Viewing
from tui.widgets.chain_tree import ChainTree
from tui.widgets.line_view import Divider, Lines, LineView, OneLine
from tui.widgets.text_pane import TextPane

_STARTING = "The agent is starting: its first thought shows up here."
_NOTHING_YET = "Nothing has come in yet: the first thought shows up here."


class Shown(Struct, kw_only=True):
    """All that the screen depends on; the app sets it, the board draws it.

    ``newer`` names a session that came up meanwhile, ``last`` the newest old one; ``said`` is what the last key did,
    ``client`` the one whose command the waiting screen shows.
    """

    feed: Feed
    viewing: Viewing
    is_reading: bool = False
    is_text_active: bool = False
    newer: str = ""
    last: str = ""
    said: str = ""
    client: int = 0
    find: Find = field(default_factory=Find)


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
        yield Lines(id="waiting")
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
        has_line = shown.find.field is not None and width < WIDE  # a wide screen has it where its keys are
        at = arrange(width, height - has_line, rows=rows, is_reading=shown.is_reading and not is_empty)
        at = self._at = replace(at, has_keys=at.has_keys or has_line)
        self._arrange(at, is_empty=is_empty)
        self.draw_state(shown, width)
        if viewing.session is None or texts is None:
            self._draw_waiting(shown, width, height - 1)
            return
        if at.tree_height > 0:
            viewing.resize(at.tree_height)
        tree = self.query_one(ChainTree)
        tree.show(viewing, texts, self._signs, width=at.tree_width, screen=width, find=shown.find)
        if at.text_height > 0:
            self._draw_text(shown, at)
        if at.has_keys:
            self._draw_keys(shown, width)

    def _arrange(self, at: Arrangement, *, is_empty: bool) -> None:
        body, tree, pane = self.query_one("#body"), self.query_one(ChainTree), self.query_one("#pane")
        body.display, self.query_one("#waiting").display = not is_empty, is_empty
        body.styles.layout = "horizontal" if at.is_wide else "vertical"
        tree.display = at.tree_height > 0
        tree.styles.width, tree.styles.height = max(1, at.tree_width), max(1, at.tree_height)
        pane.display = at.text_height > 0
        self.query_one("#divider").display = at.is_wide and tree.display and pane.display
        self.query_one("#keys").display = at.has_keys and not is_empty

    def draw_state(self, shown: Shown, width: int) -> None:
        """Draw the state line alone: its seconds move."""
        session, settings, line = shown.viewing.session, self._settings, self.query_one("#state", OneLine)
        if session is None:
            line.show(self._empty_state(shown, width))
        elif settings.is_replay:
            whole = shown.feed.session
            line.show(state_line.replay_line(session, whole, width, zone=settings.zone, signs=self._signs))
        else:
            line.show(
                state_line.state_line(
                    session,
                    width,
                    now=settings.clock(),
                    stale=settings.stale,
                    signs=self._signs,
                    extra=self._extra(shown, session.unread, session.corrupt),
                )
            )

    def _empty_state(self, shown: Shown, width: int) -> Spans:
        left = [Span(f"{self._signs.expected} waiting", Role.MUTED)]
        if shown.feed.remark:
            left.append(Span(f" {self._signs.separator} {shown.feed.remark}", Role.WARN))
        return spread(left, [Span("no session now" if shown.last else "0 sessions", Role.MUTED)], width)

    def _extra(self, shown: Shown, unread: int, corrupt: int) -> Spans:
        remarks = [shown.feed.remark] if shown.feed.remark else []
        remarks += [f"{count(unread, 'line')} unread"] if unread else []
        remarks += [f"{count(corrupt, 'line')} corrupt"] if corrupt else []
        remarks += [f"new: {shown.newer}"] if shown.newer else []
        return [Span(f" {self._signs.separator} ".join(remarks), Role.WARN)] if remarks else []

    def _draw_waiting(self, shown: Shown, width: int, height: int) -> None:
        settings = self._settings
        if settings.demo is not None or settings.pipe is not None:
            sentence = _STARTING if settings.demo is not None else _NOTHING_YET
            lines: list[Spans] = [[], *([Span(f" {line}", Role.MUTED)] for line in wrap(sentence, width - 2))]
            self.query_one("#waiting", Lines).show(lines)
            return
        lines = waiting.waiting_lines(
            cells=width,
            rows=height,
            chosen=shown.client,
            folder=watching.short(settings.folder),
            last=shown.last,
            signs=self._signs,
            said=shown.said,
        )
        self.query_one("#waiting", Lines).show(lines)

    def _draw_text(self, shown: Shown, at: Arrangement) -> None:
        heading, viewing, texts = self.query_one("#heading", OneLine), shown.viewing, shown.feed.texts
        if viewing.thought == NONE or texts is None:
            heading.show([])
            self.text.say([])
            return
        page = Page(
            session=viewing.tree.session,
            text_of=texts.thought,
            index=viewing.thought,
            width=at.text_width,
            signs=self._signs,
            zone=self._settings.zone,
            is_active=shown.is_text_active or shown.is_reading,
        )
        right = page.clock() if at.is_wide else shown.said or self._standing(shown) or "? keys"
        heading.show(page.heading(right))
        self.text.mark(shown.find.query)
        self.text.show(page, with_replaced=at.is_wide or shown.is_reading)

    def _standing(self, shown: Shown) -> str:
        """Return what there is to say besides the keys: how search and filter stand, or how many thoughts are new."""
        news = _news(shown.viewing, self._signs.separator)
        return shown.find.status(shown.viewing.thought, self._signs.cut) or news

    def _draw_keys(self, shown: Shown, width: int) -> None:
        if shown.find.field is not None:
            line = shown.find.line(shown.viewing.thought, width, self._signs.cut)
            self.query_one("#keys", OneLine).show(line)
            return
        keys = self._signs.keys
        actions = [
            (f"{keys['up']}{keys['down']}", "move"),
            (f"{keys['left']}{keys['right']}", "fold"),
            ("Enter", "back to the tree" if shown.is_reading else "read"),
            ("r", "revised/by"),
            ("/", "search"),
            ("s", "sessions"),
            ("?", "keys"),
            ("q", "back" if shown.is_reading else "quit"),
        ]
        spans: Spans = [Span(" ")]
        for key, does in actions:
            spans += [Span(key, Role.ACCENT), Span(f" {does}  ", Role.MUTED)]
        state = "" if self._settings.is_replay else self._standing(shown) or "held"
        if shown.viewing.is_following and not self._settings.is_replay and not shown.find.is_on:
            state = "following"
        right = Span(shown.said, Role.GOOD) if shown.said else Span(state, Role.MUTED)
        self.query_one("#keys", OneLine).show(spread(spans, [right, Span(" ")], width))


def _news(viewing: Viewing, separator: str) -> str:
    return f"{viewing.news} new {separator} f" if viewing.news else ""
