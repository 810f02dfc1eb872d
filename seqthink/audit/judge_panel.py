"""All judges of an audit over one version of the code; one that cannot judge gives no card, and the reason is kept."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from seqthink.audit.code_under_review import CodeUnderReview
from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.config import SessionConfig
from seqthink.audit.judges import internal
from seqthink.audit.judges.client_model import INTERNAL_JUDGE, ask_model
from seqthink.audit.judges.internal import UnitJudge
from seqthink.audit.review import JudgeCard, finding_in_short, has_fatal, justifies_verdict, mean_score
from seqthink.audit.unread import unread_sentences
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError


class PanelVerdicts(NamedTuple):
    """What the judges said, in the order of the configuration, and who could not say anything, and why."""

    cards: tuple[JudgeCard, ...] = ()
    absence_reasons: tuple[str, ...] = ()

    @property
    def rank(self) -> tuple[bool, float]:
        """How good the code is, to compare by: what nobody may overlook counts more than any score."""
        return (not has_fatal(self.cards), mean_score(self.cards)) if self.cards else (False, -1.0)

    @property
    def unread_line_count(self) -> int:
        """How many lines even the judge that read most of them did not read."""
        return min((sum(one.last_line - one.first_line + 1 for one in card.unread) for card in self.cards), default=0)


_MAX_QUOTED_FINDINGS: Final = 3

OnVerdicts = Callable[[PanelVerdicts], None]
"""Is told what judges say."""


class JudgePanel:
    """The judges of one configuration. ``context`` is what models are shown besides the code."""

    def __init__(self, config: SessionConfig, unit_judge: UnitJudge, context: Sequence[CodeUnit] = ()) -> None:
        self._unit_judge = unit_judge
        self._config = config
        self._context = context
        self.models = [judge for judge in config.judges if judge != INTERNAL_JUDGE]

    async def judge_internally(self, code: CodeUnderReview) -> PanelVerdicts:
        """Return what the judge without a model says, if it is one of them and could read something."""
        if INTERNAL_JUDGE not in self._config.judges:
            return PanelVerdicts()
        card = await internal.judge(code.units, code.findings, self._unit_judge)
        if justifies_verdict(card, self._config.threshold):
            return PanelVerdicts((card,))
        reasons = [
            *unread_sentences(card.unread, INTERNAL_JUDGE),
            card.notes,
            *map(finding_in_short, card.findings[:_MAX_QUOTED_FINDINGS]),
        ]
        return PanelVerdicts(
            absence_reasons=tuple(filter(None, reasons)) or (f"judge {INTERNAL_JUDGE!r} found no code to judge",)
        )

    async def ask_models(
        self, code: CodeUnderReview, dialogue: Dialogue, purpose: str, on_verdicts: OnVerdicts
    ) -> None:
        """Ask the models at the same time, and let ``hear`` have what each says as soon as it does.

        Whoever does not wait to the end has heard who had spoken, and who had not.
        """

        async def ask(judge: str) -> None:
            what, heard = (
                f"{purpose} {judge}",
                PanelVerdicts(absence_reasons=(f"judge {judge!r} gave no review in time",)),
            )
            try:
                card = await ask_model(dialogue, judge, self._config, code.thought, self._visible_units(code), what)
                heard = PanelVerdicts((card,))
            except DialogueError as error:
                heard = PanelVerdicts(absence_reasons=(str(error),))
            finally:
                on_verdicts(heard)

        async with dialogue.branch() as tasks:
            for judge in self.models:
                tasks.start_soon(ask, judge)

    def merged(self, *verdicts: PanelVerdicts) -> PanelVerdicts:
        """Return several verdicts as one, in the order in which the judges were named."""
        by_name = {card.model: card for one in verdicts for card in one.cards}
        cards = tuple(by_name[judge] for judge in self._config.judges if judge in by_name)
        return PanelVerdicts(cards, tuple(sorted({reason for one in verdicts for reason in one.absence_reasons})))

    def _visible_units(self, code: CodeUnderReview) -> list[CodeUnit]:
        files = [source for source in code.units if source.path != THOUGHT_PATH]
        return [*files, *(source for source in self._context if source not in files)]
