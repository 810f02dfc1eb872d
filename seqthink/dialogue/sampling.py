"""Asking the client's model: freely, for an answer of a given shape, or for the use of a tool."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypedDict, TypeVar

import mcp_types as types
from msgspec import Struct
from pydantic import BaseModel, ValidationError
from typing_extensions import Unpack

from seqthink.dialogue.asking import Asker
from seqthink.dialogue.errors import BadAnswerError, DialogueError, NotSupportedByClient
from seqthink.dialogue.exchanges import SampleExchange
from seqthink.dialogue.messages import (
    SCHEMA_TOOL,
    Message,
    assistant,
    blocks,
    results,
    schema_tool,
    spelled,
    user,
    uses,
)

Model = TypeVar("Model", bound=BaseModel)
Parsed = TypeVar("Parsed")

SECONDS: Final = 120.0
MAX_TOKENS: Final = 4096
RETRIES: Final = 2
_REQUIRED: Final = types.ToolChoice(mode="required")


class How(TypedDict, total=False):
    """How a model is to be asked."""

    max_tokens: int
    system_prompt: str
    temperature: float
    models: Sequence[str]
    """Names that the client may take as hints, the best first."""
    seconds: float
    """How long one answer may take."""


class _Wish(Struct, Generic[Parsed], frozen=True, kw_only=True):
    """What is asked of a model, and what an answer must pass."""

    messages: Sequence[Message]
    purpose: str
    how: How
    check: Callable[[Message], Parsed]
    tools: Sequence[types.Tool] = ()
    tool_choice: types.ToolChoice | None = None

    def request(self, history: Sequence[Message]) -> types.CreateMessageRequest:
        """Return the request that asks after ``history``."""
        hints = [types.ModelHint(name=name) for name in self.how.get("models", ())]
        return types.CreateMessageRequest(
            params=types.CreateMessageRequestParams(
                messages=list(history),
                max_tokens=self.how.get("max_tokens", MAX_TOKENS),
                system_prompt=self.how.get("system_prompt"),
                temperature=self.how.get("temperature"),
                model_preferences=types.ModelPreferences(hints=hints) if hints else None,
                tools=list(self.tools) or None,
                tool_choice=self.tool_choice,
            )
        )


class Sampling(Asker):
    """What can be asked of the client's model. Deprecated since 2026-07-28 (SEP-2577): few clients offer it."""

    @property
    def can_sample(self) -> bool:
        """Whether the client lets its model be asked, with tools."""
        sampling = self.channel.capabilities.sampling
        return sampling is not None and sampling.tools is not None

    async def sample(
        self,
        messages: Sequence[Message],
        *,
        purpose: str,
        tools: Sequence[types.Tool] = (),
        tool_choice: types.ToolChoice | None = None,
        **how: Unpack[How],
    ) -> SampleExchange[None]:
        """Ask the client's model, and return what it answered; the last of ``messages`` is the request.

        Raises:
            DialogueError: it was not asked, or there is no answer.
        """
        wish = _Wish(
            messages=messages, purpose=purpose, how=how, check=_take, tools=tools, tool_choice=tool_choice
        )  # fmt: skip
        return await self._insist(wish, retries=0)

    async def sample_schema(
        self,
        messages: Sequence[Message],
        model: type[Model],
        *,
        purpose: str,
        retries: int = RETRIES,
        **how: Unpack[How],
    ) -> SampleExchange[Model]:
        """Ask for an answer of a given shape, by the reserved tool; a model that errs is told how, and asked again.

        Raises:
            DialogueError: it was not asked, there is no answer, or none of that shape.
        """

        def parse(response: Message) -> Model:
            use = _use(response, {SCHEMA_TOOL})
            try:
                return model.model_validate(use.input)
            except ValidationError as error:
                raise BadAnswerError(_problems(error)) from error

        wish = _Wish(
            messages=messages, purpose=purpose, how=how, check=parse,
            tools=[schema_tool(model)], tool_choice=_REQUIRED,
        )  # fmt: skip
        return await self._insist(wish, retries=retries)

    async def sample_tools(
        self,
        messages: Sequence[Message],
        tools: Sequence[types.Tool],
        *,
        purpose: str,
        retries: int = RETRIES,
        **how: Unpack[How],
    ) -> SampleExchange[None]:
        """Ask for the use of at least one of ``tools``; a model that uses none is told so, and asked again.

        Raises:
            DialogueError: it was not asked, there is no answer, or none that uses one of them.
        """
        names = {tool.name for tool in tools}

        def check(response: Message) -> None:
            _use(response, names)

        wish = _Wish(
            messages=messages, purpose=purpose, how=how, check=check, tools=tools, tool_choice=_REQUIRED
        )  # fmt: skip
        return await self._insist(wish, retries=retries)

    async def _insist(self, wish: _Wish[Parsed], *, retries: int) -> SampleExchange[Parsed]:
        """Ask until an answer passes, at most ``retries`` times again."""
        self._refuse_unsupported(wish)
        history = list(wish.messages)
        for attempt in range(1, retries + 2):
            try:
                return await self._attempt(wish, history, attempt)
            except BadAnswerError as error:
                if attempt <= retries:
                    continue
                if not retries:
                    raise
                raise BadAnswerError(f"{error} (asked {attempt} times)") from error
        raise AssertionError("the last attempt returns or raises")

    async def _attempt(self, wish: _Wish[Parsed], history: list[Message], attempt: int) -> SampleExchange[Parsed]:
        """Ask once; a bad answer, and what is wrong with it, are added to ``history``."""
        request, began = wish.messages[-1], self.clock()
        outcomes = await self.put({wish.purpose: wish.request(history)}, "sample", wish.how.get("seconds", SECONDS))
        outcome = outcomes[wish.purpose]
        facts = {"began": began, "attempt": attempt}
        if not isinstance(outcome, types.CreateMessageResultWithTools):
            problem = outcome if isinstance(outcome, DialogueError) else BadAnswerError("no answer of a model")
            self.write("sample", wish.purpose, messages=[spelled(request)], error=str(problem), **facts)
            raise problem
        response = Message(role="assistant", content=outcome.content)
        try:
            _refuse_results(response)
            parsed = wish.check(response)
        except BadAnswerError as error:
            said = [spelled(request), spelled(response)]
            self.write("sample", wish.purpose, messages=said, model=outcome.model, error=str(error), **facts)
            history += _corrected(response, str(error))
            raise
        exchange = SampleExchange(
            request=request, response=response, parsed=parsed, model=outcome.model, stop_reason=outcome.stop_reason
        )
        self.write(
            "sample", wish.purpose, messages=[spelled(message) for message in exchange.messages], model=outcome.model,
            parsed=parsed.model_dump(mode="json") if isinstance(parsed, BaseModel) else None, **facts,
        )  # fmt: skip
        return exchange

    def _refuse_unsupported(self, wish: _Wish[Parsed]) -> None:
        if self.channel.capabilities.sampling is None:
            raise NotSupportedByClient("sampling")
        if (wish.tools or wish.tool_choice) and not self.can_sample:
            raise NotSupportedByClient("sampling with tools")


