"""Our plugin and our extension, laid out as Claude Code 2.1.197 and Gemini CLI 0.61.0 have installed them."""

import json
import shutil
from pathlib import Path

from tests.conftest import PROJECT

CLAUDE_PLUGIN = "seqthink@seqthink"


def install_claude_plugin(home: Path, name: str = CLAUDE_PLUGIN, *, settings: Path | None = None) -> Path:
    """Install and enable our plugin by the settings of the user or of a project, and return its folder."""
    short, _, market = name.partition("@")
    root = home / ".claude" / "plugins"
    folder = root / "cache" / market / short / "0.1.0"
    shutil.copytree(PROJECT / "plugin", folder)
    installs = [{"scope": "user", "installPath": str(folder), "version": "0.1.0"}]
    _write(root / "installed_plugins.json", {"version": 2, "plugins": {name: installs}})
    enable_claude_plugin(settings or home / ".claude" / "settings.json", name, is_on=True)
    return folder


def enable_claude_plugin(settings: Path, name: str = CLAUDE_PLUGIN, *, is_on: bool) -> None:
    _write(settings, {"enabledPlugins": {name: is_on}})


def install_gemini_extension(home: Path, *rules: str, link: Path | None = None) -> Path:
    """Install our extension, or a link to the folder ``link`` with it, and return its folder."""
    folder = home / ".gemini" / "extensions" / "seqthink"
    install = {"type": "local", "source": str(PROJECT)} if link is None else {"type": "link", "source": str(link)}
    _write(folder / ".gemini-extension-install.json", install)
    target = folder if link is None else link
    target.mkdir(exist_ok=True)
    shutil.copyfile(PROJECT / "gemini-extension.json", target / "gemini-extension.json")
    _write(folder.parent / "extension-enablement.json", {"seqthink": {"overrides": list(rules) or [f"{home}/*"]}})
    return folder


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")
