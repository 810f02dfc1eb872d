"""What surrounds the hits on the page that searches all sessions (docs/screens.md, "Finding")."""

from itertools import islice

from seqthink.chain.query import Query
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.hits import FoundText, HitSession
from seqthink.drawing.rows.highlight import highlight
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import Role, Span, Spans, fitted_ends, key_hints
from seqthink.drawing.text.wrap import wrap

PREVIEW_LINES = 4
"""Rows below the hits for the selected one."""


def find_status(
    hits: int,
    sessions: int,
    *,
    searched: int,
    total: int,
    is_running: bool,
    is_cut: bool,
    is_partial: bool = False,
    signs: Signs = UNICODE,
) -> str:
    """Return how much was found, and how far the search has come: ``17 texts in 4 sessions``.

    ``is_partial`` says that there are older sessions, which are not searched.
    """
    found = f"{hits:,}{'+' if is_cut else ''} text{'' if hits == 1 else 's'}" if hits else ""
    if is_running:
        progress = f"{searched:,} of {total:,} sessions" if total else ""
        return (
            f"{found} {signs.separator} {progress}{signs.ellipsis}"
            if found
            else f"searching {progress}{signs.ellipsis}"
        )
    ended = f"{found} in {units.count(sessions, 'session')}" if found else "nothing found"
    return f"{ended} in the newest {total:,} sessions" if is_partial and not found else ended


def find_keys(cells: int, *, is_typing: bool, has_hits: bool) -> Spans:
    """Return the last line: the keys."""
    choose = (("Enter", "to the list" if is_typing else "open"),) if has_hits else ()
    keys = (*choose, *(() if is_typing else (("/", "edit"),)), ("Esc", "back"))
    return key_hints(keys, cells)


def hit_preview(
    session: HitSession, text: FoundText, query: Query, cells: int, *, now: int, signs: Signs = UNICODE
) -> list[Spans]:
    """Return the `PREVIEW_LINES` with more of the selected text than its row has."""
    place = text.place if text.number is None else f"thought {text.place}"
    left = [Span(f"{signs.rule * 2} ", Role.LINE), Span(str(session.name))]
    shown = f"{signs.ellipsis}{text.excerpt}" if text.is_begun_before else str(text.excerpt)
    lines = islice(wrap(shown, cells - 2), PREVIEW_LINES - 1)
    facts = f"{place} {signs.separator} {units.age(now, text.time)}"
    return [rule(left, facts, cells, signs), *([Span(" "), *highlight([Span(line)], query)] for line in lines)]


def find_hint_lines(cells: int, *, problem: str, is_empty: bool, is_running: bool) -> list[Spans]:
    """Return the text shown instead of hits.

    Args:
        cells: width of the page.
        problem: why nothing can be searched, or empty.
        is_empty: whether nothing was asked for yet.
        is_running: whether the search goes on.
    """
    if problem:
        words = one_line(problem)
    elif is_empty:
        words = SafeText(
            "Looks for words in the texts of all sessions. All of them must be in one text, also as parts of words; "
            '"two words" in quotes as written. A capital letter makes upper and lower case count.'
        )
    elif is_running:
        words = SafeText("")
    else:
        words = SafeText("No text has all of these words. Try fewer of them, or parts of words.")
    return [[], *([Span(" "), Span(line, Role.MUTED)] for line in wrap(words, min(cells - 2, 76)))]


def find_head(label: Spans, status: str, cells: int) -> Spans:
    """Return the first line: the words that are looked for, and as much of the status as there is room for."""
    short = status.partition(" in ")[0]
    rights = [[Span(f"{one} ", Role.MUTED)] for one in (status, short, "")]
    return fitted_ends([label], rights, cells)
