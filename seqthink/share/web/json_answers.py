"""Answers to the page's script: JSON, and refusals in one sentence."""

import msgspec
from starlette.responses import Response

JSON = "application/json"
_ENCODER = msgspec.json.Encoder()


class RefusedRequestError(Exception):
    """A request that is not answered; its text is shown to the reader.

    Args:
        status: the HTTP status.
        sentence: why, in plain words of ours.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def encoded(value: object) -> bytes:
    """Return a value as JSON."""
    return _ENCODER.encode(value)


def json_answer(value: object) -> Response:
    """Return an answer with a value, or with bytes that are JSON already."""
    return Response(value if isinstance(value, bytes) else encoded(value), media_type=JSON)


def refusal(error: RefusedRequestError) -> Response:
    """Return a refusal for the script."""
    return Response(encoded({"error": error.sentence}), error.status, media_type=JSON)
