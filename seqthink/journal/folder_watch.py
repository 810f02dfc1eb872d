"""Watches folders with `watchfiles`, on every platform: which names in them change.

`watchfiles` sleeps for a step and looks, so each watch costs a little time although nothing happens: hence one watch
for all that an event loop follows.
"""

import asyncio
import atexit
import errno
import os
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

STEP_MILLISECONDS = 15
"""How long the watch sleeps between two looks: docs/architecture.md, "Decisions", has the figures."""
_GROUPED_MILLISECONDS = 30
"""How long a change may wait for others, so that they are reported together."""
_QUIET_MILLISECONDS, _QUIET_STEP_MILLISECONDS = 10_000, 30
"""After how long without a change it sleeps longer between two looks, and how long."""

Report = Callable[[str, set[str]], object]
"""Takes a folder and the names in it that changed; ``""`` means that any may have. It is called in another thread."""

_open_watches: WeakSet["FolderWatch"] = WeakSet()


def load() -> type["RustNotify"]:
    """Return what the library watches with. It takes 30 ms to load, which is too long for an event loop."""
    from watchfiles._rust_notify import RustNotify  # noqa: PLC0415 - see above

    return RustNotify


class FolderWatch:
    """Reports which names in some folders change, from a thread of its own, until it is closed.

    Args:
        folders: absolute paths without links.
        report: called with what changed.

    Raises:
        OSError: a folder does not exist, its name is not UTF-8, or the system has no watches left.
        RuntimeError: the system cannot be asked.
    """

    def __init__(self, folders: Collection[str], report: Report) -> None:
        self.folders = frozenset(folders)
        self.has_failed = False
        """Whether it reports nothing any more: in one of the folders is a name that is not UTF-8."""
        self._report = report
        self._over = Event()
        # Its own polling compares whole seconds, and misses changes within one.
        try:
            self._notify = load()(
                sorted(folders), debug=False, force_polling=False, poll_delay_ms=0, recursive=False,
                ignore_permission_denied=False,
            )  # fmt: skip
        except UnicodeEncodeError as error:
            raise OSError(errno.EILSEQ, "the name of a folder is not UTF-8") from error
        self._thread = Thread(target=self._run, name="folder watch", daemon=True)
        self._thread.start()
        _open_watches.add(self)

    def close(self) -> None:
        """Stop watching: what changes from now on is not reported. Calling it again does nothing."""
        self._over.set()

    def join(self) -> None:
        """Wait for the end of its thread, which takes a step once it is closed."""
        self._thread.join()

    def _run(self) -> None:
        step = STEP_MILLISECONDS
        with self._notify as notify:
            while not self._over.is_set():
                try:
                    found = notify.watch(_GROUPED_MILLISECONDS, step, _QUIET_MILLISECONDS, self._over)
                except RuntimeError:  # the library cannot say such a name, and goes on failing
                    self.has_failed = True
                    self._report_all(list(self.folders))
                    return
                step = _QUIET_STEP_MILLISECONDS if isinstance(found, str) else STEP_MILLISECONDS
                if not isinstance(found, str) and not self._over.is_set():
                    self._report_all([path for _, path in found])

    def _report_all(self, paths: list[str]) -> None:
        changed: dict[str, set[str]] = {}
        for path in paths:
            folder, name = (path, "") if path in self.folders else os.path.split(path)
            changed.setdefault(folder, set()).add(name)
        for folder, names in changed.items():
            self._report(folder, names)


@atexit.register
def _close_all() -> None:
    """End the threads before the interpreter does: one that it ends while it is in the library crashes."""
    watches = list(_open_watches)
    for watch in watches:
        watch.close()
    for watch in watches:
        watch.join()


class Changes:
    """What changes in one folder, for one who follows something in it.

    Attributes:
        changed: set when there is something to take.
    """

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self._names: set[str] = set()
        self._has_failed = False

    def add(self, names: set[str]) -> None:
        """Add names that changed."""
        self._names |= names
        self.changed.set()

    def fail(self) -> None:
        """Note that nothing will be reported any more."""
        self._has_failed = True
        self.changed.set()

    def take(self) -> set[str]:
        """Return the names that changed since the last call; ``""`` means that any may have.

        Raises:
            OSError: nothing is reported any more.
        """
        if self._has_failed:
            raise OSError(errno.EILSEQ, "what changes cannot be said")
        names, self._names = self._names, set()
        self.changed.clear()
        return names


class _Watches:
    """The one watch of an event loop, and who waits for it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._watch: FolderWatch | None = None
        self._waiting: dict[Changes, str] = {}

    def add(self, folder: str) -> Changes:
        if self._watch is None or folder not in self._watch.folders:
            before, self._watch = self._watch, FolderWatch({folder, *self._waiting.values()}, self._report)
            if before is not None:
                before.close()
                for waiting in self._waiting:
                    waiting.add({""})  # what the former watch knew and has not reported
        changes = Changes()
        self._waiting[changes] = folder
        return changes

    def remove(self, changes: Changes) -> None:
        del self._waiting[changes]
        if not self._waiting and self._watch is not None:
            self._watch.close()
            self._watch = None

    def _report(self, folder: str, names: set[str]) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            self._loop.call_soon_threadsafe(self._deliver, folder, names)

    def _deliver(self, folder: str, names: set[str]) -> None:
        if self._watch is not None and self._watch.has_failed:
            self._watch = None
            for changes in self._waiting:
                changes.fail()
            return
        for changes, watched in self._waiting.items():
            if watched == folder:
                changes.add(names)


_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, _Watches] = WeakKeyDictionary()


@contextmanager
def watching(folder: Path) -> Generator[Changes]:
    """Watch a folder as long as the context lasts, with the one watch of the running event loop.

    Raises:
        OSError: the folder does not exist, or the system has no watches left.
        RuntimeError: the system cannot be asked.
    """
    loop = asyncio.get_running_loop()
    watches = _watches.setdefault(loop, _Watches(loop))
    changes = watches.add(os.path.realpath(folder))
    try:
        yield changes
    finally:
        watches.remove(changes)
