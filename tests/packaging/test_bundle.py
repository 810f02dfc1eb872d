"""Claude Desktop's bundle: its manifest is in order, it is packed alike each time, and what it starts serves."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any, cast

import pytest
from jsonschema.validators import Draft202012Validator
from packaging.requirements import Requirement

import seqthink
from seqthink.server.tools.thinking_tool import thinking_tool_definition
from tests.conftest import PROJECT
from tests.project.test_project import pyproject
from tests.support.depth import first
from tests.support.packaging import bundle
from tests.support.packaging.distributions import Distributions
from tests.support.packaging.environments import REAL, RUNTIME_PINS, TIMEOUT_SECONDS, Installed, pinned_names
from tests.support.servers.wire import journals, start, thought

Json = dict[str, Any]

MANIFEST: Json = json.loads((PROJECT / "manifest.json").read_text(encoding="utf-8"))
SCHEMA: Json = json.loads((Path(__file__).parent / "bundle.schema.json").read_text(encoding="utf-8"))
VARIABLE = "${user_config.journals}"
FIRST_START_SECONDS = 300.0
"""The longest that uv may take to fetch what the server needs."""


@pytest.fixture
def packed(built: Distributions, tmp_path: Path) -> Path:
    return bundle.pack(built.wheel, tmp_path)


@pytest.fixture
def unpacked(packed: Path, tmp_path: Path) -> Path:
    """Return the folder into which a host has unpacked the bundle."""
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(tmp_path / "un packed")
    return tmp_path / "un packed"


def faults(manifest: Json) -> set[str]:
    validator = cast("Any", Draft202012Validator(SCHEMA))  # its module has no types of its own
    return {".".join(map(str, error.absolute_path)) for error in validator.iter_errors(manifest)}


def started_by_the_host(folder: Path, installed: Installed, journals_value: str) -> tuple[list[str], dict[str, str]]:
    """Return the command of the manifest and its variables, filled in as a host does.

    In the suite the environment of the wheel stands for the one that uv would make, which takes a network.
    """
    config = MANIFEST["server"]["mcp_config"]
    command = [config["command"], *(word.replace("${__dirname}", str(folder)) for word in config["args"])]
    variables = {name: value.replace(VARIABLE, journals_value) for name, value in config["env"].items()}
    if not (REAL and shutil.which("uv")):
        assert command == ["uv", "run", "--directory", str(folder), "src/main.py"]
        command = [str(installed.python), str(folder / "src" / "main.py")]
    return command, variables | {"PYTHONPATH": ""}


def test_the_manifest_is_what_the_format_demands() -> None:
    Draft202012Validator.check_schema(SCHEMA)

    assert faults(MANIFEST) == set()


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"manifest_version": "0.9"}, "manifest_version"),
        ({"server": {"type": "uv", "entry_point": "src/main.py"}}, "server"),
        ({"server": MANIFEST["server"] | {"type": "python"}}, "server.type"),
        ({"user_config": {"journals": {"type": "folder", "title": "t", "description": "d"}}},
         "user_config.journals.type"),
        ({"descripton": "misspelt"}, ""),
    ],
)  # fmt: skip
def test_a_manifest_that_the_tool_would_refuse_fails(wrong: Json, place: str) -> None:
    assert place in faults(MANIFEST | wrong)


def test_the_manifest_names_the_tool_the_python_and_files_that_are_there(unpacked: Path) -> None:
    [tool] = MANIFEST["tools"]

    assert tool["name"] == thinking_tool_definition("lenient")["name"]
    assert MANIFEST["compatibility"]["runtimes"]["python"] == pyproject()["project"]["requires-python"]
    assert (unpacked / MANIFEST["server"]["entry_point"]).is_file()
    assert json.loads((unpacked / "manifest.json").read_text(encoding="utf-8")) == MANIFEST


def test_a_bundle_holds_the_wheel_of_the_release_and_is_the_same_each_time(
    built: Distributions, packed: Path, tmp_path: Path
) -> None:
    (tmp_path / "again").mkdir()
    again = bundle.pack(built.wheel, tmp_path / "again")
    with zipfile.ZipFile(packed) as archive:
        names = archive.namelist()
        wheel = archive.read(f"wheels/{built.wheel.name}")

    assert again.read_bytes() == packed.read_bytes()
    assert packed.name == f"seqthink-{seqthink.__version__}.mcpb"
    assert wheel == built.wheel.read_bytes()
    assert names == ["LICENSE", "manifest.json", "pyproject.toml", "src/main.py", f"wheels/{built.wheel.name}"]


def test_the_bundle_asks_for_its_own_wheel_and_for_the_pinned_versions(unpacked: Path) -> None:
    project = tomllib.loads((unpacked / "pyproject.toml").read_text(encoding="utf-8"))
    uv = project["tool"]["uv"]
    pins = [Requirement(pin) for pin in uv["constraint-dependencies"]]

    assert project["project"]["dependencies"] == [f"seqthink=={seqthink.__version__}"]
    assert (unpacked / uv["sources"]["seqthink"]["path"]).is_file()
    assert [pin.name for pin in pins] == pinned_names()
    assert [str(pin.specifier)[:2] for pin in pins] == ["=="] * len(pins)
    assert bundle.pins(RUNTIME_PINS.read_text(encoding="utf-8")) == uv["constraint-dependencies"]


@pytest.mark.deep  # it installs the bundle
@pytest.mark.parametrize("given", first(1, ["", VARIABLE]), ids=["empty", "as it stands"])
def test_without_a_choice_the_journal_is_where_the_viewer_looks(
    given: str, unpacked: Path, installed: Installed, seqthink_home: Path
) -> None:
    serve_once(unpacked, installed, given)

    assert len(journals(seqthink_home / "sessions")) == 1


@pytest.mark.deep  # starts the packed server once more; the manifest's own start is tested here
def test_the_journal_is_in_the_folder_that_the_user_chose(
    unpacked: Path, installed: Installed, seqthink_home: Path, tmp_path: Path
) -> None:
    serve_once(unpacked, installed, str(tmp_path / "my journals"))

    assert len(journals(tmp_path / "my journals")) == 1
    assert list(seqthink_home.iterdir()) == []


def serve_once(folder: Path, installed: Installed, journals_value: str) -> None:
    """Do what the manifest says, and send one thought."""
    command, variables = started_by_the_host(folder, installed, journals_value)
    with start(program=command, environ=variables, cwd=folder.parent) as wire:
        wire.send({"jsonrpc": "2.0", "id": 0, "method": "ping"})
        assert wire.receive(FIRST_START_SECONDS)["id"] == 0
        assert wire.handshake()["serverInfo"]["name"] == "seqthink"
        assert wire.call(thought())["structuredContent"]["thoughtHistoryLength"] == 1
        wire.hang_up()
        assert wire.status() == 0


@pytest.mark.deep  # packs once more; what is in the bundle is tried always
def test_the_program_that_packs_says_where_the_bundle_is_and_what_is_missing(
    built: Distributions, tmp_path: Path
) -> None:
    def run(folder: Path) -> subprocess.CompletedProcess[str]:
        module = [sys.executable, "-m", "tests.support.packaging.bundle", str(folder)]
        return subprocess.run(
            module, cwd=PROJECT, capture_output=True, check=False, encoding="utf-8", timeout=TIMEOUT_SECONDS
        )

    refused = run(tmp_path)
    shutil.copy(built.wheel, tmp_path)
    done = run(tmp_path)

    assert (refused.returncode, refused.stderr) == (1, f"{tmp_path} must hold one wheel, and holds 0\n")
    assert (done.returncode, Path(done.stdout.strip()).is_file()) == (0, True)


@pytest.mark.skipif(shutil.which("mcpb") is None, reason="the format's own tool, mcpb, is not installed")
def test_the_format_s_own_tool_takes_the_manifest_and_the_bundle(packed: Path, tmp_path: Path) -> None:
    def mcpb(*arguments: str | Path) -> str:
        command = ["mcpb", *map(str, arguments)]
        done = subprocess.run(
            command, capture_output=True, check=False, encoding="utf-8", env=os.environ, timeout=TIMEOUT_SECONDS
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "passes" in mcpb("validate", PROJECT / "manifest.json")
    assert packed.name in mcpb("info", packed)
    mcpb("unpack", packed, tmp_path / "theirs")
    mcpb("pack", tmp_path / "theirs", tmp_path / "theirs.mcpb")
    assert zipfile.is_zipfile(tmp_path / "theirs.mcpb")
