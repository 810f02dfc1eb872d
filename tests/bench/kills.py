"""`kill`: servers killed at random moments under load; compares their journals with the acknowledged calls."""

from pathlib import Path

from tests.bench.report import Table, verdict
from tests.support.servers.kill_rounds import Killer
from tests.support.servers.server_paths import SERVER_PATHS
from tests.support.servers.warm_server import WarmServer

_SEED = 20_261_122
_COLUMNS = ("server path", "rounds", "acknowledged", "found", "resumes", "torn tails cut")
_BROKEN = ("lost", "twice", "gaps in seq", "miscounts", "faults", "strays")


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Kill servers on each server path at least a hundred times."""
    rounds = 20 if is_quick else 125
    table = Table("kill -9 at random moments, 400 calls in flight", [*_COLUMNS, *_BROKEN, "nothing lost"])
    with WarmServer() as warm:
        for name, path_options in SERVER_PATHS.items():
            tally = Killer(folder / name, path_options, warm, _SEED).run(rounds)
            found = (tally.rounds, tally.acknowledged, tally.found, tally.resumes, tally.torn)
            table.add(name, *(f"{number:,}" for number in (*found, *tally.broken)), verdict(not any(tally.broken)))
    table.notes.append("Every third kill leaves a torn line behind, as a loss of power would.")
    table.notes.append("`found` holds the calls after the last kill of a session, too, and what was killed unanswered.")
    return [table]
