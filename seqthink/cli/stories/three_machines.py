"""`make fleet`: an engine of its own, three machines with a scripted agent each, and the wall that shows them all.

A machine is a folder with its own journals, an agent and a shipper. At the end, what the engine has is compared with
the journals, byte by byte. It is a program of its own (``python -m seqthink.cli.stories.three_machines``); exit status
0 means that nothing was lost.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NamedTuple, NoReturn

from seqthink.cli.stories.engine_program import INSTALL, EngineProgram, find_program
from seqthink.core.errors import SeqthinkError

_STOP_SECONDS = 5.0
"""How long to wait for a process of ours after each way to stop it."""
_PLUG_SECONDS, _DARK_SECONDS = 20.0, 3.0
"""How long the engine runs with ``--plug``, and how long it is away then."""
_CATCH_UP_SECONDS = 60.0


class DemoMachine(NamedTuple):
    """A machine of the demo."""

    host: str
    story: str
    pace: float
    """What the story's pauses are multiplied by."""

    @property
    def origin(self) -> str:
        """The name of the installation, as `seqthink ship` would make it."""
        return f"{self.host}-demo{self.host[:2]}"


MACHINES = (
    DemoMachine("laptop", "shop-api", 1.0),
    DemoMachine("buildbox", "outbox", 0.7),
    DemoMachine("runner", "shop-api", 1.6),
)
"""The three machines."""


class _EndedError(Exception):
    """A signal asks us to end."""


def main() -> int:
    """Show the wall until its user leaves, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m seqthink.cli.stories.three_machines",
        description="Watch the agents of three machines on one wall, through an engine of this machine.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--plug", action="store_true", help=f"pull the engine's plug every {_PLUG_SECONDS:.0f} s, for an audience"
    )
    options = parser.parse_args()
    program = find_program()
    if program is None:
        sys.stderr.write(f"{INSTALL}\n")
        return 1
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _end)
    try:
        return _show(program, pulls_plug=options.plug)
    except _EndedError:
        return 130
    except (SeqthinkError, OSError) as error:
        sys.stderr.write(f"the fleet does not start: {error}\n")
        return 1


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # what is left is the end of our processes, which takes seconds at most
    raise _EndedError


def _show(program: str, *, pulls_plug: bool) -> int:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="seqthink-fleet-")))
        data = folder / "engine"
        data.mkdir()
        engine = EngineProgram(program, data)
        stack.callback(engine.stop)
        engine.start()
        sys.stderr.write(f"{Path(program).name} serves at {engine.url}; three machines think, the wall comes up\n")
        with ExitStack() as machines:
            for machine in MACHINES:
                machines.enter_context(_running(_agent(machine, folder), folder / machine.host, folder))
                machines.enter_context(_running(_shipper(machine, engine.url), folder / machine.host, folder))
            with _plug(engine) if pulls_plug else ExitStack():
                status = _wall(engine.url, folder)
        if status:
            sys.stderr.write(f"the wall ended with status {status}\n")
            return status
        return _compared(engine.url, folder)


def _agent(machine: DemoMachine, folder: Path) -> list[str]:
    return [
        *_seqthink_module("seqthink.cli.stories.agent", "--until-eof", "--loop", "--name", machine.story),
        *("--pace", str(machine.pace), "--mark", machine.host),
        *("--journal-dir", str(folder / machine.host / "sessions")),
    ]


def _shipper(machine: DemoMachine, url: str) -> list[str]:
    return _seqthink("ship", url, "--origin", machine.origin, "--verbatim", "--notes")


def _wall(url: str, folder: Path) -> int:
    """Show the wall on this terminal until its user leaves, and return its status."""
    wall = subprocess.Popen(_seqthink("watch", "--all", "--fleet", url), env=_environment(folder / "viewer"))
    try:
        return wall.wait()
    finally:
        _stop(wall)


@contextmanager
def _plug(engine: EngineProgram) -> Generator[None]:
    """Pull the engine's plug again and again until the block is left; the engine runs then."""
    is_over = threading.Event()

    def pull() -> None:
        while not is_over.wait(_PLUG_SECONDS):
            engine.kill()
            is_over.wait(_DARK_SECONDS)
            with suppress(SeqthinkError):  # the comparison at the end will say that there is none
                engine.start()

    puller = threading.Thread(target=pull, daemon=True)
    puller.start()
    try:
        yield
    finally:
        is_over.set()
        puller.join()


@contextmanager
def _running(command: Sequence[str], home: Path, folder: Path) -> Generator[None]:
    """Run a program of a machine until the block is left; it also ends when its stdin does."""
    home.mkdir(exist_ok=True)
    with (folder / "said.log").open("ab") as log:
        process = subprocess.Popen(
            command,
            env=_environment(home),
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is ours
        )
    try:
        yield
    finally:
        assert process.stdin is not None, "it was made with a pipe"
        process.stdin.close()
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    for stop in (process.terminate, process.kill):
        if process.poll() is None:
            stop()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
            return


def _compared(url: str, folder: Path) -> int:
    """Say whether the engine has each journal, byte by byte, and return the exit status."""
    sys.stderr.write("the engine's copy is compared with the journals\n")
    lost: list[str] = []
    lines = sessions = 0
    for machine in MACHINES:
        home = folder / machine.host
        _run([*_shipper(machine, url), "--once", "--timeout", f"{_CATCH_UP_SECONDS:.0f}"], home)
        for journal in sorted((home / "sessions").glob("*.jsonl")):
            if not journal.name.endswith(".notes.jsonl"):
                copy = folder / f"copy of {journal.name}"
                _run(_seqthink("fetch", journal.stem, "--fleet", url, "--output", str(copy)), folder / "viewer")
                kept = journal.read_bytes()
                lines, sessions = lines + kept.count(b"\n"), sessions + 1
                if not copy.exists() or copy.read_bytes() != kept:
                    lost.append(f"{machine.host}: {journal.stem}")
    if lost:
        sys.stderr.write("the engine's copy is not the journal:\n" + "".join(f"  {one}\n" for one in lost))
        return 1
    sys.stdout.write(
        f"{len(MACHINES)} machines, {sessions} sessions, {lines:,} lines: the engine has each of them, byte for byte\n"
    )
    return 0


def _run(command: Sequence[str], home: Path) -> None:
    done = subprocess.run(command, env=_environment(home), stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr.decode(errors="replace"))


def _seqthink(*arguments: str) -> list[str]:
    return _seqthink_module("seqthink", *arguments)


def _seqthink_module(name: str, *arguments: str) -> list[str]:
    # From this program's own path; `-P` keeps the working folder out of it.
    return [sys.executable, "-P", "-m", name, *arguments]


def _environment(home: Path) -> dict[str, str]:
    """Return the environment of a machine: without the settings of the user's own agents, engine and viewer."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SEQTHINK_")}
    return environment | {"SEQTHINK_HOME": str(home), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


if __name__ == "__main__":
    sys.exit(main())
