"""Puts repaired code back in its place: in a fence of the thought, or in a file. Pure."""

from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain
from typing import Final, NamedTuple

from msgspec import Struct

_MAX_COMPARED_LINES: Final = 2000
"""Between the first and the last change; comparing more takes quadratic time in hostile code."""


class _Change(NamedTuple):
    """Lines ``start`` to ``end`` (exclusive, from 0) become ``new_start`` to ``new_end``; or they stay."""

    is_equal: bool
    start: int
    end: int
    new_start: int
    new_end: int


class Replacement(Struct, frozen=True):
    """Part of a document, and what it becomes."""

    first_line: int
    """Where the part begins in the document, from 1."""
    old: str
    new: str


def only_near(old: str, new: str, lines: Collection[int]) -> str:
    """Return ``old`` with those changes of ``new`` that touch one of ``lines``, numbered from 1 in ``old``.

    Where as many lines come as go, each is a change of its own.
    """
    before, after = old.split("\n"), new.split("\n")
    kept = list[str]()
    for change in _changes(before, after):
        touched = range(change.start + 1, max(change.end, change.start + 1) + 1)
        is_kept = not change.is_equal and any(line in lines for line in touched)
        kept += after[change.new_start : change.new_end] if is_kept else before[change.start : change.end]
    return "\n".join(kept)


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    """Yield what becomes of all of ``old``, in order."""
    shorter = min(len(old), len(new))
    first = next((row for row in range(shorter) if old[row] != new[row]), shorter)
    same_at_end = next((row for row in range(shorter - first) if old[-1 - row] != new[-1 - row]), shorter - first)
    end, new_end = len(old) - same_at_end, len(new) - same_at_end
    yield _Change(True, 0, first, 0, first)
    yield from _changes_between(old, new, first, end, new_end)
    yield _Change(True, end, len(old), new_end, len(new))


def _changes_between(old: Sequence[str], new: Sequence[str], first: int, end: int, new_end: int) -> Iterator[_Change]:
    """Yield the changes from line ``first`` on; as many lines that come as go are changes of their own."""
    if end - first == new_end - first:
        yield from (_Change(old[row] == new[row], row, row + 1, row, row + 1) for row in range(first, end))
    elif max(end, new_end) - first > _MAX_COMPARED_LINES:
        yield _Change(False, first, end, first, new_end)
    else:
        for tag, start, stop, new_start, new_stop in SequenceMatcher(
            None, old[first:end], new[first:new_end]
        ).get_opcodes():
            yield _Change(tag == "equal", first + start, first + stop, first + new_start, first + new_stop)


def replaced(document: str, replacements: Collection[Replacement]) -> str:
    """Return ``document`` with all replacements made; one whose old text is not there is left out.

    Each line of a part may have something before it in the document, an indentation or the marks of a quote, and a
    carriage return after it; new lines get the same.
    """
    rows = document.split("\n")
    for replacement in sorted(replacements, key=lambda one: one.first_line, reverse=True):
        start, old = replacement.first_line - 1, _lines(replacement.old)
        edges = _edges(rows[start : start + len(old)], old)
        if edges is not None:
            rows[start : start + len(old)] = _with_edges(old, _lines(replacement.new), edges)
    return "\n".join(rows)


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _edges(rows: Sequence[str], lines: Sequence[str]) -> list[tuple[str, str]] | None:
    """Return what is before and after each of ``lines`` in its row; None if one is not in its row."""
    if len(rows) != len(lines):
        return None
    edges = list[tuple[str, str]]()
    for row, line in zip(rows, lines, strict=True):
        text = row if row.endswith(line) else row.removesuffix("\r")
        if not text.endswith(line):
            return None
        edges.append((text[: len(text) - len(line)], row[len(text) :]))
    return edges


def _with_edges(old: Sequence[str], new: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[str]:
    """Return ``new`` as rows; lines that stay keep their own edges, others get those of the nearest line with text."""
    rows = list[str]()
    for change in _changes(old, new):
        start, end = change.start, change.end
        if change.is_equal:
            rows += [edges[row][0] + old[row] + edges[row][1] for row in range(start, end)]
            continue
        nearest = chain(range(start, end), range(start - 1, -1, -1), range(end, len(old)))
        before, after = edges[next((row for row in nearest if old[row].strip()), min(start, len(old) - 1))]
        rows += [
            (before + line if line else before.rstrip()) + after for line in new[change.new_start : change.new_end]
        ]
    return rows
