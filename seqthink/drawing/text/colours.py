"""Colours by role (docs/screens.md, "Colours by role"): every text role is readable on all three surfaces."""

from collections.abc import Mapping

from msgspec import Struct

from seqthink.drawing.text.spans import Role


class Colours(Struct, frozen=True):
    """The colours of a theme as ``#rrggbb``."""

    roles: Mapping[Role, str]
    """The text colour of each role."""
    background: str
    """The surface of the screen."""
    raised: str
    """The surface of what lies above the screen, such as a panel."""
    selected: str
    """The surface of the selected row."""


DARK = Colours(
    {
        Role.TEXT: "#e4e7ec",
        Role.MUTED: "#a3acba",
        Role.LINE: "#7f8a9b",
        Role.ACCENT: "#7db7ff",
        Role.GOOD: "#7ed491",
        Role.WARN: "#f2b84b",
        Role.BAD: "#ff9a94",
        Role.REVISION: "#f29fd6",
        Role.ESTIMATE: "#5fd3d3",
        Role.NOTE: "#e9dc6b",
        Role.BRANCH1: "#8fc7ff",
        Role.BRANCH2: "#a9dc6f",
        Role.BRANCH3: "#c9a8ff",
        Role.BRANCH4: "#6fdcc0",
        Role.BRANCH5: "#ef86ee",
        Role.BRANCH6: "#94a3ff",
        Role.KEYWORD: "#d3b0ff",
        Role.NAME: "#8fc7ff",
        Role.STRING: "#9fdc7a",
        Role.LITERAL: "#5fd3d3",
    },
    background="#15181e",
    raised="#1d222b",
    selected="#2a3342",
)

LIGHT = Colours(
    {
        Role.TEXT: "#1f2430",
        Role.MUTED: "#525a68",
        Role.LINE: "#717a88",
        Role.ACCENT: "#0b57b8",
        Role.GOOD: "#1a6632",
        Role.WARN: "#7f4a00",
        Role.BAD: "#ab1e1e",
        Role.REVISION: "#97217a",
        Role.ESTIMATE: "#00616b",
        Role.NOTE: "#665500",
        Role.BRANCH1: "#1c57a0",
        Role.BRANCH2: "#456200",
        Role.BRANCH3: "#6a3bb5",
        Role.BRANCH4: "#0a6353",
        Role.BRANCH5: "#a010b4",
        Role.BRANCH6: "#3a36c4",
        Role.KEYWORD: "#6a3bb5",
        Role.NAME: "#1c57a0",
        Role.STRING: "#33651a",
        Role.LITERAL: "#00616b",
    },
    background="#fcfbf8",
    raised="#f1efe9",
    selected="#dfe6f0",
)
