"""Rounds of faults: journals that are written, shippers that send them, and something that goes wrong meanwhile.

Afterwards the engine's copy is compared with each journal byte by byte, and its entry ids with 1 … n. ``PlainShipper``
rounds are the control: they must lose lines where an engine forgets.
"""

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, Self

import redis

from seqthink.cli.stories.engine_program import EngineProgram
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.layout import Layout, SessionName
from seqthink.sources.fleet.mirror.folder import FleetFolder
from seqthink.sources.fleet.opening import open_reader
from tests.conftest import PROJECT
from tests.support.fleet.growing_journal import GrowingJournal
from tests.support.fleet.tcp_proxy import TcpProxy

ORIGIN = "tests-aaaaaa"
SESSIONS = 3
CATCH_UP_SECONDS = 90.0
ROUND_SECONDS = 2.5
_DISK_BYTES = 6 << 20


class Copy(NamedTuple):
    """What the engine has of one journal, compared with it."""

    lines: int
    lost: int
    doubled: int
    is_identical: bool


class Outcome(NamedTuple):
    """What came of a round."""

    copies: list[Copy]
    behind: float
    """Seconds from the end of the fault, or from the last written line if that came later, until all was there."""
    said: str
    """What the shippers said on stderr."""

    @property
    def lines(self) -> int:
        """How many lines were written."""
        return sum(copy.lines for copy in self.copies)

    @property
    def lost(self) -> int:
        """How many of them the engine does not have."""
        return sum(copy.lost for copy in self.copies)

    @property
    def doubled(self) -> int:
        """How many it has more than once."""
        return sum(copy.doubled for copy in self.copies)

    @property
    def is_identical(self) -> bool:
        """Whether nothing is different, and nothing crashed."""
        return all(copy.is_identical for copy in self.copies) and "Traceback" not in self.said


