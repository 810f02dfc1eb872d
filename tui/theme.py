"""Colour themes of the viewer: styles for roles, on own backgrounds or on the terminal's."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from rich.style import Style
from textual.color import Color

from seqthink.drawing.text import colours
from seqthink.drawing.text.spans import Role

ThemeName = Literal["dark", "light", "ansi", "mono"]


class ColourTheme(Struct, frozen=True):
    """The colours of one theme; without background colours, the terminal's own background shows."""

    name: ThemeName
    roles: Mapping[Role, str]
    """Text colour of each role; the terminal's default where one is missing."""
    background: str = ""
    """Background of the screen; empty for the terminal's own."""
    raised: str = ""
    """Background of bars and panels."""
    selected: str = ""
    """Background of the selected row."""

    def alert_style(self, role: Role) -> Style:
        """Return the style for text on a bar in the colour of attention; without colours the bar is reversed."""
        warn, is_strong = self.roles.get(Role.WARN) or None, role in {Role.ACCENT, Role.WARN} or None
        if role is Role.MATCH:  # the character at the cursor
            return Style(color=warn, bgcolor=self.background or None, bold=True)
        if self.background:
            return Style(color=self.background, bgcolor=warn, bold=is_strong)
        return Style(color=warn, reverse=True, bold=is_strong)

    def style(self, role: Role, *, is_selected: bool = False, is_raised: bool = False, accent_tenths: int = 0) -> Style:
        """Return the style for text of ``role``; without background colours, selected text is reversed.

        ``accent_tenths`` blends that many tenths of the accent into the background, for new rows.
        """
        surface = self.selected if is_selected else (self.raised if is_raised else self.background)
        if accent_tenths and surface:
            surface = Color.parse(surface).blend(Color.parse(self.roles[Role.ACCENT]), accent_tenths / 10).hex
        if role is Role.MATCH:
            # In a reversed row, a hit stands out by not being reversed.
            color = self.roles.get(Role.ACCENT) or None
            return Style(color=color, bgcolor=surface or None, bold=True, reverse=not is_selected or bool(surface))
        return Style(
            color=self.roles.get(role) or None,
            bgcolor=surface or None,
            reverse=is_selected and not self.selected,
        )


def _theme(name: ThemeName, role_colours: colours.Colours) -> ColourTheme:
    return ColourTheme(
        name,
        role_colours.roles,
        background=role_colours.background,
        raised=role_colours.raised,
        selected=role_colours.selected,
    )


DARK = _theme("dark", colours.DARK)
LIGHT = _theme("light", colours.LIGHT)

ANSI = ColourTheme(
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
        Role.BRANCH2: "green",
        Role.BRANCH3: "magenta",
        Role.BRANCH4: "cyan",
        Role.BRANCH5: "bright_magenta",
        Role.BRANCH6: "bright_blue",
        Role.KEYWORD: "magenta",
        Role.NAME: "blue",
        Role.STRING: "green",
        Role.LITERAL: "cyan",
    },
)

MONO = ColourTheme("mono", {})
"""For ``NO_COLOR``: signs carry all meaning."""

THEMES: Mapping[str, ColourTheme] = {theme.name: theme for theme in (DARK, LIGHT, ANSI, MONO)}
