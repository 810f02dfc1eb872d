"""Colours by role (screens.md, "Colours by role"): every text role is readable on all three surfaces."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from rich.style import Style
from textual.color import Color

from seqthink.drawing.spans import Role

ThemeName = Literal["dark", "light", "ansi", "mono"]


class Theme(Struct, frozen=True):
    """The colours of one look. Without surfaces the terminal's own background is left alone."""

    name: ThemeName
    roles: Mapping[Role, str]
    background: str = ""
    raised: str = ""
    selected: str = ""

    def style(self, role: Role, *, is_selected: bool = False, is_raised: bool = False, glow: int = 0) -> Style:
        """Return how text of ``role`` is drawn. Where there are no surfaces, what is selected is drawn reversed.

        ``glow`` mixes so many parts in ten of the accent into the surface: a row that has just come.
        """
        surface = self.selected if is_selected else (self.raised if is_raised else self.background)
        if glow and surface:
            surface = Color.parse(surface).blend(Color.parse(self.roles[Role.ACCENT]), glow / 10).hex
        if role is Role.MATCH:
            # In a row that is itself reversed, a match stands out by not being so.
            color = self.roles.get(Role.ACCENT) or None
            return Style(color=color, bgcolor=surface or None, bold=True, reverse=not is_selected or bool(surface))
        return Style(
            color=self.roles.get(role) or None,
            bgcolor=surface or None,
            reverse=is_selected and not self.selected,
        )


DARK = Theme(
    "dark",
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
        Role.BRANCH2: "#f6b26b",
        Role.BRANCH3: "#9fdc7a",
        Role.BRANCH4: "#d3b0ff",
        Role.BRANCH5: "#6fdcc0",
        Role.BRANCH6: "#ffa9b8",
    },
    background="#15181e",
    raised="#1d222b",
    selected="#2a3342",
)

LIGHT = Theme(
    "light",
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
        Role.BRANCH2: "#85450a",
        Role.BRANCH3: "#33651a",
        Role.BRANCH4: "#6a3bb5",
        Role.BRANCH5: "#0a6353",
        Role.BRANCH6: "#a3244a",
    },
    background="#fcfbf8",
    raised="#f1efe9",
    selected="#dfe6f0",
)

ANSI = Theme(
    "ansi",
    {
        Role.ACCENT: "blue",
        Role.GOOD: "green",
        Role.WARN: "yellow",
        Role.BAD: "red",
        Role.REVISION: "magenta",
        Role.ESTIMATE: "cyan",
        Role.NOTE: "yellow",
        Role.BRANCH1: "blue",
        Role.BRANCH2: "yellow",
        Role.BRANCH3: "green",
        Role.BRANCH4: "magenta",
        Role.BRANCH5: "cyan",
        Role.BRANCH6: "red",
    },
)

MONO = Theme("mono", {})
"""For ``NO_COLOR``: meaning is in the signs, so nothing is lost."""

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (DARK, LIGHT, ANSI, MONO)}
