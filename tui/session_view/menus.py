"""The palette, the help page and the statistics, which open above the session."""

from collections.abc import Callable, Mapping, Sequence

from seqthink.drawing.describe.session import session_name
from tui.commands import Command, Need, commands_for, help_sections
from tui.session_view.session_switcher import SessionSwitcher
from tui.session_view.view import View


class Menus:
    """Opens the palette, the help page and the statistics, and runs what was chosen."""

    def __init__(self, view: View, *, switcher: SessionSwitcher) -> None:
        self._view = view
        self._switcher = switcher

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"palette": self.open_palette, "help": self.open_help, "statistics": self.open_statistics}

    def open_palette(self) -> None:
        """Open the palette with all commands that apply here."""
        from tui.screens.palette import PaletteScreen  # noqa: PLC0415 - loaded when it is opened

        settings = self._view.settings
        commands = [settings.key_map.command(command) for command in self._commands() if command.name]
        palette = PaletteScreen(settings, commands, with_sessions=settings.catalog.is_list)
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
        from tui.screens.help import HelpScreen  # noqa: PLC0415 - loaded when it is opened

        settings = self._view.settings
        sections = help_sections(settings.signs, self._commands(), settings.key_map.all_of)
        page = HelpScreen(settings.signs, settings.theme, sections, self._view.panes.drawn_text)
        self._view.host.push_screen(page)

    def open_statistics(self) -> None:
        """Open the page of statistics."""
        from seqthink.library.session_counting import statistics_of_one  # noqa: PLC0415 - loaded when it is opened
        from tui.screens.statistics import StatisticsScreen  # noqa: PLC0415 - loaded when it is opened

        view_state, settings = self._view.state, self._view.settings
        session = view_state.viewport.session
        count = (lambda: statistics_of_one(session, view_state.feed.path)) if session is not None else None
        name = session_name(session) if session is not None else ""
        self._view.host.push_screen(StatisticsScreen(settings, count, name))

    def _commands(self) -> Sequence[Command]:
        """Return the commands that do something on this screen."""
        view_state = self._view.state
        has_session = view_state.viewport.session is not None
        given = {
            Need.REVISION: view_state.has_diff,
            Need.REPLAY: view_state.is_replay,
            Need.READER: has_session and view_state.feed.session.is_alive,
        }
        return commands_for(has_session=has_session, given={need for need, is_given in given.items() if is_given})
