"""The listener's thread: copies become lines, lines become thoughts, thoughts are journaled.

Loaded in that thread, while the command starts, so that the first byte does not wait for it.
"""

from collections.abc import Callable

from seqthink.journal.drafts import EndReason
from seqthink.server.tap.copies import MAX_LINE_BYTES, CopiedLines, CopyQueue
from seqthink.server.tap.listener import Heard, Listener
from seqthink.server.tap.recording import TapRecorder
from seqthink.server.tap.relay import RelayEnding, Side
from seqthink.server.tap.watched_tools import WatchedTools


class Listening:
    """Listens to one relay until its copies end, whatever they hold.

    Args:
        tools: the tools whose calls are thoughts.
        recorder: writes the journal.
        print_stderr: prints one line.
    """

    def __init__(self, tools: WatchedTools, recorder: TapRecorder, print_stderr: Callable[[str], None]) -> None:
        self._listener = Listener(tools)
        self._recorder = recorder
        self._print_stderr = print_stderr
        self._lines = {side: CopiedLines() for side in Side}
        self._has_failed = False

    def follow(self, copies: CopyQueue) -> None:
        """Journal what the copies hold, until there are no more."""
        while (chunk := copies.take()) is not None:
            is_client = chunk.side is Side.CLIENT
            hear = self._listener.hear_client if is_client else self._listener.hear_server
            for line in self._lines[chunk.side].feed(chunk):
                self._record(lambda line=line, hear=hear: hear(line))

    def end(self, ending: RelayEnding, dropped_bytes: int) -> None:
        """Journal what got no answer and why the session ended, and say what was not read."""
        self._record(self._listener.end)
        try:
            self._recorder.end(*_reason(ending))
        except Exception as failure:  # noqa: BLE001 - as in `_record`
            self._report(failure)
        if skipped := sum(lines.skipped_lines for lines in self._lines.values()):
            self._print_stderr(f"tap: lines over {MAX_LINE_BYTES >> 20} MiB were passed on, but not read: {skipped}")
        if dropped_bytes:
            self._print_stderr(
                f"tap: bytes that were passed on, but not read, as the journal was too slow: {dropped_bytes}"
            )

    def _record(self, hear: Callable[[], list[Heard]]) -> None:
        try:
            if heard := hear():
                self._recorder.record(heard, self._listener.connection)
        except Exception as failure:  # noqa: BLE001 - bytes pass and later thoughts are kept, whatever one line does
            self._report(failure)

    def _report(self, failure: Exception) -> None:
        """Print the first failure; its text could quote a thought."""
        if not self._has_failed:
            self._print_stderr(f"tap: a thought is lost: unexpected {type(failure).__name__}")
        self._has_failed = True


def _reason(ending: RelayEnding) -> tuple[EndReason, str | None]:
    """Return why the session ended, for the `end` event."""
    if ending.is_stopped:
        return "signal", None
    if ending.has_client_left or ending.status == 0:
        return "eof", None
    return "error", f"the server ended with status {ending.status}"
