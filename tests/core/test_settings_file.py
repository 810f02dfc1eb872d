"""What a settings file says, on which line, and what of it is left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.cli.upkeep.setting_kinds import KINDS
from seqthink.core.settings_file import MAX_FILE_BYTES, FileEntry, FileSettings
from seqthink.core.settings_file import parse_settings as parse_settings_of
from seqthink.sources.transcripts.registry import SOURCE_NAMES


def parse_settings(data: bytes) -> FileSettings:
    return parse_settings_of(data, KINDS)


def _wrong(text: str) -> list[str]:
    return [wrong.text() for wrong in parse_settings(text.encode()).wrong]


def test_each_setting_has_its_value_and_its_line() -> None:
    settings = parse_settings(
        b"""\xef\xbb\xbf# mine
theme = "light"
sources = [
  "journal",
  "claude", # that one, too
]
stale = 30\r
stuck = 120
wall = "2x3"
notifications.bell = false

[keys]
sessions = "w"
"play" = ["space", "f5"]
note = ""
"""
    )

    assert settings.wrong == ()
    assert settings.values == {
        "theme": FileEntry("light", 2),
        "sources": FileEntry({"journal", "claude"}, 3),
        "stale": FileEntry(30, 7),
        "stuck": FileEntry(120, 8),
        "wall": FileEntry("2x3", 9),
        "notifications.bell": FileEntry(False, 10),
    }
    assert settings.keys == {
        "sessions": FileEntry(("w",), 13),
        "play": FileEntry(("space", "f5"), 14),
        "note": FileEntry((), 15),
    }


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('tehme = "light"', "tehme: unknown setting; did you mean theme?"),
        ("bell = false", "bell: unknown setting; did you mean notifications.bell?"),
        ('theme = "pink"', "theme: choose from dark, light, ansi"),
        ("theme = 3", "theme: choose from dark, light, ansi"),
        ('stale = "60"', "stale: must be a whole number of seconds above 0"),
        ("stuck = 0", "stuck: must be a whole number of seconds above 0"),
        ("stuck = true", "stuck: must be a whole number of seconds above 0"),
        ("mouse = 1", "mouse: must be true or false"),
        ('wall = "0x3"', 'wall: must be "2x3", columns and rows from 1 to 9, or "auto"'),
        ("sources = [1]", f"sources: must be a list of {', '.join(SOURCE_NAMES)}, or none"),
        ("notifications = true", "notifications: must be a table, [notifications]"),
        ("keys.sessions = 3", 'keys.sessions: must be a key such as "s" or "ctrl+n", or a list of keys'),
        ("keys = 3", "keys: must be a table, [keys], or the name of a preset"),
        ('keys.preset = ["vim"]', 'keys.preset: must be the name of a preset, such as "vim"'),
        ('"a\\u001b[2J" = 1', "a␛[2J: unknown setting; there are theme"),
    ],
)
def test_a_wrong_line_is_named_with_what_is_allowed_and_the_others_hold(line: str, complaint: str) -> None:
    settings = parse_settings(f"ascii = true\n{line}\n".encode())

    assert settings.values == {"ascii": FileEntry(True, 1)}
    assert not settings.keys
    [wrong] = settings.wrong
    assert wrong.text().startswith(f"settings.toml:2: {complaint}")
    assert wrong.text().endswith("; left out")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('theme = "light"\nstale = \n', "settings.toml:2: not TOML: invalid value; nothing of the file is used"),
        ('theme = "light"\ntheme = "dark"\n', "settings.toml:2: not TOML: cannot overwrite a value; nothing of"),
        ('theme = "light"\nsources = [1,\n 2', "settings.toml:3: not TOML: unclosed array; nothing of"),
        ("a = " + "[" * 5000, "settings.toml"),
        ("#" * (MAX_FILE_BYTES + 1), "settings.toml: longer than 64 KiB; nothing of it is used"),
    ],
)
def test_of_a_file_that_cannot_be_read_nothing_is_used(text: str, complaint: str) -> None:
    assert _wrong(text)[0].startswith(complaint)
    assert parse_settings(text.encode()).values == {}


def test_a_file_that_is_not_utf_8_is_named_with_its_line() -> None:
    assert [wrong.text() for wrong in parse_settings(b'theme = "light"\n# \xff\n').wrong] == [
        "settings.toml:2: not UTF-8; nothing of the file is used"
    ]


def test_an_empty_file_says_nothing() -> None:
    assert parse_settings(b"") == parse_settings(b"# theme\n\n[keys]\n[notifications]\n")


def test_every_default_is_one_that_the_file_may_have() -> None:
    checked = {kind.name: kind.check(kind.default) for kind in KINDS if kind.name != "sources"}

    assert checked == {kind.name: kind.default for kind in KINDS if kind.name != "sources"}
    every = parse_settings(f"sources = '{','.join(SOURCE_NAMES)}'".encode()).values["sources"].value
    assert every == frozenset(SOURCE_NAMES)


@given(st.binary(max_size=200))
def test_no_file_can_do_harm(data: bytes) -> None:
    assert all(wrong.message.isprintable() for wrong in parse_settings(data).wrong)


@given(st.lists(st.sampled_from([*"[]={}\"'#.\n ,1", "keys", "theme", "notifications", "true", '"s"']), max_size=30))
def test_nothing_that_looks_like_toml_can_do_harm(parts: list[str]) -> None:
    assert all(wrong.message.isprintable() for wrong in parse_settings("".join(parts).encode()).wrong)


@pytest.mark.parametrize("text", ['keys = "vim"', 'keys.preset = "vim"'])
def test_a_preset_of_keys_is_named_alone_or_in_the_table_of_keys(text: str) -> None:
    assert parse_settings(text.encode()) == FileSettings(keys={"preset": FileEntry(("vim",), 1)})
