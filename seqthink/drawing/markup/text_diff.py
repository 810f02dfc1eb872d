"""Diffs of two texts, by word or, for long texts, by line."""

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import Enum
from functools import cache
from itertools import chain

from msgspec import Struct

MIN_COMMON_SHARE = 0.3
"""Below this share of common tokens no word diff is shown."""
MAX_WORD_DIFF_TOKENS = 5000
"""Tokens of both texts together, up to which they are compared by word."""
MAX_COMPARISONS = 20_000_000
"""Bound for difflib: pairs of equal tokens times the length of the shorter sequence."""
MAX_EDITS = 3500
"""Insertions and deletions after which Myers' algorithm gives up."""

_SCRIPT = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"


class ChangeKind(Enum):
    """Whether a piece of text was kept, removed or added."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class DiffPiece(Struct, frozen=True):
    """A run of tokens of one kind."""

    kind: ChangeKind
    tokens: tuple[str, ...]
    """Its words, punctuation marks and line feeds."""
    text: str
    """The run as it is written, with the blanks between its tokens."""
    gap: str
    """The blanks before the run."""


def tokens_of(text: str) -> list[str]:
    """Return the words, punctuation marks and line feeds of ``text``."""
    return _token_pattern().findall(text)


@cache
def _token_pattern() -> re.Pattern[str]:
    """Return the pattern of a token; it is compiled when it is needed, which is after the first frame of a viewer.

    Scripts without blanks are compared by character, all others by word; a punctuation mark is a token of its own.
    """
    return re.compile(rf"\n|[{_SCRIPT}]|(?:(?![{_SCRIPT}])\w)+(?:[-'’./:_](?:(?![{_SCRIPT}])\w)+)*|[^\w\s]")


def word_diff(old: str, new: str) -> list[DiffPiece] | None:
    """Return the changes from ``old`` to ``new`` (both sanitized), or None if too little is in common."""
    pattern = _token_pattern()
    before, after = list(pattern.finditer(old)), list(pattern.finditer(new))
    pieces: list[DiffPiece] = []
    same = 0
    for kind, (a, b), (c, d) in _changes([token[0] for token in before], [token[0] for token in after]):
        if kind is ChangeKind.SAME:
            same += d - c
        if b > a and kind is not ChangeKind.SAME:
            pieces.append(_piece(ChangeKind.REMOVED, old, before, a, b))
        if d > c:
            pieces.append(_piece(kind if kind is ChangeKind.SAME else ChangeKind.ADDED, new, after, c, d))
    if 2 * same < MIN_COMMON_SHARE * (len(before) + len(after)):
        return None
    return pieces


def line_diff(old: str, new: str) -> Iterator[tuple[ChangeKind, Sequence[str]]]:
    """Yield runs of kept, removed and added lines."""
    before, after = old.split("\n"), new.split("\n")
    for kind, (a, b), (c, d) in _changes(before, after):
        if kind is ChangeKind.SAME:
            yield kind, after[c:d]
            continue
        if b > a:
            yield ChangeKind.REMOVED, before[a:b]
        if d > c:
            yield ChangeKind.ADDED, after[c:d]


def comparisons(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of pairs of equal tokens, roughly the comparisons that a diff takes."""
    counted = Counter(new)
    return sum(counted[token] for token in old)


def _piece(kind: ChangeKind, text: str, tokens: Sequence[re.Match[str]], first: int, last: int) -> DiffPiece:
    start, end = tokens[first].start(), tokens[last - 1].end()
    gap = text[tokens[first - 1].end() if first else start : start]
    return DiffPiece(kind, tuple(token[0] for token in tokens[first:last]), text[start:end], gap)


_Change = tuple[ChangeKind, tuple[int, int], tuple[int, int]]
"""A run: its kind, and its (start, end) in the old and in the new sequence."""
_MatchRun = tuple[int, int, int, int, bool]
"""Start and end in the old sequence, start and end in the new one, and whether both are equal."""


def _matched(old: Sequence[str], new: Sequence[str]) -> Iterator[_MatchRun]:
    """Yield the runs of both sequences, and whether they are equal, in bounded time.

    difflib gives the most readable diff, but takes hours on words that repeat all the time. Above `MAX_COMPARISONS`,
    where prose of some 700 words already is, Myers' algorithm is used, and above `MAX_EDITS` edits everything counts as
    changed. A diff by line would not do instead: many thoughts are one line.
    """
    if comparisons(old, new) * min(len(old), len(new)) <= MAX_COMPARISONS:
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            yield a, b, c, d, tag == "equal"
        return
    at_old = at_new = 0
    for a, c in [*_common(old, new), (len(old), len(new))]:
        if a > at_old or c > at_new:
            yield at_old, a, at_new, c, False
        if a < len(old) and c < len(new):
            yield a, a + 1, c, c + 1, True
        at_old, at_new = a + 1, c + 1


def _common(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index pairs of a longest common subsequence (Myers' algorithm); none above `MAX_EDITS` edits."""
    reach = {1: 0}
    trace: list[array[int]] = []
    for edits in range(min(MAX_EDITS, len(old) + len(new)) + 1):
        row = array("i", bytes(4 * (edits + 1)))
        for slot in range(edits + 1):
            k = 2 * slot - edits
            down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
            x = reach[k + 1] if down else reach[k - 1] + 1
            while x < len(old) and x - k < len(new) and old[x] == new[x - k]:
                x += 1
            reach[k] = row[slot] = x
            if x >= len(old) and x - k >= len(new):
                trace.append(row)
                return _walk_back(trace, k)
        trace.append(row)
    return []


def _walk_back(trace: "Sequence[array[int]]", k: int) -> list[tuple[int, int]]:
    """Return the matching index pairs, found by walking the trace back from the end."""
    pairs: list[tuple[int, int]] = []
    for edits in range(len(trace) - 1, -1, -1):
        x = trace[edits][(k + edits) // 2]
        start, down = 0, False
        if edits:
            before = trace[edits - 1]
            below, above = (k + 1 + edits - 1) // 2, (k - 1 + edits - 1) // 2
            down = k == -edits or (k != edits and before[above] < before[below])
            start = before[below] if down else before[above] + 1
        pairs += [(at, at - k) for at in range(x - 1, start - 1, -1)]
        if edits:
            k = k + 1 if down else k - 1
    return pairs[::-1]


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    """Yield kept and changed runs in order; the common start and end are split off first."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    inner_old, inner_new = old[head : len(old) - tail], new[head : len(new) - tail]
    matched = _matched(inner_old, inner_new)
    inner = ((a + head, b + head, c + head, d + head, same) for a, b, c, d, same in matched)
    first = [(0, head, 0, head, True)] if head else []
    last = [(len(old) - tail, len(old), len(new) - tail, len(new), True)] if tail else []
    for a, b, c, d, same in chain(first, inner, last):
        yield ChangeKind.SAME if same else ChangeKind.ADDED, (a, b), (c, d)
