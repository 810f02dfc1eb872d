"""What an import really loads, as a fresh process reports it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.servers.server_paths import call, initialize, lines, request
from tests.support.servers.wire import STATELESS_META, Message, thought

HEAVY = {"mcp", "mcp_types", "pydantic", "msgspec", "textual", "rich", "anyio", "asyncio", "watchfiles", "jinja2"}
OWN = {"seqthink", "platformdirs"}

HANDSHAKE = (
    initialize(),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    request("ping"),
    request("tools/list"),
    call(thought(branchFromThought=1, branchId="b")),
    call(thought(number=0)),
)
DISCOVERY = (
    request("server/discover", {"_meta": STATELESS_META}),
    request("tools/list", {"_meta": STATELESS_META}),
    call(thought(), is_stateless=True),
)


def loaded_by(modules: str) -> set[str]:
    """Return the top-level names that importing ``modules`` adds to an interpreter."""
    program = (
        "import sys, json; before = set(sys.modules); "
        f"import {modules}; print(json.dumps([name for name in sys.modules if name not in before]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, check=True, text=True, encoding="utf-8"
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


def loaded_by_a_session(*messages: Message) -> set[str]:
    """Return the top-level names that a server has added when it has answered ``messages`` and left."""
    program = (
        "import sys, json, os; before = set(sys.modules); report = os.dup(2); from seqthink.__main__ import main; "
        "status = main(['serve']); loaded = [name for name in sys.modules if name not in before]; "
        "os.write(report, json.dumps([status, *loaded]).encode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT,
        env={**os.environ, "DISABLE_THOUGHT_LOGGING": "true"},
        input=lines(*messages),
        capture_output=True,
        check=True,
    )
    assert len(done.stdout.splitlines()) == sum("id" in message for message in messages)
    status, *names = json.loads(done.stderr)
    assert status == 0
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize(
    "module",
    first(
        4,
        [
            "seqthink",
            "seqthink.dialogue",
            "seqthink.server.recording.recorder",
            "seqthink.core.arguments",
            "seqthink.server.tools.thinking_tool",
            "seqthink.server.wire.stderr",
            "seqthink.server.run",
            "seqthink.journal.writer",
            "seqthink.journal.folder",
            "seqthink.journal.resume",
            "seqthink.cli.tap",
            "seqthink.server.tap.listening",
        ],
    ),
)
def test_the_fast_path_loads_the_standard_library_and_nothing_heavy(module: str) -> None:
    loaded = loaded_by(module)

    assert loaded & HEAVY == set()
    assert loaded - OWN - sys.stdlib_module_names == set()


@pytest.mark.parametrize("version", ["handshake", "stateless"])
def test_a_plain_session_loads_the_standard_library_and_platformdirs_from_start_to_end(version: str) -> None:
    loaded = loaded_by_a_session(*(HANDSHAKE if version == "handshake" else DISCOVERY))

    assert loaded & {*HEAVY, "inspect", "dataclasses", "logging", "typing_extensions"} == set()
    assert loaded - OWN - sys.stdlib_module_names == set()


def test_the_first_answer_does_not_wait_for_what_records_calls_or_reads_options() -> None:
    program = (
        "import sys, os; write = os.write; from seqthink.__main__ import main\n"
        "def note(descriptor, data):\n"
        "    if b'protocolVersion' in data:\n"
        "        write(2, ' '.join(sys.modules).encode())\n"
        "        os._exit(0)\n"
        "    return write(descriptor, data)\n"
        "os.write = note; main(['serve'])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=PROJECT, input=lines(initialize()), capture_output=True, check=True
    )
    loaded = {*done.stderr.decode().split()}

    assert "seqthink.server.fast_path.fast_server" in loaded
    assert {"argparse", "datetime", "hashlib", "pathlib", "shutil", "threading"} & loaded == set()
    assert {
        f"seqthink.{name}" for name in ("arguments", "journal.writer", "server.recording.recorder")
    } & loaded == set()


def test_the_sdk_is_loaded_for_requests_that_the_fast_path_leaves_to_it() -> None:
    assert loaded_by_a_session(*HANDSHAKE, request("resources/list")) >= {"mcp", "pydantic", "anyio"}


def test_the_viewer_starts_without_what_makes_pages_and_what_watches_on_other_systems() -> None:
    unneeded = {"jinja2", "markupsafe", "anyio", "watchfiles", "multiprocessing", "hashlib"}

    assert loaded_by("tui.run, seqthink.cli.watch") & unneeded == set()


def test_of_the_sdk_only_what_a_server_on_stdio_needs_is_loaded_and_the_rest_when_it_is_asked_for() -> None:
    program = (
        "import sys, json; from seqthink.server.sdk_path.lean_import import defer_packages; defer_packages(); "
        "import seqthink.server.sdk_path.sdk_server, mcp.shared.exceptions; lean = list(sys.modules); "
        "import mcp, mcp.server; from mcp import MCPError; "
        "found = [MCPError is mcp.shared.exceptions.MCPError, mcp.server.Server is mcp.server.lowlevel.server.Server, "
        "hasattr(mcp, 'nothing'), mcp.server.MCPServer.__name__]; print(json.dumps([lean, list(sys.modules), found]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, check=True, text=True, encoding="utf-8"
    )
    lean, whole, found = json.loads(done.stdout)

    assert "mcp.server.lowlevel.server" in lean
    assert {"mcp.client", "mcp.server.mcpserver"} & {*lean} == set()
    assert {"mcp.client", "mcp.server.mcpserver"} - {*whole} == set()
    assert found == [True, True, False, "MCPServer"]


LOAD_THE_SDK_PATH = (
    "import json, sys; from seqthink.server.sdk_path.loading import prepare; from seqthink.server.setup import *; "
    "prepare(ServerSetup(None, None, None, print, ())); lean = list(sys.modules); import uvicorn; "
    "print(json.dumps([lean, uvicorn.Config.__name__]))"
)


def loaded_with_the_sdk_path(**environ: str) -> set[str]:
    """Return the modules of a process that has loaded the SDK path; what is optional to it can be imported then."""
    done = subprocess.run(
        [sys.executable, "-c", LOAD_THE_SDK_PATH],
        cwd=PROJECT, env=os.environ | environ, capture_output=True, check=True, text=True, encoding="utf-8",
    )  # fmt: skip
    modules, name = json.loads(done.stdout)
    assert name == "Config"
    return {*modules}


@pytest.mark.deep  # what of the SDK is loaded is tried always, and names it
def test_what_is_optional_to_the_sdk_is_not_loaded_with_it() -> None:
    loaded = loaded_with_the_sdk_path()

    assert "mcp.server.lowlevel.server" in loaded
    assert {"uvicorn", "click"} & loaded == set()


@pytest.mark.deep  # another SDK than the pinned one
def test_an_sdk_that_cannot_do_without_what_is_optional_today_is_loaded_whole(tmp_path: Path) -> None:
    (tmp_path / "sse_starlette.py").write_text("import uvicorn; EventSourceResponse = uvicorn.Config\n", "utf-8")

    assert {"mcp.server.lowlevel.server", "uvicorn"} <= loaded_with_the_sdk_path(PYTHONPATH=str(tmp_path))
