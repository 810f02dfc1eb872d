"""In-memory index of context items: store, update, search. Standard library only.

For each item it holds the tags and the location of the text in the journal. The text itself stays in memory only while
the journal cannot be written.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from seqthink.core.arguments import (
    BadValueError,
    FieldChecks,
    InvalidArguments,
    any_text,
    check_fields,
    non_empty_text,
    positive_integer,
    quote_value,
    read_arguments,
)
from seqthink.journal.drafts import AppendReceipt, DraftEvent, LineLocation
from seqthink.server.recording.calls import Answer, Call, invalid_arguments_refusal, refusal
from seqthink.server.tools.agents import RecentAgents
from seqthink.server.tools.context_tools import SEARCH_TOOL, STORE_TOOL, UPDATE_TOOL
from seqthink.server.tools.tags import INVALID_TAGS_MESSAGE, MAX_TAG_CHARS, InvalidTags, Tags, parse_tags

MAX_ANSWER_CHARS: Final = 1 << 20
"""Characters of content in one answer; the first item is complete even if it is longer."""

_DEFAULT_LIMIT: Final = 10


class ContextJournal(Protocol):
    """Reads the texts of items back."""

    session: str
    """The id of the session being written."""

    def read(self, location: LineLocation) -> bytes:
        """Return the line at ``location``."""
        ...


class ContextItem(NamedTuple):
    """One context item in memory."""

    tags: Tags
    content: str | LineLocation
    """The text, or its location in the journal."""


class _ContextCall(NamedTuple):
    """The journal of a call's session, and the calling agent."""

    journal: ContextJournal
    agent: str | None


_ToolHandler = Callable[[Mapping[str, Any], _ContextCall], Answer | InvalidArguments]


