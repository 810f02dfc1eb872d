"""The law: whatever a folder of transcripts holds is on the screen exactly once, under the agent that had it.

What is damaged is not there, and is counted instead.
"""

import tempfile
from pathlib import Path

from hypothesis import given

from seqthink.transcripts.spool import Spool
from tests.support.transcripts.known.claude_files import ClaudeWriter
from tests.support.transcripts.known.drawn import sessions
from tests.support.transcripts.known.sessions import KnownSession
from tests.support.transcripts.known.shown import Rows, found_in, read_to_end, rows_in
from tests.support.transcripts.known.writes import Written, apply_all

_COUNTED = ("unkept", "refused")


def truth_of(written: Written) -> Rows:
    rows: Rows = {}
    for said in [*(each for each in written.said if each.kind not in _COUNTED), *(each for each in written.said if each.kind in _COUNTED)]:
        rows.setdefault(said.agent, []).append((said.kind, said.text))
    return rows


@given(sessions())
def test_all_is_shown_once(session: KnownSession) -> None:
    written = ClaudeWriter(session).write()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        apply_all(written.writes, home)
        [(source, found)] = found_in(home)
        spool = Spool(source, found, Path(folder) / "spool.jsonl")
        try:
            read_to_end(spool)
            spool.flush()
            shown = rows_in(spool.path)
        finally:
            spool.close()

    assert found.id == written.id
    assert shown == truth_of(written)
