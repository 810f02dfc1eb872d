"""Context items: what an agent puts by beside its thoughts, changes, and finds again. Standard library only.

In memory is an index: for each item its tags and the place of its text in the journal. A text itself stays only while
the journal cannot be written.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from seqthink.journal.writer import AppendReceipt, DraftEvent, LineLocation
from seqthink.server.agents import RecentAgents
from seqthink.server.arguments import (
    BadValueError,
    FieldChecks,
    InvalidArguments,
    any_text,
    check_fields,
    non_empty_text,
    positive_integer,
    quote_value,
)
from seqthink.server.context_tools import SEARCH_TOOL, STORE_TOOL, UPDATE_TOOL
from seqthink.server.tags import INVALID_TAGS_MESSAGE, MAX_TAG_CHARS, InvalidTags, Tags, parse_tags

MAX_ANSWER_CHARS: Final = 1 << 20
"""So many characters of content one answer holds; its first item is whole, however long it is."""

_LIMIT: Final = 10


class ContextJournal(Protocol):
    """Where the texts of items are read again."""

    session: str

    def read(self, place: LineLocation) -> bytes:
        """Return the line at ``place``."""
        ...


class ContextItem(NamedTuple):
    """What is kept of an item: its tags, and its text or where that stands."""

    tags: Tags
    content: str | LineLocation


class ContextDecision(NamedTuple):
    """A call decided: what its client is told, once the event is journaled; why it was refused, if it was."""

    body: Mapping[str, Any]
    event: Mapping[str, Any] | None = None
    error: str = ""


class _Asked(NamedTuple):
    """What a call brings along: the journal of its session, and the agent that calls."""

    journal: ContextJournal
    agent: str | None


_Tool = Callable[[Mapping[str, Any], _Asked], ContextDecision | InvalidArguments]


class ContextItems:
    """The context items of one session, the item changed last at the end; texts may have ``max_bytes``."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._tools: Mapping[str, tuple[FieldChecks, _Tool]] = {
            STORE_TOOL: (_STORE, self._store),
            UPDATE_TOOL: (_UPDATE, self._update),
            SEARCH_TOOL: (_SEARCH, self._search),
        }
        self.clear()

    @property
    def tool_names(self) -> Collection[str]:
        """The names of the tools."""
        return self._tools.keys()

    def clear(self) -> None:
        """Forget everything."""
        self._items: dict[str, ContextItem] = {}
        self._stored = 0
        self._thoughts: RecentAgents[tuple[str, int]] = RecentAgents()
        self._session = ""

    def restore(self, event: Mapping[str, Any], place: LineLocation) -> None:
        """Take in an event of the journal that is gone on in."""
        if event["type"] == "thought":
            self._thoughts.put(event["agent"] or None, (place.session, event["seq"]))
        elif event["type"] == "context":
            self._take(event, place)

    def record(self, drafts: Sequence[DraftEvent], receipt: AppendReceipt, session: str) -> None:
        """Take in what was journaled."""
        for seq, draft in enumerate(drafts, receipt.seq):
            if draft.kind == "thought":
                self._thoughts.put(draft.fields["agent"], (session, seq))
            elif draft.kind == "context":
                self._take(draft.fields, receipt.place)

    def decide(
        self, tool: str, arguments: Mapping[str, Any], journal: ContextJournal, agent: str | None = None
    ) -> ContextDecision:
        """Return what comes of an agent's call; nothing has changed until its event is kept.

        Raises:
            OSError: the journal cannot be read.
        """
        self._forget_deleted(journal.session)
        tags = parse_tags(arguments.get("tags"))
        if isinstance(tags, InvalidTags):
            return ContextDecision(tags.body(), error=f"{INVALID_TAGS_MESSAGE}: {tags.received_type}")
        table, act = self._tools[tool]
        taken = check_fields({**arguments, "tags": tags}, table, self._max_bytes)
        decided = taken if isinstance(taken, InvalidArguments) else act(taken[0], _Asked(journal, agent))
        if isinstance(decided, InvalidArguments):
            body = {"error": decided.message, "status": "failed", "details": decided.problems}
            return ContextDecision(body, error=decided.message)
        return decided

    def _store(self, given: Mapping[str, Any], asked: _Asked) -> ContextDecision:
        name = self._free_id()
        tags: Tags = given.get("tags", ())
        event = {"id": name, "action": "store", "content": given["content"], "tags": list(tags) or None}
        return ContextDecision({"status": "stored", "id": name, "tags": list(tags)}, event | self._of(asked))

    def _update(self, given: Mapping[str, Any], asked: _Asked) -> ContextDecision | InvalidArguments:
        item = self._items.get(given["id"])
        if item is None:
            return InvalidArguments(
                {"id": f"must be the id of an item that was stored, got {quote_value(given['id'])}"}
            )
        if set(given) == {"id"}:
            return InvalidArguments({"content": "must be given, or tags, or both: there is nothing to update"})
        tags: Tags | None = given.get("tags")
        event = {
            "id": given["id"],
            "action": "update",
            "content": given.get("content"),
            "tags": None if tags is None else list(tags),
        }
        kept = item.tags if tags is None else tags
        return ContextDecision({"status": "updated", "id": given["id"], "tags": list(kept)}, event | self._of(asked))

    def _search(self, given: Mapping[str, Any], asked: _Asked) -> ContextDecision:
        words = tuple(dict.fromkeys(given.get("query", "").casefold().split()))
        wanted = {tag.casefold() for tag in given.get("tags", ())}
        found, total, size = list[dict[str, Any]](), 0, 0
        most = given.get("limit", _LIMIT)
        for name, item in reversed(self._items.items()):
            text = _Text(item, asked.journal)
            if not _matches(item, text, words, wanted):
                continue
            total += 1
            # What has no room ends the list: newer items are never left out in favour of older ones.
            if len(found) == total - 1 < most:
                size += len(text.whole)
                if size <= MAX_ANSWER_CHARS or not found:
                    found.append({"id": name, "content": text.whole, "tags": list(item.tags)})
        body: dict[str, Any] = {"items": found, "total": total, "omitted": total - len(found)}
        if body["omitted"]:
            body["hint"] = (
                f"These are the {len(found)} newest of {total} matching items. "
                "For the others add words or tags" + (", or raise limit." if len(found) == most else ".")
            )
        return ContextDecision(body)

    def _take(self, event: Mapping[str, Any], place: LineLocation | None) -> None:
        name, content, tags = event["id"], event.get("content"), event.get("tags")
        known = self._items.pop(name, None)
        if content is None and known is None:
            return  # the update of an item whose text is nowhere
        text = (known.content if known else "") if content is None else place or content
        self._items[name] = ContextItem((known.tags if known else ()) if tags is None else tuple(tags), text)
        self._stored += event["action"] == "store"

    def _free_id(self) -> str:
        """Return the next id; ids that another program gave are passed over."""
        place = self._stored + 1
        while f"c{place}" in self._items:
            place += 1
        return f"c{place}"

    def _of(self, asked: _Asked) -> dict[str, Any]:
        """Return what names the agent's latest thought, if the journal's file has any."""
        session, seq = self._thoughts.peek(asked.agent) or ("", 0)
        return {"of": seq} if seq and session == asked.journal.session else {}

    def _forget_deleted(self, session: str) -> None:
        """Forget the items whose texts were deleted with the file that another goes on for."""
        if session != self._session:
            self._session = session
            kept = {
                name: item
                for name, item in self._items.items()
                if isinstance(item.content, str) or item.content.session == session
            }
            self._items = kept


