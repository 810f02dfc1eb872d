"""The scripted answers to the server's questions: those of the client's model and of its user."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final

import anyio
from mcp import types
from mcp.client import ClientRequestContext

from seqthink.cli.stories.story import ANSWER_SECONDS, StoryStep

MODEL_NAME: Final = "scripted"


class ScriptedClient:
    """Answers as the current step says. A question that the step has no answer to is a protocol error."""

    def __init__(self, *, is_fast: bool) -> None:
        self._answer_seconds = 0 if is_fast else ANSWER_SECONDS
        self._answers: Iterator[Mapping[str, Any]] = iter(())
        self._accepts = False
        self._uses = count(1)

    def start_step(self, step: StoryStep) -> None:
        """Answer as ``step`` says from now on."""
        self._answers, self._accepts = iter(step.model_answers), step.user_accepts

    async def answer_sampling(
        self,
        context: ClientRequestContext,  # noqa: ARG002 - the SDK's signature
        params: types.CreateMessageRequestParams,
    ) -> types.CreateMessageResultWithTools | types.ErrorData:
        """Return the model's next answer, as a use of the requested tool."""
        answer = next(self._answers, None)
        if answer is None or not params.tools:
            return types.ErrorData(code=types.INTERNAL_ERROR, message="the story has no answer to this")
        await anyio.sleep(self._answer_seconds)
        use = types.ToolUseContent(name=params.tools[0].name, id=f"use-{next(self._uses)}", input=dict(answer))
        return types.CreateMessageResultWithTools(
            role="assistant", content=use, model=MODEL_NAME, stop_reason="toolUse"
        )

    async def answer_elicitation(
        self,
        context: ClientRequestContext,  # noqa: ARG002 - the SDK's signature
        params: types.ElicitRequestParams,  # noqa: ARG002 - the same
    ) -> types.ElicitResult:
        """Return the user's decision."""
        await anyio.sleep(self._answer_seconds)
        return (
            types.ElicitResult(action="accept", content={}) if self._accepts else types.ElicitResult(action="decline")
        )
