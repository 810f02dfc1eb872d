"""Writes the manifests by which hosts, registries and marketplaces find the server: `make manifests`.

One folder, `plugin/`, is a plugin of two formats: Agent Plugins 1.0 (`plugin.json`, `mcp.json`) and Claude Code's
(`.claude-plugin/plugin.json`, `.mcp.json`), which both read its skills. Each manifest is whole what this module says;
the manifest of Claude Desktop's bundle has more of its own, and only what it repeats is written into it.

    python -m tests.support.hosts.manifests              writes them
    python -m tests.support.hosts.manifests --owner NAME names another account, in every file that names one
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from seqthink.connect.clients.launch import SERVER_NAME, Launch
from seqthink.connect.clients.snippets import plain_entry, typed_entry
from tests.conftest import PROJECT
from tests.support.hosts.identity import Identity, read_identity
from tests.support.hosts.skill import think_skill

Json = dict[str, Any]

LAUNCH: Final = Launch("uvx", ("seqthink", "serve"))
"""How a host starts the server that nobody installed: a manifest is read on machines that it knows nothing about."""
BUNDLE: Final = "manifest.json"
"""The manifest of Claude Desktop's bundle."""

_TITLE = "seqthink"
_ENVIRONMENT = (
    {"name": "SEQTHINK_HOME", "description": "Folder that keeps the journals", "format": "filepath"},
    {
        "name": "DISABLE_THOUGHT_LOGGING",
        "description": "true: thoughts are not drawn on stderr",
        "format": "boolean",
        "default": "false",
    },
)
# GitHub: letters, digits and single hyphens, 39 at most.
_ACCOUNT = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}")
_PLACES = r"(?:github\.com/|raw\.githubusercontent\.com/|io\.github\.|marketplace add )"


def manifests(who: Identity) -> dict[str, str]:
    """Return the text of every file that is written as a whole, by its path from the top."""
    values: dict[str, Json] = {
        "server.json": _server(who),
        "gemini-extension.json": _named(who) | _servers(plain_entry(LAUNCH)),
        "plugin/plugin.json": {"$schema": _agent_plugins("plugin")} | _plugin(who),
        "plugin/mcp.json": {"$schema": _agent_plugins("mcp")} | _servers(typed_entry(LAUNCH)),
        "plugin/.claude-plugin/plugin.json": _plugin(who),
        "plugin/.mcp.json": _servers(plain_entry(LAUNCH)),
        ".claude-plugin/marketplace.json": _claude_marketplace(who),
        ".agents/plugins/marketplace.json": _codex_marketplace(who),
    }
    return {path: as_text(value) for path, value in values.items()} | {"plugin/skills/think/SKILL.md": think_skill()}


def bundle_fields(who: Identity) -> Json:
    """Return what the manifest of the bundle repeats."""
    return {
        **_named(who),
        "author": {"name": who.author},
        "license": who.licence,
        "repository": {"type": "git", "url": f"{who.repository}.git"},
    }


