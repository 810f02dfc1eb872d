"""Asks the client's model: freely, for an answer of a given shape, or for the use of a tool."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypedDict, TypeVar

import mcp_types as types
from msgspec import Struct
from pydantic import BaseModel, ValidationError
from typing_extensions import Unpack

from seqthink.dialogue.errors import BadAnswerError, DialogueError, NotSupportedByClient
from seqthink.dialogue.exchanges import SampleExchange
from seqthink.dialogue.json_answers import json_value_in, with_schema_request
from seqthink.dialogue.messages import (
    SCHEMA_TOOL,
    Block,
    Message,
    assistant,
    content_blocks,
    history_problem,
    message_fields,
    same_results_message,
    schema_tool,
    tool_uses_of,
    user,
)
from seqthink.dialogue.questions import QuestionSender

Model = TypeVar("Model", bound=BaseModel)
Parsed = TypeVar("Parsed")

DEFAULT_SECONDS: Final = 120.0
"""How long an answer may take by default."""
DEFAULT_MAX_TOKENS: Final = 4096
"""How long an answer may be by default."""
DEFAULT_RETRIES: Final = 2
"""How often a model is asked again for the right shape by default."""
_TOOL_REQUIRED: Final = types.ToolChoice(mode="required")


class SamplingOptions(TypedDict, total=False):
    """Options of all methods that ask a model, as keyword arguments."""

    max_tokens: int
    """The most tokens that the answer may have (default: 4096)."""
    system_prompt: str
    """Instructions to the model; the client may leave them out."""
    temperature: float
    """The randomness of the answer, on the scale of the model."""
    models: Sequence[str]
    """Names of models as hints to the client, the best first."""
    seconds: float
    """How long one answer may take, in seconds (default: 120)."""


class _SamplingQuestion(Struct, Generic[Parsed], frozen=True, kw_only=True):
    """A question to a model, and how to check the answer."""

    messages: Sequence[Message]
    purpose: str
    options: SamplingOptions
    check: Callable[[Message], Parsed]
    """Returns the parsed answer; raises BadAnswerError if it is not accepted."""
    tools: Sequence[types.Tool] = ()
    tool_choice: types.ToolChoice | None = None

    def request(self, history: Sequence[Message]) -> types.CreateMessageRequest:
        """Return the request with ``history`` as its messages."""
        hints = [types.ModelHint(name=name) for name in self.options.get("models", ())]
        return types.CreateMessageRequest(
            params=types.CreateMessageRequestParams(
                messages=list(history),
                max_tokens=self.options.get("max_tokens", DEFAULT_MAX_TOKENS),
                system_prompt=self.options.get("system_prompt"),
                temperature=self.options.get("temperature"),
                model_preferences=types.ModelPreferences(hints=hints) if hints else None,
                tools=list(self.tools) or None,
                tool_choice=self.tool_choice,
            )
        )


class Sampling:
    """Questions to the client's model. Deprecated since 2026-07-28 (SEP-2577): few clients offer it."""

    def __init__(self, questions: QuestionSender) -> None:
        self._questions = questions

    @property
    def can_sample(self) -> bool:
        """Whether the client allows questions to its model."""
        return self._questions.channel.capabilities.sampling is not None

    @property
    def can_sample_with_tools(self) -> bool:
        """Whether the client allows questions to its model in which the model may use tools."""
        sampling = self._questions.channel.capabilities.sampling
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
            tool_choice: whether the model may, must or must not use a tool.
            options: see `SamplingOptions`.

        Raises:
            DialogueError: the client cannot be asked, or there is no answer.
            ValueError: ``messages`` is empty or not a valid history, or a tool has the reserved name ``__schema__``.
        """
        _refuse_reserved_name(tools)
        inquiry = _SamplingQuestion(
            messages=messages, purpose=purpose, options=options, check=_accept_any, tools=tools, tool_choice=tool_choice
        )  # fmt: skip
        return await self._ask_with_retries(inquiry, retries=0)

    async def sample_schema(
        self,
        messages: Sequence[Message],
        model: type[Model],
        *,
        purpose: str,
        retries: int = DEFAULT_RETRIES,
        **options: Unpack[SamplingOptions],
    ) -> SampleExchange[Model]:
        """Ask for an answer of a given shape; after another answer, the model gets the errors and is asked again.

        It is the input of a tool, or, where the client samples without tools, JSON in the text of the answer.

        Args:
            messages: the history, the request last.
            model: the shape, a pydantic model; the answer is an instance of it, ``exchange.parsed``.
            purpose: names the question, for the journal and as the key of the request.
            retries: how often the model is asked again.
            options: see `SamplingOptions`.

        Raises:
            DialogueError: the client cannot be asked, or there is no answer of that shape.
            ValueError: ``messages`` is empty or not a valid history.
        """
        if self.can_sample and not self.can_sample_with_tools:
            return await self._ask_in_text(messages, model, purpose, options, retries)

        def parse(response: Message) -> Model:
            return _validated(model, _first_use_of(response, {SCHEMA_TOOL}).input, "input")

        inquiry = _SamplingQuestion(
            messages=messages, purpose=purpose, options=options, check=parse,
            tools=[schema_tool(model)], tool_choice=_TOOL_REQUIRED,
        )  # fmt: skip
        return await self._ask_with_retries(inquiry, retries=retries)

    async def _ask_in_text(
        self, messages: Sequence[Message], model: type[Model], purpose: str, options: SamplingOptions, retries: int
    ) -> SampleExchange[Model]:
        """Ask for JSON of the shape of ``model`` in the text of the answer."""
        _refuse_invalid_history(messages)
        if any(_is_about_tools(block) for message in messages for block in content_blocks(message)):
            raise NotSupportedByClient("sampling with tools")

        def parse(response: Message) -> Model:
            return _validated(model, json_value_in(response, model), "answer")

        inquiry = _SamplingQuestion(
            messages=with_schema_request(messages, model), purpose=purpose, options=options, check=parse
        )
        return await self._ask_with_retries(inquiry, retries=retries)

    async def sample_tools(
        self,
        messages: Sequence[Message],
        tools: Sequence[types.Tool],
        *,
        purpose: str,
        retries: int = DEFAULT_RETRIES,
        **options: Unpack[SamplingOptions],
    ) -> SampleExchange[None]:
        """Ask for the use of at least one of ``tools``; after another answer, the model is asked again.

        Args:
            messages: the history, the request last.
            tools: the model must use one of them; the caller executes it.
            purpose: names the question, for the journal and as the key of the request.
            retries: how often the model is asked again.
            options: see `SamplingOptions`.

        Raises:
            DialogueError: the client cannot be asked, or there is no answer that uses one of them.
            ValueError: ``messages`` is empty or not a valid history, or a tool has the reserved name ``__schema__``.
        """
        _refuse_reserved_name(tools)
        names = {tool.name for tool in tools}

        def check(response: Message) -> None:
            _first_use_of(response, names)

        inquiry = _SamplingQuestion(
            messages=messages, purpose=purpose, options=options, check=check, tools=tools, tool_choice=_TOOL_REQUIRED
        )  # fmt: skip
        return await self._ask_with_retries(inquiry, retries=retries)

    async def _ask_with_retries(self, inquiry: _SamplingQuestion[Parsed], *, retries: int) -> SampleExchange[Parsed]:
        """Ask until an answer is accepted, at most ``retries`` more times."""
        _refuse_invalid_history(inquiry.messages)
        self._refuse_unsupported(inquiry)
        history = list(inquiry.messages)
        for attempt in range(1, retries + 2):
            try:
                return await self._ask_once(inquiry, history, attempt)
            except BadAnswerError as error:
                if attempt <= retries:
                    continue
                if not retries:
                    raise
                raise BadAnswerError(f"{error} (asked {attempt} times)") from error
        raise AssertionError("the last attempt returns or raises")

    async def _ask_once(
        self, inquiry: _SamplingQuestion[Parsed], history: list[Message], attempt: int
    ) -> SampleExchange[Parsed]:
        """Ask once; append a bad answer and its correction to ``history``."""
        request, began = inquiry.messages[-1], self._questions.clock()
        outcomes = await self._questions.send(
            {inquiry.purpose: inquiry.request(history)}, "sample", inquiry.options.get("seconds", DEFAULT_SECONDS)
        )
        outcome = outcomes[inquiry.purpose]
        fields = {"began": began, "attempt": attempt}
        if not isinstance(outcome, types.CreateMessageResultWithTools):
            problem = (
                outcome
                if isinstance(outcome, DialogueError)
                else BadAnswerError("the client's answer is not from a model")
            )
            self._questions.write(
                "sample", inquiry.purpose, messages=[message_fields(request)], error=str(problem), **fields
            )
            raise problem
        response = Message(role="assistant", content=outcome.content)
        try:
            _refuse_tool_results(response)
            parsed = inquiry.check(response)
        except BadAnswerError as error:
            messages = [message_fields(request), message_fields(response)]
            self._questions.write(
                "sample", inquiry.purpose, messages=messages, model=outcome.model, error=str(error), **fields
            )
            history += _correction(response, str(error))
            raise
        exchange = SampleExchange(
            request=request, response=response, parsed=parsed, model=outcome.model, stop_reason=outcome.stop_reason
        )
        self._questions.write(
            "sample", inquiry.purpose,
            messages=[message_fields(message) for message in exchange.messages], model=outcome.model,
            parsed=parsed.model_dump(mode="json") if isinstance(parsed, BaseModel) else None, **fields,
        )  # fmt: skip
        return exchange

    def _refuse_unsupported(self, inquiry: _SamplingQuestion[Parsed]) -> None:
        if self._questions.channel.capabilities.sampling is None:
            raise NotSupportedByClient("sampling")
        if (inquiry.tools or inquiry.tool_choice) and not self.can_sample_with_tools:
            raise NotSupportedByClient("sampling with tools")


def _accept_any(_response: Message) -> None:
    """Accept any answer."""


def _refuse_reserved_name(tools: Sequence[types.Tool]) -> None:
    if any(tool.name == SCHEMA_TOOL for tool in tools):
        raise ValueError(f"the tool name {SCHEMA_TOOL!r} is reserved for `sample_schema`; name the tool otherwise")


def _refuse_invalid_history(messages: Sequence[Message]) -> None:
    if not messages:
        raise ValueError("there are no messages; the last one is the request, so at least one is needed")
    problem = history_problem(messages)
    if problem:
        raise ValueError(f"the messages are not a valid history: {problem}")


def _first_use_of(response: Message, names: set[str]) -> types.ToolUseContent:
    """Return the first use of one of the tools ``names``.

    Raises:
        BadAnswerError: the answer uses none of them.
    """
    tool_uses = tool_uses_of(response)
    wanted = " or ".join(sorted(names))
    if not tool_uses:
        raise BadAnswerError(f"the answer is text; it must be a call of {wanted}")
    for use in tool_uses:
        if use.name in names:
            return use
    raise BadAnswerError(f"the answer calls {tool_uses[0].name}; it must call {wanted}")


def _is_about_tools(block: Block) -> bool:
    return isinstance(block, types.ToolUseContent | types.ToolResultContent)


def _refuse_tool_results(response: Message) -> None:
    """Refuse tool results in a model's answer: they make a history invalid."""
    if any(isinstance(block, types.ToolResultContent) for block in content_blocks(response)):
        raise BadAnswerError("the answer holds a tool's result; only the user's messages may")


def _correction(response: Message, problem: str) -> list[Message]:
    """Return the messages to add after a bad answer: its valid blocks, and the ``problem``."""
    kept = [block for block in content_blocks(response) if not isinstance(block, types.ToolResultContent)]
    if not kept:
        return [user(problem)]
    tool_uses = tool_uses_of(response)
    return [assistant(*kept), same_results_message(tool_uses, problem, is_error=True) if tool_uses else user(problem)]


def _validated(model: type[Model], value: Any, what: str) -> Model:  # noqa: ANN401 - any JSON
    """Return ``value`` as an instance of ``model``; ``what`` names it for the model that gave it.

    Raises:
        BadAnswerError: It does not fit.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        lines = [f"{'.'.join(map(str, problem['loc'])) or f'the {what}'}: {problem['msg']}" for problem in problems]
        raise BadAnswerError(f"the {what} does not fit the schema: {'; '.join(lines)}") from error
