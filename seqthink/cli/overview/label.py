"""`seqthink label`: names, tags and pins a session, and comments on its thoughts; prints what is kept about it."""

import argparse
import json
import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from seqthink.cli.common import CommandParser, decoder_for
from seqthink.cli.option_values import journal_folder
from seqthink.cli.preferences import preferences_of
from seqthink.cli.standard_output import output
from seqthink.core import system
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.core.labels import MAX_COMMENT_CHARS, MAX_TAG_CHARS, Comment, SessionLabels, tag_of
from seqthink.core.text import one_line, sanitize

if TYPE_CHECKING:
    from seqthink.chain.session import Session
    from seqthink.library.viewer_store.label_book import LabelBook

_THOUGHT = re.compile(r"(?:#?e(?P<seq>[1-9]\d{0,15})|(?P<number>[1-9]\d{0,15}))")


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "label",
        "seqthink label last",
        "seqthink label last --name 'Hourly 502s' --tag prod --pin",
        "seqthink label last --comment 6 'Why not the cache?'",
        notes="Labels are kept beside what the viewer keeps, never in the journal. An empty name or comment takes "
        "yours away. A pinned session is not pruned.",
    )
    parser.add_session(default=None)
    parser.add_argument("--name", metavar="N", help="the name that replaces the shown one; '' for its own name again")
    parser.add_argument("--tag", action="append", default=[], metavar="T", help="add a tag (can be repeated)")
    parser.add_argument("--untag", action="append", default=[], metavar="T", help="take a tag away (can be repeated)")
    pins = parser.add_mutually_exclusive_group()
    pins.add_argument("--pin", dest="pin", action="store_const", const=True, help="list it first, never prune it")
    pins.add_argument("--unpin", dest="pin", action="store_const", const=False, help="take the pin away")
    parser.add_argument(
        "--comment",
        nargs=2,
        metavar=("THOUGHT", "TEXT"),
        help="write your comment on a thought: its number, or its entry as in links, such as e41",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_redact()
    return parser


def run(arguments: list[str]) -> int:
    """Change the labels of a session, and print them."""
    options = make_parser().parse_args(arguments)
    # Not needed for Tab or help.
    from seqthink.cli.journal_output import read_journal
    from seqthink.cli.session_reference import resolve_session
    from seqthink.library.viewer_store.label_book import label_book_of

    book = label_book_of(os.environ)
    if book is None:
        raise UsageError("the home folder (~) is unknown; give the whole path in SEQTHINK_HOME")
    _check(options)
    path = resolve_session(options.session, journal_folder(options))
    session = read_journal(path, decoder_for(options)).session
    key = path.stem
    try:
        _change(options, book, key, session)
        shown = label_book_of(os.environ, is_redacted=options.redact) or book
        labels = shown.of(key)
    except OSError as error:
        raise SeqthinkError(f"nothing was kept: {(error.strerror or str(error)).lower()}") from error
    with output() as out:
        (_print_json if options.json else _print_text)(key, session.with_writer(session.writer, labels), out)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what could not be kept as it is written.

    Raises:
        UsageError: a tag or a comment cannot be kept.
    """
    for tag in (*options.tag, *options.untag):
        if not tag_of(tag) or len(tag) > MAX_TAG_CHARS:
            raise UsageError(f"label: {tag[:MAX_TAG_CHARS]!r} is not a tag; a tag has 1 to {MAX_TAG_CHARS} characters")
    if options.comment is not None and len(options.comment[1]) > MAX_COMMENT_CHARS:
        raise UsageError(f"label: the comment is too long: at most {MAX_COMMENT_CHARS:,} characters")


def _change(options: argparse.Namespace, book: "LabelBook", key: str, session: "Session") -> None:
    # the thought first: if there is none, nothing is changed
    comment = _comment(options, session) if options.comment is not None else None
    if options.name is not None:
        book.name(key, options.name)
    book.tag(key, add=options.tag, remove=options.untag)
    if options.pin is not None:
        book.pin(key, is_pinned=options.pin)
    if comment is not None:
        book.comment(key, comment)


def _comment(options: argparse.Namespace, session: "Session") -> Comment:
    from seqthink.chain.model import NONE
    from seqthink.chain.query import thought_with_number
    from seqthink.cli.journal_output import linked_thought
    from seqthink.core.times import microseconds_of

    thought, text = options.comment
    found = _THOUGHT.fullmatch(thought)
    if found is None:
        raise UsageError(f"label: {thought[:40]!r} is not a thought; give its number, or its entry, such as e41")
    if found["seq"]:
        index = linked_thought(session, int(found["seq"]))
    else:
        count = session.thought_count
        index = thought_with_number(session, int(found["number"]), count - 1) if count else NONE
        if index == NONE:
            raise UsageError(f"label: no thought has the number {found['number']}; `seqthink show` prints them")
    now = microseconds_of(datetime.now(UTC))  # noqa: TID251 - the edge reads the clock
    by = preferences_of(options).author or system.person_name()
    thoughts = session.thoughts
    return Comment(seq=thoughts.seq_of(index), number=thoughts.number_of(index), text=text, by=by, time=now)


def _print_json(key: str, session: "Session", out: TextIO) -> None:
    out.write(json.dumps(_fields(key, session), indent=1) + "\n")


def _fields(key: str, session: "Session") -> dict[str, Any]:
    from seqthink.core.times import datetime_of
    from seqthink.journal.encode import format_time

    labels = session.labels
    return {
        "session": key,
        "name": labels.name or None,
        "original": _original(session),
        "tags": list(labels.tags),
        "pinned": labels.is_pinned,
        "comments": [
            {
                "seq": comment.seq,
                "number": comment.number or None,
                "by": comment.by or None,
                "own": comment.is_own,
                "time": format_time(datetime_of(comment.time)) if comment.time else None,
                "text": comment.text,
            }
            for comment in labels.comments
        ],
    }


def _original(session: "Session") -> str:
    from seqthink.drawing.describe.session import session_name

    return session_name(session.with_writer(session.writer, SessionLabels()))


def _print_text(key: str, session: "Session", out: TextIO) -> None:
    from seqthink.drawing.describe.comments import comment_author, comment_time

    labels = session.labels
    name, original = one_line(labels.name), _original(session)
    print(f"{name} (was {original})" if name else original, file=out)
    print(f"id      {one_line(key)}", file=out)
    print(f"tags    {', '.join(map(one_line, labels.tags)) or 'none'}", file=out)
    print(f"pinned  {'yes' if labels.is_pinned else 'no'}", file=out)
    for comment in labels.comments:
        number = f"on {comment.number}" if comment.number else "on a thought"
        facts = (number, f"e{comment.seq}", comment_author(comment), comment_time(comment))
        print(f"\n{' · '.join(filter(None, facts))}", file=out)
        for line in sanitize(comment.text).splitlines():
            print(f"  {line}", file=out)
