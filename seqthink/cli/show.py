"""`seqthink show`: prints the tree or timeline of a session as plain text."""

from itertools import chain

from seqthink.cli.common import CommandParser, decoder_for, drawing_signs, drawing_width, output, print_stderr
from seqthink.cli.fleet.options import add_fleet
from seqthink.cli.overview.wanted_sessions import add_wanted
from seqthink.cli.progress import progress


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser("show", "seqthink show last", "seqthink show last --full", "seqthink show last --timeline")
    parser.add_session(links=True)
    add_wanted(parser, "choose")
    add_fleet(parser)
    parser.add_drawing()
    parser.add_argument("--timeline", action="store_true", help="show the order of arrival, with branches as lanes")
    parser.add_argument(
        "--full",
        action="store_true",
        help="add every thought in full, with its attachments (with a link: only that thought)",
    )
    parser.add_shown()
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Print the drawing of a journal, then warnings about unread lines on stderr."""
    options = make_parser().parse_args(arguments)
    # Not needed for Tab or help.
    from seqthink.chain.model import NONE
    from seqthink.cli.journal_output import linked_thought, read_journal, unread_messages
    from seqthink.cli.session_reference import journal_path, take_link
    from seqthink.drawing.plain import full_text_lines, overview_lines

    seq = take_link(options)
    width, signs = drawing_width(options), drawing_signs(options)
    is_timeline = options.timeline
    with progress() as shown:
        texts = read_journal(journal_path(options), decoder_for(options), options.shown)
        selected = linked_thought(texts.session, seq) if seq else NONE
        lines = overview_lines(texts, width=width, signs=signs, is_timeline=is_timeline, selected=selected)
        if options.full:
            in_full = full_text_lines(texts, width=width, signs=signs, is_timeline=is_timeline, selected=selected)
            lines = chain(lines, in_full)
        with output() as out:
            out.writelines(shown.writing(f"{line}\n" for line in lines))
    for sentence in unread_messages(texts.session, texts.corrupt_lines):
        print_stderr(sentence)
    return 0
