r"""A line of Markdown as plain text for one row: without the marks of emphasis, code, links, tables and formulas.

By hand and by expressions that look at each character a few times: a row is made within microseconds, and without
markdown-it, which takes longer to load than all else that a row needs. Where Markdown would take program text for
marks (``2*3*4``, ``__init__``, ``f(*args)``, ``$HOME:$PATH``), the text stays.
"""

import re

from seqthink.core.plain_formulas import plain_formula

_HELD = "\0"
"""Takes the place of what is finished while the marks around it are looked for."""
_CODE = r"(?<!`)(?P<ticks>`+)(?P<code>[^`]+)(?P=ticks)(?!`)"
_FORMULAS = (
    r"\$\$(?P<display>[^`$]+)\$\$",
    r"\\\((?P<round>[^`]+?)\\\)",
    r"\\\[(?P<square>[^`]+?)\\\]",
    r"(?P<environment>\\begin\{(?P<name>[a-z]{1,12}\*?)\}[^`]+?\\end\{(?P=name)\})",
    r"(?<![\w$\\])\$(?P<inline>(?![\s$])[^`$]*[^\s`$\\])\$(?![\w$])",
)
_FINISHED = re.compile(rf"{_CODE}|{'|'.join(_FORMULAS)}|<(?P<address>https?://[^\s<>]+)>|\\(?P<sign>[*_`#|~])")
_DISPLAYED = re.compile(
    r"^(?:[ \t>]|[-*](?=\s))*(?P<fence>`{3,}|~{3,})[\s\S]*?(?:\n[ \t>]*(?P=fence)|\Z)"
    r"|^[ \t>]*\$\$[^`$]+\$\$"
    r"|\$\$[ \t]*\n[^`$]+\n[ \t>]*\$\$"
    r"|\\\[(?:(?!\\\[)[^`])+?\\\]"
    r"|\\begin\{(?P<name>[a-z]{1,12}\*?)\}(?:(?!\\begin\{(?P=name))[^`])+?\\end\{(?P=name)\}",
    re.MULTILINE,
)
"""A formula that may have several lines; or a block of code, in which there is none."""
_FORMULA_BREAK = re.compile(r"[ \t]*\n[ \t>]*")
_FORMULA_NAMES = frozenset(("display", "round", "square", "environment", "inline"))
_IS_FORMULA = re.compile(r"[\\^_={}<>+/]|[A-Za-z]['\d]?\Z|[A-Za-z]*\(")
"""What a formula between single dollars has; anything else is an amount, or the name of a variable."""
_ADDRESS = r"[^()\s<>\0]*(?:\([^()\s\0]*\)[^()\s<>\0]*)*"
_LINK = re.compile(rf"(?<![A-Za-z0-9_\])])!?\[([^\[\]]*)\]\(<?({_ADDRESS})>?(?: +\"[^\"\0]*\")?\)")
_BEGIN, _END = r"[\w\"'“‘«(\[{\0+$@#&…§€]", r"[\w\"'”’»)\]}\0.!?:…%+$€]"
# Not across another pair of stars: that would take quadratic time on `**a **a **a …`.
_STRONG = re.compile(
    rf"(?<![A-Za-z0-9_*/\\)\]])\*\*(?={_BEGIN}|\*{_BEGIN})((?:(?!\*\*).)+)(?<=\S)(?<={_END}|[*,;—-])\*\*(?![A-Za-z0-9_/])"
)
_STRESSED = re.compile(rf"(?<![A-Za-z0-9_*/\\)\]])\*(?={_BEGIN})([^*]+)(?<={_END})\*(?![A-Za-z0-9_*/])")
_UNDERLINED = re.compile(rf"(?<![\w*/\\)\]])_(?={_BEGIN})([^_]+)(?<={_END})_(?![\w/(])")
_UNDERLINED_TWICE = re.compile(rf"(?<![\w*/\\)\]])__(?={_BEGIN})((?:(?!__).)+)(?<={_END})__(?![\w/(])")
_IDENTIFIER = re.compile(r"[A-Za-z0-9_]+")
_OPEN_STRONG = re.compile(r"\*\*(?=\w)")
_CLOSING_HASHES = re.compile(r" +#+ *\Z")
_LEADING_MARKS = re.compile(r"^(?:[ \t]|#{1,6}(?=\s)|>|[-*](?=\s))+")
_FRAMED_ROW = re.compile(r"\|\s.*\s\|")
_CELL_BORDER = re.compile(r"\s*(?<!\\)\|\s*")


def without_marks(line: str, *, is_in_table: bool = False) -> str:
    """Return a line of Markdown, which is not a line of code, without its marks."""
    bare = line.strip()
    if bare.startswith("|") and (is_in_table or _FRAMED_ROW.fullmatch(bare)):
        cells = (plain_inline(cell) for cell in _CELL_BORDER.split(bare.strip("|")))
        return " | ".join(filter(None, cells))
    marks = _LEADING_MARKS.match(bare)
    if marks:
        bare = bare[marks.end() :]
        bare = _CLOSING_HASHES.sub("", bare) if "#" in marks[0] else bare
    return _OPEN_STRONG.sub("", plain_inline(bare), count=1) if bare.startswith("**") else plain_inline(bare)


def with_whole_formulas(text: str) -> str:
    """Return a text in which each displayed formula is one line."""
    if "\n" not in text or not any(mark in text for mark in ("$$", "\\[", "\\begin{")):
        return text
    return _DISPLAYED.sub(lambda found: found[0] if found["fence"] else _FORMULA_BREAK.sub(" ", found[0]), text)


def plain_inline(text: str) -> str:
    """Return a text without the marks within a line; what is code, and what only looks like marks, stays."""
    text = text.replace(_HELD, "␀")
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        content = found[kind]
        if kind == "inline" and not _IS_FORMULA.search(content):
            return found[0]
        held.append(plain_formula(content) if kind in _FORMULA_NAMES else content)
        return _HELD

    text = _FINISHED.sub(hold, text)
    for _ in range(2):  # a picture may be a link's text
        text = _LINK.sub(lambda found: found[1] or found[2], text)
    text = _STRESSED.sub(r"\1", _STRONG.sub(r"\1", text))
    text = _UNDERLINED_TWICE.sub(lambda found: found[0] if _IDENTIFIER.fullmatch(found[1]) else found[1], text)
    begin, *others = _UNDERLINED.sub(r"\1", text).split(_HELD)
    return begin + "".join(part + other for part, other in zip(held, others, strict=True))
