"""One audit of one thought, from its text to a review: the three phases, and what is left of them when time is up."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

import anyio
from typing_extensions import override

from seqthink.audit.applying import apply_if_accepted
from seqthink.audit.citations import citations
from seqthink.audit.config import Configured, SessionConfig
from seqthink.audit.exhibits import Exhibit, of_thought
from seqthink.audit.judges.internal import Read
from seqthink.audit.jury import Jury, Verdicts
from seqthink.audit.loop import Loop
from seqthink.audit.progress import Progress, Tell
from seqthink.audit.review import Review, mean, reviewed, sentences
from seqthink.audit.sources import Source
from seqthink.audit.workspace.workspace import Material, Workspace
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.handoff import Handoff, hand_off

Result = TypeVar("Result")
Find = Callable[[Dialogue], Awaitable[Workspace | str]]
"""Gives the workspace, or a sentence that says why there is none."""


class Case(NamedTuple):
    """What the client's model and person are asked about."""

    exhibit: Exhibit
    material: Material


class Audit(Handoff[Case, None, None]):
    """Judges one thought. What is known so far can be read at any time, so that no audit ends with nothing."""

    def __init__(self, thought: str, configured: Configured, tell: Tell, read_by: Read, rest: str = "") -> None:
        self._thought = thought
        self._rest = rest
        self._read_by = read_by
        self._workspace: Workspace | None = None
        self._configured = configured
        self._tell = tell
        self._verdicts = Verdicts()
        self._notes: list[str] = [*configured.problems]
        self._files: Sequence[Source] = ()
        self._loop: Loop | None = None
        self._share = 0.0
        self._applied = ""

    @property
    def config(self) -> SessionConfig:
        """What the thought asked for, and the defaults."""
        return self._configured.config

    def note(self, sentence: str) -> None:
        """Let the review's summary say so, too."""
        self._notes.append(sentence)

    async def run(self, find: Find, dialogue: Dialogue, seconds: float) -> None:
        """Go through the phases in the workspace that ``find`` gives, for at most so many seconds."""
        self._share = seconds / 4
        with anyio.move_on_after(seconds) as limit:
            match await self._in_time(find(dialogue), "The workspace was not found in time."):
                case Workspace() as workspace:
                    self._workspace = workspace
                case str() as problem:
                    self._notes.append(problem)
                case None:
                    pass
            await hand_off(self, dialogue)
        if limit.cancelled_caught:
            self._notes.append(f"The audit was ended after {seconds:g} s; this is what it had.")

    def review(self) -> Review | None:
        """Return what the judges that have spoken come to; None when none has, which ``failure`` explains."""
        if not self._verdicts.cards:
            return None
        best = self._loop.best if self._loop else None
        return reviewed(
            self._verdicts.cards,
            threshold=self.config.threshold,
            notes=[*self._verdicts.absent, *self._notes, *self._told_of_the_loop()],
            citations=citations(self._verdicts.cards, self._files),
            proposed_diff=best.diff if best else None,
            iterations=max(1, self._loop.cycles if self._loop else 1),
        )

    @property
    def failure(self) -> str:
        """Why there is no review."""
        return " ".join(sentences([*self._verdicts.absent, *self._notes])) or "No judge has spoken."

    @override
    async def before(self) -> Case:
        """Read the workspace, and judge without a model."""
        self._progress = Progress(2, self._tell)
        await self._progress.begin("reading the workspace")
        material = await self._gathered()
        self._files = material.sources
        asked_for = material if self._configured.is_given else Material()
        self._notes += asked_for.notes
        laid_out = of_thought(self._thought, self._workspace, asked_for.sources, self._rest)
        exhibit = await self._in_time(laid_out, "Whether the diffs apply could not be told in time.")
        if exhibit is None:
            exhibit = await of_thought(self._thought, None, asked_for.sources, self._rest)
        self._progress.finish()
        await self._progress.begin("judging the code")
        self._jury = Jury(self.config, self._read_by, material.sources)
        self._verdicts = await self._jury.judge_internally(exhibit)
        self._progress.finish()
        return Case(exhibit, material)

    @override
    async def client(self, prepared: Case, dialogue: Dialogue) -> None:
        """Let models judge and write better code, and let the person decide whether to take it."""
        await self._ask_models(prepared, dialogue)
        workspace = self._workspace
        if workspace is None or not self._verdicts.cards or not dialogue.can_sample or self._is_good:
            return
        self._progress.add(self.config.maxCycles)
        context = [*prepared.exhibit.sources, *prepared.material.sources]
        self._loop = Loop(self.config, self._jury, workspace, dialogue, self._progress, context)
        await self._loop.improve(prepared.exhibit, self._verdicts)
        if self._loop.best is not None and self.config.applyFixes:
            await self._progress.begin("asking you whether to apply the proposed diff")
            self._applied = await apply_if_accepted(self._loop.best.diff, self._worth(), workspace, dialogue)

    @override
    async def after(self, prepared: Case, asked: None) -> None:
        """Say that all is done."""
        await self._progress.begin("done")

    async def _gathered(self) -> Material:
        if self._workspace is None:
            return Material()
        found = await self._in_time(self._workspace.gather(self.config), "The workspace could not be read in time.")
        return found or Material()

    async def _in_time(self, work: Awaitable[Result], otherwise: str) -> Result | None:
        """Return what ``work`` gives, if that is not long in coming; what hangs must not cost the whole review."""
        with anyio.move_on_after(self._share):
            return await work
        self._notes.append(otherwise)
        return None

    async def _ask_models(self, case: Case, dialogue: Dialogue) -> None:
        if not self._jury.models:
            return
        self._progress.add(1)
        await self._progress.begin(f"asking {', '.join(self._jury.models)}")
        await self._jury.ask_models(case.exhibit, dialogue, "audit", self._hear)
        self._progress.finish()

    def _hear(self, heard: Verdicts) -> None:
        self._verdicts = self._jury.in_order(self._verdicts, heard)

    @property
    def _is_good(self) -> bool:
        review = self.review()
        return review is not None and review.verdict == "pass"

    def _worth(self) -> str:
        best = self._loop.best if self._loop else None
        scores = [round(mean(cards)) for cards in (best.verdicts.cards if best else (), self._verdicts.cards) if cards]
        return f"It scores {' instead of '.join(map(str, scores))}, of 100."

    def _told_of_the_loop(self) -> list[str]:
        if self._loop is None:
            return []
        best = self._loop.best
        told = [f"A proposed diff scores {round(mean(best.verdicts.cards))}."] if best else []
        return [*told, *self._loop.notes, *([self._applied] if self._applied else [])]
