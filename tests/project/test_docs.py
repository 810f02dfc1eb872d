"""What the pages of `docs/` show is so: commands run, JSON decodes, drawings and tables are the code's, links open."""

import functools
import json
import os
import re
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any, get_args

import msgspec
import platformdirs.macos
import platformdirs.unix
import pytest
from textual.color import Color

from seqthink import events
from seqthink.__main__ import COMMANDS
from seqthink.arguments import AcceptedThought, accept
from seqthink.audit.config import AuditScope, SessionConfig, parse_config
from seqthink.audit.review import AuditReview, Verdict, card_from_findings, combine_cards
from seqthink.chain.attention import Attention, Standing
from seqthink.chain.fold import Fold
from seqthink.chain.pending import QuestionKind
from seqthink.chain.query import FILTER_KINDS, filter_query
from seqthink.chain.state import State
from seqthink.cli.common import viewer_options
from seqthink.cli.export import FORMATS, SUFFIXES
from seqthink.clients.registry import CLIENTS
from seqthink.drawing.describe.status import session_status, standing_status, status_of
from seqthink.drawing.text import colours
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS, WIDE_FROM_CELLS, row_layout
from seqthink.drawing.text.spans import Role
from seqthink.errors import UsageError
from seqthink.events import WriterState
from seqthink.journal.decode import decode
from seqthink.journal.folder import seqthink_home
from seqthink.server.prompts.thinking_prompts import PROMPTS
from seqthink.server.tools import agents
from seqthink.server.tools.context_tools import context_tool_definitions
from seqthink.server.tools.tags import InvalidTags, parse_tags
from seqthink.server.tools.thinking_tool import thinking_tool_definition
from seqthink.settings_file import THEMES
from tests.conftest import PROJECT
from tests.server.test_recorded_cases import CASES
from tests.support.docs import readme
from tests.support.docs.pages import Fence, Page, code_rows, drawn, page, pages
from tests.support.docs.proofs import BOUND, HERE, given_texts, lay_out, prove
from tests.support.docs.readme import codes
from tests.support.servers.deviations import table
from tests.support.servers.wire import events as events_of
from tests.support.servers.wire import start
from tui.app import Viewer
from tui.session_view.layout import compute_layout
from tui.session_view.screen import SessionScreen
from tui.settings import ViewerOptions
from tui.state.playback import SPEEDS

LOOKS = {"--theme"} | {f"--{no}{name}" for name in ("motion", "mouse", "title", "bell", "notify") for no in ("", "no-")}
SHARED_OPTIONS = {"--help", "--journal-dir", "--fleet", "--width", "--ascii", "--no-ascii", *LOOKS}
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
NO_VARIABLES = {"INVALID_TAGS_TYPE", "O_EXCL", "O_APPEND"}
FOREIGN_VARIABLES = {"DISABLE_THOUGHT_LOGGING", "NO_COLOR", "COLUMNS", "XDG_STATE_HOME"}
OURS = ("audit", "fleet", "journal", "screens", "tools", "viewer")
"""The pages that say what is promised; what the others show is held by tests of their own."""
README = Page(PROJECT / "README.md")
LEAST_CONTRAST, LEAST_LINE_CONTRAST = 4.5, 3.0

every_page = pytest.mark.parametrize("shown", pages(), ids=lambda shown: shown.name)


