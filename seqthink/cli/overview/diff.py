"""`seqthink diff`: two sessions side by side: what both thought, where they part, what only one considered."""

import argparse
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.cli.common import (
    SESSION_HELP,
    CommandParser,
    decoder_for,
    drawing_signs,
    drawing_width,
    output,
    print_stderr,
)
from seqthink.cli.fleet.options import add_fleet
from seqthink.cli.progress import WritingProgress, progress
from seqthink.core.errors import UsageError

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from seqthink.chain.comparison.side_facts import ComparedSessions
    from seqthink.library.session_comparing import ReadSession


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "diff",
        "seqthink diff last 20261120",
        "seqthink diff before.jsonl after.jsonl --html diff.html",
        "seqthink diff A B --json",
        notes="Prompts are aligned first, then the thoughts between them by the words that they share.",
    )
    parser.add_argument("a", metavar="SESSION|FILE", help=SESSION_HELP)
    parser.add_argument("b", metavar="SESSION|FILE", help="the other session, named alike")
    add_fleet(parser)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print one JSON object")
    forms.add_argument("--html", metavar="F", help="write a page to a file; - for stdout")
    parser.add_argument("--force", action="store_true", help="with --html: replace F if it exists")
    parser.add_argument("--full", action="store_true", help="show every text to its end, also those that are the same")
    parser.add_drawing()
    parser.add_shown()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Compare two sessions, and print or write the comparison."""
    options = make_parser().parse_args(arguments)
    if options.force and options.html in {None, "-"}:
        raise UsageError("diff: --force is for a file that --html names")
    paths = _paths(options)
    to_stdout = options.html in {None, "-"}
    with progress(to_stdout=to_stdout) as shown:
        sessions = _compared(options, paths, shown)
        pieces = shown.writing(_pieces(sessions, options))
        if to_stdout:
            with output() as out:
                if options.html and hasattr(out, "reconfigure"):
                    # A page names its own encoding, whatever the locale.
                    out.reconfigure(encoding="utf-8")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - checked just above
                out.writelines(pieces)
        else:
            _write(Path(options.html), pieces, paths, may_replace=options.force)
    _say_unread(sessions)
    return 0


def _paths(options: argparse.Namespace) -> list[Path]:
    """Return the journals that the command line names."""
    from seqthink.cli.session_reference import journal_path  # not needed for Tab or help

    found: list[Path] = []
    for name in (options.a, options.b):
        options.session = name
        found.append(journal_path(options))
    return found


def _compared(options: argparse.Namespace, paths: list[Path], shown: WritingProgress) -> "ComparedSessions":
    from seqthink.library.session_comparing import compare_sessions  # not needed for Tab or help

    left, right = (_read(path, options) for path in paths)
    shown.name_task("comparing")
    return compare_sessions(left, right)


def _read(path: Path, options: argparse.Namespace) -> "ReadSession":
    # Not needed for Tab or help.
    from seqthink.chain.native.switchable_fold import Shown
    from seqthink.cli.journal_output import kept_labels
    from seqthink.library.session_comparing import read_session

    try:
        decode = decoder_for(options)
        shown = Shown(options.shown) if options.shown else None
        return read_session(path, decode, shown=shown, labels=kept_labels(path, decode))
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def _pieces(sessions: "ComparedSessions", options: argparse.Namespace) -> Iterator[str]:
    # Not needed for Tab or help, and each only for its form.
    if options.json:
        from seqthink.share.comparison.document import document_text

        yield from document_text(sessions)
    elif options.html:
        from seqthink.share.comparison.page import comparison_html

        yield from comparison_html(sessions)
    else:
        from seqthink.drawing.plain import comparison_lines

        zone = datetime.now().astimezone().tzinfo or UTC  # noqa: TID251 - the edge knows the time zone
        width, signs = drawing_width(options), drawing_signs(options)
        for line in comparison_lines(sessions, width=width, zone=zone, signs=signs, is_full=options.full):
            yield f"{line}\n"


def _write(target: Path, pieces: Iterable[str], journals: list[Path], *, may_replace: bool) -> None:
    from seqthink.core.saving import write_file
    from seqthink.journal.journal_file import holds_events

    write_file(target, pieces, journal=journals[0], may_replace=may_replace, is_journal=holds_events)


def _say_unread(sessions: "ComparedSessions") -> None:
    from seqthink.drawing.describe.unread import unread_phrases  # not needed for Tab or help

    for letter, side in (("A", sessions.left), ("B", sessions.right)):
        for phrase in unread_phrases(side.texts.session):
            print_stderr(f"{letter}: {phrase}")
