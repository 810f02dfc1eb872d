"""What the commands share: options, the journal folder, width and signs of drawings, stdout, and how to call them."""

import argparse
import locale
import os
import shlex
import shutil
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from typing_extensions import override

from seqthink.cli.option_values import folder_path, whole_number
from seqthink.errors import OutputError, UsageError
from seqthink.text import one_line

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.drawing.text.glyphs import Signs
    from seqthink.journal.decode import LineDecoder
    from tui.settings import ViewerOptions

MIN_WIDTH_CELLS, MAX_WIDTH_CELLS, DEFAULT_WIDTH_CELLS = 20, 10_000, 80
_SESSION_HELP = "a session's id, a unique prefix of it, `last`, or a journal file"
PROGRAM_NAME = "seqthink"
THEMES = ("dark", "light", "ansi")


class CommandParser(argparse.ArgumentParser):
    """The options of one command. An error in them is a single line, like every error of this program."""

    def __init__(
        self, command: str, description: str, example: str, *, usage: str | None = None, reads_journals: bool = True
    ) -> None:
        super().__init__(
            prog=f"seqthink {command}",
            usage=usage,
            description=description,
            epilog=f"example: {example}",
            allow_abbrev=False,
        )
        self._command = command
        if reads_journals:
            self.add_argument(
                "--journal-dir",
                type=folder_path,
                metavar="D",
                help="the folder of the journals (default: SEQTHINK_JOURNAL_DIR, else SEQTHINK_HOME/sessions)",
            )

    def add_session(self, default: str | None = "last", *, stdin: bool = False) -> None:
        """Add the session argument; without a default it is required."""
        self.add_argument(
            "session",
            nargs="?" if default else None,
            metavar="SESSION|FILE|-" if stdin else "SESSION|FILE",
            help=_SESSION_HELP
            + (", or - for a journal on stdin" if stdin else "")
            + (f" (default: {default})" if default else ""),
        )

    def add_sessions(self) -> None:
        """Add an argument for one or more sessions."""
        self.add_argument("sessions", nargs="+", metavar="SESSION|FILE", help=_SESSION_HELP)

    def add_json(self) -> None:
        """Add `--json`."""
        self.add_argument("--json", action="store_true", help="one JSON array, for other programs")

    def add_drawing(self) -> None:
        """Add the options that control the drawing."""
        self.add_argument(
            "--width",
            type=_width,
            metavar="N",
            help=f"width in cells (default: COLUMNS, else the terminal's, else {DEFAULT_WIDTH_CELLS})",
        )
        self.add_argument(
            "--ascii", action="store_true", help="draw with ASCII signs (default: where the locale is not UTF-8)"
        )

    def add_redact(self) -> None:
        """Add `--redact`."""
        self.add_argument(
            "--redact",
            action="store_true",
            help="show [redacted …] in place of passwords, keys and tokens of known formats; the journal keeps them",
        )

    def add_native(self) -> None:
        """Add `--native` and `--no-native`."""
        self.add_argument(
            "--native",
            action=argparse.BooleanOptionalAction,
            help="show prompts and native reasoning, too, or not (default: only without calls of the thinking tool)",
        )

    def add_viewer_options(self) -> None:
        """Add the options that control the viewer."""
        self.add_argument(
            "--theme", choices=THEMES, help="the viewer's colours (default: SEQTHINK_THEME, else dark; NO_COLOR: none)"
        )
        self.add_argument("--no-motion", action="store_true", help="turn animations off")
        self.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")

    @override
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self._command}: {message}; see `seqthink {self._command} --help`")

    @override
    def print_help(self, file: object = None) -> None:
        # argparse itself ignores errors when it prints its help.
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
    from seqthink.drawing.text.glyphs import ASCII, UNICODE  # not needed for Tab or help

    return ASCII if _is_ascii(options) else UNICODE


def _is_ascii(options: argparse.Namespace) -> bool:
    return options.ascii or not _shows_unicode()


