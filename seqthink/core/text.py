"""Makes untrusted text safe for a screen (docs/viewer.md, "Untrusted text"). There is no other way to a screen.

A thought is text from a model that reads the web. Characters that a terminal would take as a control are replaced by
visible ones before the text is measured or drawn. The journal itself stays byte-exact.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, NewType
from unicodedata import category

SafeText = NewType("SafeText", str)
"""Text without control characters: safe to measure, draw and print. Only this module creates it."""

MAX_FOLDED_CHARS = 4096
"""Characters of a thought's text that the fold looks at, from its beginning."""
_KEPT_LINES = 256
"""First lines that are kept, more than rows on a screen: most frames show the rows of the frame before."""
MAX_REST_CHARS = 400
"""Characters of what follows a first line on its row."""
MAX_NEWEST_CHARS = 1000
"""Characters of the newest thought that a list shows."""
MAX_TITLE_CHARS = 200
"""Characters of the title that a list makes from a thought or a prompt."""
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
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Format characters and default-ignorable ones; a test derives them from the tables of Unicode's properties."""
_UNSAFE = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}]+")
_LINE_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_PARTIAL_BREAK = re.compile(r"(?:\r|\r?\\(?:r\\?)?)\Z")
# Commands of LaTeX that begin with an n, without it; the short ones count only beside blanks or signs of a formula.
_LATEX = (
    "abla|atural|cong|earrow|eqq?|eqsim|ewcommand|ewline|geq|geqq|geqslant|gtr|leftarrow|leftrightarrow|leqq?|leqslant"
    "|obreak|olimits|onumber|ormalfont|ormalsize|ot|otag|otin|prec|rightarrow|sqsubseteq|subseteq|succ|supseteq|uplus"
    "|vdash|vDash|warrow"
)
ESCAPED_BREAK = re.compile(
    rf"(?:\\r)?\\n(?!(?:{_LATEX})(?![A-Za-z])|(?:u|eg?|i)(?=[_^}}$])"
    r"|(?:(?<=\S \\n)|(?<=[$({^_=+-]\\n))(?:u|eg?)(?![A-Za-z]))"
)
r"""A literal ``\n``, or ``\r\n``, that means a line break: not one that begins a command of LaTeX."""
_PARTIAL_ESCAPE = re.compile(r"\\(?:r\\?)?\Z|(?:\\r)?\\n[A-Za-z]{0,16}\Z")
_CONTEXT_CHARS = 3
"""Characters before an escaped break that may make it a command of LaTeX."""
_MARK_RANGES = ((0x300, 0x36F), (0x483, 0x489), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
_MARK_CLASS = "".join(f"{chr(first)}-{chr(last)}" for first, last in _MARK_RANGES)
_COMBINING_MARKS = "".join(chr(code) for first, last in _MARK_RANGES for code in range(first, last + 1))
_COMBINING_RUN = re.compile(f"([{_MARK_CLASS}]{{3}})[{_MARK_CLASS}]+")
# Most texts do not match this, which is a quick test.
_SUSPECT = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_INVISIBLE}{_MARK_CLASS}]")
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_FENCE = re.compile(r"(?:[ \t]|>|[-*](?=\s))*(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$")
_MAX_CLOSING_INDENT = 3
"""How much farther in than its beginning a fence may end, as in CommonMark; a mark farther in is code."""
_RULE_OR_FRAME = re.compile(r"[\s|:=_~+*#>-]*")
_TABLE_RULE = re.compile(
    r"^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?)?[ \t]*$", re.MULTILINE
)
_BLOCK_MARK = re.compile(r"\s*(?:#{1,6}\s|>|[-*+]\s|\d{1,3}[.)]\s|\|)")
_SENTENCE_ENDS = tuple(".:;,!?…。，：；！？、")


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
    if _is_safe(text):
        return SafeText(text)
    text = _LINE_BREAK.sub("\n", text)
    text = _UNSAFE.sub((_WITH_JOINERS if joiners else _WITHOUT_JOINERS).replaced, text)
    return SafeText(_COMBINING_RUN.sub(r"\1", text))