class Scene:
    """An engine, a network before it, a machine with journals, and its shippers; a context manager."""

    def __init__(
        self,
        folder: Path,
        program: str,
        fault: "Fault",
        seed: int,
        *,
        seconds: float = ROUND_SECONDS,
        is_control: bool = False,
    ) -> None:
        """Prepare a round.

        Args:
            folder: where all is; must be there and empty.
            program: the engine's path.
            fault: what goes wrong.
            seed: of all that is random.
            seconds: how long it goes wrong.
            is_control: whether the plain shipper sends.
        """
        self.random = random.Random(seed)
        self.home = folder / "home"
        self.journals = self.home / "sessions"
        self.data = folder / "engine"
        self.engine = EngineProgram(program, self.data, is_kept=fault.is_kept)
        self.proxy = TcpProxy(self.engine.port)
        self.times = [datetime.fromtimestamp(time.time(), UTC)] * SESSIONS
        self.shippers = 1
        self.shipper_path = str(PROJECT)
        self._log = folder / "said.log"
        self._fault = fault
        self._is_control = is_control
        self._seconds = seconds
        self._seed = seed
        self._processes: list[subprocess.Popen[bytes]] = []
        self.stack = ExitStack()
        self._pause = threading.Event()

    def __enter__(self) -> Self:
        self.home.mkdir()
        self.data.mkdir()
        self._fault.prepare(self)
        self.journals.mkdir()
        self.engine.start()
        self.stack.callback(self.engine.stop)
        self.stack.enter_context(self.proxy)
        self.stack.callback(self._end_shippers)
        self.client = redis.Redis(port=self.engine.port, protocol=2)
        self.stack.callback(self.client.close)
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    @property
    def names(self) -> list[SessionName]:
        """The sessions that are written."""
        return [SessionName(ORIGIN, f"20260310T14020{place}.000000Z-aaaaa{place + 2}") for place in range(SESSIONS)]

    def path(self, name: SessionName) -> Path:
        """Return a session's journal."""
        return self.journals / f"{name.session}.jsonl"

    def wait(self, seconds: float) -> None:
        """Wait."""
        self._pause.wait(seconds)

    def moments(self, least: float, most: float) -> Generator[None]:
        """Yield after pauses of random length, until the round's time is over."""
        while time.monotonic() < self._until:
            self.wait(self.random.uniform(least, most))
            yield

    def start_shipper(self) -> subprocess.Popen[bytes]:
        """Start one more shipper."""
        command = [sys.executable, "-m", "seqthink", "ship", self.proxy.url, "--verbatim", "--origin", ORIGIN]
        if self._is_control:
            plain = "tests.support.fleet.plain_shipper"
            command = [sys.executable, "-m", plain, str(self.proxy.port), str(self.journals), ORIGIN]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SEQTHINK_")}
        environment |= {"SEQTHINK_HOME": str(self.home), "PYTHONPATH": self.shipper_path}
        with self._log.open("ab") as log:
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._processes.append(process)
        return process

    def kill_shipper(self) -> None:
        """Kill one of the shippers, and start another."""
        if self._processes:
            process = self._processes.pop(self.random.randrange(len(self._processes)))
            process.kill()
            process.wait()
        self.start_shipper()

    def said(self) -> str:
        """Return what the shippers said so far."""
        with suppress(FileNotFoundError):
            return self._log.read_text(encoding="utf-8", errors="replace")
        return ""

    def run(self, while_it_runs: Callable[[], None] = lambda: None) -> Outcome:
        """Write, ship, and let it go wrong for the round's time; then wait until all is there, and compare."""
        for _ in range(self.shippers):
            self.start_shipper()
        with ExitStack() as writing:
            for place, name in enumerate(self.names):
                seed = self._seed * SESSIONS + place
                writing.enter_context(GrowingJournal(self.path(name), seed, start=self.times[place]))
            self.wait_until(lambda: all(self.last(name) for name in self.names), 30)
            assert all(self.last(name) for name in self.names), f"no shipper ships: {self.said()}"
            while_it_runs()
            self._until = time.monotonic() + self._seconds
            self._fault.happens(self)
        healed = time.monotonic()
        limit = 5.0 if self._is_control else CATCH_UP_SECONDS
        self.wait_until(self._is_all_there, limit)
        behind = time.monotonic() - healed
        copies = [self.copy(name) for name in self.names]
        self._end_shippers()
        return Outcome(copies, behind, self.said())

    def last(self, name: SessionName) -> int:
        """Return the number of the last line that the engine has."""
        with suppress(redis.RedisError):
            info: Any = self.client.xinfo_stream(Layout("main").lines(name))
            return int(info["last-generated-id"].partition(b"-")[0])
        return 0

    def kept(self, name: SessionName) -> list[tuple[int, bytes]]:
        """Return the lines that the engine has, with their numbers."""
        found: Any = self.client.xrange(Layout("main").lines(name))
        return [(int(entry.partition(b"-")[0]), fields[b"l"]) for entry, fields in found]

    def copy(self, name: SessionName) -> Copy:
        """Compare what the engine has of a session with its journal."""
        lines, kept = self.path(name).read_bytes().split(b"\n")[:-1], self.kept(name)
        numbers = [number for number, _ in kept]
        return Copy(
            lines=len(lines),
            lost=len(set(range(1, len(lines) + 1)) - set(numbers)),
            doubled=len(numbers) - len(set(numbers)) + max(0, len(set(numbers)) - len(lines)),
            is_identical=kept == list(enumerate(lines, 1)),
        )

    def forget(self) -> None:
        """Let the engine forget the newest entries of each session, as a failover behind a proxy does."""
        for name in self.names:
            key = Layout("main").lines(name)
            kept = self.kept(name)
            stays = kept[: max(0, len(kept) - self.random.randint(1, 60))]
            both: Any = self.client.pipeline(transaction=True)  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
            both.delete(key)
            for number, line in stays:
                both.xadd(key, {"l": line}, id=f"{number}-0")
            both.execute()

    def _is_all_there(self) -> bool:
        return all(self.last(name) >= self.path(name).read_bytes().count(b"\n") for name in self.names)

    def wait_until(self, is_so: Callable[[], bool], seconds: float = CATCH_UP_SECONDS) -> None:
        """Wait until it is so, at most so long."""
        end = time.monotonic() + seconds
        while not is_so() and time.monotonic() < end:
            self.wait(0.01)

    def _end_shippers(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()


class Fault(NamedTuple):
    """Something that goes wrong."""

    name: str
    happens: Callable[[Scene], None]
    prepare: Callable[[Scene], None] = lambda _: None
    is_kept: bool = True
    """Whether the engine keeps its data in a file."""
    needs_root: bool = False


def _nothing(scene: Scene) -> None:
    for _ in scene.moments(0.2, 0.2):
        pass


def _kill_engine(scene: Scene) -> None:
    for _ in scene.moments(0.3, 0.8):
        scene.engine.kill()
        scene.wait(scene.random.uniform(0, 0.3))
        scene.engine.start()


def _forget(scene: Scene) -> None:
    for _ in scene.moments(0.1, 0.3):
        scene.forget()


def _hold(scene: Scene) -> None:
    for _ in scene.moments(0.1, 0.5):
        scene.proxy.hold()
        scene.wait(scene.random.uniform(0.1, 0.8))
        scene.proxy.release()


def _cut(scene: Scene) -> None:
    for _ in scene.moments(0.05, 0.4):
        scene.proxy.cut()


def _slow(scene: Scene) -> None:
    for _ in scene.moments(0.1, 0.3):
        scene.proxy.slow(100_000)
        scene.wait(0.8)
        scene.proxy.release()


def _half_open(scene: Scene) -> None:
    for _ in scene.moments(0.3, 0.6):
        scene.proxy.lose_peer()


def _kill_shipper(scene: Scene) -> None:
    for _ in scene.moments(0.05, 0.6):
        scene.kill_shipper()


def _three_shippers(scene: Scene) -> None:
    scene.shippers = 3


def _on_small_disk(folder: Callable[[Scene], Path]) -> Callable[[Scene], None]:
    def prepare(scene: Scene) -> None:
        target = folder(scene)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES}", "tmpfs", str(target)], check=True)
        scene.stack.callback(subprocess.run, ["umount", "-l", str(target)], check=True)

    return prepare


