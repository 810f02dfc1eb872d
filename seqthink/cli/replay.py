"""`seqthink replay`: a saved session at any point; on a terminal in the viewer, in a pipe as it was drawn then."""

import argparse

from seqthink.cli.common import Parser, drawing_signs, drawing_width, is_terminal, looks, output, say, whole_number
from seqthink.errors import UsageError
from seqthink.events import Writer


def run(arguments: list[str]) -> int:
    """Show a journal as it was at one of its thoughts."""
    parser = Parser("replay", "Show a saved session, at any point of it.", "seqthink replay last --at 7")
    parser.add_session()
    parser.add_argument(
        "--at",
        type=_moment,
        metavar="N|end",
        help="as it was when the N-th thought had just come (default: end)",
    )
    parser.add_drawing()
    parser.add_looks()
    options = parser.parse_args(arguments)
    from seqthink.cli.reading import journal_path, lines, not_read, read_journal

    path, signs = journal_path(options), drawing_signs(options)
    if is_terminal():
        from seqthink.cli import screen
        from seqthink.journal.source import refuse_foreign

        refuse_foreign(path)
        return screen.replay(path, at=options.at or None, **looks(options))
    texts = read_journal(path)
    session = texts.session
    if options.at:
        if options.at > session.length:
            raise UsageError(f"replay: there is no thought {options.at}; the session has {session.length}")
        if options.at < session.length:
            # More came, so at that moment it was thinking, however it ended.
            session = session.at_thought(options.at).with_writer(Writer.ALIVE)
    with output() as out:
        for line in lines(session, texts, width=drawing_width(options), signs=signs):
            print(line, file=out)
    for sentence in not_read(texts.session, texts.corrupt):
        say(sentence)
    return 0


def _moment(text: str) -> int:
    """Return the number of a thought; 0 stands for the end."""
    if text == "end":
        return 0
    try:
        return whole_number(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, or `end`, got {text[:40]!r}") from None
