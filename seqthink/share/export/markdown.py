"""A session as a Markdown report: the tree, then each thought in order of arrival.

Untrusted text is put into a fence longer than any it contains, or between as many backticks. So it cannot break out,
nor become a link, an image or a mention.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from seqthink.chain.model import NONE, AsideKind
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts, text_that_titles
from seqthink.core.events import RejectedEvent, ThoughtEvent
from seqthink.core.text import (
    MAX_RENDERED_CHARS,
    first_line,
    join_if_short,
    one_line,
    sanitize,
    sanitize_pieces,
    split_pieces,
)
from seqthink.drawing.describe.asides import aside_line, aside_text, refused_tool
from seqthink.drawing.describe.calls import left_out_words, listed_call, listed_items
from seqthink.drawing.describe.comments import comment_time, shared_comment_title
from seqthink.drawing.describe.json_values import pretty_json
from seqthink.drawing.describe.lanes import lane_name
from seqthink.drawing.describe.oddities import oddity_sentences
from seqthink.drawing.describe.thought import ThoughtFact, call_facts, native_heading, retraction_facts
from seqthink.drawing.describe.unread import unread_phrases
from seqthink.drawing.markup.fences import find_blocks
from seqthink.drawing.markup.markdown import NOT_RENDERED, clean_markdown, has_markup
from seqthink.drawing.plain import attachment_texts
from seqthink.drawing.rows.painter import Painter, whole_session_painter
from seqthink.drawing.rows.row_lines import row_lines
from seqthink.drawing.text.glyphs import UNICODE, retraction_sign
from seqthink.drawing.text.spans import Role
from seqthink.drawing.text.wrap import wrap
from seqthink.share.export import session_facts

PAGE_CELLS = 88
"""Cells of a fenced line that a page shows without scrolling sideways."""

MIN_CONTENTS_THOUGHTS, MAX_CONTENTS_THOUGHTS = 12, 400
"""A chain whose number of thoughts is between these two gets a list of links to them."""

MAX_HELD_ROWS = 5000
"""Rows of the tree that are in memory at once."""

_MAX_TICKS_CHARS = 64 << 10
"""Backticks that are yielded at a time."""
_TICKS = re.compile(r"`+")
_PLAIN = re.compile(r"[^\W\d_](?:[^\W_]|[ ,()-]|: )*")
_LINKED = re.compile(r"GH-\d|\b[0-9a-f]{7,40}\b", re.IGNORECASE)
_INDENT = re.compile(r"\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|>\s?)?")


def markdown(texts: SessionTexts) -> Iterator[str]:
    """Yield the report in pieces."""
    session = texts.session
    yield f"# {quoted(session_facts.name(session))}\n\n"
    yield _summary(texts)
    painter = whole_session_painter(texts, width=PAGE_CELLS)
    yield from _tree(painter)
    for chain in range(session.chain_count):
        yield from _chain(texts, chain, painter.odd)
    if not session.chain_count:
        for number in range(session.asides.count):
            yield from _aside(texts, number)


def quoted(text: str) -> str:
    """Return a short untrusted text so that nothing in it is Markdown, a link or a mention."""
    line = one_line(text)
    if _PLAIN.fullmatch(line) and not _LINKED.search(line):
        return line
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(line)), default=0))
    gap = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{gap}{line or '?'}{gap}{ticks}"


def fence(text: str, kind: str = "text") -> str:
    """Return a sanitized text in a fence that nothing in it can end."""
    runs = _TICKS.findall(text) if "`" in text else ()
    ticks = "`" * max(3, 1 + max(map(len, runs), default=0))
    return f"{ticks}{kind}\n{text}\n{ticks}\n\n"


def _long_fence(pieces_of: Callable[[], Iterable[str]]) -> Iterator[str]:
    """Yield a long text in a fence, as it is written; ``pieces_of`` is called twice to save memory."""
    ticks = max(3, 1 + _longest_run(sanitize_pieces(pieces_of())))
    yield from _ticks(ticks)
    yield "text\n"
    yield from sanitize_pieces(pieces_of())
    yield "\n"
    yield from _ticks(ticks)
    yield "\n\n"


def _ticks(count: int) -> Iterator[str]:
    """Yield ``count`` backticks in pieces: there may be as many as the text has characters."""
    for done in range(0, count, _MAX_TICKS_CHARS):
        yield "`" * min(_MAX_TICKS_CHARS, count - done)


def _longest_run(pieces: Iterable[str]) -> int:
    """Return the length of the longest run of backticks."""
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
    """Yield a text that is not Markdown in a fence."""
    if len(text) <= MAX_RENDERED_CHARS:
        yield fence(_wrapped(sanitize(text)))
    else:
        yield from _long_fence(lambda: split_pieces(text))


def _summary(texts: SessionTexts) -> str:
    session = texts.session
    shown = session_facts.status(session)
    client = session_facts.client(session)
    facts = [f"**{shown.sign} {shown.word}**", quoted(client) if client else "", session_facts.time_span(session)]
    counts = [", ".join(session_facts.counts(session)), *session_facts.contexts(session)]
    lines = [" · ".join(fact for fact in facts if fact), " · ".join(counts)]
    if tags := session_facts.tags(session):
        lines.append(" ".join(map(quoted, tags)))
    lost = unread_phrases(session)
    if lost:
        lines.append("Left out: " + ", ".join(lost) + ".")
    text = "  \n".join(lines) + "\n\n"
    if session.end_event is not None and session.end_event.error:
        text += "The server stopped with an error:\n\n" + "".join(_as_it_is(session.end_event.error))
    return text


def _tree(painter: Painter) -> Iterator[str]:
    count = painter.tree.count
    if not count:
        yield "No thoughts yet.\n"
        return
    rows = row_lines(painter)
    if count <= MAX_HELD_ROWS:
        yield fence("\n".join(rows))
        return
    # a long tree is not stored to count its backticks: a fence longer than a row cannot be closed by one
    ticks = "`" * (PAGE_CELLS + 1)
    yield f"{ticks}text\n"
    for row in rows:
        yield row + "\n"
    yield f"{ticks}\n\n"


def _chain(texts: SessionTexts, chain: int, odd: Collection[int] | None) -> Iterator[str]:
    """Yield a chain; ``odd`` are the thoughts with an oddity, None if that is not known."""
    session = texts.session
    thoughts = session.chains.thoughts_of(chain)
    if session.chain_count > 1:
        title = quoted(first_line(text_that_titles(texts, chain), 80))
        yield f"## Chain {chain + 1}\n\n{title}\n\n"
    else:
        yield "## Thoughts\n\n"
    if MIN_CONTENTS_THOUGHTS <= len(thoughts) <= MAX_CONTENTS_THOUGHTS:
        yield from _contents(texts, chain)
    for row in session.chains.heads_of(chain):
        yield from _thought(texts, row.ordinal, is_odd=False) if row.is_native else _aside(texts, row.ordinal)
    first = session.asides.count_before(thoughts[0]) if chain else 0
    for index in thoughts:
        before = session.asides.count_before(index) if first < session.asides.count else first
        for number in _staying(session, range(first, before)):
            yield from _aside(texts, number)
        first = before
        if session.chains.drawn_in(index) == chain:
            yield from _thought(texts, index, is_odd=odd is None or index in odd)
    last = (
        session.asides.count_before(thoughts[-1] + 1)
        if thoughts[-1] + 1 < session.thought_count
        else session.asides.count
    )
    for number in _staying(session, range(first, last)):
        yield from _aside(texts, number)


def _staying(session: Session, asides: range) -> Iterator[int]:
    """Yield the asides among these that do not head the next chain."""
    return (number for number in asides if not session.asides.is_head(number))


def _contents(texts: SessionTexts, chain: int) -> Iterator[str]:
    """Yield a line of links for each lane."""
    session = texts.session
    for ordinal in session.chains.lanes_of(chain):
        lane = session.lanes.get(ordinal)
        indices = lane.thoughts[: session.lanes.length_of(ordinal)]
        if indices:
            title = "" if lane.is_trunk else f"{quoted(lane_name(session, lane))}: "
            yield f"- {title}{' '.join(_link(texts, index) for index in indices)}\n"
    yield "\n"


def _link(texts: SessionTexts, index: int) -> str:
    thought = texts.session.thoughts.get(index)
    return f"[{thought.number or _native_name(texts.session, index)}](#{anchor(index)})"


def _native_name(session: Session, index: int) -> str:
    """Return what a row of native reasoning is called, which has no number."""
    return native_heading(session.thoughts.get(index), is_final=session.thoughts.is_final(index))


def anchor(index: int) -> str:
    """Return the anchor of a thought: its place in order of arrival, since numbers repeat."""
    return f"thought-{index + 1}"


def _thought(texts: SessionTexts, index: int, *, is_odd: bool) -> Iterator[str]:
    """Yield a thought; ``is_odd`` says that there may be an oddity."""
    session = texts.session
    thought, attached = session.thoughts.get(index), session.thoughts.attachments(index)
    branch = session_facts.branch_name(session, index)
    name = thought.number or _native_name(session, index)
    title = f'<a id="{anchor(index)}"></a>\n\n### {name}{f" · {quoted(branch)}" if branch else ""}'
    facts = " · ".join([_fact(fact) for fact in session_facts.thought_facts(session, thought, attached)])
    written = join_if_short(texts.pieces(index))
    if isinstance(written, str):
        text = clean_markdown(written)
        yield f"{title}\n\n{facts}\n\n{fence(_wrapped(text), 'markdown' if has_markup(text) else 'text')}"
    else:
        del written  # frees the journal line that it refers to
        yield f"{title}\n\n{facts}\n\n{NOT_RENDERED}\n\n"
        yield from _long_fence(lambda: texts.pieces(index))
    for comment in session.labels.on(thought.seq):
        written = filter(None, (shared_comment_title(comment, UNICODE), comment_time(comment)))
        yield f"{quoted(' · '.join(written))}\n\n{fence(_wrapped(sanitize(comment.text)))}"
    if attached:
        below = list(attachment_texts(attached, texts, width=PAGE_CELLS))
        yield fence("\n\n".join(below))
    event = texts.event(thought.offset, thought.size)
    called: list[str] = oddity_sentences(texts.health.at(session), session, index) if is_odd else []
    called += call_facts(session, thought, event if isinstance(event, ThoughtEvent) else None)
    if thought.is_retraction:
        called += retraction_facts(texts.prefix(index).text)
    if called:
        yield "".join(f"- {quoted(sentence)}\n" for sentence in called) + "\n"


def _fact(fact: ThoughtFact) -> str:
    if fact.thought == NONE:
        return fact.text
    words, number = fact.text.rsplit(" ", 1)
    return f"{words} [{number}](#{anchor(fact.thought)})"


def _aside(texts: SessionTexts, number: int) -> Iterator[str]:
    """Yield what is between two thoughts: a refused call with its arguments, or a line of what was done."""
    aside = texts.session.asides.get(number)
    if aside.kind is AsideKind.REFUSED:
        yield from _refused(texts, number)
        return
    mark = f" {retraction_sign(UNICODE)}" if aside.is_retraction else ""
    yield f"{quoted(aside_line(texts, texts.session, number, UNICODE))}{mark}\n\n"
    if aside.kind is AsideKind.ACTIONS:
        yield from _calls(texts, number)
    if aside.kind is AsideKind.CONTEXT:
        yield from _as_it_is(aside_text(texts, texts.session, number))


def _calls(texts: SessionTexts, number: int) -> Iterator[str]:
    """Yield a list of the calls that a row counts, with their ends."""
    left_out, items = listed_items(texts.session, number)
    if left_out:
        yield f"- {left_out_words(left_out)}\n"
    for item in items:
        call = listed_call(texts, texts.session, item)
        called = " ".join(quoted(words) for words in (call.tool, call.object) if words)
        end = f"**{call.end_words}**" if call.role is Role.BAD else call.end_words
        yield f"- {called} · {end}{f': {quoted(call.reason)}' if call.reason else ''}\n"
    yield "\n"


def _refused(texts: SessionTexts, number: int) -> Iterator[str]:
    tool = refused_tool(texts, texts.session, number)
    yield "### ✗ refused" + (f" {quoted(tool)}" if tool else "") + "\n\n"
    refusal = texts.session.asides.get(number)
    yield from _as_it_is(texts.refusal_reason(number))
    event = texts.event(refusal.offset, refusal.size)
    if isinstance(event, RejectedEvent) and event.arguments is not None:
        yield "Its arguments" + (" (cut at 4 KiB)" if event.truncated else "") + ":\n\n"
        asked = pretty_json(event.arguments)
        yield from (
            [fence(sanitize(asked))] if len(asked) <= MAX_RENDERED_CHARS else _long_fence(lambda: split_pieces(asked))
        )


def _wrapped(text: str) -> str:
    """Return a text with its long lines broken, except in its own fences."""
    lines = text.strip("\n").split("\n")
    fenced = {number for block in find_blocks(lines) for number in range(block.start, block.end)}
    wrapped: list[str] = []
    for number, line in enumerate(lines):
        wrapped += [line.rstrip()] if number in fenced or len(line) <= PAGE_CELLS else _broken(line)
    return "\n".join(wrapped)


def _broken(line: str) -> Iterator[str]:
    """Yield a line in parts; the later ones are indented to where its text begins."""
    found = _INDENT.match(line)
    mark = found[0] if found and len(found[0]) < PAGE_CELLS // 2 else ""
    rest = mark if mark.lstrip().startswith(">") else " " * len(mark)
    for number, piece in enumerate(wrap(line[len(mark) :], PAGE_CELLS - len(mark))):
        yield (rest if number else mark) + piece
