"""What the commands share: options, the journal folder, width and signs of drawings, and how to call them."""

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from seqthink.cli.help_page import HelpFormatter, description_of, override
from seqthink.cli.option_values import JOURNAL_FOLDER_HELP, folder_path, refuse_unknown, whole_number
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from pathlib import Path

    from seqthink.cli.preferences import Preferences
    from seqthink.drawing.text.glyphs import Signs
    from seqthink.journal.decode import LineDecoder
    from seqthink.sources.transcripts.budget import Budget
    from tui.settings import ViewerOptions


MIN_WIDTH_CELLS, MAX_WIDTH_CELLS, DEFAULT_WIDTH_CELLS = 20, 10_000, 80
SESSION_HELP = "a session's id or the start of it, `last`, or the file of a journal or transcript"
PROGRAM_NAME = "seqthink"
_SHOWN = (
    ("native", "everything", "show everything in a transcript (default if it has no thinking tool calls)"),
    ("words", "words", "show what agents said, without native reasoning"),
    ("no-native", "thoughts", "show neither (default if it has thinking tool calls)"),
)
"""Options that say what of a transcript is shown."""


class CommandParser(argparse.ArgumentParser):
    """The options of one command. An error in them is a single line, like every error of this program."""

    def __init__(
        self, command: str, *examples: str, notes: str = "", usage: str | None = None, reads_journals: bool = True
    ) -> None:
        """Make a parser.

        Args:
            command: the command's name.
            examples: commands to copy, for the help page.
            notes: what the help page says below the options.
            usage: how the command is called, where argparse cannot say it.
            reads_journals: whether the command has `--journal-dir`.
        """
        super().__init__(
            prog=f"seqthink {command}",
            usage=usage,
            description=description_of(command, examples),
            epilog=notes,
            formatter_class=HelpFormatter,
            allow_abbrev=False,
        )
        self._command = command
        if reads_journals:
            self.add_argument(
                "--journal-dir",
                type=folder_path,
                metavar="D",
                help=JOURNAL_FOLDER_HELP,
            )

    def add_session(self, default: str | None = "last", *, stdin: bool = False, links: bool = False) -> None:
        """Add the session argument; without a default it is required. With ``links`` it may name a thought in it."""
        self.add_argument(
            "session",
            nargs="?" if default else None,
            metavar="SESSION|FILE|-" if stdin else "SESSION|FILE",
            help=SESSION_HELP
            + (", or `-` for a journal on stdin" if stdin else "")
            + ("; add #e41 for the thought at entry 41" if links else "")
            + (f" (default: {default})" if default else ""),
        )

    def add_sessions(self) -> None:
        """Add an argument for one or more sessions."""
        self.add_argument("sessions", nargs="+", metavar="SESSION|FILE", help=SESSION_HELP)

    def add_json(self) -> None:
        """Add `--json`."""
        self.add_argument("--json", action="store_true", help="print one JSON array")

    def add_drawing(self) -> None:
        """Add the options that control the drawing."""
        self.add_argument(
            "--width",
            type=_width,
            metavar="N",
            help=f"width in cells (default: COLUMNS, else the terminal's, else {DEFAULT_WIDTH_CELLS})",
        )
        self.add_ascii()

    def add_ascii(self) -> None:
        """Add `--ascii`."""
        self.add_switch("ascii", "draw with ASCII signs (default: if the locale is not UTF-8)")

    def add_switch(self, name: str, explanation: str) -> None:
        """Add ``--NAME`` and ``--no-NAME`` for a setting; where neither is given, the value is None."""
        self.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, help=explanation)

    def add_tag(self) -> None:
        """Add `--tag`: only sessions with all of these tags."""
        self.add_argument("--tag", action="append", default=[], metavar="T", help="only sessions tagged T (repeatable)")

    def add_redact(self) -> None:
        """Add `--redact`."""
        self.add_argument(
            "--redact",
            action="store_true",
            help="hide passwords, keys and tokens of known formats (the journal keeps them)",
        )

    def add_shown(self) -> None:
        """Add `--native`, `--words` and `--no-native`, which say what of a transcript is shown."""
        choices = self.add_mutually_exclusive_group()
        for name, value, explanation in _SHOWN:
            choices.add_argument(f"--{name}", dest="shown", action="store_const", const=value, help=explanation)

    def add_sources(self, verb: str, remark: str = "") -> None:
        """Add `--sources`: whose sessions to "show", or whatever ``verb`` says."""
        from seqthink.sources.transcripts.registry import JOURNAL, NONE_OF_ALL, transcript_names

        names = ", ".join((*transcript_names(), NONE_OF_ALL))
        self.add_argument(
            "--sources",
            metavar="LIST",
            help=f"{verb} only these sources, separated by commas: {JOURNAL} (our server's), {names} "
            f"(default: SEQTHINK_SOURCES, else the settings, else all){remark}",
        )

    def add_silences(self) -> None:
        """Add `--stale` and `--stuck`: after which silence a session is quiet, and after which it is stuck."""
        from seqthink.chain.state import STALE_SECONDS

        self.add_argument(
            "--stale",
            type=whole_number,
            metavar="N",
            help=f"seconds without a thought until a session is quiet (default: the settings, else {STALE_SECONDS})",
        )
        self.add_stuck()

    def add_stuck(self) -> None:
        """Add `--stuck`."""
        from seqthink.chain.attention import STUCK_SECONDS

        self.add_argument(
            "--stuck",
            type=whole_number,
            metavar="N",
            help=f"seconds of silence until a session is stuck (default: the settings, else {STUCK_SECONDS})",
        )

    def add_viewer_options(self) -> None:
        """Add the options that control the viewer."""
        from seqthink.cli.upkeep.setting_kinds import THEMES

        self.add_argument(
            "--theme",
            choices=THEMES,
            help="the viewer's colours (default: SEQTHINK_THEME, else dark; NO_COLOR turns them off)",
        )
        self.add_switch("motion", "fade new rows in (default: yes, except over SSH)")
        self.add_switch("mouse", "use the mouse (default: yes; no leaves it to the terminal)")
        self.add_switch("title", "count the sessions in the terminal's title (default: yes)")
        self.add_switch("bell", "ring the bell when a session needs you or ends (default: yes)")
        self.add_switch("notify", "send a desktop notification then, too (default: if the terminal can)")

    @override
    def parse_args(  # pyright: ignore[reportIncompatibleMethodOverride] - argparse's overloads are for namespaces of other types
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Return the options; an unknown one is refused with the nearest known one."""
        options, unknown = self.parse_known_args(args, namespace or argparse.Namespace())
        if unknown:
            refuse_unknown(self, unknown)
        return options

    @override
    def error(self, message: str) -> NoReturn:
        """Raise `UsageError`: argparse would print its usage, and exit."""
        raise UsageError(f"{self._command}: {message}; see `seqthink {self._command} --help`")

    @override
    def print_help(self, file: object = None) -> None:  # noqa: ARG002 - argparse's own
        """Print the help page; argparse itself ignores errors then."""
        with output() as out:
            out.write(self.format_help())


def _width(text: str) -> int:
    number = whole_number(text)
    if MIN_WIDTH_CELLS <= number <= MAX_WIDTH_CELLS:
        return number
    raise argparse.ArgumentTypeError(f"must be from {MIN_WIDTH_CELLS} to {MAX_WIDTH_CELLS}, got {number}")


def drawing_width(options: argparse.Namespace) -> int:
    """Return the width of a line in cells."""
    return options.width or min(
        MAX_WIDTH_CELLS, max(MIN_WIDTH_CELLS, shutil.get_terminal_size((DEFAULT_WIDTH_CELLS, 24)).columns)
    )


def drawing_signs(options: argparse.Namespace) -> "Signs":
    """Return the signs to draw with: ASCII where wanted, or where the terminal may not show others."""
    from seqthink.cli.preferences import preferences_of
    from seqthink.drawing.text.glyphs import ASCII, UNICODE  # not needed for Tab or help

    return ASCII if preferences_of(options).is_ascii else UNICODE


def decoder_for(options: argparse.Namespace) -> "LineDecoder":
    """Return the decoder for journal lines; with `--redact`, one that removes secrets."""
    if getattr(options, "redact", False):
        from seqthink.library.redacted_lines import decode_redacted  # loads the library of secret patterns

        return decode_redacted
    from seqthink.journal.decode import decode  # not needed for Tab or help

    return decode


def cleaner_for(options: argparse.Namespace) -> "Callable[[str], str] | None":
    """Return what takes secrets out of a text, with `--redact`; else None."""
    if not options.redact:
        return None
    from seqthink.core.redaction import redact_text  # loads the library of secret patterns

    return redact_text


def viewer_options(options: argparse.Namespace, environ: Mapping[str, str] | None = None) -> "ViewerOptions":
    """Return how the viewer looks and behaves: from the command line, the environment and the settings file.

    Raises:
        UsageError: SEQTHINK_THEME names an unknown theme.
    """
    from seqthink.cli.preferences import preferences_of

    preferences = preferences_of(options, environ)
    return {
        "is_ascii": preferences.is_ascii,
        "theme": preferences.theme,
        "has_motion": preferences.has_motion,
        "has_mouse": preferences.has_mouse,
        "has_title": preferences.has_title,
        "has_bell": preferences.has_bell,
        "has_notifications": preferences.has_notifications,
        "stuck_seconds": preferences.stuck,
        "decode": decoder_for(options),
        "connect": shell_command("setup", *folder_options(options.journal_dir)),
        "wall": preferences.wall,
        "author": preferences.author,
        "file_settings": preferences.file,
        "commands": preferences.commands,
    }


def report_wrong_lines(preferences: "Preferences") -> None:
    """Say on stderr, in one line, what of the settings file is left out."""
    if preferences.file.wrong:
        first, *others = preferences.file.wrong
        rest = f" (and {len(others)} more)" if others else ""
        print_stderr(f"{first.text()}{rest}; see `seqthink settings`")


def print_stderr(message: str) -> None:
    """Print one line on stderr, whatever characters the message has."""
    from seqthink.core.text import one_line

    print(f"seqthink: {one_line(message)}", file=sys.stderr)


def print_left_out(budget: "Budget", *, has_links: bool = True) -> None:
    """Print on stderr what a command has not read of other programs' files: a line for each, one for all links."""
    from seqthink.sources.transcripts.unreadable import gathered

    for sentence in gathered(budget.left_out, has_links=has_links):
        print_stderr(sentence)


def is_terminal() -> bool:
    """Return whether stdout is a terminal that can be drawn on."""
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") not in {"dumb", "unknown"}


def program_command() -> list[str]:
    """Return the installed program's command: as called, else beside the interpreter, else through the interpreter.

    Links are not resolved: what `pipx` and `uv tool` put on the PATH outlives its target.
    """
    called = sys.argv[0]
    found = shutil.which(called) if os.path.basename(called).startswith(PROGRAM_NAME) else None  # noqa: PTH119 - loads nothing
    beside = shutil.which(PROGRAM_NAME, path=os.path.dirname(sys.executable))  # noqa: PTH120 - as above
    if found or beside:
        return [os.path.abspath(found or beside or "")]  # noqa: PTH100 - `resolve` would follow the link
    return [sys.executable, "-m", PROGRAM_NAME]


def shell_command(*words: str) -> str:
    """Return a shell command that runs this program with ``words``: by name if the shell finds it, else by path."""
    own, found = program_command(), shutil.which(PROGRAM_NAME)
    is_found = found is not None and len(own) == 1 and os.path.realpath(found) == os.path.realpath(own[0])
    return shlex.join([*([PROGRAM_NAME] if is_found else own), *words])


def folder_options(folder: "Path | None") -> Sequence[str]:
    """Return the option for the journal folder, if one was named."""
    return ["--journal-dir", str(folder.absolute())] if folder is not None else []
