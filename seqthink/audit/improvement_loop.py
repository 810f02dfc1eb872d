"""The improvement loop: tools and models propose diffs, the panel judges them, the best is kept.

The contract is docs/audit.md, "The loop".
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.code_under_review import CodeUnderReview, code_with_diff
from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.config import SessionConfig
from seqthink.audit.judge_panel import JudgePanel, PanelVerdicts
from seqthink.audit.model_review import ModelRepair
from seqthink.audit.progress import AuditProgress
from seqthink.audit.prompts import SYSTEM, repair_request
from seqthink.audit.repairs.proposals import ToolProposals
from seqthink.audit.review import passes
from seqthink.audit.workspace.workspace import Workspace
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.messages import user

MAX_DIFF_CHARS: Final = 256 << 10
"""Longer diffs are dropped: they would fill the answer."""


class DiffCandidate(Struct, frozen=True):
    """A proposed diff, the code that it leaves, and the verdicts about that."""

    diff: str
    code: CodeUnderReview
    verdicts: PanelVerdicts


class ImprovementLoop:
    """Looks for a better version of the code; what it has found can be read at any time."""

    def __init__(
        self,
        config: SessionConfig,
        panel: JudgePanel,
        workspace: Workspace,
        dialogue: Dialogue,
        progress: AuditProgress,
        context: Sequence[CodeUnit] = (),
    ) -> None:
        self._config = config
        self._panel = panel
        self._workspace = workspace
        self._dialogue = dialogue
        self._progress = progress
        self._context = context
        self.tools = ToolProposals(workspace)
        """Proposes diffs without a model."""
        self.best: DiffCandidate | None = None
        self._baseline = PanelVerdicts()
        self._judged: set[str] = set()
        self.cycles = 0
        """Rounds in which something was proposed or a model was asked."""
        self.tool_diff_count = 0
        """Most diffs that tools proposed in one round."""
        self.notes: list[str] = []
        """Why diffs of models were dropped, or not given."""
        self.tool_notes: list[str] = []
        """Why diffs of tools were dropped."""

    async def improve(self, code: CodeUnderReview, verdicts: PanelVerdicts) -> None:
        """Look for better code until it passes, nobody proposes more, or the configured number of rounds is over."""
        self._baseline = verdicts
        offered = [card.proposed_diff for card in verdicts.cards if card.proposed_diff]
        for diff in dict.fromkeys(offered):
            await self._judge_diff(diff, code)
        for number in range(1, self._config.maxCycles + 1):
            if self.passes or not await self._run_round(code, number):
                return

    async def _run_round(self, code: CodeUnderReview, number: int) -> bool:
        """Judge what tools propose, then what a model proposes; return whether anything was proposed."""
        of_all = f"round {number} of {self._config.maxCycles}"
        diffs = await self._diffs_of_tools(code)
        if diffs:
            self.cycles = number
            await self._progress.begin_step(f"trying repairs by tools, {of_all}")
            for diff in diffs:
                await self._judge_diff(diff, code, is_by_tool=True)
        asks_model = self._dialogue.can_sample and not self.passes
        model_diffs = list[str]()
        if asks_model:
            self.cycles = number
            await self._progress.begin_step(f"asking for better code, {of_all}")
            model_diffs = await self._ask_for_diffs(code, self.best.verdicts if self.best else self._baseline)
            for diff in model_diffs:
                await self._judge_diff(diff, code)
        if diffs or asks_model:
            self._progress.finish_step()
        return bool(diffs or model_diffs)

    @property
    def passes(self) -> bool:
        """Whether the best diff passes."""
        if self.best is None:
            return False
        return passes(self.best.verdicts.cards, self._config.threshold)

    async def _diffs_of_tools(self, code: CodeUnderReview) -> list[str]:
        """Return what tools propose for the best version so far, without what was judged before."""
        current, verdicts = (self.best.code, self.best.verdicts) if self.best else (code, self._baseline)
        findings = [finding for card in verdicts.cards for finding in card.findings]
        diffs = await self.tools.propose(code, current, findings, self._config.candidates, self._judged)
        self.tool_diff_count = max(self.tool_diff_count, len(diffs))
        return diffs

    async def _ask_for_diffs(self, code: CodeUnderReview, verdicts: PanelVerdicts) -> list[str]:
        """Return the diffs that the model proposes, without duplicates, in the order of the requests."""
        diffs: dict[int, str] = {}

        async def ask(number: int) -> None:
            prompt = repair_request(self._config, code.thought, self._context, verdicts.cards, number)
            try:
                exchange = await self._dialogue.sample_schema(
                    [user(prompt)], ModelRepair, purpose=f"repair {self.cycles}.{number}", system_prompt=SYSTEM
                )
            except DialogueError as error:
                _add_once(self.notes, f"the model gave no better code: {error}")
                return
            diffs[number] = exchange.parsed.diff

        async with self._dialogue.branch() as tasks:
            for number in range(1, self._config.candidates + 1):
                tasks.start_soon(ask, number)
        return list(dict.fromkeys(diffs[number] for number in sorted(diffs)))

    async def _judge_diff(self, diff: str, code: CodeUnderReview, *, is_by_tool: bool = False) -> None:
        """Judge a proposed diff and keep it if it is the best so far."""
        self._judged.add(diff)
        if reason := await self._keep_if_best(diff, code, is_by_tool=is_by_tool):
            what, notes = ("a repair by a tool", self.tool_notes) if is_by_tool else ("a proposed diff", self.notes)
            _add_once(notes, f"{what} was dropped: {reason}")

    async def _keep_if_best(self, diff: str, code: CodeUnderReview, *, is_by_tool: bool) -> str:
        """Judge a diff; return why it is dropped, or ""."""
        if len(diff) > MAX_DIFF_CHARS:
            return f"it is longer than {MAX_DIFF_CHARS >> 10} KiB"
        diff = await self._workspace.as_unified(diff, {THOUGHT_PATH: code.thought})
        repaired, problem = await code_with_diff(diff, code, self._workspace)
        if problem:
            return problem
        if is_by_tool:  # a tool repairs code, and no diff of the thought that does not apply
            repaired = replace(repaired, findings=code.findings)
        collected = [await self._panel.judge_internally(repaired)]
        # Scores compare only if the same judges give them; one that was silent before would cost its time again.
        models = [card.model for card in self._baseline.cards if card.model in self._panel.models]
        await self._panel.ask_models(repaired, self._dialogue, "repair", collected.append, models)
        verdicts = self._panel.merged(*collected)
        if not verdicts.cards or verdicts.rank <= self._baseline.rank:
            return "it improves nothing"
        if verdicts.unread_line_count > self._baseline.unread_line_count:
            return "it leaves more code that could not be judged"
        if self.best is None or verdicts.rank > self.best.verdicts.rank:
            self.best = DiffCandidate(diff, repaired, verdicts)
        return ""


def _add_once(notes: list[str], sentence: str) -> None:
    if sentence not in notes:
        notes.append(sentence)