@pytest.fixture
def desk(tmp_path: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to run commands in."""
    return lay_out(tmp_path / "desk", seqthink_home, monkeypatch)


# All pages


@pytest.mark.parametrize("command", sorted({command for one in pages() for command in one.commands()}))
def test_a_command_does_what_it_is_there_for(command: str, desk: Path) -> None:
    prove(command, desk)


@every_page
def test_a_page_begins_with_a_title_and_says_in_a_sentence_what_it_is_for(shown: Page) -> None:
    title, blank, first, *_ = shown.text.split("\n")

    assert re.fullmatch(r"# \S.*", title)
    assert blank == ""
    assert re.match(r"[A-Z`]", first)


@every_page
def test_every_piece_of_json_decodes(shown: Page) -> None:
    blocks = [fence.text for fence in shown.fences if fence.language == "json"]

    assert all(isinstance(json.loads(block), dict) for block in blocks)


@pytest.mark.parametrize("shown", [*pages(), README], ids=lambda shown: shown.name)
def test_every_link_opens(shown: Page) -> None:
    dead = [link for link in shown.links if not link.startswith("https://") and not _opens(link, shown)]

    assert dead == []


def _opens(link: str, shown: Page) -> bool:
    name, _, anchor = link.partition("#")
    target = (shown.path.parent / name).resolve() if name else shown.path
    if not target.is_relative_to(PROJECT) or not target.exists():
        return False
    return not anchor or (target.suffix == ".md" and anchor in Page(target).anchors)


@every_page
def test_no_heading_stands_twice_on_a_page(shown: Page) -> None:
    assert len(shown.anchors) == len(shown.headings)


DRAWINGS = sorted({fence for one in pages() for fence in one.drawings})


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda drawing: drawing.info)
def test_a_drawing_is_what_the_program_draws(drawing: Fence) -> None:
    assert drawing.language == "text"
    assert drawing.text == drawn(drawing.info)


# docs/journal.md


def test_the_lines_and_the_document_of_the_journal_s_page_are_real(tmp_path: Path) -> None:
    line, document = [fence.text for fence in page("journal").fences if fence.language == "json"]
    first_lines = readme.SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)[:2]
    journal = tmp_path / "one.jsonl"
    journal.write_text("".join(first_lines).replace('"host":"desk"', '"host":"elsewhere"'), encoding="utf-8")

    assert line in readme.SAMPLE.read_text(encoding="utf-8")
    assert document == readme.run(["export", str(journal), "--format", "json"])


def test_the_types_of_the_table_are_those_there_are_with_all_their_fields() -> None:
    structs = {str(one.__struct_config__.tag): one for one in events.Entry.__subclasses__()}
    everywhere = {"v", "seq", "time"}

    table = list(code_rows(page("journal").rows("Type")))
    rows = {kind[0]: set(fields) for kind, _, fields in table}
    of_transcripts = {kind[0] for kind, written, _ in table if "seqthink import" in written}

    assert rows.keys() == structs.keys() == events.EVENT_TYPES
    assert _written_types() == events.EVENT_TYPES - of_transcripts
    assert rows == {kind: set(one.__struct_fields__) - everywhere for kind, one in structs.items()}


def _written_types() -> set[str]:
    package = PROJECT / "seqthink"
    folders = ("server", "dialogue", "audit")
    sources = [path for folder in folders for path in package.glob(f"{folder}/**/*.py")]
    sources.append(package / "journal" / "writer.py")
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    return set(re.findall(r'\b(?:DraftEvent|PendingLine|_?write|_journal|_append_event)\(\s*"(\w+)"', text))


def test_the_states_of_a_chain_are_those_of_the_fold() -> None:
    named = [state[0] for state, *_ in code_rows(page("journal").rows("State"))]

    assert sorted(named) == sorted(State)


def test_the_folders_of_the_journals_are_the_platforms() -> None:
    linux = platformdirs.unix.Unix("seqthink", appauthor=False).user_state_path / "sessions"
    mac = platformdirs.macos.MacOS("seqthink", appauthor=False).user_state_path / "sessions"
    shown = [str(folder).replace(str(Path.home()), "~") for folder in (linux, mac)]

    assert [f"`{folder}/`" in page("journal").text for folder in shown] == [True, True]
    assert seqthink_home({"SEQTHINK_HOME": "/named"}) == Path("/named")


def test_the_decisive_errors_are_spelled_as_they_are_written() -> None:
    assert [f"`{error}`" in page("journal").text for error in (events.CLIENT_LEFT, events.CALL_CANCELLED)] == [
        True,
        True,
    ]


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
    }
    pattern = re.compile("|".join(map(re.escape, sorted(stand_ins, key=len, reverse=True))))

    rows = [(shown, ascii_shown) for [shown], [ascii_shown], _ in code_rows(page("screens").rows("Sign"))]

    assert [(shown, pattern.sub(lambda found: stand_ins[found[0]], shown)) for shown, _ in rows] == rows
    assert all(shown != ascii_shown for shown, ascii_shown in rows)
    assert [text for name, text in plain.items() if name != "box" and not any(text in shown for shown, _ in rows)] == []


def test_every_state_of_a_session_is_in_the_table() -> None:
    words = {status_of(state, UNICODE, is_quiet=quiet).word for state in State for quiet in (False, True)}
    asking: tuple[QuestionKind, ...] = get_args(QuestionKind)
    words |= {status_of(State.THINKING, UNICODE, asking=kind).word for kind in asking}
    words.add(status_of(State.THINKING, UNICODE, is_auditing=True).word)
    words.add(session_status(Fold().session(WriterState.ALIVE), None).word)
    words |= {standing_status(Standing(attention)).word for attention in Attention}

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

    assert sorted(written.get(key, key if len(key) == 1 else key.lower()) for key in named) == sorted(bound)


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
        "40 columns or 12 rows",
    ]
    assert [_marks(cells) for cells in (43, 44)] == [1, 2]
    assert [_is_one_line(*size) for size in ((39, 12), (40, 11), (40, 12))] == [True, True, False]


def _marks(cells: int) -> int:
    return row_layout(cells, screen_width=cells, tracks=0, digits=2).marks


def _is_one_line(width: int, height: int) -> bool:
    return compute_layout(width, height, tree_rows=5, is_reading=False).is_single_line


# docs/viewer.md


@functools.cache
def _options(command: str) -> frozenset[str]:
    """Return the options that a command's help names."""
    done = subprocess.run(
        [sys.executable, "-m", "seqthink", command, "--help"], capture_output=True, check=True, encoding="utf-8"
    )
    before_example = done.stdout.partition("\noptions:")[2].partition("\n\n")[0]
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"\(default.*?\)", "", before_example)))


