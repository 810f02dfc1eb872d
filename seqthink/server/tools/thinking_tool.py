"""The definition of the thinking tool, as data, and the instructions that a client gets before it lists tools."""

from typing import Any

from seqthink.server.tools.schemas import (
    TEXT_SCHEMA,
    TEXTS_SCHEMA,
    SchemaStyle,
    boolean_schema,
    name_schema,
    object_schema,
    positive_integer_schema,
    text_schema,
    tool_definition,
)

TOOL_NAME = "sequentialthinking"
TOOL_NAMES = frozenset({TOOL_NAME, "sequential_thinking"})
"""Names under which the thinking tool can be called; only the first is listed."""

INSTRUCTIONS = (
    f"Use {TOOL_NAME} to think a hard problem through step by step before and while you act: planning, debugging, "
    "design, analysis, wherever the scope is not clear at first or an early assumption may prove wrong. "
    "Skip it for what one step answers."
)
"""Sent with the answers to `initialize` and `server/discover`. A client that defers tools, as Codex does for its
newer models, shows the model nothing else of a server.
"""

DESCRIPTION = """\
Think through a hard problem step by step, in thoughts that are kept and that a person can watch.

Use it for planning, debugging, design, analysis: wherever the whole scope is not clear at first, steps depend on each \
other, or an early assumption may prove wrong. Skip it for a question that one step answers.

One call is one thought. Number thoughts from 1 and guess totalThoughts; the guess may change at any time.
- Go on: the next thoughtNumber, nextThoughtNeeded true.
- Revise: when an earlier thought was wrong, isRevision true and revisesThought its number. Nothing is overwritten.
- Branch: to try an alternative, branchFromThought the thought it leaves from and branchId a short name, on each of \
its thoughts.
- Extend: more to do than guessed? Raise totalThoughts, or set needsMoreThoughts, even at the end.
- Stop: nextThoughtNeeded false only when you have an answer you have checked.

Say what you doubt, form a hypothesis, test it against your earlier thoughts, leave out what does not matter."""

_NUMBERS = {
    "thoughtNumber": "Number of this thought, from 1; may exceed the first estimate",
    "totalThoughts": "Estimate of how many thoughts are needed; raise or lower it at any time",
    "revisesThought": "Which thought is reconsidered",
    "branchFromThought": "Which thought this branch leaves from",
}
_BOOLEANS = {
    "nextThoughtNeeded": "Whether another thought follows",
    "isRevision": "Whether this reconsiders an earlier thought",
    "needsMoreThoughts": "Whether more thoughts are needed than estimated",
}
_THOUGHT = "This thinking step"
_BRANCH_ID = "Short name of the branch"

AUDITED_THOUGHT_DESCRIPTION = (
    "This thinking step. Code and diffs in it are audited; `gan` in the answer says what to fix"
)
"""The description of the field `thought` when audits are on."""

_FIELD_ORDER = (
    "thought",
    "nextThoughtNeeded",
    "thoughtNumber",
    "totalThoughts",
    "isRevision",
    "revisesThought",
    "branchFromThought",
    "branchId",
    "needsMoreThoughts",
)
_REQUIRED_FIELDS = _FIELD_ORDER[:4]

FIELD_NAMES = frozenset(_FIELD_ORDER)
"""The names of the tool's fields."""


def thinking_tool_definition(schema: SchemaStyle, *, has_audits: bool = False) -> dict[str, Any]:
    """Return the definition of `sequentialthinking` as `tools/list` sends it."""
    properties = {name: _property(name, schema) for name in _FIELD_ORDER}
    if has_audits:
        properties["thought"] = text_schema(AUDITED_THOUGHT_DESCRIPTION)
    definition = tool_definition(
        (TOOL_NAME, "Sequential Thinking", DESCRIPTION),
        object_schema(properties, *_REQUIRED_FIELDS),
        _output_schema(has_audits=has_audits),
        {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True},
    )
    # Without this, Claude Code gives the model only the tool's name, but the description says when to think. The user
    # can override it there: `alwaysLoad` in the server's entry.
    return {**definition, "_meta": {"anthropic/alwaysLoad": True}}


def _property(name: str, schema: SchemaStyle) -> dict[str, Any]:
    if name in _NUMBERS:
        return positive_integer_schema(_NUMBERS[name], schema)
    if name in _BOOLEANS:
        return boolean_schema(_BOOLEANS[name], schema)
    return text_schema(_THOUGHT) if name == "thought" else name_schema(_BRANCH_ID, schema)


def _output_schema(*, has_audits: bool) -> dict[str, Any]:
    count = {"type": "integer", "minimum": 1}
    properties: dict[str, Any] = {
        "thoughtNumber": count,
        "totalThoughts": count,
        "nextThoughtNeeded": {"type": "boolean"},
        "branches": TEXTS_SCHEMA,
        "thoughtHistoryLength": count,
    }
    optional: dict[str, Any] = {"notes": TEXTS_SCHEMA, "hint": TEXT_SCHEMA}
    if has_audits:
        # Where a host hands the answer's schema on, Google refuses an object without named properties.
        review = object_schema({"verdict": TEXT_SCHEMA})
        optional |= {"gan": review, "sessionId": TEXT_SCHEMA, "auditError": TEXT_SCHEMA}
    return object_schema(properties | optional, *properties)
