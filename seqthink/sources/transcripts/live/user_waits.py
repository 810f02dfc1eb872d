"""What a client asks its user outside of the transcript: whether a call is allowed, or a plan is approved.

The transcript holds nothing but the call that has no answer. Where the client says elsewhere that it waits, that is a
question of the journal in memory, from the moment it is seen until it is over. Nothing says what the user answered.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from seqthink.core.events import PERMISSION_PURPOSE
from seqthink.sources.transcripts.facts import ToolCall
from seqthink.sources.transcripts.source import ClientProcess
from seqthink.sources.transcripts.translation import Draft, Translator

PERMISSION_PROMPT: Final = "permission prompt"
"""What a client waits for whose user has to allow a call."""
HELD_BACK_SECONDS: Final = 1
"""A call that does not run yet after this time waits for permission: a client needs a tenth of it to begin one."""
MAX_NAMED_CALLS: Final = 3
_PLAN_TOOLS: Final = frozenset({"ExitPlanMode", "exit_plan_mode"})
_FIRST_SEQ: Final = 1


class _Asked(NamedTuple):
    """A question as the journal has it."""

    of: int
    """The ``seq`` of the call's line; of the first line if the call has none, or is not known."""
    message: str
    call: str | None


class UserWaits:
    """Writes what a client asks its user, as far as its process says that it waits.

    Args:
        translator: writes the journal, and knows which calls have no answer.
    """

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._asked: _Asked | None = None

    def note(
        self, process: ClientProcess, unstarted: Mapping[str, int], now: int, *, has_journals: bool
    ) -> list[Draft]:
        """Return the events for what the client says now; [] if that is not new.

        Args:
            process: what its process says.
            unstarted: the calls that do not run yet (`SessionFeed.unstarted_calls`).
            now: the time, in microseconds since 1970.
            has_journals: whether journals of ours are joined, which name what our server asks.
        """
        calls, waits_for = self._held_back(unstarted, now), PERMISSION_PROMPT
        if process.waits_for or not calls:
            waits_for = process.waits_for
            calls = self._translator.first_open_calls() if waits_for else []
        is_named = any(call.question for call in calls) or (has_journals and waits_for != PERMISSION_PROMPT)
        asked = self._question(waits_for, calls) if waits_for and not is_named else None
        before, self._asked = self._asked, asked
        if asked == before:
            return []
        drafts: list[Draft] = []
        if before is not None:
            drafts += self._add("elicit", now, before)
        if asked is not None:
            since = max(process.since, *(call.time for call in calls), 0) or now
            drafts += self._add("asking", min(since, now), asked, kind="elicit", message=asked.message)
        return drafts

    def _held_back(self, unstarted: Mapping[str, int], now: int) -> list[ToolCall]:
        """Return the calls that should run by now and do not."""
        late = [call_id for call_id, time in unstarted.items() if now - time >= HELD_BACK_SECONDS * 1_000_000]
        return [call for call_id in late if (call := self._translator.open_call(call_id)) is not None]

    def _question(self, waits_for: str, calls: list[ToolCall]) -> _Asked:
        call = calls[0] if len(calls) == 1 else None
        of = self._translator.seq_of_call(call.id) if call is not None else None
        message = question_text(waits_for, calls, self._translator.working_folder)
        return _Asked(of or _FIRST_SEQ, message, call.id if call is not None else None)

    def _add(self, kind: str, time: int, asked: _Asked, /, **fields: str) -> list[Draft]:
        about = {"of": asked.of, "purpose": PERMISSION_PURPOSE, "call": asked.call}
        return self._translator.adopt(kind, time, about | fields, None)[0]


def question_text(waits_for: str, calls: list[ToolCall], folder: str = "") -> str:
    """Return what the user is asked: whether one of these calls is allowed, or else what the client waits for.

    Paths in ``folder`` are relative to it.
    """
    if waits_for != PERMISSION_PROMPT or not calls:
        return waits_for
    if len(calls) == 1 and calls[0].tool in _PLAN_TOOLS:
        return "approve the plan?"
    inside = f"{folder}/" if folder else ""
    named = [f"{call.tool} {call.summary.removeprefix(inside)}".rstrip() for call in calls[:MAX_NAMED_CALLS]]
    more = f" +{len(calls) - MAX_NAMED_CALLS}" if len(calls) > MAX_NAMED_CALLS else ""
    return f"allow {'one of ' if len(calls) > 1 else ''}{', '.join(named)}{more}?"
