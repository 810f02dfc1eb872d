"""`seqthink export`: writes a session in a format for other programs."""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.cli.common import CommandParser, decoder_for, output
from seqthink.cli.fleet.options import add_fleet
from seqthink.cli.progress import progress
from seqthink.errors import UsageError
from seqthink.export.formats import FORMATS, SUFFIXES, format_writer
from seqthink.text import MAX_RENDERED_CHARS

if TYPE_CHECKING:
    from seqthink.chain.session_texts import SessionTexts


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
        help="the format (default: from the ending of F)",
    )
    parser.add_argument("-o", "--output", metavar="F", help="the file to write (default: -, for stdout)")
    parser.add_argument("--force", action="store_true", help="replace F if it exists (default: refuse)")
    parser.add_argument("--theme", choices=("dark", "light"), help="the colours of an SVG (default: dark)")
    parser.add_shown()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Write a session to stdout or to a file; an existing file is replaced only with `--force`."""
    options = make_parser().parse_args(arguments)
    write = _writer(options)
    # Not needed for Tab or help.
    from seqthink.cli.journal_output import journal_path, read_journal
    from seqthink.saving import write_file

    path, to_stdout = journal_path(options), options.output in {None, "-"}
    with progress(to_stdout=to_stdout) as shown:
        pieces = shown.writing(write(read_journal(path, decoder_for(options), options.shown)))
        if to_stdout:
            with output() as out:
                if hasattr(out, "reconfigure"):
                    # An HTML page names its own encoding, whatever the locale.
                    out.reconfigure(encoding="utf-8")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - checked just above
                out.writelines(pieces)
        else:
            write_file(Path(options.output), pieces, journal=path, may_replace=options.force)
    return 0


def _writer(options: argparse.Namespace) -> "Callable[[SessionTexts], Iterable[str]]":
    """Return the writer of the chosen format.

    Raises:
        UsageError: the format is unknown, or none was chosen.
    """
    wanted = options.format or SUFFIXES.get(Path(options.output or "").suffix.lower())
    if wanted is None:
        hint = f"{options.output} does not name a known format; " if options.output not in {None, "-"} else ""
        raise UsageError(f"export: {hint}choose one with --format: {', '.join(FORMATS)}")
    if options.theme and wanted in FORMATS and wanted != "svg":
        raise UsageError(f"export: --theme is for svg, not for {wanted}")
    try:
        return format_writer(wanted, is_light=options.theme == "light")
    except UsageError as error:
        raise UsageError(f"export: {error}") from None
