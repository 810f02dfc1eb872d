"""One audit of one thought: collect the code, let judges score it, look for better code, all within a time limit."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

import anyio
from typing_extensions import override

from seqthink.audit.code_under_review import CodeUnderReview, code_of_thought
from seqthink.audit.code_units import CodeUnit
from seqthink.audit.config import ParsedConfig, SessionConfig
from seqthink.audit.consent import apply_if_accepted
from seqthink.audit.improvement_loop import ImprovementLoop
from seqthink.audit.judge_panel import JudgePanel, PanelVerdicts
from seqthink.audit.judges.internal import UnitJudge
from seqthink.audit.progress import AuditProgress, ReportProgress
from seqthink.audit.repo_links import citations
from seqthink.audit.review import AuditReview, as_sentences, combine_cards, mean_score
from seqthink.audit.unmet_requests import AuditOutcome, unmet_requests
from seqthink.audit.workspace.git import temporary_folder
from seqthink.audit.workspace.workspace import Workspace, WorkspaceFiles
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.handoff import Handoff, hand_off

Result = TypeVar("Result")
FindWorkspace = Callable[[Dialogue], Awaitable[Workspace | str]]
"""Return the workspace, or a sentence that says why there is none."""


class ReviewCase(NamedTuple):
    """The code under review, and the workspace files that models see with it."""

    code: CodeUnderReview
    """The code under review."""
    workspace_files: WorkspaceFiles
    """Files that models are shown as context."""


class AuditRun(Handoff[ReviewCase, None, None]):
    """One audit. ``review`` works at any time, so an audit that runs out of time still gives a partial review."""

    def __init__(
        self,
        thought: str,
        parsed_config: ParsedConfig,
        report_progress: ReportProgress,
        unit_judge: UnitJudge,
        remainder: str = "",
    ) -> None:
        self._thought = thought
        self._remainder = remainder
        self._unit_judge = unit_judge
        self._workspace: Workspace | None = None
        self._parsed_config = parsed_config
        self._progress = AuditProgress(2, report_progress)
        self._verdicts = PanelVerdicts()
        self._notes: list[str] = [*parsed_config.problems]
        self._workspace_files: Sequence[CodeUnit] = ()
        self._loop: ImprovementLoop | None = None
        self._step_seconds = 0.0
        self._apply_outcome = ""
        self._can_sample = False
        self._has_ended = False

    @property
    def config(self) -> SessionConfig:
        """The settings of this audit: those of the thought, else the defaults."""
        return self._parsed_config.config

    def add_note(self, sentence: str) -> None:
        """Add a sentence to the summary of the review."""
        self._notes.append(sentence)

    async def run(self, find_workspace: FindWorkspace, dialogue: Dialogue, seconds: float) -> None:
        """Find the workspace, judge the code and ask the client, for at most ``seconds`` together."""
        self._step_seconds = seconds / 4
        with anyio.move_on_after(seconds) as limit:
            match await self._with_time_limit(find_workspace(dialogue), "The workspace was not found in time."):
                case Workspace() as workspace:
                    self._workspace = workspace
                case str() as problem:
                    self._notes.append(problem)
                case None:
                    pass
            await hand_off(self, dialogue)
        if limit.cancelled_caught:
            self._notes.append(f"The audit was ended after {seconds:g} s; this is what it had.")

    def review(self) -> AuditReview | None:
        """Return the review of all judges so far; None when there is none yet (see ``failure_reason``)."""
        if not self._verdicts.cards:
            return None
        best = self._loop.best if self._loop else None
        return combine_cards(
            self._verdicts.cards,
            threshold=self.config.threshold,
            notes=[*self._verdicts.absence_reasons, *self._notes, *self._loop_notes(), *self._unmet_requests],
            citations=citations(self._verdicts.cards, self._workspace_files),
            proposed_diff=best.diff if best else None,
            iterations=max(1, self._loop.cycles if self._loop else 1),
        )

    @property
    def failure_reason(self) -> str:
        """Why there is no review."""
        reasons = [*self._verdicts.absence_reasons, *self._notes, *self._unmet_requests]
        return " ".join(as_sentences(reasons)) or "No judge gave a review."

    @override
    async def before(self) -> ReviewCase:
        """Read the workspace, and judge without a model."""
        await self._progress.begin_step("reading the workspace")
        workspace_files = await self._read_workspace()
        self._workspace_files = workspace_files.units
        requested = workspace_files if self._parsed_config.has_block else WorkspaceFiles()
        self._notes += requested.notes
        reading = code_of_thought(self._thought, self._workspace, requested.units, self._remainder)
        code = await self._with_time_limit(reading, "There was no time to check whether the diffs apply.")
        if code is None:
            code = await code_of_thought(self._thought, None, requested.units, self._remainder)
        self._progress.finish_step()
        await self._progress.begin_step("judging the code")
        self._panel = JudgePanel(self.config, self._unit_judge, workspace_files.units)
        self._verdicts = await self._panel.judge_internally(code)
        self._progress.finish_step()
        return ReviewCase(code, workspace_files)

    @override
    async def client(self, prepared: ReviewCase, dialogue: Dialogue) -> None:
        """Let models judge, look for better code, and ask the user whether to apply it."""
        await self._ask_models(prepared, dialogue)
        self._can_sample = dialogue.can_sample
        if not self._verdicts.cards or self._passes:
            return
        if self._workspace is not None:
            await self._improve(prepared, self._workspace, dialogue)
            await self._ask_to_apply(self._workspace, dialogue)
            return
        async with temporary_folder() as folder:  # code of the thought can be repaired without a workspace
            await self._improve(prepared, Workspace(folder), dialogue)

    @override
    async def after(self, prepared: ReviewCase, answered: None) -> None:
        """Report that nothing is left to do; `review` makes the result, at any time."""
        self._has_ended = True
        self._progress.finish_all()
        await self._progress.begin_step("done")

    async def _improve(self, case: ReviewCase, workspace: Workspace, dialogue: Dialogue) -> None:
        self._progress.add_steps(self.config.maxCycles)
        context = [*case.code.units, *case.workspace_files.units]
        self._loop = ImprovementLoop(self.config, self._panel, workspace, dialogue, self._progress, context)
        await self._loop.improve(case.code, self._verdicts)

    async def _ask_to_apply(self, workspace: Workspace, dialogue: Dialogue) -> None:
        best = self._loop.best if self._loop else None
        if best is None or not self.config.applyFixes:
            return

        async def begin_asking() -> None:
            self._progress.add_steps(1)
            await self._progress.begin_step("asking you whether to apply the proposed diff")

        self._apply_outcome = await apply_if_accepted(
            best.diff, self._score_sentence(), workspace, dialogue, begin_asking
        )

    async def _read_workspace(self) -> WorkspaceFiles:
        if self._workspace is None:
            return WorkspaceFiles()
        workspace_files = await self._with_time_limit(
            self._workspace.read_files(self.config), "The workspace could not be read in time."
        )
        return workspace_files or WorkspaceFiles()

    async def _with_time_limit(self, work: Awaitable[Result], timeout_note: str) -> Result | None:
        """Return the result of ``work``, or None after a quarter of the time, so that no slow step costs the others."""
        with anyio.move_on_after(self._step_seconds):
            return await work
        self._notes.append(timeout_note)
        return None

    async def _ask_models(self, case: ReviewCase, dialogue: Dialogue) -> None:
        if not self._panel.models:
            return
        self._progress.add_steps(1)
        await self._progress.begin_step(f"asking {', '.join(self._panel.models)}")
        await self._panel.ask_models(case.code, dialogue, "audit", self._add_verdicts)
        self._progress.finish_step()

    def _add_verdicts(self, verdicts: PanelVerdicts) -> None:
        self._verdicts = self._panel.merged(self._verdicts, verdicts)

    @property
    def _passes(self) -> bool:
        review = self.review()
        return review is not None and review.verdict == "pass"

    @property
    def _unmet_requests(self) -> list[str]:
        loop = self._loop
        outcome = AuditOutcome(
            has_workspace=self._workspace is not None,
            can_sample=self._can_sample,
            asks_models=self._can_sample and (loop is not None or bool(self._panel.models)),
            is_judged=bool(self._verdicts.cards),
            has_ended=self._has_ended,
            passes=loop is None and bool(self._verdicts.cards),
            has_better_code=loop is not None and loop.best is not None,
            better_code_passes=loop is not None and loop.passes,
            rounds=loop.cycles if loop else 0,
            tool_diff_count=loop.tool_diff_count if loop else 0,
            missing_tools=loop.tools.missing if loop else {},
            tool_problems=tuple(dict.fromkeys([*loop.tools.problems, *loop.tool_notes])) if loop else (),
        )
        return unmet_requests(self._parsed_config, outcome)

    def _score_sentence(self) -> str:
        best = self._loop.best if self._loop else None
        scores = [
            round(mean_score(cards)) for cards in (best.verdicts.cards if best else (), self._verdicts.cards) if cards
        ]
        return f"It scores {' instead of '.join(map(str, scores))}, of 100."

    def _loop_notes(self) -> list[str]:
        if self._loop is None:
            return []
        best = self._loop.best
        notes = [f"A proposed diff scores {round(mean_score(best.verdicts.cards))}."] if best else []
        return [*notes, *self._loop.notes, *([self._apply_outcome] if self._apply_outcome else [])]
