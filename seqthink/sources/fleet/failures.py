"""What goes wrong with an engine: what passes, so that one tries again, and what does not."""

from seqthink.core.errors import SeqthinkError, UsageError


class EngineUnavailableError(SeqthinkError):
    """The engine cannot be reached or used now; trying again helps. The message is one sentence without its address."""


class EngineRefusedError(UsageError):
    """The engine will not serve this user: a wrong password, a missing permission, a certificate, no such engine."""


class ReplyTooLargeError(SeqthinkError):
    """The engine began an answer that is larger than what was asked for can be; it was not read."""


class NonsenseReplyError(EngineUnavailableError):
    """The engine answered something that its protocol does not allow here, as a foreign program would."""
