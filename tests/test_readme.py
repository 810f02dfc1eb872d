"""What the README shows is so: commands run, configurations parse; drawing, tables and answers are the code's."""

import functools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from argparse import Namespace
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import platformdirs.macos
import platformdirs.unix
import pytest

from seqthink import events
from seqthink.__main__ import COMMANDS
from seqthink.audit.config import parse_config
from seqthink.chain.questions import QuestionKind
from seqthink.chain.state import State
from seqthink.cli.common import THEMES, ViewerOptions, viewer_options
from seqthink.cli.export import FORMATS, SUFFIXES
from seqthink.clients.launch import Launch
from seqthink.clients.registry import CLIENTS
from seqthink.drawing.glyphs import ASCII, UNICODE
from seqthink.drawing.status_line import status_of
from seqthink.errors import UsageError
from seqthink.journal.folder import seqthink_home
from seqthink.server.arguments import AcceptedThought, accept
from seqthink.server.context_tools import context_tool_definitions
from seqthink.server.tags import InvalidTags, parse_tags
from seqthink.server.tools import thinking_tool_definition
from tests import readme
from tests.conftest import PROJECT
from tests.deviations import table
from tests.test_cases import CASES
from tests.test_project import pyproject
from tests.wire import start
from tui.app import Viewer

BOUND = 30.0
HERE = Launch("seqthink")
"""A program that is found on the PATH."""
SESSION = "20260310T140200.000000Z-k3v9qa"
LOOKS = {"--theme", "--no-motion", "--no-mouse"}
SHARED_OPTIONS = {"--help", "--journal-dir", "--width", "--ascii", *LOOKS}
FOREIGN_VARIABLES = {"DISABLE_THOUGHT_LOGGING", "NO_COLOR", "COLUMNS", "XDG_STATE_HOME"}


