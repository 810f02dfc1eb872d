"""Reports to clients and stderr a journal that cannot be written.

See docs/tools.md, "When the journal cannot be written".
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from seqthink.journal.drafts import AppendReceipt
from seqthink.server.recording.calls import Answer, Call

JOURNAL_META_KEY: Final = "seqthink/journal"
"""The key in an answer's `_meta` that reports journal trouble."""


class JournalTrouble:
    """Reports a time of trouble once on stderr, once to a client's log, and its end on stderr."""

    def __init__(self, print_stderr: Callable[[str], None]) -> None:
        self._print_stderr = print_stderr
        self._trouble = ""
        self._has_warned = False

    def update(self, trouble: str) -> None:
        """Take in why the journal cannot be written now; empty if it can."""
        if trouble and not self._trouble:
            self._print_stderr(trouble)
        elif self._trouble and not trouble:
            self._print_stderr("the journal can be written again; everything that waited is in it")
            self._has_warned = False
        self._trouble = trouble

    def add_warning(self, calls: Sequence[Call], answers: list[Answer]) -> list[Answer]:
        """Return ``answers`` with a warning in the first whose client wants it, once per time of trouble."""
        if not self._trouble or self._has_warned:
            return answers
        for position, call in enumerate(calls):
            if call.wants_warnings:
                answers[position] = answers[position]._replace(warning=self._trouble)
                self._has_warned = True
                break
        return answers


def journal_meta(receipt: AppendReceipt, session: str) -> dict[str, Any]:
    """Return the `_meta` that reports journal trouble: events queued in memory, or a replacement file.

    It is empty if all is well.
    """
    if not receipt.continues and not receipt.waiting:
        return {}
    state: dict[str, Any] = {}
    if receipt.continues:
        state |= {"session": session, "continues": receipt.continues}
    if receipt.waiting:
        state |= {"waiting": receipt.waiting, "error": receipt.error}
    return {JOURNAL_META_KEY: state}
