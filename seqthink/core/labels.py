"""What people say about a session and its thoughts: a name, tags, a pin, comments. The journal never holds it.

What came from elsewhere is untrusted: it is bounded here, and made safe where it is shown.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

MAX_NAME_CHARS: Final = 200
MAX_TAG_CHARS: Final = 40
MAX_TAGS: Final = 32
MAX_AUTHOR_CHARS: Final = 80
MAX_COMMENT_CHARS: Final = 4_000
MAX_COMMENTS: Final = 500
"""Comments on one session; of more, the newest count."""
MAX_LABELS_BYTES: Final = 32 << 10
"""Size of the labels that go to another machine; of more comments, the newest fit."""
_MAX_NUMBER: Final = 2**53


class Comment(Struct, frozen=True, kw_only=True):
    """What one author wrote about one thought."""

    seq: int
    """The thought's ``seq`` in the journal."""
    text: str
    number: int = 0
    """The thought's number; 0 if it has none, or it is not known."""
    by: str = ""
    """Name of the author; empty if nobody gave one."""
    time: int = 0
    """When it was written, in microseconds since 1970; 0 if that is not known."""
    is_own: bool = False
    """Whether it was written on this machine."""


class SessionLabels(Struct, frozen=True, kw_only=True):
    """What people say about a session."""

    name: str = ""
    """Replaces the name that the journal gives; empty for none."""
    tags: tuple[str, ...] = ()
    is_pinned: bool = False
    """It is first in its group, and is not pruned."""
    comments: tuple[Comment, ...] = ()
    """In the order of their times."""

    def on(self, seq: int) -> list[Comment]:
        """Return the comments on the thought at an entry."""
        return [comment for comment in self.comments if comment.seq == seq]

    def joined(self, received: "SessionLabels") -> "SessionLabels":
        """Return these labels with those that came from elsewhere; of two names this one counts."""
        if received == NO_LABELS:
            return self
        theirs = {(comment.seq, comment.by, comment.text) for comment in self.comments}
        added = [comment for comment in received.comments if (comment.seq, comment.by, comment.text) not in theirs]
        return SessionLabels(
            name=self.name or received.name,
            tags=tuple(dict.fromkeys((*self.tags, *received.tags)))[:MAX_TAGS],
            is_pinned=self.is_pinned,
            comments=in_order((*self.comments, *added)),
        )

    def cleaned(self, clean: Callable[[str], str]) -> "SessionLabels":
        """Return them with each text as ``clean`` returns it."""
        return replace(
            self,
            name=clean(self.name),
            tags=tuple(map(clean, self.tags)),
            comments=tuple(replace(one, text=clean(one.text), by=clean(one.by)) for one in self.comments),
        )


NO_LABELS: Final = SessionLabels()


def in_order(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    """Return the newest comments, as many as are kept, in the order of their times."""
    return tuple(sorted(comments, key=lambda comment: (comment.time, comment.seq, comment.by))[-MAX_COMMENTS:])


def tag_of(text: str) -> str:
    """Return a tag as it is kept: one word without ``#``; empty if nothing is left."""
    return "-".join(text.split()).lstrip("#")[:MAX_TAG_CHARS]


# As JSON


def labels_fields(labels: SessionLabels) -> dict[str, Any]:
    """Return name, tags and comments as JSON values, without what is not there. A pin is nobody else's concern."""
    comments = [
        {name: value for name, value in asdict(comment).items() if name != "is_own"} for comment in labels.comments
    ]
    known = {"name": labels.name, "tags": list(labels.tags), "comments": comments}
    return {name: value for name, value in known.items() if value}


def labels_text(labels: SessionLabels) -> str:
    """Return the same as text of at most `MAX_LABELS_BYTES`; the oldest comments are left out. Empty for none."""
    fields, comments = labels_fields(labels), labels.comments
    while fields:
        text = json.dumps(fields, separators=(",", ":"))
        if len(text) <= MAX_LABELS_BYTES:
            return text
        comments = comments[1 + len(comments) // 8 :]
        fields = labels_fields(replace(labels, comments=comments))
    return ""


def labels_of_text(text: str) -> SessionLabels:
    """Return the labels in a text that came from elsewhere; whatever does not fit is left out."""
    if not text or len(text) > MAX_LABELS_BYTES:
        return NO_LABELS
    try:
        fields: object = json.loads(text)
    except (ValueError, RecursionError):
        return NO_LABELS
    if not isinstance(fields, dict):
        return NO_LABELS
    return labels_of_fields(cast("dict[str, object]", fields))


def labels_of_fields(fields: Mapping[str, object]) -> SessionLabels:
    """Return the labels that the values of a JSON object give; whatever does not fit is left out."""
    name, tags, comments = fields.get("name"), fields.get("tags"), fields.get("comments")
    words = cast("list[object]", tags)[:MAX_TAGS] if isinstance(tags, list) else []
    found = map(comment_of_fields, cast("list[object]", comments)[-MAX_COMMENTS:] if isinstance(comments, list) else [])
    return SessionLabels(
        name=name[:MAX_NAME_CHARS] if isinstance(name, str) else "",
        tags=tuple(dict.fromkeys(tag for word in words if isinstance(word, str) and (tag := tag_of(word)))),
        comments=in_order(comment for comment in found if comment is not None and comment.text),
    )


def comment_of_fields(value: object, *, is_own: bool = False) -> Comment | None:
    """Return the comment that a JSON value describes, with an empty text if it was taken away; None for no comment."""
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, object]", value)
    seq, number, time = (_whole(fields.get(name)) for name in ("seq", "number", "time"))
    text, by = fields.get("text"), fields.get("by")
    if not seq or not isinstance(text, str):
        return None
    author = by[:MAX_AUTHOR_CHARS] if isinstance(by, str) else ""
    return Comment(seq=seq, number=number, text=text.strip()[:MAX_COMMENT_CHARS], by=author, time=time, is_own=is_own)


def _whole(value: object) -> int:
    """Return a whole number within bounds; 0 for anything else."""
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 <= value < _MAX_NUMBER else 0
