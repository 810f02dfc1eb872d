"""What a revision changed, as blocks of a page."""

from collections.abc import Sequence

from seqthink.chain.session_texts import SessionTexts
from seqthink.core.text import MAX_RENDERED_CHARS
from seqthink.drawing.markup.revision_diff import (
    LineChanges,
    LineRun,
    WordChanges,
    inner_role,
    left_out_words,
    revision_changes,
)
from seqthink.drawing.markup.text_diff import DiffPiece
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.share.export.html_blocks import Block, ChangedLine, ChangedLines, ChangedWords, Sentence
from seqthink.share.export.markdown_html import thought_blocks

_LEFT_OUT = "left out"


def revision_blocks(texts: SessionTexts, target: int, revision: int) -> Sequence[Block]:
    """Return what the thought ``revision`` changed of the thought ``target``, or both if too little is in common."""
    old, new = (texts.prefix(index).text[:MAX_RENDERED_CHARS] for index in (target, revision))
    numbers = texts.session.thoughts
    heading = f"{numbers.number_of(target)} {UNICODE.changed} {numbers.number_of(revision)}, changes"
    match revision_changes(old, new):
        case WordChanges(pieces):
            return [Sentence(heading), ChangedWords(_words(pieces))]
        case LineChanges(runs, are_diffs):
            lines = [line for run in runs for line in _lines(run, are_diffs=are_diffs)]
            return [Sentence(heading), ChangedLines(lines)]
        case None:
            return [
                Sentence(f"Too little in common: both texts. {numbers.number_of(target)} was:"),
                *thought_blocks([old]),
                Sentence(f"{numbers.number_of(revision)} is:"),
                *thought_blocks([new]),
            ]


def _words(pieces: Sequence[DiffPiece]) -> list[tuple[str, str]]:
    words: list[tuple[str, str]] = []
    for piece in pieces:
        if piece.gap:
            words.append(("same", piece.gap))
        words.append((piece.kind.value, piece.text))
    return words


def _lines(run: LineRun, *, are_diffs: bool) -> list[ChangedLine]:
    if run.kind is None:
        return [ChangedLine(_LEFT_OUT, left_out_words(run, UNICODE), None)]
    return [ChangedLine(run.kind.value, line, inner_role(line) if are_diffs else None) for line in run.lines]
