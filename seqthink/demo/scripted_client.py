"""What the scripted agent's program answers when the server asks back: its model, and the person who sits there."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final

import anyio
from mcp import types
from mcp.client import ClientRequestContext

from seqthink.demo.story import ANSWER_SECONDS, StoryStep

MODEL_NAME: Final = "scripted"


class ScriptedClient:
    """Answers as the step that is being told says; what that does not provide for is an error of the protocol."""

    def __init__(self, *, is_fast: bool) -> None:
        self._thinking = 0 if is_fast else ANSWER_SECONDS
        self._answers: Iterator[Mapping[str, Any]] = iter(())
        self._accepts = False
        self._uses = count(1)

    def start_step(self, step: StoryStep) -> None:
        """Answer from now on as ``step`` says."""
        self._answers, self._accepts = iter(step.model_answers), step.user_accepts

    async def answer_sampling(
        self,
        context: ClientRequestContext,  # noqa: ARG002 - the SDK's signature
        params: types.CreateMessageRequestParams,
    ) -> types.CreateMessageResultWithTools | types.ErrorData:
        """Return the model's next answer, as a use of the tool that it is to use."""
        answer = next(self._answers, None)
        if answer is None or not params.tools:
            return types.ErrorData(code=types.INTERNAL_ERROR, message="the story has no answer to this")
        await anyio.sleep(self._thinking)
        use = types.ToolUseContent(name=params.tools[0].name, id=f"use-{next(self._uses)}", input=dict(answer))
        return types.CreateMessageResultWithTools(
            role="assistant", content=use, model=MODEL_NAME, stop_reason="toolUse"
        )

    async def answer_elicitation(
        self,
        context: ClientRequestContext,  # noqa: ARG002 - the SDK's signature
        params: types.ElicitRequestParams,  # noqa: ARG002 - the same
    ) -> types.ElicitResult:
        """Return what the person decides."""
        await anyio.sleep(self._thinking)
        return (
            types.ElicitResult(action="accept", content={}) if self._accepts else types.ElicitResult(action="decline")
        )
