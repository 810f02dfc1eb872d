"""Comments of people on thoughts in words: whose each is, and when it was written. All texts are untrusted."""

from datetime import UTC, tzinfo

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.core.labels import Comment
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.text.glyphs import Signs, comment_sign
from seqthink.drawing.text.spans import Role


def comment_author(comment: Comment) -> SafeText:
    """Return who wrote a comment; ``you`` is never somebody else's."""
    if comment.is_own:
        return SafeText("you")
    return one_line(comment.by) or SafeText("somebody")


def comment_title(comment: Comment, signs: Signs) -> str:
    """Return what is above a comment: that it is one, and by whom."""
    if comment.is_own:
        return f"{comment_sign(signs)} your comment"
    return f"{comment_sign(signs)} comment by {comment_author(comment)}"


def shared_comment_title(comment: Comment, signs: Signs) -> str:
    """Return the same for a page that others read, too: nobody is ``you`` there."""
    return f"{comment_sign(signs)} comment by {one_line(comment.by) or 'somebody'}"


def comment_role(comment: Comment) -> Role:
    """Return the colour of a comment: one's own and others' look different."""
    return Role.ACCENT if comment.is_own else Role.NOTE


def comment_time(comment: Comment, zone: tzinfo = UTC) -> str:
    """Return day and time at which a comment was written; empty if that is not known."""
    if not comment.time:
        return ""
    return f"{units.date(comment.time, zone)} {units.clock(comment.time, zone, seconds=False)}"


def commented_thoughts(session: Session) -> dict[int, Role]:
    """Return the thoughts of a session that somebody commented on, and the colour of their sign; one's own counts."""
    found: dict[int, Role] = {}
    for comment in session.labels.comments:
        index = session.thoughts.index_of_seq(comment.seq)
        if index != NONE and index < session.thought_count and (comment.is_own or index not in found):
            found[index] = comment_role(comment)
    return found
