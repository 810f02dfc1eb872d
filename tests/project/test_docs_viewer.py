"""What `docs/screens.md` and `docs/viewer.md` say is so: signs, keys, colours, widths, options."""

import json
import re
from argparse import Namespace
from typing import Any

import msgspec
import pytest
from textual.color import Color

from seqthink.chain.overview.states import STATES
from seqthink.chain.query import FILTER_KINDS, filter_query
from seqthink.cli import COMMANDS
from seqthink.cli.common import viewer_options
from seqthink.cli.upkeep.setting_kinds import KINDS, THEMES
from seqthink.core.errors import UsageError
from seqthink.core.settings_file import parse_settings
from seqthink.drawing.text import colours
from seqthink.drawing.text.glyphs import ASCII, UNICODE, comment_sign, retraction_sign
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS, WIDE_FROM_CELLS, row_layout
from seqthink.drawing.text.spans import Role
from seqthink.share.export.formats import FORMATS, RECORDING_SUFFIXES, RECORDINGS, SUFFIXES
from tests.support.docs import readme
from tests.support.docs.pages import OURS, README, Page, code_rows, page
from tests.support.docs.proofs import options_of
from tests.support.docs.readme import codes
from tui.app import Viewer
from tui.key_map import make_key_map
from tui.session_view.layout import compute_layout
from tui.session_view.screen import SessionScreen
from tui.settings import ViewerOptions
from tui.state.playback import SPEEDS

LOOKS = {"--theme"} | {f"--{no}{name}" for name in ("motion", "mouse", "title", "bell", "notify") for no in ("", "no-")}
FOREIGN_OPTIONS = {
    "--allowedTools",
    "--allowed-tools",
    "--compile-bytecode",
    "--from",
    "--graph",
    "--isolated",
    "--no-focus",
    "--numstat",
    "--offline",
    "--options",
    "--question",
}


LEAST_CONTRAST, LEAST_LINE_CONTRAST = 4.5, 3.0


# docs/screens.md


def test_every_sign_is_in_the_table_with_the_ascii_that_it_has() -> None:
    signs = msgspec.structs.asdict(UNICODE)
    plain = {name: text for name, text in signs.items() if isinstance(text, str)}
    stand_ins = {
        sign: ascii_sign
        for name, text in plain.items()
        for sign, ascii_sign in (
            zip(text, ASCII.box, strict=True) if text == UNICODE.box else [(text, getattr(ASCII, name))]
        )
    } | {make(UNICODE): make(ASCII) for make in (retraction_sign, comment_sign)}
    pattern = re.compile("|".join(map(re.escape, sorted(stand_ins, key=len, reverse=True))))

    rows = [(shown, ascii_shown) for [shown], [ascii_shown], _ in code_rows(page("screens").rows("Sign"))]

    assert [(shown, pattern.sub(lambda found: stand_ins[found[0]], shown)) for shown, _ in rows] == rows
    assert all(shown != ascii_shown for shown, ascii_shown in rows)
    assert [text for name, text in plain.items() if name != "box" and not any(text in shown for shown, _ in rows)] == []


def test_every_state_of_a_session_is_in_the_table() -> None:
    words = {row.word for row in STATES.values()}

    words.add("engine lost since 12:31")  # tests/tui/fleet: of a fleet's engine, beside the state
    named = [state[0] for state, _ in code_rows(page("screens").rows("State"))]

    assert sorted(named) == sorted(words)


def test_the_keys_of_the_table_are_the_keys_that_are_bound() -> None:
    written = {"↓": "down", "↑": "up", "←": "left", "→": "right", "PgUp": "pageup", "PgDn": "pagedown",
               "Esc": "escape", "/": "slash", "&": "ampersand", ":": "colon", "?": "question_mark",
               ",": "comma", ".": "full_stop", "[": "left_square_bracket", "]": "right_square_bracket",
               "(": "left_parenthesis", ")": "right_parenthesis", "<": "less_than_sign", ">": "greater_than_sign",
               "-": "minus", "'": "apostrophe", "+": "plus", "!": "exclamation_mark"}  # fmt: skip
    ours = [*Viewer.__mro__, SessionScreen]
    bound = {key for one in ours for binding in vars(one).get("BINDINGS", ()) for key in _keys(binding)}

    named = [key for keys, _ in code_rows(page("screens").rows("Key")) for key in keys]
    rows = [written.get(key, key if len(key) == 1 else key.lower()) for key in named]

    assert set(rows) ^ bound == set(), "keys with a row in docs/screens.md alone, or bound alone"
    assert len(rows) == len(bound), "a key has two rows"


def test_the_example_of_the_settings_is_valid() -> None:
    [example] = [fence.text for fence in page("settings").fences if fence.language == "toml"]
    settings = parse_settings(example.encode(), KINDS)

    assert len(settings.values) > 2
    assert len(settings.keys) > 1
    assert (settings.wrong, make_key_map(settings.keys).wrong) == ((), ())


def _keys(binding: Any) -> list[str]:  # noqa: ANN401 - Textual takes tuples too
    return binding.key.split(",")


