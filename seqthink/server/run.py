"""Runs the server: the fast path first, and from the first message that it leaves on, the SDK path for good.

The paths know nothing of each other. This module joins them.
"""

import gc
import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final

from seqthink.core import system
from seqthink.journal.drafts import EndReason
from seqthink.server.fast_path.fast_server import FastServer
from seqthink.server.idle_loading import IdleLoading, LoadingFailedError
from seqthink.server.setup import Handover, ServerSetup
from seqthink.server.wire.signals import Signals

if TYPE_CHECKING:  # loads the SDK
    from seqthink.server.sdk_path.sdk_server import Preparation

_LOADING_SECONDS: Final = 30.0
"""How long a message waits for the SDK at most while no further module is loaded."""
_LOADING_SECONDS_AFTER_SIGNAL: Final = 10.0
"""The same once a signal has arrived: its sender waits, too."""
_ABANDONED_SECONDS: Final = 0.5
"""How long the end waits for the loading to stop; it stops at the next module."""


def run(setup: ServerSetup, *, use_fast_path: bool) -> None:
    """Serve MCP on stdin and stdout until the client leaves or a signal arrives; then close the journal."""
    reason: EndReason = "error"
    error: str | None = None
    loading = IdleLoading(lambda: _prepare_sdk(setup))
    try:
        reason = _serve(setup, loading, use_fast_path=use_fast_path)
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
        raise
    finally:
        setup.recorder.end(reason, error)
        loading.abandon(_ABANDONED_SECONDS)


def _serve(setup: ServerSetup, loading: "IdleLoading[Preparation]", *, use_fast_path: bool) -> EndReason:
    if not (use_fast_path and system.HAS_POLL):
        return _load_sdk(setup, loading).serve(Handover.at_start(setup.stdio))
    fast_server = FastServer(setup, loading)
    outcome = fast_server.serve()
    if not isinstance(outcome, Handover):
        return outcome
    try:
        preparation = _load_sdk(setup, loading)
    except LoadingFailedError as failure:
        gc.enable()  # a module that hangs has left it off
        setup.print_stderr(f"{failure}; the server goes on without it")
        return fast_server.serve_without_sdk(outcome.messages, str(failure))
    return preparation.serve(outcome)


def _load_sdk(setup: ServerSetup, loading: "IdleLoading[Preparation]") -> "Preparation":
    try:
        return loading.finish(_patience(setup.signals))
    except LoadingFailedError as failure:
        raise LoadingFailedError(f"the MCP SDK could not be loaded: {failure}") from failure


def _patience(signals: Signals) -> Callable[[], bool]:
    """Return a function that says whether a message may wait for the SDK: as long as modules are loaded.

    How many there are distinguishes a busy machine from a module that hangs.
    """
    modules, changed_at = 0, monotonic()

    def may_wait() -> bool:
        nonlocal modules, changed_at
        if len(sys.modules) != modules:
            modules, changed_at = len(sys.modules), monotonic()
        seconds = _LOADING_SECONDS_AFTER_SIGNAL if signals.has_arrived else _LOADING_SECONDS
        return monotonic() - changed_at < seconds

    return may_wait


def _prepare_sdk(setup: ServerSetup) -> "Preparation":
    """Load the SDK path, and start what its first call needs."""
    # Importing the SDK creates hundreds of thousands of objects; scanning them for garbage would only take time.
    gc.disable()
    try:
        # Loading it takes longer than a client waits for an answer (docs/tools.md, "Two protocol versions, two paths").
        from seqthink.server.sdk_path.loading import prepare  # noqa: PLC0415 - loaded when it is needed, or soon may be

        return prepare(setup)
    finally:
        gc.freeze()
        gc.enable()
