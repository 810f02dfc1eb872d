"""What one check found, and what all of them found together. Pure.

A result is written twice: for the person at the screen, and for a report that is sent to others. The report is safe by
construction: ``message`` and ``fix`` hold words of this program, numbers and versions only. Whatever comes from the
machine (paths, values, texts of other programs) is in ``detail`` and ``fix_detail``, which no report has.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

Verdict = Literal["right", "warning", "wrong", "not looked at"]

DETAIL = "{}"
"""The place of ``fix_detail`` in a fix."""
_LEFT_OUT = "…"


class CheckResult(Struct, frozen=True):
    """What one check found."""

    subject: str
    """What was looked at, in a word or two."""
    verdict: Verdict
    message: str
    """What was found: words of this program, numbers and versions."""
    detail: str = ""
    """What of it belongs to this machine: a path, a line of another program. Untrusted text."""
    fix: str = ""
    """A command or a sentence that puts it right."""
    fix_detail: str = ""
    """What replaces ``{}`` in the fix, ready for a shell."""

    @property
    def text(self) -> str:
        """What was found, in full; untrusted text."""
        return f"{self.message}: {self.detail}" if self.detail else self.message

    @property
    def whole_fix(self) -> str:
        """The fix in full; untrusted text."""
        return self.fix.replace(DETAIL, self.fix_detail)

    @property
    def public_fix(self) -> str:
        """The fix as others may read it."""
        return self.fix.replace(DETAIL, _LEFT_OUT)


class CheckGroup(Struct, frozen=True):
    """The results about one thing: this machine, a client, the journals, the terminal."""

    title: str
    results: Sequence[CheckResult]
    client: str = ""
    """The client's name on the command line, if it is about one."""


def right(subject: str, message: str, detail: str = "") -> CheckResult:
    """Return that something is as it should be."""
    return CheckResult(subject, "right", message, detail)


def warning(subject: str, message: str, detail: str = "", *, fix: str, fix_detail: str = "") -> CheckResult:
    """Return that something works, but may surprise."""
    return CheckResult(subject, "warning", message, detail, fix, fix_detail)


def wrong(subject: str, message: str, detail: str = "", *, fix: str, fix_detail: str = "") -> CheckResult:
    """Return that something does not work."""
    return CheckResult(subject, "wrong", message, detail, fix, fix_detail)


def unseen(subject: str, message: str, detail: str = "") -> CheckResult:
    """Return that something was not looked at, and why."""
    return CheckResult(subject, "not looked at", message, detail)


def count(groups: Iterable[CheckGroup], verdict: Verdict) -> int:
    """Return how many results have a ``verdict``."""
    return sum(result.verdict == verdict for group in groups for result in group.results)


def exit_status(groups: Sequence[CheckGroup]) -> int:
    """Return 1 if anything is wrong, else 0: a warning alone is not a failure."""
    return 1 if count(groups, "wrong") else 0
