"""What a story is: thoughts, each with the pause before it. Data only, so that the command line may list them."""

from typing import Any, NamedTuple

CLIENT = "seqthink-demo"
"""What the scripted agent calls itself."""


class Step(NamedTuple):
    """One call of the tool, ``pause`` seconds after the answer to the one before.

    ``is_wrong`` marks a call that the server is to refuse: agents make mistakes, and the next call mends it.
    """

    pause: float
    arguments: dict[str, Any]
    is_wrong: bool = False


class Story(NamedTuple):
    """A chain of thoughts to be told to an audience; ``title`` names its session, ``question`` its subject."""

    name: str
    title: str
    question: str
    steps: tuple[Step, ...]

    @property
    def length(self) -> int:
        """How many thoughts the server takes."""
        return sum(not step.is_wrong for step in self.steps)

    @property
    def seconds(self) -> float:
        """How long the telling takes."""
        return sum(step.pause for step in self.steps)


def step(
    pause: float,
    number: int,
    total: int | str,
    thought: str,
    *,
    is_last: bool = False,
    is_wrong: bool = False,
    **more: object,
) -> Step:
    """Return a step; ``more`` are further fields of the tool, by their own names."""
    arguments: dict[str, Any] = {
        "thought": thought.strip("\n"),
        "nextThoughtNeeded": not is_last,
        "thoughtNumber": number,
        "totalThoughts": total,
    }
    return Step(pause, arguments | more, is_wrong)
