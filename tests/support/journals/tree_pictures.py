"""Trees drawn as text, and sessions whose trees have something to show."""

from wcwidth import wcwidth

from seqthink.chain.fold import fold
from seqthink.chain.model import NONE
from seqthink.core.events import Event, RejectedEvent, ThoughtEvent, WriterState
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.cells import width as cells_of
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.given_texts import GivenTexts


def picture(
    events: list[Event],
    width: int = 44,
    *,
    screen: int | None = None,
    selected: int = NONE,
    folded: tuple[int, ...] = (),
    signs: Signs = UNICODE,
    writer: WriterState = WriterState.ALIVE,
) -> list[str]:
    """Return the rows, each exactly ``width`` cells; ``selected`` is a thought, ``folded`` are lanes."""
    tree = Tree()
    tree.sync(fold(events, writer))
    for lane in folded:
        tree.fold(lane, folded=True)
    spoken = [event.thought for event in events if isinstance(event, ThoughtEvent)]
    errors = [event.error for event in events if isinstance(event, RejectedEvent)]
    painter = Painter(
        tree=tree,
        texts=GivenTexts(tree.session, spoken.__getitem__, errors.__getitem__),
        width=width,
        screen_width=screen or width,
        selected=tree.row_of_thought(selected) if selected != NONE else NONE,
        signs=signs,
    )
    lines = [spans_text(spans) for spans in painter.draw_rows(0, tree.count)]
    assert [line for line in lines if cells_of(line) != width] == []
    assert [line for line in lines if any(wcwidth(sign) < 0 for sign in line)] == []
    return [line.rstrip() for line in lines]


def lines(text: str) -> list[str]:
    """Return the drawing in ``text``, whose lines begin at their bars."""
    return [line.partition("|")[2] for line in text.strip("\n").split("\n")[: text.count("|")] if "|" in line]


SHOP = shop_api().events


def shop(thoughts: int) -> list[Event]:
    """Return the example's events up to its thought ``thoughts`` to arrive."""
    places = [place for place, event in enumerate(SHOP) if isinstance(event, ThoughtEvent)]
    return SHOP[: places[thoughts - 1] + 1]


def nested() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 6)
        .thought("two", 2, 6)
        .thought("a1", 1, 3, branch="alpha", from_=2)
        .thought("a2", 2, 3, branch="alpha")
        .thought("inner", 1, 2, branch="inner", from_=1)
        .thought("b1", 1, 1, branch="beta", from_=2)
        .thought("three", 3, 6)
        .rejected()
        .thought("a3", 3, 3, branch="alpha")
    )


def arrows() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 6)
        .thought("two", 2, 6)
        .thought("a1", 1, 3, branch="alpha", from_=2)
        .thought("a2", 2, 3, branch="alpha", revises=1)
        .thought("a3", 3, 3, branch="alpha", revises=2)
        .thought("three", 3, 6)
        .thought("four", 4, 6, revises=2)
        .thought("five", 5, 6, revises=1)
    )


def across() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 4)
        .thought("two", 2, 4)
        .thought("a1", 1, 2, branch="alpha", from_=2)
        .thought("a6 of trunk 2", 6, 6, branch="alpha", revises=2)
        .thought("three", 3, 4)
        .thought("four", 4, 4, revises=3)
    )


def crossing() -> JournalBuilder:
    journal = JournalBuilder().thought("one", 1, 9)
    for number in range(2, 9):
        journal.thought(f"th {number}", number, 9, revises={4: 1, 5: 2, 6: 3, 7: 1, 8: 2}.get(number))
    return journal


def one_target() -> JournalBuilder:
    journal = JournalBuilder().thought("one", 1, 5).thought("two", 2, 5)
    for number in range(3, 6):
        journal.thought(f"th {number}", number, 5, revises=1)
    return journal


def too_many() -> JournalBuilder:
    journal = JournalBuilder().thought("one", 1, 8)
    for number in range(2, 5):
        journal.thought(f"th {number}", number, 8)
    for number in range(5, 9):
        journal.thought(f"th {number}", number, 8, revises=number - 4)
    return journal


def loose() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("x1", 1, 4, branch="a")
        .thought("x2", 2, 4, branch="a")
        .thought("y1", 1, 4, branch="b", from_=9)
        .thought("u1", 1, 2, from_=2)
        .thought("z1", 1, 2, from_=8)
    )


def odd_numbers() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 3)
        .thought("five", 5, 3)
        .thought("five again", 5, 9)
        .thought("nobody", 6, 9, revises=42)
        .thought("nine", 9, 9, needsMoreThoughts=True)
        .context()
        .note()
        .thought("huge", 2000, 2**53 - 1)
    )


def deep() -> JournalBuilder:
    journal = JournalBuilder().thought("trunk", 1, 2)
    for depth in range(1, 9):
        journal.thought(f"d{depth}", depth + 1, 9, branch=f"b{depth}", from_=depth)
    return journal.thought("d3 again", 10, 10, branch="b3").thought("trunk again", 2, 2)


def refused() -> JournalBuilder:
    return (
        JournalBuilder()
        .rejected("thoughtNumber: \x1b[31mnot\n a number")
        .thought("x", 1, 3, branch="x")
        .rejected()
        .thought("t", 1, 3)
        .thought("t2", 2, 3)
        .rejected("later")
        .thought("y", 1, 1, branch="y", from_=2)
    )