def _fill(folder: Callable[[Scene], Path]) -> Callable[[Scene], None]:
    def fill(scene: Scene) -> None:
        ballast = folder(scene) / "ballast"
        for _ in scene.moments(0.2, 0.5):
            with suppress(OSError), ballast.open("wb", 0) as file:
                while True:
                    file.write(bytes(16 << 10))
            scene.wait(scene.random.uniform(0.3, 1.2))
            ballast.unlink()

    return fill


def _shift_times(scene: Scene) -> None:
    now = datetime.fromtimestamp(time.time(), UTC)
    scene.times = [now + timedelta(days=days) for days in (-1, 1, 0)]
    shim = scene.home / "shim"
    shim.mkdir()
    shift = scene.random.choice((-86400, 86400))
    # There is no `faketime` here: the shipper's own clock is moved inside Python.
    (shim / "sitecustomize.py").write_text(
        f"import time\nreal, real_ns = time.time, time.time_ns\n"
        f"time.time = lambda: real() + {shift}\ntime.time_ns = lambda: real_ns() + {shift} * 10**9\n",
        encoding="utf-8",
    )
    scene.shipper_path = f"{shim}{os.pathsep}{PROJECT}"


def _data(scene: Scene) -> Path:
    return scene.data


def _home(scene: Scene) -> Path:
    return scene.home


FAULTS: Sequence[Fault] = (
    Fault("engine killed (-9) and started again, AOF", _kill_engine),
    Fault("engine that lost everything, each time", _kill_engine, is_kept=False),
    Fault("acknowledged entries forgotten (failover)", _forget),
    Fault("network held for 0.1 to 0.8 s", _hold),
    Fault("network cut", _cut),
    Fault("network slow, 100 kB/s", _slow),
    Fault("network half-open", _half_open),
    Fault("shipper killed (-9)", _kill_shipper),
    Fault("three shippers on one folder", _nothing, _three_shippers),
    Fault("three shippers, and any is killed", _kill_shipper, _three_shippers),
    Fault("disk full at the engine", _fill(_data), _on_small_disk(_data), needs_root=True),
    Fault("disk full at the agent's machine", _fill(_home), _on_small_disk(_home), needs_root=True),
    Fault("clocks off by a day", _nothing, _shift_times),
)
"""What goes wrong so that afterwards all must be there. What must be left alone is in `edited_round`."""

