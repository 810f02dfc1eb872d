"""Keys that the user gave to commands."""

from pathlib import Path

import pytest

from seqthink.core.settings_file import FileEntry
from seqthink.drawing.panels.help_page import COLUMN_CELLS, KEY_CELLS
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import spans_text
from tests.support.journals.build import shop_api
from tests.support.screens.screen_text import running_viewer, settings_of
from tui.commands import COMMANDS, commands_for, help_sections
from tui.key_map import KeyMap, command_name, default_keys, fixed_keys, key_name, label, make_key_map, named_commands
from tui.key_presets import PRESETS
from tui.state.landing import Beginning

SIZE = (100, 24)


def _key_map(**keys: str | list[str]) -> KeyMap:
    return make_key_map(
        {
            name.replace("_", "-"): FileEntry((value,) if isinstance(value, str) else tuple(value), line)
            for line, (name, value) in enumerate(keys.items(), 2)
        }
    )


def test_every_command_with_a_key_has_a_name_of_its_own() -> None:
    commands = [command for command in COMMANDS if command.keys and not command.is_global]

    assert len({command_name(command) for command in commands}) == len(commands)
    assert {"sessions", "step-back", "next-hit", "unfold", "quit", "back", "tenth-3"} <= named_commands().keys()


def test_without_settings_all_keys_are_those_of_the_table() -> None:
    bound = {key: binding.action for binding in KeyMap().bindings() for key in binding.key.split(",")}

    assert bound == {
        key: command.action for command in COMMANDS if not command.is_global for key in default_keys(command)
    }


def test_every_key_of_the_table_can_be_named_as_it_is_shown() -> None:
    keys = {key for command in COMMANDS for key in default_keys(command)}

    assert {key_name(label(key)) for key in keys} == keys


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("s", "s"),
        ("S", "S"),
        ("?", "question_mark"),
        (",", "comma"),
        ("+", "plus"),
        ("Ctrl+N", "ctrl+n"),
        ("ctrl-n", "ctrl+n"),
        ("Esc", "escape"),
        ("PgDn", "pagedown"),
        ("F5", "f5"),
        ("shift+tab", "shift+tab"),
        ("ä", "ä"),
    ],
)
def test_a_key_may_be_named_as_people_do(text: str, key: str) -> None:
    assert key_name(text) == key


