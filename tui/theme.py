"""The looks of the viewer: colours by role as styles, on surfaces or on the terminal's own background."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from rich.style import Style
from textual.color import Color

from seqthink.drawing import colours
from seqthink.drawing.spans import Role

ThemeName = Literal["dark", "light", "ansi", "mono"]


class ColourTheme(Struct, frozen=True):
    """The colours of one look. Without surfaces the terminal's own background is left alone."""

    name: ThemeName
    roles: Mapping[Role, str]
    background: str = ""
    raised: str = ""
    selected: str = ""

    def style(self, role: Role, *, is_selected: bool = False, is_raised: bool = False, accent_tenths: int = 0) -> Style:
        """Return how text of ``role`` is drawn. Where there are no surfaces, what is selected is drawn reversed.

        ``glow`` mixes so many parts in ten of the accent into the surface: a row that has just come.
        """
        surface = self.selected if is_selected else (self.raised if is_raised else self.background)
        if accent_tenths and surface:
            surface = Color.parse(surface).blend(Color.parse(self.roles[Role.ACCENT]), accent_tenths / 10).hex
        if role is Role.MATCH:
            # In a row that is itself reversed, a match stands out by not being so.
            color = self.roles.get(Role.ACCENT) or None
            return Style(color=color, bgcolor=surface or None, bold=True, reverse=not is_selected or bool(surface))
        return Style(
            color=self.roles.get(role) or None,
            bgcolor=surface or None,
            reverse=is_selected and not self.selected,
        )


def _theme(name: ThemeName, of: colours.Colours) -> ColourTheme:
    return ColourTheme(name, of.roles, background=of.background, raised=of.raised, selected=of.selected)


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
        Role.BRANCH2: "yellow",
        Role.BRANCH3: "green",
        Role.BRANCH4: "magenta",
        Role.BRANCH5: "cyan",
        Role.BRANCH6: "red",
    },
)

MONO = ColourTheme("mono", {})
"""For ``NO_COLOR``: meaning is in the signs, so nothing is lost."""

THEMES: Mapping[str, ColourTheme] = {theme.name: theme for theme in (DARK, LIGHT, ANSI, MONO)}
