"""A part that is set into a shape is what the template draws."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from seqthink.drawing.text.spans import Role
from seqthink.share.export.html_blocks import Paragraphs
from seqthink.share.export.html_items import LinkedFact, ThoughtItem
from seqthink.share.export.html_shapes import MAX_SHAPES, DrawnItem, DrawnShapes, PagePart, item_runs
from seqthink.share.export.html_templates import render

TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "<script>",
            "&amp;",
            "%s %d %%",
            "\ue000",
            "\ue0000\ue000",
            "~|^",
            "^~|",
            "{{ x }}",
            "\r",
            "\n",
            "\u0301",
            "\x00",
            "\x1b[m",
        ]
    ),
)
FACTS = st.builds(LinkedFact, TEXTS, st.sampled_from([Role.MUTED, Role.GOOD]), st.one_of(st.just(""), TEXTS))
THOUGHTS = st.builds(
    ThoughtItem,
    anchor=TEXTS,
    number=st.integers(0, 99),
    facts=st.lists(FACTS, max_size=3),
    brief=TEXTS,
    blocks=st.lists(st.builds(Paragraphs, st.lists(st.lists(TEXTS, min_size=1, max_size=3), max_size=3)), max_size=1),
    cards=st.just(iter(())),
    cards_left_out=st.just(0),
    called_with=st.lists(TEXTS, max_size=3),
    has_only_text=st.just(True),
)


@given(st.lists(THOUGHTS, max_size=6))
def test_a_thought_from_a_stencil_is_what_the_template_draws(thoughts: list[ThoughtItem]) -> None:
    drawn = [item for run in item_runs(iter(thoughts)) for item in run.items]

    assert [isinstance(item, DrawnItem) and item.html for item in drawn] == [
        render("thought.html", thought=thought) for thought in thoughts
    ]


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_a_text_cannot_be_markup(texts: list[str]) -> None:
    def draw(texts: Sequence[str]) -> str:
        return "".join(Markup("<p>{}</p>").format(text) for text in texts)

    filled = DrawnShapes().html(PagePart(len(texts), texts, draw))

    assert filled.count("<") == 2 * len(texts)


def test_few_stencils_are_kept() -> None:
    shapes = DrawnShapes()
    drawn = 0

    def draw(texts: Sequence[str]) -> str:
        nonlocal drawn
        drawn += 1
        return texts[0]

    for shape in (*range(MAX_SHAPES + 1), 0):
        shapes.html(PagePart(shape, ["x"], draw))

    assert drawn == MAX_SHAPES + 2
