"""A diff tried on copies: whether it applies, which files it changes, and what it leaves in them.

git only ever applies a diff to copies. What it did to them is then seen, not guessed, and that alone is what a person
is asked about and what is written into the workspace.
"""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import anyio.to_thread
from msgspec import Struct

from seqthink.audit.sources import Source
from seqthink.audit.workspace.diffs import FileChange, parse
from seqthink.audit.workspace.files import Content, RefusedFileError, found, parts, read, shown, text_of
from seqthink.audit.workspace.git import Git, Ran, scratch
from seqthink.audit.workspace.patch import FILE_MODES, MOST_BYTES, Patch, RefusedDiffError, names, patch, problem_of
from seqthink.audit.workspace.writing import Write

MOST_TOTAL: Final = 16 << 20
_WAS, _NOW = "was", "now"
_SEEN: Final = ("diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames")
_NO_FILE: Final = "000000"


class Difference(Struct, frozen=True, kw_only=True):
    """What a diff does to one file, or to one that is renamed: its content before and after (None: there is no file).

    ``added`` are the new lines' numbers, ``removed`` is how many lines go.
    """

    old_path: str
    path: str
    before: Content | None
    after: Content | None
    added: frozenset[int] = frozenset()
    removed: int = 0

    @property
    def is_rename(self) -> bool:
        """Whether the file changes its name."""
        return self.old_path != self.path

    @property
    def becomes_executable(self) -> bool:
        """Whether the file may be run afterwards, and could not before."""
        return bool(self.after and self.after.is_executable and not (self.before and self.before.is_executable))

    @property
    def is_no_longer_executable(self) -> bool:
        """Whether the file could be run before, and may not afterwards."""
        return bool(self.before and self.before.is_executable and self.after and not self.after.is_executable)

    @property
    def writes(self) -> tuple[Write, ...]:
        """What has to be done to the files."""
        if self.is_rename:
            return (Write(self.old_path, self.before, None), Write(self.path, None, self.after))
        return (Write(self.path, self.before, self.after),)


class Checked(Struct, frozen=True):
    """What became of a diff on trial: why it is refused ("": it applies), and what it names, changes and leaves."""

    problem: str = ""
    files: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()


async def tried(git: Git, root: Path, diff: str, texts: Mapping[str, str]) -> Checked:
    """Return what ``diff`` would do to ``texts`` and to the files below ``root``; those are only read."""
    named: list[str] = []
    try:
        async with _applied(git, root, diff, texts, named) as folder:
            raw = await git.run([*_SEEN, "--raw", "-z", "--", _WAS, _NOW], folder)
            lines = await git.run([*_SEEN, "--text", "--unified=0", "--", _WAS, _NOW], folder)
            return await anyio.to_thread.run_sync(_compared, folder, named, raw, lines)
    except RefusedDiffError as refused:
        return Checked(problem=str(refused), files=tuple(named))


async def is_applied(git: Git, root: Path, diff: str) -> bool:
    """Return whether the files below ``root`` are already as ``diff`` would leave them."""
    with suppress(RefusedDiffError):
        async with _applied(git, root, diff, {}, [], "--reverse"):
            return True
    return False


@asynccontextmanager
async def _applied(
    git: Git, root: Path, diff: str, texts: Mapping[str, str], named: list[str], *options: str
) -> AsyncGenerator[Path, None]:
    """Lend a folder with the files that ``diff`` names as they are and as git makes them; those go into ``named``.

    Raises:
        RefusedDiffError: it does not apply, or must not.
    """
    asked = await anyio.to_thread.run_sync(patch, diff)
    async with scratch() as folder:
        named += await names(git, folder, asked)
        await anyio.to_thread.run_sync(_copy, root, named, folder, texts)
        applied = await git.run(asked.arguments(*options), folder / _NOW, given=asked.data)
        if reason := problem_of(applied):
            raise RefusedDiffError(reason + await anyio.to_thread.run_sync(_endings, folder, asked, named, reason))
        yield folder


def _copy(root: Path, named: Iterable[str], folder: Path, texts: Mapping[str, str]) -> None:
    """Put the files ``named`` into two folders, the one to change and the one to compare it with."""
    for name in (_WAS, _NOW):
        (folder / name).mkdir()
    left = MOST_TOTAL
    for path in named:
        try:
            content = _given(texts[path]) if path in texts else found(root, path, MOST_BYTES)
        except RefusedFileError as refused:
            raise RefusedDiffError(f"{shown(path)}: {refused.reason}") from None
        if content is None:
            continue
        left -= len(content.data)
        if left < 0:
            raise RefusedDiffError(f"the files are larger than {MOST_TOTAL >> 20} MiB")
        try:
            for name in (_WAS, _NOW):
                _put(folder.joinpath(name, *parts(path)), content)
        except OSError as error:
            raise RefusedDiffError(f"{shown(path)}: it cannot be copied: {error.strerror}") from None


