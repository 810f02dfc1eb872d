"""A session as a Mermaid flowchart that GitHub renders: lanes as chains of boxes, revisions as dotted arrows.

GitHub renders at most 50,000 characters and 500 edges, so a larger session is drawn with less and less detail until it
fits, and a comment says what was left out. Text cannot become syntax: of the ASCII characters only letters, digits,
blanks and commas are written as they are, all others as character references.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.chain.state import State
from seqthink.core.text import first_line, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.audits import verdict_span
from seqthink.drawing.describe.lanes import lane_name
from seqthink.drawing.describe.thought import revises_text
from seqthink.drawing.text.cells import cut, cut_name
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.share.export import session_facts
from seqthink.share.export.lane_steps import LaneSteps, Step, lane_steps

MAX_CHARS, MAX_EDGES = 50_000, 500
"""The limits of Mermaid on GitHub."""

_MAX_NAME_CELLS = 32
"""Width of a branch's name."""
_NOT_TEXT = frozenset("ﬂ¶")  # Mermaid uses these internally to mark character references


class _Scale(NamedTuple):
    """The level of detail of a chart."""

    label_cells: int
    """Cells of a label."""
    is_folded: bool = False
    """Draw runs of unremarkable thoughts as one box."""
    newest_thoughts: int = 0
    """How many of the newest thoughts are drawn; 0 for all."""


_SCALES = (
    _Scale(56),
    _Scale(28),
    _Scale(28, is_folded=True),
    *(_Scale(28, is_folded=True, newest_thoughts=newest) for newest in (400, 300, 200, 100, 50, 25)),
    _Scale(8, is_folded=True, newest_thoughts=10),
)

_CLASSES = {
    "revision": "fill:#fbe9f6,stroke:#97217a,color:#1f2430",
    "final": "fill:#e4f5e8,stroke:#1a6632,color:#1f2430",
    "folded": "fill:#f1efe9,stroke:#717a88,color:#1f2430,stroke-dasharray:4 3",
    "branch1": "fill:#e6f0fc,stroke:#1c57a0,color:#1f2430",
    "branch2": "fill:#f0f6e0,stroke:#456200,color:#1f2430",
    "branch3": "fill:#f1eafc,stroke:#6a3bb5,color:#1f2430",
    "branch4": "fill:#e0f5f0,stroke:#0a6353,color:#1f2430",
    "branch5": "fill:#fae8fc,stroke:#a010b4,color:#1f2430",
    "branch6": "fill:#eae9fb,stroke:#3a36c4,color:#1f2430",
    "lane": "fill:none,stroke:#8b949e",
}
_ARROW = "stroke:#c2479f"


def mermaid(texts: SessionTexts) -> Iterator[str]:
    """Yield the flowchart with as much detail as GitHub renders."""
    for scale in _SCALES:
        lines = _Chart(texts, scale).lines()
        if lines is not None:
            break
    else:
        lines = ["flowchart TD", '  none["too large to draw"]']
    yield "\n".join(lines) + "\n"


def escape_label(text: str) -> str:
    """Return a short untrusted text as a label without syntax, on one line."""
    return "".join(character if _is_plain(character) else f"#{ord(character)};" for character in one_line(text))


