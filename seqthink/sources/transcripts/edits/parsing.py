"""Makes edits of what clients record about them: the arguments of a call, a patch, a diff. Pure; nothing raises."""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from seqthink.core.codex_patch import FilePatch, parse_patch
from seqthink.core.unified_diff import DiffHunk, FileChange, LineKind, parse_diff
from seqthink.sources.transcripts.edits.tools import PATCH_TOOLS
from seqthink.sources.transcripts.facts import FileEdit
from seqthink.sources.transcripts.files.json_lines import decode_value
from seqthink.sources.transcripts.json_fields import Fields, as_fields, number_in, objects_in, text_in

MAX_TEXT_CHARS: Final = 1 << 18
"""How much of one text counts."""
MAX_PATH_CHARS: Final = 4096
_PATH_KEYS: Final = ("file_path", "filePath", "path", "notebook_path")
_BEFORE_KEYS: Final = ("old_string", "oldString", "old_str", "oldText", "old_text")
_AFTER_KEYS: Final = ("new_string", "newString", "new_str", "newText", "new_text", "new_source")
_WHOLE_KEYS: Final = ("content", "file_text")
_PATCH_KEYS: Final = ("patchText", "input", "patch")
_NEW_FILE_TOOLS: Final = frozenset({"create", "editor"})
"""Tools that write a whole file only where there is none."""
_NOT_RECORDED: Final = ("/dev/null", "dev/null", "")


def edit(
    path: str,
    kind: Literal["write", "edit", "delete", "move"],
    before: str | None,
    after: str | None,
    line: int | None = None,
    moved_to: str | None = None,
) -> FileEdit:
    """Return an edit whose texts are as long as they may be."""
    shorter_before, shorter_after = _cut(before), _cut(after)
    return FileEdit(
        path=path[:MAX_PATH_CHARS],
        kind=kind,
        before=shorter_before,
        after=shorter_after,
        line=line,
        moved_to=moved_to[:MAX_PATH_CHARS] if moved_to else None,
        is_cut=shorter_before is not before or shorter_after is not after,
    )


def asked(tool: str, arguments: object) -> Iterator[FileEdit]:
    """Yield what a call of an edit tool is to change."""
    if isinstance(arguments, bytes | msgspec.Raw):
        arguments = decode_value(arguments)
    if isinstance(arguments, str):
        yield from patched(arguments, "") if tool in PATCH_TOOLS else ()
        return
    fields = as_fields(arguments)
    if tool in PATCH_TOOLS:
        yield from patched(text_in(fields, *_PATCH_KEYS), "")
    path = text_in(fields, *_PATH_KEYS)
    for part in objects_in(fields, "edits") or [fields]:
        made = _asked_part(tool, part, text_in(part, *_PATH_KEYS) or path)
        if made is not None:
            yield made


def _asked_part(tool: str, part: Fields, path: str) -> FileEdit | None:
    whole, before, after = _given(part, _WHOLE_KEYS), _given(part, _BEFORE_KEYS), _given(part, _AFTER_KEYS)
    if not path:
        return None
    if whole is None and before is None and tool in _NEW_FILE_TOOLS and number_in(part, "insert_line") is None:
        whole = after
    if whole is not None:
        return edit(path, "write", "" if tool in _NEW_FILE_TOOLS else None, whole, 1)
    if after is None:
        return None
    is_inserted = before is None and number_in(part, "insert_line") is not None
    return edit(path, "edit", "" if is_inserted else before, after)


def patched(patch: str, folder: str) -> Iterator[FileEdit]:
    """Yield what a patch in Codex's format changes; its paths are relative to ``folder``."""
    for file in parse_patch(patch):
        if file.path:
            yield from _patched_file(file, posixpath.join(folder, file.path), folder)


def _patched_file(file: FilePatch, path: str, folder: str) -> Iterator[FileEdit]:
    moved_to = posixpath.join(folder, file.new_path) if file.new_path else None
    if file.is_deleted:
        yield edit(path, "delete", None, None)
    elif file.is_new:
        yield edit(path, "write", "", "".join(_lines_of(hunk.new_side) for hunk in file.hunks), 1)
    elif moved_to is not None and not file.hunks:
        yield edit(path, "move", None, None, None, moved_to)
    for hunk in () if file.is_new else file.hunks:
        yield edit(path, "edit", _lines_of(hunk.old_side), _lines_of(hunk.new_side), None, moved_to)


def different(diff: str, path: str, moved_to: str | None = None) -> Iterator[FileEdit]:
    """Yield what a unified diff changes: of the file at ``path``, or of those that it names."""
    for change in parse_diff(diff):
        named = path or _named(change)
        if named and change.new_path in _NOT_RECORDED[:2]:
            yield edit(named, "delete", "".join(_sides(hunk)[0] for hunk in change.hunks), None)
        elif named:
            yield from (of_hunk(named, hunk.first_line, *_sides(hunk), moved_to) for hunk in change.hunks)


def of_hunk(path: str, line: int, before: str, after: str, moved_to: str | None = None) -> FileEdit:
    """Return the edit that one hunk of a diff is; one with added lines alone at the top is a new file."""
    is_new = not before and line <= 1
    return edit(path, "write" if is_new else "edit", before, after, line, moved_to)


def signed_sides(lines: Iterable[str]) -> tuple[str, str]:
    """Return both sides of lines that have their signs before them."""
    listed = list(lines)
    sides = ([line[1:] for line in listed if line[:1] in signs] for signs in ((" ", "-"), (" ", "+")))
    before, after = map(_lines_of, sides)
    return before, after


def _sides(hunk: DiffHunk) -> tuple[str, str]:
    before = [line.text for line in hunk.lines if line.kind is not LineKind.ADDED]
    return _lines_of(before), _lines_of([line.text for line in hunk.new_side])


def _named(change: FileChange) -> str:
    return next((name for name in (change.new_path, change.old_path) if name and name not in _NOT_RECORDED), "")


def _lines_of(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _given(fields: Fields, keys: Sequence[str]) -> str | None:
    """Return the first of these fields that is a text, also an empty one."""
    return next((value for key in keys if isinstance(value := fields.get(key), str)), None)


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= MAX_TEXT_CHARS:
        return text
    end = text.rfind("\n", 0, MAX_TEXT_CHARS) + 1
    return text[: end or MAX_TEXT_CHARS]