def test_the_table_of_commands_is_the_program_s() -> None:
    rows = {command[0]: set(options) for command, _, options in code_rows(page("viewer").rows("Command"))}

    assert rows.keys() == COMMANDS.keys()
    assert {name: rows[name] for name in rows if name != "serve"} == {
        name: _own_options(name) for name in COMMANDS if name != "serve"
    }


def _own_options(command: str) -> set[str]:
    """Return a command's options but those that many share; a `--title` that cannot be switched off names a session."""
    options = _options(command)
    return {one for one in options if one not in SHARED_OPTIONS or (one == "--title" and "--no-title" not in options)}


def test_the_table_of_formats_is_that_of_the_export() -> None:
    endings = {form[0]: suffixes for form, suffixes, _ in code_rows(page("viewer").rows("Format"))}

    assert endings == {form: [suffix for suffix, its in SUFFIXES.items() if its == form] for form in FORMATS}


def test_every_command_takes_the_options_that_all_take() -> None:
    drawing = {"watch", "replay", "show", "demo"}
    viewing = {"watch", "replay", "demo"}

    assert {name for name in COMMANDS if "--journal-dir" in _options(name)} == set(COMMANDS) - {
        "completion",
        "settings",
    }
    assert {name for name in COMMANDS if {"--width", "--ascii"} <= _options(name)} == {*drawing, "doctor", "stats"}
    listing = {"sessions", "status", "find", "stats", "doctor"}
    assert {name for name in COMMANDS if "--ascii" in _options(name)} == drawing | listing
    assert {name for name in COMMANDS if "--no-motion" in _options(name)} == viewing
    assert all(_options(name) >= LOOKS for name in viewing)


@pytest.mark.parametrize("shown", [*map(page, OURS), README], ids=lambda shown: shown.name)
def test_every_option_in_the_text_is_one_of_ours_or_said_to_be_another_program_s(shown: Page) -> None:
    ours = {option for name in COMMANDS for option in _options(name)}
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


# docs/tools.md


def test_the_pieces_of_json_of_the_tools_page_are_a_call_a_configuration_and_answers() -> None:
    call, *others = [fence.text for fence in page("tools").fences if fence.language == "json"]
    [entry] = [json.loads(block) for block in others if "mcpServers" in block]
    answers = [block.strip() for block in others if "mcpServers" not in block]
    arguments = json.loads(call)["params"]["arguments"]

    assert isinstance(accept(arguments, 1 << 20), AcceptedThought)
    assert f'"thought":{json.dumps(arguments["thought"])}' in readme.SAMPLE.read_text(encoding="utf-8")
    assert entry == json.loads(CLIENTS["cursor"].snippet(HERE))
    assert len(answers) == 4
    assert [answer for answer in answers if answer not in given_texts()] == []


