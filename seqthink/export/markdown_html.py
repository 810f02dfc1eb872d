r"""A thought's Markdown as safe HTML: no tags from the text, no images loaded, no links to follow.

It shows what the text pane shows: raw HTML is text, links and images show their addresses.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from seqthink.drawing.markup.inline import MarkdownToken
from seqthink.drawing.markup.markdown import NOT_RENDERED, clean_markdown, has_markup, parse_markdown
from seqthink.drawing.markup.unified_diff import is_diff
from seqthink.export import html_text
from seqthink.text import MAX_RENDERED_CHARS, join_if_short

_ESCAPED_BREAK = re.compile(r" *(?:\\r)?\\n *")
_PARAGRAPHS = re.compile(r"\n(?: *\n)+")
_BREAK = re.compile(r" *\n *")
_TAGS = {
    "em_open": "<em>",
    "em_close": "</em>",
    "strong_open": "<strong>",
    "strong_close": "</strong>",
    "paragraph_open": "<p>",
    "paragraph_close": "</p>\n",
    "heading_close": "</p>\n",
    "blockquote_open": "<blockquote>\n",
    "blockquote_close": "</blockquote>\n",
    "bullet_list_open": "<ul>\n",
    "bullet_list_close": "</ul>\n",
    "ordered_list_close": "</ol>\n",
    "list_item_open": "<li>",
    "list_item_close": "</li>\n",
    "hr": "<hr>\n",
    "table_open": '<div class="wide"><table>\n',
    "table_close": "</table></div>\n",
    "thead_open": "<thead>",
    "thead_close": "</thead>\n",
    "tbody_open": "<tbody>",
    "tbody_close": "</tbody>\n",
    "tr_open": "<tr>",
    "tr_close": "</tr>\n",
    "th_open": "<th>",
    "th_close": "</th>",
    "td_open": "<td>",
    "td_close": "</td>",
    "softbreak": "\n",
    "hardbreak": "<br>\n",
}


def thought_html(pieces: Iterable[str]) -> Iterator[str]:
    """Yield a thought given in ``pieces`` (unsanitized) as HTML; a long one is not rendered."""
    written = join_if_short(pieces)
    if not isinstance(written, str):
        yield f'<p class="muted">{NOT_RENDERED}</p>\n'
        yield from raw_html(written)
        return
    safe = clean_markdown(written)
    if not has_markup(safe):
        yield from map(_paragraph, _PARAGRAPHS.split(safe.strip("\n")))
        return
    tokens = parse_markdown(safe)
    shown = "".join(_blocks(tokens)) if tokens else ""
    yield from [shown] if shown else raw_html(safe)


def raw_html(text: str | Iterable[str], role: str = "") -> Iterator[str]:
    """Yield a text as it is written."""
    yield f'<p class="{f"raw {role}".rstrip()}">'
    yield from html_text.long_text(text)
    yield "</p>\n"


def _paragraph(safe: str) -> str:
    # escaping does not change blanks and line feeds
    shown = _BREAK.sub(lambda found: "<br>\n" if found[0].startswith("  ") else "\n", html_text.text(safe.strip(" \n")))
    return f"<p>{shown}</p>\n" if shown else ""


def _blocks(tokens: Sequence[MarkdownToken]) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "inline":
                yield from _Inline().html(cast("Sequence[MarkdownToken]", getattr(token, "children", None) or ()))
            case "fence" | "code_block":
                yield code_html(token.content, token.info.strip())
            case "heading_open":
                yield f'<p class="h {token.tag}">'
            case "ordered_list_open":
                start = token.attrGet("start")
                yield f'<ol start="{start}">\n' if isinstance(start, int) else "<ol>\n"
            case "paragraph_open" | "paragraph_close" if token.hidden:
                continue
            case kind:
                yield _TAGS.get(kind, "")


def long_code_html(content: str, info: str = "") -> Iterator[str]:
    """Yield code that may be huge, as it is; a diff that is not too long is coloured."""
    if len(content) <= MAX_RENDERED_CHARS:
        yield code_html(content, info)
        return
    yield f"<pre>{_label(info)}<code>"
    yield from html_text.long_text(content)
    yield "\n</code></pre>\n"


def code_html(content: str, info: str = "") -> str:
    """Return code as it is; a diff is coloured."""
    language = info.split(" ", maxsplit=1)[0]
    lines = content.rstrip("\n").split("\n")
    shown = map(_diff_line, lines) if is_diff(language, content) else map(html_text.text, lines)
    return f"<pre>{_label(info)}<code>{chr(10).join(shown)}\n</code></pre>\n"


def _label(info: str) -> str:
    return f'<span class="info">{html_text.line(info)}</span>' if info else ""


def _diff_line(line: str) -> str:
    if line.startswith(("--- ", "+++ ", "@@", "diff ", "index ")):
        role = "muted"
    else:
        role = {"+": "good", "-": "bad"}.get(line[:1], "")
    return f'<span class="{role}">{html_text.text(line)}</span>' if role else html_text.text(line)


class _Inline:
    """Renders the inline tokens of a block."""

    def __init__(self) -> None:
        self._links: list[tuple[MarkdownToken, int]] = []
        self._shown: list[str] = []
        self._plain: list[str] = []

    def html(self, tokens: Sequence[MarkdownToken]) -> list[str]:
        """Return the HTML of a block in pieces."""
        for token in tokens:
            self._add_token(token)
        return self._shown

    def _add_token(self, token: MarkdownToken) -> None:
        match token.type:
            case "code_inline":
                self._add(f"<code>{html_text.line(token.content)}</code>", token.content)
            case "image":
                self._add(f'<span class="muted">image:</span> {html_text.line(token.content) or "?"}', token.content)
                self._shown.append(_address(token, "src"))
            case "link_open":
                self._links.append((token, len(self._plain)))
                self._shown.append('<span class="link">')
            case "link_close":
                opened, start = self._links.pop()
                is_shown = opened.attrGet("href") == "".join(self._plain[start:]) and not opened.attrGet("title")
                self._shown.append("</span>" + ("" if is_shown else _address(opened, "href")))
            case "text" | "text_special":
                self._add(_ESCAPED_BREAK.sub("<br>", html_text.text(token.content)), token.content)
            case kind:
                self._add(_TAGS.get(kind) or html_text.text(token.content), "")

    def _add(self, html: str, plain: str) -> None:
        self._shown.append(html)
        self._plain.append(plain)


def _address(token: MarkdownToken, name: str) -> str:
    title = str(token.attrGet("title") or "")
    address = html_text.line(str(token.attrGet(name) or "")) + (f" “{html_text.line(title)}”" if title else "")
    return f' <span class="address">({address})</span>'
