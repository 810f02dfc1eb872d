"""A Dockerfile as data, and its steps run in a folder: without a daemon, and without rights that only root has."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.packaging.environments import outside

STEP_SECONDS = 400.0
"""The longest that a step may take: some fetch packages."""
ROOT_S_OWN = ("useradd", "chown")
"""Commands that change the system; in the folder, they are only noted."""
TOPS = ("/opt/", "/build", "/journals", "/home/")
"""Absolute paths that an image has for itself."""


class Instruction(NamedTuple):
    """An instruction, and what follows its name, on one line."""

    name: str
    value: str

    @property
    def words(self) -> list[str]:
        """The arguments: a JSON list's, or a shell's words."""
        return json.loads(self.value) if self.value.startswith("[") else shlex.split(self.value)


def parse(text: str) -> list[Instruction]:
    """Return the instructions of a Dockerfile in order, without comments."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    return [Instruction(*line.split(maxsplit=1)) for line in joined.splitlines()]


def stages(instructions: list[Instruction]) -> list[list[Instruction]]:
    """Return the instructions of each stage, its `FROM` first."""
    found: list[list[Instruction]] = []
    for instruction in instructions:
        if instruction.name == "FROM":
            found.append([])
        found[-1].append(instruction)
    return found


def variables(stage: list[Instruction]) -> dict[str, str]:
    """Return what a stage sets in the environment, by name."""
    return dict(word.split("=", 1) for one in stage if one.name == "ENV" for word in one.words)


def placed(text: str, root: Path) -> str:
    """Return ``text`` with the image's own paths below ``root``."""
    tops = "|".join(map(re.escape, TOPS))
    return re.sub(rf"(?<![\w./-])(?={tops})", str(root), text)


def run_stage(stage: list[Instruction], context: Path, root: Path) -> list[list[str]]:
    """Run what a stage copies and runs, with ``root`` as the top of its file system.

    Returns:
        The commands that only root can run, in order: they were noted, not run.
    """
    folder, noted = root, root / "noted"
    for one in stage:
        if one.name == "WORKDIR":
            folder = Path(placed(one.value, root))
            folder.mkdir(parents=True, exist_ok=True)
        elif one.name == "COPY" and not one.value.startswith("--from="):
            *sources, target = one.words
            for source in sources:
                _copy(context / source, folder / target, is_folder=target.endswith("/"))
        elif one.name == "RUN":
            _run_shell(placed(one.value, root), folder, root, noted)
    return [shlex.split(line) for line in noted.read_text(encoding="utf-8").splitlines()] if noted.exists() else []


def _copy(source: Path, target: Path, *, is_folder: bool) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
        return
    target = target / source.name if is_folder or target.is_dir() else target
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _run_shell(command: str, folder: Path, root: Path, noted: Path) -> None:
    """Run a step as a builder does: `sh -c`, with the base image's `python` first on the path."""
    commands = root / "base-image"
    commands.mkdir(exist_ok=True)
    if not (commands / "python").exists():
        (commands / "python").symlink_to(base_python())
        for name in ROOT_S_OWN:
            script = f'#!/bin/sh\necho {name} "$@" >>{shlex.quote(str(noted))}\n'
            (commands / name).write_text(script, encoding="utf-8")
            (commands / name).chmod(0o755)
    path = {"PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=outside() | path, capture_output=True, check=False,
        encoding="utf-8", timeout=STEP_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def base_python() -> str:
    """Return the interpreter that this environment was made from."""
    return str(Path(os.path.realpath(sys.executable)))


def entry(stage: list[Instruction], more: Mapping[str, str] | None = None) -> tuple[list[str], dict[str, str]]:
    """Return the command line that a container of this stage runs, and the variables that it sets."""
    lists = {one.name: one.words for one in stage if one.name in {"ENTRYPOINT", "CMD"}}
    return lists["ENTRYPOINT"] + lists["CMD"], variables(stage) | dict(more or {})
