"""Runs commands in forks of one warm process: a command needs a tenth of a second of CPU, mostly to load its modules.

A fork has its own descriptors, environment, folder and streams, runs `python -m seqthink` from its first line, and
ends as each interpreter ends: threads are waited for, exit functions called, streams flushed. It only frees nothing,
which would copy the memory of the warm process. What only an interpreter shows stays with real processes: other
PYTHON and locale variables (`run_in_a_fork` declines them), which modules a command loads (test_imports_commands,
test_completion), closed and full descriptors, pipes without a reader (test_main), terminals and signals (whatever
starts `command` itself: over a hundred cases of tests/cli alone). `warm_terminals` forks for terminals.
"""

import atexit
import importlib
import io
import os
import pkgutil
import runpy
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.support.servers.warm_server import PROJECT, TIMEOUT_SECONDS, WarmServer, requests_of_forks, take_over

AT_START = ("PYTHON", "LANG", "LC_", "MALLOC_", "LD_")
"""Beginnings of the variables that an interpreter, or its loader, reads once."""
_PATHS = {
    ("PYTHONPATH", os.pathsep.join([str(PROJECT / "tests/support" / folder), str(PROJECT)]))
    for folder in ("without_posix", "like_macos")
}
"""Two other starts that many tests share: on other platforms."""
_WORTH_A_PROCESS = 3
"""How many commands with the same start make a warm process for it worth its own start."""
_is_asking = threading.Lock()
"""One command at a time: what a test runs beside it gets a process of its own."""
_asked: Counter[frozenset[tuple[str, str]]] = Counter()
_NOT_LOADED = (
    *("seqthink.__main__", "seqthink.audit", "seqthink.cli.stories", "seqthink.dialogue", "seqthink.server"),
    *("seqthink.share.shipping", "seqthink.share.web", "seqthink.sources.fleet"),
)
"""The parts of seqthink that load much which few commands need."""


def run_in_a_fork(
    command: list[str], environ: Mapping[str, str], stdin: str | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str] | None:
    """Return the result of ``command``, a `python -m seqthink`; None where it needs a process of its own."""
    start = frozenset((name, value) for name, value in environ.items() if name.startswith(AT_START))
    if not hasattr(os, "fork") or not start <= _usual() | _PATHS:
        return None
    _asked[start] += 1
    if _asked[start] < _WORTH_A_PROCESS:
        return None
    if not _is_asking.acquire(blocking=False):
        return None
    try:
        return _run(_warm_process(start), command, environ, stdin, folder or Path.cwd())
    finally:
        _is_asking.release()


def _run(
    warm: WarmServer, command: list[str], environ: Mapping[str, str], stdin: str | None, folder: Path
) -> subprocess.CompletedProcess[str]:
    theirs_in, into = (os.open(os.devnull, os.O_RDONLY), None) if stdin is None else os.pipe()
    (out, theirs_out), (errors, theirs_errors) = os.pipe(), os.pipe()
    theirs = (theirs_in, theirs_out, theirs_errors)
    pid = warm.spawn(command, environ, folder, theirs)
    for descriptor in theirs:
        os.close(descriptor)
    try:
        texts = _exchange(into, (stdin or "").encode(), (out, errors))
    except TimeoutError:
        os.kill(pid, signal.SIGKILL)
        warm.wait(pid)
        raise subprocess.TimeoutExpired(command, TIMEOUT_SECONDS) from None
    return subprocess.CompletedProcess(command, warm.wait(pid), *texts)


def _exchange(into: int | None, said: bytes, outputs: tuple[int, int]) -> list[str]:
    """Write ``said``, and return what comes until both outputs are closed."""
    came = [bytearray(), bytearray()]
    deadline = time.monotonic() + TIMEOUT_SECONDS
    with selectors.DefaultSelector() as selector:
        for descriptor, texts in zip(outputs, came, strict=True):
            selector.register(descriptor, selectors.EVENT_READ, texts)
        if into is not None:
            os.set_blocking(into, False)
            selector.register(into, selectors.EVENT_WRITE, bytearray(said))
        try:
            while selector.get_map():
                ready = selector.select(max(0, deadline - time.monotonic()))
                if not ready:
                    raise TimeoutError
                for key in [key for key, _ in ready if not _goes_on(key)]:
                    selector.unregister(key.fd)
                    os.close(key.fd)
        finally:
            for key in selector.get_map().values():
                os.close(key.fd)
    return [io.TextIOWrapper(io.BytesIO(text), encoding="utf-8").read() for text in came]


