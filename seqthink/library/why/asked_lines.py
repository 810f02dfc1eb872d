"""The lines that are asked about, with their commits; and where they come from. Acts: reads files, asks git."""

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Literal, Protocol

from msgspec import Struct

from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.library.viewer_store.edit_index import EditIndex
from seqthink.library.why.attribution import Attribution, Attributor, BlamedLine, Commit, History
from seqthink.library.why.edits_in_repository import EditsInRepository
from seqthink.library.why.git_output import Blame
from seqthink.library.why.line_digests import MAX_LINES, digests_of, lines_of
from seqthink.library.why.questions import function_extent
from seqthink.library.why.repository_lines import GitFailedError, RepositoryLines

MAX_FILE_BYTES: Final = 64 << 20
_BINARY_HEAD_BYTES: Final = 8_000
_MAX_KNOWN_COMMITS: Final = 8
_FLAGS: Final = os.O_RDONLY | system.OPEN | system.NO_WAIT


class AskedRepository(Protocol):
    """A repository that can be asked."""

    @property
    def top(self) -> Path:
        """The root of its working tree."""
        ...

    @property
    def lines(self) -> RepositoryLines:
        """What it says of lines and commits."""
        ...

    def kind_of(self, folder: str, commits: Sequence[str] = ()) -> Literal["same", "gone", "other"]:
        """Return whether a folder is a working tree of it, or of a clone that has one of these commits."""
        ...

    def holds_folder(self, folder: str) -> bool:
        """Return whether a folder lies in one of its working trees."""
        ...


class AskedFile(Struct, frozen=True, kw_only=True):
    """Lines of one file."""

    path: str
    """The file, relative to the repository; without one, absolute."""
    blame: Blame
    digests: Sequence[int] = ()
    """All lines of the file now."""
    written: int = 0
    """When it was changed last, in microseconds since 1970."""
    removed: tuple[str, ...] = ()
    """The lines that the commit in question took out, if it added none."""
    commit: str = ""
    """The commit in question, if it is one."""


def existing_file(folder: Path, name: str) -> Path | None:
    """Return the file that a name means in a folder, links resolved; None if there is none.

    Raises:
        UsageError: it is a folder.
    """
    try:
        path = (folder / name).resolve()
        if not name or not path.exists():
            return None
    except (OSError, ValueError, RuntimeError):
        return None
    if path.is_dir():
        raise UsageError(f"why: {one_line(name)} is a folder; name a file in it")
    return path


def ask_file(
    repository: AskedRepository | None, path: Path, first: int, last: int, say: Callable[[str], object]
) -> AskedFile:
    """Return lines of a file, all of them if ``first`` is 0; ``say`` gets why git was not asked.

    Raises:
        UsageError: it cannot be read as text, or does not have these lines.
    """
    text, written = _text_of(path)
    lines = lines_of(text)
    _require_lines(path, len(lines), first)
    first, last = first or 1, min(last, len(lines)) if last else len(lines)
    inside = repository is not None and path.is_relative_to(repository.top)
    relative = path.relative_to(repository.top).as_posix() if repository is not None and inside else path.as_posix()
    blame = Blame([], {}, {})
    if repository is not None and inside and lines:
        try:
            blame = repository.lines.blame(relative, first, last)
        except GitFailedError as error:
            if not _is_uncommitted(str(error)):
                say(f"git does not say which commits the lines are from: {error}")
    found = blame.lines or [
        BlamedLine(number, lines[number - 1], "", relative, number) for number in range(first, last + 1)
    ]
    # Git names the path that a line has in its commit; without a commit, it is this one.
    found = [line if line.commit else line._replace(path=relative) for line in found]
    return AskedFile(path=relative, blame=blame._replace(lines=found), digests=digests_of(text), written=written)


def ask_commit(repository: AskedRepository, commit: Commit) -> list[AskedFile]:
    """Return the lines that a commit added, by file.

    Raises:
        UsageError: git does not say.
    """
    try:
        changes = repository.lines.changes_of(commit)
    except GitFailedError as error:
        raise UsageError(f"why: git does not say what {commit.id[:12]} changed: {error}") from error
    files: list[AskedFile] = []
    for change in changes:
        path = change.new_path or change.old_path
        if path is None or change.is_binary:
            continue
        lines = [BlamedLine(number, text, commit.id, path, number) for number, text in change.added_lines]
        previous = {(commit.id, path): (f"{commit.id}^", change.old_path)} if change.old_path else {}
        blame = Blame(lines, {commit.id: commit}, previous)
        removed = change.removed_lines if not lines else ()
        if lines or removed:
            files.append(AskedFile(path=path, blame=blame, removed=removed, commit=commit.id))
    if not files:
        raise UsageError(f"why: {commit.id[:12]} changed no lines of text")
    return files


