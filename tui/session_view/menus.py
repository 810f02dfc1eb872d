"""The palette and the help page, which open above the session."""

from collections.abc import Callable, Mapping

from tui.commands import Command, commands_for
from tui.screens.help import HelpScreen
from tui.screens.palette import PaletteScreen
from tui.session_view.session_switcher import SessionSwitcher
from tui.session_view.view import View


class Menus:
    """Opens the palette and the help page, and runs what was chosen."""

    def __init__(self, view: View, *, switcher: SessionSwitcher) -> None:
        self._view = view
        self._switcher = switcher

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"palette": self.open_palette, "help": self.open_help}

    def open_palette(self) -> None:
        """Open the palette with all commands that apply here."""
        settings = self._view.settings
        commands = commands_for(has_session=self._view.state.viewport.session is not None)
        palette = PaletteScreen(settings, commands, with_sessions=settings.pipe is None)
        self._view.host.push_screen(palette, self._run)

    async def _run(self, command: Command | None) -> None:
        if command is None:
            return
        if command.session is not None:
            self._switcher.choose(command.session)
        else:
            await self._view.run_action(command.action)

    def open_help(self) -> None:
        """Open the page of signs and keys."""
        settings, host = self._view.settings, self._view.host
        host.push_screen(HelpScreen(settings.signs, settings.theme, *host.size, self._view.panes.drawn_text))
