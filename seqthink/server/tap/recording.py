"""Journals what the listener hears, with the server's own writer and in the form of its events.

Trouble with the journal is a line on stderr and nothing else: the thread that passes bytes never waits for this module.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from seqthink.core.errors import JournalWriteError
from seqthink.journal.drafts import DraftEvent, EndReason
from seqthink.journal.writer import JournalWriter
from seqthink.server.recording.calls import Call, refusal
from seqthink.server.recording.journal_trouble import JournalTrouble
from seqthink.server.tap.listener import Connection, Heard, HeardThought
from seqthink.server.tools.agents import CallingAgent, RecentAgents

SOURCE = "tap"
"""The `source` in the `session` event: these thoughts were listened to, not answered."""


class TapRecorder:
    """Writes the journal of one tapped session; the first thought or refused call begins it.

    Args:
        writer: writes the journal.
        session_fields: the fields of the `session` event, but for what client and server say about themselves.
        print_stderr: prints one line.
    """

    def __init__(
        self, writer: JournalWriter, session_fields: Mapping[str, Any], print_stderr: Callable[[str], None]
    ) -> None:
        self._writer = writer
        self._session_fields = session_fields
        self._print_stderr = print_stderr
        self._trouble = JournalTrouble(print_stderr)
        self._journaled_agents: RecentAgents[CallingAgent] = RecentAgents()

    def record(self, heard: Sequence[Heard], connection: Connection) -> None:
        """Journal what was heard, in one write."""
        drafts = [draft for one in heard for draft in self._drafts(one)]
        if not drafts:
            return
        try:
            if not self._writer.has_begun:
                self._begin(connection)
            receipt = self._writer.append(drafts)
        except JournalWriteError as error:
            self._trouble.update(f"{error.reason}; thoughts are lost")
            return
        if receipt.continues:
            self._journaled_agents = RecentAgents()
        self._trouble.update(
            f"the journal cannot be written: {receipt.error}; events wait in memory" if receipt.waiting else ""
        )

    def end(self, reason: EndReason, error: str | None) -> None:
        """Close the journal; print on stderr what could not be written."""
        if lost := self._writer.end(reason, error):
            self._print_stderr(f"not all of session {self._writer.session} could be written: {lost}")

    def _begin(self, connection: Connection) -> None:
        fields = {
            **self._session_fields,
            "server": connection.server,
            "client": connection.client,
            "protocolVersion": connection.protocol_version,
            "notes": False,
            "source": SOURCE,
        }
        self._writer.begin(fields, lambda _event, _location: None)

    def _drafts(self, heard: Heard) -> list[DraftEvent]:
        call = heard.call
        if isinstance(heard, HeardThought):
            draft = DraftEvent("thought", {**heard.fields, "agent": call.agent.id, "call": call.id})
        else:
            refused = refusal(Call(call.tool, call.arguments, call.agent, call.id), heard.error, {}).draft
            if refused is None:
                return []
            draft = refused
        return [*self._agent_drafts(call.agent), draft]

    def _agent_drafts(self, agent: CallingAgent) -> list[DraftEvent]:
        """Return the event that describes an agent, if the journal does not say so yet."""
        if agent.id is None:
            return []
        journaled = self._journaled_agents.get(agent.id)
        known = agent if journaled is None else agent.merged_with(journaled)
        if known == journaled:
            return []
        self._journaled_agents.put(agent.id, known)
        return [DraftEvent("agent", known._asdict())]
