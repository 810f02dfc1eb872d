"""`consent`: random diffs that try to change files the user was not asked about."""

from collections import Counter
from pathlib import Path
from random import Random
from time import perf_counter

import anyio

from tests.bench.report import Table, seconds, verdict
from tests.support.audit.consent_runs import ConsentWorkspace, random_diff

_DIFFS = 5000


def measure(folder: Path, *, is_quick: bool = False) -> list[Table]:
    """Propose random diffs to a client that accepts them all."""
    return [anyio.run(_asked, folder, _DIFFS // 10 if is_quick else _DIFFS)]


async def _asked(folder: Path, diffs: int) -> Table:
    laboratory, found, refusals = ConsentWorkspace(folder), Counter[str](), Counter[str]()
    started = perf_counter()
    for seed in range(diffs):
        random = Random(seed)
        below = random.choice(["", "", "src"])
        asked = await laboratory.ask(random_diff(random, below and f"{below}/"), below)
        found.update(
            asked=asked.question is not None,
            applied=bool(asked.changed),
            files=len(asked.changed),
            unasked=len(asked.unasked),
            wrong=len(asked.wrong) + (bool(asked.changed) and asked.listed != asked.changed),
        )
        if asked.question is None:
            refusals[asked.sentence.rstrip(".").rpartition(": ")[2][:70]] += 1
    table = Table("consent: random diffs, everyone of them accepted", ["what", "count", "goal"])
    table.add("proposed", diffs, "")
    table.add("asked about", found["asked"], "")
    table.add("applied", found["applied"], "")
    table.add("files changed", found["files"], "")
    table.add("files changed without being asked about", found["unasked"], verdict(not found["unasked"]))
    table.add("files described wrongly", found["wrong"], verdict(not found["wrong"]))
    table.notes.append(
        f"{seconds((perf_counter() - started) / diffs)} each. Most frequent refusals before the question:"
    )
    table.notes += [f"- {count} × {reason}" for reason, count in refusals.most_common(15)]
    return table