def _put(copy: Path, content: Content) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(content.data)
    copy.chmod(0o755 if content.is_executable else 0o644)


def _given(text: str) -> Content:
    return Content(text.encode("utf-8", "replace"), is_executable=False)


def _endings(folder: Path, asked: Patch, named: Iterable[str], reason: str) -> str:
    """Return what to add to ``reason`` where only the ends of lines are in the way."""
    path = next((path for path in named if reason.startswith(f"{shown(path)}:")), None)
    copy = folder.joinpath(_WAS, *parts(path or ""))
    if path is None or not copy.is_file():
        return ""
    lines = [text for change in asked.changes if change.path == path for hunk in change.hunks for _, text in hunk.lines]
    in_file, in_diff = b"\r\n" in copy.read_bytes(), any(line.endswith("\r") for line in lines)
    if in_file == in_diff:
        return ""
    return f" (lines end in {'CRLF' if in_file else 'LF'} in the file, in {'CRLF' if in_diff else 'LF'} in the diff)"


def _compared(folder: Path, named: Sequence[str], raw: Ran, lines: Ran) -> Checked:
    """Return what is different now, as git lists it; its listing tells the names, its diff only the lines."""
    for ran in (raw, lines):
        if ran.problem or ran.code not in (0, 1):
            raise RefusedDiffError(ran.problem or "git could not compare the files")
    entries = _entries(raw)
    if not entries:
        raise RefusedDiffError("it changes nothing")
    changes = parse(lines.out.decode("utf-8", "surrogateescape"))
    if len(changes) != len(entries):
        raise RefusedDiffError("git could not compare the files")
    differences = [_difference(folder, *entry, change) for entry, change in zip(entries, changes, strict=True)]
    touched = dict.fromkeys(write.path for difference in differences for write in difference.writes)
    if hidden := [path for path in touched if path not in named]:
        raise RefusedDiffError(f"{shown(hidden[0])}: it would change too, and is not named plainly")
    sources, notes = list[Source](), list[str]()
    for one in differences:
        notes += [f"{shown(one.path)} becomes executable."] * one.becomes_executable
        try:
            sources += _left(one)
        except RefusedFileError as refused:
            notes.append(f"Left out ({refused.reason}): {shown(one.path)}.")
    return Checked(
        files=tuple(sorted(touched)), differences=tuple(differences), sources=tuple(sources), notes=tuple(notes)
    )


def _entries(raw: Ran) -> list[tuple[str | None, str | None]]:
    """Return the two names of each file in `git diff --raw -z`; None: there is no file on this side."""
    fields = iter(raw.out.decode("utf-8", "surrogateescape").split("\0"))
    entries = list[tuple[str | None, str | None]]()
    for head in fields:
        if not head:
            break
        old_mode, new_mode, *_, status = head.removeprefix(":").split(" ")
        if {old_mode, new_mode} - {*FILE_MODES, _NO_FILE}:
            raise RefusedDiffError("it makes something that is no regular file")
        old = next(fields).partition("/")[2]
        new = next(fields).partition("/")[2] if status[0] in "RC" else old
        entries.append((None if old_mode == _NO_FILE else old, None if new_mode == _NO_FILE else new))
    return entries


def _difference(folder: Path, old: str | None, new: str | None, change: FileChange) -> Difference:
    try:
        before, after = (
            read(folder / side, path, 2 * MOST_BYTES) if path is not None else None
            for side, path in ((_WAS, old), (_NOW, new))
        )
    except RefusedFileError as refused:
        raise RefusedDiffError(f"{shown(new or old or '')}: {refused.reason}") from None
    return Difference(
        old_path=old or new or "",
        path=new or old or "",
        before=before,
        after=after,
        added=frozenset(number for number, _ in change.added),
        removed=len(change.removed),
    )


def _left(difference: Difference) -> list[Source]:
    if difference.after is None:
        return []
    added = None if difference.before is None else difference.added
    return [Source(path=difference.path, text=text_of(difference.after.data), added=added)]