def as_text(value: Json) -> str:
    """Return a manifest as it is written: two blanks a level, one newline at the end."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def write(root: Path) -> list[str]:
    """Write the manifests of the checkout in ``root``, and return the paths of those that changed."""
    who = read_identity(root)
    wanted = manifests(who)
    if (root / BUNDLE).is_file():
        bundle: Json = json.loads((root / BUNDLE).read_text("utf-8"))
        wanted[BUNDLE] = as_text(bundle | bundle_fields(who))
    changed = [path for path, text in wanted.items() if not _is_written(root / path, text)]
    for path in changed:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(wanted[path], "utf-8", newline="\n")
    return changed


def accounts_in(text: str, name: str) -> set[str]:
    """Return the accounts under which ``text`` names the repository ``name``."""
    return set(re.findall(rf"{_PLACES}([A-Za-z0-9-]+)/{re.escape(name)}(?![\w-])", text))


def rename(texts: Mapping[str, str], who: Identity, account: str) -> dict[str, str]:
    """Return the texts that name the repository of ``who``, by path, with ``account`` in its place.

    Raises:
        ValueError: no account on GitHub can have this name.
    """
    if not _ACCOUNT.fullmatch(account):
        raise ValueError(f"{account!r} is not an account: letters, digits and single hyphens, at most 39")
    named = re.compile(rf"({_PLACES}){re.escape(who.account)}(?=/{re.escape(who.name)}(?![\w-]))")
    renamed = {path: named.sub(rf"\g<1>{account}", text) for path, text in texts.items()}
    return {path: text for path, text in renamed.items() if text != texts[path]}


def rename_in(root: Path, account: str) -> list[str]:
    """Name ``account`` in every file of the clone in ``root``, and return the paths of those that changed."""
    changed = rename(_tracked(root), read_identity(root), account)
    for path, text in changed.items():
        (root / path).write_text(text, "utf-8", newline="")
    return sorted({*changed, *write(root)})


def main(words: list[str]) -> int:
    """Write the manifests; with ``--owner`` after naming another account everywhere."""
    parser = argparse.ArgumentParser(prog="manifests", description="Write the manifests that hosts read.")
    parser.add_argument("--owner", metavar="NAME", help="the account that publishes")
    owner: str | None = parser.parse_args(words).owner
    try:
        changed = write(PROJECT) if owner is None else rename_in(PROJECT, owner)
    except ValueError as error:
        parser.error(str(error))
    sys.stdout.write("".join(f"{path}\n" for path in changed))
    return 0


def _is_written(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _tracked(root: Path) -> dict[str, str]:
    """Return every text that is, or would be, committed; what is not UTF-8 names nobody."""
    git = ["git", "-c", f"safe.directory={root}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(git, cwd=root, capture_output=True, check=True).stdout.decode()
    texts: dict[str, str] = {}
    for path in filter(None, listed.split("\0")):
        if (root / path).is_file():
            try:
                texts[path] = (root / path).read_bytes().decode()
            except UnicodeDecodeError:
                continue
    return texts


def _named(who: Identity) -> Json:
    return {"name": who.name, "version": who.version, "description": who.description}


def _plugin(who: Identity) -> Json:
    return {
        **_named(who),
        "author": {"name": who.author},
        "homepage": who.repository,
        "repository": who.repository,
        "license": who.licence,
        "keywords": list(who.keywords),
    }


def _servers(entry: Mapping[str, Any]) -> Json:
    return {"mcpServers": {SERVER_NAME: dict(entry)}}


def _agent_plugins(kind: str) -> str:
    return f"https://agent-plugins.org/schemas/1.0.0/{kind}.schema.json"


def _server(who: Identity) -> Json:
    """Return `server.json`, schema of 2025-12-11; `uvx` is its runtime hint, so the arguments are what follows."""
    package: Json = {
        "registryType": "pypi",
        "identifier": who.name,
        "version": who.version,
        "runtimeHint": LAUNCH.command,
        "transport": {"type": "stdio"},
        "packageArguments": [{"type": "positional", "value": word} for word in LAUNCH.arguments[1:]],
        "environmentVariables": [dict(variable) for variable in _ENVIRONMENT],
    }
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": who.registry_name,
        "title": _TITLE,
        "description": who.description,
        "repository": {"url": who.repository, "source": "github"},
        "version": who.version,
        "packages": [package],
    }


def _claude_marketplace(who: Identity) -> Json:
    plugin = {"name": who.name, "source": "./plugin", "description": who.description, "category": "development"}
    return {
        "$schema": "https://anthropic.com/claude-code/marketplace.schema.json",
        "name": who.name,
        "description": who.description,
        "owner": {"name": who.author},
        "plugins": [plugin],
    }


def _codex_marketplace(who: Identity) -> Json:
    plugin: Json = {
        "name": who.name,
        "source": {"source": "local", "path": "./plugin"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Developer Tools",
    }
    return {"name": who.name, "interface": {"displayName": _TITLE}, "plugins": [plugin]}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