@pytest.fixture
def desk(tmp_path: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to run commands in: with a saved session, the checkout's journals, and `seqthink` on the path."""
    sessions = seqthink_home / "sessions"
    sessions.mkdir()
    shutil.copyfile(readme.SAMPLE, sessions / f"{SESSION}.jsonl")
    desk = tmp_path / "desk"
    desk.mkdir()
    shutil.copyfile(readme.SAMPLE, desk / "session.jsonl")
    (desk / "tests").symlink_to(PROJECT / "tests")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(desk)
    return desk


# Commands


@pytest.mark.parametrize("command", readme.shell_commands())
def test_a_command_does_what_it_is_there_for(command: str, desk: Path) -> None:
    words = shlex.split(command)
    proof = PROOFS.get(words[0])

    assert proof is not None, "no test knows this program; add a proof, or leave the command out"
    proof(command, words)
    assert {path.name for path in desk.iterdir()} <= {"session.jsonl", "session.html", "tests"}


def _prove_target(_command: str, words: list[str]) -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(rf"^{words[1]}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)

    assert recipe is not None
    assert all(_is_program(PROJECT / module.replace(".", "/")) for module in re.findall(r"-m (tests\.\w+)", recipe[1]))
    assert all(f"{word.partition('=')[0]} ?=" in makefile for word in words[2:])


def _is_program(path: Path) -> bool:
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()


def _prove_install(_command: str, words: list[str]) -> None:
    """The wheel is proved below; here it is enough that the checkout is what gets installed, and what is run then."""
    if words[0] == "uvx":
        assert words[1:3] == ["--from", "."]
        _run_seqthink(words[3:])
    else:
        assert words in (["pipx", "install", "."], ["uv", "tool", "install", "."])


def _prove_connection(command: str, words: list[str]) -> None:
    assert command == CLIENTS["claude-code"].add_command(HERE)
    _prove_server(words[words.index("--") + 1 :])


def _prove_server(server: list[str]) -> None:
    assert Path(server[0]).name == "seqthink"
    assert server[1] == "serve"
    assert _listed_tools(*server[2:]) == ["sequentialthinking"]


@functools.cache
def _listed_tools(*options: str) -> list[str]:
    with start(*options) as wire:
        wire.shake_hands()
        return [tool["name"] for tool in wire.ask("tools/list")["result"]["tools"]]


def _prove_split(command: str, words: list[str]) -> None:
    assert words[1:5] == ["split-window", "-h", "-l", "44"]
    if shutil.which("tmux") is None:
        _prove_watch(" ".join(words[5:]), words[5:])
        return
    tmux = ["tmux", "-S", str(Path("../tmux").resolve()), "-f", os.devnull]
    subprocess.run([*tmux, "new-session", "-d", "-x", "120", "-y", "30", "sleep 60"], check=True, timeout=BOUND)
    try:
        subprocess.run([*tmux, *words[1:]], check=True, timeout=BOUND)
        _wait_for(lambda: b"No thoughts yet" in subprocess.check_output([*tmux, "capture-pane", "-p"]), command)
    finally:
        subprocess.run([*tmux, "kill-server"], check=True, timeout=BOUND)


def _prove_pipe(command: str, words: list[str]) -> None:
    """What the other machine would do is done here."""
    assert words[1] == "host"
    with _running(command.removeprefix("ssh host ")) as read:
        _wait_for(lambda: b"Symptoms" in read(), command)


def _prove_seqthink(command: str, words: list[str]) -> None:
    if words[1] == "watch":
        _prove_watch(command, words)
    elif words[1] == "config":
        _prove_config(words)
    else:
        _run_seqthink(words)


def _prove_config(words: list[str]) -> None:
    done = subprocess.run(words, capture_output=True, check=True, timeout=BOUND)
    entry = json.loads(done.stdout)["mcpServers"]["seqthink"]

    _prove_server([entry["command"], *entry["args"]])


def _prove_watch(command: str, words: list[str]) -> None:
    """A viewer that was there first shows the session that comes."""
    with _running(shlex.join(words)) as read:
        _run_seqthink(["seqthink", "demo"])
        _wait_for(lambda: b"seqthink-demo" in read() and read().count(b"\n") > 5, command)


def _run_seqthink(words: list[str]) -> None:
    fast = ["--fast"] if words[1] == "demo" and "--fast" not in words else []
    done = subprocess.run([*words, *fast], capture_output=True, check=True, timeout=BOUND)
    shown = Path(words[-1]).read_bytes() if "-o" in words else done.stdout

    assert shown.count(b"\n") > (1 if words[1] == "prune" else 5)
    assert done.stderr == b""


def _run(command: str, words: list[str]) -> None:
    if shutil.which(words[0]) is None and words[0] == "jq":
        pytest.skip("jq is not here")
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, timeout=BOUND)

    assert done.stdout
    assert done.stderr == b""


def _prove_script(_command: str, words: list[str]) -> None:
    assert os.access(PROJECT / words[0], os.X_OK)


PROOFS: dict[str, Callable[[str, list[str]], None]] = {
    "make": _prove_target,
    ".ci/run": _prove_script,
    "pipx": _prove_install,
    "uv": _prove_install,
    "uvx": _prove_install,
    "claude": _prove_connection,
    "tmux": _prove_split,
    "ssh": _prove_pipe,
    "seqthink": _prove_seqthink,
    "head": _run,
    "jq": _run,
}


@contextmanager
def _running(command: str) -> Generator[Callable[[], bytes]]:
    """Run ``command`` in a group of its own until the block is left; the function given returns its output so far."""
    out = Path("../out")
    with out.open("wb") as file:
        process = subprocess.Popen(["sh", "-c", command], stdout=file, stderr=file, start_new_session=True)
    try:
        yield out.read_bytes
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(BOUND)


def _wait_for(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + BOUND
    while not is_so():
        assert time.monotonic() < end, f"nothing came of: {what}"
        time.sleep(0.05)  # noqa: TID251 - looks again at what another process does


def test_every_fence_is_of_a_kind_that_is_tested() -> None:
    kinds = {block.language for block in readme.all_blocks()}

    assert kinds == {"sh", "json", "text"}
    assert all(block.language in {"json", "text"} or len(block.text.split()) > 1 for block in readme.all_blocks())


# Configurations, answers, a line of a journal


@pytest.mark.parametrize("block", [block.text for block in readme.blocks("json")])
def test_a_piece_of_json_is_a_configuration_an_answer_or_a_line(block: str) -> None:
    value = json.loads(block)

    if "mcpServers" in value:
        assert value == json.loads(CLIENTS["cursor"].snippet(HERE))
    elif "threshold" in value:
        configured = parse_config(f"```gan-config\n{block}```")
        assert (configured.given_settings, configured.problems) == (value.keys(), ())
    elif "v" in value:
        assert block in readme.SAMPLE.read_text(encoding="utf-8")
    else:
        assert block.strip() in _given_texts()


@functools.cache
def _given_texts() -> list[str]:
    """Return what a server answers to the sample's first nine thoughts, to a bad number and to bad tags."""
    lines = map(json.loads, readme.SAMPLE.read_text(encoding="utf-8").splitlines())
    fields = thinking_tool_definition("lenient")["inputSchema"]["properties"].keys()
    calls = [{name: line[name] for name in fields & line.keys()} for line in lines if line["type"] == "thought"][:9]
    with start("--tools", "context") as wire:
        wire.shake_hands()
        results = [wire.call(arguments) for arguments in [*calls, {**calls[0], "thoughtNumber": "abc"}]]
        results.append(wire.call({"content": "c", "tags": ["pool", 5]}, name="store_context"))
    assert [result.get("isError", False) for result in results] == [False] * 9 + [True] * 2
    return [result["content"][0]["text"] for result in results]


def test_the_clients_of_the_text_are_those_there_are() -> None:
    [line] = [line for line in readme.prose().splitlines() if line.startswith("The clients: ")]

    assert readme.codes(line) == list(CLIENTS)


# Drawing, signs, states, keys, pictures


def test_the_drawing_is_what_its_command_prints() -> None:
    assert readme.drawing() == readme.run(readme.drawing_command())


def test_every_sign_is_drawn_and_has_the_ascii_that_the_table_gives() -> None:
    signs = msgspec.structs.asdict(UNICODE) | {"arrows": UNICODE.box}
    stand_ins = {
        sign: ascii_sign
        for name, text in signs.items()
        if isinstance(text, str)
        for sign, ascii_sign in (
            zip(text, ASCII.box, strict=True) if text == UNICODE.box else [(text, getattr(ASCII, name))]
        )
    }
    spelled = sorted(stand_ins, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, spelled)))

    for sign, ascii_sign, _ in readme.rows("Sign"):
        [shown], [ascii_shown] = readme.codes(sign), readme.codes(ascii_sign)
        assert pattern.sub(lambda found: stand_ins[found[0]], shown) == ascii_shown
        assert shown != ascii_shown


