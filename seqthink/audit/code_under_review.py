"""The code that judges get: code blocks of a thought, and files as its diffs would leave them."""

from collections.abc import Sequence
from difflib import SequenceMatcher

import anyio.to_thread
from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.code.blocks import CodeBlock, code_blocks, is_diff
from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit, units_of_hunks
from seqthink.audit.review import FATAL, CodeFinding
from seqthink.audit.workspace.dry_run import DryRun
from seqthink.audit.workspace.workspace import Workspace
from seqthink.core.codex_patch import changes_in


class CodeUnderReview(Struct, frozen=True, kw_only=True):
    """One version of the code under review."""

    thought: str
    """The text that contains the code."""
    units: tuple[CodeUnit, ...] = ()
    """The code to judge."""
    findings: tuple[CodeFinding, ...] = ()
    """Diffs of the thought that do not apply."""


async def code_of_thought(
    thought: str, workspace: Workspace | None, extra_units: Sequence[CodeUnit] = (), remainder: str = ""
) -> CodeUnderReview:
    """Return the code in ``thought``.

    Args:
        thought: The text whose code is judged.
        workspace: Where diffs are checked; None: only their hunks are judged.
        extra_units: Workspace files that are judged, too.
        remainder: Text after ``thought``, only searched for secrets and leftovers. Where there is some, the last block
            may be cut off, so its syntax is not checked.
    """
    found_blocks = await anyio.to_thread.run_sync(code_blocks, thought, abandon_on_cancel=True)
    cut = found_blocks[-1] if remainder and found_blocks else None
    units = [_unit_of_block(block, is_cut=block is cut) for block in found_blocks if not block.is_diff]
    findings = list[CodeFinding]()
    if remainder:
        units.append(CodeUnit(path=THOUGHT_PATH, text=remainder, first_line=thought.count("\n") + 1, is_code=False))
    for block in found_blocks:
        if block.is_diff and block is cut:
            units += units_of_hunks(changes_in(block.text))
        elif block.is_diff:
            diff_units, diff_findings = await _units_of_diff(block, workspace)
            units += diff_units
            findings += diff_findings
    return CodeUnderReview(thought=thought, units=(*units, *extra_units), findings=tuple(findings))


async def _units_of_diff(
    block: CodeBlock, workspace: Workspace | None
) -> tuple[Sequence[CodeUnit], Sequence[CodeFinding]]:
    """Return the files that a diff leaves, and a finding if it does not apply.

    A diff that was already applied is fine: an agent may show what it has just changed.
    """
    alone = units_of_hunks(changes_in(block.text))
    if not is_diff(block.text):
        return [_unit_of_informal_diff(block)], []
    if workspace is None:
        return alone, []
    checked = await workspace.dry_run(block.text)
    if not checked.problem:
        return checked.units, []
    if await workspace.is_applied(block.text):
        return alone, []
    comment = f"The diff does not apply: {checked.problem}."
    return alone, [CodeFinding(path=THOUGHT_PATH, line=block.first_line, comment=comment, cost=FATAL, is_fatal=True)]


async def code_with_diff(diff: str, before: CodeUnderReview, workspace: Workspace) -> tuple[CodeUnderReview, str]:
    """Return ``before`` with ``diff`` applied, or ``before`` and why it does not apply.

    Everything the diff leaves alone stays under review, so changing something else improves nothing.
    """
    checked = await workspace.dry_run(diff, {THOUGHT_PATH: before.thought})
    if checked.problem:
        return before, checked.problem
    return await anyio.to_thread.run_sync(_with_diff, before, checked, abandon_on_cancel=True), ""


def _with_diff(before: CodeUnderReview, checked: DryRun) -> CodeUnderReview:
    thought = next((unit.text for unit in checked.units if unit.path == THOUGHT_PATH), before.thought)
    fenced = [unit for unit in _fenced_units(thought) if unit.path not in checked.files or unit.path == THOUGHT_PATH]
    was_fenced = _fenced_units(before.thought)
    files = [unit for unit in before.units if unit.path != THOUGHT_PATH and unit not in was_fenced]
    units_by_path = {unit.path: unit for unit in files}
    changed = [
        _with_older_additions(units_by_path[unit.path], unit) if unit.path in units_by_path else unit
        for unit in checked.units
        if unit.path != THOUGHT_PATH
    ]
    unchanged = [unit for unit in files if unit.path not in checked.files]
    return CodeUnderReview(thought=thought, units=(*fenced, *changed, *unchanged))


def _with_older_additions(before: CodeUnit, after: CodeUnit) -> CodeUnit:
    """Return ``after``, where lines that were new in ``before`` and still exist are new, too."""
    if before.added_lines is None or after.added_lines is None:
        return replace(after, added_lines=None)
    lines = (before.text.split("\n"), after.text.split("\n"))
    surviving = {
        block.b + offset + 1
        for block in SequenceMatcher(None, *lines).get_matching_blocks()
        for offset in range(block.size)
        if block.a + offset + before.first_line in before.added_lines
    }
    return replace(after, added_lines=after.added_lines | surviving)


def _fenced_units(thought: str) -> list[CodeUnit]:
    return [_unit_of_block(block) for block in code_blocks(thought) if not block.is_diff]


def _unit_of_block(block: CodeBlock, *, is_cut: bool = False) -> CodeUnit:
    """Return a block as a unit, under the path that it names or else as part of the thought."""
    language = block.candidates[0] if len(block.candidates) == 1 else block.language
    return CodeUnit(
        path=block.path or THOUGHT_PATH, text=block.text, language=language, candidates=block.candidates,
        first_line=1 if block.path else block.first_line, is_complete=not (is_cut or block.candidates),
    )  # fmt: skip


def _unit_of_informal_diff(block: CodeBlock) -> CodeUnit:
    """Return the new side of a diff that is only an outline: no tool could apply it, and none has to."""
    lines = block.text.split("\n")
    added = frozenset(number for number, line in enumerate(lines, block.first_line) if line.startswith("+"))
    text = "\n".join(line[1:] if line.startswith(("+", "-", " ")) else line for line in lines)
    return CodeUnit(path=THOUGHT_PATH, text=text, first_line=block.first_line, added_lines=added, is_complete=False)
