"""The audits of one server: in which workspace, for how long, and what is journaled and answered of each."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, Final

import anyio.to_thread
from msgspec import Struct

from seqthink.audit.audit import Audit
from seqthink.audit.config import configure
from seqthink.audit.judges.internal import beginning
from seqthink.audit.judges.readers import Readers
from seqthink.audit.review import LONGEST_SUMMARY
from seqthink.audit.telling import told
from seqthink.audit.trigger import is_to_be_audited
from seqthink.audit.workspace.workspace import Workspace, find_root
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import ClientLeftError, DialogueError

MOST_LETTERS: Final = 256 << 10
"""Characters of a thought that are judged."""
MOST_SEARCHED: Final = 1 << 20
"""Characters of a thought in which secrets are looked for."""
_QUICK: Final = 20_000
"""Characters that are looked through in no time; more are, beside the event loop."""
_CALLED_OFF: Final = "the call was called off"

Write = Callable[[str, Mapping[str, Any]], None]
"""Appends an event: its type and its fields; one that is ``None`` is left out."""


class Audited(Struct, frozen=True, kw_only=True):
    """What an audit adds to an answer: the review, or why there is none."""

    session: str
    review: Mapping[str, Any] | None = None
    error: str = ""

    @property
    def forces_on(self) -> bool:
        """Whether another thought has to follow (gan-audit.md, "Response Combination Rules")."""
        return self.review is not None and self.review["verdict"] != "pass"

    def fields(self) -> dict[str, Any]:
        """Return what stands in the answer."""
        told = {"auditError": self.error} if self.review is None else {"gan": self.review}
        return {"sessionId": self.session, **told}


class Auditor:
    """Audits thoughts in the workspace that the client names, else ``workspace``, else ``cwd``."""

    def __init__(self, *, workspace: Path | None, cwd: Path, seconds: float, write: Write) -> None:
        self._workspace = workspace
        self._cwd = cwd
        self._seconds = seconds
        self._write = write
        self._roots: list[str] | None = None
        self._readers = Readers()

    async def wants(self, thought: str) -> bool:
        """Return whether ``thought`` holds what can be audited."""
        if len(thought) <= _QUICK:
            return is_to_be_audited(thought)
        return await anyio.to_thread.run_sync(is_to_be_audited, thought[:MOST_LETTERS], abandon_on_cancel=True)

    async def audit(self, thought: str, of: int, session: str, dialogue: Dialogue) -> Audited:
        """Audit the thought whose event is ``of``, journal what came of it, and return that.

        Whatever goes wrong is an error of the audit's own: the thought and its answer do not depend on it.
        """

        async def tell(done: int, steps: int, doing: str) -> None:
            if done < steps:
                self._write("auditing", {"of": of, "done": done, "steps": steps, "doing": doing})
            await dialogue.notify(done, steps, doing)

        began = monotonic()
        looked_at = beginning(thought, MOST_LETTERS)
        rest = thought[len(looked_at) : MOST_SEARCHED]
        configured = await anyio.to_thread.run_sync(configure, looked_at)
        audit = Audit(looked_at, configured, tell, self._readers.judged, rest)
        if rest:
            searched = f"the first {MOST_SEARCHED:,}" if len(thought) > MOST_SEARCHED else "all"
            audit.note(f"Only the first {len(looked_at):,} characters of the thought were judged, {searched} searched.")
        review: dict[str, Any] | None = None
        error = _CALLED_OFF
        try:
            error = await self._run(audit, dialogue)
            reviewed = None if error else audit.review()
            review = reviewed.fields() if reviewed else None
            error = error or ("" if review else told(audit.failure, LONGEST_SUMMARY))
        except Exception as failure:  # noqa: BLE001 - a mistake in a judge must not cost the answer
            error = told(f"the audit failed: {type(failure).__name__}: {failure}")
        finally:
            fields = {
                "of": of,
                "sessionId": session,
                "config": audit.config.fields(),
                "review": review,
                "durationMs": round((monotonic() - began) * 1000),
                "error": error or None,
            }
            self._write("audit", fields)
        return Audited(session=session, review=review, error=error)

    async def _run(self, audit: Audit, dialogue: Dialogue) -> str:
        """Run ``audit`` until it ends or the client leaves; return why it has no result, if so."""
        has_left = False

        async def watch() -> None:
            nonlocal has_left
            await dialogue.left()
            has_left = True
            tasks.cancel_scope.cancel()

        async with dialogue.branch() as tasks:
            tasks.start_soon(watch)
            await audit.run(self._find, dialogue, self._seconds)
            tasks.cancel_scope.cancel()
        return str(ClientLeftError()) if has_left else ""

    async def _find(self, dialogue: Dialogue) -> Workspace | str:
        """Return the workspace, or why there is none; the client is asked for its roots once."""
        if self._roots is None:
            try:
                self._roots = await dialogue.roots()
            except DialogueError:
                self._roots = []
        root = find_root(self._roots, self._workspace, self._cwd)
        return root if isinstance(root, str) else Workspace(root)
