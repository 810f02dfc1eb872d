import os
import re
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from seqthink import __version__
from seqthink.__main__ import main
from seqthink.cli import COMMANDS, module_name
from seqthink.cli.help_page import examples_of
from tests.support.depth import first
from tests.support.docs.proofs import lay_out, prove
from tests.support.servers.commands import (
    JOURNALS,
    SHOP_API,
    TIMEOUT_SECONDS,
    command,
    environment,
    refusal_line,
    seqthink,
)

FULL = Path("/dev/full")
MAX_SUMMARY_WORDS, MAX_EXAMPLES = 10, 3
EXAMPLES = {
    example: name
    for name in COMMANDS
    for example in examples_of(import_module(f"seqthink.cli.{module_name(name)}").make_parser())
}
"""The command of each example."""


def test_help_names_every_command() -> None:
    done = seqthink("--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_help_names_a_command_before_or_after() -> None:
    assert seqthink("help", "show").stdout == seqthink("show", "--help").stdout
    assert refusal_line(seqthink("help", "shwo")) == "unknown command 'shwo'; did you mean show?"


def test_the_list_of_commands_says_what_each_is_for_in_ten_words() -> None:
    assert [summary for summary in COMMANDS.values() if len(summary.split()) > MAX_SUMMARY_WORDS] == []


@pytest.mark.parametrize("name", first(6, COMMANDS))
def test_a_page_has_what_the_command_is_for_then_examples_then_options(name: str) -> None:
    done = seqthink(name, "--help")
    usage, summary, examples, *rest = done.stdout.split("\n\n")

    assert (done.returncode, done.stderr) == (0, "")
    assert usage.startswith(f"usage: seqthink {name} ")
    assert summary.lower() == f"{COMMANDS[name]}.".lower()
    assert [line.strip() for line in examples.splitlines()] == [e for e in EXAMPLES if EXAMPLES[e] == name]
    assert rest[0].startswith(("options:", "positional arguments:"))
    assert ("--journal-dir" in "".join(rest)) == (name not in {"completion", "settings"})
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_one_to_three_examples_of_its_own(name: str) -> None:
    examples = [example for example, of in EXAMPLES.items() if of == name]

    assert 1 <= len(examples) <= MAX_EXAMPLES
    assert all(re.search(rf"\bseqthink {name}\b", example) for example in examples)


@pytest.mark.parametrize("example", first(9, EXAMPLES))
def test_an_example_works(example: str, tmp_path: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prove(example, lay_out(tmp_path / "desk", seqthink_home, monkeypatch))


def test_no_command_is_a_question_for_help() -> None:
    done = seqthink()

    assert done.returncode == 2
    assert done.stdout.startswith("usage: seqthink COMMAND")


def test_the_version_is_printed() -> None:
    assert seqthink("--version").stdout == f"seqthink {__version__}\n"


def test_an_unknown_command_is_refused_and_the_known_ones_are_named() -> None:
    assert refusal_line(seqthink("wacth")) == "unknown command 'wacth'; did you mean watch?"
    assert refusal_line(seqthink("hlep")) == "unknown command 'hlep'; did you mean help?"
    assert refusal_line(seqthink("xyz")) == f"unknown command 'xyz'; choose from: {', '.join(COMMANDS)}"
    assert "\x1b" not in refusal_line(seqthink("\x1b[2J"))


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ("show --widht 3", "show: unknown option --widht; did you mean --width?"),
        ("show --widht=3", "show: unknown option --widht; did you mean --width?"),
        ("show last --no-asci", "show: unknown option --no-asci; did you mean --no-ascii?"),
        ("sessions --wide", "sessions: unknown option --wide; see `seqthink sessions --help`"),
        ("serve --resum last", "serve: unknown option --resum; did you mean --resume?"),
        ("tap --titel x -- true", "tap: unknown option --titel; did you mean --title?"),
        ("show last more", "show: unexpected argument 'more'; see `seqthink show --help`"),
        ("--verison", "unknown option --verison; did you mean --version?"),
        ("--since", "unknown option --since; options follow a command; see `seqthink --help`"),
    ],
)
def test_an_unknown_option_names_the_nearest_one(
    arguments: str, refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.split()) == 2
    assert capsys.readouterr().err == f"seqthink: {refusal}\n"


