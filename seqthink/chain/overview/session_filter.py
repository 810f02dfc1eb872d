"""Filters of the list of sessions, such as ``repo:shop branch:feat tag:"next week" is:asking pool`` (docs/sessions.md).

Pure: what is known of a session comes in as `SessionFacts`, wherever it is from.
"""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from seqthink.chain.overview.states import STATES, SessionGroup, ShownState

FILTER_KEYS: Final = ("repo", "branch", "tag", "is")
"""What may stand before a colon."""
UNREAD: Final = "unread"
"""Of a session with thoughts that nobody read."""
NEEDS_YOU: Final = "needs-you"
"""Of a session that asks its user, or is stuck."""
KNOWN_STATES: Final = (*(state.value for state in ShownState if state is not ShownState.LEFT), NEEDS_YOU, UNREAD)
"""What may follow ``is:``."""
EXACTLY: Final = "="
"""Before a value: the whole name must be equal, not only contain it."""

_PART: Final = re.compile(
    r'(?P<key>[A-Za-z]+):(?!//)(?P<exactly>=?)(?:"(?P<quoted>[^"]*)"?|(?P<value>\S*))'
    r'|"(?P<phrase>[^"]*)"?|(?P<word>\S+)'
)
"""One part of a filter; a quote that is not closed yet ends with the line."""


class SessionFacts(NamedTuple):
    """What a filter looks at."""

    repository: str = ""
    """The name of its repository, as it is shown."""
    address: str = ""
    """What distinguishes that repository from others: the address of its origin, or its folder."""
    branch: str = ""
    """The git branch that its agent worked on last; empty if nobody says it."""
    tags: Collection[str] = ()
    """Its tags."""
    states: Collection[str] = ()
    """Which of `KNOWN_STATES` it has."""
    text: str = ""
    """The texts in which the words are looked for."""


class SessionFilter(Struct, frozen=True, kw_only=True):
    """Conditions on a session: one of the repositories, one of the branches, all tags, all states, all words."""

    repositories: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    also: "SessionFilter | None" = None
    """Conditions that have to hold as well."""
    mistake: str = ""
    """The first part that means nothing, with what would; a sentence. Such a part is left out."""

    @property
    def as_typed(self) -> str:
        """The conditions as a user types them."""
        named = (("repo", self.repositories), ("branch", self.branches), ("tag", self.tags), ("is", self.states))
        typed = [f"{key}:{_quoted(value)}" for key, values in named for value in values]
        return " ".join((*typed, *map(_quoted_word, self.words)))

    @property
    def of_place(self) -> "SessionFilter":
        """The conditions that hold or not without a look at what the session does: repository, branch and tags."""
        return SessionFilter(repositories=self.repositories, branches=self.branches, tags=self.tags)

    @property
    def is_empty(self) -> bool:
        """Whether everything matches."""
        return not (self.repositories or self.branches or self.tags or self.states or self.words or self.also)

    def matches(self, facts: SessionFacts) -> bool:
        """Return whether all conditions hold."""
        return (
            _is_in(self.repositories, lambda wanted: _is_repository(wanted, facts))
            and _is_in(self.branches, lambda wanted: _is_named(wanted, facts.branch))
            and all(any(_is_named(wanted, tag) for tag in facts.tags) for wanted in self.tags)
            and all(any(state.startswith(wanted) for state in facts.states) for wanted in self.states)
            and _holds_words(self.words, facts.text)
            and (self.also is None or self.also.matches(facts))
        )

    def within(self, among: "SessionFilter") -> "SessionFilter":
        """Return the conditions of both."""
        return self if among.is_empty else replace(self, also=among)


EVERY_SESSION: Final = SessionFilter()
"""No condition."""


def session_filter(text: str) -> SessionFilter:
    """Return the filter that a user typed; a key without its value yet is no condition."""
    parts: dict[str, list[str]] = {key: [] for key in (*FILTER_KEYS, "")}
    mistake = ""
    for found in _PART.finditer(text):
        key = (found["key"] or "").lower()
        value = (found["quoted"] or found["value"] or found["phrase"] or found["word"] or "").strip()
        wrong = _mistake(key, value)
        mistake = mistake or wrong
        if value and not wrong:
            parts[key].append((found["exactly"] or "") + value)
    return SessionFilter(
        repositories=tuple(parts["repo"]),
        branches=tuple(parts["branch"]),
        tags=tuple(parts["tag"]),
        states=tuple(state.lower() for state in parts["is"]),
        words=tuple(parts[""]),
        mistake=mistake,
    )


def state_words(state: ShownState, *, is_unread: bool) -> list[str]:
    """Return which of `KNOWN_STATES` a session has."""
    needs = [NEEDS_YOU] if STATES[state].group is SessionGroup.NEEDS_YOU else []
    return [state.value, *needs, *([UNREAD] if is_unread else [])]


def _quoted(value: str) -> str:
    exactly, name = (EXACTLY, value[1:]) if value.startswith(EXACTLY) else ("", value)
    return f'{exactly}"{name}"' if any(map(str.isspace, name)) else value


def _quoted_word(word: str) -> str:
    return f'"{word}"' if ":" in word or any(map(str.isspace, word)) else word


def _mistake(key: str, value: str) -> str:
    if key and key not in FILTER_KEYS:
        known = ", ".join(f"{known}:" for known in FILTER_KEYS)
        return f"there is no filter {key}: ({known}); in quotes it is a word"
    if key == "is" and not any(state.startswith(value.lower()) for state in KNOWN_STATES):
        return f"there is no state {value} ({', '.join(KNOWN_STATES)})"
    return ""


def _is_in(wanted: tuple[str, ...], is_one: Callable[[str], bool]) -> bool:
    return not wanted or any(map(is_one, wanted))


def _is_repository(wanted: str, facts: SessionFacts) -> bool:
    """Return whether a repository has this name, or an address with these parts: ``shop``, ``acme/shop``."""
    return _is_named(wanted, facts.repository) or (
        ("/" in wanted or "\\" in wanted) and _is_named(wanted, facts.address)
    )


def _is_named(wanted: str, name: str) -> bool:
    wanted, name = wanted.casefold(), name.casefold()
    return name == wanted[1:] if wanted.startswith(EXACTLY) else wanted in name


def _holds_words(words: Iterable[str], text: str) -> bool:
    folded = text.casefold()
    return all(word.casefold() in folded for word in words)
