r"""A thought's Markdown as lines of cells, for the text pane and for plain output.

No text may vanish, or the user would not see what the model reads: raw HTML and reference definitions are shown as
text, links show their address, and nesting that is too deep is shown as it is written. A soft line break joins; a
literal ``\n`` is a line break.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from seqthink.drawing.markup.inline import InlineSpans, MarkdownToken
from seqthink.drawing.markup.table import TableRow, table_lines
from seqthink.drawing.markup.unified_diff import is_diff, unified_diff_lines
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.span_wrapping import wrap_code, wrap_spans
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans
from seqthink.drawing.text.wrap import wrap, wrap_pieces
from seqthink.text import MAX_RENDERED_CHARS, SafeText, sanitize, sanitize_pieces

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_NESTING_LEVELS = 60
"""Levels of lists and quotes that are rendered; a deeper text is shown as written."""

MAX_BRACKETS = 5000
"""Opening brackets in a rendered text: for each the parser may search to the end of the text."""

NOT_RENDERED = f"Its Markdown is shown as it was written, since it has more than {MAX_RENDERED_CHARS:,} characters."
"""The notice under a text that is too long to be rendered."""

MIN_RENDER_CELLS = 12
"""Below this width nothing is rendered."""

# A text without any of these is only paragraphs. Most thoughts are, and for them the parser need not be loaded.
_MARKUP = re.compile(r"[*_`#>|\[\]<&\\~!]|^ *(?:[-+=]|\d{1,9}[.)])|^ {4}", re.MULTILINE)
_LANGUAGE = re.compile(r"[\w+#.-]{0,16}")


def markdown_lines(
    text: str, cells: int, *, role: Role = Role.TEXT, signs: Signs = UNICODE, margin: int = 1
) -> list[Spans]:
    """Return ``text`` (unsanitized) rendered in lines of at most ``cells`` cells, ``margin`` at both sides included."""
    safe = clean_markdown(text)
    if not has_markup(safe):
        lines = list(_prose(safe, max(2, cells - 2 * margin), role, margin))
        return lines or [[]]
    tokens = parse_markdown(safe) if cells >= MIN_RENDER_CELLS else None
    if tokens is None:
        return list(plain_lines(safe, cells, role=role, margin=margin))
    drawn = _BlockRenderer(cells, role, signs, margin).drawn(tokens)
    return drawn or list(plain_lines(safe, cells, role=role, margin=margin))


def clean_markdown(text: str) -> SafeText:
    r"""Return ``text`` sanitized; if it has no line break, a literal ``\n`` counts as one."""
    safe = sanitize(text)
    return safe if "\n" in safe else SafeText(safe.replace("\\r\\n", "  \n").replace("\\n", "  \n"))


def has_markup(safe: SafeText) -> bool:
    """Return whether a text may contain more than paragraphs."""
    return safe.count("[") > MAX_BRACKETS or bool(_MARKUP.search(safe))


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
    for line in wrap(sanitize(text).strip("\n"), max(2, cells - 2 * margin)):
        yield [Span(" " * margin), Span(line, role)]


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

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING_LEVELS})
    return parser.enable("table").disable("reference")


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
        self._face = 0

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
            case "table_close":
                rows, self._rows = self._rows, []
                self._block(list(table_lines(rows, self._room, self._signs.rule)))
            case _:
                pass

    @property
    def _room(self) -> int:
        taken = sum(len(container.rest.text) for container in self._containers)
        return max(2, self._cells - 2 * self._margin - taken)

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
        for line in wrap_spans(spans, self._room):
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
        lines: list[Spans] = [] if _LANGUAGE.fullmatch(info) else list(wrap_spans([Span(info, Role.MUTED)], self._room))
        bar = "│ " if self._signs is UNICODE else "| "
        for line in code.strip("\n").rstrip().split("\n"):
            for number, piece in enumerate(wrap_code(line.rstrip(), self._room - 2)):
                lines.append([Span("  " if number else bar, Role.LINE), Span(piece, self._role)])
        self._block(lines)

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
