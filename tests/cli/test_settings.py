"""`seqthink settings`: what is in force, and why."""

import json
import os
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from seqthink.cli.preferences import ascii_reason, preferences_of, read_settings_file
from tests.support.depth import first
from tests.support.servers.commands import SHOP_API, refusal_line, seqthink


@pytest.fixture
def file(seqthink_home: Path) -> Path:
    return seqthink_home / "settings.toml"


def _reasons(file: Path, text: str, **variables: str) -> dict[str, tuple[object, str, str | None]]:
    file.write_text(text, encoding="utf-8")
    shown = json.loads(seqthink("settings", "--json", variables=variables).stdout)
    return {one["name"]: (one["value"], one["origin"], one["where"]) for one in (*shown["settings"], *shown["keys"])}


def test_each_setting_is_shown_with_what_is_in_force_and_why(file: Path) -> None:
    found = _reasons(
        file,
        'stale = 9\ntheme = "light"\n[keys]\nsessions = "ctrl+n"\n',
        SEQTHINK_SOURCES="codex,journal",
        SSH_CONNECTION="a b",
        TEXTUAL_ANIMATIONS="",
    )

    assert found["stale"] == (9, "file", "line 1")
    assert found["theme"] == ("light", "file", "line 2")
    assert found["sources"] == (["journal", "codex"], "environment", "SEQTHINK_SOURCES")
    assert found["motion"] == (False, "environment", "SSH_CONNECTION")
    assert found["notifications.bell"] == (True, "default", None)
    assert found["sessions"] == (["Ctrl+N"], "file", "line 4")
    assert found["copy"] == (["y"], "default", None)


def test_a_preset_of_keys_is_shown_with_what_it_changes(file: Path) -> None:
    found = _reasons(file, '[keys]\npreset = "less"\nplay = "P"\n')

    assert found["preset"] == (["less"], "file", "line 2")
    assert found["mark"] == (["m"], "preset less", None)
    assert found["play"] == (["P"], "file", "line 3")


def test_the_environment_wins_over_the_file(file: Path) -> None:
    assert _reasons(file, 'theme = "light"', SEQTHINK_THEME="ansi")["theme"] == (
        "ansi",
        "environment",
        "SEQTHINK_THEME",
    )
    assert _reasons(file, 'theme = "light"', NO_COLOR="1")["theme"] == ("mono", "environment", "NO_COLOR")
    assert _reasons(file, "ascii = false", LC_ALL="C")["ascii"] == (True, "environment", "LC_ALL")


@pytest.mark.parametrize("variables", first(1, [{}, {"NO_COLOR": "1"}, {"SEQTHINK_SOURCES": "none"}]), ids=str)
def test_what_is_printed_is_a_settings_file_that_says_the_same(file: Path, variables: dict[str, str]) -> None:
    file.write_text(
        'theme = "light"\n[keys]\npreset = "vim"\nsearch = ["f5", ","]\nstep-back = "PgUp"\npage-up = "/"\n',
        encoding="utf-8",
    )
    printed = seqthink("settings", variables=variables).stdout
    file.write_text(printed, encoding="utf-8")
    again = seqthink("settings", variables=variables)

    assert (again.returncode, again.stderr) == (0, "")
    assert [line.partition("  # ")[0] for line in again.stdout.splitlines()] == [
        line.partition("  # ")[0] for line in printed.splitlines()
    ]
    assert printed.splitlines()[0] == f"# {file}"


def test_a_file_that_is_not_there_is_said_not_to_be(file: Path) -> None:
    assert seqthink("settings").stdout.splitlines()[0] == f"# {file} (not there yet)"


def test_wrong_lines_are_named_in_their_order_and_the_status_is_1(file: Path) -> None:
    file.write_text('[keys]\nzzz = "x"\n[notifications]\nbel = true\n', encoding="utf-8")
    done = seqthink("settings")

    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "seqthink: settings.toml:2: keys.zzz: unknown command; `seqthink settings` lists them; left out",
        "seqthink: settings.toml:4: notifications.bel: unknown setting; did you mean notifications.bell?; left out",
    ]
    assert json.loads(seqthink("settings", "--json").stdout)["wrong"][0]["line"] == 2


