"""Finds fenced code as CommonMark has it, by markdown-it's own reader of blocks. Pure.

HTML is not a block here, as in the viewer: models write tags around their fences, and what is in them is still code.
"""

import re
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from functools import cache
from textwrap import dedent
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

MAX_NESTING_LEVELS: Final = 60
"""Levels of quotes and lists (two for each list) in which fences are found."""
FENCE_MARK: Final = re.compile(r"[ \t]*+(?:`{3,}+[^`]*|~{3,}.*)")
"""A line that may open or close a fence."""

BlockEnd = Callable[[int], int]
"""Returns the end (exclusive) of a block of the caller's that begins on a line; 0: none does. Lines count from 0."""
InnerEnd = Callable[[str, int], int]
"""Returns the end (exclusive) of the lines in a fence in which no mark ends it, by its info string and first line."""

_MARKS: Final = ("```", "~~~")
_OTHER_BLOCK: Final = "other_block"
_BLOCK_END, _INNER_END = "block_end", "inner_end"
"""Names of the caller's functions in the environment of the parser."""


class FoundBlock(NamedTuple):
    """A fence, or a block of the caller's. Lines count from 0."""

    start: int
    """Its first line, which is a fence's opening mark; the content begins below."""
    end: int
    """The line below its last one, a fence's closing mark included."""
    info: str | None = None
    """What follows the opening mark; None: it is a block of the caller's."""
    text: str = ""
    """The content of a fence, without the indentation and the quote marks around it; each line ends with a feed."""


def find_blocks(
    lines: Sequence[str], block_end: BlockEnd | None = None, inner_end: InnerEnd | None = None
) -> list[FoundBlock]:
    """Return the fences in ``lines`` in their order, also those in quotes, in lists and in code that is indented.

    Args:
        lines: a text, without its line breaks.
        block_end: finds other blocks, such as diffs: what looks like a fence in one is a part of it.
        inner_end: finds marks that are a part of a fence's code.
    """
    text = "\n".join(lines)
    if any(mark in text for mark in _MARKS):
        return list(_found_in(text, {_BLOCK_END: block_end, _INNER_END: inner_end}))
    return list(_blocks_of_caller(len(lines), block_end)) if block_end else []


def load_parser() -> None:
    """Load the parser now; else the first text with a mark waits for it."""
    _parser()


def _blocks_of_caller(count: int, block_end: BlockEnd) -> Iterator[FoundBlock]:
    """Yield the caller's blocks in a text without fences: most texts have none, and the parser takes its time."""
    number = 0
    while number < count:
        end = block_end(number)
        if end:
            yield FoundBlock(number, end)
        number = end or number + 1


def _found_in(text: str, functions: dict[str, Callable[..., int] | None]) -> Iterator[FoundBlock]:
    for token in _parser().parse(text, functions):
        start, end = token.map or (0, 0)
        if token.type == _OTHER_BLOCK:
            yield FoundBlock(start, end)
        elif token.type == "fence":
            content = token.content
            yield FoundBlock(start, end, token.info, content + ("" if not content or content[-1] == "\n" else "\n"))
        elif token.type == "code_block" and any(mark in token.content for mark in _MARKS) and functions:
            # A fence that is indented too far. The text in it is not indented again, so this ends.
            inside = _found_in(dedent(token.content), {})
            yield from (block._replace(start=start + block.start, end=start + block.end) for block in inside)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - imported when the first text needs it

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING_LEVELS})
    parser.core.ruler.enableOnly(["block"])  # without "normalize", which replaces NUL
    parser.disable("reference")
    ends = ["paragraph", "blockquote", "list"]
    parser.block.ruler.at("fence", _fence, {"alt": ends})
    parser.block.ruler.before("code", _OTHER_BLOCK, _other_block, {"alt": ends})
    return parser


def _other_block(state: "StateBlock", first: int, _last: int, silent: bool) -> bool:
    block_end: BlockEnd | None = state.env.get(_BLOCK_END)
    end = block_end(first) if block_end is not None and (silent or state.level == 0) else 0
    if end and not silent:
        state.push(_OTHER_BLOCK, "", 0).map = [first, end]
        state.line = end
    return end > 0


def _fence(state: "StateBlock", first: int, last: int, silent: bool) -> bool:
    """Read a fence as markdown-it does, but for the marks that belong to its code; in quotes and lists none do."""
    from markdown_it.rules_block import fence  # noqa: PLC0415 - with the parser

    inner_end: InnerEnd | None = state.env.get(_INNER_END)
    is_plain = silent or inner_end is None or state.level > 0 or first + 1 >= last
    if is_plain or inner_end is None or not fence(state, first, last, True):
        return fence(state, first, last, silent)
    info = state.src[state.bMarks[first] : state.eMarks[first]].lstrip(" \t").lstrip("`~")
    inside = slice(first + 1, min(inner_end(info, first + 1), last))
    indents: MutableSequence[int] = state.sCount[inside]
    state.sCount[inside] = [state.blkIndent + 4] * len(indents)  # so far in, no mark ends a fence
    is_fence = fence(state, first, last, silent)
    state.sCount[inside] = indents
    return is_fence