def _take(_response: Message) -> None:
    """Take any answer."""


def _use(response: Message, names: set[str]) -> types.ToolUseContent:
    """Return the first use of one of the tools."""
    used = uses(response)
    wanted = " or ".join(sorted(names))
    if not used:
        raise BadAnswerError(f"the answer is text; it must be a call of {wanted}")
    for use in used:
        if use.name in names:
            return use
    raise BadAnswerError(f"the answer calls {used[0].name}; it must call {wanted}")


def _refuse_results(response: Message) -> None:
    """Refuse what would make no valid history: a result belongs to the one who was asked to use a tool."""
    if any(isinstance(block, types.ToolResultContent) for block in blocks(response)):
        raise BadAnswerError("the answer holds a tool's result; only the user's messages may")


def _corrected(response: Message, problem: str) -> list[Message]:
    """Return a bad answer as it may stand in a history, and what is wrong with it."""
    said = [block for block in blocks(response) if not isinstance(block, types.ToolResultContent)]
    if not said:
        return [user(problem)]
    used = uses(response)
    return [assistant(*said), results(used, problem, is_error=True) if used else user(problem)]


def _problems(error: ValidationError) -> str:
    lines = [
        f"{'.'.join(map(str, problem['loc'])) or 'the input'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return "the input does not fit the schema: " + "; ".join(lines)