def _is_safe(text: str) -> bool:
    """Return whether there is nothing to sanitize in a text: a quick test."""
    if text.isascii():  # all of it that is neither printable nor a line feed is a control character
        return text.isprintable() or text.replace("\n", "").isprintable()
    return _SUSPECT.search(text) is None


def sanitize_pieces(pieces: Iterable[str], *, unescaped: bool = False) -> Iterator[SafeText]:
    r"""Yield a text that comes in ``pieces`` sanitized, in pieces: joined they equal `sanitize` of the whole.

    With ``unescaped`` a literal ``\n`` becomes a line break, as in `unescape_breaks`.
    """
    before = held = ""
    for piece in pieces:
        text = before + held + piece
        end = max(len(before), len(text) - _unfinished_chars(text, unescaped=unescaped))
        yield sanitize((_unescaped if unescaped else _slice)(text, len(before), end))
        # Hold back what may be the beginning of a line break, or of a run of combining marks.
        held = _COMBINING_RUN.sub(r"\1", text[end:])
        before = text[max(0, end - _CONTEXT_CHARS) : end] if unescaped else ""
    if held:
        text = before + held
        yield sanitize((_unescaped if unescaped else _slice)(text, len(before), len(text)))


def _slice(text: str, start: int, end: int) -> str:
    return text[start:end]


def _unescaped(text: str, start: int, end: int) -> str:
    """Return a part of a text, whose escaped breaks are found by the text around them."""
    parts: list[str] = []
    for found in ESCAPED_BREAK.finditer(text, start):
        if found.start() >= end:
            break
        parts += [text[start : found.start()], "\n"]
        start = found.end()
    return "".join([*parts, text[start:end]])


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


def _unfinished_chars(text: str, *, unescaped: bool) -> int:
    """Return how many characters at the end of a piece must be sanitized together with the next piece."""
    end = len(text)
    if unescaped and (begun := _PARTIAL_ESCAPE.search(text, max(0, end - 24))):
        end = begun.start()
    begun = _PARTIAL_BREAK.search(text, max(0, end - 4), end)
    if begun:
        return len(text) - begun.start()
    return len(text) - len(text[:end].rstrip(_COMBINING_MARKS))


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
    if text.isascii() and text.isprintable() and "  " not in text:  # most are one line
        return SafeText(text.strip(" "))
    safe = sanitize(text, joiners=False)
    if safe.isascii():
        return SafeText(" ".join(safe.split()))
    line = " ".join(_SKIN_TONES.sub("", safe).split())
    return SafeText("\ufffd" + line if line and category(line[0])[0] == "M" else line)


def first_line(text: str, max_chars: int = 1000) -> SafeText:
    r"""Return the first line with content, for one row (docs/screens.md, "First line of a thought").

    Blank lines, rules and code fences are skipped; leading ``#``, ``>``, ``-``, ``*``, and the marks of emphasis, code,
    links, tables and formulas are removed. A line break, also a literal ``\n``, ends the line. The result is sanitized
    and at most ``max_chars`` characters long.
    """
    text = text[: max_chars * 4]
    if is_plain_line(text):
        return SafeText(text.rstrip()[:max_chars])
    return _first_line(text, max_chars)


@lru_cache(maxsize=_KEPT_LINES)
def _first_line(text: str, max_chars: int) -> SafeText:
    return SafeText(next((one_line(line.text)[:max_chars] for line in _content_lines(text)), ""))


def first_line_and_rest(
    text: str, separator: str, max_chars: int = 1000, *, cells: int = MAX_REST_CHARS
) -> tuple[SafeText, SafeText]:
    """Return the first line as `first_line` does, and what follows it on the same row: the next lines.

    The second begins with what joins it to the first: a blank, or ``separator`` where a new block begins and no
    punctuation ends the line before. Both are sanitized and at most ``max_chars`` characters long, the second at most
    `MAX_REST_CHARS`. Of the second, what lies behind ``cells`` cells may be left out.
    """
    text = text[: max_chars * 4]
    if is_plain_line(text):
        return SafeText(text.rstrip()[:max_chars]), SafeText("")
    return _first_line_and_rest(text, separator, max_chars, cells)