def test_every_state_of_a_session_is_in_the_table() -> None:
    words = {status_of(state, UNICODE, is_quiet=quiet).word for state in State for quiet in (False, True)}
    asking: tuple[QuestionKind, ...] = ("elicit", "sample")
    words |= {status_of(State.THINKING, UNICODE, asking=kind).word for kind in asking}
    words.add(status_of(State.THINKING, UNICODE, is_auditing=True).word)

    named = {readme.codes(state)[0] for state, _ in readme.rows("State")}

    assert named == words - {"left"}  # only an earlier chain is ever left


def test_the_keys_of_the_table_are_the_keys_that_are_bound() -> None:
    written = {"↓": "down", "↑": "up", "←": "left", "→": "right", "PgUp": "pageup", "PgDn": "pagedown",
               "Esc": "escape", "/": "slash", "&": "ampersand", ":": "colon", "?": "question_mark",
               ",": "comma", ".": "full_stop", "[": "left_square_bracket", "]": "right_square_bracket",
               "(": "left_parenthesis", ")": "right_parenthesis", "<": "less_than_sign", ">": "greater_than_sign",
               "-": "minus", "+": "plus"}  # fmt: skip
    bound = {key for one in Viewer.__mro__ for binding in vars(one).get("BINDINGS", ()) for key in _keys(binding)}

    named = [key for keys, _ in readme.rows("Key") for key in readme.codes(keys)]

    assert sorted(written.get(key, key if len(key) == 1 else key.lower()) for key in named) == sorted(bound)


