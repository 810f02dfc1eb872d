"""`seqthink show`: the tree or timeline of a session as plain text on stdout, and nothing else there."""

from seqthink.cli.common import Parser, drawing_signs, drawing_width, output, say


def run(arguments: list[str]) -> int:
    """Print the drawing of a journal as it is now; what could not be read is told on stderr after it."""
    parser = Parser("show", "Print the tree of a session as plain text.", "seqthink show last --width 100 | less")
    parser.add_session()
    parser.add_drawing()
    parser.add_argument("--timeline", action="store_true", help="in order of arrival instead, branches as lanes")
    options = parser.parse_args(arguments)
    from seqthink.cli.reading import journal_path, lines, not_read, read_journal

    texts = read_journal(journal_path(options))
    width, signs = drawing_width(options), drawing_signs(options)
    with output() as out:
        for line in lines(texts.session, texts, width=width, signs=signs, is_timeline=options.timeline):
            print(line, file=out)
    for sentence in not_read(texts.session, texts.corrupt):
        say(sentence)
    return 0
