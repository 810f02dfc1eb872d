"""Programs that repair code: which there are, and how each is run (docs/audit.md, "The loop").

Only programs are used that repair what is judged, read standard input, need no network, and can be set to read no
configuration. Formatters are left out: layout is not judged, so their diffs would improve nothing.
"""

import shutil
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

import anyio
from msgspec import Struct

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.languages import language_of
from seqthink.audit.judges.ruff_runner import fix_arguments, installed_ruff
from seqthink.audit.workspace.files import RefusedFileError, decode_text
from seqthink.audit.workspace.git import temporary_folder
from seqthink.audit.workspace.processes import ProcessResult, run_process, trusted_path
from seqthink.audit.workspace.workspace import Workspace

TIME_LIMIT_SECONDS: Final = 20.0
MAX_OUTPUT_BYTES: Final = 4 << 20
_SCRIPT: Final = "script"
"""The name under which a script is shown to git when shellcheck's diff is applied to it."""


class Fixer(Struct, frozen=True, kw_only=True):
    """A program that repairs code which it reads on standard input."""

    name: str
    """The program."""
    languages: Collection[str]
    arguments: Callable[[CodeUnit], list[str]]
    """Returns the arguments for a unit."""
    prints_diff: bool = False
    """Whether it prints a diff for the file ``-`` instead of the whole text."""
    exit_codes: Collection[int] = (0,)
    """With which it ends when it could read the code."""


def _shellcheck_arguments(unit: CodeUnit) -> list[str]:
    dialect = [] if unit.text.startswith("#!") else ["--shell=bash"]
    return ["--norc", "--color=never", "--format=diff", *dialect, "-"]


FIXERS: Final = (
    Fixer(name="ruff", languages=("python",), arguments=fix_arguments),
    Fixer(name="shellcheck", languages=("bash",), arguments=_shellcheck_arguments, prints_diff=True, exit_codes=(0, 1)),
)


class RepairError(Exception):
    """A program could not repair the code; the message says why."""


class RepairTimeoutError(RepairError):
    """A program took too long; it is not tried again."""


def fixers_for(unit: CodeUnit) -> list[Fixer]:
    """Return the fixers that may repair ``unit``, installed or not."""
    return [fixer for fixer in FIXERS if language_of(unit) in fixer.languages]


def find_program(fixer: Fixer, root: Path) -> str | None:
    """Return the path of the program; None if there is none outside the workspace ``root``.

    Only the ruff that is installed with us is as trusted as we are, wherever that is.
    """
    if fixer.name == "ruff" and (own := installed_ruff()):
        return own
    found = shutil.which(fixer.name, path=trusted_path(root))
    is_outside = found is not None and not Path(found).resolve().is_relative_to(root)
    return found if is_outside else None


async def repaired_text(fixer: Fixer, program: str, unit: CodeUnit, workspace: Workspace) -> str:
    """Return the text of ``unit`` as the fixer leaves it.

    Raises:
        RepairError: It was not possible.
    """
    done = await _run(fixer, program, unit, trusted_path(workspace.root))
    if done.exit_code not in fixer.exit_codes:
        raise RepairError(f"{fixer.name} could not read the code")
    try:
        printed = decode_text(done.stdout)
    except RefusedFileError as refused:
        raise RepairError(f"what {fixer.name} printed was not used: {refused.reason}") from None
    if not fixer.prints_diff:
        return printed
    return await _patched(unit.text, printed, workspace, fixer.name) if printed else unit.text


async def _run(fixer: Fixer, program: str, unit: CodeUnit, path: str) -> ProcessResult:
    command = [program, *fixer.arguments(unit)]
    text = unit.text.encode("utf-8", "replace")
    with anyio.move_on_after(TIME_LIMIT_SECONDS):
        try:
            async with temporary_folder() as folder:
                variables = {"PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
                done = await run_process(command, folder, variables, text, MAX_OUTPUT_BYTES)
        except OSError as error:
            raise RepairError(f"{fixer.name} could not be started: {error.strerror}") from error
        if done is None:
            raise RepairError(f"{fixer.name} printed more than {MAX_OUTPUT_BYTES >> 20} MiB")
        return done
    raise RepairTimeoutError(f"{fixer.name} took longer than {TIME_LIMIT_SECONDS:g} s")


async def _patched(text: str, diff: str, workspace: Workspace, fixer: str) -> str:
    """Return ``text`` with a diff applied that calls it ``-``; git applies it, to a copy."""
    named = diff.replace("--- a/-\n+++ b/-\n", f"--- a/{_SCRIPT}\n+++ b/{_SCRIPT}\n", 1)
    tried = await workspace.dry_run(named, {_SCRIPT: text})
    if tried.problem or [unit.path for unit in tried.units] != [_SCRIPT]:
        raise RepairError(f"the diff of {fixer} does not apply")
    return tried.units[0].text
