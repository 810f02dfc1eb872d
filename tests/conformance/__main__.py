"""Runs the suite and the Inspector against the server: ``python -m tests.conformance [--cache FOLDER]``.

Exits with 1 when something fails that should pass, or passes that is known to fail; with 3 when it cannot run.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from tests.conformance import inspector, suite
from tests.conformance.mount import mounted
from tests.conformance.node import CannotRunError, Node, prepare
from tests.conformance.verdicts import Scenario, Verdict, judge, unseen


def main() -> int:
    """Prepare, run everything, print a table for each run, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description="Run other people's MCP tests.")
    cache = platformdirs.user_cache_path("seqthink", appauthor=False) / "conformance"
    parser.add_argument(
        "--cache",
        type=Path,
        default=cache,
        metavar="FOLDER",
        help="where Node and its packages go (default: %(default)s)",
    )
    folder: Path = parser.parse_args().cache
    try:
        node = prepare(folder.resolve())
        with tempfile.TemporaryDirectory(prefix="seqthink-conformance-") as scratch:
            verdicts = [*_run_suite(node, Path(scratch)), *_run_inspector(node, Path(scratch))]
    except CannotRunError as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 3
    wrong = sum(not verdict.is_right for verdict in verdicts)
    print(f"\n{len(verdicts)} scenarios, " + (f"{wrong} WRONG" if wrong else "all as they should be"))
    return 1 if wrong else 0


def _run_suite(node: Node, scratch: Path) -> list[Verdict]:
    scenarios: list[Scenario] = []
    verdicts: list[Verdict] = []
    for number, asked in enumerate(suite.RUNS):
        folder = scratch / str(number)
        folder.mkdir()
        with mounted(folder) as url:
            ran = suite.run(node, asked, url, folder)
        scenarios += ran
        verdicts += _report(asked.title, [judge(scenario, suite.KNOWN) for scenario in ran])
    missing = unseen(scenarios, suite.KNOWN)
    return verdicts + (_report("known to fail, and gone", missing) if missing else [])


def _run_inspector(node: Node, scratch: Path) -> list[Verdict]:
    scenarios = inspector.run(node, scratch)
    return _report("Inspector over stdio", [judge(scenario, {}) for scenario in scenarios])


def _report(title: str, verdicts: Sequence[Verdict]) -> list[Verdict]:
    print(f"\n{title}", flush=True)
    for verdict in verdicts:
        print(f"  {verdict.name:<46} {verdict.score:>6}  {verdict.words}", flush=True)
    return list(verdicts)


if __name__ == "__main__":
    sys.exit(main())
