"""Plugins of Claude Code and extensions of Gemini CLI that start seqthink, as ours do: a second entry is not needed.

Seen on 2026-11-27 with Claude Code 2.1.197: `installed_plugins.json` says what is installed, and `enabledPlugins` in
the settings what is switched on; nothing there means off. A plugin's server runs beside an entry of the same name,
unless both start the very same command. With Gemini CLI 0.61.0: each folder in `extensions` is one that is installed,
and `extension-enablement.json` says where it is off. An entry of the same name takes its server's place.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from msgspec import Struct

from seqthink.connect.client_files.places import config_file, expanded, home_folder, place_of
from seqthink.connect.client_files.reading import read_client_file
from seqthink.connect.clients.editing.documents import read_document
from seqthink.connect.clients.entries import is_ours
from seqthink.connect.clients.registry import McpClient
from seqthink.core.errors import SeqthinkError

_OWN_NAMES: Final = frozenset({"seqthink", "seqthink@seqthink"})
"""The names under which ours are installed; another name is this machine's business, and in no report."""
_ENABLED: Final = "enabledPlugins"


class Plugin(Struct, frozen=True):
    """A plugin or an extension that is switched on and starts seqthink. Untrusted but for ``kind`` and ``removal``."""

    kind: str
    """How its client calls it."""
    name: str
    server: str
    """The server's name in it."""
    entry: Mapping[str, Any]
    path: Path
    """The file that the entry is in."""
    removal: str
    """The command that uninstalls it; a name that is not ours is left out."""
    is_everywhere: bool
    """Whether it is on in all folders, and not in the current one only."""


def plugins_with_us(client: McpClient, environ: Mapping[str, str]) -> list[Plugin]:
    """Return what starts seqthink for ``client`` without an entry; nothing where that cannot be read."""
    find = _FINDERS.get(client.name)
    with suppress(SeqthinkError, OSError):
        return list(find(client, environ)) if find else []
    return []


def _claude_plugins(_client: McpClient, environ: Mapping[str, str]) -> Iterator[Plugin]:
    home = home_folder(environ)
    folder = expanded(environ.get("CLAUDE_CONFIG_DIR") or "~/.claude", home)
    installed = Path(environ.get("CLAUDE_CODE_PLUGIN_CACHE_DIR") or folder / "plugins") / "installed_plugins.json"
    here = Path.cwd() / ".claude"
    settings = {
        "user": folder / "settings.json",
        "project": here / "settings.json",
        "local": here / "settings.local.json",
    }
    switches = {scope: _table(_read(path).get(_ENABLED)) for scope, path in settings.items()}
    for name, installs in _table(_read(installed).get("plugins")).items():
        enabled = {scope: members[name] for scope, members in switches.items() if isinstance(members.get(name), bool)}
        if not enabled or not [*enabled.values()][-1]:
            continue
        is_everywhere = enabled.get("user", False)
        scope = "" if is_everywhere else f" --scope {[*enabled][-1]}"
        removal = f"claude plugin uninstall{scope} {_public(name)}"
        roots = {str(_table(install).get("installPath") or "") for install in _list(installs)} - {""}
        for root in sorted(roots):
            for path, server, entry in _servers_in(Path(root), (".mcp.json", ".claude-plugin/plugin.json")):
                yield Plugin("plugin", name, server, entry, path, removal, is_everywhere)


def _gemini_extensions(client: McpClient, environ: Mapping[str, str]) -> Iterator[Plugin]:
    home = home_folder(environ)
    folder = place_of(config_file(client, "user", environ), environ).path.parent / "extensions"
    overrides = _read(folder / "extension-enablement.json")
    for place in sorted(folder.iterdir()) if folder.is_dir() else ():
        install = _read(place / ".gemini-extension-install.json")
        root = Path(str(install.get("source"))) if install.get("type") == "link" else place
        for path, server, entry in _servers_in(root, ("gemini-extension.json",)):
            name = str(_read(path).get("name") or place.name)
            rules = [str(rule) for rule in _list(_table(overrides.get(name)).get("overrides"))]
            if _is_on(rules, Path.cwd()):
                removal = f"gemini extensions uninstall {_public(name)}"
                yield Plugin("extension", name, server, entry, path, removal, _is_on(rules, home))


_FINDERS: Final[Mapping[str, Callable[[McpClient, Mapping[str, str]], Iterator[Plugin]]]] = {
    "claude-code": _claude_plugins,
    "gemini-cli": _gemini_extensions,
}


def _servers_in(root: Path, names: Sequence[str]) -> Iterator[tuple[Path, str, Mapping[str, Any]]]:
    """Yield the entries in a folder's files that start seqthink, the first file with one before the others."""
    for name in names:
        servers = _table(_read(root / name).get("mcpServers"))
        ours = [(root / name, server, _table(entry)) for server, entry in servers.items() if is_ours(entry)]
        if ours:
            yield from ours
            return


def _is_on(rules: Sequence[str], folder: Path) -> bool:
    """Return whether an extension is on in a folder: the last of Gemini CLI's rules for that folder decides."""
    shown = os.path.realpath(folder).rstrip("/") + "/"
    is_on = True
    for rule in rules:
        below = rule.removeprefix("!").rstrip("*").rstrip("/") + "/"
        if shown.startswith(below) if rule.endswith("*") else shown == below:
            is_on = not rule.startswith("!")
    return is_on


def _public(name: str) -> str:
    return name if name in _OWN_NAMES else "…"


def _read(path: Path) -> Mapping[str, Any]:
    """Return what a file of a client says; nothing if it cannot be read."""
    with suppress(SeqthinkError):
        return read_document("jsonc", read_client_file(path).text()).value
    return {}


def _table(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[object]:
    """Return a list; one thing counts as a list of it, as in older files."""
    return cast("Sequence[object]", value) if isinstance(value, list) else [value]
