"""What is laid before the judges: the code of a thought, and its diffs as the workspace would be with them."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

import anyio.to_thread
from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.code.blocks import Block, blocks, is_diff
from seqthink.audit.judges.sketches import is_surely_python
from seqthink.audit.review import FATAL, Finding
from seqthink.audit.sources import THOUGHT, Source
from seqthink.audit.workspace.diffs import hunk_sources, parse
from seqthink.audit.workspace.trial import Checked
from seqthink.audit.workspace.workspace import Workspace

_SURE: Final = {"bash", "json"}
"""Languages that are never guessed wrongly; code in another that was guessed is not asked for its syntax."""


class Exhibit(Struct, frozen=True, kw_only=True):
    """One version of the code: the thought that it stands in, what can be read of it, what cannot be applied."""

    thought: str
    sources: tuple[Source, ...] = ()
    findings: tuple[Finding, ...] = ()


async def of_thought(thought: str, workspace: Workspace | None, more: Sequence[Source] = (), rest: str = "") -> Exhibit:
    """Return the code of ``thought``, and ``more`` that is to be judged with it.

    ``rest`` is what stands behind the thought and is only looked through line by line; it cuts the last piece short.
    """
    found = await anyio.to_thread.run_sync(blocks, thought, abandon_on_cancel=True)
    cut = found[-1] if rest and found else None
    sources, findings = [_source(block, is_cut=block is cut) for block in found if not block.is_diff], list[Finding]()
    if rest:
        sources.append(Source(path=THOUGHT, text=rest, first_line=thought.count("\n") + 1, is_code=False))
    for block in found:
        if block.is_diff and block is cut:
            sources += hunk_sources(parse(block.text))
        elif block.is_diff:
            read, refused = await _read_diff(block, workspace)
            sources += read
            findings += refused
    return Exhibit(thought=thought, sources=(*sources, *more), findings=tuple(findings))


async def _read_diff(block: Block, workspace: Workspace | None) -> tuple[Sequence[Source], Sequence[Finding]]:
    """Return what a diff leaves, as far as it can be read, and that it does not apply, if it does not.

    An agent that has changed the files already shows the same diff: it need not apply once more.
    """
    alone = hunk_sources(parse(block.text))
    if not is_diff(block.text):
        return [_sketched(block)], []
    if workspace is None:
        return alone, []
    checked = await workspace.check(block.text)
    if not checked.problem:
        return checked.sources, []
    if await workspace.has(block.text):
        return alone, []
    comment = f"The diff does not apply: {checked.problem}."
    return alone, [Finding(path=THOUGHT, line=block.line, comment=comment, cost=FATAL, is_fatal=True)]


async def of_repair(diff: str, before: Exhibit, workspace: Workspace) -> tuple[Exhibit, str]:
    """Return what ``diff`` would make of ``before``, or why it cannot be applied.

    What it leaves alone is judged as it was: a diff that mends something else mends nothing.
    """
    checked = await workspace.check(diff, {THOUGHT: before.thought})
    if checked.problem:
        return before, checked.problem
    return await anyio.to_thread.run_sync(_repaired, before, checked, abandon_on_cancel=True), ""


def _repaired(before: Exhibit, checked: Checked) -> Exhibit:
    thought = next((source.text for source in checked.sources if source.path == THOUGHT), before.thought)
    fenced = [source for source in _fenced(thought) if source.path not in checked.files or source.path == THOUGHT]
    was_fenced = _fenced(before.thought)
    files = [source for source in before.sources if source.path != THOUGHT and source not in was_fenced]
    known = {source.path: source for source in files}
    mended = [
        _carried(known[source.path], source) if source.path in known else source
        for source in checked.sources
        if source.path != THOUGHT
    ]
    left = [source for source in files if source.path not in checked.files]
    return Exhibit(thought=thought, sources=(*fenced, *mended, *left))


def _carried(before: Source, after: Source) -> Source:
    """Return ``after`` with all that new in it that was new before and is still there."""
    if before.added is None or after.added is None:
        return replace(after, added=None)
    lines = (before.text.split("\n"), after.text.split("\n"))
    still = {
        block.b + offset + 1
        for block in SequenceMatcher(None, *lines).get_matching_blocks()
        for offset in range(block.size)
        if block.a + offset + before.first_line in before.added
    }
    return replace(after, added=after.added | still)


def _fenced(thought: str) -> list[Source]:
    return [_source(block) for block in blocks(thought) if not block.is_diff]


def _source(block: Block, *, is_cut: bool = False) -> Source:
    """Return a piece of code under its own name, or else by its place in the thought."""
    is_sure = block.is_named or block.language in _SURE
    is_sure |= block.language == "python" and is_surely_python(block.text)
    is_sure &= not is_cut
    if block.path:
        return Source(path=block.path, text=block.text, language=block.language, is_whole=is_sure)
    return Source(
        path=THOUGHT, text=block.text, language=block.language, first_line=block.line, is_whole=is_sure
    )  # fmt: skip


def _sketched(block: Block) -> Source:
    """Return what a change adds that is only hinted at: no program could apply it, and none has to."""
    lines = block.text.split("\n")
    added = frozenset(number for number, line in enumerate(lines, block.line) if line.startswith("+"))
    text = "\n".join(line[1:] if line.startswith(("+", "-", " ")) else line for line in lines)
    return Source(path=THOUGHT, text=text, first_line=block.line, added=added, is_whole=False)
