"""`compose.yaml`, as far as a machine without Docker can show it: it is valid, and what it starts is there."""

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from seqthink.cli import COMMANDS
from seqthink.cli.stories.engine_program import EngineProgram, find_program
from tests.conftest import PROJECT
from tests.packaging.test_image import FINAL
from tests.support.docs.pages import page
from tests.support.packaging.dockerfile import variables

COMPOSE = PROJECT / "compose.yaml"
TEXT = COMPOSE.read_text(encoding="utf-8")
LOADED: dict[str, Any] = YAML(typ="safe").load(TEXT)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - the library has no types
SERVICES = LOADED["services"]
BOUND_SECONDS = 30.0


def test_it_is_valid() -> None:
    validator = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run(
        [validator, "--builtin-schema", "vendor.compose-spec", COMPOSE],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_built_here_runs_commands_of_ours_with_options_that_they_have() -> None:
    ours = {name: service["command"] for name, service in SERVICES.items() if service.get("build") == "."}

    assert ours.keys() == {"ship", "watch"}
    assert {command[0] for command in ours.values()} <= COMMANDS.keys()
    for command in ours.values():
        done = subprocess.run(
            [sys.executable, "-m", "seqthink", command[0], "--help"], capture_output=True, check=True, encoding="utf-8"
        )
        assert [word for word in command if word.startswith("--") and word not in done.stdout] == []


def test_the_engine_is_reachable_from_this_machine_only_and_a_full_one_drops_nothing() -> None:
    engine = SERVICES["engine"]
    options = dict(zip(engine["command"][1::2], engine["command"][2::2], strict=True))

    assert all(port.startswith("127.0.0.1:") for port in engine["ports"])
    assert options["--maxmemory-policy"] == "noeviction"
    assert options["--appendonly"] == "yes"
    assert [name for name, service in SERVICES.items() if name != "engine" and "ports" in service] == []
    conditions = {name: one["engine"]["condition"] for name, one in _waits().items()}
    assert conditions == {"ship": "service_healthy", "watch": "service_healthy"}
    assert "healthcheck" in engine


def _waits() -> dict[str, Any]:
    return {name: service["depends_on"] for name, service in SERVICES.items() if "depends_on" in service}


def test_the_shipper_reads_the_folder_that_the_image_has() -> None:
    folder = variables(FINAL)["SEQTHINK_JOURNAL_DIR"]
    [mount] = SERVICES["ship"]["volumes"]

    assert mount.endswith(f":{folder}")
    assert SERVICES["ship"]["environment"]["SEQTHINK_JOURNAL_DIR"] == folder
    assert LOADED["volumes"].keys() == {"engine"}


def test_the_page_shows_how_it_is_started() -> None:
    commands = re.findall(r"^#   (docker compose \S.*?)  ", TEXT, re.MULTILINE)

    assert len(commands) == 2
    assert [command for command in commands if command not in page("fleet").text] == []


@pytest.mark.skipif(find_program() is None, reason="neither redis-server nor valkey-server is on the PATH")
def test_an_engine_takes_the_options_of_its_service(tmp_path: Path) -> None:
    program = find_program()
    assert program is not None
    port = EngineProgram(program, tmp_path).url.rpartition(":")[2]  # a free one
    command = [
        program,
        *SERVICES["engine"]["command"][1:],
        "--port",
        port,
        "--bind",
        "127.0.0.1",
        "--dir",
        str(tmp_path),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    try:
        assert process.stdout is not None
        end = time.monotonic() + BOUND_SECONDS
        said = ""
        while "eady to accept connections" not in said:
            line = process.stdout.readline()
            assert line, said
            assert time.monotonic() < end
            said += line
    finally:
        process.kill()
        process.communicate()
