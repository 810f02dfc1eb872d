"""The sessions of a folder, as far as they are known: a thread finds out, the screen asks.

The list itself comes first, then what the rows in view need, then names and clients of all, then the counts of the
rest, newest first.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from msgspec.structs import replace

from seqthink.drawing.glyphs import Signs
from seqthink.drawing.session_list import ListedSession
from seqthink.errors import UsageError
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile, list_sessions
from seqthink.summary import quick_summary, summarize

RELIST_SECONDS = 2.0
RELIST_SHARE = 20
"""Listing again may take a twentieth of the time, however many files there are."""
TELL_SECONDS = 0.1
COUNTED_AGAIN_BYTES = 4 << 20
BACKGROUND_BYTES = 256 << 20
_WAIT = 0.5


class Catalogue:
    """What is known of the sessions in ``folder``."""

    def __init__(self, folder: Path, signs: Signs, decode: LineDecoder) -> None:
        self.files: list[SessionFile] = []
        self.live = 0
        self.is_listed = False
        self.trouble = ""
        self._folder = folder
        self._signs = signs
        self._decode: LineDecoder = decode
        self._known: dict[str, ListedSession] = {}
        self._counted: dict[str, int] = {}
        self._wanted: tuple[SessionFile, ...] = ()
        self._changed = threading.Event()
        self._is_stopped = False
        self._spent = 0
        self._told_at = 0.0
        self._news = 0

    # The screen's side

    def listed(self, file: SessionFile) -> ListedSession | None:
        """Return what is known of a session so far."""
        return self._known.get(file.session)

    def want(self, files: tuple[SessionFile, ...]) -> None:
        """Find out about these first: they are in view."""
        if files != self._wanted:
            self._wanted = files
            self._changed.set()

    def stop(self) -> None:
        """Find out no more."""
        self._is_stopped = True
        self._changed.set()

    def matching(self, text: str) -> list[SessionFile]:
        """Return the sessions whose name, client, title or id hold the words of ``text``; all for none."""
        if not text.strip():
            return self.files
        known = ((file, self._known.get(file.session)) for file in self.files)
        return [file for file, listed in known if listed is not None and listed.matches(text)]

    # The thread's side

    def find_out(self, tell: Callable[[], object]) -> None:
        """Find out until it is stopped, and ``tell`` now and then that there is news."""
        while not self._is_stopped:
            started = monotonic()
            self._list()
            now = self._told_at = monotonic()
            tell()
            self._look(now + max(RELIST_SECONDS, RELIST_SHARE * (now - started)), tell)

    def _list(self) -> None:
        try:
            self.files, self.trouble = list_sessions(self._folder), ""
        except UsageError as error:
            self.files, self.trouble = [], str(error)
        there = {file.session for file in self.files}
        for gone in [session for session in self._known if session not in there]:
            self._known.pop(gone)
            self._counted.pop(gone, None)
        for file in self.files:
            known = self._known.get(file.session)
            if known is not None and (known.alive or self._counted.get(file.session) != file.size):
                self._glance(file)
        self._count_live()
        self.is_listed = True

    def _look(self, until: float, tell: Callable[[], object]) -> None:
        glanced = counted = 0
        while not self._is_stopped and monotonic() < until:
            wanted = next((file for file in self._wanted if self._is_due(file)), None)
            if wanted is not None:
                self._count(wanted)
            elif glanced < len(self.files):
                if self.files[glanced].session not in self._known:
                    self._glance(self.files[glanced])
                glanced += 1
            elif counted < len(self.files) and self._spent < BACKGROUND_BYTES:
                if self._is_due(self.files[counted]):
                    self._spent += self.files[counted].size
                    self._count(self.files[counted])
                counted += 1
            else:
                self._tell(tell, now=True)
                self._changed.wait(min(_WAIT, max(0.0, until - monotonic())))
                self._changed.clear()
            self._tell(tell)

    def _tell(self, tell: Callable[[], object], *, now: bool = False) -> None:
        if self._news and (now or monotonic() - self._told_at >= TELL_SECONDS):
            self._told_at, self._news = monotonic(), 0
            self._count_live()
            tell()

    def _count_live(self) -> None:
        self.live = sum(listed.alive for listed in self._known.values())

    def _is_due(self, file: SessionFile) -> bool:
        counted = self._counted.get(file.session)
        return counted is None or (counted != file.size and file.size < COUNTED_AGAIN_BYTES)

    def _glance(self, file: SessionFile) -> None:
        before, seen = self._known.get(file.session), quick_summary(file, self._decode)
        if before is not None and before.is_counted:
            if before.alive != seen.alive:
                self._counted.pop(file.session, None)  # how it stands has to be told anew
            seen = replace(before, alive=seen.alive, last_change=max(before.last_change, seen.last_change))
        if seen != before:
            self._known[file.session] = seen
            self._news += 1

    def _count(self, file: SessionFile) -> None:
        self._counted[file.session] = file.size
        try:
            listed = summarize(file, signs=self._signs, decode=self._decode, is_cancelled=lambda: self._is_stopped)
        except OSError:
            listed = None
        if listed is None:
            listed = self._known.get(file.session) or quick_summary(file, self._decode)
        self._known[file.session] = listed
        self._news += 1
