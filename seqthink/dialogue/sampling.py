"""Asks the client's model: freely, for an answer of a given shape, or for the use of a tool."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypedDict, TypeVar

import mcp_types as types
from msgspec import Struct
from pydantic import BaseModel, ValidationError
from typing_extensions import Unpack

from seqthink.dialogue.errors import BadAnswerError, DialogueError, NotSupportedByClient
from seqthink.dialogue.exchanges import SampleExchange
from seqthink.dialogue.messages import (
    SCHEMA_TOOL,
    Message,
    assistant,
    blocks,
    history_problem,
    results,
    schema_tool,
    spelled,
    user,
    uses,
)
from seqthink.dialogue.questions import QuestionSender

Model = TypeVar("Model", bound=BaseModel)
Parsed = TypeVar("Parsed")

SECONDS: Final = 120.0
"""How long an answer may take unless the caller says otherwise."""
MAX_TOKENS: Final = 4096
"""How long an answer may be unless the caller says otherwise."""
RETRIES: Final = 2
"""How often a model is asked again for the right shape unless the caller says otherwise."""
_REQUIRED: Final = types.ToolChoice(mode="required")


class SamplingOptions(TypedDict, total=False):
    """Options of every way to ask a model, as keyword arguments."""

    max_tokens: int
    """How many tokens the answer may have at most (default: 4096)."""
    system_prompt: str
    """Instructions to the model; the client may leave them out."""
    temperature: float
    """The randomness of the answer, on the model's own scale."""
    models: Sequence[str]
    """Names of models as hints to the client, the best first."""
    seconds: float
    """How long one answer may take (default: 120)."""


class _Inquiry(Struct, Generic[Parsed], frozen=True, kw_only=True):
    """What to ask a model, and how to check its answer."""

    messages: Sequence[Message]
    purpose: str
    options: SamplingOptions
    check: Callable[[Message], Parsed]
    tools: Sequence[types.Tool] = ()
    tool_choice: types.ToolChoice | None = None

    def request(self, history: Sequence[Message]) -> types.CreateMessageRequest:
        """Return the request with ``history`` as its messages."""
        hints = [types.ModelHint(name=name) for name in self.options.get("models", ())]
        return types.CreateMessageRequest(
            params=types.CreateMessageRequestParams(
                messages=list(history),
                max_tokens=self.options.get("max_tokens", MAX_TOKENS),
                system_prompt=self.options.get("system_prompt"),
                temperature=self.options.get("temperature"),
                model_preferences=types.ModelPreferences(hints=hints) if hints else None,
                tools=list(self.tools) or None,
                tool_choice=self.tool_choice,
            )
        )


