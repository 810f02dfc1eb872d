"""What a story is: thoughts, each with the pause before it. Data only, so that the command line may list them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

CLIENT_NAME = "seqthink-demo"
"""What the scripted agent calls itself."""

ANSWER_SECONDS = 1.2
"""Seconds that the scripted model takes for an answer, and the scripted person for a decision."""


class StoryStep(NamedTuple):
    """One call of the tool, ``pause`` seconds after the answer to the one before.

    ``is_wrong`` marks a call that the server is to refuse: agents make mistakes, and the next call mends it.
    ``files`` are what the agent has written to its workspace by then. ``model_answers`` are what the client's model
    says, in turn, when the server asks it during this call, each as the input of the tool that it was told to use;
    ``person_accepts`` is whether the person agrees when they are asked.
    """

    pause_seconds: float
    arguments: dict[str, Any]
    is_refused: bool = False
    files: Mapping[str, str] = {}
    model_answers: tuple[Mapping[str, Any], ...] = ()
    user_accepts: bool = False

    @property
    def seconds(self) -> float:
        """How long it takes, from the answer before to its own."""
        return self.pause_seconds + ANSWER_SECONDS * (len(self.model_answers) + self.user_accepts)


class DemoStory(NamedTuple):
    """A chain of thoughts to be told to an audience; ``title`` names its session, ``question`` its subject."""

    name: str
    title: str
    question: str
    steps: tuple[StoryStep, ...]

    @property
    def length(self) -> int:
        """How many thoughts the server takes."""
        return sum(not step.is_refused for step in self.steps)

    @property
    def seconds(self) -> float:
        """How long the telling takes."""
        return sum(step.seconds for step in self.steps)

    @property
    def is_audited(self) -> bool:
        """Whether it is told in a workspace of its own, to a server that audits code."""
        return any(step.files for step in self.steps)


def step(
    pause_seconds: float,
    number: int,
    total: int | str,
    thought: str,
    *,
    is_last: bool = False,
    is_refused: bool = False,
    files: Mapping[str, str] = {},
    model_answers: tuple[Mapping[str, Any], ...] = (),
    user_accepts: bool = False,
    **more: object,
) -> StoryStep:
    """Return a step; ``more`` are further fields of the tool, by their own names."""
    arguments: dict[str, Any] = {
        "thought": thought.strip("\n"),
        "nextThoughtNeeded": not is_last,
        "thoughtNumber": number,
        "totalThoughts": total,
    }
    return StoryStep(pause_seconds, arguments | more, is_refused, files, model_answers, user_accepts)
