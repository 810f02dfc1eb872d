"""Runs the server: the fast path first, and from the first message that it leaves on, the SDK path for good.

The paths know nothing of each other. This module joins them.
"""

import gc
from typing import TYPE_CHECKING

from seqthink.journal.drafts import EndReason
from seqthink.server.fast_path.fast_server import FastServer
from seqthink.server.idle_loading import IdleLoading
from seqthink.server.setup import Handover, ServerSetup

if TYPE_CHECKING:  # loads the SDK
    from seqthink.server.sdk_path.sdk_server import Preparation


def run(setup: ServerSetup, *, use_fast_path: bool) -> None:
    """Serve MCP on stdin and stdout until the client leaves or a signal arrives; then close the journal."""
    reason: EndReason = "error"
    error: str | None = None
    loading = IdleLoading(lambda: _prepare_sdk(setup))
    try:
        outcome = FastServer(setup, loading).serve() if use_fast_path else Handover.at_start(setup.stdio)
        reason = _serve_with_sdk(setup, outcome, loading) if isinstance(outcome, Handover) else outcome
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
        raise
    finally:
        loading.abandon()
        setup.recorder.end(reason, error)


def _serve_with_sdk(setup: ServerSetup, handover: Handover, loading: "IdleLoading[Preparation]") -> EndReason:
    preparation = loading.finish() or _prepare_sdk(setup)
    return preparation.serve(handover)


def _prepare_sdk(setup: ServerSetup) -> "Preparation":
    """Load the SDK path, and start what its first call needs."""
    # Importing the SDK creates hundreds of thousands of objects; scanning them for garbage would only take time.
    gc.disable()
    try:
        from seqthink.server.sdk_path.lean_import import defer_packages  # noqa: PLC0415 - not in a session without SDK

        defer_packages()
        # Loading it takes longer than a client waits for an answer (docs/tools.md, "Two protocol versions, two paths").
        from seqthink.server.sdk_path import sdk_server  # noqa: PLC0415 - loaded when it is needed, or soon may be

        return sdk_server.prepare(setup)
    finally:
        gc.freeze()
        gc.enable()
