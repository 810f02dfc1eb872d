r"""A thought's Markdown as lines of cells, for the text pane and for plain output.

No text may vanish, or the user would not see what the model reads: raw HTML and reference definitions are shown as
text, links show their address, and nesting that is too deep is shown as it is written. A soft line break joins; a
literal ``\n`` is a line break.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from seqthink.core.text import MAX_RENDERED_CHARS, SafeText, sanitize, sanitize_pieces, unescape_breaks
from seqthink.drawing.markup.code_lines import code_lines, wrapped_code
from seqthink.drawing.markup.inline import InlineSpans, MarkdownToken
from seqthink.drawing.markup.table import Alignment, TableRow, table_lines
from seqthink.drawing.markup.unified_diff import is_diff, unified_diff_lines
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.span_wrapping import wrap_code, wrap_spans
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans
from seqthink.drawing.text.wrap import wrap, wrap_pieces

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_NESTING_LEVELS = 60
"""Levels of lists and quotes that are rendered; a deeper text is shown as written."""

MAX_BRACKETS = 5000
"""Opening brackets in a rendered text: for each the parser may search to the end of the text."""

NOT_RENDERED = f"Its Markdown is shown as it was written, since it has more than {MAX_RENDERED_CHARS:,} characters."
"""The notice under a text that is too long to be rendered."""

MEASURE_CELLS = 100
"""A line to read is not longer, however wide the screen; code and tables may be."""

MAX_COLOURED_TEXT_CHARS = 24_000
"""Characters of code in a text that are coloured."""

MIN_RENDER_CELLS = 12
"""Below this width nothing is rendered."""

# A text without any of these is only paragraphs. Most thoughts are, and for them the parser need not be loaded. Each
# of the three searches is quick; one for all of them would look at every character three times.
_MARKUP_SIGN = re.compile(r"[*_`#>|\[\]<&\\~!]")
_MARKED_LINE = r"(?: *(?:[-+=]|\d{1,9}[.)])| {4})"
_MARKED_FIRST_LINE, _MARKED_LATER_LINE = re.compile(_MARKED_LINE), re.compile(rf"\n{_MARKED_LINE}")
_FENCES, _PREFORMATTED = ("```", "~~~"), ("|", "    ")
_TASK = re.compile(r"\[([ xX])\] ")
_ALIGNMENT = re.compile(r"text-align: *(\w+)")
_LANGUAGE = re.compile(r"[\w+#.-]{0,16}")


def markdown_lines(
    text: str, cells: int, *, role: Role = Role.TEXT, signs: Signs = UNICODE, margin: int = 1
) -> list[Spans]:
    """Return ``text`` (unsanitized) rendered in lines of at most ``cells`` cells, ``margin`` at both sides included."""
    safe = clean_markdown(text)
    if not has_markup(safe):
        lines = list(_prose(safe, max(2, min(cells - 2 * margin, MEASURE_CELLS)), role, margin))
        return lines or [[]]
    tokens = parse_markdown(safe) if cells >= MIN_RENDER_CELLS else None
    if tokens is None:
        return list(plain_lines(safe, cells, role=role, margin=margin))
    drawn = _BlockRenderer(cells, role, signs, margin).drawn(tokens)
    return drawn or list(plain_lines(safe, cells, role=role, margin=margin))


def clean_markdown(text: str) -> SafeText:
    r"""Return ``text`` sanitized; if it has no line break, a literal ``\n`` counts as one."""
    safe = sanitize(text)
    return safe if "\n" in safe else SafeText(unescape_breaks(safe, "  \n"))


def has_markup(safe: SafeText) -> bool:
    """Return whether a text may contain more than paragraphs."""
    return bool(_MARKUP_SIGN.search(safe) or _MARKED_FIRST_LINE.match(safe) or _MARKED_LATER_LINE.search(safe))


def parse_markdown(safe: SafeText) -> Sequence[MarkdownToken] | None:
    """Return the tokens of a text, or None if it must be shown as it is written."""
    if safe.count("[") > MAX_BRACKETS:
        return None
    tokens = _parser().parse(safe)
    return (
        None
        if any(token.level >= MAX_NESTING_LEVELS - 1 for token in tokens)
        else cast("Sequence[MarkdownToken]", tokens)
    )


def plain_lines(text: str, cells: int, *, role: Role = Role.TEXT, margin: int = 1) -> Iterator[Spans]:
    """Yield ``text`` (unsanitized) without rendering, in lines of at most ``cells`` cells."""
    room = max(2, cells - 2 * margin)
    is_code = False
    for line in sanitize(text).strip("\n").split("\n"):
        is_code ^= line.lstrip().startswith(_FENCES)
        is_prose = not (is_code or line.startswith(_PREFORMATTED))
        for piece in wrap(line, min(room, MEASURE_CELLS) if is_prose else room):
            yield [Span(" " * margin), Span(piece, role)]


def plain_text_lines(pieces: Iterable[str], cells: int, *, margin: int = 1) -> Iterator[str]:
    r"""Yield a text given in ``pieces`` (unsanitized) without rendering, many lines per string.

    A literal ``\n`` is a line break, too. The text is streamed: memory does not grow with its length.
    """
    return wrap_pieces(sanitize_pieces(pieces, unescaped=True), max(2, cells - 2 * margin), " " * margin)


def _prose(text: str, room: int, role: Role, margin: int) -> Iterator[Spans]:
    """Yield the paragraphs of a text without markup; two blanks at a line's end break the line."""
    has_begun = False
    for paragraph in re.split(r"\n(?: *\n)+", text.strip("\n")):
        if not paragraph.strip():
            continue
        if has_begun:
            yield []
        has_begun = True
        joined = re.sub(r" *\n *", lambda found: "\n" if found[0].startswith("  ") else " ", paragraph.strip(" \n"))
        for line in wrap(joined, room):
            yield [Span(" " * margin), Span(line, role)]


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - imported when the first text with markup needs it

    from seqthink.drawing.markup.formulas import add_formulas  # noqa: PLC0415 - with the parser

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING_LEVELS})
    add_formulas(parser)
    return parser.enable(["table", "strikethrough"]).disable("reference")


