"""A session as one self-contained HTML page: the tree, and beside it the thoughts in the same order.

The content security policy allows one style and one script, by hash, and nothing else. Without the script only the
search is missing.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.describe.status import Status
from seqthink.drawing.describe.unread import unread_phrases
from seqthink.drawing.rows.painter import PAGE_ACTION_CELLS, whole_session_painter
from seqthink.drawing.text.colours import DARK, LIGHT, Colours
from seqthink.share.export import session_facts
from seqthink.share.export.html_items import page_items
from seqthink.share.export.html_shapes import ItemRun, RowRun, item_runs, row_runs
from seqthink.share.export.html_templates import resource, stream
from seqthink.share.export.outline import outline

_ROW_CELLS = 160
"""The width of the rows in cells: more than enough, since the page itself cuts them."""

_MIN_LAZY_THOUGHTS = 300
"""With more thoughts than this the browser lays out only what is in view."""


class Page(Struct, frozen=True, kw_only=True):
    """What ``page.html`` shows."""

    name: str
    state: Status
    facts: Sequence[str]
    """Facts about the session."""
    error: str | None
    """The error with which the server stopped."""
    is_empty: bool
    is_long: bool
    rows: Iterator[RowRun | None]
    """The rows of the tree; None wherever a section ends."""
    items: Iterator[ItemRun]
    """What is beside the tree."""
    style: Markup
    script: Markup

    @property
    def style_hash(self) -> str:
        """The hash of the style in the content security policy."""
        return _hash(self.style)

    @property
    def script_hash(self) -> str:
        """The hash of the script in the content security policy."""
        return _hash(self.script)


def html(texts: SessionTexts) -> Iterator[str]:
    """Yield the page in pieces."""
    session = texts.session
    painter = replace(whole_session_painter(texts, width=_ROW_CELLS), most_action_cells=PAGE_ACTION_CELLS)
    facts = [
        session_facts.client(session),
        session_facts.time_span(session),
        ", ".join(session_facts.counts(session)),
        *session_facts.contexts(session),
        " ".join(session_facts.tags(session)),
        *unread_phrases(session),
    ]
    page = Page(
        name=session_facts.name(session),
        state=session_facts.status(session),
        facts=[fact for fact in facts if fact],
        error=session.end_event.error if session.end_event else None,
        is_empty=not painter.tree.count,
        is_long=session.thought_count > _MIN_LAZY_THOUGHTS,
        rows=row_runs(outline(painter)),
        items=item_runs(page_items(texts, painter)),
        style=page_style(),
        script=resource("page.js"),
    )
    return stream("page.html", page=page)


def page_style() -> Markup:
    """Return the style sheet: the colours of both themes, and ``page.css``."""
    dark = f"@media (prefers-color-scheme: dark) {{\n:root {{\n{_variables(DARK)}}}\n}}\n"
    roles = "".join(f".{role} {{ color: var(--{role}) }}\n" for role in LIGHT.roles)
    colours = f":root {{\n{_variables(LIGHT)}}}\n@media screen {{\n{dark}}}\n{roles}"
    return Markup(colours) + resource("page.css")  # colours of ours


def _variables(colours: Colours) -> str:
    surfaces = {"page": colours.background, "raised": colours.raised, "selected": colours.selected}
    named = {str(role): colour for role, colour in colours.roles.items()} | surfaces
    return "".join(f"--{name}: {colour};\n" for name, colour in named.items())


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
