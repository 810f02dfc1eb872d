"""Asks the user with forms: one question, or several by key."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeVar, overload

import mcp_types as types
from pydantic import BaseModel, ValidationError

from seqthink.dialogue.channel import Outcome, first_problem
from seqthink.dialogue.errors import BadAnswerError, DialogueError, NotSupportedByClient, UrlModeError
from seqthink.dialogue.exchanges import ElicitExchange, elicitation_messages
from seqthink.dialogue.forms import FormQuestions, form_schema
from seqthink.dialogue.messages import message_fields
from seqthink.dialogue.questions import QuestionSender

Model = TypeVar("Model", bound=BaseModel)

Answers = TypeVar("Answers", bound=FormQuestions)

DEFAULT_SECONDS: Final = 600.0
"""How long an answer may take by default."""


class Elicitation:
    """Questions to the client's user."""

    def __init__(self, questions: QuestionSender) -> None:
        self._questions = questions

    @property
    def can_elicit(self) -> bool:
        """Whether the client can show its user a form."""
        return can_elicit(self._questions.channel.capabilities)

    async def elicit(
        self,
        message: str,
        model: type[Model],
        *,
        purpose: str,
        mode: Literal["form", "url"] = "form",
        seconds: float = DEFAULT_SECONDS,
    ) -> ElicitExchange[Model]:
        """Ask the user with a form.

        Args:
            message: the question.
            model: the form, a flat pydantic model.
            purpose: names the question, for the journal and as the key of the request.
            mode: only ``form`` is supported.
            seconds: how long the answer may take.

        Raises:
            DialogueError: the client cannot be asked, there is no answer, or it does not fit the form.
            TypeError: the model has a field of a type that forms do not support.
        """
        return (await self._elicit({purpose: (message, model)}, mode, seconds))[purpose]

    @overload
    async def elicits(
        self,
        questions: type[Answers],
        messages: Mapping[str, str] | None = None,
        *,
        mode: Literal["form", "url"] = "form",
        seconds: float = DEFAULT_SECONDS,
    ) -> Answers: ...
    @overload
    async def elicits(
        self,
        questions: Mapping[str, type[Model]],
        messages: Mapping[str, str],
        *,
        mode: Literal["form", "url"] = "form",
        seconds: float = DEFAULT_SECONDS,
    ) -> dict[str, ElicitExchange[Model]]: ...
    async def elicits(
        self,
        questions: type[Answers] | Mapping[str, type[Model]],
        messages: Mapping[str, str] | None = None,
        *,
        mode: Literal["form", "url"] = "form",
        seconds: float = DEFAULT_SECONDS,
    ) -> Answers | dict[str, ElicitExchange[Model]]:
        """Ask the user several questions at once, and return the answers by key.

        Args:
            questions: a `FormQuestions` class, whose instance with typed answers is returned; or a form (a flat
                pydantic model) for each key, for which a dictionary is returned. A key is its question's purpose.
            messages: the question for each key; for a `FormQuestions` class only those that replace its own.
            mode: only ``form`` is supported.
            seconds: how long all answers together may take.

        Raises:
            DialogueError: the client cannot be asked, or an answer is missing or does not fit its form.
            TypeError: a model has a field of a type that forms do not support.
            ValueError: ``messages`` lacks the key of a question, or has an unknown key.
        """
        if isinstance(questions, type):
            own = questions.questions()
            wording = {key: question.message for key, question in own.items()} | dict(messages or {})
            if unknown := sorted(wording.keys() - own.keys()):
                raise ValueError(
                    f"there is a message for {unknown[0]!r}, but {questions.__name__} has no such question"
                )
            models = {key: question.model for key, question in own.items()}
            return questions(await self._elicit(_with_messages(models, wording), mode, seconds))
        return await self._elicit(_with_messages(questions, messages or {}), mode, seconds)

    async def _elicit(
        self, asked: Mapping[str, tuple[str, type[Model]]], mode: Literal["form", "url"], seconds: float
    ) -> dict[str, ElicitExchange[Model]]:
        if mode == "url":
            raise UrlModeError
        if not self.can_elicit:
            raise NotSupportedByClient("elicitation")
        if not asked:
            return {}
        requests = {key: _request(message, model) for key, (message, model) in asked.items()}
        began = self._questions.clock()
        outcomes = await self._questions.send(requests, "elicit", seconds)
        exchanges: dict[str, ElicitExchange[Model]] = {}
        problems: list[DialogueError] = []
        for key, (_, model) in asked.items():
            try:
                exchanges[key] = self._exchange(key, requests[key], model, outcomes[key], began)
            except DialogueError as problem:
                problems.append(problem)
        if problems:
            raise problems[0]
        return exchanges

    def _exchange(
        self, key: str, question: types.ElicitRequest, model: type[Model], outcome: Outcome, began: float
    ) -> ElicitExchange[Model]:
        """Journal how a question ended, and return its exchange.

        Raises:
            DialogueError: there is no answer, or it does not fit the form.
        """
        if not isinstance(outcome, types.ElicitResult):
            problem = (
                outcome
                if isinstance(outcome, DialogueError)
                else BadAnswerError("the client's answer is not from the user")
            )
            self._questions.write("elicit", key, began=began, error=str(problem))
            raise problem
        request, response = elicitation_messages(self._questions.make_use_id(key), question, outcome)
        facts: dict[str, Any] = {
            "began": began,
            "messages": [message_fields(request), message_fields(response)],
            "action": outcome.action,
            "content": outcome.content if outcome.action == "accept" else None,
        }
        try:
            content = model.model_validate(outcome.content or {}) if outcome.action == "accept" else None
        except ValidationError as error:
            problem = BadAnswerError(f"the answer does not fit the form: {first_problem(error)}")
            self._questions.write("elicit", key, **facts, error=str(problem))
            raise problem from error
        self._questions.write("elicit", key, **facts)
        return ElicitExchange(request=request, response=response, action=outcome.action, content=content)


def _request(message: str, model: type[BaseModel]) -> types.ElicitRequest:
    return types.ElicitRequest(
        params=types.ElicitRequestFormParams(message=message, requested_schema=form_schema(model))
    )


def can_elicit(capabilities: types.ClientCapabilities | None) -> bool:
    """Return whether a client can show its user a form; a client that names no mode can."""
    elicitation = capabilities.elicitation if capabilities else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _with_messages(
    models: Mapping[str, type[Model]], messages: Mapping[str, str]
) -> dict[str, tuple[str, type[Model]]]:
    """Return message and form for each key.

    Raises:
        ValueError: a form has no message.
    """
    if missing := sorted(models.keys() - messages.keys()):
        raise ValueError(f"there is no message for the question {missing[0]!r}")
    return {key: (messages[key], model) for key, model in models.items()}