def _alignment(token: MarkdownToken) -> Alignment:
    found = _ALIGNMENT.match(str(token.attrGet("style") or ""))
    return Alignment(found[1]) if found else Alignment.LEFT


class _Container:
    """A quote or list item: the prefix of its first line, and of the others."""

    def __init__(self, first: Span, rest: Span) -> None:
        self.next, self.rest = first, rest

    def next_prefix(self) -> Span:
        """Return the prefix of the next line."""
        shown, self.next = self.next, self.rest
        return shown


class _BlockRenderer:
    """Renders block tokens one after the other."""

    def __init__(self, cells: int, role: Role, signs: Signs, margin: int) -> None:
        self._cells, self._role, self._signs, self._margin = cells, role, signs, margin
        self._lines: list[Spans] = []
        self._containers: list[_Container] = []
        self._list_depth = 0
        self._needs_blank_line = False
        self._rows: list[TableRow] = []
        self._alignments: list[Alignment] = []
        self._face = 0
        self._colourable_chars = MAX_COLOURED_TEXT_CHARS

    def drawn(self, tokens: Sequence[MarkdownToken]) -> list[Spans]:
        """Return the lines of all blocks."""
        for token in tokens:
            self._draw_token(token)
        return self._lines

    def _draw_token(self, token: MarkdownToken) -> None:  # noqa: C901, PLR0912 - one case per token type
        match token.type:
            case "inline":
                self._inline(token)
            case "paragraph_close":
                self._needs_blank_line = self._needs_blank_line or not token.hidden
            case "heading_open":
                self._needs_blank_line, self._face = True, BOLD
            case "heading_close":
                self._face = 0
            case "fence" | "code_block":
                self._fence(token.info.strip(), sanitize(token.content))
            case "hr":
                self._block([[Span(self._signs.rule * self._room, Role.LINE)]])
            case "blockquote_open":
                self._enter("> ", "> ", Role.MUTED)
            case "list_item_open":
                mark = f"{token.info}{token.markup} " if token.info else f"{self._signs.bullet} "
                self._enter(mark, " " * len(mark), Role.MUTED)
            case "bullet_list_open" | "ordered_list_open":
                self._list_depth += 1
            case "bullet_list_close" | "ordered_list_close":
                self._list_depth -= 1
                self._needs_blank_line = self._needs_blank_line or not self._list_depth
            case "list_item_close" | "blockquote_close":
                self._leave(token)
            case "tr_open":
                self._rows.append([])
            case "th_open":
                self._alignments.append(_alignment(token))
            case "table_close":
                rows, self._rows, alignments, self._alignments = self._rows, [], self._alignments, []
                self._block(list(table_lines(rows, self._room, self._signs.rule, alignments)))
            case "formula_block":
                self._formula(sanitize(token.content))
            case _:
                pass

    @property
    def _room(self) -> int:
        """Cells for code and tables."""
        taken = sum(len(container.rest.text) for container in self._containers)
        return max(2, self._cells - 2 * self._margin - taken)

    @property
    def _measure(self) -> int:
        """Cells for lines to read."""
        return min(self._room, MEASURE_CELLS)

    def _enter(self, first: str, rest: str, role: Role) -> None:
        # Nested too deeply: no room left to indent.
        if self._room - len(first) < min(10, self._cells // 2):
            first = rest = ""
        self._draw_blank_line()
        self._containers.append(_Container(Span(first, role), Span(rest, role)))

    def _leave(self, token: MarkdownToken) -> None:
        container = self._containers[-1]
        if container.next is not container.rest and container.next.text.strip():
            self._emit([])  # a list item without text
        self._containers.pop()
        self._needs_blank_line = self._needs_blank_line or token.type == "blockquote_close"

    def _inline(self, token: MarkdownToken) -> None:
        children = cast("Sequence[MarkdownToken]", getattr(token, "children", None) or ())
        role = Role.ACCENT if self._face else self._role
        spans = InlineSpans(role, self._face).spans(children)
        if self._rows:
            self._rows[-1].append(spans)
            return
        self._draw_blank_line()
        self._take_task(spans)
        for line in wrap_spans(spans, self._measure):
            self._emit(line)

    def _fence(self, info: str, code: str) -> None:
        language = info.split(" ", maxsplit=1)[0]
        if is_diff(language, code):
            # A diff has its signs in the margin.
            indent = self._margin if self._containers else 0
            self._draw_blank_line()
            for line in unified_diff_lines(code, self._room + self._margin - indent):
                self._emit(line, margin=indent)
            self._needs_blank_line = True
            return
        lines: list[Spans] = []
        if not _LANGUAGE.fullmatch(info):
            lines += wrap_spans([Span(info, Role.MUTED)], self._measure)
        rail = Span("│ " if self._signs is UNICODE else "| ", Role.LINE)
        for line in self._coloured("\n".join(map(str.rstrip, code.strip("\n").rstrip().split("\n"))), language):
            lines += [[rail, *piece] for piece in wrapped_code(line, self._room - 2)]
        self._block(lines)

    def _coloured(self, code: str, language: str) -> list[Spans]:
        """Return the lines of a code; a text that is of less importance has no colours."""
        if self._role is not Role.TEXT:
            return [[Span(line, self._role)] for line in code.split("\n")]
        lines = code_lines(code, language, max_chars=self._colourable_chars)
        self._colourable_chars = max(0, self._colourable_chars - len(code))
        return lines

    def _formula(self, text: str) -> None:
        """Draw a displayed formula in its own lines."""
        wrapped = (wrap_code(line.rstrip(), self._room) for line in text.split("\n"))
        self._block([[Span(piece, self._role)] for pieces in wrapped for piece in pieces])

    def _take_task(self, spans: Spans) -> None:
        """Turn the bullet of a task, whose text begins with ``[ ]`` or ``[x]``, into its box."""
        found = _TASK.match(spans[0].text) if spans and self._containers else None
        item = self._containers[-1] if found else None
        if found and item is not None and item.next is not item.rest and item.next.text.strip() == self._signs.bullet:
            spans[0] = spans[0]._replace(text=spans[0].text[found.end() :])
            item.next = Span(found[0], Role.GOOD if found[1].strip() else Role.MUTED)
            item.rest = Span(" " * len(found[0]), item.rest.role)

    def _block(self, lines: list[Spans]) -> None:
        self._needs_blank_line = True
        self._draw_blank_line()
        for line in lines:
            self._emit(line)
        self._needs_blank_line = True

    def _draw_blank_line(self) -> None:
        """Draw the blank line that is due."""
        if (
            self._needs_blank_line
            and self._lines
            and all(container.next is container.rest for container in self._containers)
        ):
            before = [Span(container.rest.text, container.rest.role) for container in self._containers]
            self._lines.append([Span(" " * self._margin), *before] if any(s.text.strip() for s in before) else [])
        self._needs_blank_line = False

    def _emit(self, line: Spans, margin: int | None = None) -> None:
        before = [container.next_prefix() for container in self._containers]
        margin = self._margin if margin is None else margin
        self._lines.append([Span(" " * margin), *(span for span in before if span.text), *line])