def test_every_example_call_of_the_tools_page_is_answered_by_the_server(tmp_path: Path) -> None:
    plain, careless, context = (
        [json.loads(line) for line in fence.text.splitlines()]
        for fence in page("tools").fences
        if fence.language == "jsonl"
    )
    with start("--tools", "context", environ={"SEQTHINK_JOURNAL_DIR": str(tmp_path)}) as wire:
        listed = wire.ask("tools/list")["result"]["tools"]
        results = [wire.ask("tools/call", call)["result"] for call in (*plain, *careless, *context)]

    [journal] = tmp_path.glob("*.jsonl")
    thoughts = [event for event in events_of(journal) if event["type"] == "thought"]
    assert [result["content"] for result in results if "isError" in result] == []
    assert {call["name"] for call in (*plain, *careless, *context)} == {tool["name"] for tool in listed}
    assert {name for call in plain for name in call["arguments"]} == set(listed[0]["inputSchema"]["properties"])
    assert [bool(event.get("coerced")) for event in thoughts] == [False] * len(plain) + [True] * len(careless)
    assert results[-1]["structuredContent"]["total"] == 1


def test_the_versions_of_the_text_are_those_that_a_handshake_settles_on() -> None:
    [listed] = re.findall(
        r"in a \*\*handshake version\*\*:((?: ?\S+,)* \S+ or \S+);", " ".join(page("tools").text.split())
    )
    versions = re.findall(r"[\d-]+", listed)

    with start() as wire:
        settled = [wire.handshake(version)["protocolVersion"] for version in [*versions, "1999-01-01"]]

    assert len(versions) > 3
    assert settled == [*versions, max(versions)]


def test_the_table_of_the_server_s_options_is_the_server_s() -> None:
    rows = page("tools").rows("Option")
    named = {option[0]: variable[0] for option, variable, *_ in code_rows(rows)}

    assert named == {
        option: "SEQTHINK_" + option[2:].replace("-", "_").upper() for option in _options("serve") - {"--help"}
    }


def test_the_table_of_prompts_is_what_the_server_lists() -> None:
    rows = page("tools").rows("Prompt")
    listed = [
        (
            prompt.name,
            prompt.title,
            [[each.name for each in prompt.arguments if each.is_required is needed] for needed in (True, False)],
        )
        for prompt in PROMPTS.values()
    ]

    assert [
        (codes(name)[0], title, [codes(part) for part in (*takes.split(";"), "")[:2]]) for name, title, takes in rows
    ] == listed


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        ("SEQTHINK_FSYNC", "x", "never or always"),
        ("SEQTHINK_JOURNAL_REQUIRED", "x", "yes or no"),
        ("SEQTHINK_NO_FRONT", "x", "yes or no"),
        ("SEQTHINK_SCHEMA", "x", "lenient or plain"),
        ("SEQTHINK_TOOLS", "x", "must be context"),
        ("SEQTHINK_MAX_THOUGHT_BYTES", "x", "whole number"),
        ("SEQTHINK_MAX_THOUGHTS", "x", "whole number"),
        ("SEQTHINK_RESUME", "x", "no session 'x'"),
        ("SEQTHINK_WORKSPACE", "/no/such", "must be an existing folder"),
        ("SEQTHINK_AUDIT_TIMEOUT", "0", "number of seconds above 0"),
    ],
)
def test_a_variable_of_the_table_is_read(variable: str, value: str, complaint: str) -> None:
    done = _serve_nobody({variable: value})

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert complaint in done.stderr
    assert f"`{variable}`" in page("tools").text


