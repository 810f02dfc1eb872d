"""What is laid before the judges: the code of a thought, and its diffs as the workspace would be with them."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

import anyio.to_thread
from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.code.blocks import CodeBlock, code_blocks, is_diff
from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.judges.pseudocode import is_clearly_python
from seqthink.audit.review import FATAL, CodeFinding
from seqthink.audit.workspace.diffs import parse_diff, units_of_hunks
from seqthink.audit.workspace.dry_run import DryRun
from seqthink.audit.workspace.workspace import Workspace

_RELIABLY_GUESSED: Final = {"bash", "json"}
"""Languages that are never guessed wrongly; code in another that was guessed is not asked for its syntax."""


class CodeUnderReview(Struct, frozen=True, kw_only=True):
    """One version of the code: the thought that it stands in, what can be read of it, what cannot be applied."""

    thought: str
    units: tuple[CodeUnit, ...] = ()
    findings: tuple[CodeFinding, ...] = ()


async def code_of_thought(
    thought: str, workspace: Workspace | None, extra_units: Sequence[CodeUnit] = (), remainder: str = ""
) -> CodeUnderReview:
    """Return the code of ``thought``, and ``more`` that is to be judged with it.

    ``rest`` is what stands behind the thought and is only looked through line by line; it cuts the last piece short.
    """
    found = await anyio.to_thread.run_sync(code_blocks, thought, abandon_on_cancel=True)
    cut = found[-1] if remainder and found else None
    units, findings = (
        [_unit_of_block(block, is_cut=block is cut) for block in found if not block.is_diff],
        list[CodeFinding](),
    )
    if remainder:
        units.append(CodeUnit(path=THOUGHT_PATH, text=remainder, first_line=thought.count("\n") + 1, is_code=False))
    for block in found:
        if block.is_diff and block is cut:
            units += units_of_hunks(parse_diff(block.text))
        elif block.is_diff:
            read, refused = await _units_of_diff(block, workspace)
            units += read
            findings += refused
    return CodeUnderReview(thought=thought, units=(*units, *extra_units), findings=tuple(findings))


async def _units_of_diff(
    block: CodeBlock, workspace: Workspace | None
) -> tuple[Sequence[CodeUnit], Sequence[CodeFinding]]:
    """Return what a diff leaves, as far as it can be read, and that it does not apply, if it does not.

    An agent that has changed the files already shows the same diff: it need not apply once more.
    """
    alone = units_of_hunks(parse_diff(block.text))
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
    """Return what ``diff`` would make of ``before``, or why it cannot be applied.

    What it leaves alone is judged as it was: a diff that mends something else mends nothing.
    """
    checked = await workspace.dry_run(diff, {THOUGHT_PATH: before.thought})
    if checked.problem:
        return before, checked.problem
    return await anyio.to_thread.run_sync(_with_diff, before, checked, abandon_on_cancel=True), ""


def _with_diff(before: CodeUnderReview, checked: DryRun) -> CodeUnderReview:
    thought = next((source.text for source in checked.units if source.path == THOUGHT_PATH), before.thought)
    fenced = [
        source for source in _fenced_units(thought) if source.path not in checked.files or source.path == THOUGHT_PATH
    ]
    was_fenced = _fenced_units(before.thought)
    files = [source for source in before.units if source.path != THOUGHT_PATH and source not in was_fenced]
    known = {source.path: source for source in files}
    changed = [
        _with_older_additions(known[source.path], source) if source.path in known else source
        for source in checked.units
        if source.path != THOUGHT_PATH
    ]
    unchanged = [source for source in files if source.path not in checked.files]
    return CodeUnderReview(thought=thought, units=(*fenced, *changed, *unchanged))


def _with_older_additions(before: CodeUnit, after: CodeUnit) -> CodeUnit:
    """Return ``after`` with all that new in it that was new before and is still there."""
    if before.added_lines is None or after.added_lines is None:
        return replace(after, added_lines=None)
    lines = (before.text.split("\n"), after.text.split("\n"))
    still = {
        block.b + offset + 1
        for block in SequenceMatcher(None, *lines).get_matching_blocks()
        for offset in range(block.size)
        if block.a + offset + before.first_line in before.added_lines
    }
    return replace(after, added_lines=after.added_lines | still)


def _fenced_units(thought: str) -> list[CodeUnit]:
    return [_unit_of_block(block) for block in code_blocks(thought) if not block.is_diff]


def _unit_of_block(block: CodeBlock, *, is_cut: bool = False) -> CodeUnit:
    """Return a piece of code under its own name, or else by its place in the thought."""
    is_sure = block.is_language_given or block.language in _RELIABLY_GUESSED
    is_sure |= block.language == "python" and is_clearly_python(block.text)
    is_sure &= not is_cut
    if block.path:
        return CodeUnit(path=block.path, text=block.text, language=block.language, is_complete=is_sure)
    return CodeUnit(
        path=THOUGHT_PATH, text=block.text, language=block.language, first_line=block.first_line, is_complete=is_sure
    )  # fmt: skip


def _unit_of_informal_diff(block: CodeBlock) -> CodeUnit:
    """Return what a change adds that is only hinted at: no program could apply it, and none has to."""
    lines = block.text.split("\n")
    added = frozenset(number for number, line in enumerate(lines, block.first_line) if line.startswith("+"))
    text = "\n".join(line[1:] if line.startswith(("+", "-", " ")) else line for line in lines)
    return CodeUnit(path=THOUGHT_PATH, text=text, first_line=block.first_line, added_lines=added, is_complete=False)
