"""`seqthink replay`: plays a saved session; in a pipe, prints it as it was at one of its thoughts."""

import argparse
from typing import TYPE_CHECKING

from seqthink.cli.common import (
    CommandParser,
    decoder_for,
    drawing_signs,
    drawing_width,
    is_terminal,
    output,
    print_stderr,
    report_wrong_lines,
    viewer_options,
)
from seqthink.cli.fleet.options import add_fleet
from seqthink.cli.option_values import MAX_SPEED, MIN_SPEED, idle_seconds, replay_speed, whole_number
from seqthink.cli.overview.wanted_sessions import add_wanted
from seqthink.cli.preferences import preferences_of
from seqthink.cli.progress import progress
from seqthink.core.errors import UsageError
from seqthink.core.events import WriterState

if TYPE_CHECKING:
    from seqthink.chain.session import Session


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "replay", "seqthink replay last", "seqthink replay last --speed 4", "seqthink replay last --at 4"
    )
    parser.add_session(links=True)
    add_wanted(parser, "choose")
    add_fleet(parser)
    parser.add_argument(
        "--at",
        type=_thought_number,
        metavar="N|end",
        help="pause at the N-th thought that arrived (default in a pipe: end)",
    )
    parser.add_argument("--number", type=whole_number, metavar="N", help="pause at the thought with this number")
    parser.add_argument(
        "--speed",
        type=replay_speed,
        default=1.0,
        metavar="X",
        help=f"playback speed, from {MIN_SPEED} to {MAX_SPEED} (default: 1)",
    )
    parser.add_argument(
        "--idle-limit",
        type=idle_seconds,
        default=4.0,
        metavar="S",
        help="wait at most this many seconds for a thought (default: 4)",
    )
    parser.add_argument("--loop", action="store_true", help="repeat it endlessly")
    parser.add_drawing()
    parser.add_viewer_options()
    parser.add_shown()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Play a journal at its own speed."""
    options = make_parser().parse_args(arguments)
    # Not needed for Tab or help.
    from seqthink.cli.journal_output import read_journal, unread_messages
    from seqthink.cli.session_reference import journal_path, take_link

    seq = take_link(options)
    if [options.at is not None, options.number is not None, seq > 0].count(True) > 1:
        raise UsageError("replay: --at, --number and a link each name a thought; give one of them")
    path, signs = journal_path(options), drawing_signs(options)
    if is_terminal():
        from seqthink.cli import viewer  # only on a terminal
        from seqthink.journal.journal_file import require_journal

        require_journal(path)
        return viewer.replay(
            path,
            at=options.at,
            number=options.number or 0,
            seq=seq,
            speed=options.speed,
            idle_limit=options.idle_limit,
            is_looping=options.loop,
            **viewer_options(options),
        )
    from seqthink.drawing.plain import overview_lines  # not needed on a terminal

    report_wrong_lines(preferences_of(options))
    with progress() as shown:
        texts = read_journal(path, decoder_for(options), options.shown)
        session = texts.session
        arrival = _arrival(session, options, seq)
        if 0 < arrival < session.thought_count:
            # Thoughts follow, so the session was still alive then, however it ended.
            session = session.at_thought(arrival).with_writer(WriterState.ALIVE)
        lines = overview_lines(texts.at_position(session), width=drawing_width(options), signs=signs)
        with output() as out:
            out.writelines(shown.writing(f"{line}\n" for line in lines))
    for sentence in unread_messages(texts.session, texts.corrupt_lines):
        print_stderr(sentence)
    return 0


def _arrival(session: "Session", options: argparse.Namespace, seq: int) -> int:
    """Return the place in order of arrival, from 1, of the thought that the command line names; 0 for the end.

    Raises:
        UsageError: there is no such thought.
    """
    # Not needed for Tab or help.
    from seqthink.chain.model import NONE
    from seqthink.chain.query import thought_with_number
    from seqthink.cli.journal_output import linked_thought

    if seq:
        return linked_thought(session, seq) + 1
    if options.number:
        count = session.thought_count
        index = thought_with_number(session, options.number, count - 1) if count else NONE
        if index == NONE:
            raise UsageError(f"replay: no thought has the number {options.number}; `seqthink show` prints the numbers")
        return index + 1
    if options.at and options.at > session.thought_count:
        count = session.thought_count
        raise UsageError(
            f"replay: no thought {options.at}; the session has {count}, and --at counts them in order of arrival"
        )
    return options.at or 0


def _thought_number(text: str) -> int:
    """Return the number of a thought as ``--at`` counts them, in order of arrival; 0 means the end."""
    if text == "end":
        return 0
    try:
        return whole_number(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, or `end`, got {text[:40]!r}") from None
