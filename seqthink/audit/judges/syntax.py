"""What no parser of the language would take."""

import re
from typing import TYPE_CHECKING, Final

from seqthink.audit.judges.balance import is_doubtful
from seqthink.audit.judges.reading import Reading, is_template
from seqthink.audit.judges.sketches import has_to_be_right
from seqthink.audit.review import FATAL, Finding
from seqthink.audit.unread import Unread, all_of, some_of

if TYPE_CHECKING:
    from tree_sitter import Node

MOST: Final = 3
"""The first error matters; what follows it is mostly its echo."""
_WIDTH: Final = 40
_WORD: Final = re.compile(r"[A-Za-z_]{1,20}\b|[^\w\s\"'`\x00-\x1f\x7f-\U0010ffff]{1,3}")
"""What a comment quotes of the code: a word or a sign, which holds no secret and no control."""


def syntax(reading: Reading) -> list[Finding]:
    """Return where the source does not follow its language's grammar."""
    text = reading.source.text
    if not reading.broken or is_template(text) or is_doubtful(reading.dialect, text):
        return []
    if not has_to_be_right(reading.source):
        return []
    found = {reading.line_of_row(_row(node)): _comment(node) for node in reversed(reading.broken)}
    return [broken(reading, line, found[line]) for line in sorted(found)[:MOST]]


def not_taken(reading: Reading) -> list[Unread]:
    """Return what its grammar does not take of a source that need not follow it.

    That is all of a sketch or a guess. Around what a grammar does not know, or what a hunk cuts through, the rest was
    read.
    """
    source = reading.source
    if not reading.broken:
        return []
    if is_template(source.text) or (source.language and not is_doubtful(reading.dialect, source.text)):
        return [all_of(source, reading.refusal)]
    return some_of(source, (line for node in reading.broken for line in _lines(reading, node)), reading.refusal)


def _lines(reading: Reading, node: "Node") -> range:
    last = node.end_point.row - (node.end_point.column == 0 and node.end_point.row > node.start_point.row)
    return range(reading.line(node), reading.line_of_row(last) + 1)


def broken(reading: Reading, line: int, comment: str) -> Finding:
    """Return the finding that the source is no code of its language, by ``comment``."""
    return Finding(
        path=reading.source.path, line=line, comment=comment, dimension="correctness", cost=FATAL, is_fatal=True
    )


def _row(node: "Node") -> int:
    """Return the row of the first thing in ``node`` that is not the end of what stands before."""
    head = (node.text or b"")[:_WIDTH]
    return node.start_point.row + head[: len(head) - len(head.lstrip(b", ;\t\r\n"))].count(b"\n")


def _comment(node: "Node") -> str:
    if node.is_missing:
        name = "a name" if node.type in ("identifier", "type_identifier") else f'"{node.type}"'
        return f"Syntax error: {name} is missing; add it."
    text = (node.text or b"").decode("utf-8", "replace").strip(", ;\t\r\n")
    opening = next((child for child in reversed(node.children) if child.type in _PAIRS), None)
    if opening is not None and _PAIRS[opening.type] not in {child.type for child in node.children}:
        return f'Syntax error: "{opening.type}" is never closed; add "{_PAIRS[opening.type]}".'
    word = _WORD.match(text)
    return f'Syntax error at "{word[0]}"; correct it.' if word else "Syntax error; correct it."


_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
