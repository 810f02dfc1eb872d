"""A node tree says what the HTML says, and what our templates do not write is refused."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from seqthink.drawing.rows.painter import whole_session_painter
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from seqthink.share.export.html_blocks import Code
from seqthink.share.export.html_items import page_item
from seqthink.share.export.html_shapes import DrawnShapes, PagePart, RowDrawer, item_html, item_node
from seqthink.share.export.html_templates import render
from seqthink.share.export.markdown_html import thought_blocks
from seqthink.share.export.node_trees import ELEMENTS, SVG_ELEMENTS, ForeignMarkupError, Node, node_tree, node_trees
from tests.share.export.test_export_html import MARKDOWN_AROUND
from tests.share.export.test_html_shapes import TEXTS
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import queue
from tests.support.journals.exports import HOSTILE, add_attachments, hostile
from tests.support.servers.commands import JOURNALS

WITHOUT_END = {"br", "hr"}
CLOSED_AT_ONCE = {"path", "rect"}


def written(node: Node) -> str:
    """Return a node tree as HTML, as our templates write it."""
    if isinstance(node, str):
        return escape(node)
    tag, attributes, *children = node
    assert isinstance(attributes, dict)
    words = "".join(f' {name}="{escape(value)}"' if value else f" {name}" for name, value in attributes.items())
    if tag in WITHOUT_END or tag in CLOSED_AT_ONCE:
        return f"<{tag}{words}{'/' if tag in CLOSED_AT_ONCE else ''}>"
    return f"<{tag}{words}>{''.join(written(child) for child in children if not isinstance(child, dict))}</{tag}>"


def as_escaped(fragment: str) -> str:
    """Return a fragment with the quotes escaped as markupsafe does: markdown-it writes some of them otherwise."""
    return str(fragment).replace("&quot;", "&#34;").replace("'", "&#39;")


def fragments(texts: JournalTexts) -> Iterator[tuple[str, msgspec.Raw]]:
    """Yield every row of both views, every thought, every aside and every diff, as HTML and as a node."""
    drawer = RowDrawer()
    for is_timeline in (False, True):
        painter = whole_session_painter(texts, width=160, is_timeline=is_timeline)
        for number in range(painter.tree.count):
            yield drawer.html(painter, number), drawer.node(painter, number)
    for seq in range(texts.session.entry_count + 1):
        for is_diff in (False, True):
            item, again = (page_item(texts, seq, is_diff=is_diff) for _ in range(2))
            if item is not None and again is not None:
                yield item_html(item), item_node(again)


def assert_same(texts: JournalTexts) -> int:
    count = 0
    for html, node in fragments(texts):
        tree = msgspec.json.decode(msgspec.json.encode(node))
        assert written(tree) == as_escaped(html.strip())
        assert tree == node_tree(html)
        count += 1
    return count


@pytest.mark.parametrize("name", ["shop-api", "full", "minimal", "corrupt", "unknown", "torn"])
def test_a_node_tree_written_as_html_is_what_the_templates_write(name: str) -> None:
    assert assert_same(load_journal(JOURNALS / f"{name}.jsonl"))


@pytest.mark.slow  # a page for each text and field
def test_so_it_is_with_every_hostile_text_in_every_field(tmp_path: Path) -> None:
    assert assert_same(load_journal(hostile().write(tmp_path / "a.jsonl"))) > 4 * len(HOSTILE)


@pytest.mark.parametrize("text", first(12, HOSTILE.values()), ids=HOSTILE)
def test_markdown_around_a_hostile_text_is_a_node_tree_too(text: str) -> None:
    for form in MARKDOWN_AROUND:
        html = render("blocks.html", blocks=thought_blocks([form.replace("{}", text)]))

        assert "".join(map(written, node_trees(html))) == as_escaped(html)


def test_a_folded_branch_and_a_folded_chain_are_rows(tmp_path: Path) -> None:
    builder = queue().thought("Another question", 1, 2, next=True)
    add_attachments(builder, "word")
    texts = load_journal(builder.write(tmp_path / "a.jsonl"))
    painter = whole_session_painter(texts, width=160)
    tree, drawer = painter.tree, RowDrawer()
    assert tree.foldable is not None
    tree.foldable.fold_all()
    shown = [drawer.html(painter, number) for number in range(tree.count)]

    assert shown
    assert all('<span class="shape">' in row for row in shown)
    for number, html in enumerate(shown):
        assert written(msgspec.json.decode(drawer.node(painter, number))) == as_escaped(html.strip())


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_texts_are_filled_into_a_tree_as_into_html(texts: list[str]) -> None:
    def draw(texts: Sequence[str]) -> str:
        return Markup("<p>{}</p>").format(Markup("").join(Markup("<em>{}</em>").format(text) for text in texts))

    shapes = DrawnShapes()
    part = PagePart(len(texts), texts, draw)

    for _ in range(2):
        html = shapes.html(part)
        assert written(msgspec.json.decode(shapes.node(part))) == as_escaped(html)


@pytest.mark.parametrize(
    "fragment",
    [
        "<script></script>", "<img>", "<p onclick='x'></p>", "<a href='http://x'></a>", "<a href='javascript:x'></a>",
        "<p style='x'></p>", "<p><em></p></em>", "<p>", "</p>", "<!-- x -->", "<!doctype html>", "<?x?>", "<p/>",
        "<P CLASS='a' class='b'></P>", "<svg><script/></svg>", "<iframe></iframe>", "<p srcdoc='x'></p>",
    ],
)  # fmt: skip
def test_what_is_not_ours_is_refused(fragment: str) -> None:
    with pytest.raises(ForeignMarkupError):
        node_trees(fragment)


@pytest.mark.parametrize("fragment", ["", "x", "<p></p><p></p>", "<p></p>x"])
def test_a_part_is_one_element(fragment: str) -> None:
    with pytest.raises(ForeignMarkupError):
        node_tree(fragment)


def test_no_element_runs_or_loads_anything() -> None:
    names = {name for attributes in ELEMENTS.values() for name in attributes}

    assert not {"script", "style", "iframe", "object", "embed", "img", "link", "form", "use", "image"} & set(ELEMENTS)
    assert not {name for name in names if name.startswith("on") or name in {"src", "style", "srcdoc", "action"}}
    assert set(ELEMENTS) >= SVG_ELEMENTS


def test_a_long_text_is_one_node() -> None:
    text = "x & y\n" * 10_000

    assert node_tree(render("blocks.html", blocks=[Code(text)])) == ["pre", {}, ["code", {}, text]]


def test_a_thought_that_is_not_there_has_no_card(tmp_path: Path) -> None:
    texts = load_journal(JournalBuilder().session().thought("x").write(tmp_path / "a.jsonl"))

    assert [seq for seq in range(9) if page_item(texts, seq)] == [2]
