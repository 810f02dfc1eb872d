"""The records of pi, as far as they are read. Its pages "Session File Format" and "Message Types" describe them."""

from typing import Any, Final

import msgspec
from msgspec import Struct

from seqthink.sources.transcripts.files.damaged_lines import whole_records
from seqthink.sources.transcripts.files.json_lines import bounded_id, decode_as


class PiBlock(Struct, rename="camel"):
    """A part of a message: a text, a piece of reasoning, or a call."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: Any = None


class NestedCall(Struct, rename="camel"):
    """A call that another tool made, such as a script."""

    id: str | None = None
    name: str | None = None
    arguments: Any = None
    status: str | None = None
    error: str | None = None


class NestedCalls(Struct, rename="camel"):
    """The calls that another tool made."""

    calls: list[NestedCall] = []


class PiUsage(Struct, rename="camel"):
    """How many tokens an answer took."""

    reasoning: int | None = None
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    total_tokens: int | None = None

    @property
    def context(self) -> int:
        """The tokens of the whole conversation with this answer."""
        return self.total_tokens or self.input + self.output + self.cache_read + self.cache_write


class PiDetails(Struct):
    """What a tool says beside its answer."""

    patch: str | None = None
    """What was changed in a file, as a unified diff."""


class PiMessage(Struct, rename="camel"):
    """A message of the user, the model or a tool."""

    role: str | None = None
    content: str | list[PiBlock] | None = None
    model: str | None = None
    usage: PiUsage | None = None
    stop_reason: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    nested_calls: NestedCalls | None = None
    details: PiDetails | None = None
    is_error: bool = False


class PiRecord(Struct, rename="camel"):
    """One line."""

    type: str | None = None
    id: str | None = None
    parent_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    message: PiMessage | None = None
    tokens_before: int | None = None
    name: str | None = None
    """The name that the user gave the session."""

    def __post_init__(self) -> None:
        """Cut the ids as all are."""
        self.id, self.parent_id = bounded_id(self.id), bounded_id(self.parent_id)


_RECORDS: Final = msgspec.json.Decoder(PiRecord)


def decode_record(line: bytes) -> PiRecord | None:
    """Return what a line says, or None if it is not a JSON object."""
    return decode_as(_RECORDS, line)


def records_in_damaged(line: bytes) -> list[bytes]:
    """Return the whole records in a line that is not a record itself."""
    return whole_records(line, _is_record)


def _is_record(value: dict[str, Any]) -> bool:
    return isinstance(value.get("type"), str) and isinstance(value.get("timestamp"), str) and "id" in value


def blocks_of(message: PiMessage) -> list[PiBlock]:
    """Return the parts of a message; a text alone is one."""
    content = message.content
    if isinstance(content, str):
        return [PiBlock(type="text", text=content)]
    return content or []


def text_of(message: PiMessage) -> str:
    """Return the texts of a message."""
    texts = (block.text for block in blocks_of(message) if block.type == "text" and block.text)
    return "\n".join(texts).strip()
