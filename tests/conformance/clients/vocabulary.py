"""How a client calls what a script does."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.conformance.clients.script import Action

Arguments = Mapping[str, Any]
Word = Callable[[Arguments], Arguments]
"""How a tool takes the arguments of an action."""
_THINKING: Final = "sequentialthinking"


class Vocabulary:
    """A client's tools.

    Args:
        words: For each kind of action the tools that do it, the first that is offered counts, with how each takes its
            arguments. Thinking needs none: its tool is known by its name.
    """

    def __init__(self, words: Mapping[str, Mapping[str, Word]]) -> None:
        self._words = words
        self.spoken = frozenset({"think", *words})
        """The kinds of action that the client has a tool for."""

    def call(
        self, action: Action, offered: frozenset[str], agents: tuple[str, ...] = ()
    ) -> tuple[str, Arguments] | None:
        """Return the tool and the arguments of a call; None if there is no such tool, or nobody to wait for.

        Args:
            action: What to do.
            offered: The names of the tools.
            agents: The ids of the subagents that are at work.
        """
        if action.does == "wait":
            if not agents:
                return None
            action = Action("wait", {"agents": list(agents)})
        thinking = [tool for tool in sorted(offered) if tool.endswith(_THINKING)]
        if action.does == "think" and thinking:
            return thinking[0], action.arguments
        for tool, worded in self._words.get(action.does, {}).items():
            if tool in offered:
                return tool, worded(action.arguments)
        return None
