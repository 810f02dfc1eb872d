"""Text broken into lines of cells."""

from collections.abc import Iterator

from seqthink.drawing.cells import cut, width


def wrap(text: str, cells: int) -> Iterator[str]:
    """Yield ``text`` (sanitized) in lines of at most ``cells`` cells, broken at blanks where there are any.

    Line breaks of the text stay, and so do the blanks that a line begins with.
    """
    for line in text.split("\n"):
        yield from _wrap_line(line, max(2, cells))


def _wrap_line(line: str, cells: int) -> Iterator[str]:
    rest = line.rstrip()
    while len(rest) > cells or width(rest) > cells:
        head = cut(rest, cells, sign="")
        if len(head) < len(rest) and rest[len(head)] != " ":
            at_blank = head.rfind(" ")
            if head[: max(0, at_blank)].strip():
                head = head[:at_blank]
        head = head or rest[:1]
        yield head.rstrip()
        rest = rest[len(head) :].lstrip(" ")
    yield rest
