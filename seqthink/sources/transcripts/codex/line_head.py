"""What the first bytes of a rollout's line say, so that a megabyte without facts is never decoded.

Codex writes the time, the ordinal and the type of a record first, and the type of its payload first within that. A
line of another shape (the bare records of 2025, or spaces between) is not recognised, and decoded as a whole.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

HEAD_BYTES: Final = 256
"""How much of a line is looked at."""

_HEAD: Final = re.compile(
    rb'\s*\{"timestamp":"([^"\\]{0,64})",(?:"ordinal":(\d{1,15}),)?"type":"(\w{1,64})","payload":\{(?:"type":"(\w{1,64})")?'
)
RECORD_START: Final = b'{"timestamp":"'
"""How a record begins; within another line, one that a crash glued to it."""
_OUTPUT: Final = re.compile(rb'"call_id":"([^"\\]{1,200})"')
LARGE_OUTPUT_BYTES: Final = 65_536
"""From this length on, the output of another tool than a thinking one is not decoded."""

_WITHOUT_FACTS: Final = frozenset({b"world_state", b"token_usage_record"})
_USELESS_PAYLOADS: Final[Mapping[bytes, frozenset[bytes]]] = {
    b"event_msg": frozenset({b"exec_command_output_delta", b"agent_message_delta", b"agent_reasoning_delta"}),
    b"response_item": frozenset({b"additional_tools", b"ghost_snapshot", b"compaction"}),
}
_OUTPUT_TYPES: Final = frozenset({b"function_call_output", b"custom_tool_call_output"})


class LineHead(NamedTuple):
    """The beginning of a record."""

    timestamp: str
    type: bytes
    ordinal: int | None
    payload_type: bytes
    """Empty if the payload does not begin with its type."""


def line_head(line: bytes) -> LineHead | None:
    """Return what the beginning of a line says; None if it does not have the usual shape."""
    found = _HEAD.match(line, 0, HEAD_BYTES)
    if found is None:
        return None
    ordinal = None if found[2] is None else int(found[2])
    return LineHead(found[1].decode("ascii", "replace"), found[3], ordinal, found[4] or b"")


def may_have_facts(line: bytes) -> bool:
    """Return whether a record may be of use: false only for those whose type says that no fact can be in them."""
    head = line_head(line)
    if head is None or line.find(RECORD_START, 1) > 0:
        return True
    useless_payloads = _USELESS_PAYLOADS.get(head.type, frozenset[bytes]())
    return head.type not in _WITHOUT_FACTS and head.payload_type not in useless_payloads


def is_head_enough(head: bytes) -> bool:
    """Return whether the first bytes of a record say all that is needed of it."""
    found = line_head(head)
    return found is not None and (found.type == b"compacted" or not may_have_facts(head))


def answered_call(line: bytes, head: LineHead | None) -> str | None:
    """Return the id of the call that a very long line answers; None if it is short, or no tool's output."""
    if head is None or len(line) < LARGE_OUTPUT_BYTES or head.payload_type not in _OUTPUT_TYPES:
        return None
    found = _OUTPUT.search(line, 0, 4 * HEAD_BYTES)
    return found[1].decode("utf-8", "replace") if found else None
