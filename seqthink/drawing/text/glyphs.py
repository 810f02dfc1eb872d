"""The signs of the screen, one meaning and one cell each (docs/screens.md, "Signs"), with ASCII replacements."""

from collections.abc import Mapping

from msgspec import Struct

from seqthink.chain.overview.states import STATE_SIGNS

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
"""Bits of the arms of a box character."""
REVISE = "!"
"""Verdict "revise", in every character set."""


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
    attention: str
    """Sign of a session that needs the person: it asks, or is stuck."""
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
    marked: str
    """Sign at the left of a thought that the user marked, and before the name of a session that is pinned."""
    revised_by: str
    """Mark of a revised thought, before the reviser's number."""
    brings_back: str
    """Mark of a thought that brings a branch back, before the branch's name."""
    changed: str
    """Sign between the old and the new estimate; also of what was done between two thoughts."""
    times: str
    """Sign after a factor: how often a number was used, a playback speed."""
    missing: str
    """Sign of numbers or rows that are left out; three cells wide."""
    odd: str
    """Mark of an oddity."""
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
    """16 box characters; that with arms in some directions is at their bits (UP, DOWN, LEFT, RIGHT) together."""
    levels: str
    """Eight heights of a column, the lowest and the full one included: how much arrived in a cell of the time line."""
    playhead: str
    """The playhead in the scrubber."""
    bullet: str
    """Bullet of a list; also sign of what an agent said between two calls."""
    bars: str
    """Filled and empty cell of a bar chart."""


#        . U D UD L LU LD LUD R RU RD RUD LR LRU LRD LRUD
_BOX_UNICODE = " │││─╯╮┤─╰╭├─┴┬┼"
_BOX_ASCII = " |||-'.+-`,+-+++"
HEAVY_BOXES = {_BOX_UNICODE: " ┃┃┃━┛┓┫━┗┏┣━┻┳╋", _BOX_ASCII: " ###=###=#######"}
"""The box characters of a heavy frame, which is around what needs the person; by those of an ordinary one."""

UNICODE = Signs(
    **{name: unicode for name, (unicode, _) in STATE_SIGNS.items()},
    revision="↺",
    prompt="›",
    reasoning="◇",
    selected="▌",
    marked="⚑",
    revised_by="↻",
    brings_back="◂",
    changed="→",
    times="×",
    missing="···",
    odd="≈",
    context="+",
    note="»",
    ellipsis="…",
    separator="·",
    arrow_stub="┊",
    arrow_head="►",
    rule="─",
    range_dash="–",
    box=_BOX_UNICODE,
    levels="▁▂▃▄▅▆▇█",
    playhead="╋",
    bullet="•",
    bars="█░",
)

ASCII = Signs(
    **{name: ascii_ for name, (_, ascii_) in STATE_SIGNS.items()},
    revision="R",
    prompt="?",
    reasoning="*",
    selected=">",
    marked="@",
    revised_by="^",
    brings_back="<",
    changed=">",
    times="x",
    missing="...",
    odd="=",
    context="+",
    note='"',
    ellipsis="~",
    separator="-",
    arrow_stub=":",
    arrow_head=">",
    rule="-",
    range_dash="-",
    box=_BOX_ASCII,
    levels="_..::|||",
    playhead="#",
    bullet="-",
    bars="#.",
)

_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
_ASCII_ARROWS = {"up": "Up", "down": "Down", "left": "Left", "right": "Right"}


def arrow_keys(signs: Signs) -> Mapping[str, str]:
    """Return the names of the arrow keys in a character set."""
    return _ASCII_ARROWS if signs.box.isascii() else _ARROWS


def comment_sign(signs: Signs) -> str:
    """Return the sign at the left of a thought that somebody commented on."""
    return "&" if signs.box.isascii() else "✎"


def retraction_sign(signs: Signs) -> str:
    """Return the mark of what takes something back, in its own words."""
    return "u" if signs.box.isascii() else "↶"
