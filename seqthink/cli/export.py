"""`seqthink export`: writes a session in a format for other programs."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.cli.common import CommandParser, decoder_for, output, print_stderr
from seqthink.cli.fleet.options import add_fleet
from seqthink.cli.option_values import MAX_SPEED, MIN_SPEED, idle_seconds, replay_speed, terminal_size
from seqthink.cli.overview.wanted_sessions import add_wanted
from seqthink.cli.progress import WritingProgress, progress
from seqthink.core.errors import UsageError
from seqthink.core.text import MAX_RENDERED_CHARS
from seqthink.share.export.formats import FORMATS, RECORDING_SUFFIXES, RECORDINGS, SUFFIXES, format_writer

if TYPE_CHECKING:
    from seqthink.chain.session_texts import SessionTexts
    from seqthink.share.recordings.recording import Recording


DEFAULT_FORMAT = "md"
DEFAULT_SIZE, DEFAULT_SPEED, DEFAULT_IDLE_SECONDS, DEFAULT_CAST_VERSION = (100, 30), 1.0, 2.0, 2
"""The terminal and the pace of a recording, and the version of its file."""
_NAMES, _SUFFIXES = FORMATS | RECORDINGS, SUFFIXES | RECORDING_SUFFIXES
_FOR_SOME = {
    "theme": ("svg", *RECORDINGS),
    "size": RECORDINGS,
    "speed": RECORDINGS,
    "idle_limit": RECORDINGS,
    "cast_version": ("cast",),
}
"""The formats of the options that not every format takes."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "export",
        "seqthink export last -o session.html",
        "seqthink export last --redact -o session.html",
        "seqthink export last --format cast -o session.cast",
        notes=f"A text of more than {MAX_RENDERED_CHARS:,} characters is not rendered as Markdown.",
    )
    parser.add_session(default=None)
    add_wanted(parser, "choose")
    add_fleet(parser)
    parser.add_argument(
        "--format",
        metavar="|".join(_NAMES),
        help="the format (default: by the ending of F, else md)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="F|FOLDER",
        help="the file to write, or a folder for it (default: -, for stdout)",
    )
    parser.add_argument("--force", action="store_true", help="replace F if it exists")
    parser.add_argument(
        "--theme", choices=("dark", "light"), help="the colours of an SVG or a recording (default: dark)"
    )
    _add_recording_options(parser)
    parser.add_shown()
    parser.add_redact()
    return parser


def _add_recording_options(parser: CommandParser) -> None:
    columns, lines = DEFAULT_SIZE
    parser.add_argument(
        "--size",
        type=terminal_size,
        metavar="WxH",
        help=f"of a recording: the terminal's size (default: {columns}x{lines})",
    )
    parser.add_argument(
        "--speed",
        type=replay_speed,
        metavar="X",
        help=f"of a recording: playback speed, from {MIN_SPEED} to {MAX_SPEED} (default: {DEFAULT_SPEED:g})",
    )
    parser.add_argument(
        "--idle-limit",
        type=idle_seconds,
        metavar="S",
        help=f"of a recording: the longest pause, in seconds, at any speed (default: {DEFAULT_IDLE_SECONDS:g})",
    )
    parser.add_argument(
        "--cast-version",
        type=int,
        choices=(2, 3),
        help=f"of a cast: the version of the format (default: {DEFAULT_CAST_VERSION})",
    )


def run(arguments: list[str]) -> int:
    """Write a session to stdout, to a file or into a folder; an existing file is replaced only with `--force`."""
    options = make_parser().parse_args(arguments)
    folder = _folder(options.output)
    form = _format(options, folder)
    to_stdout = options.output in {None, "-"}
    _check_options(options, form, to_stdout=to_stdout)
    # Not needed for Tab or help.
    from seqthink.cli.journal_output import read_journal
    from seqthink.cli.session_reference import journal_path

    path = journal_path(options)
    with progress(to_stdout=to_stdout) as shown:
        texts = read_journal(path, decoder_for(options), options.shown)
        if form in RECORDINGS:
            pieces = _recording_pieces(form, path, options, shown)
        else:
            pieces = format_writer(form, is_light=options.theme == "light")(texts)
        if not to_stdout:
            _write_to(options, folder, form, texts, shown.writing(pieces), path)
            return 0
        if not options.format:
            _say_format(texts)
        with output() as out:
            if hasattr(out, "reconfigure"):
                # An HTML page names its own encoding, whatever the locale.
                out.reconfigure(encoding="utf-8")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - checked just above
            out.writelines(shown.writing(piece for piece in pieces if isinstance(piece, str)))
    return 0