def _keys(binding: Any) -> list[str]:  # noqa: ANN401 - Textual takes tuples too
    return binding.key.split(",")


def test_every_picture_and_page_that_is_linked_is_there() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", readme.prose())
    headings = re.findall(r"^#+ (.+)$", readme.prose(), re.MULTILINE)
    anchors = {f"#{heading.lower().replace(' ', '-')}" for heading in headings}

    missing = [target for target in targets if target not in anchors and not (PROJECT / target).is_file()]

    assert missing == []
    assert sum(target.endswith(".svg") for target in targets) == 6


# Commands and options


@functools.cache
def _options(command: str) -> frozenset[str]:
    """Return the options that a command's help names."""
    done = subprocess.run(
        [sys.executable, "-m", "seqthink", command, "--help"], capture_output=True, check=True, encoding="utf-8"
    )
    before_example = done.stdout.partition("\noptions:")[2].partition("\n\n")[0]
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"\(default.*?\)", "", before_example)))


def test_the_table_of_commands_is_the_program_s() -> None:
    rows = {readme.codes(command)[0]: readme.codes(options) for command, _, options in readme.rows("Command")}

    assert rows.keys() == COMMANDS.keys()
    assert {name: set(rows[name]) for name in rows if name != "serve"} == {
        name: set(_options(name)) - SHARED_OPTIONS for name in COMMANDS if name != "serve"
    }


def test_the_table_of_formats_is_that_of_the_export() -> None:
    endings = {readme.codes(form)[0]: readme.codes(suffixes) for form, suffixes, _ in readme.rows("Format")}

    assert endings == {form: [suffix for suffix, its in SUFFIXES.items() if its == form] for form in FORMATS}


def test_every_command_takes_the_options_that_all_take() -> None:
    drawing = {"watch", "replay", "show", "demo"}
    viewing = {"watch", "replay", "demo"}

    assert {name for name in COMMANDS if "--journal-dir" in _options(name)} == set(COMMANDS) - {"completion"}
    assert {name for name in COMMANDS if {"--width", "--ascii"} <= _options(name)} == drawing
    assert {name for name in COMMANDS if "--ascii" in _options(name)} == {*drawing, "sessions"}
    assert {name for name in COMMANDS if "--no-motion" in _options(name)} == viewing
    assert all(_options(name) >= LOOKS for name in viewing)


def test_every_option_in_the_text_is_one_of_ours_or_said_to_be_a_client_s() -> None:
    ours = {option for name in COMMANDS for option in _options(name)}
    named = {option for code in readme.codes(readme.prose()) for option in re.findall(r"(?<![\w-])--[a-zA-Z-]+", code)}

    assert named - ours == {"--allowedTools", "--allowed-tools"}


def test_the_table_of_the_server_s_options_is_the_server_s() -> None:
    rows = readme.rows("Option")
    named = {readme.codes(option)[0]: readme.codes(variable)[0] for option, variable, *_ in rows}

    assert named == {
        option: "SEQTHINK_" + option[2:].replace("-", "_").upper() for option in _options("serve") - {"--help"}
    }


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
        ("SEQTHINK_WORKSPACE", "/no/such", "must be a folder that is there"),
        ("SEQTHINK_AUDIT_TIMEOUT", "0", "number of seconds above 0"),
    ],
)
def test_a_variable_of_the_table_is_read(variable: str, value: str, complaint: str) -> None:
    done = _serve_nobody({variable: value})

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert complaint in done.stderr
    assert f"`{variable}`" in readme.text()


