"""The demo's scripted agent as a process, and its journal as soon as there is one."""

import os
import secrets
import subprocess
import sys
import tempfile
from contextlib import aclosing
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
import anyio.to_thread

from seqthink.demo.story import CLIENT_NAME, DemoStory
from seqthink.errors import SeqthinkError
from seqthink.journal.follow import follow_folder
from seqthink.journal.peek import first_session_event
from seqthink.journal.store import list_sessions

_BOUND = 60.0
_GRACE = 3.0


class DemoAgentError(SeqthinkError):
    """The scripted agent could not tell its story; the message is the last thing that it said."""


class DemoAgent:
    """The agent's process: runs from ``with`` to the end of it at most, and its server with it."""

    def __init__(self, story: DemoStory, folder: Path, *, is_fast: bool, is_loop: bool) -> None:
        self._folder = folder
        self._mark = secrets.token_hex(4)  # several demos may run in one folder
        self._found: Path | None = None
        # Found where this program's own modules are; `-P` keeps what lies in the working folder out of the way.
        self._command = [
            *(sys.executable, "-P", "-m", "seqthink.demo.agent", "--until-eof"),
            *("--name", story.name, "--journal-dir", str(folder), "--mark", self._mark),
            *(["--fast"] if is_fast else []),
            *(["--loop"] if is_loop else []),
        ]

    def __enter__(self) -> Self:
        # Not a pipe: nobody has to read along, and the last words are there when they are asked for.
        self._said = tempfile.TemporaryFile(prefix="seqthink-")
        try:
            self._process = subprocess.Popen(
                self._command,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
            )
        except OSError as error:
            self._said.close()
            raise DemoAgentError(f"it does not start: {error.strerror}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None, "it was made with a pipe"
        for stop in (self._process.stdin.close, self._process.terminate, self._process.kill):
            stop()
            try:
                self._process.wait(_GRACE)
                break
            except subprocess.TimeoutExpired:
                continue
        self._said.close()

    async def wait_for_journal(self) -> Path:
        """Return the journal of the agent's server, as soon as it is there.

        Raises:
            AgentError: the agent failed, or no journal came.
        """
        with anyio.move_on_after(_BOUND):
            async with aclosing(follow_folder(self._folder)) as looks:
                async for _ in looks:
                    has_ended = self._process.poll() is not None
                    path = self.find_journal()
                    if path is not None:
                        return path
                    if has_ended:
                        self.raise_if_failed()
                        raise DemoAgentError(f"it left no journal in {self._folder}")
        raise DemoAgentError(f"no journal of it came up in {self._folder} within {_BOUND:.0f} s")

    def find_journal(self) -> Path | None:
        """Return the journal of the agent's server, if it is there."""
        if self._found is None:
            self._found = next((file.path for file in list_sessions(self._folder) if self._is_own(file.path)), None)
        return self._found

    def _is_own(self, path: Path) -> bool:
        event = first_session_event(path)
        client = event.client if event else None
        return client is not None and client.name == CLIENT_NAME and (client.version or "").endswith(f"+{self._mark}")

    async def wait(self) -> None:
        """Return when the agent has ended."""
        await anyio.to_thread.run_sync(self._process.wait, abandon_on_cancel=True)

    def failure(self) -> str:
        """Return why the agent failed; nothing while it has not."""
        try:
            self.raise_if_failed()
        except DemoAgentError as error:
            return str(error)
        return ""

    def raise_if_failed(self) -> None:
        """Return when the agent still runs, or ended well.

        Raises:
            AgentError: it failed.
        """
        if self._process.poll():
            self._said.seek(0)
            said = self._said.read().decode(errors="replace").strip().splitlines()
            raise DemoAgentError(said[-1] if said else f"exit status {self._process.returncode}")
