"""An audit's part in an answer (gan-audit.md, "Response Combination Rules")."""

from collections.abc import Callable, Mapping
from typing import Any

from seqthink.audit.auditor import Audited, Auditor, Write
from seqthink.dialogue.dialogue import Dialogue
from seqthink.server.audit_options import AuditOptions
from seqthink.server.calls import Answer


class AuditHook:
    """Adds to an answer what the audit of its thought came to."""

    def __init__(self, options: AuditOptions, write: Write, session: Callable[[], str]) -> None:
        self._auditor = Auditor(**options._asdict(), write=write)
        self._session = session

    async def needs_audit(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether an accepted thought holds what can be audited."""
        return await self._auditor.wants(arguments["thought"])

    async def add_audit(self, answer: Answer, arguments: Mapping[str, Any], dialogue: Dialogue) -> Answer:
        """Return ``answer`` with the audit's result; flawed code asks for another thought.

        The audit's session is the branch, else the journal's. A chain that was told to end is not audited: the verdict
        could ask for the thought that the limit forbids.
        """
        branch = arguments.get("branchId")
        name = branch if isinstance(branch, str) and branch else self._session()
        if answer.is_over_limit:
            return _with(answer, Audited(session=name, error="not audited: the chain is past its limit"))
        return _with(answer, await self._auditor.audit(arguments["thought"], answer.seq, name, dialogue))


def _with(answer: Answer, result: Audited) -> Answer:
    body = {**answer.body, **result.fields()}
    if result.forces_on:
        body["nextThoughtNeeded"] = True
    return answer._replace(body=body)