def _say_format(texts: "SessionTexts") -> None:
    from seqthink.drawing.describe.session import session_name

    others = ", ".join(name for name in _NAMES if name != DEFAULT_FORMAT)
    print_stderr(f"export: {session_name(texts.session)} as Markdown; --format takes {others}, too")


def _write_to(
    options: argparse.Namespace,
    folder: Path | None,
    form: str,
    texts: "SessionTexts",
    pieces: Iterable[str | bytes],
    journal: Path,
) -> None:
    """Write the named file, or one into the named folder, whose name is printed."""
    from seqthink.core.saving import write_file
    from seqthink.journal.journal_file import holds_events
    from seqthink.share.export.file_names import export_paths, unused_paths

    target = Path(options.output)
    if folder is not None:
        paths = export_paths if options.force else unused_paths
        target = next(paths(folder, texts.session, _NAMES[form]))
    write_file(target, pieces, journal=journal, may_replace=options.force, is_journal=holds_events)
    if folder is not None:
        print_stderr(f"export: wrote {target}")


def _folder(place: str | None) -> Path | None:
    """Return the folder that `--output` names, if it does.

    Raises:
        UsageError: it is written as a folder, and there is none.
    """
    folder = os.path.expanduser(place or "")  # noqa: PTH111 - pathlib drops the separator at the end
    if folder and os.path.isdir(folder):  # noqa: PTH112 - never raises
        return Path(folder)
    if folder.endswith(("/", os.sep)):
        raise UsageError(f"export: there is no folder {place}; make it first, or name a file")
    return None


def _format(options: argparse.Namespace, folder: Path | None) -> str:
    """Return the name of the format: that of the option, else of the file's ending, else Markdown.

    Raises:
        UsageError: the file's ending names none.
    """
    if options.format:
        return options.format
    if folder is not None or options.output in {None, "-"}:
        return DEFAULT_FORMAT
    named = _SUFFIXES.get(Path(options.output).suffix.lower())
    if named is None:
        formats = ", ".join(_NAMES)
        raise UsageError(f"export: {options.output} does not name a known format; choose one with --format: {formats}")
    return named


def _check_options(options: argparse.Namespace, form: str, *, to_stdout: bool) -> None:
    """Raise unless the format is known, takes the options that are given, and may be written where it goes.

    Raises:
        UsageError: it is not so.
    """
    if form not in _NAMES:
        raise UsageError(f"export: unknown format {form[:40]!r}; choose from: {', '.join(_NAMES)}")
    for name, forms in _FOR_SOME.items():
        if getattr(options, name) is not None and form not in forms:
            raise UsageError(f"export: --{name.replace('_', '-')} is for {', '.join(forms)}, not for {form}")
    if to_stdout and form == "gif":
        raise UsageError("export: a GIF is written to a file only; name it with -o")
    if to_stdout and form == "cast" and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("export: a cast is not for reading on a terminal; name a file with -o")
    if form == "gif":
        from seqthink.share.recordings.gif import find_program

        find_program()


def _recording_pieces(
    form: str, path: Path, options: argparse.Namespace, shown: WritingProgress
) -> Iterator[str | bytes]:
    """Yield the contents of the file, when the first of them is wanted: the target may refuse them all."""
    shown.name_task("recording")
    recording = _record(path, options, lambda share: shown.name_task(f"recording, {share:.0%}"))
    if form == "cast":
        from seqthink.share.recordings.asciicast import asciicast

        yield from asciicast(recording, options.cast_version or DEFAULT_CAST_VERSION)
    elif form == "gif":
        from seqthink.share.recordings.gif import gif

        shown.name_task("drawing the GIF")
        yield from gif(recording)
    else:
        from seqthink.share.recordings.animated_svg import animated_svg

        yield from animated_svg(recording)


def _record(path: Path, options: argparse.Namespace, report: Callable[[float], object]) -> "Recording":
    from seqthink.cli import viewer  # only for a recording

    return viewer.record(
        path,
        size=options.size or DEFAULT_SIZE,
        speed=options.speed or DEFAULT_SPEED,
        idle_limit=options.idle_limit or DEFAULT_IDLE_SECONDS,
        theme=options.theme or "dark",
        decode=decoder_for(options),
        shown=options.shown,
        report=report,
    )