@pytest.mark.parametrize("text", ["", " ", "ctrl+", "f77", "strg+n", "\x1b", "ab", "<any>"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its message is its caller's
        key_name(text)


def test_two_commands_may_exchange_their_keys() -> None:
    keys = _key_map(sessions="i", note="s")

    assert keys.wrong == ()
    assert (keys.keys_of("sessions"), keys.keys_of("note")) == (("i",), ("s",))


@pytest.mark.parametrize(
    ("keys", "line", "complaint"),
    [
        ({"filter": "t"}, 2, "keys.filter: t is the key of timeline already; give that another one, too; left out"),
        ({"filter": "ctrl+n", "note": "ctrl+n"}, 3, "keys.note: Ctrl+N is the key of filter already; give"),
        ({"unheard": "z"}, 2, "keys.unheard: unknown command; `seqthink settings` lists them; left out"),
        ({"sesions": "z"}, 2, "keys.sesions: unknown command; did you mean sessions?; left out"),
        ({"leave": "z"}, 2, "keys.leave: its key cannot be changed: it works whatever is open; left out"),
        ({"copy": "f77"}, 2, 'keys.copy: no key is called "f77"; a character, or a name such as ctrl+n, f5, pgdn'),
        ({"copy": "ctrl+c"}, 2, "keys.copy: Ctrl+C, Ctrl+Z cannot have another meaning; left out"),
    ],
)
def test_a_key_that_cannot_be_used_is_named_and_left_out(keys: dict[str, str], line: int, complaint: str) -> None:
    found = _key_map(**keys)

    [wrong] = found.wrong
    assert wrong.line == line
    assert wrong.message.startswith(complaint)
    assert len(found.changed) == len(keys) - 1
    assert fixed_keys() == {"ctrl+c", "ctrl+z"}


def test_what_is_left_out_of_an_exchange_leaves_out_the_other_half() -> None:
    found = _key_map(sessions="i", note="f99")

    assert found.changed == {}
    assert [wrong.line for wrong in found.wrong] == [2, 3]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_help_page_names_only_keys_that_a_preset_has_and_no_two_commands_share_one(preset: str) -> None:
    keys = _key_map(preset=preset)
    bound = [label(key) for binding in keys.bindings() for key in binding.key.split(",")]

    assert keys.wrong == ()
    assert help_sections(UNICODE, commands_for(has_session=True), keys.renamed)
    assert len(bound) == len({*bound})
    for command in COMMANDS:
        if command.help is None or command.is_global or not command.keys:
            continue
        named = keys.renamed(command.help.keys)
        assert {key for key in named.split(" ") if not key.startswith("{") and key != "0-9"} <= {*bound}, named
        assert len(named.replace("{up}{down}", "xx").replace("{left}{right}", "xx")) <= KEY_CELLS


def test_single_keys_win_over_a_preset_whose_commands_lose_them() -> None:
    keys = _key_map(preset="less", play="space", mark="E", next_hit="m")

    assert keys.wrong == ()
    assert (keys.keys_of("play"), keys.keys_of("mark"), keys.keys_of("next-hit")) == (("space",), ("E",), ("m",))
    assert keys.keys_of("page-down") == ("f", "ctrl+f", "pagedown")
    assert keys.own == {"play", "mark", "next-hit"}


def test_a_single_key_that_cannot_be_used_leaves_the_preset_s() -> None:
    keys = _key_map(preset="less", mark="t", play="f99")

    assert (keys.keys_of("mark"), keys.keys_of("play")) == (("m",), ("p",))
    assert [wrong.line for wrong in keys.wrong] == [3, 4]


@pytest.mark.parametrize(
    ("preset", "hint"), [("vmi", "did you mean vim?"), ("Less", "did you mean less?"), ("x", "there are less and vim")]
)
def test_an_unknown_preset_is_answered_with_the_nearest(preset: str, hint: str) -> None:
    keys = _key_map(preset=preset, copy="z")

    [wrong] = keys.wrong
    assert wrong.message == f'keys.preset: no preset is called "{preset}"; {hint}; left out'
    assert keys.changed == {"copy": ("z",)}


def test_the_help_page_names_the_keys_of_today() -> None:
    renamed = _key_map(sessions="ctrl+n", next_hit="Z", timeline=[]).renamed
    sections = help_sections(UNICODE, commands_for(has_session=True), renamed)
    entries = {meaning: keys for section in sections for keys, meaning in section.entries}

    assert (entries["the list of sessions"], entries["next hit, previous hit"]) == ("Ctrl+N", "Z N")
    assert entries["timeline, back to the tree"] == ""


@pytest.mark.parametrize("preset", PRESETS)
def test_the_help_page_names_all_keys_of_a_changed_command(preset: str) -> None:
    keys = _key_map(preset=preset)
    sections = help_sections(UNICODE, commands_for(has_session=True), keys.all_of)
    named = {key for section in sections for names, _ in section.entries for key in names.split()}

    assert {label(key) for changed in keys.changed.values() for key in changed} <= named
    drawn = [spans_text(line) for section in sections for line in section.lines()]
    assert max(map(len, drawn)) <= COLUMN_CELLS
    assert all(line[1 + KEY_CELLS] == " " for line in drawn if len(line) > 1 + KEY_CELLS)


def test_keys_of_commands_that_share_an_entry_stand_beside_each_other_by_their_rank() -> None:
    keys = _key_map(page_down=["f1", "f6"], page_up=["f2", "f5", "f4"], down=["f3"])

    assert keys.all_of("PgUp PgDn") == "F2 F1\nF5 F6 F4"
    assert keys.all_of("↑↓ j k") == "Up F3 k"
    assert keys.all_of("←→ h l") == "←→ h l"


async def test_the_user_s_keys_work_and_the_old_ones_do_not(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    shop_api().write(path)
    keys = _key_map(sessions="ctrl+n", help="f2", next_mark=[])

    async with running_viewer(path, SIZE, settings_of(tmp_path, key_map=keys)) as stage:
        await stage.shows("F2 keys")
        assert "Sessions" not in await stage.press("s")
        await stage.press("ctrl+n")
        await stage.shows("Sessions")
        await stage.press("escape", "f2")
        await stage.shows("Ctrl+N", "Signs")
        await stage.press("escape", "colon", *"Sessions")
        await stage.shows("Ctrl+N")


async def test_what_is_wrong_with_the_settings_is_said_until_the_first_key(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    shop_api().write(path)
    complaint = "settings.toml:3: theme: choose from dark, light, ansi; left out"

    async with running_viewer(path, SIZE, settings_of(tmp_path, beginning=Beginning(message=complaint))) as stage:
        await stage.shows("settings.toml:3: theme")
        assert "settings.toml" not in await stage.press("j")


async def test_the_complaint_stays_while_the_first_session_opens(tmp_path: Path) -> None:
    shop_api().write(tmp_path / "20260310T091501.000000Z-abcdef.jsonl")

    settings = settings_of(tmp_path, beginning=Beginning(message="settings.toml:3: broken"))
    async with running_viewer(None, SIZE, settings, is_ready=False) as stage:
        await stage.shows("settings.toml:3")
