"""Reads a stateless client's answers to questions (`inputResponses`), including malformed ones."""

from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types
from pydantic import TypeAdapter, ValidationError

from seqthink.dialogue.channel import Outcome, Question, answer_kind, first_problem
from seqthink.dialogue.errors import BadAnswerError

_ANSWER_ADAPTER: Final[TypeAdapter[Any]] = TypeAdapter(types.InputResponse)
_ORIGINAL_KEY: Final = "seqthink/raw"


def wrap_malformed(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``answers`` with each malformed one wrapped in a valid one: the SDK would refuse the whole call.

    The wrapper is an empty list of roots with the original in its `_meta`.
    """
    return {
        key: answer if _is_answer(answer) else {"roots": [], "_meta": {_ORIGINAL_KEY: answer}}
        for key, answer in answers.items()
    }


def read_outcome(question: Question, answer: types.InputResponse) -> Outcome:
    """Return a client's answer if it fits the question, else an error."""
    match question, answer:
        case types.ElicitRequest(), types.ElicitResult():
            return answer
        case types.CreateMessageRequest(), types.CreateMessageResultWithTools():
            return answer
        case types.CreateMessageRequest(), types.CreateMessageResult():
            return types.CreateMessageResultWithTools.model_validate(answer.model_dump())
        case _, types.ListRootsResult(meta=dict(meta)) if _ORIGINAL_KEY in meta:
            return _malformed_error(question, meta[_ORIGINAL_KEY])
        case types.ListRootsRequest(), types.ListRootsResult():
            return answer
        case _:
            return BadAnswerError("the client's answer does not match the question")


def _is_answer(answer: object) -> bool:
    try:
        _ANSWER_ADAPTER.validate_python(answer)
    except ValidationError:
        return False
    return True


def _malformed_error(question: Question, raw: object) -> BadAnswerError:
    try:
        answer_kind(question).model_validate(raw)
    except ValidationError as error:
        return BadAnswerError(f"the client's answer is malformed: {first_problem(error)}")
    return BadAnswerError("the client's answer is malformed")
