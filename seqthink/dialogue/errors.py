"""Errors: why a question to the client has no answer. Models read the messages, too."""

from seqthink.core.errors import SeqthinkError
from seqthink.core.events import CLIENT_LEFT


class DialogueError(SeqthinkError):
    """A question has no usable answer."""


class NotSupportedByClient(DialogueError):  # noqa: N818 - docs/dialogue.md names it
    """The client did not declare the capability, so it was not asked."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the client does not support {what}")
        self.what = what
        """The capability: ``sampling``, ``sampling with tools``, ``elicitation`` or ``roots``."""


class UrlModeError(DialogueError):
    """Elicitation was asked for in `url` mode, which is not supported."""

    def __init__(self) -> None:
        super().__init__(
            "URL elicitation mode is not supported by seqthink. Use form mode (default) instead. "
            "See: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation"
        )


class NoAnswerError(DialogueError):
    """The client did not answer in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s")


class ClientLeftError(DialogueError):
    """The client disconnected before it answered."""

    def __init__(self) -> None:
        super().__init__(CLIENT_LEFT)


class RefusedError(DialogueError):
    """The client answered with an error."""


class BadAnswerError(DialogueError):
    """The client's answer is malformed or does not have the requested shape, after all retries."""