def test_no_variable_of_the_table_is_without_a_test() -> None:
    tested = {"SEQTHINK_FSYNC", "SEQTHINK_JOURNAL_REQUIRED", "SEQTHINK_SCHEMA", "SEQTHINK_MAX_THOUGHT_BYTES"}
    tested |= {"SEQTHINK_NO_FRONT", "SEQTHINK_MAX_THOUGHTS", "SEQTHINK_NO_NOTES"} | {
        "SEQTHINK_RESUME",
        "SEQTHINK_JOURNAL_DIR",
        "SEQTHINK_TITLE",
        "SEQTHINK_HOME",
        "SEQTHINK_THEME",
        "SEQTHINK_TOOLS",
        "SEQTHINK_WORKSPACE",
        "SEQTHINK_AUDIT_TIMEOUT",
        "ENABLE_GAN_AUDITING",  # tests/test_audit_served.py
    }
    named = set(re.findall(r"\b[A-Z]+_[A-Z_]+\b", readme.prose())) - {"LICENSE", "INVALID_TAGS_TYPE"}

    assert named - FOREIGN_VARIABLES == tested


def test_the_themes_of_the_text_are_those_there_are_and_the_environment_may_name_one() -> None:
    [line] = [line for line in readme.prose().splitlines() if line.startswith("- `--theme`")]

    assert set(THEMES) <= set(readme.codes(line))
    with pytest.raises(UsageError, match="no theme 'x'"):
        _looks({"SEQTHINK_THEME": "x"})
    assert _looks({"SEQTHINK_THEME": "light"})["theme"] == "light"
    assert _looks({"SEQTHINK_THEME": "light", "NO_COLOR": "1"})["theme"] == "mono"


def _looks(environ: dict[str, str]) -> ViewerOptions:
    return viewer_options(Namespace(theme=None, no_motion=False, no_mouse=False, ascii=True, journal_dir=None), environ)


def test_folder_and_title_of_the_environment_are_taken(tmp_path: Path) -> None:
    with start(environ={"SEQTHINK_JOURNAL_DIR": str(tmp_path / "mine"), "SEQTHINK_TITLE": "titled"}) as wire:
        wire.shake_hands()
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


# The journal and the tool


@pytest.mark.parametrize(("told", "meant"), readme.rows("Tags"))
def test_tags_of_the_table_mean_what_it_says(told: str, meant: str) -> None:
    values = [parse_tags(json.loads(code)) for code in readme.codes(told)]

    if meant.startswith("refused"):
        assert all(isinstance(value, InvalidTags) for value in values)
    else:
        assert [value or () for value in values] == [tuple(readme.codes(meant))]


def test_the_table_of_context_tools_is_what_they_take_and_answer() -> None:
    tools = {tool["name"]: tool for tool in context_tool_definitions("lenient")}

    rows = {readme.codes(name)[0]: cells for name, *cells in readme.rows("Tool")}

    assert rows.keys() == tools.keys()
    for name, (takes, answers) in rows.items():
        assert set(tools[name]["inputSchema"]["properties"]) == set(readme.codes(takes)) - {"[]"}
        assert set(tools[name]["outputSchema"]["properties"]) <= set(readme.codes(answers))


def test_the_folders_of_the_journals_are_the_platforms() -> None:
    linux = platformdirs.unix.Unix("seqthink", appauthor=False).user_state_path / "sessions"
    mac = platformdirs.macos.MacOS("seqthink", appauthor=False).user_state_path / "sessions"
    shown = [str(folder).replace(str(Path.home()), "~") for folder in (linux, mac)]

    assert [f"`{folder}/`" in readme.text() for folder in shown] == [True, True]
    assert seqthink_home({"SEQTHINK_HOME": "/named"}) == Path("/named")


