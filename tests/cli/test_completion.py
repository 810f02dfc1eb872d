"""`seqthink completion`: what the Tab key offers, asked of the shells themselves."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from seqthink.cli import COMMANDS
from seqthink.cli.completion import SHELLS
from seqthink.cli.stories.stories import STORIES
from seqthink.cli.upkeep.setting_kinds import THEMES
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.servers.commands import PROJECT, TIMEOUT_SECONDS, environment, refusal_line, seqthink

OLDER, NEWER = "20260310T140200.000000Z-k3v9qa", "20260311T090000.000000Z-aaaaaa"

# What readline does at a Tab: it sets these, calls the function, and offers what it finds in COMPREPLY.
TAB = """
eval "$(seqthink completion bash)"
function=$(complete -p seqthink | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9
read -ra COMP_WORDS <<< "$1"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
$function seqthink
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def desk(tmp_path: Path, seqthink_home: Path) -> Path:
    """Return a folder to type in, with a journal in it; two sessions are known, one of them with notes beside it."""
    (seqthink_home / "sessions").mkdir()
    for name in (OLDER, NEWER, f"{NEWER}.notes"):
        JournalBuilder().session(name).thought("x").write(seqthink_home / "sessions" / f"{name}.jsonl")
    desk = tmp_path / "desk"
    desk.mkdir()
    (desk / "logs").mkdir()
    (desk / "mine.jsonl").touch()
    (desk / "mine.txt").touch()
    return desk


def in_shell(*command: str, folder: Path) -> list[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=folder, env=environment(PATH=path), capture_output=True, check=True, encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )  # fmt: skip
    assert done.stderr == ""
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]


def tab(line: str, desk: Path) -> list[str]:
    """Return what bash offers when ``line`` was typed and then Tab."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not here")
    return in_shell("bash", "--norc", "-c", TAB, "bash", line, folder=desk)


def offered_for(line: str, desk: Path) -> list[str]:
    """Return what the program that a shell starts at a Tab offers, where the shell itself adds and cuts nothing."""
    answer = desk.parent / "answer"
    seqthink(
        variables={
            "_ARGCOMPLETE": "1",
            "_ARGCOMPLETE_SHELL": "bash",
            "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
            "COMP_TYPE": "9",
            "_ARGCOMPLETE_IFS": "\n",
            "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        }
    )
    return [word for word in answer.read_text("utf-8").split("\n") if word]


def test_every_command_is_offered(desk: Path) -> None:
    assert tab("seqthink ", desk) == [*COMMANDS, "help"]


@pytest.mark.parametrize(
    ("line", "offered"),
    first(
        8,
        [
            ("seqthink s", ["serve", "setup", "show", "sessions", "status", "stats", "ship", "settings"]),
            ("seqthink help se", ["serve", "setup", "sessions", "settings"]),
            ("seqthink show ", ["last", NEWER, OLDER]),
            ("seqthink show 20260311", [NEWER]),
            ("seqthink check last 20260310", [OLDER]),
            ("seqthink watch ", ["last", NEWER, OLDER, "-"]),
            ("seqthink serve --resume ", [NEWER, OLDER, "last"]),
            ("seqthink show m", ["mine.jsonl"]),
            ("seqthink export last -o mine.t", ["mine.txt"]),
            ("seqthink prune --journal-dir l", ["logs/"]),
            ("seqthink show --journal-dir logs 2", []),
            ("seqthink show --wi", ["--width"]),
            ("seqthink show --width ", []),
            ("seqthink show --fleet ", ["none"]),
            ("seqthink show --fleet redis://x 2", []),
            ("seqthink watch --theme ", list(THEMES)),
            ("seqthink replay --at ", ["end"]),
            ("seqthink settings --", ["--help", "--json"]),
            ("seqthink watch --no-m", ["--no-motion", "--no-mouse"]),
            ("seqthink demo ", list(STORIES)),
            ("seqthink completion ", list(SHELLS)),
            ("seqthink config c", ["claude-code", "claude-desktop", "codex", "cursor"]),
            ("seqthink wacth l", []),
        ],
        is_unpacked=True,
    ),
)
def test_tab_offers_what_the_parser_takes(
    line: str, offered: list[str], desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk)

    assert [word.strip() for word in offered_for(line, desk)] == offered


@pytest.mark.parametrize(
    ("line", "offered"),
    first(
        2,
        [
            ("seqthink help se", ["serve", "setup", "sessions", "settings"]),
            ("seqthink show 20260311", [NEWER]),
            ("seqthink watch ", ["last", NEWER, OLDER, "-"]),
            ("seqthink export last -o mine.t", ["mine.txt"]),
            ("seqthink prune --journal-dir l", ["logs/"]),
            ("seqthink show --fleet redis://x 2", []),
            ("seqthink serve --schema=p", ["plain"]),
        ],
        is_unpacked=True,
    ),
)
def test_tab_in_bash_offers_it(line: str, offered: list[str], desk: Path) -> None:
    assert tab(line, desk) == offered


@pytest.mark.parametrize("name", first(4, COMMANDS))
def test_every_option_of_a_help_page_is_offered(name: str, desk: Path) -> None:
    page = seqthink(name, "--help").stdout
    offered = offered_for(f"seqthink {name} --", desk)

    assert "--help" in offered
    assert [option for option in offered if option not in page] == []
    lines = [line for line in page.splitlines() if line.lstrip().startswith("-")]
    assert len(offered) == len(lines) + sum(", --no-" in line for line in lines)


def test_no_journals_at_all_are_no_trouble(tmp_path: Path) -> None:
    assert tab("seqthink show l", tmp_path) == ["last"]


def test_tab_completion_loads_no_screen_and_no_protocol(tmp_path: Path) -> None:
    line, answer = "seqthink show ", tmp_path / "answer"
    asked = environment(_ARGCOMPLETE="1", COMP_LINE=line, COMP_POINT=str(len(line)))
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "seqthink"],
        env=asked | {"_ARGCOMPLETE_STDOUT_FILENAME": str(answer)},
        cwd=PROJECT, capture_output=True, check=True, encoding="utf-8", timeout=TIMEOUT_SECONDS,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}

    assert answer.read_text(encoding="utf-8").split() == ["last"]
    assert {"argcomplete", "seqthink"} <= loaded
    assert loaded & {"textual", "rich", "tui", "mcp", "pydantic", "anyio", "asyncio", "msgspec", "wcwidth"} == set()


def test_zsh_takes_the_script(desk: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not here")
    script = 'autoload -U compinit; compinit -u; eval "$(seqthink completion zsh)"; print $_comps[seqthink]'

    assert in_shell("zsh", "-fc", script, folder=desk) == ["_python_argcomplete"]


def test_fish_offers_the_same(desk: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("fish is not here")
    script = 'seqthink completion fish | source; complete -C "seqthink show 20260311"'

    assert in_shell("fish", "--no-config", "-c", script, folder=desk) == [NEWER]


def test_another_shell_is_refused() -> None:
    assert "invalid choice: 'tcsh'" in refusal_line(seqthink("completion", "tcsh"))
    assert "shell" in refusal_line(seqthink("completion"))