QUIET = Fault("nothing", _nothing)
"""Nothing goes wrong."""


class Edited(NamedTuple):
    """What came of a journal that was edited under the shipper."""

    is_said: bool
    is_left_alone: bool
    """Whether the engine still has what it had of it."""
    others_go_on: bool
    said: str


def edited_round(scene: Scene) -> Edited:
    """Change the end of a journal that is in the engine, and let it and the others grow."""
    assert scene.run().is_identical
    edited, other, _ = scene.names
    before = scene.kept(edited)
    shipper = scene.start_shipper()
    data = scene.path(edited).read_bytes()
    changed = data[:-20] + b"X" * 19 + b"\n" + b'{"more":"lines"}\n' * 5
    if scene.random.random() < 0.5:
        scene.path(edited).write_bytes(changed)
    else:
        beside = scene.home / "edited"
        beside.write_bytes(changed)
        beside.replace(scene.path(edited))
    with scene.path(other).open("ab") as file:
        file.write(b'{"more":"lines"}\n' * 5)
    scene.wait_until(lambda: "diverged" in scene.said() and scene.copy(other).is_identical, 20)
    is_alive = shipper.poll() is None
    return Edited(
        is_said="diverged" in scene.said() and "Traceback" not in scene.said(),
        is_left_alone=scene.kept(edited) == before,
        others_go_on=scene.copy(other).is_identical and is_alive,
        said=scene.said(),
    )


class Read(NamedTuple):
    """What a viewer has of the sessions whose beginnings were dropped while it read."""

    lines: int
    missing: int
    is_in_order: bool
    """Whether each line that it has is one of the journal's, once and in its place, and the last one is there."""
    is_named: bool
    """Whether it says that lines are missing, where some are."""


def retention_round(scene: Scene) -> Read:
    """Follow all sessions while the engine drops their beginnings, and now and then one of them whole."""
    address = parse_address(scene.proxy.url)
    folder = FleetFolder(lambda: open_reader(address, {}), os.environ, lambda: time.time_ns() // 1000)
    try:
        paths: dict[SessionName, Path] = {}

        def are_listed() -> bool:
            folder.refresh()
            return len(folder.listed) == SESSIONS

        def watch() -> None:
            scene.wait_until(are_listed, 30)
            for file in folder.listed:
                name = folder.name_of(file.path)
                assert name is not None
                paths[name] = file.path
                folder.follow(file.path)

        scene.run(while_it_runs=watch)
        ends = {name: scene.path(name).read_bytes().split(b"\n")[-2] for name in paths}
        scene.wait_until(lambda: all(ends[name] in path.read_bytes() for name, path in paths.items()), 30)
        found = [_compared(scene.path(name), path, folder) for name, path in paths.items()]
    finally:
        folder.close()
    return Read(
        lines=sum(one.lines for one in found),
        missing=sum(one.missing for one in found),
        is_in_order=len(found) == SESSIONS and all(one.is_in_order for one in found),
        is_named=all(one.is_named for one in found),
    )


def _compared(journal: Path, mirrored: Path, folder: FleetFolder) -> Read:
    lines = journal.read_bytes().split(b"\n")[:-1]
    *mirror, torn = mirrored.read_bytes().split(b"\n")
    place, is_in_order = 0, not torn and bool(mirror) and mirror[-1] == lines[-1]
    for line in mirror:
        while place < len(lines) and lines[place] != line:
            place += 1
        is_in_order &= place < len(lines)
        place += 1
    missing = len(lines) - len(mirror)
    said = folder.first_kept(mirrored) > 1 or folder.has_holes(mirrored) or bool(folder.problem_of(mirrored))
    is_named = not missing or said
    return Read(len(mirror), missing, is_in_order, is_named)


def _drop(scene: Scene) -> None:
    for _ in scene.moments(0.1, 0.4):
        for name in scene.names:
            scene.client.xtrim(Layout("main").lines(name), maxlen=scene.random.randint(1, 60), approximate=False)
        if scene.random.random() < 0.2:
            scene.client.delete(Layout("main").lines(scene.random.choice(scene.names)))


RETENTION = Fault("retention passes while a viewer reads", _drop)
"""The engine drops lines that are kept no longer."""
