"""What `seqthink ship --status` prints."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TextIO

from seqthink.drawing.describe.units import count
from seqthink.share.shipping.shipped_state import ShippedState
from seqthink.share.shipping.status import SessionState


def write_status(found: Sequence[SessionState], kept: ShippedState, out: TextIO, *, is_json: bool) -> None:
    """Write how far each session is: a table, or one JSON array."""
    if is_json:
        rows = ",\n".join(json.dumps(_fields(state)) for state in found)
        out.write(f"[\n{rows}\n]\n" if rows else "[\n]\n")
        return
    width = max([len("session"), *(len(state.session) for state in found)])
    out.write(f"{'session':<{width}}  {'here':>9}  {'there':>9}  {'behind':>9}\n")
    for state in found:
        over = "  the engine has more" if state.there > state.here else ""
        out.write(f"{state.session:<{width}}  {state.here:>9,}  {state.there:>9,}  {state.behind:>9,}{over}\n")
    behind = sum(state.behind for state in found)
    last = f"; a shipper of this folder was last seen at {_iso(kept.time)}" if kept.time else ""
    out.write(f"{count(len(found), 'session')}, {count(behind, 'line')} behind{last}\n")


def _fields(state: SessionState) -> dict[str, object]:
    return {
        "session": state.session,
        "here": state.here,
        "there": state.there,
        "behind": state.behind,
        "firstKept": state.first_kept or None,
        "changed": _iso(state.changed),
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