def test_no_variable_of_the_pages_is_without_a_test() -> None:
    tested = {"SEQTHINK_FSYNC", "SEQTHINK_JOURNAL_REQUIRED", "SEQTHINK_SCHEMA", "SEQTHINK_MAX_THOUGHT_BYTES"}
    tested |= {"SEQTHINK_NO_FRONT", "SEQTHINK_MAX_THOUGHTS", "SEQTHINK_NO_NOTES"} | {
        "SEQTHINK_RESUME",
        "SEQTHINK_JOURNAL_DIR",
        "SEQTHINK_TITLE",
        "SEQTHINK_HOME",
        "SEQTHINK_SOURCES",  # tests/cli/test_import.py
        "SEQTHINK_THEME",
        "SEQTHINK_TOOLS",
        "SEQTHINK_WORKSPACE",
        "SEQTHINK_AUDIT_TIMEOUT",
        "ENABLE_GAN_AUDITING",  # tests/audit/test_audit_served.py
        "SEQTHINK_DEBUG",  # tests/doctor/test_audit_switch.py
        "SEQTHINK_SHIP",  # tests/shipping
        *("SEQTHINK_FLEET", "SEQTHINK_FLEET_USER", "SEQTHINK_FLEET_PASSWORD", "SEQTHINK_FLEET_PASSWORD_FILE"),
        *("SEQTHINK_FLEET_CA", "SEQTHINK_NOTE_KEY_FILE"),  # tests/fleet
    }
    prose = "".join(one.prose for one in (*map(page, OURS), README))
    named = set(re.findall(r"\b[A-Z]+_[A-Z_]+\b", prose)) - NO_VARIABLES

    assert named - FOREIGN_VARIABLES == tested


def test_folder_and_title_of_the_environment_are_taken(tmp_path: Path) -> None:
    with start(environ={"SEQTHINK_JOURNAL_DIR": str(tmp_path / "mine"), "SEQTHINK_TITLE": "titled"}) as wire:
        wire.handshake()
        wire.call({"thought": "t", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1})

    [journal] = (tmp_path / "mine").iterdir()
    assert '"title":"titled"' in journal.read_text(encoding="utf-8")


@pytest.mark.parametrize("variable", ["SEQTHINK_HOME", "SEQTHINK_JOURNAL_DIR"])
def test_a_home_that_nobody_has_is_one_line_of_the_server(variable: str) -> None:
    done = _serve_nobody({variable: "~nobody-of-that-name/journals"})

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def _serve_nobody(environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "seqthink", "serve"],
        env={**os.environ, **environ}, stdin=subprocess.DEVNULL, capture_output=True, timeout=BOUND,
        encoding="utf-8", check=False,
    )  # fmt: skip


def test_the_keys_that_tell_agents_apart_are_those_that_are_read() -> None:
    named = {key for keys, _ in code_rows(page("tools").rows("In `_meta`")) for key in keys}

    assert named == {
        agents.THREAD_KEY,
        agents.SESSION_KEY,
        agents.TURN_METADATA_KEY,
        agents.CALL_ID_KEY,
        agents.TOOL_USE_ID_KEY,
    }


@pytest.mark.parametrize(("told", "meant"), page("tools").rows("Tags"))
def test_tags_of_the_table_mean_what_it_says(told: str, meant: str) -> None:
    values = [parse_tags(json.loads(code)) for code in codes(told)]

    if meant.startswith("refused"):
        assert all(isinstance(value, InvalidTags) for value in values)
    else:
        assert [value or () for value in values] == [tuple(codes(meant))]


def test_the_table_of_context_tools_is_what_they_take_and_answer() -> None:
    tools = {tool["name"]: tool for tool in context_tool_definitions("lenient")}

    rows = {name[0]: cells for name, *cells in code_rows(page("tools").rows("Tool"))}

    assert rows.keys() == tools.keys()
    for name, (takes, answers) in rows.items():
        assert set(tools[name]["inputSchema"]["properties"]) == set(takes) - {"[]"}
        assert set(tools[name]["outputSchema"]["properties"]) <= set(answers)


def test_the_table_of_arguments_is_the_tool_s_schema() -> None:
    schema = thinking_tool_definition("plain")["inputSchema"]
    words = {"string": "text", "integer": "whole number from 1", "boolean": "true or false"}
    expected = [
        (name, words[field["type"]] + (", required" if name in schema["required"] else ""))
        for name, field in schema["properties"].items()
    ]

    assert [(codes(name)[0], takes) for name, takes, _ in page("tools").rows("Argument")] == expected


