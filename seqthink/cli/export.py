"""`seqthink export`: writes a session in a format for other programs."""

import argparse
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.cli.common import CommandParser, decoder_for, output, print_stderr
from seqthink.cli.fleet.options import add_fleet
from seqthink.cli.progress import progress
from seqthink.core.errors import UsageError
from seqthink.core.text import MAX_RENDERED_CHARS
from seqthink.share.export.formats import FORMATS, SUFFIXES, format_writer

if TYPE_CHECKING:
    from seqthink.chain.session_texts import SessionTexts


DEFAULT_FORMAT = "md"


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "export",
        "Write a session as Markdown, HTML, Mermaid, SVG or JSON. "
        f"Markdown of more than {MAX_RENDERED_CHARS:,} characters is not rendered.",
        "seqthink export last -o session.md",
    )
    parser.add_session(default=None)
    add_fleet(parser)
    parser.add_argument(
        "--format",
        metavar="|".join(FORMATS),
        help="the format (default: from the ending of F, else md)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="F|FOLDER",
        help="the file to write, or a folder for one named by the session (default: -, for stdout)",
    )
    parser.add_argument("--force", action="store_true", help="replace F if it exists (default: refuse)")
    parser.add_argument("--theme", choices=("dark", "light"), help="the colours of an SVG (default: dark)")
    parser.add_shown()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Write a session to stdout, to a file or into a folder; an existing file is replaced only with `--force`."""
    options = make_parser().parse_args(arguments)
    folder = _folder(options.output)
    form = _format(options, folder)
    write = _writer(form, options.theme)
    # Not needed for Tab or help.
    from seqthink.cli.journal_output import read_journal
    from seqthink.cli.session_reference import journal_path

    path, to_stdout = journal_path(options), options.output in {None, "-"}
    with progress(to_stdout=to_stdout) as shown:
        texts = read_journal(path, decoder_for(options), options.shown)
        pieces = shown.writing(write(texts))
        if not to_stdout:
            _write_to(options, folder, form, texts, pieces, path)
            return 0
        if not options.format:
            _say_format(texts)
        with output() as out:
            if hasattr(out, "reconfigure"):
                # An HTML page names its own encoding, whatever the locale.
                out.reconfigure(encoding="utf-8")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - checked just above
            out.writelines(pieces)
    return 0


def _say_format(texts: "SessionTexts") -> None:
    from seqthink.drawing.describe.session import session_name

    others = ", ".join(name for name in FORMATS if name != DEFAULT_FORMAT)
    print_stderr(f"export: {session_name(texts.session)} as Markdown; --format takes {others}, too")


def _write_to(
    options: argparse.Namespace,
    folder: Path | None,
    form: str,
    texts: "SessionTexts",
    pieces: Iterable[str],
    journal: Path,
) -> None:
    """Write the named file, or one into the named folder, whose name is printed."""
    from seqthink.core.saving import write_file
    from seqthink.journal.journal_file import holds_events
    from seqthink.share.export.file_names import export_paths, unused_paths

    target = Path(options.output)
    if folder is not None:
        paths = export_paths if options.force else unused_paths
        target = next(paths(folder, texts.session, FORMATS[form]))
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
    named = SUFFIXES.get(Path(options.output).suffix.lower())
    if named is None:
        formats = ", ".join(FORMATS)
        raise UsageError(f"export: {options.output} does not name a known format; choose one with --format: {formats}")
    return named


def _writer(form: str, theme: str | None) -> "Callable[[SessionTexts], Iterable[str]]":
    """Return the writer of a format.

    Raises:
        UsageError: the format is unknown, or has no theme.
    """
    if theme and form in FORMATS and form != "svg":
        raise UsageError(f"export: --theme is for svg, not for {form}")
    try:
        return format_writer(form, is_light=theme == "light")
    except UsageError as error:
        raise UsageError(f"export: {error}") from None