class Sampling(QuestionSender):
    """Questions to the client's model. Deprecated since 2026-07-28 (SEP-2577): few clients offer it."""

    @property
    def can_sample(self) -> bool:
        """Whether the client lets its model be asked, tools included."""
        sampling = self.channel.capabilities.sampling
        return sampling is not None and sampling.tools is not None

    async def sample(
        self,
        messages: Sequence[Message],
        *,
        purpose: str,
        tools: Sequence[types.Tool] = (),
        tool_choice: types.ToolChoice | None = None,
        **options: Unpack[SamplingOptions],
    ) -> SampleExchange[None]:
        """Ask the client's model, and return its answer.

        A model that may use tools is asked again with their results: add ``exchange.response`` and
        ``exchange.tool_results(...)`` to the messages.

        Args:
            messages: the history, the request last.
            purpose: names the question, for the journal and as the key of the request.
            tools: the tools that the model may use; the caller executes them.
            tool_choice: whether the model may, must or must not use one.
            options: see `SamplingOptions`.

        Raises:
            DialogueError: the client cannot be asked, or there is no answer.
            ValueError: ``messages`` is empty or no valid history, or a tool has the reserved name ``__schema__``.
        """
        _refuse_reserved(tools)
        inquiry = _Inquiry(
            messages=messages, purpose=purpose, options=options, check=_accept, tools=tools, tool_choice=tool_choice
        )  # fmt: skip
        return await self._insist(inquiry, retries=0)

    async def sample_schema(
        self,
        messages: Sequence[Message],
        model: type[Model],
        *,
        purpose: str,
        retries: int = RETRIES,
        **options: Unpack[SamplingOptions],
    ) -> SampleExchange[Model]:
        """Ask for an answer of a given shape; a model that misses it gets the validation errors, and is asked again.

        Args:
            messages: the history, the request last.
            model: the shape, a pydantic model; the answer is an instance of it, ``exchange.parsed``.
            purpose: names the question, for the journal and as the key of the request.
            retries: how often it is asked again.
            options: see `SamplingOptions`.

        Raises:
            DialogueError: the client cannot be asked, there is no answer, or none of that shape.
            ValueError: ``messages`` is empty or no valid history.
        """

        def parse(response: Message) -> Model:
            use = _use(response, {SCHEMA_TOOL})
            try:
                return model.model_validate(use.input)
            except ValidationError as error:
                raise BadAnswerError(_problems(error)) from error

        inquiry = _Inquiry(
            messages=messages, purpose=purpose, options=options, check=parse,
            tools=[schema_tool(model)], tool_choice=_REQUIRED,
        )  # fmt: skip
        return await self._insist(inquiry, retries=retries)

    async def sample_tools(
        self,
        messages: Sequence[Message],
        tools: Sequence[types.Tool],
        *,
        purpose: str,
        retries: int = RETRIES,
        **options: Unpack[SamplingOptions],
    ) -> SampleExchange[None]:
        """Ask for the use of at least one of ``tools``; a model that uses none is told so, and asked again.

        Args:
            messages: the history, the request last.
            tools: the tools, of which the model must use one; the caller executes them.
            purpose: names the question, for the journal and as the key of the request.
            retries: how often it is asked again.
            options: see `SamplingOptions`.

        Raises:
            DialogueError: the client cannot be asked, there is no answer, or none that uses one of them.
            ValueError: ``messages`` is empty or no valid history, or a tool has the reserved name ``__schema__``.
        """
        _refuse_reserved(tools)
        names = {tool.name for tool in tools}

        def check(response: Message) -> None:
            _use(response, names)

        inquiry = _Inquiry(
            messages=messages, purpose=purpose, options=options, check=check, tools=tools, tool_choice=_REQUIRED
        )  # fmt: skip
        return await self._insist(inquiry, retries=retries)

    async def _insist(self, inquiry: _Inquiry[Parsed], *, retries: int) -> SampleExchange[Parsed]:
        """Ask until an answer passes, at most ``retries`` times again."""
        _refuse_invalid(inquiry.messages)
        self._refuse_unsupported(inquiry)
        history = list(inquiry.messages)
        for attempt in range(1, retries + 2):
            try:
                return await self._attempt(inquiry, history, attempt)
            except BadAnswerError as error:
                if attempt <= retries:
                    continue
                if not retries:
                    raise
                raise BadAnswerError(f"{error} (asked {attempt} times)") from error
        raise AssertionError("the last attempt returns or raises")

    async def _attempt(self, inquiry: _Inquiry[Parsed], history: list[Message], attempt: int) -> SampleExchange[Parsed]:
        """Ask once; a bad answer, and what is wrong with it, are added to ``history``."""
        request, began = inquiry.messages[-1], self.clock()
        outcomes = await self.send(
            {inquiry.purpose: inquiry.request(history)}, "sample", inquiry.options.get("seconds", SECONDS)
        )
        outcome = outcomes[inquiry.purpose]
        facts = {"began": began, "attempt": attempt}
        if not isinstance(outcome, types.CreateMessageResultWithTools):
            problem = (
                outcome
                if isinstance(outcome, DialogueError)
                else BadAnswerError("the client's answer is not from a model")
            )
            self.write("sample", inquiry.purpose, messages=[spelled(request)], error=str(problem), **facts)
            raise problem
        response = Message(role="assistant", content=outcome.content)
        try:
            _refuse_results(response)
            parsed = inquiry.check(response)
        except BadAnswerError as error:
            spoken = [spelled(request), spelled(response)]
            self.write("sample", inquiry.purpose, messages=spoken, model=outcome.model, error=str(error), **facts)
            history += _corrected(response, str(error))
            raise
        exchange = SampleExchange(
            request=request, response=response, parsed=parsed, model=outcome.model, stop_reason=outcome.stop_reason
        )
        self.write(
            "sample", inquiry.purpose,
            messages=[spelled(message) for message in exchange.messages], model=outcome.model,
            parsed=parsed.model_dump(mode="json") if isinstance(parsed, BaseModel) else None, **facts,
        )  # fmt: skip
        return exchange

    def _refuse_unsupported(self, inquiry: _Inquiry[Parsed]) -> None:
        if self.channel.capabilities.sampling is None:
            raise NotSupportedByClient("sampling")
        if (inquiry.tools or inquiry.tool_choice) and not self.can_sample:
            raise NotSupportedByClient("sampling with tools")


def _accept(_response: Message) -> None:
    """Accept any answer."""


def _refuse_reserved(tools: Sequence[types.Tool]) -> None:
    if any(tool.name == SCHEMA_TOOL for tool in tools):
        raise ValueError(f"the tool name {SCHEMA_TOOL!r} is reserved for `sample_schema`; name the tool otherwise")


def _refuse_invalid(messages: Sequence[Message]) -> None:
    if not messages:
        raise ValueError("there are no messages; the last one is the request, so at least one is needed")
    problem = history_problem(messages)
    if problem:
        raise ValueError(f"the messages are no valid history: {problem}")


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
    """Refuse tool results in a model's answer, which make a history invalid."""
    if any(isinstance(block, types.ToolResultContent) for block in blocks(response)):
        raise BadAnswerError("the answer holds a tool's result; only the user's messages may")


def _corrected(response: Message, problem: str) -> list[Message]:
    """Return a bad answer without what makes a history invalid, and the message that says what is wrong with it."""
    kept = [block for block in blocks(response) if not isinstance(block, types.ToolResultContent)]
    if not kept:
        return [user(problem)]
    used = uses(response)
    return [assistant(*kept), results(used, problem, is_error=True) if used else user(problem)]


def _problems(error: ValidationError) -> str:
    lines = [
        f"{'.'.join(map(str, problem['loc'])) or 'the input'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return "the input does not fit the schema: " + "; ".join(lines)
