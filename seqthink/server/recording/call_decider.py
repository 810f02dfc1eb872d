"""Decides about calls: what to journal, and what to answer once that is written. Standard library only."""

from typing import TYPE_CHECKING, Any

from seqthink.core.arguments import AcceptedThought, InvalidArguments, accept, quote_value
from seqthink.journal.drafts import DraftEvent
from seqthink.server.recording.calls import Answer, Call, error_body, invalid_arguments_refusal, refusal
from seqthink.server.recording.chain_limit import ChainLimit
from seqthink.server.recording.recorder_state import RecorderState
from seqthink.server.tools.thinking_tool import TOOL_NAME, TOOL_NAMES

if TYPE_CHECKING:  # loaded with `--tools context` only
    from seqthink.server.recording.context_items import ContextItems, ContextJournal


class CallDecider:
    """Accepts or refuses calls. Accepted thoughts are counted in ``state``; nothing is written.

    Args:
        state: what the session knows of earlier calls.
        journal: where context items are read back.
        context: the context items; None: the context tools are off.
        max_thought_bytes: longer thoughts are refused.
    """

    def __init__(
        self, state: RecorderState, journal: "ContextJournal", context: "ContextItems | None", max_thought_bytes: int
    ) -> None:
        self._state = state
        self._journal = journal
        self._context = context
        self._max_thought_bytes = max_thought_bytes

    def decide(self, call: Call) -> Answer:
        """Return the answer to ``call`` and its event, as if the event were in the journal."""
        context = self._context if self._context is not None and call.tool in self._context.tool_names else None
        if context is None and call.tool not in TOOL_NAMES:
            names = ", ".join([TOOL_NAME, *(self._context.tool_names if self._context else ())])
            error = f"Unknown tool: {quote_value(call.tool)}; there is {names}"
            return refusal(call, error, error_body(error))
        if context is not None:
            return context.decide(call, self._journal)
        thought = accept(call.arguments, self._max_thought_bytes)
        match thought:
            case InvalidArguments():
                return invalid_arguments_refusal(call, thought)
            case AcceptedThought():
                return self._decide_accepted(call, thought)

    def _decide_accepted(self, call: Call, thought: AcceptedThought) -> Answer:
        fields = thought.fields
        requested = fields["totalThoughts"]
        total = max(requested, fields["thoughtNumber"])
        agent = call.agent.id
        hint = self._state.add(fields, agent)
        is_over_limit, asks_user = self._state.is_over_limit, False
        if is_over_limit:
            limit = self._state.limit_of(agent)
            asks_user = call.can_elicit and limit.may_ask_user()
            hint = hint if asks_user else _with_limit_message(limit, hint)
        if is_over_limit:
            fields["answeredNext"] = False
        if requested < total:
            fields["totalThoughts"], fields["requestedTotal"] = total, requested
        _add_remarks(fields, call, thought.coerced, hint)
        body: dict[str, Any] = {
            "thoughtNumber": fields["thoughtNumber"],
            "totalThoughts": total,
            "nextThoughtNeeded": fields["nextThoughtNeeded"] and not is_over_limit,
            "branches": self._state.branches,
            "thoughtHistoryLength": self._state.thought_count,
        }
        if hint:
            body["hint"] = hint
        return Answer(body, DraftEvent("thought", fields), asks_user=asks_user, is_over_limit=is_over_limit)


def _add_remarks(fields: dict[str, Any], call: Call, coerced: tuple[str, ...], hint: str | None) -> None:
    """Add to a thought's fields what the journal says about its call, where there is something to say."""
    if hint:
        fields["hint"] = hint
    if coerced:
        fields["coerced"] = list(coerced)
    if call.agent.id is not None:
        fields["agent"] = call.agent.id
    if call.id is not None:
        fields["call"] = call.id


def _with_limit_message(limit: ChainLimit, hint: str | None) -> str:
    """Return the hint with the reason why no thought should follow added to it."""
    return " ".join([*([hint] if hint else []), limit.refused_message if limit.is_refused else limit.reached_message])
