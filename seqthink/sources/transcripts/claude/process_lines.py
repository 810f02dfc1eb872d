"""Several processes that write one session's file: each begins with a prompt under a record that others continue, too.

Such a prompt looks like that of a user who went back, until the branch that it seemed to leave behind goes on. So the
file is read again then, and what descends from the prompt is a lane of its own.
"""

from typing import NamedTuple

from seqthink.sources.transcripts.claude.agents import Subagents
from seqthink.sources.transcripts.claude.lineage import Lineage
from seqthink.sources.transcripts.claude.user_records import UserRecords
from seqthink.sources.transcripts.claude.work import Work
from seqthink.sources.transcripts.facts import SessionDescribed
from seqthink.sources.transcripts.files.processes import MAX_LINES


class ProcessLine(NamedTuple):
    """What one process wrote."""

    work: Work
    user: UserRecords


class ProcessLines:
    """The lines of one file: that of its own agent, and one for each further process."""

    def __init__(self, lineage: Lineage, agents: Subagents, agent: str | None, *, is_agent_file: bool) -> None:
        """Follow the lines of a file whose agent is ``agent``."""
        self._lineage = lineage
        self._agents = agents
        self._is_agent_file = is_agent_file
        self._lines = [self._line(agent, agent if is_agent_file else None)]

    @property
    def main(self) -> ProcessLine:
        """The line of the file's own agent."""
        return self._lines[0]

    @property
    def works(self) -> list[Work]:
        """The work of each."""
        return [line.work for line in self._lines]

    def begin(self, uuid: str, parent: str | None, session: str, time: int) -> list[SessionDescribed]:
        """Begin a line with the record of this uuid, whose parent is ``parent``, and return it: a process began there.

        Of too many lines the last ones stay in that of their parent.
        """
        if len(self._lines) > MAX_LINES:
            return []
        self._lineage.begin_line(uuid, len(self._lines))
        self._lines.append(self._line(uuid, uuid))
        return [
            SessionDescribed(
                id=session,
                time=time,
                agent=uuid,
                forked_from=session,
                lane_name=f"process {len(self._lines)}",
                after=self._lineage.nearest_facts(parent),
            )
        ]

    def of(self, uuid: str | None, parent: str | None) -> ProcessLine:
        """Return the line of a record: that which it begins, or else its parent's."""
        return self._lines[self._lineage.line_of(uuid, parent)]

    def _line(self, agent: str | None, owner: str | None) -> ProcessLine:
        work = Work(agent, self._agents, owner)
        return ProcessLine(work, UserRecords(self._lineage, self._agents, work, is_agent_file=self._is_agent_file))
