"""A server that is killed loses nothing that it acknowledged; `python -m tests.bench kill` does this for longer."""

from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.servers.kill_rounds import Killer
from tests.support.servers.server_paths import SERVER_PATHS
from tests.support.servers.warm_server import WarmServer

ROUNDS = 6


@pytest.mark.parametrize("server_path", first(1, SERVER_PATHS))
def test_servers_that_are_killed_lose_nothing_and_are_resumed(
    server_path: str, warm: WarmServer, tmp_path: Path
) -> None:
    tally = Killer(tmp_path, SERVER_PATHS[server_path], warm, seed=6).run(ROUNDS)

    assert (tally.rounds, tally.resumes) == (ROUNDS, ROUNDS)
    assert tally.acknowledged > ROUNDS
    assert tally.torn >= 2
    assert not any(tally.broken), tally
