"""Two texts that say much the same, each with the words that only it has in bold."""

from seqthink.drawing.markup.text_diff import MAX_WORD_DIFF_TOKENS, ChangeKind, tokens_of, word_diff
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans


def word_changes(left: str, right: str) -> tuple[Spans, Spans]:
    """Return both texts (sanitized): the words that only one has are bold, common ones muted; plain if they are long.

    Plain, too, if too little is in common in this order.
    """
    if len(tokens_of(left)) + len(tokens_of(right)) > MAX_WORD_DIFF_TOKENS:
        return [Span(left)], [Span(right)]
    pieces = word_diff(left, right)
    if pieces is None:
        return [Span(left)], [Span(right)]
    sides: tuple[Spans, Spans] = ([], [])
    for piece in pieces:
        is_common = piece.kind is ChangeKind.SAME
        span = Span(piece.gap + piece.text, Role.MUTED if is_common else Role.TEXT, 0 if is_common else BOLD)
        if piece.kind is not ChangeKind.ADDED:
            sides[0].append(span)
        if piece.kind is not ChangeKind.REMOVED:
            sides[1].append(span)
    return sides
