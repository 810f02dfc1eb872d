"""HTML of our templates as node trees, from which a page's script builds elements without ever reading HTML.

A node is a text, or a list: tag, attributes, children. Only the tags and attributes of `ELEMENTS` exist; the script of
the page has the same list.
"""

from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from typing import TypeAlias

from typing_extensions import override

Attributes: TypeAlias = dict[str, str]
Element: TypeAlias = "list[str | Attributes | Node]"
Node: TypeAlias = "str | Element"

ELEMENTS: Mapping[str, Sequence[str]] = {
    "a": ["class", "href"],
    "blockquote": [],
    "br": [],
    "code": [],
    "dd": [],
    "del": ["class"],
    "details": ["class", "id", "open"],
    "div": ["aria-label", "class", "role", "tabindex"],
    "dl": [],
    "dt": [],
    "em": [],
    "g": ["class"],
    "header": [],
    "hr": [],
    "ins": ["class"],
    "li": [],
    "ol": ["start"],
    "p": ["class", "id"],
    "path": ["class", "d"],
    "pre": ["class"],
    "rect": ["class", "height", "width"],
    "s": [],
    "section": ["class"],
    "span": ["class"],
    "strong": [],
    "summary": [],
    "svg": ["aria-hidden", "class", "height", "preserveAspectRatio", "viewBox", "width"],
    "table": ["class"],
    "tbody": [],
    "td": ["class"],
    "th": ["class"],
    "thead": [],
    "tr": [],
    "ul": ["class"],
}
"""The tags, and which attributes each may have; ``href`` leads to a place on the same page."""

SVG_ELEMENTS = frozenset({"g", "path", "rect", "svg"})
"""Those that are drawn: the script creates them in the namespace of SVG."""

_VOID = frozenset({"br", "hr"})
_CHILDLESS = frozenset({"path", "rect"})


class ForeignMarkupError(ValueError):
    """HTML with a tag or an attribute that our templates do not write: a fault of ours."""


def node_trees(fragment: str) -> Sequence[Node]:
    """Return the top nodes of a fragment of HTML, blanks between tags included.

    Raises:
        ForeignMarkupError: the fragment has what is not in `ELEMENTS`, or its tags do not match.
    """
    parser = _Parser()
    parser.feed(str(fragment))  # which may be one of markupsafe's
    parser.close()
    return parser.finished()


def node_tree(fragment: str) -> Node:
    """Return the one element of a fragment; blanks around it are left out.

    Raises:
        ForeignMarkupError: as `node_trees`, or there is not exactly one element.
    """
    elements = [node for node in node_trees(fragment) if not isinstance(node, str) or node.strip()]
    if len(elements) != 1 or isinstance(elements[0], str):
        raise ForeignMarkupError(f"one element is expected, not {len(elements)} nodes")
    return elements[0]


class _Parser(HTMLParser):
    """Builds nodes, and refuses what is not ours."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._top: list[Node] = []
        self._open: list[tuple[str, Element]] = []

    def finished(self) -> Sequence[Node]:
        """Return the nodes."""
        if self._open:
            raise ForeignMarkupError(f"<{self._open[-1][0]}> is not closed")
        return self._top

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = _element(tag, attrs)
        self._add(element)
        if tag not in _VOID:
            self._open.append((tag, element))

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _CHILDLESS:
            raise ForeignMarkupError(f"<{tag}/> is not one of ours")
        self._add(_element(tag, attrs))

    @override
    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop()[0] != tag:
            raise ForeignMarkupError(f"</{tag}> does not close what is open")

    @override
    def handle_data(self, data: str) -> None:
        self._add(data)

    @override
    def handle_comment(self, data: str) -> None:
        raise ForeignMarkupError("a comment")

    @override
    def handle_decl(self, decl: str) -> None:
        raise ForeignMarkupError("a declaration")

    @override
    def unknown_decl(self, data: str) -> None:
        raise ForeignMarkupError("a declaration")

    @override
    def handle_pi(self, data: str) -> None:
        raise ForeignMarkupError("an instruction")

    def _add(self, node: Node) -> None:
        siblings = self._open[-1][1] if self._open else self._top
        # a text may come in several pieces
        last = siblings[-1] if siblings else None
        if isinstance(node, str) and isinstance(last, str):
            siblings[-1] = last + node
        else:
            siblings.append(node)


def _element(tag: str, attrs: list[tuple[str, str | None]]) -> Element:
    known = _NAMES.get(tag)
    if known is None:
        raise ForeignMarkupError(f"<{tag}> is not one of ours")
    attributes: Attributes = {}
    for lower, value in attrs:
        name = known.get(lower)
        if name is None or name in attributes:
            raise ForeignMarkupError(f"<{tag} {lower}> is not one of ours")
        attributes[name] = value or ""
    if not attributes.get("href", "#").startswith("#"):
        raise ForeignMarkupError("a link to another page")
    return [tag, attributes]


_NAMES = {tag: {name.lower(): name for name in names} for tag, names in ELEMENTS.items()}
"""The names of attributes as a parser gives them, in lower case."""
