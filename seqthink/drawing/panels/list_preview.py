"""What the session list says about the selected one: some lines below it, or a page beside it on a broad screen."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from seqthink.chain.attention import Attention
from seqthink.core.text import plain_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.context_use import context_words
from seqthink.drawing.describe.session import ListedSession, repository_words
from seqthink.drawing.describe.status import standing_words
from seqthink.drawing.panels.list_rows import ListClock, shown_name
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.glyphs import DOWN, UNICODE, UP, Signs
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans
from seqthink.drawing.text.wrap import wrap

MIN_CELLS_WITH_PAGE, MIN_LIST_CELLS, MAX_PAGE_CELLS = 160, 100, 80
"""From which width of the screen a page is beside the list; the cells that the list keeps, and the page has."""


def page_width(width: int) -> int:
    """Return the width of the page beside a list on a screen of ``width`` cells; 0 for lines below the list."""
    return min(MAX_PAGE_CELLS, width - MIN_LIST_CELLS) if width >= MIN_CELLS_WITH_PAGE else 0


def session_preview(
    listed: ListedSession | None, cells: int, lines: int, *, clock: ListClock, home: str = "", signs: Signs = UNICODE
) -> list[Spans]:
    """Return at most ``lines`` lines about the selected session: what it asks, else its newest thought, and its facts.

    Args:
        listed: the session; None if none is selected.
        cells: width of a line.
        lines: how many lines there are.
        clock: what ages are counted from.
        home: the user's home folder, shown as ``~``.
        signs: the character set.
    """
    start = Span(f"{signs.rule * 2} ", Role.LINE)
    if listed is None or lines < 1:
        return [rule([start], "", cells, signs)][:lines]
    separator = f" {signs.separator} "
    count = units.count(listed.thoughts, "thought") if listed.is_counted and not listed.turns else ""
    name = cut(shown_name(listed, signs), max(12, cells // 2), signs.ellipsis)
    heading = rule(
        [start, Span(name, Role.TEXT, BOLD)], separator.join(filter(None, (listed.progress, count))), cells, signs
    )
    known_as = f"was {listed.labels.original_name}" if listed.labels.original_name else ""
    context = context_words(listed.context) if listed.context is not None else ""
    facts = (
        known_as,
        listed.host,
        repository_words(listed),
        listed.client,
        listed.model,
        context,
        _started(listed, clock),
        _short_folder(listed.place.folder, home),
    )
    known = Span(" " + cut(separator.join(filter(None, facts)), cells - 2, signs.ellipsis), Role.MUTED)
    texts = islice(_newest_lines(listed, cells, clock, signs), max(0, lines - 2))
    return [heading, [known], *texts][:lines]


def _newest_lines(listed: ListedSession, cells: int, clock: ListClock, signs: Signs) -> Iterable[Spans]:
    standing = listed.standing
    if standing.needs_person:
        question = standing.question if standing.attention is Attention.ASKING else ""
        words = plain_line(question, signs.separator) or standing_words(standing, signs, clock.now, clock.stale_seconds)
        for line in wrap(f"{signs.attention} {words}", cells - 2):
            yield [Span(" "), Span(line, Role.WARN)]
    number = f"{listed.newest_number}  " if listed.newest_number else ""
    newest = plain_line(listed.newest, signs.separator) or listed.title
    for place, line in enumerate(wrap(newest, cells - 2 - len(number))):
        yield [Span(" " + (number if not place else " " * len(number)), Role.MUTED), Span(line)]


def _started(listed: ListedSession, clock: ListClock) -> str:
    if not listed.started:
        return ""
    return f"started {_ago(clock, listed.started)}"


def _ago(clock: ListClock, time: int) -> str:
    age = units.age(clock.now, time)
    return age if age == "now" or "-" in age else f"{age} ago"


def _short_folder(folder: str, home: str) -> str:
    is_below = home and (folder == home or folder.startswith(home.rstrip("/") + "/"))
    return "~" + folder[len(home.rstrip("/")) :] if is_below else folder


def session_page(
    listed: ListedSession | None, cells: int, lines: int, *, clock: ListClock, home: str = "", signs: Signs = UNICODE
) -> list[Spans]:
    """Return ``lines`` lines about the selected session for beside the list; the arguments are those of the preview."""
    bar = Span(signs.box[UP | DOWN], Role.LINE)
    shown = islice(_page_lines(listed, cells - 1, clock, home, signs) if listed is not None else (), lines)
    return [[bar, *line] for line in islice(chain(shown, ([] for _ in range(lines))), lines)]


def _page_lines(listed: ListedSession, cells: int, clock: ListClock, home: str, signs: Signs) -> Iterator[Spans]:
    separator = f" {signs.separator} "
    start = Span(f"{signs.rule * 2} ", Role.LINE)
    name = cut(shown_name(listed, signs), cells - 8 - len(listed.progress), signs.ellipsis)
    yield rule([start, Span(name, Role.TEXT, BOLD)], listed.progress, cells, signs)
    yield []
    counts = (
        (listed.chains if listed.chains > 1 else 0, "chain"),
        (listed.thoughts, "thought"),
        (listed.turns, "turn"),
        (listed.branches, "branch"),
        (listed.revisions, "revision"),
    )
    known_as = f"was {listed.labels.original_name}" if listed.labels.original_name else ""
    facts = (
        (known_as,),
        (listed.client, listed.model),
        (listed.host, repository_words(listed)),
        (_short_folder(listed.place.folder, home),),
        (_started(listed, clock),),
        (context_words(listed.context),) if listed.context is not None else (),
        [units.count(number, noun) for number, noun in counts if number] if listed.is_counted else (),
        (units.count(listed.labels.comments, "comment") if listed.labels.comments else "",),
    )
    for line in (separator.join(filter(None, words)) for words in facts):
        if line:
            yield from ([Span(f" {part}", Role.MUTED)] for part in wrap(line, cells - 2))
    if listed.sparkline:
        yield [Span(" "), *listed.sparkline]
    if listed.title:
        yield from ([], rule([start, Span("begins with", Role.MUTED)], "", cells, signs), [])
        yield from ([Span(f" {line}")] for line in wrap(listed.title, cells - 2))
    newest = _ago(clock, listed.newest_time) if listed.newest_time else ""
    yield from ([], rule([start, Span("newest", Role.MUTED)], newest, cells, signs), [])
    yield from _newest_lines(listed, cells, clock, signs)
