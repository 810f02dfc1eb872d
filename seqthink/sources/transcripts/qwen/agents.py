"""The subagents of one session of Qwen Code: what lies beside their files, and how their callers say that they ended.

The readers of a session share it: which call started an agent is written beside its own file, and its end is in its
caller's, as the result of the call, or as a notice if it worked in the background.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.facts import AgentStarted, TurnEnded
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.json_fields import Fields, id_in, object_in, text_in, time_in
from seqthink.sources.transcripts.lane_names import task_name

_MAX_META_BYTES: Final = 1 << 16
_NOTICE: Final = re.compile(r"<task-notification>(.*?)</task-notification>", re.DOTALL)
_FIELD: Final = re.compile(r"<(task-id|tool-use-id|status|result)>(.*?)</\1>", re.DOTALL)
_COMPLETED: Final = "completed"
_AT_WORK: Final = frozenset({"background", "running", ""})


def read_meta(file: Path, agent: str) -> AgentStarted | None:
    """Return what is written beside a subagent's file; None if that is not there, or torn."""
    try:
        fields = decode_object(read_head(file.with_suffix(".meta.json"), _MAX_META_BYTES))
    except OSError:
        return None
    if fields is None:
        return None
    return AgentStarted(
        id=agent,
        time=time_in(fields, "createdAt") or 0,
        agent=id_in(fields, "parentAgentId") or None,
        name=task_name(text_in(fields, "agentType"), text_in(fields, "description")),
        call=id_in(fields, "toolUseId") or None,
        model=text_in(fields, "model") or None,
    )


class QwenAgents:
    """What is known of the subagents of one session."""

    def __init__(self) -> None:
        self._agent_of_call: dict[str, str] = {}
        self._reports: dict[str, str] = {}
        # What agents said last that was given out before their callers had it.
        self._answers: dict[str, str] = {}

    def started(self, agent: AgentStarted) -> None:
        """Take in which call started an agent."""
        if agent.call is not None:
            self._agent_of_call.setdefault(agent.call, agent.id)

    def has_ended(self, agent: str) -> bool:
        """Return whether an agent's caller has its report."""
        return agent in self._reports

    def has_reported(self, agent: str, text: str) -> bool:
        """Return whether an agent's report holds a text."""
        return "".join(text.split()) in "".join(self._reports.get(agent, "").split())

    def answered(self, agent: str, text: str) -> None:
        """This was given out as the agent's answer: its caller's report of it says nothing new."""
        self._answers[agent] = text

    def ended_by_call(self, call: str, record: Fields, text: str, time: int) -> Iterator[TurnEnded]:
        """Yield the end of the agent that a call started, if its result says that it does not work any more."""
        status = text_in(object_in(object_in(record, "toolCallResult"), "resultDisplay"), "status")
        agent = self._agent_of_call.get(call)
        if agent is not None and status not in _AT_WORK:
            yield from self._ended(agent, f"{call}/end", text, time, is_aborted=status != _COMPLETED)

    def ended_by_notice(self, text: str, record: str, time: int) -> Iterator[TurnEnded]:
        """Yield the ends of the agents that worked in the background, as a notice reports them."""
        for number, notice in enumerate(_NOTICE.findall(text)):
            fields = {name: html.unescape(value) for name, value in _FIELD.findall(notice)}
            agent = self._agent_of_call.get(fields.get("tool-use-id", "")) or fields.get("task-id")
            if agent and fields.get("status", "") not in _AT_WORK:
                is_aborted = fields["status"] != _COMPLETED
                yield from self._ended(
                    agent, f"{record}/end-{number}", fields.get("result", "").strip(), time, is_aborted=is_aborted
                )

    def _ended(self, agent: str, identifier: str, text: str, time: int, *, is_aborted: bool) -> Iterator[TurnEnded]:
        self._reports[agent] = f"{self._reports.get(agent, '')}\n{text}"
        if self._answers.pop(agent, None) == text and not is_aborted:
            return
        yield TurnEnded(id=identifier, time=time, agent=agent, text="" if is_aborted else text, is_aborted=is_aborted)
