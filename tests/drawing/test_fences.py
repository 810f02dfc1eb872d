"""Fences are where CommonMark has them, and a text of any shape is read in linear time."""

import sys
from collections.abc import Callable, Iterator
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from seqthink.drawing.markup.fences import FoundBlock, find_blocks
from tests.support.depth import first, sized

PIECES = [
    "```", "````", "~~~", "```py", "``` ", "   ```", "    ```", "> ", ">", "- ", "1. ", "  ", "\t", "\n", "\n", "\n\n",
    "x", "x = f(1)", "# a", "---", "===", "`a`", "\x1b", "\u2028", "\x0b",
]  # fmt: skip
SHAPES: dict[str, Callable[[int], str]] = {
    "backticks": lambda size: "`" * size,
    "fences": lambda size: "```\n" * (size // 4),
    "fences in quotes": lambda size: "> ```\n\n" * (size // 7),
    "fences that indent": lambda size: "    ```\n\n" * (size // 9),
    "longer and longer fences": lambda size: "".join("`" * (3 + i) + "\n" for i in range(int((2 * size) ** 0.5))),
    "one deep quote": lambda size: ">" * size + "```",
    "deep quotes": lambda size: (">" * 200 + "```\n") * (size // 204),
    "one deep list": lambda size: "- " * (size // 2) + "```",
    "deep lists": lambda size: ("- " * 40 + "a\n") * (size // 82) + "```",
    "a long list": lambda size: "- a\n" * (size // 4) + "```",
    "empty items": lambda size: "-\n\n" * (size // 3) + "```",
    "a lazy quote": lambda size: "> a\n" + "b\n" * (size // 2) + "```",
    "lazy quotes in lists": lambda size: "> - > - a\nb\n" * (size // 12) + "```",
    "blanks": lambda size: " " * size + "```",
    "tabs": lambda size: "-\t" * (size // 2) + "```",
    "blank lines": lambda size: "- a\n" + "\n" * size + "```",
    "strings that never close": lambda size: '```py\n"""\n```\n' * (size // 14),
}


def by_markdown_it(text: str) -> Iterator[FoundBlock]:
    """Yield the fences of the library as it comes."""
    for token in MarkdownIt("commonmark", {"html": False}).disable("reference").parse(text):
        if token.type == "fence":
            assert token.map is not None
            content = token.content if token.content.endswith("\n") or not token.content else f"{token.content}\n"
            yield FoundBlock(token.map[0], token.map[1], token.info, content)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_fences_are_those_of_the_library(text: str) -> None:
    found = find_blocks(text.split("\n"))

    assert [block for block in found if block in list(by_markdown_it(text))] == list(by_markdown_it(text))


def steps(lines: list[str]) -> int:
    """Return how many calls it takes to read ``lines``."""
    count = 0

    def note(_frame: FrameType, _event: str, _value: object) -> None:
        nonlocal count
        count += 1

    find_blocks(["```"])
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        find_blocks(lines)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("shape", first(6, SHAPES))
def test_twice_the_text_takes_at_most_two_and_a_half_times_the_work(shape: str) -> None:
    some, twice = (steps(SHAPES[shape](size).split("\n")) for size in sized((1_000, 2_000), (4_000, 8_000)))

    assert twice < 2.5 * some + 100


def test_a_mebibyte_of_backticks_is_the_beginning_of_one_fence() -> None:
    ticks = "`" * (1 << 20)

    assert find_blocks([ticks]) == [FoundBlock(0, 1, "", "")]
    assert find_blocks([f"a {ticks}", "b"]) == []


def test_fences_below_the_deepest_level_are_not_read() -> None:
    assert len(find_blocks([">" * 59 + "```"])) == 1
    assert find_blocks([">" * 5000 + "```"]) == []


def test_what_the_caller_finds_is_no_fence_and_ends_a_paragraph() -> None:
    lines = ["a", "<<", "```", ">>", "b", "```", "c", "```"]

    assert find_blocks(lines, lambda number: 4 if number == 1 else 0) == [FoundBlock(1, 4), FoundBlock(5, 8, "", "c\n")]
