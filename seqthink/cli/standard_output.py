"""Standard output for pages and drawings. Loads next to nothing, so that a help page needs no parser."""

import os
import sys

from seqthink.core.errors import OutputError, UsageError

TYPE_CHECKING = False  # loading `typing` takes longer than all of a help page
if TYPE_CHECKING:
    from types import TracebackType
    from typing import TextIO


class Output:
    """Gives stdout for a drawing in a ``with`` block; everything is flushed at its end.

    Characters that stdout's encoding lacks are replaced. A closed pipe raises BrokenPipeError as usual.

    Raises:
        UsageError: stdout is closed.
        OutputError: writing failed.
    """

    def __enter__(self) -> "TextIO":
        out = sys.stdout
        if out is None:
            raise UsageError("stdout is closed, so there is nowhere to print; leave it open")
        if hasattr(out, "reconfigure"):
            out.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - checked just above
        self._out = out
        return out

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: BaseException | None,
        traceback: "TracebackType | None",
    ) -> None:
        if error is not None:
            _explain(error)
            return
        try:
            self._out.flush()
        except OSError as failure:
            _explain(failure)
            raise


output = Output
"""The name by which commands use it: ``with output() as out``."""


def _explain(error: BaseException) -> None:
    """Raise `OutputError` for an error of stdout itself: of a file it would have the name."""
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError) and error.filename is None:
        silence_stdout()
        raise OutputError(f"cannot write to stdout: {(error.strerror or str(error)).lower()}") from error


def silence_stdout() -> None:
    """Redirect stdout to the null device, so that nothing is retried at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
