"""A machine of its own for `seqthink doctor`: a home folder, a search path, clients' files, servers that misbehave."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS
from tests.support.servers.commands import TIMEOUT_SECONDS, command
from tests.support.servers.warm_commands import run_in_a_fork

BIN = Path(sys.executable).parent
INSTALLED = BIN / "seqthink"
SESSIONS = ".local/state/seqthink/sessions"
VARIABLES = ("LANG", "TERM", "TZ", "LD_LIBRARY_PATH")

ANSWERING_SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    number = message.get("id")
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": INFO}
    elif message["method"] == "tools/list":
        result = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
    else:
        result = {"content": [{"type": "text", "text": "{}"}]}
    if number is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}), flush=True)
"""


class SetUp:
    """A home folder with clients' files; the doctor is run in it as a process of its own.

    Args:
        home: an empty folder, which becomes the home folder.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.project = home / "project"
        self.project.mkdir(parents=True)
        (home / "bin").mkdir()
        self.sessions = home / SESSIONS
        self.sessions.mkdir(mode=0o700, parents=True)
        self.variables = {
            "HOME": str(home),
            "PATH": os.pathsep.join([str(BIN), str(home / "bin"), "/usr/bin", "/bin"]),
            **{name: os.environ[name] for name in VARIABLES if name in os.environ},
        }

    def file(self, client: str, scope: str = "user") -> Path:
        """Return the path of a client's file."""
        files = CLIENTS[client].config_files(sys.platform, {})
        named = next(file.path for file in files if file.scope == scope)
        return self.home / named[2:] if named.startswith("~/") else self.project / named

    def write(self, client: str, text: str, scope: str = "user") -> Path:
        """Write a client's file."""
        path = self.file(client, scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def use(self, client: str) -> None:
        """Make the folder of a client with a file in it, as the client does when it is used."""
        folder = self.file(client).parent
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "state").touch()

    def connect(
        self,
        client: str = "cursor",
        words: Sequence[str | Path] = (INSTALLED, "serve"),
        environment: Mapping[str, str] | None = None,
        scope: str = "user",
    ) -> Path:
        """Write the file that starts ``words`` under our name."""
        program, *arguments = map(str, words)
        launch = Launch(program, tuple(arguments), environment or {})
        return self.write(client, CLIENTS[client].snippet(launch), scope)

    def servers(self, client: str = "cursor", /, **entries: object) -> Path:
        """Write a file with these entries."""
        value: Any = entries
        for key in reversed(CLIENTS[client].key_path):
            value = {key: value}
        return self.write(client, json.dumps(value))

    def program(self, name: str, text: str, *, language: str = "python") -> Path:
        """Write a program into a folder on the search path."""
        path = self.home / "bin" / name
        first = f"#!{sys.executable} -I" if language == "python" else "#!/bin/sh"
        path.write_text(f"{first}\n{text}\n", encoding="utf-8")
        path.chmod(stat.S_IRWXU)
        return path

    def answering_server(self, name: str, server: str, version: str, *tools: str) -> Path:
        """Write a server that answers as ``server``, with these tools, and keeps no journal."""
        info = {"name": server, "version": version}
        return self.program(name, f"INFO, TOOLS = {info!r}, {list(tools)!r}\n{ANSWERING_SERVER}")

    def examine(self, *arguments: str, variables: Mapping[str, str] | None = None) -> "Examined":
        """Run the doctor and return what it found."""
        return Examined(self.run("--json", *arguments, variables=variables))

    def run(self, *arguments: str, variables: Mapping[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        """Run the doctor without a terminal."""
        environ = self.variables | dict(variables or {})
        return run_in_a_fork(command("doctor", *arguments), environ, folder=self.project) or subprocess.run(
            command("doctor", *arguments),
            cwd=self.project,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT_SECONDS,
        )


class Examined:
    """What the doctor said, from its JSON."""

    def __init__(self, done: "subprocess.CompletedProcess[str]") -> None:
        assert done.stdout, done.stderr
        self.done = done
        self.status = done.returncode
        groups: list[dict[str, Any]] = json.loads(done.stdout)["groups"]
        self.groups = {group["title"]: group for group in groups}
        self.results: list[dict[str, Any]] = [result for group in groups for result in group["results"]]

    @property
    def fixes(self) -> list[str]:
        """All fixes, in the order in which they are listed."""
        return [result["fix"] for result in self.results if result["fix"]]

    def of(self, title: str) -> list[tuple[str, str]]:
        """Return the subjects of a group with their verdicts."""
        return [(result["subject"], result["verdict"]) for result in self.groups[title]["results"]]

    def messages(self, subject: str) -> str:
        """Return the messages about a subject, with their details."""
        return " ".join(f"{r['message']}: {r['detail']}" for r in self.results if r["subject"] == subject)

    @property
    def unseen(self) -> list[str]:
        """What was not looked at."""
        return [result["subject"] for result in self.results if result["verdict"] == "not looked at"]
