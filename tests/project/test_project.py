"""What holds for the tree as a whole."""

import importlib.metadata
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

import seqthink
from tests.conftest import PROJECT

# Written with gaps, so that this file does not name them either.
REGISTRY_HOSTS = ["py pi.org", "python hosted.org", "npm js.org", "npm js.com", "crates .io", "conda .org"]
REGISTRY_OPTIONS = ["--index -url", "--extra-index -url", "--find -links", "--trusted -host"]
MACHINE_PATHS = ["/ro ot/", "/wo rk/ main", "/wo rk/ shared", "/wo rk/ wt", "/opt/ wheels", "/opt/ pypi"]
# Codex calls its main agent so, and every subagent something below it.
CODEX_AGENTS = "/ro ot/".replace(" ", "")
TRANSCRIPTS = "tests/sources/transcripts/"

# docs/architecture.md: what computes and never acts. Each must be in the contract as soon as it exists.
PURE_MODULES = [
    "seqthink.core.errors",
    "seqthink.core.text",
    "seqthink.core.times",
    "seqthink.core.events",
    "seqthink.core.unified_diff",
    "seqthink.core.codex_patch",
    "seqthink.chain",
    "seqthink.drawing",
    "seqthink.journal.lines",
    "seqthink.journal.decode",
    "seqthink.journal.encode",
    "seqthink.core.arguments",
    "seqthink.sources.transcripts.facts",
    "seqthink.sources.transcripts.translation",
    "seqthink.sources.transcripts.joining",
    "seqthink.sources.transcripts.claude.records",
    "seqthink.sources.transcripts.codex.records",
    "seqthink.sources.transcripts.copilot.records",
    "seqthink.sources.transcripts.gemini.records",
    "seqthink.sources.transcripts.opencode.records",
    "seqthink.server.tap.listener",
    "seqthink.server.tap.watched_tools",
    "tui.terminal.bracketed_paste",
    "tui.state",
]


def read(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


def pyproject() -> dict[str, Any]:
    return tomllib.loads(read("pyproject.toml"))


def tracked_texts() -> dict[str, str]:
    """Return every file that is, or would be, committed, by path; a picture's bytes count as text."""
    git = ["git", "-c", f"safe.directory={PROJECT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(git, cwd=PROJECT, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git clone: what was unpacked here is not known to be the tree")
    paths = [PROJECT / path for path in listed.split("\0") if path]
    return {str(path.relative_to(PROJECT)): path.read_text("utf-8", "replace") for path in paths if path.is_file()}


def requirements() -> dict[str, str]:
    """Return each requirement of .ci/requirements.txt, hashes included, by name."""
    lines = [line for line in read(".ci/requirements.txt").splitlines() if not line.lstrip().startswith("#")]
    blocks = re.split(r"\n(?=\S)", "\n".join(lines))
    return {re.split(r"[=\s]", block)[0]: block for block in blocks}


@pytest.mark.parametrize("gapped", [REGISTRY_HOSTS, REGISTRY_OPTIONS, MACHINE_PATHS], ids=["host", "option", "path"])
def test_no_file_says_where_packages_come_from_or_where_it_was_written(gapped: list[str]) -> None:
    words = [word.replace(" ", "") for word in gapped]

    found = [
        (path, word)
        for path, text in tracked_texts().items()
        for word in words
        if word in text and not (path.startswith(TRANSCRIPTS) and word == CODEX_AGENTS)
    ]

    assert found == []


def test_no_pattern_has_a_possessive_group() -> None:
    # Python before 3.11.5 does not go back when such a group fails half way: /\*(?:[^*]|\*(?!/))*+\*/ finds no comment.
    # An atomic group, (?>…), says the same. A possessive single character or class is right everywhere.
    possessive_group = re.compile(r"\)(?:[*+?]|\{[\d,]*\})\+")

    found = [
        (path, line.strip())
        for path, text in tracked_texts().items()
        if path.startswith(("seqthink/", "tui/")) and path.endswith(".py")
        for line in text.splitlines()
        if possessive_group.search(line)
    ]

    assert found == []


def test_no_lock_file_of_another_tool_is_kept() -> None:
    names = {Path(path).name for path in tracked_texts()}

    assert names.isdisjoint({"uv.lock", "pylock.toml", "poetry.lock", "Pipfile.lock", "package-lock.json"})


def test_every_requirement_is_pinned_and_hashed() -> None:
    loose = [
        name
        for name, block in requirements().items()
        if not re.match(r"[a-z0-9-]+==[\w.]+( ; [^\n]+)? \\\n", block) or "--hash=sha256:" not in block
    ]

    assert loose == []


def test_every_dependency_is_among_the_requirements() -> None:
    wanted = [*pyproject()["project"]["dependencies"], *pyproject()["dependency-groups"]["dev"]]
    names = {re.split(r"[\[<>=!~; ]", dependency)[0] for dependency in wanted}

    assert names - requirements().keys() == set()


def test_make_knows_its_targets_and_helps_by_default() -> None:
    makefile = read("Makefile")
    targets = set(re.findall(r"^([a-z]+):(?!=)", makefile, re.MULTILINE))

    assert {"demo", "test", "check", "fmt", "bench", "conformance", "screenshots", "clean", "help"} <= targets
    assert ".DEFAULT_GOAL := help" in makefile


def test_the_installed_version_is_the_source_s() -> None:
    assert importlib.metadata.version("seqthink") == seqthink.__version__


def test_every_pure_module_that_exists_is_under_contract() -> None:
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    held = next(contract for contract in contracts if contract["name"] == "the core computes and never acts")
    paths = {module: PROJECT / module.replace(".", "/") for module in PURE_MODULES}
    existing = {module for module, path in paths.items() if path.is_dir() or path.with_suffix(".py").is_file()}

    assert existing - set(held["source_modules"]) == set()
