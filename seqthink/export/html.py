"""A session as one self-contained HTML page: the tree, and beside it the thoughts in the same order.

The content security policy allows one style and one script, by hash, and nothing else. Without the script only the
search is missing.
"""

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files

from seqthink.chain.model import NONE
from seqthink.drawing.describe.json_values import pretty_json
from seqthink.drawing.describe.thought import ThoughtFact, call_facts
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.colours import DARK, LIGHT, Colours
from seqthink.drawing.tree.tree import RowKind, Tree, TreeRow
from seqthink.events import RejectedEvent, ThoughtEvent
from seqthink.export import html_text, session_facts
from seqthink.export.attachments import attachments_html
from seqthink.export.export_source import ExportSource
from seqthink.export.markdown_html import raw_html, thought_html
from seqthink.export.outline import anchor_of, chain_title_html, outline
from seqthink.export.sections import SectionNesting
from seqthink.text import first_line

_ROW_CELLS = 160
"""The width of the rows in cells: more than enough, since the page itself cuts them."""

_MIN_LAZY_THOUGHTS = 300
"""With more thoughts than this the browser lays out only the visible ones."""

_MAX_BRIEF_CHARS = 100
"""Characters of a folded thought."""


def html(source: ExportSource) -> Iterator[str]:
    """Yield the page in pieces."""
    painter = source.painter(_ROW_CELLS)
    yield _head(source)
    yield _title(source)
    if painter.tree.count:
        yield '<div class="page">\n<nav aria-label="Tree">\n<div class="find" id="tools" hidden>'
        yield '<input id="find" type="search" placeholder="Search" aria-label="Search the thoughts" autocomplete="off">'
        yield '<output id="found"></output><button id="fold" type="button">Fold all</button></div>\n'
        yield '<div class="tree" id="tree">\n'
        yield from outline(painter)
        attribute = ' class="long"' if source.session.thought_count > _MIN_LAZY_THOUGHTS else ""
        yield f'</div>\n</nav>\n<main aria-label="Thoughts"{attribute}>\n'
        yield from _thoughts(source, painter)
        yield "</main>\n</div>\n"
    else:
        yield "<p>No thoughts yet.</p>\n"
    yield f"<script>{_resource('page.js')}</script>\n</body>\n</html>\n"


@cache
def _resource(name: str) -> str:
    return files("seqthink.export").joinpath(name).read_text("utf-8")


def _style() -> str:
    dark = f"@media (prefers-color-scheme: dark) {{\n:root {{\n{_variables(DARK)}}}\n}}\n"
    roles = "".join(f".{role.value} {{ color: var(--{role.value}) }}\n" for role in LIGHT.roles)
    return f":root {{\n{_variables(LIGHT)}}}\n@media screen {{\n{dark}}}\n{roles}{_resource('page.css')}"


def _variables(colours: Colours) -> str:
    surfaces = {"page": colours.background, "raised": colours.raised, "selected": colours.selected}
    named = {role.value: colour for role, colour in colours.roles.items()} | surfaces
    return "".join(f"--{name}: {colour};\n" for name, colour in named.items())


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _head(source: ExportSource) -> str:
    style = _style()
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(_resource('page.js'))}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{html_text.line(session_facts.name(source.session))}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )


def _title(source: ExportSource) -> str:
    session = source.session
    state = session_facts.status(session)
    shown_facts = [
        session_facts.client(session),
        session_facts.time_span(session),
        ", ".join(session_facts.counts(session)),
        *session_facts.unread_lines(session),
    ]
    error = session.end_event.error if session.end_event else None
    return (
        f"<header>\n<h1>{html_text.line(session_facts.name(session))}</h1>\n"
        f'<p><b class="{state.role.value}">{state.sign} {state.word}</b>'
        + "".join(f" <span>{html_text.line(fact)}</span>" for fact in shown_facts if fact)
        + (f'</p>\n<p class="bad raw">The server stopped with an error: {html_text.text(error)}' if error else "")
        + "</p>\n</header>\n"
    )


