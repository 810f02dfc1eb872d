"""What `seqthink sessions` found out about sessions that nobody writes, so that it need not read them again.

It can never lie: an entry counts only for the very file that it was made from, by inode, size and both times, and the
whole file only for the program and the host that wrote it, and with its checksum. Anything else is ignored and written
again. Of a journal's texts it keeps what a row of the list shows, and it goes with the sessions that are deleted.
"""

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from time import time_ns as _now_ns
from typing import Annotated, Final

import msgspec

from seqthink.chain.attention import Attention
from seqthink.chain.overview.work_place import WorkPlace
from seqthink.chain.state import State
from seqthink.core.errors import UsageError
from seqthink.core.times import MAX_MICROSECONDS, MIN_MICROSECONDS
from seqthink.library.viewer_store.folder import LIST_PREFIX, open_private, replace_private

MIN_BYTES: Final = 1 << 20
MIN_SESSIONS: Final = 64
"""A folder with less than both is read faster than it is worth to remember."""
MAX_BYTES: Final = 64 << 20
"""A larger file is ignored."""
SETTLED_NS: Final = 3_000_000_000
"""How long ago a file must have changed: until then another change might leave its times as they are."""
_FORMAT: Final = "seqthink.list/1"
_PROGRAM_FOLDERS: Final = (
    *("core", "library", "journal", "cli/overview", "drawing/text", "drawing/rows", "drawing/describe"),
    *("chain", "chain/columns", "chain/health", "chain/native", "chain/returns", "chain/overview"),
)
"""The parts of this program that an entry depends on."""
_MAX_UNSAVED_SHARE: Final = 50
_MAX_UNSAVED: Final = 64
"""The file is written again when one entry in this many is new, or this many are."""


_Time = Annotated[int, msgspec.Meta(ge=MIN_MICROSECONDS, le=MAX_MICROSECONDS)]
_Count = Annotated[int, msgspec.Meta(ge=0)]


class FileKey(msgspec.Struct, frozen=True, array_like=True):
    """What changes whenever a file does."""

    inode: int
    size: int
    modified_ns: int
    changed_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "FileKey":
        """Return the key of a file."""
        return cls(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class CachedSession(msgspec.Struct, frozen=True, array_like=True, kw_only=True):
    """What a row of the list shows of a session that is over, or whose server is gone; all texts are safe."""

    name: str
    client: str
    title: str
    progress: str
    shape: str
    """The sparkline, with the signs of Unicode."""
    state: State
    attention: Attention
    since: _Time
    last_change: _Time
    started: _Time
    chains: _Count
    thoughts: _Count
    turns: _Count
    branches: _Count
    revisions: _Count
    place: WorkPlace = WorkPlace()
    """Where it works, as it was recorded; its repository is looked for again, since folders move."""
    newest: tuple[_Count, _Count] = (0, 0)
    """Offset and size of the newest thought's line: its text stays in the journal."""
    context: tuple[_Count, _Count] = (0, 0)
    """Tokens of the main agent's context, and those that fit; 0 for what is not known."""
    health: dict[str, dict[str, int] | int] | None = None
    """What is odd about it, as the list says it; None if nobody looked."""

    @property
    def is_safe(self) -> bool:
        """Whether a terminal can show its texts."""
        return (self.name + self.client + self.title + self.progress + self.shape).isprintable()


class _Head(msgspec.Struct, frozen=True):
    """The first line of the file."""

    format: str
    program: str
    host: str
    folder: str
    checksum: str


_decode_head = msgspec.json.Decoder(_Head).decode
_decode_entries = msgspec.json.Decoder(dict[str, tuple[FileKey, CachedSession]]).decode


class ListCache:
    """The cached rows of one folder of journals, or of the sessions of clients.

    Args:
        viewer_folder: the folder of what viewers keep.
        sessions_folder: the folder of the journals; the home folder of clients.
        host: this host's name, on which it depends what a lock says.
        readers: further parts of this program that an entry depends on, as folders.
    """

    def __init__(self, viewer_folder: Path, sessions_folder: Path, host: str, readers: Iterable[str] = ()) -> None:
        self._named = os.path.realpath(sessions_folder)
        name = blake2b(os.fsencode(self._named), digest_size=8).hexdigest()
        self._path = viewer_folder / f"{LIST_PREFIX}{name}.json"
        self._head = _Head(_FORMAT, _program_key((*_PROGRAM_FOLDERS, *readers)), host, self._named, "")
        self._entries = self._load()
        self._new: dict[str, tuple[FileKey, CachedSession]] = {}

    def knows(self, session: str) -> bool:
        """Return whether anything is known of a session; if so, of its file as it was."""
        return session in self._entries

    def get(self, session: str, key: FileKey) -> CachedSession | None:
        """Return what is known of a session whose file has this key now; None for nothing."""
        entry = self._entries.get(session)
        if entry is None or entry[0] != key or not entry[1].is_safe:
            return None
        if sum(entry[1].newest) > key.size:
            return None
        return entry[1]

    def put(self, session: str, before: FileKey, after: FileKey, found: CachedSession) -> None:
        """Remember what was found in a file that had these keys before and after it was read."""
        is_settled = _now_ns() - max(after.modified_ns, after.changed_ns) > SETTLED_NS
        if is_settled and before == after:
            self._new[session] = after, found

    def save(self, sessions: Collection[str]) -> None:
        """Write what is known of ``sessions``, if that is worth it. It is only a cache, so failures do not matter."""
        gone = self._entries.keys() - sessions
        if not gone and len(self._new) < min(_MAX_UNSAVED, max(1, len(sessions) // _MAX_UNSAVED_SHARE)):
            return
        entries = {name: entry for name, entry in (self._entries | self._new).items() if name in sessions}
        body = msgspec.json.encode(entries)
        head = msgspec.json.encode(msgspec.structs.replace(self._head, checksum=checksum_of(body)))
        with suppress(OSError, UsageError):
            replace_private(self._path, head + b"\n" + body)

    def _load(self) -> dict[str, tuple[FileKey, CachedSession]]:
        try:
            descriptor = open_private(self._path, os.O_RDONLY)
            with os.fdopen(descriptor, "rb") as file:
                head, _, body = file.read(MAX_BYTES + 1).partition(b"\n")
            found = _decode_head(head)
            is_ours = found == msgspec.structs.replace(self._head, checksum=found.checksum)
            if is_ours and len(body) < MAX_BYTES and found.checksum == checksum_of(body):
                return _decode_entries(body)
        except (OSError, UsageError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
        return {}


def forget_lists(viewer_folder: Path) -> None:
    """Delete the cached rows of all folders: they are made again when they are asked for.

    Raises:
        OSError: a file cannot be deleted.
    """
    for path in viewer_folder.glob(f"{LIST_PREFIX}*"):
        path.unlink(missing_ok=True)


def is_worth_remembering(sizes: Iterable[int]) -> bool:
    """Return whether reading journals of these sizes takes long enough."""
    listed = list(sizes)
    return len(listed) >= MIN_SESSIONS or sum(listed) >= MIN_BYTES


def checksum_of(data: bytes) -> str:
    """Return the checksum of the entries."""
    return blake2b(data, digest_size=16).hexdigest()


def _program_key(names: Iterable[str]) -> str:
    """Return what changes with the rules by which a session is summarised: the program's files in some folders."""
    found: list[str] = []
    folders = [Path(__file__).parents[2] / name for name in names]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
    return checksum_of("\n".join(sorted(found)).encode("utf-8", "surrogatepass"))
