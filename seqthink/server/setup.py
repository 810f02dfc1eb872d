"""What both answering paths serve with, and what one hands over to the other."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from seqthink.journal.lines import LineBuffer
from seqthink.server.tools.schemas import SchemaStyle
from seqthink.server.tools.thinking_tool import thinking_tool_definition
from seqthink.server.wire.jsonrpc import ErrorReply, IncomingMessage
from seqthink.server.wire.output import make_writer
from seqthink.server.wire.protocol import Handshake
from seqthink.server.wire.signals import Signals
from seqthink.server.wire.stdio import NonBlockingWriter, StdioPair

if TYPE_CHECKING:  # not loaded before the first answer
    from pathlib import Path

    from seqthink.server.recording.recorder import ThoughtRecorder


class AuditOptions(NamedTuple):
    """Where audits work, and for how long."""

    workspace: "Path | None"
    """The folder that the code belongs to, unless the client names one."""
    cwd: "Path"
    """The server's working folder, used when neither is given."""
    seconds: float
    """The time limit of one audit, in seconds."""


class ServerSetup(NamedTuple):
    """What a server needs from its process, made once when it starts."""

    make_recorder: "Callable[[], ThoughtRecorder]"
    """Returns the session's recorder, always the same. The first answer does not wait for its code to be loaded."""
    stdio: StdioPair
    signals: Signals
    print_stderr: Callable[[str], None]
    """Prints one line about the server itself."""
    tools: Sequence[Mapping[str, Any]]
    """The definitions that `tools/list` sends."""
    audit_options: AuditOptions | None = None
    """None: audits are off."""

    @property
    def recorder(self) -> "ThoughtRecorder":
        """The session's recorder, made when it is first asked for."""
        return self.make_recorder()


class Handover(NamedTuple):
    """Everything one path needs to continue from another."""

    messages: Sequence[IncomingMessage | ErrorReply]
    """Messages that were read but not handled."""
    buffer: LineBuffer
    """Holds the beginning of a line that is not complete yet."""
    writer: NonBlockingWriter
    """Holds output that the client has not taken yet."""
    handshake: Handshake

    @classmethod
    def at_start(cls, stdio: StdioPair) -> "Handover":
        """Return the state of a connection on which nothing was read or written yet."""
        return cls((), LineBuffer(), make_writer(stdio.stdout), Handshake())


def tool_definitions(schema: SchemaStyle, *, has_context: bool, has_audits: bool) -> list[Mapping[str, Any]]:
    """Return the tools that `tools/list` lists."""
    tools: list[Mapping[str, Any]] = [thinking_tool_definition(schema, has_audits=has_audits)]
    if has_context:
        from seqthink.server.tools.context_tools import context_tool_definitions  # noqa: PLC0415 - off by default

        tools += context_tool_definitions(schema)
    return tools
