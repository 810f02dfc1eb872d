"""The signs of the screen, one meaning and one cell each (docs/screens.md, "Signs"), with ASCII replacements."""

from msgspec import Struct

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
"""Bits of the arms of a box character."""


class Signs(Struct, frozen=True, kw_only=True):
    """The signs of one character set."""

    thought: str
    """Sign of a thought; also of the state "thinking"."""
    final: str
    """Sign of a chain's last thought; also of the state "done", and of the verdict "pass"."""
    refused: str
    """Sign of a refused call; also of a rejecting verdict and of the state "lost"."""
    expected: str
    """Sign of the row of expected thoughts; also of states that wait."""
    stopped: str
    """Sign of the state "stopped"."""
    revision: str
    """Sign of a revision."""
    prompt: str
    """Sign of what a user or an agent was asked."""
    reasoning: str
    """Sign of native reasoning."""
    selected: str
    """Cursor at the left of the selected row."""
    revised_by: str
    """Mark of a revised thought, before the reviser's number."""
    changed: str
    """Sign between the old and the new estimate; also of what was done between two thoughts."""
    revise: str
    """Verdict "revise"."""
    times: str
    """Sign after a factor: how often a number was used, a playback speed."""
    missing: str
    """Sign of numbers or rows that are left out; three cells wide."""
    context: str
    """Mark of a context item."""
    note: str
    """Mark of a note."""
    ellipsis: str
    """End of a text that was cut."""
    separator: str
    """Sign between facts on one line; also of reasoning whose text was not kept."""
    arrow_stub: str
    """Sign of a thought whose revision arrow is not drawn."""
    arrow_head: str
    """Head of a revision arrow."""
    rule: str
    """Horizontal line."""
    range_dash: str
    """Sign between the ends of a range of numbers."""
    box: str
    """16 box characters, indexed by the bits UP, DOWN, LEFT and RIGHT."""
    keys: dict[str, str]
    """Names of the arrow keys."""
    played: str
    """The part of the scrubber before the playhead."""
    playhead: str
    """The playhead in the scrubber."""
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
    prompt="›",
    reasoning="◇",
    selected="▌",
    revised_by="↻",
    changed="→",
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
    prompt="?",
    reasoning="*",
    selected=">",
    revised_by="^",
    changed=">",
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
