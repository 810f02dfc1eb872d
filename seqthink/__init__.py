"""seqthink: a sequential-thinking server with a journal, and the code that understands journals.

The public Python API is what ``__all__`` names (docs/python.md). Each name is loaded when it is first used, so that
``import seqthink`` costs nothing when the server starts.
"""

TYPE_CHECKING = False  # loading `typing` takes longer than all else that the help page needs
if TYPE_CHECKING:
    from seqthink.api.health_views import HealthView, OddityView
    from seqthink.api.journal import Journal, open_journal, sessions
    from seqthink.api.live import EntryView, Follow, follow
    from seqthink.api.session_views import Estimate, RefusalView, Revision, SessionView
    from seqthink.api.thought_views import AgentView, AttachmentView, ChainView, EstimateChange, LaneView, ThoughtView
    from seqthink.chain.health.oddities import OddityKind
    from seqthink.chain.state import State
    from seqthink.core.errors import (
        AmbiguousSessionError,
        JournalChangedError,
        JournalNotFoundError,
        NotAJournalError,
        SeqthinkError,
        UnreadableJournalError,
        UsageError,
    )
    from seqthink.journal.store import SessionFile

__all__ = [
    "AgentView",
    "AmbiguousSessionError",
    "AttachmentView",
    "ChainView",
    "EntryView",
    "Estimate",
    "EstimateChange",
    "Follow",
    "HealthView",
    "Journal",
    "JournalChangedError",
    "JournalNotFoundError",
    "LaneView",
    "NotAJournalError",
    "OddityKind",
    "OddityView",
    "RefusalView",
    "Revision",
    "SeqthinkError",
    "SessionFile",
    "SessionView",
    "State",
    "ThoughtView",
    "UnreadableJournalError",
    "UsageError",
    "__version__",
    "follow",
    "open_journal",
    "sessions",
]

__version__ = "0.1.0"

_ERRORS = "seqthink.core.errors"
_HEALTH_VIEWS = "seqthink.api.health_views"
_SESSION_VIEWS = "seqthink.api.session_views"
_THOUGHT_VIEWS = "seqthink.api.thought_views"
_MODULES = {
    "AgentView": _THOUGHT_VIEWS,
    "AmbiguousSessionError": _ERRORS,
    "AttachmentView": _THOUGHT_VIEWS,
    "ChainView": _THOUGHT_VIEWS,
    "EntryView": "seqthink.api.live",
    "Estimate": _SESSION_VIEWS,
    "EstimateChange": _THOUGHT_VIEWS,
    "Follow": "seqthink.api.live",
    "HealthView": _HEALTH_VIEWS,
    "Journal": "seqthink.api.journal",
    "JournalChangedError": _ERRORS,
    "JournalNotFoundError": _ERRORS,
    "LaneView": _THOUGHT_VIEWS,
    "NotAJournalError": _ERRORS,
    "OddityKind": "seqthink.chain.health.oddities",
    "OddityView": _HEALTH_VIEWS,
    "RefusalView": _SESSION_VIEWS,
    "Revision": _SESSION_VIEWS,
    "SeqthinkError": _ERRORS,
    "SessionFile": "seqthink.journal.store",
    "SessionView": _SESSION_VIEWS,
    "State": "seqthink.chain.state",
    "ThoughtView": _THOUGHT_VIEWS,
    "UnreadableJournalError": _ERRORS,
    "UsageError": _ERRORS,
    "follow": "seqthink.api.live",
    "open_journal": "seqthink.api.journal",
    "sessions": "seqthink.api.journal",
}


if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> object:
        module = _MODULES.get(name)
        if module is None:
            raise AttributeError(f"module 'seqthink' has no attribute {name!r}")
        import importlib  # noqa: PLC0415 - not needed when the server starts

        value = globals()[name] = getattr(importlib.import_module(module), name)
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
