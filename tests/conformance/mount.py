"""The SDK's server over HTTP, because the suite speaks nothing else: ``python -m tests.conformance.mount FOLDER``.

It is the server of `seqthink serve --no-front` with the suite's tools added, on a free port that it prints, with its
journal in FOLDER.
"""

import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from seqthink.cli.serve import make_recorder
from seqthink.cli.serve_options import parse_options
from seqthink.dialogue.channel import ClientPresence
from seqthink.dialogue.client_sessions import ClientSessions
from seqthink.server.sdk_path.sdk_server import make_server
from seqthink.server.setup import ServerSetup, tool_definitions
from seqthink.server.wire.signals import Signals
from seqthink.server.wire.stderr import Stderr
from seqthink.server.wire.stdio import StdioPair
from tests.conformance.node import CannotRunError
from tests.conformance.tools import add_tools
from tests.conftest import PROJECT

BOUND = 20.0


@contextmanager
def mounted(folder: Path) -> Generator[str]:
    """Run a server in a process of its own until the block is left, and give its address."""
    log = folder / "mount.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.conformance.mount", str(folder)],
            cwd=PROJECT, stdout=subprocess.PIPE, stderr=errors,
        )  # fmt: skip
    assert process.stdout is not None
    try:
        port = process.stdout.readline().decode().strip()
        if not port:
            raise CannotRunError(f"the server did not start: {log.read_text('utf-8').strip()[-500:]}")
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait(BOUND)
        process.stdout.close()


def main() -> None:
    """Serve until the process is ended."""
    options = parse_options(["--journal-dir", sys.argv[1]], {})
    thinking = make_recorder(options, {"DISABLE_THOUGHT_LOGGING": "true"}, Stderr())
    clients = ClientSessions(ClientPresence(), thinking.append_event, lambda: thinking.session)
    tools = tool_definitions(options.schema, has_context=False, has_audits=False)
    setup = ServerSetup(lambda: thinking, StdioPair(0, 1), Signals(), Stderr().print_line, tools)
    server = make_server(setup, clients)
    add_tools(server, clients, lambda call: thinking.record(call).seq)
    app = server.streamable_http_app()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([listening])


if __name__ == "__main__":
    main()
