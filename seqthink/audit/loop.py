"""The adversarial loop: the model writes better code, the judges judge it, the best is kept (server.md, "The loop")."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from seqthink.audit.config import SessionConfig
from seqthink.audit.exhibits import Exhibit, of_repair
from seqthink.audit.jury import Jury, Verdicts
from seqthink.audit.opinions import Repair
from seqthink.audit.progress import Progress
from seqthink.audit.prompts import SYSTEM, repair_request
from seqthink.audit.review import has_fatal, mean
from seqthink.audit.sources import Source
from seqthink.audit.workspace.workspace import Workspace
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError
from seqthink.dialogue.messages import user

MOST_LETTERS: Final = 256 << 10
"""A longer diff is not tried: it would fill the answer."""


class Try(Struct, frozen=True):
    """A diff that was proposed, and what the judges said of it."""

    diff: str
    verdicts: Verdicts


class Loop:
    """Looks for a better version of one exhibit; what it has found so far can be read at any time."""

    def __init__(
        self,
        config: SessionConfig,
        jury: Jury,
        workspace: Workspace,
        dialogue: Dialogue,
        progress: Progress,
        context: Sequence[Source] = (),
    ) -> None:
        self._config = config
        self._jury = jury
        self._workspace = workspace
        self._dialogue = dialogue
        self._progress = progress
        self._context = context
        self.best: Try | None = None
        self._least = Verdicts()
        self.cycles = 0
        self.notes: list[str] = []

    async def improve(self, exhibit: Exhibit, verdicts: Verdicts) -> None:
        """Ask for better code until it passes, or as often as the configuration says."""
        self._least = verdicts
        given = [card.proposed_diff for card in verdicts.cards if card.proposed_diff]
        for diff in dict.fromkeys(given):
            await self._try(diff, exhibit)
        while self.cycles < self._config.maxCycles and not self._is_good:
            self.cycles += 1
            await self._progress.begin(f"asking for better code, round {self.cycles} of {self._config.maxCycles}")
            found = await self._ask(exhibit, self.best.verdicts if self.best else verdicts)
            for diff in found:
                await self._try(diff, exhibit)
            self._progress.finish()
            if not found:
                return

    @property
    def _is_good(self) -> bool:
        if self.best is None:
            return False
        cards = self.best.verdicts.cards
        return not has_fatal(cards) and mean(cards) >= self._config.threshold

    async def _ask(self, exhibit: Exhibit, verdicts: Verdicts) -> list[str]:
        """Return the diffs that the model proposes, each once, in the order in which they were asked for."""
        diffs: dict[int, str] = {}

        async def ask(number: int) -> None:
            wanted = repair_request(self._config, exhibit.thought, self._context, verdicts.cards, number)
            try:
                exchange = await self._dialogue.sample_schema(
                    [user(wanted)], Repair, purpose=f"repair {self.cycles}.{number}", system_prompt=SYSTEM
                )
            except DialogueError as error:
                self._note(f"better code was asked for and not given: {error}")
                return
            diffs[number] = exchange.parsed.diff

        async with self._dialogue.branch() as tasks:
            for number in range(1, self._config.candidates + 1):
                tasks.start_soon(ask, number)
        return list(dict.fromkeys(diffs[number] for number in sorted(diffs)))

    async def _try(self, diff: str, exhibit: Exhibit) -> None:
        """Judge a proposed diff, and keep it if it is the best so far."""
        if len(diff) > MOST_LETTERS:
            self._note(f"a proposed diff was dropped: it is longer than {MOST_LETTERS >> 10} KiB")
            return
        repaired, problem = await of_repair(diff, exhibit, self._workspace)
        if problem:
            self._note(f"a proposed diff was dropped: {problem}")
            return
        heard = [await self._jury.judge_internally(repaired)]
        await self._jury.ask_models(repaired, self._dialogue, "repair", heard.append)
        verdicts = self._jury.in_order(*heard)
        if not verdicts.cards or verdicts.worth <= self._least.worth:
            self._note("a proposed diff was dropped: it makes nothing better")
        elif verdicts.unread > self._least.unread:
            self._note("a proposed diff was dropped: it leaves more that could not be judged")
        elif self.best is None or verdicts.worth > self.best.verdicts.worth:
            self.best = Try(diff, verdicts)

    def _note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)
