"""Asking the person by a form: one question, or several by their keys."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeVar

import mcp_types as types
from pydantic import BaseModel, ValidationError

from seqthink.dialogue.asking import Asker
from seqthink.dialogue.channel import Outcome, first_problem
from seqthink.dialogue.errors import BadAnswerError, DialogueError, NotSupportedByClient, UrlModeError
from seqthink.dialogue.exchanges import ElicitExchange, elicitation
from seqthink.dialogue.forms import form
from seqthink.dialogue.messages import spelled

Model = TypeVar("Model", bound=BaseModel)

SECONDS: Final = 600.0


class Elicitation(Asker):
    """What can be asked of the person at the client."""

    @property
    def can_elicit(self) -> bool:
        """Whether the client asks its person."""
        return can_elicit(self.channel.capabilities)

    async def elicit(
        self,
        message: str,
        model: type[Model],
        *,
        purpose: str,
        mode: Literal["form", "url"] = "form",
        seconds: float = SECONDS,
    ) -> ElicitExchange[Model]:
        """Ask the person by a form.

        Raises:
            DialogueError: they were not asked, there is no answer, or it does not fit the form.
        """
        return (await self.elicits({purpose: model}, {purpose: message}, mode=mode, seconds=seconds))[purpose]

    async def elicits(
        self,
        models: Mapping[str, type[Model]],
        messages: Mapping[str, str],
        *,
        mode: Literal["form", "url"] = "form",
        seconds: float = SECONDS,
    ) -> dict[str, ElicitExchange[Model]]:
        """Ask the person several things, and return what came of each by its key, which is its purpose.

        Raises:
            DialogueError: they were not asked, or an answer is missing or does not fit its form.
        """
        if mode == "url":
            raise UrlModeError
        if not self.can_elicit:
            raise NotSupportedByClient("elicitation")
        if not models:
            return {}
        questions = {key: _question(messages[key], model) for key, model in models.items()}
        began = self.clock()
        outcomes = await self.put(questions, "elicit", seconds)
        exchanges: dict[str, ElicitExchange[Model]] = {}
        problems: list[DialogueError] = []
        for key, model in models.items():
            try:
                exchanges[key] = self._taken(key, questions[key], model, outcomes[key], began)
            except DialogueError as problem:
                problems.append(problem)
        if problems:
            raise problems[0]
        return exchanges

    def _taken(
        self, key: str, question: types.ElicitRequest, model: type[Model], outcome: Outcome, began: float
    ) -> ElicitExchange[Model]:
        """Journal what came of a question, and return it.

        Raises:
            DialogueError: nothing that can be used.
        """
        if not isinstance(outcome, types.ElicitResult):
            problem = outcome if isinstance(outcome, DialogueError) else BadAnswerError("no answer of a person")
            self.write("elicit", key, began=began, error=str(problem))
            raise problem
        request, response = elicitation(self.use_id(key), question, outcome)
        facts: dict[str, Any] = {
            "began": began,
            "messages": [spelled(request), spelled(response)],
            "action": outcome.action,
            "content": outcome.content if outcome.action == "accept" else None,
        }
        try:
            content = model.model_validate(outcome.content or {}) if outcome.action == "accept" else None
        except ValidationError as error:
            problem = BadAnswerError(f"the answer does not fit the form: {first_problem(error)}")
            self.write("elicit", key, **facts, error=str(problem))
            raise problem from error
        self.write("elicit", key, **facts)
        return ElicitExchange(request=request, response=response, action=outcome.action, content=content)


def _question(message: str, model: type[BaseModel]) -> types.ElicitRequest:
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=form(model)))


def can_elicit(capabilities: types.ClientCapabilities | None) -> bool:
    """Return whether a client asks its person by forms; one that names no mode does."""
    offered = capabilities.elicitation if capabilities else None
    return offered is not None and (offered.form is not None or offered.url is None)
