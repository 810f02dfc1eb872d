"""Runs a tap: the relay first, and beside it the listener, which it never waits for. Standard library only."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from seqthink.server.tap.copies import CopyQueue
from seqthink.server.tap.relay import Relay, RelayEnding

if TYPE_CHECKING:  # loaded by the listener's thread
    from seqthink.server.tap.listening import Listening

NOT_FOUND_STATUS, NOT_STARTED_STATUS = 127, 126
"""Exit statuses of a shell for a command that is not there, and for one that cannot be started."""
_END_SECONDS = 5.0
"""How long the exit status waits for the last lines of the journal, if the disk does not answer."""


def run(command: Sequence[str], make_listening: Callable[[], "Listening"], print_stderr: Callable[[str], None]) -> int:
    """Run ``command`` with a tap around it, and return its exit status as a shell would.

    Args:
        command: the words of the command.
        make_listening: makes what journals the thoughts; called in a thread of its own.
        print_stderr: prints one line.
    """
    copies = CopyQueue()
    relay = Relay(command, copies.put)
    try:
        relay.start()
    except OSError as error:
        print_stderr(f"tap: {command[0]} cannot be started: {(error.strerror or str(error)).lower()}")
        return NOT_FOUND_STATUS if isinstance(error, FileNotFoundError) else NOT_STARTED_STATUS
    endings: list[RelayEnding] = []
    # A daemon: where the journal's disk hangs, the process must end all the same.
    thread = threading.Thread(target=_listen, args=(copies, endings, make_listening, print_stderr), daemon=True)
    thread.start()
    ending = relay.wait()
    endings.append(ending)
    copies.close()
    thread.join(_END_SECONDS)
    return ending.status


def _listen(
    copies: CopyQueue,
    endings: Sequence[RelayEnding],
    make_listening: Callable[[], "Listening"],
    print_stderr: Callable[[str], None],
) -> None:
    """Listen until the relay has come to its end, which is in ``endings`` by the time the copies end."""
    try:
        listening = make_listening()
    except Exception as failure:  # noqa: BLE001 - bytes pass, also if nothing can be kept of them
        print_stderr(f"tap: nothing is journaled: unexpected {type(failure).__name__}: {failure}")
        copies.abandon()
        return
    try:
        listening.follow(copies)
    except Exception as failure:  # noqa: BLE001 - as above; its text could quote a thought
        print_stderr(f"tap: listening has stopped: unexpected {type(failure).__name__}; bytes still pass")
        copies.abandon()
        return
    listening.end(endings[0], copies.dropped_bytes)
