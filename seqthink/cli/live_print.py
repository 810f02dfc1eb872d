"""Prints a session line by line while it grows (`watch` and `demo` without a terminal).

Lines are never printed again or taken back. Each thought, each new branch, each refused call and each further chain
becomes one line on arrival, drawn as its row looks in the tree at that moment, without arrows, which would need the
rows above. Later changes to a thought (a revision, an audit) cannot appear on its line: when the session is over, the
complete tree follows after a blank line.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import TextIO

from seqthink.chain.fold import Fold
from seqthink.chain.model import NONE, Thought
from seqthink.chain.session import Session
from seqthink.cli.journal_output import unread_messages
from seqthink.core.errors import UsageError
from seqthink.core.events import Event, RejectedEvent, SessionEvent, ThoughtEvent, UnknownEvent, WriterState
from seqthink.core.text import one_line
from seqthink.drawing.describe.session import session_name
from seqthink.drawing.describe.unread import corrupt_lines
from seqthink.drawing.plain import overview_lines
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.follow import follow, follow_stdin
from seqthink.journal.peek import writer_state
from seqthink.journal.reader import Batch
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import LiveSession


class LivePrinter:
    """Makes the lines of a growing session from batches of events."""

    def __init__(self, *, width: int, signs: Signs) -> None:
        self._width = width
        self._signs = signs
        self._live, self._tree = LiveSession(Fold), Tree()
        self._trouble = ""

    @property
    def session(self) -> Session:
        """The session so far."""
        return self._live.fold.session(WriterState.ALIVE)

    def feed(self, batch: Batch) -> Iterator[str]:
        """Add a batch and yield its lines."""
        if batch.trouble != self._trouble:
            self._trouble = batch.trouble
            yield f"{self._signs.missing} {one_line(batch.trouble) or 'the journal can be read again'}"
        if batch.restarted:
            self._tree = Tree()
            yield f"{self._signs.missing} the journal starts again: it was {batch.restarted}"
        self._live.add(batch._replace(events=[]))
        for event, offset, size in batch.events:
            self._live.fold.evolve(event, offset, size)
            yield from self._lines(event)

    def final_lines(self, writer: WriterState) -> Iterator[str]:
        """Yield the lines for the end: a blank line and the complete tree."""
        if self._live.journal is None:
            return
        texts = JournalTexts(self._live.journal, self._live.fold.session(writer))
        yield ""
        yield from overview_lines(texts, width=self._width, signs=self._signs)

    def unread_messages(self) -> list[str]:
        """Return warnings about lines that could not be read."""
        return unread_messages(self.session, self._live.corrupt_lines)

    def _lines(self, event: Event | UnknownEvent) -> Iterator[str]:
        session = self.session
        match event:
            case SessionEvent():
                yield self._heading(session, event)
            case ThoughtEvent():
                yield from self._rows(session, self._rows_of(session, session.thoughts.get(session.thought_count - 1)))
            case RejectedEvent():
                last, chain = session.asides.count - 1, session.chain_count - 1
                above = session.asides.get(last).thought_above
                lane = session.thoughts.lane_of(above) if above != NONE else NONE
                yield from self._rows(session, [TreeRow(RowKind.ASIDE, chain, lane, last)])
            case _:
                return

    def _heading(self, session: Session, event: SessionEvent) -> str:
        client = one_line(event.client.name) if event.client else ""
        parts = [session_name(session), client, one_line(event.session), "resumed" if event.resumed else ""]
        return f" {self._signs.separator} ".join(part for part in parts if part)

    def _rows_of(self, session: Session, thought: Thought) -> Iterator[TreeRow]:
        """Yield the rows that a thought adds: its own and those of a new chain, branch or gap."""
        lane = session.lanes.get(thought.lane)
        if thought.chain and thought.index == session.chains.thoughts_of(thought.chain)[0]:
            yield TreeRow(RowKind.CHAIN, thought.chain, NONE, thought.chain)
        if not lane.is_trunk and not thought.index_in_lane:
            yield TreeRow(RowKind.BRANCH, thought.chain, lane.ordinal, lane.ordinal)
        if thought.skipped_count:
            yield TreeRow(RowKind.GAP, thought.chain, lane.ordinal, thought.index)
        yield TreeRow(RowKind.THOUGHT, thought.chain, lane.ordinal, thought.index)

    def _rows(self, session: Session, rows: Iterator[TreeRow] | list[TreeRow]) -> Iterator[str]:
        assert self._live.journal is not None, "events come from a journal"
        self._tree.sync(session)
        painter = Painter(
            tree=self._tree,
            texts=JournalTexts(self._live.journal, session),
            width=self._width,
            screen_width=self._width,
            signs=self._signs,
            has_arrows=False,
        )
        for row in rows:
            number = self._tree.row_of(row)
            if number is not None:
                yield spans_text(painter.draw_row(number)).rstrip()


async def print_live(
    path: Path,
    out: TextIO,
    *,
    width: int,
    signs: Signs,
    until_done: bool,
    decode: LineDecoder = decode,
    stop: asyncio.Event | None = None,
) -> list[str]:
    """Print the session at ``path`` as it grows, and the complete tree at its end.

    The end is when ``stop`` is set and, with ``until_done``, when the server has recorded its end or is gone; else it
    runs until cancelled. A journal that cannot be read is tried again, and a line says so. Returns warnings about
    lines that could not be read.
    """
    printer = LivePrinter(width=width, signs=signs)
    async with aclosing(follow(path, decode=decode, stop=stop, every_look=until_done)) as batches:
        await _print_batches(printer, batches, out, path if until_done else None)
    _print(out, printer.final_lines(writer_state(path, printer.session.session_event)))
    return printer.unread_messages()


async def print_stdin(out: TextIO, *, width: int, signs: Signs, decode: LineDecoder = decode) -> list[str]:
    """Print the journal on stdin as it grows, and the complete tree at its end; return warnings as `print_live` does.

    Raises:
        UsageError: the input is not a journal.
    """
    printer = LivePrinter(width=width, signs=signs)
    async with aclosing(follow_stdin(decode=decode)) as batches:
        await _print_batches(printer, batches, out, None)
        session = printer.session
        if session.entry_count == corrupt_lines(session):
            raise UsageError("stdin is not a seqthink journal: no line of it could be read; pipe in the file alone")
        _print(out, printer.final_lines(WriterState.UNKNOWN))
    return printer.unread_messages()


async def _print_batches(
    printer: LivePrinter, batches: AsyncGenerator[Batch, None], out: TextIO, path: Path | None
) -> None:
    """Print batches, with a ``path`` until the session there is over."""
    was_over = False
    async for batch in batches:
        _print(out, printer.feed(batch))
        if path is None or not batch.at_end or batch.gone:
            continue
        # A server that is gone may have written since the last look: this one was after it.
        if was_over or printer.session.end_event is not None:
            return
        was_over = _is_over(printer.session, path)


def _is_over(session: Session, path: Path) -> bool:
    """Whether the server is gone, or it is a transcript, read once; a server on another host may still be there."""
    begun = session.session_event
    if begun is None:
        return False
    return begun.source not in {None, "tap"} or writer_state(path, begun) is WriterState.GONE


def _print(out: TextIO, new_lines: Iterator[str]) -> None:
    for line in new_lines:
        print(line, file=out)
    out.flush()
