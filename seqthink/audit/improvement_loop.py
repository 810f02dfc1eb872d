"""The improvement loop: a model proposes diffs, the panel judges them, the best is kept (docs/audit.md, "The loop")."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from seqthink.audit.code_under_review import CodeUnderReview, code_with_diff
from seqthink.audit.code_units import CodeUnit
from seqthink.audit.config import SessionConfig
from seqthink.audit.judge_panel import JudgePanel, PanelVerdicts
from seqthink.audit.model_review import ModelRepair
from seqthink.audit.progress import AuditProgress
from seqthink.audit.prompts import SYSTEM, repair_request
from seqthink.audit.review import has_fatal, mean_score
from seqthink.audit.workspace.workspace import Workspace
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.messages import user

MAX_DIFF_CHARS: Final = 256 << 10
"""Longer diffs are dropped: they would fill the answer."""


class DiffCandidate(Struct, frozen=True):
    """A proposed diff and its verdicts."""

    diff: str
    verdicts: PanelVerdicts


class ImprovementLoop:
    """Looks for a better version of the code; ``best``, ``cycles`` and ``notes`` can be read at any time."""

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
        self.best: DiffCandidate | None = None
        self._baseline = PanelVerdicts()
        self.cycles = 0
        self.notes: list[str] = []

    async def improve(self, code: CodeUnderReview, verdicts: PanelVerdicts) -> None:
        """Ask for better code until it passes or the configured number of cycles is reached."""
        self._baseline = verdicts
        offered = [card.proposed_diff for card in verdicts.cards if card.proposed_diff]
        for diff in dict.fromkeys(offered):
            await self._judge_diff(diff, code)
        while self.cycles < self._config.maxCycles and not self._passes:
            self.cycles += 1
            await self._progress.begin_step(f"asking for better code, round {self.cycles} of {self._config.maxCycles}")
            diffs = await self._ask_for_diffs(code, self.best.verdicts if self.best else verdicts)
            for diff in diffs:
                await self._judge_diff(diff, code)
            self._progress.finish_step()
            if not diffs:
                return

    @property
    def _passes(self) -> bool:
        if self.best is None:
            return False
        cards = self.best.verdicts.cards
        return not has_fatal(cards) and mean_score(cards) >= self._config.threshold

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
                self._add_note(f"the model gave no better code: {error}")
                return
            diffs[number] = exchange.parsed.diff

        async with self._dialogue.branch() as tasks:
            for number in range(1, self._config.candidates + 1):
                tasks.start_soon(ask, number)
        return list(dict.fromkeys(diffs[number] for number in sorted(diffs)))

    async def _judge_diff(self, diff: str, code: CodeUnderReview) -> None:
        """Judge a proposed diff and keep it if it is the best so far."""
        if len(diff) > MAX_DIFF_CHARS:
            self._add_note(f"a proposed diff was dropped: it is longer than {MAX_DIFF_CHARS >> 10} KiB")
            return
        repaired, problem = await code_with_diff(diff, code, self._workspace)
        if problem:
            self._add_note(f"a proposed diff was dropped: {problem}")
            return
        collected = [await self._panel.judge_internally(repaired)]
        await self._panel.ask_models(repaired, self._dialogue, "repair", collected.append)
        verdicts = self._panel.merged(*collected)
        if not verdicts.cards or verdicts.rank <= self._baseline.rank:
            self._add_note("a proposed diff was dropped: it improves nothing")
        elif verdicts.unread_line_count > self._baseline.unread_line_count:
            self._add_note("a proposed diff was dropped: it leaves more code that could not be judged")
        elif self.best is None or verdicts.rank > self.best.verdicts.rank:
            self.best = DiffCandidate(diff, verdicts)

    def _add_note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)
