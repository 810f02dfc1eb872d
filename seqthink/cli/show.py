"""`seqthink show`: the tree of a session as plain text on stdout, and nothing else there."""

from seqthink.cli.common import Parser, drawing_signs, drawing_width, output, say
from seqthink.cli.reading import journal_path, lines, not_read, read_journal


def run(arguments: list[str]) -> int:
    """Print the drawing of a journal as it is now; what could not be read is told on stderr after it."""
    parser = Parser("show", "Print the tree of a session as plain text.", "seqthink show last --width 100 | less")
    parser.add_session()
    parser.add_drawing()
    options = parser.parse_args(arguments)
    texts = read_journal(journal_path(options))
    with output() as out:
        for line in lines(texts.session, texts, width=drawing_width(options), signs=drawing_signs(options)):
            print(line, file=out)
    for sentence in not_read(texts.session, texts.corrupt):
        say(sentence)
    return 0
