"""What came of a scenario, held against what is known to fail here. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

_BAD = {"FAILURE", "WARNING"}


class Check(NamedTuple):
    """One check of a scenario; only a status of SUCCESS, WARNING or FAILURE says something about the server."""

    name: str
    status: str
    message: str = ""


class Scenario(NamedTuple):
    """A scenario that was run."""

    name: str
    checks: Sequence[Check]


class Verdict(NamedTuple):
    """A line of the report; ``is_right`` when all is as it is known to be."""

    name: str
    score: str
    words: str
    is_right: bool


def judge(scenario: Scenario, known: Mapping[str, str]) -> Verdict:
    """Return whether exactly those checks failed, or warned, that ``known`` gives a reason for."""
    passed = [check.name for check in scenario.checks if check.status == "SUCCESS"]
    failed = [check for check in scenario.checks if check.status in _BAD]
    score = f"{len(passed)}/{len(passed) + len(failed)}"
    surprises = [f"{check.name}: {check.message}" for check in failed if check.name not in known]
    surprises += [f"{name} passes now; take it off the table" for name in passed if name in known]
    if surprises or not passed + failed:
        return Verdict(scenario.name, score, "WRONG: " + ("; ".join(surprises) or "nothing was checked"), False)
    reasons = dict.fromkeys(known[check.name] for check in failed)
    return Verdict(scenario.name, score, "; ".join(reasons) or "passed", True)


def unseen(scenarios: Iterable[Scenario], known: Iterable[str]) -> list[Verdict]:
    """Return a verdict for each check in ``known`` that no scenario has."""
    seen = {check.name for scenario in scenarios for check in scenario.checks}
    return [Verdict(name, "0/0", "WRONG: no scenario has this check", False) for name in known if name not in seen]
