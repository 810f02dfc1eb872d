"""Runs the demo's scripted agent as a process and finds its journal."""

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

from seqthink.cli.stories.story import CLIENT_NAME, DemoStory
from seqthink.core.errors import SeqthinkError
from seqthink.journal.follow import follow_folder
from seqthink.journal.peek import first_session_event
from seqthink.journal.store import list_sessions

_JOURNAL_SECONDS = 60.0
"""How long to wait for the agent's journal."""
_STOP_SECONDS = 3.0
"""How long to wait for the agent's process after each way to stop it."""


class DemoAgentError(SeqthinkError):
    """The scripted agent failed; the message is the last line it printed."""


class DemoAgent:
    """The agent's process. It and its server run at most until the end of the ``with`` block."""

    def __init__(self, story: DemoStory, folder: Path, *, is_fast: bool, is_loop: bool) -> None:
        self._folder = folder
        self._run_id = secrets.token_hex(4)  # several demos may run in one folder
        self._journal: Path | None = None
        # The agent imports from this program's own path; `-P` keeps the working folder out of it.
        self._command = [
            *(sys.executable, "-P", "-m", "seqthink.cli.stories.agent", "--until-eof"),
            *("--name", story.name, "--journal-dir", str(folder), "--mark", self._run_id),
            *(["--fast"] if is_fast else []),
            *(["--loop"] if is_loop else []),
        ]

    def __enter__(self) -> Self:
        # A file, not a pipe: it needs no reader, and its last line can be read when needed.
        self._stderr = tempfile.TemporaryFile(prefix="seqthink-")
        try:
            self._process = subprocess.Popen(
                self._command,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
            )
        except OSError as error:
            self._stderr.close()
            raise DemoAgentError(f"it does not start: {error.strerror}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None, "it was made with a pipe"
        for stop in (self._process.stdin.close, self._process.terminate, self._process.kill):
            stop()
            try:
                self._process.wait(_STOP_SECONDS)
                break
            except subprocess.TimeoutExpired:
                continue
        self._stderr.close()

    async def wait_for_journal(self) -> Path:
        """Return the journal of the agent's server as soon as it exists.

        Raises:
            DemoAgentError: the agent failed, or there is no journal in time.
        """
        with anyio.move_on_after(_JOURNAL_SECONDS):
            async with aclosing(follow_folder(self._folder)) as changes:
                async for _ in changes:
                    has_ended = self._process.poll() is not None
                    path = self.find_journal()
                    if path is not None:
                        return path
                    if has_ended:
                        self.raise_if_failed()
                        raise DemoAgentError(f"it wrote no journal in {self._folder}")
        raise DemoAgentError(f"its journal did not appear in {self._folder} within {_JOURNAL_SECONDS:.0f} s")

    def find_journal(self) -> Path | None:
        """Return the journal of the agent's server, if it exists."""
        if self._journal is None:
            self._journal = next((file.path for file in list_sessions(self._folder) if self._is_own(file.path)), None)
        return self._journal

    def _is_own(self, path: Path) -> bool:
        event = first_session_event(path)
        client = event.client if event else None
        return client is not None and client.name == CLIENT_NAME and (client.version or "").endswith(f"+{self._run_id}")

    async def wait(self) -> None:
        """Wait until the agent has ended."""
        await anyio.to_thread.run_sync(self._process.wait, abandon_on_cancel=True)

    def failure(self) -> str:
        """Return why the agent failed; empty if it has not."""
        try:
            self.raise_if_failed()
        except DemoAgentError as error:
            return str(error)
        return ""

    def raise_if_failed(self) -> None:
        """Do nothing while the agent runs or after it ended well.

        Raises:
            DemoAgentError: it failed.
        """
        if self._process.poll():
            self._stderr.seek(0)
            lines = self._stderr.read().decode(errors="replace").strip().splitlines()
            raise DemoAgentError(lines[-1] if lines else f"exit status {self._process.returncode}")
