"""All clients at once: their files are read, their servers tried side by side, and then the results are given."""

import sys
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Final, Self, TypeVar

from seqthink.connect.client_files.found import clients_found
from seqthink.connect.clients.registry import CLIENTS, McpClient
from seqthink.connect.doctor.client_checks import Examination, Start, Surroundings, conclude, examine
from seqthink.connect.doctor.client_entries import read_entries
from seqthink.connect.doctor.client_programs import client_version
from seqthink.connect.doctor.probe import try_server
from seqthink.connect.doctor.probe_results import ProbeResult
from seqthink.connect.doctor.results import CheckGroup, CheckResult, unseen, warning, wrong
from seqthink.core.errors import SeqthinkError

_AT_ONCE: Final = 4
"""How many servers are tried at the same time."""
_PAUSE_SECONDS: Final = 0.25

Answer = TypeVar("Answer")


class Doctor:
    """Looks at clients. What it has started is ended when the block ends, also by an error.

    Args:
        around: what all checks of clients share.
        report: called with the current step, for a person who waits.
    """

    def __init__(self, around: Surroundings, report: Callable[[str], None]) -> None:
        self._around = around
        self._report = report
        self._cancelled = Event()
        self._pool = ThreadPoolExecutor(_AT_ONCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._cancelled.set()
        self._pool.shutdown(cancel_futures=True)

    def clients(self, named: Sequence[str]) -> list[CheckGroup]:
        """Return the results for the ``named`` clients, or for all on this machine."""
        try:
            found = [CLIENTS[name] for name in named] if named else clients_found(self._around.environ)
        except SeqthinkError as error:
            return [CheckGroup("Clients", [unseen("clients", "not looked for", str(error))])]
        if not found:
            message = f"none of them is on this machine: {', '.join(client.title for client in CLIENTS.values())}"
            return [CheckGroup("Clients", [warning("clients", message, fix="seqthink config --list")])]
        examinations = [self._examine(client, is_named=bool(named)) for client in found]
        groups = self._conclude(examinations)
        if not named and not any(one.entries.ours for one in examinations):
            groups.insert(0, CheckGroup("Clients", [self._no_entry_at_all(examinations)]))
        return groups

    def _examine(self, client: McpClient, *, is_named: bool) -> Examination:
        entries = read_entries(client, sys.platform, self._around.environ, self._pause)
        return examine(entries, self._around, is_named=is_named)

    def _no_entry_at_all(self, examinations: Sequence[Examination]) -> CheckResult:
        count = len(examinations)
        none = "the one client here does not start" if count == 1 else f"none of the {count} clients here starts"
        return wrong("clients", f"{none} seqthink", fix="seqthink setup")

    def _conclude(self, examinations: Sequence[Examination]) -> list[CheckGroup]:
        starts = {_key(one.start): one.start for one in examinations if one.start is not None}
        tried = starts if self._around.starts_servers else {}
        probes = {key: self._pool.submit(self._try, start) for key, start in tried.items()}
        versions = [self._pool.submit(self._version, one.entries.client) for one in examinations]
        groups: list[CheckGroup] = []
        for one, version in zip(examinations, versions, strict=True):
            self._report(f"waiting for {one.entries.client.title}'s server")
            probe = probes.get(_key(one.start)) if one.start is not None else None
            groups.append(conclude(one, self._around, _result(probe) if probe else None, _result(version)))
        return groups

    def _try(self, start: Start) -> ProbeResult:
        return try_server(start.command, start.environment, self._around.seconds, self._cancelled)

    def _version(self, client: McpClient) -> str:
        return client_version(client.name, self._around.environ, self._cancelled) if self._around.starts_servers else ""

    def _pause(self) -> None:
        self._cancelled.wait(_PAUSE_SECONDS)


def _key(start: Start) -> Hashable:
    """Return what two starts have in common that need to be tried only once."""
    command = start.command
    variables = (tuple(sorted(one.items())) for one in (command.environment, start.environment))
    return command.words, command.folder, *variables


def _result(future: Future[Answer]) -> Answer:
    """Return what a thread found, in short waits: an interrupt is heard between them."""
    while True:
        with suppress(TimeoutError):
            return future.result(_PAUSE_SECONDS)
