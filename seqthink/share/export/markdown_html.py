r"""A thought's Markdown as safe HTML: no tags from the text, no images loaded, no links to follow.

It shows what the text pane shows: raw HTML is text, links and images show their addresses. markdown-it parses the text
and writes the HTML. In between, the tokens that would load, link or style something become others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup
from typing_extensions import override

from seqthink.core.text import ESCAPED_BREAK, join_if_short, one_line, sanitize
from seqthink.drawing.markup.markdown import NOT_RENDERED, clean_markdown, has_markup, parse_markdown
from seqthink.share.export.html_blocks import Block, Paragraphs, Raw, Rendered, Sentence, code_block
from seqthink.share.export.html_templates import render

_ESCAPED_BREAK = re.compile(rf" *(?:{ESCAPED_BREAK.pattern}) *")
_SIDES = {"right", "center"}
_SCROLLS: Mapping[str, str | int | float] = {"class": "wide", "role": "group", "aria-label": "Table", "tabindex": "0"}
"""The box around a table: it scrolls, also by keys, and a screen reader names it."""
_PARAGRAPHS = re.compile(r"\n(?: *\n)+")
_HARD_BREAK = re.compile(r"  +\n *")
_SOFT_BREAK = re.compile(r" *\n *")


def thought_blocks(pieces: Iterable[str]) -> Sequence[Block]:
    """Return a thought given in ``pieces`` (unsanitized) as blocks; a long one is not rendered."""
    written = join_if_short(pieces)
    if not isinstance(written, str):
        return [Sentence(NOT_RENDERED), Raw(written)]
    safe = clean_markdown(written)
    if not has_markup(safe):
        if "\n" not in safe:
            return [Paragraphs([[text]] if (text := safe.strip(" ")) else [])]
        return [Paragraphs([_lines(text) for part in _PARAGRAPHS.split(safe) if (text := part.strip(" \n"))])]
    tokens = parse_markdown(safe)
    html = _rendered(cast("Sequence[Token]", tokens)) if tokens else Markup()
    return [Rendered(html) if html else Raw(safe)]


def _lines(paragraph: str) -> list[str]:
    """Return the lines of a paragraph, which two blanks at the end of one break."""
    return [_SOFT_BREAK.sub("\n", line) for line in _HARD_BREAK.split(paragraph)]


def _rendered(tokens: Sequence[Token]) -> Markup:
    parser = _parser()
    # markdown-it escapes each text and attribute
    return Markup(parser.renderer.render(list(_block_tokens(tokens)), parser.options, {}))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}, renderer_cls=_Renderer)


class _Renderer(RendererHTML):
    """Writes code as everywhere on the page."""

    @override
    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return render("blocks.html", blocks=[code_block(tokens[idx].content, tokens[idx].info.strip())])

    @override
    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return self.fence(tokens, idx, options, env)


def _block_tokens(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens of blocks as the page has them: plain headings, tables that scroll, no inline styles."""
    for token in tokens:
        match token.type:
            case "inline":
                token.children = list(_inline_tokens(token.children or []))
            case "table_open":
                yield Token("wide_open", "div", 1, attrs={**_SCROLLS})
            case "formula_block":
                yield _formula_block(token)
                continue
            case _:
                _restyle(token)
        yield token
        if token.type == "table_close":
            yield Token("wide_close", "div", -1, block=True)


def _restyle(token: Token) -> None:
    """Make a heading a plain one, and the side of a table's cell a class."""
    match token.type:
        case "heading_open":
            token.attrs = {"class": f"h {token.tag}"}
            token.tag = "p"
        case "heading_close":
            token.tag = "p"
        case "th_open" | "td_open":
            _, _, side = str(token.attrs.get("style", "")).rpartition(":")
            token.attrs = {"class": side} if side in _SIDES else {}
        case _:
            pass


def _formula_block(token: Token) -> Token:
    """Return a displayed formula as a paragraph that keeps its lines."""
    return Token("html_block", "", 0, content=render("blocks.html", blocks=[Raw(sanitize(token.content))]), block=True)


def _inline_tokens(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens in a line as the page has them: links and images are text and show their addresses."""
    links: list[tuple[Token, int]] = []
    plain: list[str] = []
    for token in tokens:
        match token.type:
            case "code_inline":
                plain.append(token.content)
                token.content = one_line(token.content)
                yield token
            case "image":
                plain.append(token.content)
                yield from _span("image:", "muted")
                yield _text(f" {one_line(token.content) or '?'}")
                yield from _address(token, "src")
            case "link_open":
                links.append((token, len(plain)))
                yield Token("span_open", "span", 1, attrs={"class": "link"})
            case "link_close":
                opened, start = links.pop()
                yield Token("span_close", "span", -1)
                if opened.attrGet("title") or opened.attrGet("href") != "".join(plain[start:]):
                    yield from _address(opened, "href")
            case "text" | "text_special" | "formula":
                plain.append(token.content)
                has_breaks = token.type != "formula" and "\\n" in token.content
                token.type, token.content = "text", sanitize(token.content)
                yield from _text_lines(token) if has_breaks else (token,)
            case _:
                yield token


def _text_lines(token: Token) -> Iterator[Token]:
    r"""Yield a text in which a literal ``\n`` is a line break: some models escape theirs twice."""
    for number, line in enumerate(_ESCAPED_BREAK.split(token.content)):
        if number:
            yield Token("hardbreak", "br", 0)
        yield _text(line)


def _address(token: Token, attribute: str) -> Iterator[Token]:
    title = one_line(str(token.attrGet("title") or ""))
    yield _text(" ")
    yield from _span(f"({one_line(str(token.attrGet(attribute) or ''))}{f' “{title}”' if title else ''})", "address")


def _span(text: str, name: str) -> Iterator[Token]:
    yield Token("span_open", "span", 1, attrs={"class": name})
    yield _text(text)
    yield Token("span_close", "span", -1)


def _text(text: str) -> Token:
    return Token("text", "", 0, content=text)