def _goes_on(key: selectors.SelectorKey) -> bool:
    """Write or read as much as there is; return whether the pipe stays open."""
    if key.events == selectors.EVENT_READ:
        chunk = os.read(key.fd, 1 << 16)
        key.data.extend(chunk)
        return bool(chunk)
    try:
        del key.data[: os.write(key.fd, key.data)]
    except BrokenPipeError:
        return False
    return bool(key.data)


@cache
def _usual() -> frozenset[tuple[str, str]]:
    """Return the variables of the tests' usual start, each with its value."""
    return frozenset(os.environ.items()) | {("LANG", "C.UTF-8"), ("PYTHONPATH", str(PROJECT))}


@cache
def _warm_process(start: frozenset[tuple[str, str]]) -> WarmServer:
    warm = WarmServer(program="tests.support.servers.warm_commands", environ=dict(start))
    atexit.register(warm.__exit__)
    return warm


def _modules(package: str = "seqthink") -> Iterator[str]:
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
        if module.name not in _NOT_LOADED:
            yield module.name
            if module.ispkg:
                yield from _modules(module.name)


def load() -> None:
    """Import what commands import; it stays whole when a fork ends, which saves half of its time."""
    bare = set(sys.modules)
    loaded: dict[str, ModuleType] = {}
    atexit.register(lambda: [sys.modules.pop(name, None) for name in loaded])
    for name in _modules():
        with suppress(ImportError, AttributeError):  # on another platform, what needs POSIX
            importlib.import_module(name)
    importlib.import_module("rich.panel")  # of Textual, whose modules read the environment, nothing
    importlib.import_module("seqthink.core.redaction").load_shapes()
    loaded |= {name: module for name, module in sys.modules.items() if name not in bare}
    kept: list[object] = [loaded]
    kept.append(kept)  # a circle, which only a collection would free; and that does not visit what is frozen


def become_command(
    request: dict[str, Any], descriptors: list[int], take_control: Callable[[], object] | None = None
) -> None:
    """Be the process that runs the command: return, or raise, as its first line would."""
    take_over(request, descriptors)
    if take_control:
        take_control()
    time.tzset()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    streams = list(_streams())
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__ = streams
    sys.path[0] = request["cwd"]
    sys.orig_argv[:] = request["arguments"]
    sys.argv[:] = request["arguments"][2:]
    runpy.run_module("seqthink", run_name="__main__", alter_sys=True)


def _streams() -> Iterator[io.TextIOWrapper]:
    """Return new streams with the encodings of this process's own, which its variables at the start decided."""
    for stream, mode in ((sys.stdin, "rb"), (sys.stdout, "wb"), (sys.stderr, "wb")):
        assert isinstance(stream, io.TextIOWrapper)
        binary = open(stream.fileno(), mode, closefd=False)  # noqa: SIM115 - open until the process ends
        yield io.TextIOWrapper(
            binary, stream.encoding, stream.errors, line_buffering=stream is sys.stderr or binary.isatty()
        )


def run_to_its_end(
    request: dict[str, Any], descriptors: list[int], take_control: Callable[[], object] | None = None
) -> None:
    """Be the process that runs the command, from its first line to its last."""
    try:
        become_command(request, descriptors, take_control)
    except SystemExit as leaving:
        if leaving.code is None or isinstance(leaving.code, int):  # else the interpreter prints it
            _end(leaving.code or 0)
        raise


def _end(status: int) -> None:
    """End the process; where its output cannot be written, return, and the interpreter says so."""
    for step in (threading, "_shutdown"), (atexit, "_run_exitfuncs"):  # what the interpreter calls
        getattr(*step)()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status & 0xFF)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load()
    if forked := requests_of_forks():
        run_to_its_end(*forked)
