"""The diff that a person is shown: true, short, without secrets, and safe for a terminal."""

import re

import pytest

from seqthink.connect.client_files.difference import MAX_LINE_CHARS, diff_lines
from tests.support.clients.machine import Machine

LINES = "".join(f'  "key{number}": {number},\n' for number in range(40))


def test_a_diff_begins_with_the_file_and_counts_lines_from_its_beginning(machine: Machine) -> None:
    machine.write("cursor", f'{{\n{LINES}  "mcpServers": {{\n    "gh": {{}}\n  }}\n}}\n')

    lines = diff_lines(machine.plan("cursor"))

    assert lines[:2] == ["--- ~/.cursor/mcp.json", "+++ ~/.cursor/mcp.json"]
    head = re.fullmatch(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@", lines[2])
    assert head is not None
    assert int(head[1]) > 35
    assert head[1] == head[3]
    assert "key39" not in lines[3] or lines[3].startswith(" ")
    assert [line for line in lines if 'key1"' in line] == []
    assert any(line.startswith("+") and '"seqthink"' in line for line in lines)


def test_new_and_deleted_files_are_called_so(machine: Machine) -> None:
    new = machine.plan("cursor")
    machine.apply(new)

    assert diff_lines(new)[:2] == ["--- ~/.cursor/mcp.json (new)", "+++ ~/.cursor/mcp.json"]
    assert diff_lines(machine.plan("cursor", removes=True))[:2] == [
        "--- ~/.cursor/mcp.json",
        "+++ ~/.cursor/mcp.json (deleted)",
    ]


def test_what_does_not_change_has_no_diff(machine: Machine) -> None:
    machine.apply(machine.plan("cursor"))

    assert diff_lines(machine.plan("cursor")) == []


@pytest.mark.parametrize(
    "server",
    [
        '{"command": "x", "env": {"GITHUB_TOKEN": "hush-hush"}}',
        '{"command": "x", "env": {"DATABASE": "hush-hush"}}',
        '{"command": "x", "env": {\n"DATABASE"\n:\n"hush-hush"}}',
        '{"command": "x", "args": ["--api-key", "hush-hush"]}',
        '{"command": "x", "args": [\n"--token",\n"hush-hush"\n]}',
        '{"url": "https://me:hush-hush@example.org/mcp"}',
        '{"headers": {"Authorization": "Bearer hush-hush-hush-hush"}}',
        '{"headers": {"X-Api-Key": "hush-hush"}}',
        '{"headers": {"Authorization": "Bearer hush"}}',
        '{"headers": {"x-custom": "hush"}}',
        '{"command": "x", "env": {"lower": "hush"}}',
        '{"command": "x", "env": {"dash-ed": "hush", "list": ["hush"]}}',
        '{"command": "x", "env": {"lower": "h\\u0075sh-hush", "other": "a\\"b\\\\hush"}}',
        '{"command": "x", "args": ["-H", "X-Mine: hush"]}',
        '{"command": "x", "args": ["--bearer", "hush"]}',
        '{"command": "docker", "args": ["run", "-e", "DATABASE=hush"]}',
        '{"command": "x", "env": {"number": 48748}, "note": "hu" }',
    ],
)
def test_secrets_of_other_servers_are_not_printed(machine: Machine, server: str) -> None:
    machine.write("cursor", f'{{"mcpServers": {{"gh": {server}\n}}}}')

    text = "\n".join(diff_lines(machine.plan("cursor")))

    assert "hush" not in text
    assert "u0075sh" not in text
    assert "48748" not in text
    assert "redacted" in text


@pytest.mark.parametrize(
    "lines",
    [
        '[mcp_servers.gh.env]\nDATABASE = "hush-hush"',
        "[mcp_servers.gh.env]\nDATABASE = 'hush'",
        '[mcp_servers.gh.env]\nDATABASE = """\nhush\nhush"""',
        "[mcp_servers.gh.env]\nDATABASE = '''hush\nhush'''",
        'env = { DATABASE = "hush" }',
        'env.DATABASE = "hush"',
        'http_headers = { DATABASE = "hush" }',
        'args = ["--token", # DATABASE\n"hush"]',
    ],
)
def test_secrets_in_toml_are_not_printed(machine: Machine, lines: str) -> None:
    machine.write("codex", f'[mcp_servers.gh]\ncommand = "x"\n{lines}\n')

    text = "\n".join(diff_lines(machine.plan("codex")))

    assert "hush" not in text
    assert "DATABASE" in text


def test_what_is_no_secret_is_shown(machine: Machine) -> None:
    server = '{"command": "npx", "args": ["-y", "pack-age", "-p", "8080"], "type": "stdio"}'
    machine.write("cursor", f'{{"mcpServers": {{\n"gh": {server}\n}}}}')

    text = "\n".join(diff_lines(machine.plan("cursor")))

    assert server in text


def test_controls_in_a_file_do_not_reach_the_terminal(machine: Machine) -> None:
    machine.write("cursor", '{"mcpServers": {"\x7f\u202e\u009b31mgh": {\r"command": "x"}\r\n}}')

    text = "".join(diff_lines(machine.plan("cursor")))

    assert [sign for sign in text if not sign.isprintable() and sign != "\n"] == []


def test_a_file_in_one_line_is_cut_to_what_lies_around_the_change(machine: Machine) -> None:
    before = ", ".join(f'"key{number}": "value"' for number in range(2000))
    machine.write("cursor", f'{{{before}, "mcpServers": {{"gh": {{}}}}, "z": "{"é" * 9000}"}}')

    lines = diff_lines(machine.plan("cursor"))

    assert max(map(len, lines)) <= MAX_LINE_CHARS + len("+……") + len("\n\\ No newline at end of file")
    [added, *_] = [line for line in lines[2:] if line.startswith("+")]
    assert '"gh"' in added


def test_the_end_of_a_file_without_a_line_break_is_said(machine: Machine) -> None:
    machine.write("cursor", '{\n  "mcpServers": {}\n}')

    assert "No newline at end of file" in "\n".join(diff_lines(machine.plan("cursor")))
