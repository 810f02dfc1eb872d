"""An engine, a machine with journals, its shipper and a viewer elsewhere, for measurements."""

import os
import signal
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import redis

from seqthink.cli.stories.engine_program import EngineProgram
from seqthink.sources.fleet.layout import Layout, SessionName
from tests.bench.terminal import ROOT, python, wait_seconds

ORIGIN = "bench-aaaaaa"
_END_SECONDS = 10.0


class BenchFleet(NamedTuple):
    """An engine and the home of a machine."""

    engine: EngineProgram
    home: Path
    elsewhere: Path
    """The home of who looks."""
    client: Any
    """A client of redis-py, whose own types say little."""

    @property
    def sessions(self) -> Path:
        """The machine's folder of journals."""
        return self.home / "sessions"

    def last(self, session: str) -> int:
        """Return the number of the last line that the engine has."""
        try:
            info: Any = self.client.xinfo_stream(Layout("main").lines(SessionName(ORIGIN, session)))
        except redis.ResponseError:
            return 0
        return int(info["last-generated-id"].partition(b"-")[0])

    def ship(self, *options: str, url: str | None = None) -> list[str]:
        """Return the command of its shipper."""
        return python("seqthink", "ship", url or self.engine.url, "--origin", ORIGIN, *options)

    def environment(self) -> dict[str, str]:
        """Return the environment of the machine's programs."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SEQTHINK_")}
        return environment | {"SEQTHINK_HOME": str(self.home), "PYTHONPATH": str(ROOT)}

    @contextmanager
    def shipping(self, *options: str, url: str | None = None) -> Generator[subprocess.Popen[bytes]]:
        """Run its shipper until the block is left."""
        with (self.home / "said.log").open("ab") as log:
            process = subprocess.Popen(
                self.ship(*options, url=url), env=self.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def wait_for(self, wanted: Mapping[str, int], bound: float = 120.0) -> None:
        """Wait until the engine has that many lines of each session.

        Raises:
            TimeoutError: it has not got them in time.
        """
        waited = 0.0
        while any(self.last(session) < lines for session, lines in wanted.items()):
            wait_seconds(0.01)
            waited += 0.01
            if waited > bound:
                said = (self.home / "said.log").read_text("utf-8")[-500:]
                raise TimeoutError(f"the engine has {[self.last(one) for one in wanted][:5]}: {said}")


@contextmanager
def bench_fleet(folder: Path, program: str, *, is_kept: bool = True) -> Generator[BenchFleet]:
    """Start an engine and lay out a machine in ``folder`` until the block is left."""
    for name in ("engine", "home/sessions", "elsewhere"):
        (folder / name).mkdir(parents=True)
    engine = EngineProgram(program, folder / "engine", is_kept=is_kept)
    engine.start()
    client = redis.Redis(port=engine.port, protocol=2)
    try:
        yield BenchFleet(engine, folder / "home", folder / "elsewhere", client)
    finally:
        client.close()
        engine.stop()
