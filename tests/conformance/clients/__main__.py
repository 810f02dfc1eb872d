"""Drives a real client against a scripted model: ``python -m tests.conformance.clients CLIENT [SCENARIO]``.

What the client wrote stays in the folder given with ``--home``. Exits with 1 when the client failed; with 3 when it
is not installed.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.run import PROGRAMS, SCENARIOS, interact, our_server, reference_server, run
from tests.conformance.node import CannotRunError


def main() -> int:
    """Run what the command line asks for, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.clients", description="Drive a real client against a scripted model, offline."
    )
    parser.add_argument("client", choices=PROGRAMS)
    parser.add_argument("scenario", nargs="?", default="chain", choices=SCENARIOS)
    parser.add_argument("--delay", type=float, default=0.0, metavar="S", help="seconds that each answer takes")
    parser.add_argument("--server", choices=("ours", "reference"), default="ours", help="the MCP server behind it")
    parser.add_argument("--home", type=Path, metavar="FOLDER", help="the client's home (default: a temporary folder)")
    parser.add_argument("--model", metavar="NAME", help="what the client takes its model for")
    parser.add_argument(
        "--interactive", action="store_true", help="open the client's own screen; type prompts yourself"
    )
    asked = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="seqthink-clients-") as scratch:
            return _run(asked, (asked.home or Path(scratch)).resolve())
    except CannotRunError as error:
        print(f"clients: {error}", file=sys.stderr)
        return 3


def _run(asked: argparse.Namespace, home: Path) -> int:
    home.mkdir(parents=True, exist_ok=True)
    server = our_server(home) if asked.server == "ours" else reference_server()
    setting = Setting(home, home / "work", "", server, asked.model)
    if asked.interactive:
        return interact(PROGRAMS[asked.client], setting, asked.delay)
    ended = run(PROGRAMS[asked.client], SCENARIOS[asked.scenario], setting, asked.delay)
    for end in ended:
        print(f"\n{end.stage.how}: {end.stage.prompt}\n  status {end.status}\n{end.said}", flush=True)
    return 1 if any(end.status for end in ended) else 0


if __name__ == "__main__":
    sys.exit(main())
