"""A session as one page of HTML that asks the network for nothing: the tree, and beside it the thoughts in its order.

The page's policy allows its one style and its one script, by their hashes, and nothing else. Without the script all is
there but the search.
"""

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files

from seqthink.chain.model import NONE
from seqthink.drawing.colours import DARK, LIGHT, Colours
from seqthink.drawing.facts import facts
from seqthink.drawing.rows import Painter
from seqthink.drawing.tree import Row, RowKind, Tree
from seqthink.drawing.values import pretty
from seqthink.events import RejectedEvent, ThoughtEvent
from seqthink.export import heads, tags
from seqthink.export.cards import cards
from seqthink.export.material import Material
from seqthink.export.nesting import Nesting
from seqthink.export.outline import chain_title, outline, place_of
from seqthink.export.prose import prose, raw
from seqthink.text import first_line

_CELLS = 160
"""How wide the rows are thought to be: the page itself cuts them."""

_LONG = 300
"""From more thoughts on, the browser lays out only those that are to be seen."""

_BRIEF = 100
"""Characters of a thought that is folded."""


def html(material: Material) -> Iterator[str]:
    """Yield the page in pieces."""
    painter = material.painter(_CELLS)
    yield _head(material)
    yield _title(material)
    if painter.tree.count:
        yield '<div class="page">\n<nav aria-label="Tree">\n<div class="find" id="tools" hidden>'
        yield '<input id="find" type="search" placeholder="Search" aria-label="Search the thoughts" autocomplete="off">'
        yield '<output id="found"></output><button id="fold" type="button">Fold all</button></div>\n'
        yield '<div class="tree" id="tree">\n'
        yield from outline(painter)
        look = ' class="long"' if material.session.length > _LONG else ""
        yield f'</div>\n</nav>\n<main aria-label="Thoughts"{look}>\n'
        yield from _thoughts(material, painter)
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


def _head(material: Material) -> str:
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
        f"<title>{tags.line(heads.name(material.session))}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )


def _title(material: Material) -> str:
    session = material.session
    state = heads.state(session)
    told = [heads.client(session), heads.when(session), ", ".join(heads.counts(session)), *heads.not_read(session)]
    error = session.end.error if session.end else None
    return (
        f"<header>\n<h1>{tags.line(heads.name(session))}</h1>\n"
        f'<p><b class="{state.role.value}">{state.sign} {state.word}</b>'
        + "".join(f" <span>{tags.line(fact)}</span>" for fact in told if fact)
        + (f'</p>\n<p class="bad raw">The server was ended by an error: {tags.text(error)}' if error else "")
        + "</p>\n</header>\n"
    )


def _thoughts(material: Material, painter: Painter) -> Iterator[str]:
    tree = painter.tree
    assert isinstance(tree, Tree), "a page shows a tree"
    nesting = Nesting(tree)
    for number in range(tree.count):
        row = tree.row(number)
        yield "</details>\n" * nesting.ended(row)
        if nesting.begins(row):
            yield f'<details class="part{_look(material, row)}" open><summary>{_heading(material, row)}</summary>\n'
        else:
            yield from _item(material, row)
    yield "</details>\n" * nesting.rest()


def _look(material: Material, row: Row) -> str:
    if row.kind is RowKind.CHAIN:
        return " chain"
    return f" branch {heads.lane_role(material.session, row.lane).value}"


def _heading(material: Material, row: Row) -> str:
    session = material.session
    if row.kind is RowKind.CHAIN:
        return chain_title(session, row.chain)
    return f'<span class="name">{tags.line(session.lane(row.lane).name or "?")}</span>'


def _item(material: Material, row: Row) -> Iterator[str]:
    match row.kind:
        case RowKind.THOUGHT:
            yield from _thought(material, row)
        case RowKind.REFUSED:
            yield from _refused(material, row)
        case RowKind.BRANCH:
            yield f'<p class="muted">{_heading(material, row)}</p>\n'
        case RowKind.GAP:
            yield f'<p class="muted gap">{material.session.missing_before(row.ordinal)} missing</p>\n'
        case _:
            return


def _thought(material: Material, row: Row) -> Iterator[str]:
    session, index = material.session, row.ordinal
    thought = session.thought(index)
    event = material.event_of(thought.offset, thought.size)
    facts_shown = "".join(_fact(material, fact) for fact in heads.facts_of(session, index))
    yield f'<details class="item" id="{place_of(session, row)}" open><summary><span class="n">{thought.number}</span>'
    brief = first_line(material.head_of(index), _BRIEF)
    yield f'{facts_shown}<span class="brief">{tags.line(brief)}</span></summary>\n<div class="prose">\n'
    yield from prose(material.pieces_of(index))
    yield "</div>\n"
    yield from cards(session.attached(index), material.event_of)
    called = list(facts(thought, event if isinstance(event, ThoughtEvent) else None))
    if called:
        yield f'<ul class="called">{"".join(f"<li>{tags.line(fact)}</li>" for fact in called)}</ul>\n'
    yield "</details>\n"


def _fact(material: Material, fact: heads.Fact) -> str:
    if fact.thought == NONE:
        return f' <span class="{fact.role.value}">{tags.line(fact.text)}</span>'
    seq = material.session.thought(fact.thought).seq
    return f' <a class="{fact.role.value}" href="#t{seq}">{tags.line(fact.text)}</a>'


def _refused(material: Material, row: Row) -> Iterator[str]:
    refusal = material.session.refusal(row.ordinal)
    event = material.event_of(refusal.offset, refusal.size)
    yield f'<details class="item refused" id="{place_of(material.session, row)}" open><summary>'
    yield '<span class="bad">✗ refused</span></summary>\n'
    yield from raw(material.error_of(row.ordinal))
    if isinstance(event, RejectedEvent) and event.arguments is not None:
        asked = "It asked for, cut at 4 KiB:" if event.truncated else "It asked for:"
        yield f'<p class="muted">{asked}</p>\n<pre><code>'
        yield from tags.long_text(pretty(event.arguments))
        yield "</code></pre>\n"
    yield "</details>\n"
