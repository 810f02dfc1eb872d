"""What the palette offers, and which of it a query finds first."""

from pathlib import Path

import pytest
from textual.actions import parse

from seqthink.drawing.panels.help_page import COLUMN_CELLS, KEY_CELLS
from tests.support.screens.screen_text import settings_of
from tui.app import Viewer
from tui.commands import APP_PREFIX, COMMANDS, commands_for
from tui.screens.command_matching import match_commands
from tui.session_view.screen import SessionScreen

MOVES = {
    *(f"tenth({tenth})" for tenth in range(10)),
    "move(1)",
    "move(-1)",
    "page(1)",
    "page(-1)",
    "half_page(1)",
    "half_page(-1)",
    "end",
    "palette",
    "close(True)",
}
"""What nobody looks for by name."""


def _found(query: str) -> list[str]:
    return [offer.command.name for offer in match_commands(query, commands_for(has_session=True)) if offer.command.name]


def test_every_action_with_a_key_is_offered() -> None:
    bound = {binding.action for one in (Viewer, SessionScreen) for binding in vars(one)["BINDINGS"]}

    assert bound - MOVES <= {command.action for command in commands_for(has_session=True)}


def test_every_action_of_the_table_is_one_of_the_app_or_its_screen(tmp_path: Path) -> None:
    app = Viewer(None, settings_of(tmp_path))

    unknown = [
        command.action
        for command in COMMANDS
        if not hasattr(
            app if command.action.startswith(APP_PREFIX) else app.session_screen,
            f"action_{parse(command.action)[1]}",
        )
    ]

    assert unknown == []


def test_entries_of_the_help_page_are_short_enough_for_a_column() -> None:
    entries = [command.help for command in COMMANDS if command.help is not None]

    assert [entry for entry in entries if len(entry.meaning) > COLUMN_CELLS - KEY_CELLS - 2] == []
    assert [
        entry for entry in entries if len(entry.keys.format(up="x", down="x", left="x", right="x")) > KEY_CELLS
    ] == []


def test_every_key_is_on_the_help_page_or_beside_one_that_is() -> None:
    named = "".join(command.help.keys for command in COMMANDS if command.help is not None)
    keys = {command.hint for command in COMMANDS if command.keys and not command.action.startswith("tenth")}

    assert {key for key in keys if key not in named} == set()


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("", "Search the texts"),
        ("tim", "Timeline or tree"),
        ("TIM", "Timeline or tree"),
        ("r", "Go to the revised or revising thought"),
        ("N", "Previous hit"),
        ("light", "Theme: light"),
        ("opned", "Open a copy in the editor"),
        ("#12", "Go to thought 12"),
        ("12", "Go to thought 12"),
    ],
)
def test_the_best_match_comes_first(query: str, first: str) -> None:
    assert _found(query)[0] == first


def test_a_command_without_a_match_is_not_offered() -> None:
    assert _found("zebra") == []


def test_the_positions_of_the_matched_letters_are_returned() -> None:
    offers = match_commands("timl", commands_for(has_session=True))
    assert [offers[0].command.name[place] for place in offers[0].positions] == list("Timl")


def test_in_another_list_a_number_is_no_thought() -> None:
    assert match_commands("12", commands_for(has_session=True), with_numbers=False) == []
