"""Aligns two lists of texts: which text of one says the same as which of the other, in the same order.

Of all pairs that are the same or alike, those are chosen that do not cross and whose likeness, squared, is greatest
together: a heaviest increasing subsequence. Not all pairs are looked at. A text is compared with those that share its
rarest words, so that the time grows with the number of texts, not with its square.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from seqthink.chain.comparison.wording import Vocabulary, Wording
from seqthink.chain.model import NONE

MIN_LIKENESS = 0.35
"""Texts that are less alike are not paired."""
FEW_TEXTS = 64
"""Of at most so many texts on both sides, each is compared with each. In longer lists, a word of more finds none."""
_RARE_WORDS, _MAX_CANDIDATES = 12, 8
"""By how many words a text finds others in a longer list, and with how many of them it is compared."""


class Pair(NamedTuple):
    """Two texts that say the same, or much the same."""

    left: int
    right: int
    likeness: float
    """From 0 to 1; 1 if they differ in nothing but blanks, or in the order of words."""


def aligned(left: Sequence[Wording], right: Sequence[Wording], vocabulary: Vocabulary) -> list[Pair]:
    """Return the pairs in rising order of both sides; each text is in one pair at most."""
    most = min(len(left), len(right))
    head = next((at for at in range(most) if left[at].digest != right[at].digest), most)
    tail = next((at for at in range(most - head) if left[-1 - at].digest != right[-1 - at].digest), most - head)
    inner = _heaviest(
        _candidates(left[head : len(left) - tail], right[head : len(right) - tail], vocabulary), len(right)
    )
    pairs = [Pair(at, at, 1.0) for at in range(head)]
    pairs += [Pair(pair.left + head, pair.right + head, pair.likeness) for pair in inner]
    pairs += [Pair(len(left) - at, len(right) - at, 1.0) for at in range(tail, 0, -1)]
    return pairs


def _candidates(left: Sequence[Wording], right: Sequence[Wording], vocabulary: Vocabulary) -> Iterator[Pair]:
    """Yield the pairs that may be chosen: for each text on the left, the last one on the right first."""
    has_few = max(len(left), len(right)) <= FEW_TEXTS
    finder, copies = _Finder(right, vocabulary, has_few=has_few), defaultdict[bytes, list[int]](list)
    for at, wording in enumerate(right):
        copies[wording.digest].append(at)
    seen = defaultdict[bytes, int](int)
    weights = array("d", [vocabulary.weight(wording) for wording in right])
    for at, wording in enumerate(left):
        # Of texts that occur often, the first of one side belongs to the first of the other, and so on.
        occurrence, same = seen[wording.digest], copies.get(wording.digest, [])
        seen[wording.digest] += 1
        found = set(finder.like(wording))
        found.update(same[occurrence : occurrence + 1])
        weight, words = vocabulary.weight(wording), set(wording.words)
        for other in sorted(found, reverse=True):
            likeness = vocabulary.likeness_to(wording, right[other], weight + weights[other], words)
            if likeness >= MIN_LIKENESS:
                yield Pair(at, other, likeness)


class _Finder:
    """Finds the texts of a list that share rare words with another text."""

    def __init__(self, texts: Sequence[Wording], vocabulary: Vocabulary, *, has_few: bool) -> None:
        self._weights = vocabulary.weights
        self._has_few = has_few
        all_uses = defaultdict[int, "array[int]"](lambda: array("i"))
        for at, wording in enumerate(texts):
            for word in wording.words:
                uses = all_uses[word]
                if len(uses) <= FEW_TEXTS:
                    uses.append(at)
        self._uses = {word: uses for word, uses in all_uses.items() if len(uses) <= FEW_TEXTS}

    def like(self, wording: Wording) -> list[int]:
        """Return the texts that share the most weight with another, as far as its rarest words show."""
        weights, known = self._weights, self._uses
        rarest = sorted([word for word in wording.words if word in known], key=weights.__getitem__, reverse=True)
        shared = defaultdict[int, float](float)
        for word in rarest if self._has_few else rarest[:_RARE_WORDS]:
            weight = weights[word]
            for at in known[word]:
                shared[at] += weight
        if self._has_few:
            return list(shared)
        return [at for at, _ in sorted(shared.items(), key=itemgetter(1), reverse=True)[:_MAX_CANDIDATES]]


def _heaviest(candidates: Iterator[Pair], right_count: int) -> list[Pair]:
    """Return the pairs of an increasing subsequence with the greatest sum of squares.

    ``candidates`` come in rising order of the left side, and for one text in falling order of the right side.
    """
    # By the last bits of a place on the right (a Fenwick tree): the best chain that ends before it, and its last link.
    best, last = array("d", bytes(8 * (right_count + 1))), array("i", [NONE]) * (right_count + 1)
    links: list[tuple[Pair, int]] = []
    for pair in candidates:
        weight, before = _best_before(best, last, pair.right)
        links.append((pair, before))
        _improve(best, last, pair.right + 1, weight + pair.likeness**2, len(links) - 1)
    _, link = _best_before(best, last, right_count)
    chosen: list[Pair] = []
    while link != NONE:
        pair, link = links[link]
        chosen.append(pair)
    return chosen[::-1]


def _best_before(best: "array[float]", last: "array[int]", place: int) -> tuple[float, int]:
    """Return the weight of the best chain that ends at a place before ``place``, counted from 0, and its last link."""
    weight, link = 0.0, NONE
    while place:
        if best[place] > weight:
            weight, link = best[place], last[place]
        place &= place - 1
    return weight, link


def _improve(best: "array[float]", last: "array[int]", place: int, weight: float, link: int) -> None:
    while place < len(best):
        if weight > best[place]:
            best[place], last[place] = weight, link
        place += place & -place


def between(pairs: Sequence[Pair], left_count: int, right_count: int) -> Iterator[tuple[Pair | None, range, range]]:
    """Yield each pair with the texts before it that are in no pair; at the end None with the last such texts."""
    left = right = 0
    for pair in pairs:
        yield pair, range(left, pair.left), range(right, pair.right)
        left, right = pair.left + 1, pair.right + 1
    yield None, range(left, left_count), range(right, right_count)
