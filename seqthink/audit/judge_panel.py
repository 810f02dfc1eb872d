"""The judge panel: all judges of one audit over one version of the code. A judge that fails gives a reason, no card."""

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from seqthink.audit.code_under_review import CodeUnderReview
from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.config import SessionConfig
from seqthink.audit.judges import internal
from seqthink.audit.judges.client_model import ask_model
from seqthink.audit.judges.internal import JUDGE_NAME, UnitJudge
from seqthink.audit.review import JudgeCard, finding_in_short, has_fatal, justifies_verdict, mean_score
from seqthink.audit.unread_lines import unread_sentences
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError


class PanelVerdicts(NamedTuple):
    """What the judges of a panel said."""

    cards: tuple[JudgeCard, ...] = ()
    """In the order of the configuration."""
    absence_reasons: tuple[str, ...] = ()
    """Sentences, one for each judge without a card."""

    @property
    def rank(self) -> tuple[bool, float]:
        """Sort key for versions of the code: being free of fatal findings counts more than any score."""
        return (not has_fatal(self.cards), mean_score(self.cards)) if self.cards else (False, -1.0)

    @property
    def unread_line_count(self) -> int:
        """Number of lines that the most thorough judge did not read."""
        return min(
            (sum(part.last_line - part.first_line + 1 for part in card.unread) for card in self.cards), default=0
        )


_MAX_QUOTED_FINDINGS: Final = 3

OnVerdicts = Callable[[PanelVerdicts], None]
"""Receives verdicts as they arrive."""


class JudgePanel:
    """The judges of one configuration; models are also shown ``context``."""

    def __init__(self, config: SessionConfig, unit_judge: UnitJudge, context: Sequence[CodeUnit] = ()) -> None:
        self._unit_judge = unit_judge
        self._config = config
        self._context = context
        self.models = [judge for judge in config.judges if judge != JUDGE_NAME]

    async def judge_internally(self, code: CodeUnderReview) -> PanelVerdicts:
        """Return the verdict of the internal judge, if it is on the panel and could read something."""
        if JUDGE_NAME not in self._config.judges:
            return PanelVerdicts()
        card = await internal.judge(code.units, code.findings, self._unit_judge)
        if justifies_verdict(card, self._config.threshold):
            return PanelVerdicts((card,))
        reasons = [
            *unread_sentences(card.unread, JUDGE_NAME),
            card.notes,
            *map(finding_in_short, card.findings[:_MAX_QUOTED_FINDINGS]),
        ]
        return PanelVerdicts(
            absence_reasons=tuple(filter(None, reasons)) or (f"judge {JUDGE_NAME!r} found no code to judge",)
        )

    async def ask_models(
        self,
        code: CodeUnderReview,
        dialogue: Dialogue,
        purpose: str,
        on_verdicts: OnVerdicts,
        models: Collection[str] | None = None,
    ) -> None:
        """Ask all models, or only ``models``, at the same time; call ``on_verdicts`` with each verdict as it arrives.

        When cancelled, the models that have not answered are reported as absent.
        """

        async def ask(judge: str) -> None:
            judge_purpose = f"{purpose} {judge}"
            verdicts = PanelVerdicts(absence_reasons=(f"judge {judge!r} gave no review in time",))
            try:
                card = await ask_model(
                    dialogue, judge, self._config, code.thought, self._visible_units(code), judge_purpose
                )
                verdicts = PanelVerdicts((card,))
            except DialogueError as error:
                verdicts = PanelVerdicts(absence_reasons=(str(error),))
            finally:
                on_verdicts(verdicts)

        async with dialogue.branch() as tasks:
            for judge in self.models if models is None else models:
                tasks.start_soon(ask, judge)

    def merged(self, *verdicts: PanelVerdicts) -> PanelVerdicts:
        """Return several verdicts as one, in the order of the configuration."""
        by_name = {card.model: card for part in verdicts for card in part.cards}
        cards = tuple(by_name[judge] for judge in self._config.judges if judge in by_name)
        return PanelVerdicts(cards, tuple(sorted({reason for part in verdicts for reason in part.absence_reasons})))

    def _visible_units(self, code: CodeUnderReview) -> list[CodeUnit]:
        files = [unit for unit in code.units if unit.path != THOUGHT_PATH]
        return [*files, *(unit for unit in self._context if unit not in files)]
