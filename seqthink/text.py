"""Makes untrusted text safe for a screen (docs/viewer.md, "Untrusted text"). There is no other way to a screen.

A thought is text from a model that reads the web. Characters that a terminal would take as a control are replaced by
visible ones before the text is measured or drawn. The journal itself stays byte-exact.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple, NewType
from unicodedata import category

SafeText = NewType("SafeText", str)
"""Text without control characters: safe to measure, draw and print. Only this module creates it."""

MAX_RENDERED_CHARS = 200_000
"""Characters of a text that a screen shows. The Markdown of a longer text is not rendered."""


class TextPrefix(NamedTuple):
    """The beginning of an untrusted text."""

    text: str
    """The beginning."""
    whole_chars: int = 0
    """Characters of the whole text; 0 if this is all of it."""

    @property
    def is_whole(self) -> bool:
        """Whether this is the whole text."""
        return self.whole_chars <= len(self.text)


_PIECE_CHARS = 64 << 10
"""Characters of a piece that `split_pieces` yields."""
_ZWJ, _VS16 = "\u200d", "\ufe0f"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSAFE = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}]+")
_LINE_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_PARTIAL_BREAK = re.compile(r"(?:\r|\r?\\(?:r\\?)?)\Z")
_MARK_RANGES = ((0x300, 0x36F), (0x483, 0x489), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
_MARK_CLASS = "".join(f"{chr(first)}-{chr(last)}" for first, last in _MARK_RANGES)
_COMBINING_MARKS = "".join(chr(code) for first, last in _MARK_RANGES for code in range(first, last + 1))
_COMBINING_RUN = re.compile(f"([{_MARK_CLASS}]{{3}})[{_MARK_CLASS}]+")
# Most texts match none of these, which is a quick test.
_ASCII_SUSPECT = re.compile("[\x00-\x09\x0b-\x1f\x7f]")
_SUSPECT = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_INVISIBLE}{_MARK_CLASS}]")
# Not across another pair of stars: that would take quadratic time on `**a **a **a …`.
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_BOLD = re.compile(r"\*\*(?=\S)((?:(?!\*\*).)+)(?<=\S)\*\*")
_LEADING_MARKS = re.compile(r"^(?:[ \t]|#{1,6}(?=\s)|>|[-*](?=\s)|\*\*)+")


def sanitize(text: str, *, joiners: bool = True) -> SafeText:
    r"""Return ``text`` with every control character made visible; all line breaks become line feeds.

    C0 controls become their control pictures (``\x1b`` is ``␛``); C1 controls, DEL and lone surrogates become ``�``;
    bidi controls and zero-width characters become ``⟨U+202E⟩``; a tab becomes four blanks; at most three combining
    marks are kept after a character.

    Args:
        text: untrusted text.
        joiners: whether to keep the zero-width joiner and the emoji selector, which Latin, Indic and emoji text needs.
            Otherwise they are dropped, so that columns stay aligned.
    """
    if not (_ASCII_SUSPECT if text.isascii() else _SUSPECT).search(text):
        return SafeText(text)
    text = _LINE_BREAK.sub("\n", text)
    text = _UNSAFE.sub((_WITH_JOINERS if joiners else _WITHOUT_JOINERS).replaced, text)
    return SafeText(_COMBINING_RUN.sub(r"\1", text))


def sanitize_pieces(pieces: Iterable[str], *, unescaped: bool = False) -> Iterator[SafeText]:
    r"""Yield a text that comes in ``pieces`` sanitized, in pieces: joined they equal `sanitize` of the whole.

    With ``unescaped`` a literal ``\n`` becomes a line break, as in `unescape_breaks`.
    """
    held = ""
    for piece in pieces:
        text = held + piece
        end = len(text) - _unfinished_chars(text)
        # Hold back what may be the beginning of a line break, or of a run of combining marks.
        held = _COMBINING_RUN.sub(r"\1", text[end:])
        yield sanitize(unescape_breaks(text[:end]) if unescaped else text[:end])
    if held:
        yield sanitize(unescape_breaks(held) if unescaped else held)


def split_pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces small enough to be copied without cost."""
    return (text[start : start + _PIECE_CHARS] for start in range(0, len(text), _PIECE_CHARS))


