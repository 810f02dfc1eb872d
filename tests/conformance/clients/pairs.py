"""Two sessions of a real client at once, in one folder: ``python -m tests.conformance.clients.pairs CLIENT``.

Both begin with the same thoughts; one of them asks subagents. A catalog such as the viewer's watches them. At the end
each must be a session of its own, with all its thoughts, each once and by the agent that had it. Exits with 1 if one
run gave something else; with 3 when the client is not installed.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from seqthink.core.events import ThoughtEvent
from seqthink.journal.decode import decode
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from tests.conformance.clients.programs.program import Program, Setting
from tests.conformance.clients.run import PROGRAMS, command_of, environ_of, our_server, ready, reference_server
from tests.conformance.clients.script import SCRIPTS
from tests.conformance.node import CannotRunError

Thoughts = Counter[tuple[str, bool]]
"""How often each thought is there: its text, and whether a subagent had it."""
_SUBAGENTS: Final = {"agents": ("log", "schedule"), "chain": ()}
_LOOK_SECONDS: Final = 0.3
_BOUND: Final = 300.0
_TRIES: Final = 4


def main() -> int:
    """Run what the command line asks for, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.clients.pairs", description="Run two sessions.")
    parser.add_argument("client", choices=PROGRAMS)
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="how often (default: 10)")
    parser.add_argument("--delay", type=float, default=0.2, metavar="S", help="seconds that each answer takes")
    parser.add_argument("--server", choices=("ours", "reference"), default="ours", help="the MCP server behind it")
    asked = parser.parse_args()
    try:
        results = [_run_again(PROGRAMS[asked.client], asked.server, asked.delay) for _ in range(asked.runs)]
    except CannotRunError as error:
        print(f"pairs: {error}", file=sys.stderr)
        return 3
    for result in results:
        print(result or "apart")
    print(f"{results.count('')} of {len(results)} runs stayed apart")
    return 1 if any(results) else 0


def _run_again(program: Program, server: str, delay: float) -> str:
    """Run two sessions at once, again where the client itself fails: two of OpenCode make one new database.

    Raises:
        CannotRunError: the client fails each time.
    """
    for _ in range(_TRIES):
        result = _run(program, server, delay)
        if result is not None:
            return result
    raise CannotRunError(f"{program.name} fails each time that two of it run at once")


def _run(program: Program, server: str, delay: float) -> str | None:
    """Run two sessions at once; return what was wrong with what was shown, or ""; None if the client failed."""
    with tempfile.TemporaryDirectory(prefix="seqthink-pairs-", ignore_cleanup_errors=True) as scratch:
        home = Path(scratch).resolve()
        behind = our_server(home) if server == "ours" else reference_server()
        setting = Setting(home, home / "work", "", behind)
        with ready(program, setting, delay) as there, _watched(program, there) as catalog:
            processes = [_begun(program, there, play) for play in _SUBAGENTS]
            statuses = [process.wait(_BOUND) for process in processes]
        shown = _shown(catalog)
        expected = sorted(map(_expected, _SUBAGENTS), key=_total)
        if any(statuses):
            return None
        return "" if shown == expected else f"{len(shown)} sessions: {[_unlike(one, expected) for one in shown]}"


def _begun(program: Program, setting: Setting, play: str) -> "subprocess.Popen[bytes]":
    command = command_of(program, program.begin(setting, f"Why do we see 502s? (play: {play})"))
    return subprocess.Popen(
        command, cwd=setting.work, env=environ_of(program, setting), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


@contextmanager
def _watched(program: Program, setting: Setting) -> Generator[SessionCatalog]:
    """Look at the sessions again and again, as the viewer does, until the end and once more."""
    environ = {**environ_of(program, setting), "XDG_RUNTIME_DIR": str(setting.home / "runtime")}
    (setting.home / "runtime").mkdir(mode=0o700)
    clock = lambda: time.time_ns() // 1000  # noqa: E731 - one expression
    library = TranscriptPlace(frozenset({program.name}), environ, setting.home, clock)
    catalog, stopped = SessionCatalog(FolderPlace(setting.home / "journals" / "sessions"), library), threading.Event()

    def look() -> None:
        while not stopped.wait(_LOOK_SECONDS):
            _look(catalog)

    thread = threading.Thread(target=look, name="catalog", daemon=True)
    thread.start()
    try:
        yield catalog
    finally:
        stopped.set()
        thread.join()
        _look(catalog)


def _look(catalog: SessionCatalog) -> None:
    catalog.refresh()
    for file in catalog.sessions():
        catalog.session(file.path).read_whole()


def _shown(catalog: SessionCatalog) -> list[Thoughts]:
    """Return the thoughts of each session in the list."""
    found: list[Thoughts] = []
    for file in catalog.sessions():
        events = [decode(line) for line in file.path.read_bytes().splitlines()]
        thoughts = (event for event in events if isinstance(event, ThoughtEvent))
        found.append(Counter((event.thought, event.agent is not None) for event in thoughts))
    return sorted(found, key=_total)


def _total(thoughts: Thoughts) -> int:
    return thoughts.total()


def _expected(play: str) -> Thoughts:
    plays = [(play, False), *((name, True) for name in _SUBAGENTS[play])]
    return Counter(
        (str(call.arguments["thought"]), is_agent)
        for name, is_agent in plays
        for step in SCRIPTS[name]
        for call in step.calls
        if call.does == "think" and isinstance(call.arguments["thoughtNumber"], int)
    )


def _unlike(shown: Thoughts, expected: list[Thoughts]) -> dict[str, list[tuple[str, bool]]]:
    """Return what is missing and what is too much, compared with the most similar of what was expected."""
    nearest = min(expected, key=lambda one: ((one - shown) + (shown - one)).total())
    return {"missing": [*(nearest - shown).elements()], "too much": [*(shown - nearest).elements()]}


if __name__ == "__main__":
    sys.exit(main())
