"""All judges of an audit over one version of the code; one that cannot judge gives no card, and the reason is kept."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from seqthink.audit.config import SessionConfig
from seqthink.audit.exhibits import Exhibit
from seqthink.audit.judges import internal
from seqthink.audit.judges.internal import Read
from seqthink.audit.judges.model import INTERNAL, opinion
from seqthink.audit.review import Card, has_fatal, in_short, is_earned, mean
from seqthink.audit.sources import THOUGHT, Source
from seqthink.audit.unread import told_of
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError


class Verdicts(NamedTuple):
    """What the judges said, in the order of the configuration, and who could not say anything, and why."""

    cards: tuple[Card, ...] = ()
    absent: tuple[str, ...] = ()

    @property
    def worth(self) -> tuple[bool, float]:
        """How good the code is, to compare by: what nobody may overlook counts more than any score."""
        return (not has_fatal(self.cards), mean(self.cards)) if self.cards else (False, -1.0)

    @property
    def unread(self) -> int:
        """How many lines even the judge that read most of them did not read."""
        return min((sum(one.last - one.first + 1 for one in card.unread) for card in self.cards), default=0)


_MOST_TOLD: Final = 3

Hear = Callable[[Verdicts], None]
"""Is told what judges say."""


class Jury:
    """The judges of one configuration. ``context`` is what models are shown besides the code."""

    def __init__(self, config: SessionConfig, read_by: Read, context: Sequence[Source] = ()) -> None:
        self._read_by = read_by
        self._config = config
        self._context = context
        self.models = [judge for judge in config.judges if judge != INTERNAL]

    async def judge_internally(self, exhibit: Exhibit) -> Verdicts:
        """Return what the judge without a model says, if it is one of them and could read something."""
        if INTERNAL not in self._config.judges:
            return Verdicts()
        card = await internal.judge(exhibit.sources, exhibit.findings, self._read_by)
        if is_earned(card, self._config.threshold):
            return Verdicts((card,))
        why = [*told_of(card.unread, INTERNAL), card.notes, *map(in_short, card.findings[:_MOST_TOLD])]
        return Verdicts(absent=tuple(filter(None, why)) or (f"judge {INTERNAL!r} found no code to judge",))

    async def ask_models(self, exhibit: Exhibit, dialogue: Dialogue, purpose: str, hear: Hear) -> None:
        """Ask the models at the same time, and let ``hear`` have what each says as soon as it does.

        Whoever does not wait to the end has heard who had spoken, and who had not.
        """

        async def ask(judge: str) -> None:
            what, heard = f"{purpose} {judge}", Verdicts(absent=(f"judge {judge!r} gave no review in time",))
            try:
                card = await opinion(dialogue, judge, self._config, exhibit.thought, self._shown(exhibit), what)
                heard = Verdicts((card,))
            except DialogueError as error:
                heard = Verdicts(absent=(str(error),))
            finally:
                hear(heard)

        async with dialogue.branch() as tasks:
            for judge in self.models:
                tasks.start_soon(ask, judge)

    def in_order(self, *verdicts: Verdicts) -> Verdicts:
        """Return several verdicts as one, in the order in which the judges were named."""
        by_name = {card.model: card for one in verdicts for card in one.cards}
        cards = tuple(by_name[judge] for judge in self._config.judges if judge in by_name)
        return Verdicts(cards, tuple(sorted({reason for one in verdicts for reason in one.absent})))

    def _shown(self, exhibit: Exhibit) -> list[Source]:
        files = [source for source in exhibit.sources if source.path != THOUGHT]
        return [*files, *(source for source in self._context if source not in files)]
