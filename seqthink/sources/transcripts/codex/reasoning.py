"""One reasoning item out of the up to three records that Codex writes about it.

Which ones there are depends on its version: ``agent_reasoning`` (one for each part of the summary, without an id), the
item of the model's answer, and the completed item, both with the same id. A text is emitted as soon as its id is known.
A record without a text waits for the next one, which may bring it.
"""

from collections.abc import Sequence

from msgspec import structs

from seqthink.sources.transcripts.facts import Reasoning


class ReasoningMerger:
    """Takes in the records about reasoning in their order, and gives each item once."""

    def __init__(self) -> None:
        self._waiting: Reasoning | None = None
        """An item that waits for its text."""
        self._parts: list[str] = []
        """Parts without an item, as events brought them."""
        self._raw_parts: list[str] = []
        self._unnamed: Reasoning | None = None
        """What is known of the item of those parts; its id is used if no item with an id comes."""
        self._emitted: Reasoning | None = None
        self._emitted_parts: frozenset[str] = frozenset()
        self._lent: tuple[str, ...] = ()
        """The part with which an item without a text was emitted: it may belong to the next item."""
        self._early: frozenset[str] = frozenset()
        """Parts that were emitted during a pause: their item may come yet."""

    def part(self, about: Reasoning, *, is_raw: bool = False) -> list[Reasoning]:
        """Take in an event with one part of a text and no id of the item."""
        if about.text in self._emitted_parts or not about.text:
            return []
        if self._waiting is not None:
            emitted = self._emit(structs.replace(self._waiting, text=about.text), [about.text])
            self._lent = (about.text,)
            return emitted
        self._unnamed = self._unnamed or about
        (self._raw_parts if is_raw else self._parts).append(about.text)
        return []

    def item(self, about: Reasoning, parts: Sequence[str]) -> list[Reasoning]:
        """Take in a record of a whole item; its text is its parts."""
        if self._emitted is not None and self._emitted.id == about.id:
            return []
        if self._lent and self._lent == tuple(parts):
            return self._emit(structs.replace(about, text=""), parts)  # the one before it has none
        if self._early and self._early.issuperset(parts):
            self._emit(about, parts)
            return []
        parts = [part for part in parts if part not in self._early]
        emitted: list[Reasoning] = []
        if self._waiting is not None and self._waiting.id != about.id:
            emitted += self._emit(self._waiting, [])
        emitted += self._settle_strays(parts)
        pieces = [*self._parts, *self._raw_parts]
        if not parts and pieces:
            parts = self._parts or self._raw_parts
        if parts:
            return [*emitted, *self._emit(structs.replace(about, text="\n\n".join(parts)), [*parts, *pieces])]
        self._waiting = self._waiting or about
        return emitted

    def settle(self) -> list[Reasoning]:
        """Return what waits: a record of another kind has come."""
        emitted = self._settle_parts()
        if self._waiting is not None:
            emitted = [*emitted, *self._emit(self._waiting, [])]
        self._emitted_parts = self._early = frozenset()
        return emitted

    def pause(self) -> list[Reasoning]:
        """Return what waits: nothing has come for long, but more of the same item may come."""
        early = self._early.union(self._parts, self._raw_parts)
        emitted = self.settle()
        self._early = early
        return emitted

    def _settle_strays(self, parts: Sequence[str]) -> list[Reasoning]:
        """Return the parts that came before an item with a text and are not its own: their item cannot be read."""
        about, raw_parts = self._unnamed, self._raw_parts
        if about is None or not parts:
            return []
        own = [part for part in self._parts if part in parts]
        if not own and not set(raw_parts) & set(parts):
            return self._settle_parts()
        strays = [part for part in self._parts if part not in parts]
        if not strays:
            return []
        emitted = self._emit(structs.replace(about, text="\n\n".join(strays)), strays)
        self._unnamed, self._parts, self._raw_parts = about, own, raw_parts
        return emitted

    def _settle_parts(self) -> list[Reasoning]:
        parts = self._parts or self._raw_parts
        if self._unnamed is None or not parts:
            return []
        return self._emit(structs.replace(self._unnamed, text="\n\n".join(parts)), parts)

    def _emit(self, reasoning: Reasoning, parts: Sequence[str]) -> list[Reasoning]:
        self._waiting = self._unnamed = None
        self._parts, self._raw_parts = [], []
        self._lent, self._early = (), frozenset()
        self._emitted, self._emitted_parts = reasoning, frozenset(parts)
        return [reasoning]