def _thoughts(source: ExportSource, painter: Painter) -> Iterator[str]:
    tree = painter.tree
    assert isinstance(tree, Tree), "a page shows a tree"
    nesting = SectionNesting(tree)
    for number in range(tree.count):
        row = tree.row(number)
        yield "</details>\n" * nesting.sections_ended(row)
        if nesting.begins_section(row):
            yield f'<details class="part{_css_class(source, row)}" open><summary>{_heading(source, row)}</summary>\n'
        else:
            yield from _item(source, row)
    yield "</details>\n" * nesting.close_all()


def _css_class(source: ExportSource, row: TreeRow) -> str:
    if row.kind is RowKind.CHAIN:
        return " chain"
    return f" branch {session_facts.lane_role(source.session, row.lane).value}"


def _heading(source: ExportSource, row: TreeRow) -> str:
    session = source.session
    if row.kind is RowKind.CHAIN:
        return chain_title_html(session, row.chain)
    return f'<span class="name">{html_text.line(session.lanes.get(row.lane).name or "?")}</span>'


def _item(source: ExportSource, row: TreeRow) -> Iterator[str]:
    match row.kind:
        case RowKind.THOUGHT:
            yield from _thought(source, row)
        case RowKind.REFUSED:
            yield from _refused(source, row)
        case RowKind.BRANCH:
            yield f'<p class="muted">{_heading(source, row)}</p>\n'
        case RowKind.GAP:
            yield f'<p class="muted gap">{source.session.thoughts.skipped_count_of(row.ordinal)} missing</p>\n'
        case _:
            return


def _thought(source: ExportSource, row: TreeRow) -> Iterator[str]:
    session, index = source.session, row.ordinal
    thought = session.thoughts.get(index)
    event = source.event_of(thought.offset, thought.size)
    facts_shown = "".join(_fact(source, fact) for fact in session_facts.thought_facts(session, index))
    yield f'<details class="item" id="{anchor_of(session, row)}" open><summary><span class="n">{thought.number}</span>'
    brief = first_line(source.row_text_of(index), _MAX_BRIEF_CHARS)
    yield f'{facts_shown}<span class="brief">{html_text.line(brief)}</span></summary>\n<div class="prose">\n'
    yield from thought_html(source.pieces_of(index))
    yield "</div>\n"
    yield from attachments_html(session.thoughts.attachments(index), source.event_of)
    called = list(call_facts(thought, event if isinstance(event, ThoughtEvent) else None))
    if called:
        yield f'<ul class="called">{"".join(f"<li>{html_text.line(fact)}</li>" for fact in called)}</ul>\n'
    yield "</details>\n"


def _fact(source: ExportSource, fact: ThoughtFact) -> str:
    if fact.thought == NONE:
        return f' <span class="{fact.role.value}">{html_text.line(fact.text)}</span>'
    seq = source.session.thoughts.get(fact.thought).seq
    return f' <a class="{fact.role.value}" href="#t{seq}">{html_text.line(fact.text)}</a>'


def _refused(source: ExportSource, row: TreeRow) -> Iterator[str]:
    refusal = source.session.refusals.get(row.ordinal)
    event = source.event_of(refusal.offset, refusal.size)
    yield f'<details class="item refused" id="{anchor_of(source.session, row)}" open><summary>'
    yield '<span class="bad">✗ refused</span></summary>\n'
    yield from raw_html(source.error_of(row.ordinal))
    if isinstance(event, RejectedEvent) and event.arguments is not None:
        asked = "Its arguments, cut at 4 KiB:" if event.truncated else "Its arguments:"
        yield f'<p class="muted">{asked}</p>\n<pre><code>'
        yield from html_text.long_text(pretty_json(event.arguments))
        yield "</code></pre>\n"
    yield "</details>\n"
