"""What the commands share: options, where journals are, how wide and in which signs to draw, and stdout itself."""

import argparse
import locale
import os
import shutil
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO, TypedDict

from typing_extensions import override

from seqthink.cli.program import folder_options, shell_command
from seqthink.errors import OutputError, UsageError
from seqthink.journal.folder import default_folder
from seqthink.text import one_line

# The shell asks for completions at every Tab, so what takes long to load waits until it is used.
if TYPE_CHECKING:
    from seqthink.drawing.glyphs import Signs
    from seqthink.journal.decode import LineDecoder

MIN_WIDTH_CELLS, MAX_WIDTH_CELLS, DEFAULT_WIDTH_CELLS = 20, 10_000, 80
_LARGEST_NUMBER = 2**53
_SESSION = "a session's id, a unique prefix of it, `last`, or a journal file"
THEMES = ("dark", "light", "ansi")


class CommandParser(argparse.ArgumentParser):
    """The options of one command; what is wrong with them is one line, as every refusal of this program."""

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
        """Take a session; without a default it has to be named."""
        self.add_argument(
            "session",
            nargs="?" if default else None,
            metavar="SESSION|FILE|-" if stdin else "SESSION|FILE",
            help=_SESSION
            + (", or - for a journal on stdin" if stdin else "")
            + (f" (default: {default})" if default else ""),
        )

    def add_sessions(self) -> None:
        """Take one session or more."""
        self.add_argument("sessions", nargs="+", metavar="SESSION|FILE", help=_SESSION)

    def add_json(self) -> None:
        """Take the wish for an answer that programs read."""
        self.add_argument("--json", action="store_true", help="one JSON array, for other programs")

    def add_drawing(self) -> None:
        """Take how the drawing is to look."""
        self.add_argument(
            "--width",
            type=_width,
            metavar="N",
            help=f"cells in a line (default: COLUMNS, else the terminal's, else {DEFAULT_WIDTH_CELLS})",
        )
        self.add_argument(
            "--ascii", action="store_true", help="draw with ASCII signs (default: where the locale is not UTF-8)"
        )

    def add_redact(self) -> None:
        """Take the wish that no secret is shown."""
        self.add_argument(
            "--redact",
            action="store_true",
            help="show [redacted …] instead of passwords, keys and tokens whose shape is known; the journal keeps them",
        )

    def add_viewer_options(self) -> None:
        """Take how the viewer is to look and behave."""
        self.add_argument(
            "--theme", choices=THEMES, help="the viewer's colours (default: SEQTHINK_THEME, else dark; NO_COLOR: none)"
        )
        self.add_argument("--no-motion", action="store_true", help="nothing in the viewer moves by itself")
        self.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")

    @override
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self._command}: {message}; see `seqthink {self._command} --help`")

    @override
    def print_help(self, file: object = None) -> None:
        # Argparse itself says nothing when its page cannot be written.
        with output() as out:
            out.write(self.format_help())


def folder_path(text: str) -> Path:
    """Return a folder's path, for an option; an empty one is a variable that is not set.

    Raises:
        argparse.ArgumentTypeError: there is none.
    """
    if not text:
        raise argparse.ArgumentTypeError("must name a folder, got nothing")
    return Path(text)


def whole_number(text: str) -> int:
    """Return a number above 0, for an option.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if text.isascii() and text.isdigit() and len(text) < 17 and 0 < int(text) < _LARGEST_NUMBER:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be a whole number above 0, got {text[:40]!r}")


def _width(text: str) -> int:
    number = whole_number(text)
    if MIN_WIDTH_CELLS <= number <= MAX_WIDTH_CELLS:
        return number
    raise argparse.ArgumentTypeError(f"must be from {MIN_WIDTH_CELLS} to {MAX_WIDTH_CELLS}, got {number}")


def journal_folder(options: argparse.Namespace, environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder of the journals: the option, SEQTHINK_JOURNAL_DIR, SEQTHINK_HOME/sessions, the platform's.

    Raises:
        UsageError: it begins with somebody's home folder, and nobody knows where that is.
    """
    environ = os.environ if environ is None else environ
    try:
        return options.journal_dir.expanduser() if options.journal_dir else default_folder(environ)
    except RuntimeError as error:
        raise UsageError("whose home folder ~ is, is not known; write the whole path with --journal-dir") from error


