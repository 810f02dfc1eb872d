"""Why a question to the client came to nothing; the texts are for whoever asked, the model included."""

from seqthink.errors import SeqthinkError
from seqthink.events import CLIENT_LEFT


class DialogueError(SeqthinkError):
    """A question that was not answered, or not in a way that can be used."""


class NotSupportedByClient(DialogueError):  # noqa: N818 - server.md names it
    """The client never said that it can do this, so it was not asked."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the client does not support {what}")
        self.what = what


class UrlModeError(DialogueError):
    """A question in `url` mode, which this server does not ask (mcp-message-alignment.md, part 2)."""

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
    """The client went away before it answered."""

    def __init__(self) -> None:
        super().__init__(CLIENT_LEFT)


class RefusedError(DialogueError):
    """The client answered with an error."""


class BadAnswerError(DialogueError):
    """The client's answer is none that was asked for, even after it was told so."""