def decoder_for(options: argparse.Namespace) -> "LineDecoder":
    """Return the decoder for journal lines; with `--redact`, one that removes secrets."""
    if getattr(options, "redact", False):
        from seqthink.redaction import decode_redacted  # loads the library of secret patterns

        return decode_redacted
    from seqthink.journal.decode import decode  # not needed for Tab or help

    return decode


def viewer_options(options: argparse.Namespace, environ: Mapping[str, str] | None = None) -> "ViewerOptions":
    """Return the viewer's options from the command line and the environment; NO_COLOR wins over any theme.

    Over SSH and with TEXTUAL_ANIMATIONS=none there is no motion.

    Raises:
        UsageError: SEQTHINK_THEME names an unknown theme.
    """
    environ = os.environ if environ is None else environ
    theme = options.theme or environ.get("SEQTHINK_THEME") or THEMES[0]
    if theme not in THEMES:
        raise UsageError(f"SEQTHINK_THEME: unknown theme {theme[:40]!r}; choose from: {', '.join(THEMES)}")
    is_still = options.no_motion or environ.get("TEXTUAL_ANIMATIONS") == "none" or bool(environ.get("SSH_CONNECTION"))
    return {
        "is_ascii": _is_ascii(options),
        "theme": "mono" if environ.get("NO_COLOR") else theme,
        "has_motion": not is_still,
        "has_mouse": not options.no_mouse,
        "decode": decoder_for(options),
        "connect": shell_command("config", *folder_options(options.journal_dir)),
    }


def _shows_unicode() -> bool:
    encodings = [getattr(sys.stdout, "encoding", None) or ""]
    if hasattr(locale, "nl_langinfo"):
        encodings.append(locale.nl_langinfo(locale.CODESET))
    return all(encoding.lower().replace("-", "") in {"utf8", "cp65001"} for encoding in encodings)


@contextmanager
def output() -> Generator[TextIO]:
    """Give stdout for a drawing; everything is flushed at the end of the block.

    Characters that stdout's encoding lacks are replaced. A closed pipe raises BrokenPipeError as usual.

    Raises:
        UsageError: stdout is closed.
        OutputError: writing failed.
    """
    out = sys.stdout
    if out is None:
        raise UsageError("stdout is closed; there is nowhere to draw")
    if hasattr(out, "reconfigure"):
        out.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - checked just above
    try:
        yield out
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is not None:
            raise
        silence_stdout()
        raise OutputError(f"cannot write to stdout: {(error.strerror or str(error)).lower()}") from error


def silence_stdout() -> None:
    """Redirect stdout to the null device, so that nothing is retried at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def print_stderr(message: str) -> None:
    """Print one line on stderr, whatever characters the message has."""
    print(f"seqthink: {one_line(message)}", file=sys.stderr)


def is_terminal() -> bool:
    """Return whether stdout is a terminal that can be drawn on."""
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") not in {"dumb", "unknown"}


def program_command() -> list[str]:
    """Return the installed program's command: as called, else beside the interpreter, else through the interpreter.

    Links are not resolved: what `pipx` and `uv tool` put on the PATH outlives its target.
    """
    called = sys.argv[0]
    found = shutil.which(called) if Path(called).name.startswith(PROGRAM_NAME) else None
    beside = shutil.which(PROGRAM_NAME, path=str(Path(sys.executable).parent))
    if found or beside:
        return [os.path.abspath(found or beside or "")]  # noqa: PTH100 - `resolve` would follow the link
    return [sys.executable, "-m", PROGRAM_NAME]


def shell_command(*words: str) -> str:
    """Return a shell command that runs this program with ``words``: by name if the shell finds it, else by path."""
    own, found = program_command(), shutil.which(PROGRAM_NAME)
    is_found = found is not None and len(own) == 1 and os.path.realpath(found) == os.path.realpath(own[0])
    return shlex.join([*([PROGRAM_NAME] if is_found else own), *words])


def folder_options(folder: Path | None) -> Sequence[str]:
    """Return the option for the journal folder, if one was named."""
    return ["--journal-dir", str(folder.absolute())] if folder is not None else []
