"""How alike two texts are, by the words that both have: a rare word counts more than a common one.

The likeness of two texts is the weight of their common words, twice, divided by the weight of the words of both (Dice).
A word weighs log(1 + n / k): ``k`` of the ``n`` texts of both sessions have it.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from math import log
from zlib import crc32

from msgspec import Struct

from seqthink.chain.health.shingles import MAX_CHARS, words_of

_DIGEST_BYTES = 16


class Wording(Struct, frozen=True, gc=False):
    """The words of a text, without their order, and its digest."""

    digest: bytes
    """Equal for texts that differ in nothing but blanks."""
    words: "array[int]"
    """The hashes of its words, each once, in rising order."""


class Vocabulary:
    """The words of both sessions by their hashes, which do not depend on which session is read first."""

    def __init__(self) -> None:
        self._uses = Counter[int]()
        self._spelled: dict[int, bytes] = {}
        self._text_count = 0
        self.weights: dict[int, float] = {}
        """The weight of each word, once `weigh` was called."""

    def wording(self, text: str) -> Wording:
        """Return the wording of a text of one of the sessions, and count its words."""
        words = set(words_of(text[:MAX_CHARS]))
        hashes = {crc32(word): word for word in words}
        self._spelled.update(hashes)
        self._uses.update(hashes.keys())
        self._text_count += 1
        written = " ".join(text.split()).encode("utf-8", "surrogatepass")
        return Wording(_digest(written), array("I", sorted(hashes)))

    def weigh(self) -> None:
        """Weigh the words; call when all texts are known."""
        self.weights = {word: log(1 + self._text_count / uses) for word, uses in self._uses.items()}

    def spelled(self, word: int) -> str:
        """Return a word in lower case."""
        return self._spelled[word].decode("utf-8", "replace")

    def likeness(self, one: Wording, other: Wording) -> float:
        """Return how alike two texts are, from 0 to 1."""
        return self.likeness_to(one, other, self.weight(one) + self.weight(other), set(one.words))

    def weight(self, wording: Wording) -> float:
        """Return the weight of all words of a text."""
        weights = self.weights
        return sum([weights[word] for word in wording.words])

    def likeness_to(self, one: Wording, other: Wording, both: float, words: set[int]) -> float:
        """Return the same, given the weight of both texts together and the ``words`` of the first one as a set."""
        if one.digest == other.digest:
            return 1.0
        weights = self.weights
        shared = sum([weights[word] for word in words.intersection(other.words)])
        return min(1.0, 2 * shared / both) if both else 0.0


def joined(wordings: Sequence[Wording]) -> Wording:
    """Return the words of several texts together."""
    digests = b"".join(wording.digest for wording in wordings)
    return Wording(_digest(digests), array("I", sorted({word for wording in wordings for word in wording.words})))


def _digest(data: bytes) -> bytes:
    from hashlib import blake2b  # noqa: PLC0415 - only for a comparison: a viewer starts without it

    return blake2b(data, digest_size=_DIGEST_BYTES).digest()
