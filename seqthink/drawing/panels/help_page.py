"""The help page (``?``): first the signs on this screen, then the keys (docs/screens.md, "Keys")."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from seqthink.drawing.text.glyphs import DOWN, LEFT, REVISE, RIGHT, UP, Signs, comment_sign, retraction_sign
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, spans_width
from seqthink.drawing.text.wrap import wrap

COLUMN_CELLS, KEY_CELLS = 39, 9
"""Width of a column of keys, and of the names of keys in it: two columns fit 80 cells with a frame."""
SIGN_CELLS = 22
"""Width of a sign with its meaning."""
MIN_PAGE_CELLS = 44
"""Width of the page on the narrowest screen."""


class _Sign(NamedTuple):
    """One sign of the legend."""

    pattern: str
    """Regular expression that finds the sign in a screen's text."""
    sign: str
    """The sign as the legend shows it."""
    role: Role
    """The colour of the sign."""
    meaning: str
    """Its meaning, at most 16 characters."""

    def spans(self) -> Spans:
        return [Span(f" {self.sign:<4}", self.role), Span(f"{self.meaning:<17}"[:17])]


def _all_signs(signs: Signs) -> list[_Sign]:
    fork, arrow = signs.box[UP | DOWN | RIGHT], signs.box[DOWN | RIGHT]
    line, esc = signs.box[LEFT | RIGHT], re.escape
    back = retraction_sign(signs)
    done = f"{esc(signs.changed)} \\D"
    verdict = f"[{signs.final}{REVISE}]\\d|^(?!.*{done}).*{esc(signs.refused)}\\d"
    repeat = f"^(?!(playing|paused|ended) ).* \\d+{esc(signs.times)}( |$)"  # in a replay's first line it is the speed
    return [
        _Sign(f"{esc(signs.thought)} +\\d", signs.thought, Role.ACCENT, "thought"),
        _Sign(f"{esc(signs.final)} +\\d", signs.final, Role.GOOD, "final; done"),
        _Sign(f"{esc(signs.revision)} +\\d", signs.revision, Role.REVISION, "revision"),
        _Sign(f"{esc(signs.prompt)} ", signs.prompt, Role.ACCENT, "prompt"),
        _Sign(f"{esc(signs.reasoning)} ", signs.reasoning, Role.MUTED, "native reasoning"),
        _Sign(f"^[^\\w\\n]*{esc(signs.bullet)} (?!thought)", signs.bullet, Role.MUTED, "what it said"),
        _Sign(done, signs.changed, Role.MUTED, "what was done"),
        _Sign(f"{esc(signs.revised_by)}(\\d| by)", f"{signs.revised_by}6", Role.REVISION, "revised by 6"),
        _Sign(f"{esc(signs.revision)}\\d", f"{signs.revision}2", Role.REVISION, "revises 2"),
        _Sign(f" {back}( |$)", back, Role.REVISION, "takes back"),
        _Sign(f"{esc(signs.brings_back)}( \\w|\\d|$)", signs.brings_back, Role.BRANCH1, "branch is back"),
        _Sign(
            esc(arrow + line) + "*" + esc(signs.arrow_head),
            arrow + line + signs.arrow_head,
            Role.REVISION,
            "revised thought",
        ),
        _Sign(esc(signs.arrow_stub), signs.arrow_stub, Role.REVISION, "arrow not drawn"),
        _Sign(esc(fork + line), fork + line, Role.LINE, "branch opens"),
        _Sign(f"\\d{esc(signs.changed)}\\d", f"5{signs.changed}6", Role.ESTIMATE, "estimate changed"),
        _Sign("\\+\\?", "+?", Role.ESTIMATE, "more needed"),
        _Sign(f"{esc(signs.expected)} ", signs.expected, Role.MUTED, "expected; quiet"),
        _Sign(verdict, f"{signs.final}92", Role.GOOD, "audit score"),
        _Sign(f"{done}.* {esc(signs.refused)}\\d", f"{signs.refused}1", Role.BAD, "calls failed"),
        _Sign(repeat, f"2{signs.times}", Role.MUTED, "repeated number"),
        _Sign(f"{esc(signs.odd)}( |$)", signs.odd, Role.MUTED, "something is odd"),
        _Sign(f"{esc(signs.refused)} ", signs.refused, Role.BAD, "refused; lost"),
        _Sign(esc(signs.missing[:2]), signs.missing, Role.MUTED, "numbers missing"),
        _Sign(f"{esc(signs.attention)}( [a-z]|\\d)", signs.attention, Role.WARN, "needs you"),
        _Sign(f"{esc(signs.stopped)} ", signs.stopped, Role.MUTED, "stopped"),
        _Sign(f"^{esc(signs.marked)}", signs.marked, Role.ACCENT, "your mark"),
        _Sign(f"^{esc(comment_sign(signs))}", comment_sign(signs), Role.ACCENT, "a comment"),
        _Sign(f"{esc(signs.note)}( |$)", signs.note, Role.NOTE, "your note"),
        _Sign(f" {esc(signs.context)}( |$)", signs.context, Role.NOTE, "context item"),
    ]


