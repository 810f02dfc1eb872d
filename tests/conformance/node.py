"""Node and the packages that run on it, in a folder outside the checkout."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

PACKAGES: Final[Mapping[str, str]] = {
    "node": "22.23.3",  # newer than most machines have; the Inspector wants 22.19
    "conformance-0.1": "npm:@modelcontextprotocol/conformance@0.1.16",
    "conformance-0.2": "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector": "2.12.0",
}
_MANIFEST: Final = {
    "private": True,
    "dependencies": PACKAGES,
    "allowScripts": {"node": True, "@modelcontextprotocol/inspector": True},  # how these two get their programs
}
_PATIENCE = 900.0
_BOUND = 180.0


class CannotRunError(Exception):
    """Something is missing here without which nothing can be said about the server."""


class Node:
    """Runs the programs of the packages in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._modules = folder / "node_modules"
        self._environ = {**os.environ, "PATH": f"{self._modules / '.bin'}{os.pathsep}{os.environ['PATH']}"}

    def run(self, program: str, arguments: Sequence[str], cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run the script ``program`` of a package, and return how it ended and what it wrote."""
        command = [str(self._modules / ".bin" / "node"), str(self._modules / program), *arguments]
        try:
            return subprocess.run(
                command, cwd=cwd, env=self._environ, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                timeout=_BOUND, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotRunError(f"{program} does not run: {error}") from error


def prepare(folder: Path) -> Node:
    """Install what is not in ``folder`` yet.

    Raises:
        CannotRunError: there is no npm, or it cannot install.
    """
    prepared = folder / "node_modules" / ".prepared.json"
    wanted = json.dumps(_MANIFEST, indent=1)
    if not prepared.is_file() or prepared.read_text("utf-8") != wanted:
        npm = shutil.which("npm")
        if npm is None:
            raise CannotRunError("Node and npm are needed, and there is no npm on the path")
        print(f"installing into {folder}: {', '.join(PACKAGES)} (330 MB, about a minute)", flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text(wanted, "utf-8")
        _install(npm, folder)
        prepared.write_text(wanted, "utf-8")
    return Node(folder)


def _install(npm: str, folder: Path) -> None:
    command = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=_PATIENCE, check=True)
    except subprocess.CalledProcessError as error:
        raise CannotRunError(f"npm cannot install: {error.stderr.strip()[-500:]}") from error
    except subprocess.TimeoutExpired as error:
        raise CannotRunError(f"npm did not end within {_PATIENCE:.0f} seconds") from error