class ContextItems:
    """The context items of one session, the most recently changed last. Texts may have ``max_bytes``."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._tools: Mapping[str, tuple[FieldChecks, _ToolHandler]] = {
            STORE_TOOL: (_STORE_FIELDS, self._store),
            UPDATE_TOOL: (_UPDATE_FIELDS, self._update),
            SEARCH_TOOL: (_SEARCH_FIELDS, self._search),
        }
        self.clear()

    @property
    def tool_names(self) -> Collection[str]:
        """The names of the tools."""
        return self._tools.keys()

    def clear(self) -> None:
        """Forget everything."""
        self._items: dict[str, ContextItem] = {}
        self._stored_count = 0
        self._latest_thoughts: RecentAgents[tuple[str, int]] = RecentAgents()
        self._session = ""

    def restore(self, event: Mapping[str, Any], location: LineLocation) -> None:
        """Add an event of a resumed journal."""
        if event["type"] == "thought":
            self._latest_thoughts.put(event["agent"] or None, (location.session, event["seq"]))
        elif event["type"] == "context":
            self._apply(event, location)

    def record(self, drafts: Sequence[DraftEvent], receipt: AppendReceipt, session: str) -> None:
        """Add the events that were journaled."""
        for seq, draft in enumerate(drafts, receipt.seq):
            if draft.kind == "thought":
                self._latest_thoughts.put(draft.fields.get("agent"), (session, seq))
            elif draft.kind == "context":
                self._apply(draft.fields, receipt.location)

    def decide(self, call: Call, journal: ContextJournal) -> Answer:
        """Return the answer to a call and its event. Nothing changes until `record` gets the event.

        Raises:
            OSError: the journal cannot be read.
        """
        self._forget_deleted(journal.session)
        given = read_arguments(call.arguments)
        if isinstance(given, InvalidArguments):
            return invalid_arguments_refusal(call, given)
        tags = parse_tags(given.fields.get("tags"))
        if isinstance(tags, InvalidTags):
            return refusal(call, f"{INVALID_TAGS_MESSAGE}: {tags.received_type}", tags.body())
        checks, handler = self._tools[call.tool]
        checked = check_fields({**given.fields, "tags": tags}, checks, self._max_bytes)
        decided = (
            checked
            if isinstance(checked, InvalidArguments)
            else handler(checked[0], _ContextCall(journal, call.agent.id))
        )
        return invalid_arguments_refusal(call, decided) if isinstance(decided, InvalidArguments) else decided

    def _store(self, fields: Mapping[str, Any], call: _ContextCall) -> Answer:
        item_id = self._free_id()
        tags: Tags = fields.get("tags", ())
        event = {"id": item_id, "action": "store", "content": fields["content"], "tags": list(tags) or None}
        return Answer(
            {"status": "stored", "id": item_id, "tags": list(tags)}, DraftEvent("context", event | self._target(call))
        )

    def _update(self, fields: Mapping[str, Any], call: _ContextCall) -> Answer | InvalidArguments:
        item = self._items.get(fields["id"])
        if item is None:
            return InvalidArguments(
                {"id": f"must be the id of an item that was stored, got {quote_value(fields['id'])}"}
            )
        if set(fields) == {"id"}:
            return InvalidArguments({"content": "must be given, or tags, or both: there is nothing to update"})
        tags: Tags | None = fields.get("tags")
        event = {
            "id": fields["id"],
            "action": "update",
            "content": fields.get("content"),
            "tags": None if tags is None else list(tags),
        }
        new_tags = item.tags if tags is None else tags
        return Answer(
            {"status": "updated", "id": fields["id"], "tags": list(new_tags)},
            DraftEvent("context", event | self._target(call)),
        )

    def _search(self, fields: Mapping[str, Any], call: _ContextCall) -> Answer:
        words = tuple(dict.fromkeys(fields.get("query", "").casefold().split()))
        wanted_tags = {tag.casefold() for tag in fields.get("tags", ())}
        found, total, size = list[dict[str, Any]](), 0, 0
        limit = fields.get("limit", _DEFAULT_LIMIT)
        for item_id, item in reversed(self._items.items()):
            text = _ItemText(item, call.journal)
            if not _matches(item, text, words, wanted_tags):
                continue
            total += 1
            # The first item that does not fit ends the list: an older, shorter one never replaces a newer one.
            if len(found) == total - 1 < limit:
                size += len(text.full_text)
                if size <= MAX_ANSWER_CHARS or not found:
                    found.append({"id": item_id, "content": text.full_text, "tags": list(item.tags)})
        body: dict[str, Any] = {"items": found, "total": total, "omitted": total - len(found)}
        if body["omitted"]:
            body["hint"] = (
                f"These are the {len(found)} newest of {total} matching items. "
                "For the others add words or tags" + (", or raise limit." if len(found) == limit else ".")
            )
        return Answer(body)

    def _apply(self, event: Mapping[str, Any], location: LineLocation | None) -> None:
        item_id, content, tags = event["id"], event.get("content"), event.get("tags")
        known = self._items.pop(item_id, None)
        if content is None and known is None:
            return  # an update of an item that is not in the journal
        text = (known.content if known else "") if content is None else location or content
        self._items[item_id] = ContextItem((known.tags if known else ()) if tags is None else tuple(tags), text)
        self._stored_count += event["action"] == "store"

    def _free_id(self) -> str:
        """Return the next free id; ids that another program used are skipped."""
        number = self._stored_count + 1
        while f"c{number}" in self._items:
            number += 1
        return f"c{number}"

    def _target(self, call: _ContextCall) -> dict[str, Any]:
        """Return the `of` of an event: the agent's latest thought, if the journal's file has one."""
        session, seq = self._latest_thoughts.peek(call.agent) or ("", 0)
        return {"of": seq} if seq and session == call.journal.session else {}

    def _forget_deleted(self, session: str) -> None:
        """Forget items whose texts were deleted together with a file that another one replaces."""
        if session != self._session:
            self._session = session
            kept = {
                name: item
                for name, item in self._items.items()
                if isinstance(item.content, str) or item.content.session == session
            }
            self._items = kept


class _ItemText:
    """An item's text, read on first use."""

    def __init__(self, item: ContextItem, journal: ContextJournal) -> None:
        self._item = item
        self._journal = journal
        self._read: str | None = None

    @property
    def full_text(self) -> str:
        if self._read is None:
            content = self._item.content
            self._read = content if isinstance(content, str) else _content_of_line(self._journal.read(content))
        return self._read


def _content_of_line(line: bytes) -> str:
    return json.loads(line.decode("utf-8", "surrogatepass"))["content"]


def _matches(item: ContextItem, text: _ItemText, words: Sequence[str], wanted_tags: set[str]) -> bool:
    """Return whether an item has all ``wanted_tags``, and each of ``words`` in its text or a tag; casefolded."""
    if not words and not wanted_tags:
        return True
    tags = {tag.casefold() for tag in item.tags}
    if not wanted_tags <= tags:
        return False
    rest = [word for word in words if not any(word in tag for tag in tags)]
    if not rest:
        return True
    folded = text.full_text.casefold()
    return all(word in folded for word in rest)


def _checked_tags(tags: Tags, _max_bytes: int) -> Tags:
    size = sum(map(len, tags))
    if size > MAX_TAG_CHARS:
        raise BadValueError(f"must be at most {MAX_TAG_CHARS} characters together, got {size}")
    return tags


_STORE_FIELDS: Final[FieldChecks] = {"content": (non_empty_text, True), "tags": (_checked_tags, False)}
_UPDATE_FIELDS: Final[FieldChecks] = {
    "id": (non_empty_text, True),
    "content": (non_empty_text, False),
    "tags": (_checked_tags, False),
}
_SEARCH_FIELDS: Final[FieldChecks] = {
    "query": (any_text, False),
    "tags": (_checked_tags, False),
    "limit": (positive_integer, False),
}
