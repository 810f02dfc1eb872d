"""A home folder with clients' files in it, and a `claude` program that behaves as the real one does."""

import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from seqthink.connect.client_files.applying import apply_plan
from seqthink.connect.client_files.places import config_file, place_of
from seqthink.connect.client_files.planning import Plan, Request, make_plan
from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS, Scope
from seqthink.connect.clients.wish import Wish

LAUNCH = Launch("/opt/seqthink/bin/seqthink")
NOW = datetime(2026, 3, 10, 14, 2, tzinfo=UTC)

FAKE_CLAUDE = """\
#!{python}
import json, os, pathlib, sys
path = pathlib.Path(os.environ.get("CLAUDE_CONFIG_DIR") or os.environ["HOME"], ".claude.json")
behaves, words = {behaves!r}, sys.argv[1:]
value = json.loads(path.read_text("utf-8")) if path.exists() else {{}}
value.setdefault("userID", "claude's own")
value.pop("flag", None)
servers = value.setdefault("mcpServers", {{}})
name = words[4]
assert words[:1] == ["mcp"] and words[2:4] == ["--scope", "user"], words
if behaves == "fails":
    sys.exit("\\x1b[31mno\\nroom")
if behaves == "loses":
    servers.clear()
if behaves == "forgets":
    del value["projects"]
if words[1] == "add-json":
    if name in servers:
        sys.exit(f"MCP server {{name}} already exists in user config")
    servers[name] = json.loads(words[5])
else:
    del servers[name]
path.write_text(json.dumps(value, indent=2), "utf-8")
"""


class Machine:
    """A machine on which nothing but the given files is there."""

    def __init__(self, folder: Path) -> None:
        self.home, self.programs = folder / "home", folder / "programs"
        self.home.mkdir(exist_ok=True)
        self.programs.mkdir()
        self._now = NOW
        self.environ = {"HOME": str(self.home), "PATH": str(self.programs), "SEQTHINK_HOME": str(folder / "seqthink")}

    def file(self, client: str) -> Path:
        """Return the path of a client's file for all projects."""
        return place_of(config_file(CLIENTS[client], "user", self.environ), self.environ).path

    def write(self, client: str, text: str | bytes) -> Path:
        """Write a client's file, and return its path."""
        path = self.file(client)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def use(self, client: str) -> None:
        """Make the folder of a client with a file in it, as the client does when it is used."""
        folder = self.file(client).parent
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "state").touch()

    def install_program(self, name: str, text: str = "#!/bin/sh\n") -> Path:
        """Put a program on the PATH."""
        path = self.programs / name
        path.write_text(text, "utf-8")
        path.chmod(0o755)
        return path

    def install_claude(self, behaves: str = "well") -> None:
        """Put a `claude` on the PATH that reformats its file, adds members of its own, and refuses a taken name."""
        self.install_program("claude", FAKE_CLAUDE.format(python=sys.executable, behaves=behaves))

    def plan(self, client: str, scope: Scope = "user", launch: Launch = LAUNCH, **wish: bool) -> Plan:
        """Return the plan for one client."""
        return make_plan(Request(CLIENTS[client], launch, scope, Wish(**wish)), self.environ, lambda: None)

    def apply(self, plan: Plan) -> Path | None:
        """Write a plan, a second later than the one before."""
        now, self._now = self._now, self._now + timedelta(seconds=1)
        return apply_plan(plan, self.environ, now)

    def snapshot(self) -> dict[str, bytes]:
        """Return all files below the home folder."""
        return {
            str(path.relative_to(self.home)): path.read_bytes()
            for path in sorted(self.home.rglob("*"))
            if path.is_file()
        }


def servers_in(text: str | bytes, key: str = "mcpServers") -> dict[str, Any]:
    """Return the servers in a configuration."""
    return json.loads(text)[key]


def program_path() -> str:
    """Return a PATH on which the system's programs are, and no client."""
    return os.pathsep.join(("/usr/bin", "/bin"))
