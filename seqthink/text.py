"""The only way from untrusted text to a screen (viewer.md, "Untrusted text").

A thought is text from a model that reads the web. What a terminal would take as a control is replaced by a stand-in
that can be seen, before anything measures or draws it. The journal itself stays byte-exact.
"""

import re
from typing import NewType
from unicodedata import category

SafeText = NewType("SafeText", str)
"""Text without controls: safe to measure, draw and print. Only this module makes it."""

_ZWJ, _VS16 = "\u200d", "\ufe0f"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSAFE = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}]")
_LINE_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_COMBINING_RUN = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
# Never across another pair of stars: on `**a **a **a …` that would take time to the square of its length.
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_BOLD = re.compile(r"\*\*(?=\S)((?:(?!\*\*).)+)(?<=\S)\*\*")
_LEADING_MARKS = re.compile(r"^(?:[ \t]|#{1,6}(?=\s)|>|[-*](?=\s)|\*\*)+")


def sanitize(text: str, *, joiners: bool = True) -> SafeText:
    r"""Return ``text`` with every control made visible; line feeds stay, other line breaks become line feeds.

    C0 becomes its control picture (``\x1b`` is ``␛``), C1, DEL and lone surrogates become ``�``, bidi controls and
    characters without a width become ``⟨U+202E⟩``, a tab becomes four blanks. With ``joiners`` the joiner and the
    emoji selector stay, which Latin, Indic and emoji text needs; without, both are dropped, so that columns stay
    straight. At most three combining marks follow a character.
    """
    if text.isascii() and text.isprintable():
        return SafeText(text)
    text = _LINE_BREAK.sub("\n", text)
    text = _UNSAFE.sub(_keep_joiners if joiners else _drop_joiners, text)
    return SafeText(_COMBINING_RUN.sub(r"\1", text))


def without_controls(text: str) -> SafeText:
    """Return ``text`` with every control left out.

    Line breaks become line feeds, a tab becomes four blanks; what else `sanitize` would show by a stand-in is gone.
    """
    text = _UNSAFE.sub(_leave_out, _LINE_BREAK.sub("\n", text))
    return SafeText(_COMBINING_RUN.sub(r"\1", text))


def one_line(text: str) -> SafeText:
    """Return ``text`` sanitized for one row: line breaks and runs of white space become single blanks.

    Skin tones are left out: terminals differ on their width. A mark that would combine with what stands left of the
    text gets a stand-in to sit on.
    """
    line = " ".join(_SKIN_TONES.sub("", sanitize(text, joiners=False)).split())
    return SafeText("\ufffd" + line if line and category(line[0])[0] == "M" else line)


def first_line(text: str, limit: int = 1000) -> SafeText:
    r"""Return the first line with something to say, for one row (screens.md, "First line").

    Blank lines and leading ``#``, ``>``, ``-``, ``*`` and ``**`` are skipped; a line break, also a literal ``\n``,
    ends it; the result is sanitized and at most ``limit`` characters long.
    """
    head = text[: limit * 4]
    for line in unescape_breaks(_LINE_BREAK.sub("\n", head)).split("\n"):
        bare = _LEADING_MARKS.sub("", _BOLD.sub(r"\1", line)).strip()
        if bare.strip("*#>- "):
            return SafeText(one_line(bare)[:limit])
    return SafeText("")


def unescape_breaks(text: str) -> str:
    r"""Return ``text`` with a literal ``\n`` as a line break (viewer.md, "Text pane"): some models escape twice."""
    if "\\n" not in text:
        return text
    return text.replace("\\r\\n", "\n").replace("\\n", "\n")


def _stand_in(character: str) -> str:
    code = ord(character)
    if code == 0x09:
        return "    "
    if code < 0x20:
        return chr(0x2400 + code)
    if code < 0xA0 or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"⟨U+{code:04X}⟩"


def _keep_joiners(match: re.Match[str]) -> str:
    character = match[0]
    return character if character in {_ZWJ, _VS16, "\u00ad"} else _stand_in(character)


def _leave_out(match: re.Match[str]) -> str:
    character = match[0]
    return character if character in {_ZWJ, _VS16, "\u00ad"} else "    " if character == "\t" else ""


def _drop_joiners(match: re.Match[str]) -> str:
    character = match[0]
    return "" if character in {_ZWJ, _VS16, "\u00ad"} else _stand_in(character)
