"""Adds the result of an audit to an answer (docs/audit.md, "The answer")."""

from collections.abc import Callable, Mapping
from typing import Any

from seqthink.audit.auditor import AppendEvent, Auditor, AuditResult
from seqthink.audit.judges.worker_pool import WorkerPool
from seqthink.dialogue.dialogue import Dialogue
from seqthink.server.recording.calls import Answer
from seqthink.server.setup import AuditOptions


class AuditHook:
    """Audits the code in thoughts and adds the result to their answers."""

    def __init__(
        self,
        options: AuditOptions,
        append_event: AppendEvent,
        session_id: Callable[[], str],
        workers: WorkerPool | None = None,
    ) -> None:
        self._auditor = Auditor(**options._asdict(), append_event=append_event, workers=workers)
        self._session_id = session_id

    def prepare(self) -> None:
        """Load and start what the first audit needs."""
        self._auditor.prepare()

    async def needs_audit(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether an accepted thought contains something to audit."""
        return await self._auditor.is_auditable(arguments["thought"])

    async def add_audit(self, answer: Answer, arguments: Mapping[str, Any], dialogue: Dialogue) -> Answer:
        """Return ``answer`` with the audit's result; code with flaws asks for another thought.

        The audit's session is the branch, else that of the journal. A chain past its limit is not audited: the verdict
        could ask for a thought that the limit forbids.
        """
        branch = arguments.get("branchId")
        name = branch if isinstance(branch, str) and branch else self._session_id()
        if answer.is_over_limit:
            return _with_result(answer, AuditResult(session_id=name, error="not audited: the chain is past its limit"))
        return _with_result(answer, await self._auditor.audit(arguments["thought"], answer.seq, name, dialogue))


def _with_result(answer: Answer, result: AuditResult) -> Answer:
    body = {**answer.body, **result.fields()}
    if result.needs_next_thought:
        body["nextThoughtNeeded"] = True
    return answer._replace(body=body)