class HelpSection(NamedTuple):
    """A group of keys under its title."""

    title: str
    entries: Sequence[tuple[str, str]]
    """Names and meaning of the keys."""

    def lines(self) -> list[Spans]:
        """Return the title, and a line for each entry or more if it has many keys, at most `COLUMN_CELLS` wide."""
        lines: list[Spans] = [[Span(f" {self.title}", Role.ACCENT, BOLD)]]
        for keys, meaning in self.entries:
            first, *more = wrap(keys, KEY_CELLS)
            lines.append([Span(f" {first:<{KEY_CELLS}} ", Role.ACCENT), Span(meaning)])
            lines += [[Span(f" {line}", Role.ACCENT)] for line in more]
        return lines


def page_cells(screen_cells: int) -> int:
    """Return the width of the page: whole columns, as many as the screen has room for."""
    return max(min(screen_cells, MIN_PAGE_CELLS), screen_cells // COLUMN_CELLS * COLUMN_CELLS)


def help_lines(
    signs: Signs, sections: Sequence[HelpSection], cells: int, screen: str | None = None, *, is_dense: bool = False
) -> list[Spans]:
    """Return the page in lines of at most ``cells`` cells: the signs found in ``screen``, or all, then the keys.

    The sections stay whole and in order, one below the other, in as many columns as there is room for. A dense page has
    no blank lines between them.
    """
    shown = [sign for sign in _all_signs(signs) if screen is None or re.search(sign.pattern, screen, re.MULTILINE)]
    lines: list[Spans] = []
    if shown:
        rows = -(-len(shown) // max(1, cells // SIGN_CELLS))
        lines.append([Span(" Signs on this screen", Role.ACCENT, BOLD)])
        lines += [[span for sign in shown[number::rows] for span in sign.spans()] for number in range(rows)]
        lines += [] if is_dense else [[]]
    columns = _columns(sections, max(1, cells // COLUMN_CELLS), 0 if is_dense else 1)
    for pieces in zip_longest(*columns, fillvalue=list[Span]()):
        line: Spans = []
        for number, piece in enumerate(pieces):
            gap = number * COLUMN_CELLS - spans_width(line)
            line += [Span(" " * gap), *piece] if piece and gap else piece
        lines.append(line)
    return lines


def _columns(sections: Sequence[HelpSection], most: int, gap: int) -> list[list[Spans]]:
    """Return the lines of at most ``most`` columns that are as low as they can be."""
    height = 1
    while len(columns := _filled(sections, height, gap)) > most:
        height += 1
    return columns


def _filled(sections: Sequence[HelpSection], height: int, gap: int) -> list[list[Spans]]:
    """Return the sections in columns of ``height`` rows; one that is higher has a column for itself."""
    columns: list[list[Spans]] = []
    for section in sections:
        lines = section.lines()
        if columns and len(columns[-1]) + gap + len(lines) <= height:
            columns[-1] += [*([[]] * gap), *lines]
        else:
            columns.append(lines)
    return columns
