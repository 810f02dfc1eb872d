"""Whatever a client sends, both server paths give equal answers, write equal journals, and leave when it does."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqthink.journal.decode import decode
from tests.support.servers.frame_strategies import frames
from tests.support.servers.server_paths import FAST_PATH, SDK_PATH, comparable, exchange, lines
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import journals


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(some=st.lists(frames, min_size=1, max_size=12))
def test_both_server_paths_answer_and_journal_alike(some: list[bytes], warm: WarmServer) -> None:
    sent = lines(*some)
    with tempfile.TemporaryDirectory() as folder:
        fast = exchange(FAST_PATH, sent, Path(folder) / "fast", warm)
        sdk = exchange(SDK_PATH, sent, Path(folder) / "sdk", warm)
        written = [path.read_bytes() for path in journals(Path(folder) / "fast")]

    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal
    assert all(decode(line) for data in written for line in data.splitlines())
