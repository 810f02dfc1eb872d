"""Questions from an MCP server to its client: to the model, to the user, to the client itself (docs/dialogue.md).

Everything that a server needs is imported from here. Nothing is loaded before it is used: seqthink's own server reads
constants of this package before the MCP SDK may be loaded.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqthink.dialogue.channel import Channel, ClientPresence, Context
    from seqthink.dialogue.client_sessions import ClientSessions
    from seqthink.dialogue.dialogue import Dialogue
    from seqthink.dialogue.errors import (
        BadAnswerError,
        ClientLeftError,
        DialogueError,
        NoAnswerError,
        NotSupportedByClient,
        RefusedError,
        UrlModeError,
    )
    from seqthink.dialogue.exchanges import ElicitExchange, SampleExchange
    from seqthink.dialogue.forms import FormQuestion, FormQuestions
    from seqthink.dialogue.handoff import Handoff, hand_off
    from seqthink.dialogue.messages import Message, assistant, tool_result, user

__all__ = [
    "BadAnswerError",
    "Channel",
    "ClientLeftError",
    "ClientPresence",
    "ClientSessions",
    "Context",
    "Dialogue",
    "DialogueError",
    "ElicitExchange",
    "FormQuestion",
    "FormQuestions",
    "Handoff",
    "Message",
    "NoAnswerError",
    "NotSupportedByClient",
    "RefusedError",
    "SampleExchange",
    "UrlModeError",
    "assistant",
    "hand_off",
    "tool_result",
    "user",
]

_MODULES = {
    "channel": ("Channel", "ClientPresence", "Context"),
    "client_sessions": ("ClientSessions",),
    "dialogue": ("Dialogue",),
    "errors": (
        "BadAnswerError",
        "ClientLeftError",
        "DialogueError",
        "NoAnswerError",
        "NotSupportedByClient",
        "RefusedError",
        "UrlModeError",
    ),
    "exchanges": ("ElicitExchange", "SampleExchange"),
    "forms": ("FormQuestion", "FormQuestions"),
    "handoff": ("Handoff", "hand_off"),
    "messages": ("Message", "assistant", "tool_result", "user"),
}


if not TYPE_CHECKING:  # or a type checker would take every name for one that exists

    def __getattr__(name: str) -> object:
        import importlib  # noqa: PLC0415 - only where something is used

        for module, names in _MODULES.items():
            if name in names:
                value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{module}"), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
