"""The texts that a version of the code consists of: the thought, and files of the workspace; and diffs between them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Final

import anyio.to_thread
from msgspec import Struct

from seqthink.audit.code.blocks import CodeBlock, code_blocks
from seqthink.audit.code_under_review import CodeUnderReview
from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.repairs.edits import Replacement, replaced
from seqthink.audit.repairs.fixers import RepairError
from seqthink.audit.review import CodeFinding
from seqthink.audit.workspace.files import FileContent, RefusedFileError, path_parts, read_file_if_present
from seqthink.audit.workspace.git import Git, temporary_folder
from seqthink.audit.workspace.patch import MAX_BYTES
from seqthink.core.unified_diff import parse_diff

_BEFORE, _AFTER = "a", "b"
_DIFF_COMMAND: Final = (
    *("-c", "core.quotePath=false", "diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--text"),
    *("--src-prefix=", "--dst-prefix=", "--", _BEFORE, _AFTER),
)
_BYTE_ORDER_MARK: Final = "\ufeff"


class CodePart(Struct, frozen=True):
    """Code of a version that could be repaired, and its place."""

    document: str
    """The path of the document: ``THOUGHT_PATH``, or a file of the workspace."""
    unit: CodeUnit
    """Numbered by the lines of the document."""

    def rows_of(self, findings: Iterable[CodeFinding]) -> set[int]:
        """Return the rows of its text, from 1, on which something was found.

        A fence that names a file is judged as that file, whose lines are then numbered from 1.
        """
        is_named = self.document == THOUGHT_PATH != self.unit.path
        first = 1 if is_named else self.unit.first_line
        rows = {finding.line - first + 1 for finding in findings if finding.path == self.unit.path}
        return {row for row in rows if 1 <= row <= self.unit.text.count("\n") + 1}


class Document(Struct, frozen=True):
    """A text before all repairs, and in the version at hand."""

    before: FileContent | None
    """None: the file does not exist yet."""
    text: str


class Documents:
    """What the version ``current`` of the code ``original`` consists of; read once, in a workspace at ``root``."""

    def __init__(self, root: Path, original: CodeUnderReview, current: CodeUnderReview) -> None:
        self._root = root
        blocks = code_blocks(current.thought)
        fences = [block for block in blocks if not block.is_diff]
        thought = FileContent(original.thought.encode("utf-8", "replace"), is_executable=False)
        self._documents = {THOUGHT_PATH: Document(thought, current.thought)}
        self.parts = [CodePart(THOUGHT_PATH, _unit_of_fence(block)) for block in fences]
        if not _moves_files(blocks):
            named = {(block.path, block.text) for block in fences}
            self.parts += [
                part
                for unit in current.units
                if unit.path != THOUGHT_PATH and unit.is_code and (unit.path, unit.text) not in named
                for part in self._part_of_file(unit)
            ]

    async def diff_with(self, new_texts: Sequence[tuple[CodePart, str]]) -> str:
        """Return a diff from the documents before all repairs to this version with new texts for parts of it.

        Raises:
            RepairError: It cannot be made.
        """
        before, after = await anyio.to_thread.run_sync(self._contents, new_texts)
        async with temporary_folder() as folder:
            try:
                await anyio.to_thread.run_sync(_write_copies, folder / _BEFORE, before)
                await anyio.to_thread.run_sync(_write_copies, folder / _AFTER, after)
            except OSError as error:
                raise RepairError(f"no diff could be made: {error.strerror}") from error
            ran = await Git(self._root).run(_DIFF_COMMAND, folder)
        if ran.problem:
            raise RepairError(f"no diff could be made: {ran.problem}")
        return ran.stdout.decode("utf-8", "replace") if ran.exit_code == 1 else ""

    def _contents(
        self, new_texts: Sequence[tuple[CodePart, str]]
    ) -> tuple[Mapping[str, FileContent], Mapping[str, FileContent]]:
        """Return what the documents hold before all repairs, and what they hold with new texts for some parts."""
        replacements: dict[str, list[Replacement]] = {}
        for part, text in new_texts:
            replacement = Replacement(part.unit.first_line, part.unit.text, text)
            replacements.setdefault(part.document, []).append(replacement)
        before: dict[str, FileContent] = {}
        after: dict[str, FileContent] = {}
        for path, document in self._documents.items():
            text = replaced(document.text, replacements.get(path, ()))
            is_executable = document.before is not None and document.before.is_executable
            after[path] = FileContent(text.encode("utf-8", "replace"), is_executable)
            if document.before is not None:
                before[path] = document.before
        return before, after

    def _part_of_file(self, unit: CodeUnit) -> list[CodePart]:
        """Return ``unit`` as a part of its file: of the file as it is, or as the thought or a repair would leave it."""
        try:
            content = read_file_if_present(self._root, unit.path, MAX_BYTES)
            base = content.data.decode() if content else ""
        except (RefusedFileError, UnicodeDecodeError):
            return []
        mark = _BYTE_ORDER_MARK if base.startswith(_BYTE_ORDER_MARK) else ""
        if unit.first_line == 1 and unit.is_complete:
            text = mark + unit.text
        elif content is not None and _stands_in(base.removeprefix(mark), unit):
            text = base
        else:
            return []
        self._documents.setdefault(unit.path, Document(content, text))
        return [CodePart(unit.path, unit)]


def _stands_in(base: str, unit: CodeUnit) -> bool:
    """Return whether a piece of a file is in the file as it is now: a diff of the thought was already applied."""
    lines = unit.text.removesuffix("\n").split("\n")
    return base.split("\n")[unit.first_line - 1 :][: len(lines)] == lines


def _unit_of_fence(block: CodeBlock) -> CodeUnit:
    return CodeUnit(
        path=block.path or THOUGHT_PATH, text=dedent(block.text), language=block.language, first_line=block.first_line,
        is_complete=not block.candidates,
    )  # fmt: skip


def _moves_files(blocks: Sequence[CodeBlock]) -> bool:
    """Return whether a diff of the thought does what a new text of files cannot say."""
    changes = [change for block in blocks if block.is_diff for change in parse_diff(block.text)]
    return any(change.is_deleted or change.is_rename or change.is_binary for change in changes)


def _write_copies(folder: Path, contents: Mapping[str, FileContent]) -> None:
    folder.mkdir()
    for path, content in contents.items():
        copy = folder.joinpath(*path_parts(path))
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content.data)
        copy.chmod(0o755 if content.is_executable else 0o644)
