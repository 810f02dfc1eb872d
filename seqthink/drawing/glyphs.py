"""The signs of the screen, one meaning and one cell each (docs/screens.md, "Signs"), with ASCII replacements."""

from msgspec import Struct

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8


class Signs(Struct, frozen=True, kw_only=True):
    """The signs of one character set."""

    thought: str
    """Node of a thought; also of the state "thinking"."""
    final: str
    """Node of a chain's last thought; also of the state "done"."""
    refused: str
    """Node of a refused call; also of a rejecting verdict and of the state "lost"."""
    expected: str
    """Node of the row of expected thoughts; also of states that wait."""
    stopped: str
    revision: str
    """Node of a revision."""
    selected: str
    """Cursor at the left of the selected row."""
    revised_by: str
    """Mark of a revised thought, before the reviser's number."""
    changed: str
    """Between the old and the new estimate."""
    passed: str
    """Verdict "pass"."""
    revise: str
    """Verdict "revise"."""
    times: str
    """Behind a factor: a repeated number, a playback speed."""
    missing: str
    """Numbers or rows that are left out; three cells."""
    context: str
    """Mark of a context item."""
    note: str
    """Mark of a note."""
    ellipsis: str
    """End of a text that was cut."""
    separator: str
    """Between facts on one line."""
    arrow_stub: str
    """At a thought whose revision arrow is not drawn."""
    arrow_head: str
    """Head of a revision arrow."""
    rule: str
    """Horizontal line."""
    range_dash: str
    """Between the ends of a range of numbers."""
    box: str
    """16 box characters, indexed by the bits UP, DOWN, LEFT and RIGHT."""
    keys: dict[str, str]
    """Names of the arrow keys."""
    played: str
    """The part of the scrubber before the playhead."""
    playhead: str
    bullet: str
    """Bullet of a list."""
    bar: str
    """Filled cell of a bar chart."""
    bar_rest: str
    """Empty cell of a bar chart."""

    def box_line(self, bits: int) -> str:
        """Return the box character with arms in the directions of ``bits``."""
        return self.box[bits]


#        . U D UD L LU LD LUD R RU RD RUD LR LRU LRD LRUD
_BOX_UNICODE = " │││─╯╮┤─╰╭├─┴┬┼"
_BOX_ASCII = " |||-'.+-`,+-+++"

UNICODE = Signs(
    thought="●",
    final="✓",
    refused="✗",
    expected="○",
    stopped="■",
    revision="↺",
    selected="▌",
    revised_by="↻",
    changed="→",
    passed="✓",
    revise="!",
    times="×",
    missing="···",
    context="+",
    note="»",
    ellipsis="…",
    separator="·",
    arrow_stub="┊",
    arrow_head="►",
    rule="─",
    range_dash="–",
    box=_BOX_UNICODE,
    keys={"up": "↑", "down": "↓", "left": "←", "right": "→"},
    played="━",
    playhead="╋",
    bullet="•",
    bar="█",
    bar_rest="░",
)

ASCII = Signs(
    thought="o",
    final="v",
    refused="x",
    expected=".",
    stopped="#",
    revision="R",
    selected=">",
    revised_by="^",
    changed=">",
    passed="v",
    revise="!",
    times="x",
    missing="...",
    context="+",
    note='"',
    ellipsis="~",
    separator="-",
    arrow_stub=":",
    arrow_head=">",
    rule="-",
    range_dash="-",
    box=_BOX_ASCII,
    keys={"up": "Up", "down": "Down", "left": "Left", "right": "Right"},
    played="=",
    playhead="#",
    bullet="-",
    bar="#",
    bar_rest=".",
)
