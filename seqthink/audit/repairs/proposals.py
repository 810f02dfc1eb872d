"""Proposes diffs that programs make, to be judged like a model's (docs/audit.md, "The loop")."""

from collections.abc import Collection, Iterable, Iterator, Sequence

import anyio.to_thread
from msgspec import Struct

from seqthink.audit.code_under_review import CodeUnderReview
from seqthink.audit.judges.internal import MAX_JUDGED_CHARS
from seqthink.audit.repairs.documents import CodePart, Documents
from seqthink.audit.repairs.edits import only_near
from seqthink.audit.repairs.fixers import (
    Fixer,
    RepairError,
    RepairTimeoutError,
    find_program,
    fixers_for,
    repaired_text,
)
from seqthink.audit.review import CodeFinding
from seqthink.audit.workspace.workspace import Workspace


class Repair(Struct, frozen=True):
    """A part of the code as a program leaves it."""

    part: CodePart
    text: str
    tool: str


class ToolProposals:
    """Proposes what the programs at hand would change; they run outside ``workspace``, and none of it is run."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.missing: dict[str, str] = {}
        """Programs that could have helped but are not installed, with their language."""
        self.problems: list[str] = []
        """Why a program could not help."""
        self._too_slow: set[str] = set()

    async def propose(
        self,
        original: CodeUnderReview,
        current: CodeUnderReview,
        findings: Sequence[CodeFinding],
        count: int,
        known: Collection[str] = (),
    ) -> list[str]:
        """Return at most ``count`` different diffs that are not ``known``, the one that changes least first.

        The first repairs only the lines on which something was found; the second is all that the programs change; then
        come each program's repairs alone, and those of each part of the code alone.

        Args:
            original: The code as it came; the diffs are against it.
            current: The version to repair: ``original``, or what an earlier proposal made of it.
            findings: What was found in ``current``.
            count: How many diffs are wanted.
            known: Diffs that were proposed before.
        """
        documents = await anyio.to_thread.run_sync(Documents, self._workspace.root, original, current)
        broken = [part for part in documents.parts if part.rows_of(findings) and _is_readable(part)]
        repairs = [repair for part in broken for repair in await self._repairs(part)]
        near = await anyio.to_thread.run_sync(_only_near_findings, repairs, findings)
        diffs: dict[str, None] = {}
        for selection in filter(None, _selections(near, repairs)):
            if len(diffs) == count:
                break
            try:
                diff = await documents.diff_with([(repair.part, repair.text) for repair in selection])
            except RepairError as error:
                self.problems.append(str(error))
                break
            if diff and diff not in known:
                diffs[diff] = None
        return list(diffs)

    async def _repairs(self, part: CodePart) -> list[Repair]:
        made = [await self._repair(fixer, part) for fixer in fixers_for(part.unit)]
        return [repair for repair in made if repair is not None and repair.text != part.unit.text]

    async def _repair(self, fixer: Fixer, part: CodePart) -> Repair | None:
        if fixer.name in self._too_slow:
            return None
        program = find_program(fixer, self._workspace.root)
        if program is None:
            self.missing[fixer.name] = ", ".join(fixer.languages)
            return None
        try:
            return Repair(part, await repaired_text(fixer, program, part.unit, self._workspace), fixer.name)
        except RepairError as error:
            self.problems.append(str(error))
            self._too_slow |= {fixer.name} if isinstance(error, RepairTimeoutError) else set()
            return None


def _is_readable(part: CodePart) -> bool:
    return len(part.unit.text) <= MAX_JUDGED_CHARS and "\0" not in part.unit.text


def _only_near_findings(repairs: Iterable[Repair], findings: Sequence[CodeFinding]) -> list[Repair]:
    """Return what ``repairs`` change on lines with findings."""
    near = [
        Repair(repair.part, only_near(repair.part.unit.text, repair.text, repair.part.rows_of(findings)), repair.tool)
        for repair in repairs
    ]
    return [repair for repair in near if repair.text != repair.part.unit.text]


def _selections(near: Sequence[Repair], whole: Sequence[Repair]) -> Iterator[Sequence[Repair]]:
    """Yield the repairs of each proposal, in the order in which they are tried."""
    yield near
    yield whole
    for tool in dict.fromkeys(repair.tool for repair in near):
        yield [repair for repair in near if repair.tool == tool]
    for repair in near:
        yield [repair]
