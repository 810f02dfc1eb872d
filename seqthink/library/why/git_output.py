"""What git prints about lines and commits, as values. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from seqthink.core.unified_diff import unquoted
from seqthink.library.why.attribution import SECOND, BlamedLine, Commit

COMMIT_FORMAT: Final = "%H%x00%at%x00%ct%x00%an%x00%s"
"""What `git log` prints of a commit for `commits_of`."""
_BLAMED = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64}) (\d+) (\d+)(?: \d+)?")
_NUMBER = re.compile(r"-?\d{1,12}")
_COMMIT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Blame(NamedTuple):
    """The lines of a file, and the commits that brought them."""

    lines: list[BlamedLine]
    commits: dict[str, Commit]
    previous: dict[tuple[str, str], tuple[str, str]]
    """By commit and path: the commit and path of the version before."""

    @property
    def former_names(self) -> dict[str, str]:
        """What files were called before a commit that also changed them, by their names in that commit."""
        return {path: before for (_, path), (_, before) in self.previous.items() if before != path}


def blame_of(output: bytes) -> Blame:
    """Return what ``git blame --porcelain`` printed; a line without a commit has an empty id."""
    lines: list[BlamedLine] = []
    headers: dict[str, dict[str, str]] = {}
    current, then, number = "", 0, 0
    for line in output.decode("utf-8", "replace").split("\n"):
        if line.startswith("\t"):
            fields = headers.get(current, {})
            lines.append(
                BlamedLine(number, line[1:], "" if _is_null(current) else current, fields.get("filename", ""), then)
            )
        elif found := _BLAMED.fullmatch(line):
            current, then, number = found[1], int(found[2]), int(found[3])
            headers.setdefault(current, {})
        elif line:
            key, _, value = line.partition(" ")
            headers.setdefault(current, {})[key] = unquoted(value) if key == "filename" else value
    commits = {
        name: Commit(
            id=name,
            authored=_time(fields.get("author-time", "")),
            committed=_time(fields.get("committer-time", "")),
            author=fields.get("author", ""),
            summary=fields.get("summary", ""),
        )
        for name, fields in headers.items()
        if name and not _is_null(name)
    }
    previous: dict[tuple[str, str], tuple[str, str]] = {}
    for name, fields in headers.items():
        before, _, path = fields.get("previous", "").partition(" ")
        if before:
            previous["" if _is_null(name) else name, fields.get("filename", "")] = before, unquoted(path)
    return Blame(lines, commits, previous)


def commits_of(output: bytes) -> list[Commit]:
    """Return what ``git log`` printed in `COMMIT_FORMAT`."""
    found: list[Commit] = []
    for record in output.decode("utf-8", "replace").split("\n"):  # no name and no subject has one; both are foreign
        fields = record.split("\0")
        if len(fields) >= 5 and _COMMIT_ID.fullmatch(fields[0]):
            name, authored, committed, author, summary = fields[:5]
            times = _time(authored), _time(committed)
            found.append(Commit(id=name, authored=times[0], committed=times[1], author=author, summary=summary))
    return found


def contents_of(output: bytes, count: int) -> Iterator[bytes | None]:
    """Yield the contents in what ``git cat-file --batch`` printed for ``count`` names; None for a missing one."""
    start = 0
    for _ in range(count):
        end = output.find(b"\n", start)
        if end < 0:
            yield None
            continue
        size = output[start:end].rpartition(b" ")[2]
        if not size.isdigit():
            start = end + 1
            yield None
            continue
        begin = end + 1
        start = begin + int(size) + 1
        yield output[begin : begin + int(size)]


def grepped(output: bytes) -> list[tuple[str, int, str]]:
    """Return path, number and text of the lines that ``git grep -z -n`` printed."""
    found: list[tuple[str, int, str]] = []
    for line in output.decode("utf-8", "replace").split("\n"):
        fields = line.split("\0", 2)
        if len(fields) == 3 and fields[1].isdigit():
            found.append((fields[0], int(fields[1]), fields[2]))
    return found


def ranges_of(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return line numbers in order as ranges, each with its first and last."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], number
        else:
            ranges.append((number, number))
    return ranges


def _is_null(commit: str) -> bool:
    return not commit.strip("0")


def _time(seconds: str) -> int:
    return int(seconds) * SECOND if _NUMBER.fullmatch(seconds) else 0
