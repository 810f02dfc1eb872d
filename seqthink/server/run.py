"""Runs the server: the fast path first, and from the first message that it leaves on, the SDK path for good.

The paths know nothing of each other. This module joins them.
"""

import gc

from seqthink.journal.writer import EndReason
from seqthink.server.fast_path.fast_server import FastServer
from seqthink.server.setup import Handover, ServerSetup


def run(setup: ServerSetup, *, use_fast_path: bool) -> None:
    """Serve MCP on stdin and stdout until the client leaves or a signal arrives; then close the journal."""
    reason: EndReason = "error"
    error: str | None = None
    try:
        outcome = FastServer(setup).serve() if use_fast_path else Handover.at_start(setup.stdio)
        reason = _serve_with_sdk(setup, outcome) if isinstance(outcome, Handover) else outcome
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
        raise
    finally:
        setup.recorder.end(reason, error)


def _serve_with_sdk(setup: ServerSetup, handover: Handover) -> EndReason:
    # Importing the SDK creates hundreds of thousands of objects; scanning them for garbage would only take time.
    gc.disable()
    # Loading it takes longer than a client waits for an answer (docs/tools.md, "Two protocol versions, two paths").
    from seqthink.server.sdk_path import sdk_server  # noqa: PLC0415 - loaded at the handover only

    gc.freeze()
    gc.enable()
    return sdk_server.serve(setup, handover)
