"""The signs: one sign, one meaning, one cell (screens.md, "Signs"); each with its ASCII stand-in."""

from msgspec import Struct

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8


class Signs(Struct, frozen=True, kw_only=True):
    """The characters of one alphabet."""

    thought: str
    final: str
    refused: str
    expected: str
    stopped: str
    revision: str
    selected: str
    revised_by: str
    changed: str
    passed: str
    revise: str
    times: str
    missing: str
    context: str
    note: str
    ellipsis: str
    separator: str
    arrow_stub: str
    arrow_head: str
    rule: str
    range_dash: str
    box: str
    keys: dict[str, str]
    played: str
    playhead: str
    bullet: str
    bar: str
    bar_rest: str

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