@pytest.mark.parametrize(
    ("line", "meant"),
    first(
        2,
        [
            ("title = false", "notifications.title"),
            ("titel = false", "notifications.title"),
            ("notification.bell = false", "notifications.bell"),
            ("notifications.bel = false", "notifications.bell"),
            ("stal = 1", "stale"),
            ("views.theme = 1", "theme"),
        ],
        is_unpacked=True,
    ),
)
def test_a_wrong_name_is_answered_with_the_setting_that_is_meant_and_its_table(
    line: str, meant: str, file: Path
) -> None:
    file.write_text(f"{line}\n", encoding="utf-8")

    assert f"unknown setting; did you mean {meant}?; left out" in seqthink("settings").stderr


def test_a_wrong_line_stops_no_command_and_is_said_in_one_line(file: Path) -> None:
    file.write_text("stale = 0\nmouse = 0\n", encoding="utf-8")

    done = seqthink("replay", SHOP_API)
    assert done.returncode == 0
    assert done.stderr == (
        "seqthink: settings.toml:1: stale: must be a whole number of seconds above 0; left out (and 1 more); "
        "see `seqthink settings`\n"
    )
    assert done.stdout == seqthink("show", SHOP_API).stdout


def test_the_file_decides_how_show_draws(file: Path) -> None:
    file.write_text("ascii = true\n", encoding="utf-8")

    assert seqthink("show", SHOP_API).stdout == seqthink("show", SHOP_API, "--ascii").stdout
    assert "●" in seqthink("show", SHOP_API, "--no-ascii").stdout


def test_only_a_regular_file_is_read(file: Path, tmp_path: Path) -> None:
    os.mkfifo(file)
    assert read_settings_file(file).wrong[0].text() == "settings.toml: cannot be read: not a regular file"
    file.unlink()
    file.mkdir()
    assert read_settings_file(file).wrong[0].text() == "settings.toml: cannot be read: not a regular file"
    assert read_settings_file(tmp_path / "none" / "settings.toml").wrong == ()


def test_a_link_to_a_settings_file_is_followed(file: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfiles.toml").write_text("stale = 3", encoding="utf-8")
    file.symlink_to(tmp_path / "dotfiles.toml")

    assert preferences_of(Namespace()).stale == 3


def test_the_wall_and_the_notifications_are_read_in_their_types(file: Path) -> None:
    assert preferences_of(Namespace()).wall is None
    file.write_text('wall = "2x3"\nstuck = 7\n[notifications]\ntitle = false\n', encoding="utf-8")
    preferences = preferences_of(Namespace(bell=False))

    assert (preferences.wall, preferences.stuck) == ((2, 3), 7)
    assert (preferences.has_title, preferences.has_bell, preferences.has_notifications) == (False, False, True)


def test_an_unknown_home_is_one_clear_line() -> None:
    assert "SEQTHINK_HOME" in refusal_line(seqthink("settings", variables={"SEQTHINK_HOME": "~nobody-of-that-name/x"}))


@pytest.mark.parametrize(
    ("variables", "is_coerced", "reason"),
    [
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True, "LANG"),
        ({"LANG": "POSIX", "LC_CTYPE": "C.UTF-8"}, True, "LANG"),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False, ""),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8", "PYTHONUTF8": "1"}, True, ""),
        ({"LC_CTYPE": "C.UTF-8"}, True, ""),
        ({"LANG": "C.UTF-8"}, False, ""),
        ({"LC_ALL": "C", "LANG": "C.UTF-8"}, True, "LC_ALL"),
        ({"LC_ALL": "", "LC_CTYPE": "POSIX"}, False, "LC_CTYPE"),
    ],
)
def test_a_locale_that_the_user_named_c_asks_for_ascii(
    variables: dict[str, str], is_coerced: bool, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def codeset(_: int) -> str:
        return "UTF-8"

    monkeypatch.setattr("locale.nl_langinfo", codeset)
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)

    assert ascii_reason(variables, is_utf8_mode=is_coerced) == reason


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "POSIX", "LANG": "C.UTF-8"},
        *(pytest.param(names, marks=pytest.mark.deep) for names in ({"LANG": "C"}, {"LANG": "POSIX"}, {"LC_ALL": "C"})),
    ],
    ids=str,
)
def test_in_a_c_locale_the_tree_is_drawn_in_ascii(variables: dict[str, str]) -> None:
    assert "●" not in seqthink("show", SHOP_API, variables=variables).stdout
    assert "●" in seqthink("show", SHOP_API, "--no-ascii", variables={"LANG": "C"}).stdout