@pytest.mark.parametrize("row", page("tools").rows("Kind"), ids=lambda row: row[0])
def test_a_value_is_taken_repaired_or_refused_as_the_table_says(row: list[str]) -> None:
    field = {"number": "thoughtNumber", "boolean": "nextThoughtNeeded", "thought": "thought"}.get(row[0], row[0])
    good = {"thought": "t", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 1}
    fates = ["taken", "repaired", "refused"]

    told = [(value, fate) for cell, fate in zip(row[1:], fates, strict=True) for value in codes(cell)]

    assert len(told) > 3
    assert [(value, _fate(accept({**good, field: json.loads(value)}, 1 << 20))) for value, _ in told] == told


def _fate(decided: object) -> str:
    if isinstance(decided, AcceptedThought):
        return "repaired" if decided.coerced else "taken"
    return "refused"


def test_the_fields_of_an_answer_are_those_of_the_schema() -> None:
    schema = thinking_tool_definition("lenient", has_audits=True)["outputSchema"]

    fields = [name for names, *_ in code_rows(page("tools").rows("Field")) for name in names]

    assert sorted(fields) == sorted(schema["properties"])
    assert fields[: len(schema["required"])] == schema["required"]


def test_the_deviations_are_the_table_that_the_recorded_cases_are_held_against() -> None:
    assert table() in page("tools").text
    assert f"{len(CASES)} recorded answers" in page("tools").text


# docs/audit.md


def test_the_pieces_of_json_of_the_audit_s_page_are_a_call_its_answer_and_a_configuration(tmp_path: Path) -> None:
    call, answer, block = [fence.text for fence in page("audit").fences if fence.language == "json"]
    configured = parse_config(f"```gan-config\n{block}```")

    with start("--workspace", str(tmp_path), environ={"ENABLE_GAN_AUDITING": "true"}) as wire:
        wire.handshake()
        result = wire.call(json.loads(call))

    assert result["content"][0]["text"] == answer.strip()
    assert (configured.given_settings, configured.problems) == (json.loads(block).keys(), ())


def test_the_settings_of_the_table_are_those_of_an_audit() -> None:
    rows = {names[0]: default for names, default, *_ in code_rows(page("audit").rows("Setting"))}
    defaults = {name: [json.dumps(value)] for name, value in SessionConfig().fields().items()}

    assert rows == defaults | {"paths": []}


@pytest.mark.parametrize("setting", ["threshold", "maxCycles", "candidates"])
def test_a_number_of_the_settings_may_be_as_large_as_the_table_says(setting: str) -> None:
    least, most = _range(setting)

    assert [_is_taken(setting, value) for value in (least - 1, least, most, most + 1)] == [False, True, True, False]


@pytest.mark.parametrize("setting", ["judges", "paths"])
def test_a_list_of_the_settings_may_be_as_long_as_the_table_says(setting: str) -> None:
    least, most = _range(setting)

    names = [f"name-{place}" for place in range(most + 1)]
    assert [_is_taken(setting, names[:size]) for size in (least - 1, least, most, most + 1)] == [
        False,
        True,
        True,
        False,
    ]


def _range(setting: str) -> tuple[int, int]:
    """Return between which numbers the table says that a setting is."""
    [takes] = [takes for name, _, takes, _ in page("audit").rows("Setting") if name == f"`{setting}`"]
    least, most = re.findall(r"\d+", takes)
    return int(least), int(most)


def _is_taken(setting: str, value: object) -> bool:
    return setting in parse_config(f"```gan-config\n{json.dumps({setting: value})}\n```").given_settings


def test_scopes_and_verdicts_are_those_there_are() -> None:
    scopes = [scope[0] for scope, _ in code_rows(page("audit").rows("`scope`"))]
    verdicts = [verdict[0] for verdict, *_ in code_rows(page("audit").rows("Verdict"))]

    assert tuple(scopes) == get_args(AuditScope)
    assert sorted(verdicts) == sorted(get_args(Verdict))


def test_the_fields_of_a_review_are_those_of_the_table() -> None:
    review: AuditReview = combine_cards([card_from_findings("internal", [], read_units=[])], threshold=85)

    named = [name for names, _ in code_rows(page("audit").rows("In `gan`")) for name in names]

    assert sorted(named) == sorted(review.fields())


def test_the_sample_that_the_pages_show_has_nothing_but_known_lines() -> None:
    lines = readme.SAMPLE.read_bytes().splitlines()

    assert all(isinstance(decode(line), events.Entry) for line in lines)
