"""`seqthink tap`: runs any MCP server and journals the thoughts that pass. Standard library only, as `serve`."""

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from seqthink.cli.help_page import HelpFormatter, description_of
from seqthink.cli.option_values import JOURNAL_FOLDER_HELP, folder_path, known_journal_folder, refuse_unknown
from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.server.tap.options import add_tap_options, watched_tools
from seqthink.server.wire.stderr import Stderr

if TYPE_CHECKING:  # loaded by the listener's thread
    from seqthink.server.tap.listening import Listening


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of what comes before ``--``."""
    parser = argparse.ArgumentParser(
        prog="seqthink tap",
        usage="seqthink tap [options] -- COMMAND …",
        description=description_of(
            "tap",
            (
                "seqthink tap -- npx -y some-thinking-server",
                "seqthink tap --tool think -- npx -y some-thinking-server",
            ),
        ),
        epilog="COMMAND starts the other server. Every byte passes unchanged, as do stderr, signals and the exit "
        "status. By default the tap listens to the tools sequentialthinking and sequential_thinking.",
        formatter_class=HelpFormatter,
        allow_abbrev=False,
        exit_on_error=False,
    )
    parser.add_argument(
        "--journal-dir",
        type=folder_path,
        metavar="D",
        help=JOURNAL_FOLDER_HELP,
    )
    parser.add_argument(
        "--title",
        metavar="T",
        help="name the session (default: SEQTHINK_TITLE, else the working folder)",
    )
    add_tap_options(parser)
    return parser


def run(arguments: list[str]) -> int:
    """Run the command behind ``--`` and listen to it; return its exit status."""
    separator = arguments.index("--") if "--" in arguments else len(arguments)
    options, command = _parse(arguments[:separator]), arguments[separator + 1 :]
    if not command:
        raise UsageError("tap: which server? write its command after --")
    if not system.HAS_POLL:
        raise UsageError(
            "tap needs a POSIX system, such as Linux or macOS; `seqthink serve` is a server that runs here"
        )
    from seqthink.server.tap import run as tap  # cannot be imported on other systems

    _check_standard_streams()
    stderr = Stderr()
    return tap.run(command, _listening_maker(options, stderr), stderr.print_line)


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = make_parser()
    try:
        options, unknown = parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise UsageError(f"tap: {error}; see `seqthink tap --help`") from error
    if unknown:
        refuse_unknown(parser, unknown)
    return options


def _check_standard_streams() -> None:
    try:
        for descriptor in (0, 1):
            os.fstat(descriptor)
    except OSError as error:
        raise UsageError(f"stdin and stdout must be open: {error.strerror}") from error


def _listening_maker(options: argparse.Namespace, stderr: Stderr) -> Callable[[], "Listening"]:
    tools = watched_tools(options)

    def make() -> "Listening":
        from seqthink.cli.journal_writing import process_fields, writer_environment
        from seqthink.journal.writer import JournalWriter
        from seqthink.server.tap.listening import Listening
        from seqthink.server.tap.recording import TapRecorder

        title = options.title or os.environ.get("SEQTHINK_TITLE") or None
        writer = JournalWriter(known_journal_folder(options), writer_environment())
        recorder = TapRecorder(writer, {"title": title, **process_fields()}, stderr.print_line)
        return Listening(tools, recorder, stderr.print_line)

    return make