class _Text:
    """An item's text, read when it is wanted."""

    def __init__(self, item: ContextItem, journal: ContextJournal) -> None:
        self._item = item
        self._journal = journal
        self._read: str | None = None

    @property
    def whole(self) -> str:
        if self._read is None:
            content = self._item.content
            self._read = content if isinstance(content, str) else _content(self._journal.read(content))
        return self._read


def _content(line: bytes) -> str:
    return json.loads(line.decode("utf-8", "surrogatepass"))["content"]


def _matches(item: ContextItem, text: _Text, words: Sequence[str], wanted: set[str]) -> bool:
    """Return whether an item has all ``wanted`` tags, and each of ``words`` in its text or in a tag; all casefolded."""
    if not words and not wanted:
        return True
    tags = {tag.casefold() for tag in item.tags}
    if not wanted <= tags:
        return False
    rest = [word for word in words if not any(word in tag for tag in tags)]
    if not rest:
        return True
    folded = text.whole.casefold()
    return all(word in folded for word in rest)


def _few_tags(tags: Tags, _max_bytes: int) -> Tags:
    size = sum(map(len, tags))
    if size > MAX_TAG_CHARS:
        raise BadValueError(f"must be at most {MAX_TAG_CHARS} characters together, got {size}")
    return tags


_STORE: Final[FieldChecks] = {"content": (non_empty_text, True), "tags": (_few_tags, False)}
_UPDATE: Final[FieldChecks] = {
    "id": (non_empty_text, True),
    "content": (non_empty_text, False),
    "tags": (_few_tags, False),
}
_SEARCH: Final[FieldChecks] = {
    "query": (any_text, False),
    "tags": (_few_tags, False),
    "limit": (positive_integer, False),
}
