"""Whose server an entry starts."""

from typing import Any

import pytest

from seqthink.connect.clients.entries import is_ours, is_reference_server, words_of

OURS: list[dict[str, Any]] = [
    {"command": "seqthink", "args": ["serve"]},
    {"command": "/opt/x y/bin/seqthink"},
    {"command": "C:\\Users\\me\\Scripts\\Seqthink.EXE", "args": ["serve"]},
    {"command": "uvx", "args": ["seqthink", "serve"]},
    {"command": "uvx", "args": ["seqthink@0.1.0", "serve"]},
    {"command": "uvx", "args": ["--from", "seqthink[audit]==0.1", "seqthink", "serve"]},
    {"command": "/usr/bin/uv", "args": ["tool", "run", "seqthink", "serve"]},
    {"command": "pipx", "args": ["run", "seqthink", "serve"]},
    {"command": "python3.12", "args": ["-m", "seqthink", "serve"]},
    {"command": "/usr/bin/python", "args": ["-I", "-m", "seqthink", "serve"]},
    {"command": "docker", "args": ["run", "-i", "--rm", "example.org/me/seqthink:0.1"]},
    {"type": "local", "command": ["seqthink", "serve"]},
    {"command": {"path": "/opt/seqthink", "args": ["serve"]}},
    {"command": "seqthink", "args": ["tap", "--", "npx", "@modelcontextprotocol/server-sequential-thinking"]},
]
REFERENCE: list[dict[str, Any]] = [
    {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]},
    {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking@latest"]},
    {"command": "mcp-server-sequential-thinking"},
    {"command": "node", "args": ["/x/node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js"]},
    {"command": "docker", "args": ["run", "--rm", "-i", "mcp/sequentialthinking"]},
    {"command": "docker", "args": ["run", "--rm", "-i", "mcp/sequentialthinking:latest"]},
    {"command": "cmd", "args": ["/c", "npx", "-y", "@modelcontextprotocol/server-sequential-thinking"]},
    {"type": "local", "command": ["npx", "-y", "@modelcontextprotocol/server-sequential-thinking"]},
    {"command": {"path": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]}},
    {"command": "npx -y @modelcontextprotocol/server-sequential-thinking"},
    {"command": "npx", "args": ["--package=@modelcontextprotocol/server-sequential-thinking", "x"]},
    {"command": "/x/.bin/mcp-server-sequential-thinking"},
    {"command": "C:\\x\\.bin\\mcp-server-sequential-thinking.cmd"},
    {"command": "node", "args": ["/x/src/sequentialthinking/dist/index.js"]},
    {"command": "docker", "args": ["run", "--rm", "-i", "images.example.org/mcp/sequentialthinking:latest"]},
]
OTHERS: list[Any] = [
    {},
    None,
    "seqthink",
    {"url": "https://example.org/seqthink"},
    {"command": "npx", "args": ["seqthink-pro"]},
    {"command": "not-seqthink", "args": ["seqthink"]},
    {"command": "python", "args": ["-m", "seqthinking"]},
    {"command": "python", "args": ["seqthink"]},
    {"command": "uvx", "args": ["seqthinker"]},
    {"command": 5, "args": {"a": 1}},
    {"command": "npx", "args": [None, 5, "@modelcontextprotocol/server-memory"]},
]


@pytest.mark.parametrize("entry", OURS, ids=str)
def test_an_entry_that_starts_seqthink_is_ours(entry: dict[str, Any]) -> None:
    assert (is_ours(entry), is_reference_server(entry)) == (True, False)


@pytest.mark.parametrize("entry", REFERENCE, ids=str)
def test_an_entry_that_starts_the_reference_server_is_known(entry: dict[str, Any]) -> None:
    assert (is_ours(entry), is_reference_server(entry)) == (False, True)


@pytest.mark.parametrize("entry", OTHERS, ids=str)
def test_all_others_are_left_alone(entry: object) -> None:
    assert (is_ours(entry), is_reference_server(entry)) == (False, False)


def test_words_are_those_of_the_command_line_in_either_form() -> None:
    assert words_of({"command": "a", "args": ["b", 1, "c"]}) == ["a", "b", "c"]
    assert words_of({"command": ["a", "b"]}) == ["a", "b"]