@pytest.mark.parametrize("name", first(4, [name for name in COMMANDS if name != "serve"]))
def test_an_unknown_option_is_refused_and_the_help_page_is_named(name: str) -> None:
    message = refusal_line(seqthink(name, "--colour"))

    assert message.startswith(f"{name}: ")
    assert message.endswith(f"see `seqthink {name} --help`")


PRINTERS = [
    ("--help",), ("show", "--help"), ("demo", "--list"), ("completion", "zsh"),
    ("show", SHOP_API), ("show", SHOP_API, "--timeline", "--full"), ("replay", SHOP_API),
    ("export", SHOP_API, "--format", "json"), ("export", SHOP_API, "--format", "md"),
    ("sessions", "--journal-dir", JOURNALS), ("sessions", "--journal-dir", JOURNALS, "--json"),
    ("check", SHOP_API), ("check", SHOP_API, "--json"),
    ("prune", "--older-than", "9w"), ("prune", "--older-than", "9w", "--json"),
]  # fmt: skip
READERS = [("show",), ("replay",), ("watch",), ("export", "--format", "json")]


@pytest.mark.parametrize("reader", first(2, READERS), ids=lambda reader: reader[0])
def test_what_is_no_journal_is_refused_by_every_reader(tmp_path: Path, reader: tuple[str, ...]) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("Dear diary,\n", encoding="utf-8")
    missing, folder = tmp_path / "missing.jsonl", tmp_path / "folder"
    folder.mkdir()

    assert refusal_line(seqthink(*reader, foreign)).startswith(f"{foreign} is not a seqthink journal; ")
    assert refusal_line(seqthink(*reader, missing)).startswith(f"{missing}: no such file; ")
    assert refusal_line(seqthink(*reader, folder)).startswith(f"{folder} is a folder; ")
    assert refusal_line(seqthink(*reader, "20260310")).startswith("no session '20260310' in ")


def test_no_sessions_at_all_is_said_with_what_to_do() -> None:
    assert "no sessions in " in refusal_line(seqthink("show"))
    assert "connect an agent" in refusal_line(seqthink("replay"))


def test_a_folder_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir(mode=0)
    if os.access(folder, os.R_OK):
        pytest.skip("this user may read everything")

    assert refusal_line(seqthink("show", "--journal-dir", folder)).startswith(f"{folder}: permission denied")


@pytest.mark.parametrize("arguments", first(2, PRINTERS))
def test_output_that_cannot_be_written_is_one_clear_line(arguments: tuple[str | Path, ...]) -> None:
    if not FULL.exists():
        pytest.skip("no device that is always full")
    with FULL.open("w", encoding="utf-8") as full:
        done = subprocess.run(
            command(*arguments),
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT_SECONDS,
        )

    assert (done.returncode, done.stderr) == (1, "seqthink: cannot write to stdout: no space left on device\n")


@pytest.mark.parametrize("arguments", first(1, [("watch", "-"), *PRINTERS, ("demo", "--fast")]))
def test_a_reader_that_goes_away_is_no_fault(arguments: tuple[str | Path, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        with SHOP_API.open("rb") as journal:
            done = subprocess.run(
                command(*arguments),
                env=environment(),
                stdin=journal,
                stdout=write,
                stderr=subprocess.PIPE,
                check=False,
                text=True,
                encoding="utf-8",
                timeout=TIMEOUT_SECONDS,
            )
    finally:
        os.close(write)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_stdout_is_one_clear_line() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" >&-', "sh", *command("show", SHOP_API)],
        env=environment(),
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )

    assert (done.returncode, done.stderr) == (
        2,
        "seqthink: stdout is closed, so there is nowhere to print; leave it open\n",
    )