def function_lines(repository: AskedRepository, definitions: Iterable[tuple[str, int]]) -> list[tuple[Path, int, int]]:
    """Return file, first and last line of what is defined in these places, as far as they can be read."""
    found: list[tuple[Path, int, int]] = []
    for name, number in definitions:
        path = repository.top / name
        try:
            lines = lines_of(_text_of(path)[0])
        except UsageError:
            continue
        if number <= len(lines):
            found.append((path, *function_extent(lines, number)))
    return found


class Attributing:
    """Attributes the lines of files that belong to one question.

    Args:
        repository: the repository, if there is one.
        index: the index of edits.
        files: what is asked about.
        now: the time in microseconds since 1970.
        since: the time before which no edit counts.
    """

    def __init__(
        self, repository: AskedRepository | None, index: EditIndex, files: Sequence[AskedFile], now: int, since: int
    ) -> None:
        self._repository, self._now = repository, now
        self.commits = {name: commit for file in files for name, commit in file.blame.commits.items()}
        """The commits that the lines are from."""
        known = list(self.commits)[:_MAX_KNOWN_COMMITS]
        self._edits = EditsInRepository(
            index,
            str(repository.top) if repository is not None else "",
            (lambda folder: repository.kind_of(folder, known)) if repository is not None else lambda _: "same",
            repository.holds_folder if repository is not None else lambda _: False,
            since,
        )

    def attribute(self, file: AskedFile) -> list[Attribution]:
        """Return where the lines of a file come from."""
        for name, before in file.blame.former_names.items():
            self._edits.note_former_name(name, before)
        paths = dict.fromkeys([file.path, *(line.path for line in file.blame.lines)])
        edited = {path for path in paths if self._edits.edits_of(path)}
        attributor = Attributor(
            self._history(file, edited),
            self._edits.edits_of,
            self._edits.git_commands_of,
            self._edits.active_at,
        )
        if file.removed:
            return [attributor.attribute_removed(file.path, file.commit, file.removed)]
        return attributor.attribute(file.blame.lines)

    def _history(self, file: AskedFile, edited: set[str]) -> History:
        versions = {("", file.path): file.digests}
        changes: dict[str, list[Commit]] = {}
        lines = self._repository.lines if self._repository is not None else None
        if lines is not None:
            wanted = {(line.commit, line.path) for line in file.blame.lines if line.path in edited}
            before = [file.blame.previous[name] for name in wanted if name in file.blame.previous]
            versions |= lines.versions([*(name for name in wanted if name[0]), *before])
            for path in edited:
                first = min(placed.edit.time for placed in self._edits.edits_of(path))
                changes[path] = lines.changes(path, first)
        return History(
            commits=self.commits,
            versions=versions,
            previous=file.blame.previous,
            changes=changes,
            now=self._now,
            written=file.written or self._now,
            has_had=self._has_had,
        )

    def _has_had(self, path: str, text: str, since: int, commit: str) -> bool:
        if self._repository is None:
            return False
        return self._repository.lines.has_had(path, text, since, self.commits.get(commit))


def _text_of(path: Path) -> tuple[str, int]:
    """Return the text of a file, and when it was changed.

    Raises:
        UsageError: it cannot be read as text.
    """
    try:
        descriptor = os.open(path, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise UsageError(f"why: {one_line(str(path))} is not a regular file")
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise UsageError(f"why: {one_line(str(path))}: {(reason or str(error)).lower()}") from error
    if len(data) > MAX_FILE_BYTES:
        raise UsageError(f"why: {one_line(str(path))} is larger than {MAX_FILE_BYTES >> 20} MiB")
    if b"\0" in data[:_BINARY_HEAD_BYTES]:
        raise UsageError(f"why: {one_line(str(path))} is a binary file")
    return data.decode("utf-8", "replace"), status.st_mtime_ns // 1000


def _require_lines(path: Path, count: int, first: int) -> None:
    if first > count:
        more = f"; no line behind {MAX_LINES:,} is looked at" if count == MAX_LINES else ""
        raise UsageError(f"why: {one_line(path.name)} has only {count:,} lines{more}")


def _is_uncommitted(problem: str) -> bool:
    """Return whether git says only that it does not know the file, or has no commit yet."""
    return "no such path" in problem or "no such ref" in problem or "bad revision" in problem
