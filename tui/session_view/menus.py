"""The palette, the help page, the statistics, the comparison and the changes of files, which open above the session."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.drawing.describe.calls import working_folder
from seqthink.drawing.describe.session import session_name
from tui.commands import Command, Need, commands_for, help_sections
from tui.session_view.session_finder import SessionFinder
from tui.session_view.session_switcher import SessionSwitcher
from tui.session_view.view import View
from tui.sessions.picked_sessions import PickedSessions

if TYPE_CHECKING:
    from tui.screens.comparison import ComparedThought

HOW_TO_PICK = "pick a session in the list (s) with Space; D then compares it with this one"


class Menus:
    """Opens these pages, and runs what was chosen.

    Args:
        view: the session screen.
        switcher: shows another session.
        finder: goes to a thought of any session.
        picked: the sessions that are picked in the list.
    """

    def __init__(self, view: View, *, switcher: SessionSwitcher, finder: SessionFinder, picked: PickedSessions) -> None:
        self._view = view
        self._switcher = switcher
        self._finder = finder
        self._picked = picked

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {
            "palette": self.open_palette,
            "help": self.open_help,
            "statistics": self.open_statistics,
            "compare": self.compare_shown,
            "change": self.open_change,
        }

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

    def compare_shown(self) -> None:
        """Compare the session on the screen with the picked one, or both picked ones."""
        pair = self._picked.pair_with(self._view.state.feed.path)
        if pair is None:
            self._view.show_status_message(HOW_TO_PICK)
            return
        self.compare(*pair)

    def compare(self, left: Path, right: Path) -> None:
        """Open the comparison of two sessions."""
        from tui.screens.comparison import ComparisonScreen  # noqa: PLC0415 - loaded when it is opened

        self._view.host.push_screen(ComparisonScreen(self._view.settings, left, right), self._go_to)

    def _go_to(self, chosen: "ComparedThought | None") -> None:
        if chosen is None:
            return
        host = self._view.host
        while not self._view.is_active and len(host.screen_stack) > 1:
            host.pop_screen()
        self._finder.show(chosen.path, chosen.seq)

    def open_change(self) -> None:
        """Open the page of what the calls of the selected row changed in files, or those that follow it."""
        view_state, settings = self._view.state, self._view.settings
        viewport, path, texts = view_state.viewport, view_state.feed.path, view_state.feed.texts
        if viewport.session is None or texts is None:
            return
        from seqthink.library.call_changes import asked_of_row, read_changes  # noqa: PLC0415 - loaded when it is asked for
        from tui.screens.change import AskedChange, ChangeScreen  # noqa: PLC0415 - loaded when it is opened

        row = asked_of_row(texts, viewport.session, thought=viewport.thought, aside=viewport.aside)
        if not row.calls or path is None:
            self._view.show_status_message(row.nothing)
            return
        placed = settings.catalog.session(path)
        read = partial(read_changes, placed, row.calls, settings.decode)
        asked = AskedChange(row.title, read, working_folder(viewport.session), is_list=row.is_list)
        self._view.host.push_screen(ChangeScreen(settings, asked))

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
