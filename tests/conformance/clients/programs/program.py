"""What is known of every client."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from tests.conformance.clients.vocabulary import Vocabulary


class Server(NamedTuple):
    """The MCP server behind a client."""

    command: str
    arguments: tuple[str, ...]
    environ: Mapping[str, str]


class Setting(NamedTuple):
    """Where a client is run."""

    home: Path
    """Its home folder, made for this run."""
    work: Path
    """The folder it works in."""
    model: str
    """Address of its model."""
    server: Server
    model_name: str | None = None
    """What its model is called, if not as usual."""


class Program(Protocol):
    """One client."""

    name: str
    """Its name on the command line here, and that of its program."""
    vocabulary: Vocabulary

    @property
    def transcripts(self) -> str:
        """The folder below its home in which it keeps its sessions."""
        ...

    def environ(self, setting: Setting) -> Mapping[str, str]:
        """Return what it needs in its environment."""
        ...

    def prepare(self, setting: Setting) -> None:
        """Write its settings: no telemetry, no updates, no login, our server."""
        ...

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:
        """Return the arguments that ask a first prompt, without a terminal."""
        ...

    def resume(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        """Return the arguments that ask another prompt in the session that was last; None: it needs a terminal."""
        ...

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        """Return the arguments that ask a prompt in a copy of the first session; None if it cannot copy one."""
        ...

    def interactive(self, setting: Setting) -> Sequence[str]:
        """Return the arguments that open its own screen."""
        ...
