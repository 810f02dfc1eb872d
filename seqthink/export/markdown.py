"""A session as a Markdown report: the tree, then each thought in order of arrival.

Whatever came from a model or a client stands in a fence longer than any within, or between as many backticks: it can
neither break out nor become a link, an image or a mention of somebody.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from seqthink.chain.model import NONE
from seqthink.drawing.belongings import belongings
from seqthink.drawing.facts import facts
from seqthink.drawing.glyphs import UNICODE
from seqthink.drawing.markdown import NOT_RENDERED, has_markup, readable
from seqthink.drawing.names import lane_name
from seqthink.drawing.rows import Painter
from seqthink.drawing.spans import plain
from seqthink.drawing.values import pretty
from seqthink.drawing.wrap import wrap
from seqthink.events import RejectedEvent, ThoughtEvent
from seqthink.export import heads
from seqthink.export.material import Material
from seqthink.text import MOST_RENDERED, first_line, gathered, in_pieces, one_line, sanitize, sanitized

CELLS = 88
"""What a page shows of a fence without scrolling sideways."""

LEAST_LISTED, MOST_LISTED = 12, 400
"""From how many and up to how many thoughts there is a list of them, to jump to one."""

MOST_KEPT = 5000
"""Up to how many rows of the tree are held at once."""

_MOST_TICKS = 64 << 10
_TICKS = re.compile(r"`+")
_PLAIN = re.compile(r"[^\W\d_](?:[^\W_]|[ ,()-]|: )*")
_LINKED = re.compile(r"GH-\d|\b[0-9a-f]{7,40}\b", re.IGNORECASE)
_INDENT = re.compile(r"\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|>\s?)?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def markdown(material: Material) -> Iterator[str]:
    """Yield the report in pieces."""
    session = material.session
    yield f"# {quoted(heads.name(session))}\n\n"
    yield _summary(material)
    painter = material.painter(CELLS)
    yield from _tree(painter)
    for chain in range(session.chain_count):
        yield from _chain(material, chain)
    if not session.chain_count:
        for number in range(session.refusal_count):
            yield from _refused(material, number)


def quoted(text: str) -> str:
    """Return a short text so that nothing in it is Markdown, a link or a mention."""
    line = one_line(text)
    if _PLAIN.fullmatch(line) and not _LINKED.search(line):
        return line
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(line)), default=0))
    gap = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{gap}{line or '?'}{gap}{ticks}"


def fence(text: str, kind: str = "text") -> str:
    """Return a sanitized text in a fence that nothing in it can end."""
    ticks = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    return f"{ticks}{kind}\n{text}\n{ticks}\n\n"


def _long_fence(pieces_of: Callable[[], Iterable[str]]) -> Iterator[str]:
    """Yield a long text in such a fence, as it is written; it is asked for twice, so that it need not be held."""
    ticks = max(3, 1 + _longest_run(sanitized(pieces_of())))
    yield from _ticks(ticks)
    yield "text\n"
    yield from sanitized(pieces_of())
    yield "\n"
    yield from _ticks(ticks)
    yield "\n\n"


def _ticks(count: int) -> Iterator[str]:
    """Yield so many backticks, of which there may be as many as a text has characters."""
    for done in range(0, count, _MOST_TICKS):
        yield "`" * min(_MOST_TICKS, count - done)


def _longest_run(pieces: Iterable[str]) -> int:
    """Return how many backticks stand one after another at most."""
    longest = open_run = 0
    for piece in pieces:
        if not piece.strip("`"):
            open_run += len(piece)
            continue
        longest = max(longest, open_run + len(piece) - len(piece.lstrip("`")))
        start = 0
        while (start := piece.find("`" * (longest + 1), start)) >= 0:
            end = len(piece) - len(piece[start:].lstrip("`"))
            start, longest = end, max(longest, end - start)
        open_run = len(piece) - len(piece.rstrip("`"))
    return max(longest, open_run)


def _as_it_is(text: str) -> Iterator[str]:
    """Yield a text that is no Markdown in a fence."""
    if len(text) <= MOST_RENDERED:
        yield fence(_wrapped(sanitize(text)))
    else:
        yield from _long_fence(lambda: in_pieces(text))


def _summary(material: Material) -> str:
    session = material.session
    shown = heads.state(session)
    client = heads.client(session)
    facts = [f"**{shown.sign} {shown.word}**", quoted(client) if client else "", heads.when(session)]
    lines = [" · ".join(fact for fact in facts if fact), ", ".join(heads.counts(session))]
    lost = heads.not_read(session)
    if lost:
        lines.append("Not in here: " + ", ".join(lost) + ".")
    text = "  \n".join(lines) + "\n\n"
    if session.end is not None and session.end.error:
        text += "The server was ended by an error:\n\n" + "".join(_as_it_is(session.end.error))
    return text


def _tree(painter: Painter) -> Iterator[str]:
    count = painter.tree.count
    if not count:
        yield "No thoughts yet.\n"
        return
    rows = (plain(spans).rstrip() for spans in painter.lines(0, count))
    if count <= MOST_KEPT:
        yield fence("\n".join(rows))
        return
    # of a long tree nothing is kept to count the backticks in it: so many do not fit into a row
    ticks = "`" * (CELLS + 1)
    yield f"{ticks}text\n"
    for row in rows:
        yield row + "\n"
    yield f"{ticks}\n\n"


def _chain(material: Material, chain: int) -> Iterator[str]:
    session = material.session
    thoughts = session.chain_range(chain)
    if session.chain_count > 1:
        title = quoted(first_line(material.head_of(thoughts[0]), 80))
        yield f"## Chain {chain + 1}\n\n{title}\n\n"
    else:
        yield "## Thoughts\n\n"
    if LEAST_LISTED <= len(thoughts) <= MOST_LISTED:
        yield from _contents(material, chain)
    first = session.refusals_before(thoughts[0]) if chain else 0
    for index in thoughts:
        for number in range(first, session.refusals_before(index)):
            yield from _refused(material, number)
        first = session.refusals_before(index)
        yield from _thought(material, index)
    last = session.refusals_before(thoughts[-1] + 1) if thoughts[-1] + 1 < session.length else session.refusal_count
    for number in range(first, last):
        yield from _refused(material, number)


def _contents(material: Material, chain: int) -> Iterator[str]:
    """Yield a line of links for each lane."""
    session = material.session
    for ordinal in session.chain_lanes(chain):
        lane = session.lane(ordinal)
        indices = lane.thoughts[: session.lane_length(ordinal)]
        if indices:
            title = "" if lane.is_trunk else f"{quoted(lane_name(session, lane))}: "
            yield f"- {title}{' '.join(_link(material, index) for index in indices)}\n"
    yield "\n"


def _link(material: Material, index: int) -> str:
    thought = material.session.thought(index)
    return f"[{thought.number}](#{anchor(thought.seq)})"


def anchor(seq: int) -> str:
    """Return the place of the thought with this position in the journal."""
    return f"thought-{seq}"


def _thought(material: Material, index: int) -> Iterator[str]:
    session = material.session
    thought = session.thought(index)
    branch = heads.branch(session, index)
    yield f'<a id="{anchor(thought.seq)}"></a>\n\n### {thought.number}'
    yield (f" · {quoted(branch)}" if branch else "") + "\n\n"
    yield " · ".join(_fact(material, fact) for fact in heads.facts_of(session, index)) + "\n\n"
    written = gathered(material.pieces_of(index))
    if isinstance(written, str):
        text = readable(written)
        yield fence(_wrapped(text), "markdown" if has_markup(text) else "text")
    else:
        del written  # it holds a line of the journal
        yield f"{NOT_RENDERED}\n\n"
        yield from _long_fence(lambda: material.pieces_of(index))
    below = ["\n".join(lines) for lines in _belongings(material, index)]
    if below:
        yield fence("\n\n".join(below))
    event = material.event_of(thought.offset, thought.size)
    called = list(facts(thought, event if isinstance(event, ThoughtEvent) else None))
    if called:
        yield "".join(f"- {quoted(sentence)}\n" for sentence in called) + "\n"


def _belongings(material: Material, index: int) -> Iterator[list[str]]:
    for lines in belongings(material.session.attached(index), material.event_of, CELLS, UNICODE):
        yield [plain(line).rstrip() for line in lines]


def _fact(material: Material, fact: heads.Fact) -> str:
    if fact.thought == NONE:
        return fact.text
    words, number = fact.text.rsplit(" ", 1)
    return f"{words} [{number}](#{anchor(material.session.thought(fact.thought).seq)})"


def _refused(material: Material, number: int) -> Iterator[str]:
    refusal = material.session.refusal(number)
    yield "### ✗ refused\n\n"
    yield from _as_it_is(material.error_of(number))
    event = material.event_of(refusal.offset, refusal.size)
    if isinstance(event, RejectedEvent) and event.arguments is not None:
        yield "It asked for" + (" (cut at 4 KiB)" if event.truncated else "") + ":\n\n"
        asked = pretty(event.arguments)
        yield from [fence(sanitize(asked))] if len(asked) <= MOST_RENDERED else _long_fence(lambda: in_pieces(asked))


def _wrapped(text: str) -> str:
    """Return a text with its long lines broken, but for those of its own fences."""
    lines: list[str] = []
    end = ""
    for line in text.strip("\n").split("\n"):
        found = _FENCE.match(line)
        if found and (not end or line.strip().startswith(end)):
            end = "" if end else found[1]
        if end or found or len(line) <= CELLS:
            lines.append(line.rstrip())
        else:
            lines += _broken(line)
    return "\n".join(lines)


def _broken(line: str) -> Iterator[str]:
    """Yield a line in several, those after the first indented to where its text begins."""
    found = _INDENT.match(line)
    mark = found[0] if found and len(found[0]) < CELLS // 2 else ""
    rest = mark if mark.lstrip().startswith(">") else " " * len(mark)
    for number, piece in enumerate(wrap(line[len(mark) :], CELLS - len(mark))):
        yield (rest if number else mark) + piece
