"""Runs the audits of one server, journals each, and returns what the answer says about it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, Final

import anyio.to_thread
from msgspec import Struct

from seqthink.audit.audit_run import AuditRun
from seqthink.audit.code.blocks import should_audit
from seqthink.audit.config import parse_config
from seqthink.audit.judges.internal import cut_at_statement
from seqthink.audit.judges.worker_pool import WorkerPool
from seqthink.audit.review import MAX_SUMMARY_CHARS
from seqthink.audit.workspace.workspace import Workspace, find_root
from seqthink.core.events import CALL_CANCELLED
from seqthink.core.redaction import load_shapes, quote_safely
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import ClientLeftError, DialogueError
from seqthink.drawing.markup.fences import load_parser

MAX_JUDGED_CHARS: Final = 256 << 10
"""Characters of a thought that are judged; the remainder is only searched for secrets."""
MAX_SEARCHED_CHARS: Final = 1 << 20
"""Characters of a thought that are searched for secrets."""
_MAX_INLINE_CHARS: Final = 20_000
"""Thoughts up to this length are checked at once, longer ones in a thread, to keep the event loop free."""

AppendEvent = Callable[[str, Mapping[str, Any]], None]
"""Append an event, given its type and fields; fields that are ``None`` are left out."""


class AuditResult(Struct, frozen=True, kw_only=True):
    """What an audit adds to an answer: the review, or why there is none (docs/audit.md, "The answer")."""

    session_id: str
    review: Mapping[str, Any] | None = None
    """The GanReview as the answer spells it; None: there is none."""
    error: str = ""
    """Why there is no review, "" if there is one."""

    @property
    def needs_next_thought(self) -> bool:
        """Whether the answer asks for another thought (docs/audit.md, "The answer")."""
        return self.review is not None and self.review["verdict"] != "pass"

    def fields(self) -> dict[str, Any]:
        """Return the fields that the audit adds to the answer."""
        outcome = {"auditError": self.error} if self.review is None else {"gan": self.review}
        return {"sessionId": self.session_id, **outcome}


class Auditor:
    """Audits thoughts in the first workspace that works: the client's roots, ``workspace``, ``cwd``."""

    def __init__(
        self,
        *,
        workspace: Path | None,
        cwd: Path,
        seconds: float,
        append_event: AppendEvent,
        workers: WorkerPool | None = None,
    ) -> None:
        self._workspace = workspace
        self._cwd = cwd
        self._seconds = seconds
        self._append_event = append_event
        self._client_roots: list[str] | None = None
        self._workers = workers or WorkerPool()

    def prepare(self) -> None:
        """Load and start what the first audit would else wait for."""
        self._workers.start_worker()
        load_shapes()
        load_parser()

    async def is_auditable(self, thought: str) -> bool:
        """Return whether ``thought`` contains something to audit."""
        if len(thought) <= _MAX_INLINE_CHARS:
            return should_audit(thought)
        return await anyio.to_thread.run_sync(should_audit, thought[:MAX_JUDGED_CHARS], abandon_on_cancel=True)

    async def audit(self, thought: str, seq: int, session_id: str, dialogue: Dialogue) -> AuditResult:
        """Audit a thought, journal the result and return it.

        Errors become part of the result: the thought and its answer do not depend on the audit.

        Args:
            thought: The whole text of the thought.
            seq: The ``seq`` of its event in the journal.
            session_id: The session that the answer names.
            dialogue: Where models and the user are asked, and progress is reported.
        """

        async def report_progress(done: int, steps: int, doing: str) -> None:
            if done < steps:
                self._append_event("auditing", {"of": seq, "done": done, "steps": steps, "doing": doing})
            await dialogue.notify(done, steps, doing)

        began = monotonic()
        judged_text = cut_at_statement(thought, MAX_JUDGED_CHARS)
        remainder = thought[len(judged_text) : MAX_SEARCHED_CHARS]
        parsed_config = await anyio.to_thread.run_sync(parse_config, judged_text)
        audit = AuditRun(judged_text, parsed_config, report_progress, self._workers.judge_unit, remainder)
        if remainder:
            searched = f"the first {MAX_SEARCHED_CHARS:,}" if len(thought) > MAX_SEARCHED_CHARS else "all"
            audit.add_note(
                f"Only the first {len(judged_text):,} characters of the thought were judged, {searched} searched."
            )
        review: dict[str, Any] | None = None
        error = CALL_CANCELLED
        try:
            error = await self._run(audit, dialogue)
            reviewed = None if error else audit.review()
            review = reviewed.fields() if reviewed else None
            error = error or ("" if review else quote_safely(audit.failure_reason, MAX_SUMMARY_CHARS))
        except Exception as failure:  # noqa: BLE001 - a mistake in a judge must not cost the answer
            error = quote_safely(f"the audit failed: {type(failure).__name__}: {failure}")
        finally:
            fields = {
                "of": seq,
                "sessionId": session_id,
                "config": audit.config.fields(),
                "review": review,
                "durationMs": round((monotonic() - began) * 1000),
                "error": error or None,
            }
            self._append_event("audit", fields)
        return AuditResult(session_id=session_id, review=review, error=error)

    async def _run(self, audit: AuditRun, dialogue: Dialogue) -> str:
        """Run ``audit`` until it ends or the client leaves; return why there is no result, or ""."""
        has_left = False

        async def watch() -> None:
            nonlocal has_left
            await dialogue.left()
            has_left = True
            tasks.cancel_scope.cancel()

        async with dialogue.branch() as tasks:
            tasks.start_soon(watch)
            await audit.run(self._find_workspace, dialogue, self._seconds)
            tasks.cancel_scope.cancel()
        return str(ClientLeftError()) if has_left else ""

    async def _find_workspace(self, dialogue: Dialogue) -> Workspace | str:
        """Return the workspace, or why there is none; the client is asked for its roots only once."""
        if self._client_roots is None:
            try:
                self._client_roots = await dialogue.roots()
            except DialogueError:
                self._client_roots = []
        root = find_root(self._client_roots, self._workspace, self._cwd)
        return root if isinstance(root, str) else Workspace(root)