def test_the_colours_of_the_table_are_those_of_the_themes_and_can_be_read() -> None:
    rows = {role: (dark, light, lowest) for role, dark, light, lowest, _ in page("screens").rows("Role")}
    themes = (colours.DARK, colours.LIGHT)

    expected = {
        f"`{role.value}`": (
            *(f"`{theme.roles[role]}`" for theme in themes),
            f"{min(_contrast(theme, role) for theme in themes):.1f}",
        )
        for role in colours.DARK.roles
    }
    assert rows == expected
    assert [role for role in colours.DARK.roles for theme in themes if _contrast(theme, role) < _bound(role)] == []
    surfaces = [surface for theme in themes for surface in (theme.background, theme.raised, theme.selected)]
    assert [f"`{surface}`" in page("screens").text for surface in surfaces] == [True] * len(surfaces)


def _bound(role: Role) -> float:
    return LEAST_LINE_CONTRAST if role is Role.LINE else LEAST_CONTRAST


def _contrast(theme: colours.Colours, role: Role) -> float:
    """Return the lowest contrast of a role on the surfaces of a theme."""
    text = _luminance(theme.roles[role])
    surfaces = [_luminance(surface) for surface in (theme.background, theme.raised, theme.selected)]
    return min((max(text, one) + 0.05) / (min(text, one) + 0.05) for one in surfaces)


def _luminance(colour: str) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in Color.parse(colour).normalized
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_the_widths_of_the_table_are_those_at_which_things_give_way() -> None:
    widths = [below for below, _ in page("screens").rows("Below")]

    assert widths == [
        f"{WIDE_FROM_CELLS} columns",
        f"{NARROW_BELOW_CELLS} columns",
        "44 columns",
        "40 columns",
        "28 columns or 8 rows",
    ]
    assert [_marks(cells) for cells in (43, 44)] == [1, 2]
    assert [_is_one_line(*size) for size in ((27, 8), (28, 7), (28, 8))] == [True, True, False]


def _marks(cells: int) -> int:
    return row_layout(cells, screen_width=cells, tracks=0, digits=2).marks


def _is_one_line(width: int, height: int) -> bool:
    return compute_layout(width, height, tree_rows=5, is_reading=False).is_single_line


# docs/viewer.md


def test_the_table_of_formats_is_that_of_the_export() -> None:
    endings = {form[0]: suffixes for form, suffixes, _ in code_rows(page("viewer").rows("Format"))}

    named = SUFFIXES | RECORDING_SUFFIXES
    assert endings == {form: [suffix for suffix, its in named.items() if its == form] for form in FORMATS | RECORDINGS}


def test_every_command_takes_the_options_that_all_take() -> None:
    drawing = {"watch", "replay", "show", "demo"}
    viewing = {"watch", "replay", "demo"}

    assert {name for name in COMMANDS if "--journal-dir" in options_of(name)} == set(COMMANDS) - {
        "completion",
        "settings",
    }
    assert {name for name in COMMANDS if {"--width", "--ascii"} <= options_of(name)} == {
        *drawing,
        "diff",
        "doctor",
        "stats",
        "why",
    }
    listing = {"diff", "sessions", "status", "find", "stats", "doctor", "why"}
    assert {name for name in COMMANDS if "--ascii" in options_of(name)} == drawing | listing
    assert {name for name in COMMANDS if "--no-motion" in options_of(name)} == viewing
    assert all(options_of(name) >= LOOKS for name in viewing)


@pytest.mark.parametrize("shown", [*map(page, OURS), README], ids=lambda shown: shown.name)
def test_every_option_in_the_text_is_one_of_ours_or_said_to_be_another_program_s(shown: Page) -> None:
    ours = {option for name in COMMANDS for option in options_of(name)}
    named = {option for code in codes(shown.prose) for option in re.findall(r"(?<![\w-])--[a-zA-Z-]+", code)}

    assert named - ours - FOREIGN_OPTIONS == set()


def test_the_fields_of_the_list_of_sessions_are_those_that_it_prints() -> None:
    [line] = re.findall(r"^- `sessions --json` .*\n.*$", page("viewer").prose, re.MULTILINE)
    [first, *_] = json.loads(readme.run(["sessions", "--json", "--journal-dir", str(readme.SAMPLE.parent)]))

    assert codes(line)[1:] == list(first)


def test_the_parts_of_a_filter_are_those_that_it_knows() -> None:
    parts = [part[0] for part, _ in code_rows(page("viewer").rows("Part"))]
    query = filter_query(" ".join(parts))

    assert (query.words, query.kinds, query.tags) == (("timeout",), FILTER_KINDS, ("pool", "two words"))


def test_the_speeds_of_the_text_are_those_there_are() -> None:
    assert f"Speeds: {', '.join(f'{speed:g}' for speed in SPEEDS)}." in page("viewer").text


def test_the_themes_of_the_text_are_those_there_are_and_the_environment_may_name_one() -> None:
    [line] = [line for line in page("viewer").prose.splitlines() if line.startswith("- `--theme`")]

    assert set(THEMES) <= set(codes(line))
    with pytest.raises(UsageError, match="unknown theme 'x'"):
        _looks({"SEQTHINK_THEME": "x"})
    assert _looks({"SEQTHINK_THEME": "light"})["theme"] == "light"
    assert _looks({"SEQTHINK_THEME": "light", "NO_COLOR": "1"})["theme"] == "mono"


def _looks(environ: dict[str, str]) -> ViewerOptions:
    return viewer_options(Namespace(ascii=True, journal_dir=None), environ)
