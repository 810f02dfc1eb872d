"""Inline Markdown (emphasis, code, links, images) as spans."""

import re
from collections.abc import Sequence
from typing import Protocol

from seqthink.core.text import ESCAPED_BREAK, sanitize
from seqthink.drawing.text.spans import BOLD, ITALIC, STRUCK, Role, Span, Spans

_FACES = {"strong": BOLD, "em": ITALIC, "s": STRUCK}
_ESCAPED_BREAK = re.compile(rf" *(?:{ESCAPED_BREAK.pattern}) *")


class MarkdownToken(Protocol):
    """The part of a markdown-it token that is used here; its fields are explained in markdown-it's documentation."""

    type: str
    content: str
    markup: str
    info: str
    hidden: bool
    level: int
    tag: str
    nesting: int

    def attrGet(self, name: str) -> str | int | float | None:  # noqa: N802 - markdown-it's name
        """Return an attribute."""
        ...


class InlineSpans:
    """Turns the inline tokens of one block into spans; nested styles add up."""

    def __init__(self, role: Role, face: int = 0) -> None:
        self._role = role
        self._depths = {"strong": face & BOLD, "em": face & ITALIC, "s": 0}
        self._links: list[tuple[str, int]] = []
        self._spans: Spans = []

    def spans(self, tokens: Sequence[MarkdownToken]) -> Spans:
        """Return the spans of the block; a line feed in them is a hard line break."""
        for token in tokens:
            self._add_token(token)
        return self._spans

    def _add_token(self, token: MarkdownToken) -> None:  # noqa: C901 - one case per token type
        match token.type:
            case "softbreak":
                self._add(" ")
            case "hardbreak":
                self._add("\n")
            case "code_inline":
                self._code(token)
            case "image":
                self._add("image: ", Role.MUTED)
                self._add(_one_line(token.content) or "?")
                self._address(token, "src")
            case "link_open":
                self._links.append((_attribute(token, "href") + _title(token), len(self._spans)))
            case "link_close":
                self._end_link()
            case "strong_open" | "strong_close" | "em_open" | "em_close":
                self._depths[token.tag] += token.nesting
            case "s_open" | "s_close":
                self._strike(token)
            case "formula":
                self._add(sanitize(token.content))
            case _:
                # Some models escape their line breaks twice.
                text = sanitize(token.content).replace("\n", " ")
                self._add(_ESCAPED_BREAK.sub("\n", text) if "\\n" in text else text)

    def _add(self, text: str, role: Role | None = None) -> None:
        face = sum(bit for tag, bit in _FACES.items() if self._depths[tag] > 0)
        link = Role.ACCENT if self._links else self._role
        if text:
            self._spans.append(Span(text, role or link, face))

    def _code(self, token: MarkdownToken) -> None:
        ticks = token.markup or "`"
        self._add(ticks, Role.LINE)
        self._add(_one_line(token.content), Role.ESTIMATE)
        self._add(ticks, Role.LINE)

    def _strike(self, token: MarkdownToken) -> None:
        """Keep the tildes: not every terminal strikes a text through."""
        self._depths["s"] = 0 if token.nesting < 0 else self._depths["s"]
        self._add("~~", Role.LINE)
        self._depths["s"] = max(0, token.nesting)

    def _end_link(self) -> None:
        address, start = self._links.pop()
        if "".join(span.text for span in self._spans[start:]) != address:
            self._add(f" ({address})", Role.MUTED)

    def _address(self, token: MarkdownToken, name: str) -> None:
        self._add(f" ({_attribute(token, name)}{_title(token)})", Role.MUTED)


def _attribute(token: MarkdownToken, name: str) -> str:
    return _one_line(str(token.attrGet(name) or ""))


def _title(token: MarkdownToken) -> str:
    title = _attribute(token, "title")
    return f' "{title}"' if title else ""


def _one_line(text: str) -> str:
    return sanitize(text).replace("\n", " ")