def test_the_types_of_the_table_are_those_that_are_written_and_have_the_fields_named() -> None:
    package = PROJECT / "seqthink"
    folders = ("server", "dialogue", "audit")
    sources = [path for folder in folders for path in package.glob(f"{folder}/*.py")]
    sources.append(package / "journal" / "writer.py")
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    written = set(re.findall(r'\b(?:DraftEvent|PendingLine|_?write|_journal)\(\s*"(\w+)"', text))
    structs = {str(one.__struct_config__.tag): one for one in events.Entry.__subclasses__()}

    rows = {readme.codes(kind)[0]: readme.codes(fields) for kind, _, fields in readme.rows("Type")}

    assert rows.keys() == written
    assert [(kind, name) for kind in rows for name in rows[kind] if name not in structs[kind].__struct_fields__] == []


def test_the_table_of_arguments_is_the_tool_s_schema() -> None:
    schema = thinking_tool_definition("plain")["inputSchema"]
    words = {"string": "text", "integer": "whole number from 1", "boolean": "true or false"}
    expected = [
        (name, words[field["type"]] + (", required" if name in schema["required"] else ""))
        for name, field in schema["properties"].items()
    ]

    assert [(readme.codes(name)[0], takes) for name, takes, _ in readme.rows("Argument")] == expected


@pytest.mark.parametrize("row", readme.rows("Kind"), ids=lambda row: row[0])
def test_a_value_is_taken_repaired_or_refused_as_the_table_says(row: list[str]) -> None:
    field = {"number": "thoughtNumber", "boolean": "nextThoughtNeeded", "thought": "thought"}[row[0]]
    good = {"thought": "t", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 1}
    fates = ["taken", "repaired", "refused"]

    told = [(value, fate) for cell, fate in zip(row[1:], fates, strict=True) for value in readme.codes(cell)]

    assert len(told) > 3
    assert [(value, _fate(accept({**good, field: json.loads(value)}, 1 << 20))) for value, _ in told] == told


def _fate(decided: object) -> str:
    if isinstance(decided, AcceptedThought):
        return "repaired" if decided.coerced else "taken"
    return "refused"


def test_the_deviations_are_the_table_that_the_recorded_cases_are_held_against() -> None:
    assert table() in readme.text()
    assert f"{len(CASES)} recorded answers" in readme.text()


# How it works; what is installed


def test_every_module_of_the_map_is_there_and_every_package_is_on_the_map() -> None:
    named = [path for where, _ in readme.rows("Where") for path in readme.codes(where)]
    packages = {f"{path.parent.relative_to(PROJECT)}/" for path in (PROJECT / "seqthink").glob("*/__init__.py")}
    modules = {f"seqthink/{path.name}" for path in (PROJECT / "seqthink").glob("[!_]*.py")}

    assert [path for path in named if not (PROJECT / path).exists()] == []
    assert set(named) == packages | modules | {"tui/"}


def test_the_python_that_is_asked_for_is_the_project_s() -> None:
    least = pyproject()["project"]["requires-python"].removeprefix(">=")

    assert f"Python {least} or newer" in readme.text()


def test_a_wheel_holds_both_programs_and_one_command(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=PROJECT, capture_output=True, check=True, timeout=BOUND)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        [entry] = [packed.read(name).decode() for name in names if name.endswith("entry_points.txt")]

    files = (path for top in ("seqthink", "tui") for path in (PROJECT / top).rglob("*") if path.is_file())
    sources = {str(path.relative_to(PROJECT)) for path in files if path.suffix != ".pyc"}
    assert {name for name in names if ".dist-info/" not in name} == sources
    assert entry.split("\n", 1)[1].strip() == "seqthink = seqthink.__main__:main"
