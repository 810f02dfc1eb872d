"""Waits for what threads and other processes bring about."""

import threading
from collections.abc import Callable
from time import monotonic

MAX_SECONDS = 20


def wait_for(holds: Callable[[], object]) -> None:
    """Return as soon as the condition holds; fail if it does not in a long time."""
    deadline = monotonic() + MAX_SECONDS
    while not holds():
        assert monotonic() < deadline, "what was waited for did not happen"
        threading.Event().wait(0.005)