def drawing_width(options: argparse.Namespace) -> int:
    """Return how many cells a line may have."""
    return options.width or min(
        MAX_WIDTH_CELLS, max(MIN_WIDTH_CELLS, shutil.get_terminal_size((DEFAULT_WIDTH_CELLS, 24)).columns)
    )


def drawing_signs(options: argparse.Namespace) -> "Signs":
    """Return the signs to draw with: ASCII where they are asked for, or where others might not be shown."""
    from seqthink.drawing.glyphs import ASCII, UNICODE

    return ASCII if _is_ascii(options) else UNICODE


def _is_ascii(options: argparse.Namespace) -> bool:
    return options.ascii or not _shows_unicode()


def decoder_for(options: argparse.Namespace) -> "LineDecoder":
    """Return what makes events of a journal's lines: as they are, or without secrets where that is asked for."""
    if getattr(options, "redact", False):
        from seqthink.redaction import decode_redacted

        return decode_redacted
    from seqthink.journal.decode import decode

    return decode


class ViewerOptions(TypedDict):
    """How the viewer is to look and behave, what it reads with, and how it says that a client is connected."""

    is_ascii: bool
    theme: str
    has_motion: bool
    has_mouse: bool
    decode: "LineDecoder"
    connect: str


def viewer_options(options: argparse.Namespace, environ: Mapping[str, str] | None = None) -> ViewerOptions:
    """Return how the viewer is to look: the options, else SEQTHINK_THEME; ``NO_COLOR`` is above both.

    Over SSH and where TEXTUAL_ANIMATIONS is ``none``, nothing moves either.

    Raises:
        UsageError: SEQTHINK_THEME names no theme.
    """
    environ = os.environ if environ is None else environ
    theme = options.theme or environ.get("SEQTHINK_THEME") or THEMES[0]
    if theme not in THEMES:
        raise UsageError(f"SEQTHINK_THEME: no theme {theme[:40]!r}; there are: {', '.join(THEMES)}")
    is_still = options.no_motion or environ.get("TEXTUAL_ANIMATIONS") == "none" or bool(environ.get("SSH_CONNECTION"))
    return ViewerOptions(
        is_ascii=_is_ascii(options),
        theme="mono" if environ.get("NO_COLOR") else theme,
        has_motion=not is_still,
        has_mouse=not options.no_mouse,
        decode=decoder_for(options),
        connect=shell_command("config", *folder_options(options.journal_dir)),
    )


def _shows_unicode() -> bool:
    encodings = [getattr(sys.stdout, "encoding", None) or ""]
    if hasattr(locale, "nl_langinfo"):
        encodings.append(locale.nl_langinfo(locale.CODESET))
    return all(encoding.lower().replace("-", "") in {"utf8", "cp65001"} for encoding in encodings)


@contextmanager
def output() -> Generator[TextIO]:
    """Give stdout for a drawing; all of it has been written when the block is left.

    What stdout's encoding cannot say is replaced. A reader that went away is a BrokenPipeError, as ever.

    Raises:
        UsageError: it is closed.
        OutputError: it takes no more.
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
    """Let what is still to be written go nowhere, so that nothing is tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def print_stderr(message: str) -> None:
    """Say one line on stderr, whatever is in it."""
    print(f"seqthink: {one_line(message)}", file=sys.stderr)


def is_terminal() -> bool:
    """Whether a person looks at stdout, on a terminal that can be drawn on."""
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") not in {"dumb", "unknown"}