def join_if_short(pieces: Iterable[str]) -> str | Iterator[str]:
    """Join ``pieces`` into a text; if it is too long to be rendered, return all of its pieces instead."""
    more, held, length = iter(pieces), list[str](), 0
    for piece in more:
        held.append(piece)
        length += len(piece)
        if length > MAX_RENDERED_CHARS:
            return chain(held, more)
    return "".join(held)


def _unfinished_chars(text: str) -> int:
    """Return how many characters at the end of a piece must be sanitized together with the next piece."""
    begun = _PARTIAL_BREAK.search(text, max(0, len(text) - 4))
    if begun:
        return len(text) - begun.start()
    return len(text) - len(text.rstrip(_COMBINING_MARKS))


def without_controls(text: str) -> SafeText:
    """Return ``text`` without control characters.

    Line breaks become line feeds, a tab becomes four blanks; other characters that `sanitize` replaces are removed.
    """
    text = _UNSAFE.sub(_LEFT_OUT.replaced, _LINE_BREAK.sub("\n", text))
    return SafeText(_COMBINING_RUN.sub(r"\1", text))


def one_line(text: str) -> SafeText:
    """Return ``text`` sanitized for one row: line breaks and runs of white space become single blanks.

    Skin tones are removed, because terminals differ on their width. A combining mark at the beginning gets a ``�`` to
    combine with, so that it cannot change what is drawn before the text.
    """
    line = " ".join(_SKIN_TONES.sub("", sanitize(text, joiners=False)).split())
    return SafeText("\ufffd" + line if line and category(line[0])[0] == "M" else line)


def first_line(text: str, max_chars: int = 1000) -> SafeText:
    r"""Return the first line with content, for one row (docs/screens.md, "First line of a thought").

    Blank lines and leading ``#``, ``>``, ``-``, ``*`` and ``**`` are skipped. A line break, also a literal ``\n``, ends
    the line. The result is sanitized and at most ``max_chars`` characters long.
    """
    head = text[: max_chars * 4]
    for line in unescape_breaks(_LINE_BREAK.sub("\n", head)).split("\n"):
        bare = _LEADING_MARKS.sub("", _BOLD.sub(r"\1", line)).strip()
        if bare.strip("*#>- "):
            return SafeText(one_line(bare)[:max_chars])
    return SafeText("")


def unescape_breaks(text: str) -> str:
    r"""Replace a literal ``\n`` by a line break (docs/viewer.md, "Text pane"): some models escape twice."""
    if "\\n" not in text:
        return text
    return text.replace("\\r\\n", "\n").replace("\\n", "\n")


def _stand_in(code: int) -> str:
    if code == 0x09:
        return "    "
    if code < 0x20:
        return chr(0x2400 + code)
    if code < 0xA0 or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"⟨U+{code:04X}⟩"


class _StandIns(dict[int, str]):
    """Replacements of unsafe characters, filled on demand; with ``joiners`` joiners replace themselves."""

    def __init__(self, stand_in: Callable[[int], str], *, joiners: bool) -> None:
        super().__init__({ord(joiner): joiner if joiners else "" for joiner in (_ZWJ, _VS16, "\u00ad")})
        self._stand_in = stand_in

    def __missing__(self, code: int) -> str:
        self[code] = found = self._stand_in(code)
        return found

    def replaced(self, match: re.Match[str]) -> str:
        """Return the replacement of a run of unsafe characters."""
        return match[0].translate(self)


_WITH_JOINERS, _WITHOUT_JOINERS = _StandIns(_stand_in, joiners=True), _StandIns(_stand_in, joiners=False)
_LEFT_OUT = _StandIns(lambda code: "    " if code == 0x09 else "", joiners=True)