def _is_plain(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in " ,"
    return character not in _NOT_TEXT


class _TooLargeError(Exception):
    """The chart exceeds GitHub's limits."""


class _Chart:
    """An attempt to draw a session with one level of detail."""

    def __init__(self, texts: SessionTexts, scale: _Scale) -> None:
        self._texts, self._scale = texts, scale
        self._session: Session = texts.session
        self._start = max(0, self._session.thought_count - scale.newest_thoughts) if scale.newest_thoughts else 0
        self._lines: list[str] = []
        self._size = self._edges = 0
        self._arrows: list[int] = []
        self._classes: dict[str, list[str]] = {}

    def lines(self) -> list[str] | None:
        """Return the chart's lines, or None if it is too large."""
        try:
            self._draw()
        except _TooLargeError:
            return None
        return self._lines

    def _draw(self) -> None:
        session = self._session
        self._add("flowchart TD")
        self._add(f"  accTitle: {' · '.join(session_facts.counts(session))}")
        lanes = lane_steps(session, self._start, is_folded=self._scale.is_folded)
        self._omissions(lanes)
        self._boxes(lanes)
        self._forks(lanes)
        self._returns()
        self._expected()
        self._revisions()
        self._style_lines()

    def _add(self, line: str) -> None:
        self._size += len(line) + 1
        if self._size > MAX_CHARS - 1 or self._edges > MAX_EDGES - 1:
            raise _TooLargeError
        self._lines.append(line)

    def _edge(self, line: str) -> None:
        self._edges += 1
        self._add(line)

    def _omissions(self, lanes: list[LaneSteps]) -> None:
        folded = sum(len(step) for drawn_lane in lanes for step in drawn_lane.steps if len(step) > 1)
        if folded:
            self._add(f"  %% {units.count(folded, 'thought')} are folded into runs, so that this can be rendered.")
        if self._start:
            earlier = units.count(self._start, "earlier thought")
            self._add(f"  %% {earlier} are left out, so that this can be rendered.")
            self._box("earlier", f"{UNICODE.missing} {earlier}", "folded")
        if not lanes:
            self._box("none", "no thoughts yet", "folded")

    # Boxes

    def _boxes(self, lanes: list[LaneSteps]) -> None:
        session, chain = self._session, NONE
        for drawn_lane in sorted(lanes, key=lambda drawn_lane: drawn_lane.lane.ordinal):
            if session.chain_count > 1 and drawn_lane.lane.chain != chain:
                if chain != NONE:
                    self._add("  end")
                chain = drawn_lane.lane.chain
                self._open_subgraph(f"chain{chain + 1}", f"chain {chain + 1}")
            self._lane(drawn_lane)
        if chain != NONE:
            self._add("  end")

    def _lane(self, drawn_lane: LaneSteps) -> None:
        if not drawn_lane.lane.is_trunk:
            self._open_subgraph(
                f"lane{drawn_lane.lane.ordinal}",
                cut_name(one_line(lane_name(self._session, drawn_lane.lane)) or "?", _MAX_NAME_CELLS),
            )
        for step in drawn_lane.steps:
            self._step(step)
        ids = [self._id(step[0]) for step in drawn_lane.steps]
        for before, after in pairwise(ids):
            self._edge(f"    {before} --> {after}")
        if not drawn_lane.lane.is_trunk:
            self._add("  end")

    def _open_subgraph(self, name: str, title: str) -> None:
        self._add(f'  subgraph {name}["{escape_label(title)}"]')
        self._classes.setdefault("lane", []).append(name)

    def _id(self, index: int) -> str:
        return f"t{self._session.thoughts.seq_of(index)}"

    def _box(self, name: str, label: str, class_name: str) -> None:
        self._add(f'    {name}["{escape_label(label)}"]')
        if class_name:
            self._classes.setdefault(class_name, []).append(name)

    def _step(self, step: Step) -> None:
        session = self._session
        first = step[0]
        if len(step) > 1:
            numbers = f"{session.thoughts.number_of(first)}{UNICODE.range_dash}{session.thoughts.number_of(step[-1])}"
            self._box(self._id(first), f"{numbers} · {units.count(len(step), 'thought')}", "folded")
            return
        name, label = self._id(first), escape_label(self._label(first))
        notes = " · ".join(escape_label(note) for note in self._notes(first))
        self._add(f'    {name}["{label}{"<br/>" if notes else ""}{notes}"]')
        class_name = self._class_of(first)
        if class_name:
            self._classes.setdefault(class_name, []).append(name)

    def _label(self, index: int) -> str:
        session = self._session
        sign = ""
        if session.thoughts.is_revision(index):
            sign = UNICODE.revision + " "
        elif session.thoughts.is_final(index):
            sign = UNICODE.final + " "
        text = cut(first_line(self._texts.row_text(index)), self._scale.label_cells)
        number = session.thoughts.number_of(index)
        return f"{sign}{number} · {text}" if number else f"{sign}{text}"

    def _notes(self, index: int) -> Iterator[str]:
        thought = self._session.thoughts.get(index)
        if thought.marked_change:
            yield f"estimate {thought.marked_change[0]}{UNICODE.changed}{thought.marked_change[1]}"
        if thought.revised_number and thought.target < self._start:
            yield revises_text(thought)
        if thought.is_revision and self._session.thoughts.is_final(index):
            yield "final"
        for audit in self._session.thoughts.attachments(index):
            if audit.verdict:
                yield verdict_span(audit, UNICODE).text

    def _class_of(self, index: int) -> str:
        session = self._session
        if session.thoughts.is_revision(index):
            return "revision"
        if session.thoughts.is_final(index):
            return "final"
        lane = session.lanes.get(session.thoughts.lane_of(index))
        return "" if lane.is_trunk else f"branch{(lane.ordinal - session.chains.lanes_of(lane.chain)[0] - 1) % 6 + 1}"

    # Edges between lanes

    def _forks(self, lanes: list[LaneSteps]) -> None:
        for drawn_lane in lanes:
            first = drawn_lane.steps[0][0]
            if self._session.thoughts.index_in_lane(first):
                self._edge(f"  earlier -.-> {self._id(first)}")
            elif drawn_lane.lane.fork >= self._start:
                self._edge(f"  {self._id(drawn_lane.lane.fork)} --> {self._id(first)}")
            elif drawn_lane.lane.fork != NONE:
                self._edge(f"  earlier -.-> {self._id(first)}")

    def _returns(self) -> None:
        """Draw a dotted line from the end of a branch to the thought that brings it back."""
        session = self._session
        for index in range(self._start, session.thought_count):
            for lane in session.branch_returns.brought_back_by(index):
                end = session.branch_returns.end_before(lane, index)
                if end >= self._start:
                    self._edge(f"  {self._id(end)} -. comes back .-> {self._id(index)}")

    def _expected(self) -> None:
        session = self._session
        if not session.thought_count or session.state is State.DONE:
            return
        if session.chains.is_answered(session.chain_count - 1):
            return
        newest = session.thoughts.get(session.current_thought)
        if newest.estimate <= newest.highest_number:
            return
        first, last = newest.highest_number + 1, newest.estimate
        numbers = str(first) if first == last else f"{first}{UNICODE.range_dash}{last}"
        self._box("expected", f"{UNICODE.expected} {numbers} expected", "folded")
        self._edge(f"  {self._id(newest.index)} -.-> expected")

    def _revisions(self) -> None:
        session = self._session
        for index in range(self._start, session.thought_count):
            target = session.thoughts.target_of(index)
            if target != NONE and target >= self._start:
                self._arrows.append(self._edges)
                self._edge(f"  {self._id(index)} -. revises .-> {self._id(target)}")

    def _style_lines(self) -> None:
        for name, style in _CLASSES.items():
            if name in self._classes:
                self._add(f"  classDef {name} {style}")
                self._add(f"  class {','.join(self._classes[name])} {name}")
        if self._arrows:
            self._add(f"  linkStyle {','.join(map(str, self._arrows))} {_ARROW}")
