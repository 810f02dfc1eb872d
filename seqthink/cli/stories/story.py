"""Stories as data, so that the command line can list them: thoughts and the pauses before them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

CLIENT_NAME = "seqthink-demo"
"""The scripted agent's name as a client."""

ANSWER_SECONDS = 1.2
"""How long the scripted model takes for an answer, and the scripted user for a decision."""


class StoryStep(NamedTuple):
    """One call of the tool."""

    pause_seconds: float
    """The pause after the answer to the previous call."""
    arguments: dict[str, Any]
    """The tool's arguments."""
    is_refused: bool = False
    """Whether the server must refuse the call: agents make mistakes, and the next call corrects this one."""
    files: Mapping[str, str] = {}
    """Files that the agent writes to its workspace before the call, by name."""
    model_answers: tuple[Mapping[str, Any], ...] = ()
    """The answers of the client's model during this call, in order, each as the input of the requested tool."""
    user_accepts: bool = False
    """Whether the user accepts when asked."""

    @property
    def seconds(self) -> float:
        """How long the step takes, with its pause."""
        return self.pause_seconds + ANSWER_SECONDS * (len(self.model_answers) + self.user_accepts)


class DemoStory(NamedTuple):
    """A chain of thoughts to play."""

    name: str
    title: str
    """The title of its session."""
    question: str
    """The problem that it is about."""
    steps: tuple[StoryStep, ...]

    @property
    def length(self) -> int:
        """How many thoughts the server accepts."""
        return sum(not step.is_refused for step in self.steps)

    @property
    def seconds(self) -> float:
        """How long it takes to play."""
        return sum(step.seconds for step in self.steps)

    @property
    def is_audited(self) -> bool:
        """Whether the server audits its code, in a workspace of its own."""
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
    **more_arguments: object,
) -> StoryStep:
    """Return a step; ``more_arguments`` are further fields of the tool, by their own names."""
    arguments: dict[str, Any] = {
        "thought": thought.strip("\n"),
        "nextThoughtNeeded": not is_last,
        "thoughtNumber": number,
        "totalThoughts": total,
    }
    return StoryStep(pause_seconds, arguments | more_arguments, is_refused, files, model_answers, user_accepts)
