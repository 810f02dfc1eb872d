"""Runs programs that read untrusted data: bounded output, no leftovers, never a program from the workspace."""

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE

import anyio
import anyio.abc
from msgspec import Struct


class ProcessResult(Struct, frozen=True):
    """What a process that has ended printed."""

    exit_code: int
    stdout: bytes
    stderr: bytes


def trusted_path(root: Path) -> str:
    """Return the absolute folders of PATH that lie outside ``root``, as a value for PATH."""
    absolute = [Path(folder) for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder[:1] == "/"]
    return os.pathsep.join(str(folder) for folder in absolute if not folder.resolve().is_relative_to(root))


async def run_process(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], stdin_data: bytes, max_output_bytes: int
) -> ProcessResult | None:
    """Run a program in ``folder`` with ``stdin_data``; None if it printed more than ``max_output_bytes``.

    It and its children are killed on cancellation and when they print too much.

    Raises:
        OSError: It cannot be started.
    """
    started = list[anyio.abc.Process]()
    with anyio.CancelScope(shield=True):  # if cancelled during the start, anyio kills it alone, not its children
        process = await anyio.open_process(
            command, stdin=PIPE if stdin_data else DEVNULL, stdout=PIPE, stderr=PIPE, cwd=folder, env=variables,
            start_new_session=True,
        )  # fmt: skip
        started.append(process)
    [process] = started
    out, err = bytearray(), bytearray()
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_feed, process, stdin_data)
            tasks.start_soon(_drain, process, process.stdout, out, max_output_bytes)
            tasks.start_soon(_drain, process, process.stderr, err, max_output_bytes)
        code = await process.wait()
    finally:
        _kill(process)
        with anyio.CancelScope(shield=True):
            await process.aclose()
    return None if max(len(out), len(err)) > max_output_bytes else ProcessResult(code, bytes(out), bytes(err))


async def _feed(process: anyio.abc.Process, stdin_data: bytes) -> None:
    if process.stdin is not None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.send(stdin_data)
        await process.stdin.aclose()


async def _drain(
    process: anyio.abc.Process, stream: anyio.abc.ByteReceiveStream | None, into: bytearray, max_bytes: int
) -> None:
    if stream is None:
        return
    async for chunk in stream:
        into += chunk
        if len(into) > max_bytes:
            _kill(process)


def _kill(process: anyio.abc.Process) -> None:
    """Kill the process and its children."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):  # macOS says the latter where all have ended
            os.killpg(process.pid, signal.SIGKILL)
