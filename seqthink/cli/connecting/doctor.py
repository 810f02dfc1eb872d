"""`seqthink doctor`: says whether clients, journals and terminal are set up right, and names the fix if not."""

import argparse
import json
import os
import shutil
import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from seqthink.cli.common import DEFAULT_WIDTH_CELLS, CommandParser, drawing_width, is_terminal, program_command
from seqthink.cli.connecting.writing_options import client_named
from seqthink.cli.option_values import whole_number
from seqthink.cli.progress import WritingProgress
from seqthink.cli.standard_output import output
from seqthink.connect.clients.registry import CLIENTS
from seqthink.core.errors import UsageError

if TYPE_CHECKING:
    from seqthink.connect.doctor.results import CheckGroup, CheckResult
    from seqthink.connect.doctor.terminal_checks import TerminalFacts

_DEFAULT_SECONDS = 20
_MAX_SECONDS = 600


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "doctor",
        "seqthink doctor",
        "seqthink doctor codex",
        "seqthink doctor --report",
        notes="It starts each client's server and calls its tool once. Exit 1 if anything is wrong; warnings alone do "
        "not count.",
    )
    parser.add_argument(
        "clients", nargs="*", metavar="CLIENT", help=f"{', '.join(CLIENTS)} (default: all clients found)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--report",
        action="store_true",
        help="print Markdown for an issue, without paths, variables, texts and names",
    )
    form.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--no-start", action="store_true", help="only read files, start no program")
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=_DEFAULT_SECONDS,
        metavar="S",
        help=f"seconds that a server has to answer (default: {_DEFAULT_SECONDS})",
    )
    parser.add_drawing()
    return parser


def run(arguments: list[str]) -> int:
    """Look at everything and say what was found; exit 1 if anything is wrong."""
    options = make_parser().parse_args(arguments)
    options.clients = list(dict.fromkeys(client_named("doctor", name).name for name in options.clients))
    try:
        Path.cwd()  # files of projects are looked for in it
    except OSError:
        raise UsageError("doctor: the current folder is gone; change to another") from None
    from seqthink.connect.doctor.results import exit_status

    with _ended_by_signals(), _StepProgress() as progress:
        groups = _groups(options, progress)
    _print(groups, options)
    return exit_status(groups)


def _seconds(text: str) -> int:
    return whole_number(text, limit=_MAX_SECONDS + 1)


class _StepProgress(WritingProgress):
    """A line on a terminal that says which step takes its time; it is erased at the end."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.step = "looking"

    @override
    def _words(self) -> str:
        return f"seqthink: {self.step} ..."


@contextmanager
def _ended_by_signals() -> Generator[None]:
    """End by a signal as by Ctrl-C: what was started is ended first."""

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    numbers = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]
    before = [(number, signal.signal(number, stop)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _groups(options: argparse.Namespace, progress: _StepProgress) -> "list[CheckGroup]":
    from seqthink.connect.doctor.client_checks import Surroundings
    from seqthink.connect.doctor.doctor import Doctor
    from seqthink.connect.doctor.machine_checks import machine_checks
    from seqthink.connect.doctor.results import CheckGroup
    from seqthink.connect.doctor.terminal_checks import ask_tmux, terminal_checks

    def report(step: str) -> None:
        progress.step = step

    program = program_command()
    folder, journals = _journals(options)
    around = Surroundings(
        dict(os.environ),
        program,
        folder,
        str(options.journal_dir.absolute()) if options.journal_dir else "",
        options.timeout,
        not options.no_start,
    )
    with Doctor(around, report) as doctor:
        clients = doctor.clients(options.clients)
    terminal = terminal_checks(_terminal(), os.environ, ask_tmux)
    return [
        CheckGroup("This machine", [*machine_checks(program, os.environ), _settings()]),
        *clients,
        CheckGroup("Journals", journals),
        *([] if options.clients else _transcripts()),
        CheckGroup("Terminal", terminal),
    ]


def _transcripts() -> "list[CheckGroup]":
    """Return the results for the sessions of other programs; nothing where there are none."""
    from seqthink.connect.doctor.results import CheckGroup
    from seqthink.connect.doctor.transcript_checks import transcript_checks
    from seqthink.core.system import home_folder

    results = transcript_checks(os.environ, home_folder())
    return [CheckGroup("Sessions of other programs", results)] if results else []


def _journals(options: argparse.Namespace) -> "tuple[Path | None, list[CheckResult]]":
    """Return the folder in which the viewer looks, and its results."""
    from seqthink.cli.option_values import journal_folder
    from seqthink.connect.doctor.journal_checks import folder_checks
    from seqthink.connect.doctor.results import wrong

    try:
        folder = journal_folder(options)
    except UsageError as error:
        fix = "export HOME=/the/path/of/your/home/folder"
        return None, [wrong("folder", "it is not known without a home folder", str(error), fix=fix)]
    return folder, folder_checks(folder)


def _settings() -> "CheckResult":
    """Return whether all lines of the settings file can be used."""
    from seqthink.cli.upkeep.settings import wrong_lines
    from seqthink.connect.doctor.fixes import shell_word
    from seqthink.connect.doctor.results import right, unseen, wrong

    try:
        path, lines = wrong_lines()
    except UsageError as error:
        return unseen("settings", "not looked for", str(error))
    if lines:
        message = f"{len(lines)} line{'' if len(lines) == 1 else 's'} of the settings file cannot be used"
        fix = "correct {}; `seqthink settings` names each line"
        return wrong("settings", message, lines[0].text(), fix=fix, fix_detail=shell_word(path))
    return right("settings", "the settings file can be used" if path.exists() else "none of your own")


def _terminal() -> "TerminalFacts":
    from seqthink.cli.preferences import ascii_reason
    from seqthink.connect.doctor.terminal_checks import TerminalFacts
    from tui.session_view.layout import MIN_SCREEN_CELLS, MIN_SCREEN_ROWS

    stream = next((stream for stream in (sys.stdout, sys.stderr, sys.stdin) if stream and stream.isatty()), None)
    size = os.get_terminal_size(stream.fileno()) if stream else (0, 0)
    columns, rows = size if all(size) else shutil.get_terminal_size((DEFAULT_WIDTH_CELLS, 24))
    return TerminalFacts(
        stream is not None, columns, rows, MIN_SCREEN_CELLS, MIN_SCREEN_ROWS, _without_stdout(ascii_reason(os.environ))
    )


def _without_stdout(reason: str) -> str:
    """Return what keeps signs from being shown in the viewer: where our own output goes is none of it."""
    return "" if reason == "stdout" else reason


def _print(groups: "Sequence[CheckGroup]", options: argparse.Namespace) -> None:
    from seqthink.cli.preferences import preferences_of
    from seqthink.connect.doctor import pages
    from seqthink.connect.doctor.results import exit_status

    with output() as out:
        if options.json:
            out.write(json.dumps(pages.fields(groups, exit_status(groups)), indent=1) + "\n")
        elif options.report:
            out.writelines(f"{line}\n" for line in pages.report_lines(groups))
        else:
            marks = pages.ASCII_MARKS if preferences_of(options).is_ascii else pages.UNICODE_MARKS
            has_colours = is_terminal() and not os.environ.get("NO_COLOR")
            lines = pages.page_lines(groups, drawing_width(options), marks, has_colours=has_colours)
            out.writelines(f"{line}\n" for line in lines)