def plain_line(text: str, separator: str = "·") -> SafeText:
    """Return the beginning of a text of any lines as one line without marks, as `first_line_and_rest` parts it."""
    return SafeText("".join(first_line_and_rest(text, separator)))


@lru_cache(maxsize=_KEPT_LINES)
def _first_line_and_rest(text: str, separator: str, max_chars: int, cells: int) -> tuple[SafeText, SafeText]:
    first, rest, above, ascii_cells = "", "", "", 0
    for line in _content_lines(text):
        shown = one_line(line.text)
        if not first:
            first = above = shown[:max_chars]
            continue
        joint = f" {separator} " if line.is_new_block and not above.endswith(_SENTENCE_ENDS) else " "
        rest, above = rest + joint + shown, shown
        ascii_cells += len(shown) if shown.isascii() else 0
        if len(rest) >= min(max_chars, MAX_REST_CHARS) or ascii_cells > cells:
            break
    return SafeText(first), SafeText(rest[: min(max_chars, MAX_REST_CHARS)])


def is_plain_line(text: str) -> bool:
    """Return whether a row shows a text as it is, but for blanks at its end."""
    return (
        text.isascii()
        and text.isprintable()
        and text[:1].isalnum()
        and "*" not in text
        and "_" not in text
        and "$" not in text
        and "<" not in text
        and "](" not in text
        and "`" not in text
        and "\\" not in text
        and "  " not in text
    )


class _ContentLine(NamedTuple):
    """A line that says something, without its marks."""

    text: str
    is_new_block: bool
    """Whether it is not a continuation of the paragraph above."""


def _content_lines(text: str) -> Iterator[_ContentLine]:
    """Yield the lines of a text that say something; for a text that only names a code's language, that name."""
    from seqthink.core.plain_markdown import with_whole_formulas, without_marks  # noqa: PLC0415 - with the first text that has marks

    fence, column, language, has_content, is_new_block = "", 0, "", False, True
    text = unescape_breaks(_with_line_feeds(text))
    is_in_table = "|" in text and _TABLE_RULE.search(text) is not None
    for line in with_whole_formulas(text).split("\n"):
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        is_near = found is not None and found.start(1) <= column + _MAX_CLOSING_INDENT
        if found and (not fence or (is_near and found[1].startswith(fence) and not found[2])):
            fence, column, language = "" if fence else found[1], found.start(1), language or found[2]
            is_new_block = True
            continue
        bare = line.strip() if fence else without_marks(line, is_in_table=is_in_table)
        # a first line may consist of signs, a later one is the frame of a table or the line below a heading
        if not bare or (not fence and _says_nothing(bare, is_first=not has_content)):
            is_new_block = True
            continue
        has_mark = bool(fence) or (is_in_table and "|" in line) or _BLOCK_MARK.match(line) is not None
        yield _ContentLine(bare, is_new_block or has_mark)
        has_content, is_new_block = True, bool(fence) or line.lstrip().startswith("#")
    if not has_content and language:
        yield _ContentLine(language, is_new_block=True)


def _with_line_feeds(text: str) -> str:
    """Return a text whose line breaks are all line feeds."""
    if text.isascii() and "\r" not in text and "\x0b" not in text and "\x0c" not in text:
        return text
    return _LINE_BREAK.sub("\n", text)


def _says_nothing(bare: str, *, is_first: bool) -> bool:
    return not bare.strip("*#>- ") if is_first else _RULE_OR_FRAME.fullmatch(bare) is not None


def unescape_breaks(text: str, feed: str = "\n") -> str:
    r"""Replace a literal ``\n`` by a line break (docs/viewer.md, "Text pane"): some models escape twice.

    What begins a command of LaTeX, such as ``\nabla``, stays.
    """
    return ESCAPED_BREAK.sub(feed, text) if "\\n" in text else text


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
