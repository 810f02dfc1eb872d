"""Lines of text as numbers: what the index keeps of an edit, so that it need not keep the text.

Pure. A line's digest ignores blanks, so that indenting changes nothing. Of each line of an edit's new text, the lowest
bit says whether the edit added it, or only recorded it as a neighbour.
"""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

MAX_LINES: Final = 50_000
"""Lines of a text that are looked at; the rest is left out."""
TYPE: Final = "Q"
"""The array type of digests: 8 bytes each."""
ADDED: Final = 1
_MASK: Final = (1 << 64) - 2
_BLANK: Final = 0
"""The digest of a line without anything."""

MIN_DISTINCT_CHARS, MIN_DISTINCT_LETTERS, MIN_DISTINCT_WORDS = 10, 7, 2
"""A line with less, without its blanks, may be in any file, so it proves nothing."""
_COMMON = re.compile(
    r"(?:return|else|elif|try|finally|break|continue|pass|end|begin|fi|done|then|do|default|import|use|package|"
    r"None|null|nil|true|false|True|False|self|this|public|private|static|void|const|let|var|\W)*"
)
_WORD = re.compile(r"[^\W_]{2,}")


class EditedLines(NamedTuple):
    """The lines of an edit as digests."""

    after: "array[int]"
    """Those of the new text, in order, each with the bit `ADDED` if the edit added it."""
    removed: "array[int]"
    """Those that are in the old text and not in the new one."""


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as git counts them: at line feeds alone, with no empty one at the end."""
    lines = text.split("\n", MAX_LINES)[:MAX_LINES]
    if lines and not lines[-1]:
        lines.pop()
    return lines


def digest_of(line: str) -> int:
    """Return the digest of a line without its blanks; `ADDED` is not set."""
    plain = "".join(line.split())
    if not plain:
        return _BLANK
    return int.from_bytes(blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=8).digest()) & _MASK or 2


def digests_of(text: str) -> list[int]:
    """Return the digests of the lines of a text."""
    return [digest_of(line) for line in lines_of(text)]


def is_blank(digest: int) -> bool:
    """Return whether a line has nothing but blanks."""
    return digest & _MASK == _BLANK


def plain_digest(digest: int) -> int:
    """Return the digest of a line, whether an edit added it or not."""
    return digest & _MASK


def is_distinct(line: str) -> bool:
    """Return whether a line has enough of its own that an edit with the same text is where it comes from."""
    plain = "".join(line.split())
    letters = sum(map(str.isalnum, plain))
    if len(plain) < MIN_DISTINCT_CHARS or letters < MIN_DISTINCT_LETTERS:
        return False
    return _COMMON.fullmatch(line) is None and len(_WORD.findall(line)) >= MIN_DISTINCT_WORDS


def changed_lines(before: str | None, after: str | None) -> EditedLines:
    """Return the lines of an edit that replaced ``before`` by ``after``; None stands for a text that is not known."""
    old = Counter(digests_of(before or ""))
    new: array[int] = array(TYPE)
    for digest in digests_of(after or ""):
        if old[digest] > 0:
            old[digest] -= 1
            new.append(digest)
        else:
            new.append(digest | ADDED)
    return EditedLines(new, array(TYPE, (digest for digest, count in old.items() if count > 0 and digest)))


def all_added(lines: Iterable[str]) -> "array[int]":
    """Return the digests of lines that are all new."""
    return array(TYPE, (digest_of(line) | ADDED for line in lines))


def packed(digests: "array[int]") -> bytes:
    """Return digests as bytes, as this machine has them."""
    return digests.tobytes()


def unpacked(data: bytes) -> "array[int]":
    """Return the digests in what `packed` gave; what is left over at the end is left out."""
    digests: array[int] = array(TYPE)
    digests.frombytes(data[: len(data) // digests.itemsize * digests.itemsize])
    return digests


def equal_around(these: Sequence[int], at: int, those: Sequence[int], place: int, reach: int) -> tuple[int, int]:
    """Return how many lines right above and below are equal in two texts: not blank, at most ``reach`` on each side."""
    return _equal_run(these, at, those, place, -1, reach), _equal_run(these, at, those, place, 1, reach)


def _equal_run(these: Sequence[int], at: int, those: Sequence[int], place: int, step: int, reach: int) -> int:
    count = 0
    for distance in range(1, reach + 1):
        one, other = at + step * distance, place + step * distance
        if not (0 <= one < len(these) and 0 <= other < len(those)):
            break
        if plain_digest(these[one]) != plain_digest(those[other]):
            break
        count += not is_blank(these[one])
    return count
