"""Queries of search (words) and filter (words, kinds and tags): docs/viewer.md, "Search and filter"."""

import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from seqthink.chain.model import NONE
from seqthink.chain.session import Session

FILTER_KINDS = ("branch", "revision", "retraction", "audit", "refused", "odd", "native")
"""What may follow ``is:`` in a filter."""

_FILTER_PART = re.compile(r'#"(?P<quoted>[^"]+)"?|\S+')
"""One part of a filter; a quote that is not closed yet ends with the line."""

_WORDS_PART = re.compile(r'"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+)')
"""A phrase in quotes, or a word; the last phrase may not be closed yet."""


class Query(Struct, frozen=True, kw_only=True):
    """Conditions on a thought or refused call. All of them must hold."""

    words: tuple[str, ...] = ()
    """All of them must be in the text."""
    kinds: tuple[str, ...] = ()
    """Some of ``FILTER_KINDS``; all of them must hold."""
    tags: tuple[str, ...] = ()
    """Tags of context items, casefolded; all of them must be attached."""
    is_case_sensitive: bool = False
    """Whether upper and lower case are different in ``words``."""

    @property
    def is_empty(self) -> bool:
        """Whether there is no condition, so that everything matches."""
        return not (self.words or self.kinds or self.tags)

    @property
    def unknown_kind(self) -> str:
        """The first word of the form ``is:…`` that is not one of ``FILTER_KINDS``; else an empty string."""
        return next((word for word in self.words if word.startswith("is:")), "")

    @property
    def as_typed(self) -> str:
        """The conditions as a user types them."""
        tags = (f'#"{tag}"' if " " in tag else f"#{tag}" for tag in self.tags)
        return " ".join((*self.words, *(f"is:{kind}" for kind in self.kinds), *tags))

    def text_matcher(self) -> Callable[[str], bool]:
        """Return a function that says whether a text contains all the words."""
        if self.is_case_sensitive:
            return lambda text: all(word in text for word in self.words)
        found = [re.compile(re.escape(word), re.IGNORECASE).search for word in self.words]
        return lambda text: all(find(text) for find in found)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the (start, end) of each word in ``text``, in characters, left to right and without overlap."""
        words = "|".join(re.escape(word) for word in sorted(self.words, key=len, reverse=True))
        flags = 0 if self.is_case_sensitive else re.IGNORECASE
        return [found.span() for found in re.finditer(words, text, flags)] if words else []

    def matches_kinds(self, session: Session, index: int) -> bool:
        """Whether the thought ``index`` is of all the kinds but "odd"; says nothing about its text and tags."""
        return all(_KIND_TESTS[kind](session, index) for kind in self.kinds if kind != "odd")

    @property
    def wants_odd(self) -> bool:
        """Whether only thoughts with an oddity match: the health of the session says which."""
        return "odd" in self.kinds

    @property
    def may_match_refused(self) -> bool:
        """Whether refused calls can match."""
        return set(self.kinds) <= {"refused"} and not self.tags

    @property
    def may_match_said(self) -> bool:
        """Whether a row of what was said can match; with a kind, only if it takes something back."""
        return set(self.kinds) <= {"retraction"}

    @property
    def may_match_thoughts(self) -> bool:
        """Whether thoughts can match."""
        return "refused" not in self.kinds


_KIND_TESTS: dict[str, Callable[[Session, int], bool]] = {
    "branch": lambda session, index: not session.lanes.get(session.thoughts.lane_of(index)).is_root,
    "revision": lambda session, index: session.thoughts.is_revision(index),
    "retraction": lambda session, index: session.thoughts.get(index).is_retraction,
    "audit": lambda session, index: any(
        attachment.kind == "audit" for attachment in session.thoughts.attachments(index)
    ),
    "refused": lambda session, index: False,  # noqa: ARG005 - a thought is none
    "native": lambda session, index: session.native.kind_of(index) is not None,
}


def search_query(text: str) -> Query:
    """Return the query of a search: ``text`` literally, blanks included. A capital letter makes it case-sensitive."""
    return Query(words=(text,) if text.strip() else (), is_case_sensitive=_has_capitals(text))


def filter_query(text: str) -> Query:
    """Return the query of a filter such as ``is:revision #pool #"two words" timeout``."""
    words: list[str] = []
    kinds: list[str] = []
    tags: list[str] = []
    for found in _FILTER_PART.finditer(text):
        part = found[0]
        if found["quoted"]:
            tags.append(found["quoted"].casefold())
        elif part.startswith("is:") and part[3:] in FILTER_KINDS:
            kinds.append(part[3:])
        elif part.startswith("#") and len(part) > 1:
            tags.append(part[1:].casefold())
        else:
            words.append(part)
    return Query(
        words=tuple(words), kinds=tuple(kinds), tags=tuple(tags), is_case_sensitive=_has_capitals("".join(words))
    )


def words_query(text: str) -> Query:
    """Return the query of words such as ``pool "two words"``; all must occur, a phrase as it is written."""
    words = [found["phrase"] or found["word"] or "" for found in _WORDS_PART.finditer(text)]
    return Query(words=tuple(dict.fromkeys(filter(str.strip, words))), is_case_sensitive=_has_capitals("".join(words)))


def _has_capitals(text: str) -> bool:
    return text != text.lower()


def thought_with_number(session: Session, number: int, near: int) -> int:
    """Return the thought with ``number`` that the user at the thought ``near`` most likely means, or NONE.

    The lane of ``near`` comes first, then the lanes above it, the other lanes of the chain, and the whole session.
    """
    chain = session.thoughts.chain_of(near)
    lane, tried = session.lanes.get(session.thoughts.lane_of(near)), set[int]()
    lanes = [lane.ordinal]
    while lane.parent != NONE:
        lane = session.lanes.get(lane.parent)
        lanes.append(lane.ordinal)
    for ordinal in (*lanes, *session.chains.lanes_of(chain)):
        if ordinal in tried:
            continue
        tried.add(ordinal)
        found = _find_on_lane(session, ordinal, number)
        if found != NONE:
            return found
    return _find_first(session, range(session.thought_count - 1, -1, -1), number)


def _find_on_lane(session: Session, ordinal: int, number: int) -> int:
    thoughts, length = session.lanes.get(ordinal).thoughts, session.lanes.length_of(ordinal)
    # Most lanes count up by one from their first thought.
    guess = number - session.thoughts.number_of(thoughts[0]) if length else -1
    if 0 <= guess < length and session.thoughts.number_of(thoughts[guess]) == number:
        return thoughts[guess]
    return _find_first(session, thoughts[:length], number)


def _find_first(session: Session, indices: Iterable[int], number: int) -> int:
    return next((index for index in indices if session.thoughts.number_of(index) == number), NONE)


def compared_thought(session: Session, index: int) -> int:
    """Return the thought with which ``index`` is compared: the one that it revises, else its reviser; or NONE."""
    target = session.thoughts.target_of(index)
    return target if target != NONE else session.thoughts.reviser_of(index)
