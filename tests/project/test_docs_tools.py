"""What `docs/tools.md` says is so: calls, answers, prompts, variables, schemas."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from seqthink.connect.clients.registry import CLIENTS
from seqthink.core.arguments import AcceptedThought, accept
from seqthink.server.prompts.thinking_prompts import PROMPTS
from seqthink.server.tools import agents
from seqthink.server.tools.context_tools import context_tool_definitions
from seqthink.server.tools.tags import InvalidTags, parse_tags
from seqthink.server.tools.thinking_tool import thinking_tool_definition
from tests.server.test_recorded_cases import CASES
from tests.support.depth import first
from tests.support.docs import readme
from tests.support.docs.pages import OURS, README, code_rows, page
from tests.support.docs.proofs import BOUND, HERE, given_texts, options_of
from tests.support.docs.readme import codes
from tests.support.servers.deviations import table
from tests.support.servers.wire import events as events_of
from tests.support.servers.wire import start

NO_VARIABLES = {"INVALID_TAGS_TYPE", "O_EXCL", "O_APPEND"}
FOREIGN_VARIABLES = {"DISABLE_THOUGHT_LOGGING", "NO_COLOR", "COLUMNS", "XDG_STATE_HOME"}


def test_the_pieces_of_json_of_the_tools_page_are_a_call_a_configuration_and_answers() -> None:
    call, *others = [fence.text for fence in page("tools").fences if fence.language == "json"]
    [entry] = [json.loads(block) for block in others if "mcpServers" in block]
    answers = [block.strip() for block in others if "mcpServers" not in block]
    arguments = json.loads(call)["params"]["arguments"]

    assert isinstance(accept(arguments, 1 << 20), AcceptedThought)
    assert f'"thought":{json.dumps(arguments["thought"])}' in readme.SAMPLE.read_text(encoding="utf-8")
    assert entry == json.loads(CLIENTS["cursor"].snippet(HERE))
    assert len(answers) == 4
    assert [answer for answer in answers if answer not in given_texts()] == []


def test_every_example_call_of_the_tools_page_is_answered_by_the_server(tmp_path: Path) -> None:
    plain, careless, context = (
        [json.loads(line) for line in fence.text.splitlines()]
        for fence in page("tools").fences
        if fence.language == "jsonl"
    )
    with start("--tools", "context", environ={"SEQTHINK_JOURNAL_DIR": str(tmp_path)}) as wire:
        listed = wire.ask("tools/list")["result"]["tools"]
        results = [wire.ask("tools/call", call)["result"] for call in (*plain, *careless, *context)]

    [journal] = tmp_path.glob("*.jsonl")
    thoughts = [event for event in events_of(journal) if event["type"] == "thought"]
    assert [result["content"] for result in results if "isError" in result] == []
    assert {call["name"] for call in (*plain, *careless, *context)} == {tool["name"] for tool in listed}
    assert {name for call in plain for name in call["arguments"]} == set(listed[0]["inputSchema"]["properties"])
    assert [bool(event.get("coerced")) for event in thoughts] == [False] * len(plain) + [True] * len(careless)
    assert results[-1]["structuredContent"]["total"] == 1


def test_the_versions_of_the_text_are_those_that_a_handshake_settles_on() -> None:
    [listed] = re.findall(
        r"in a \*\*handshake version\*\*:((?: ?\S+,)* \S+ or \S+)\.", " ".join(page("tools").text.split())
    )
    versions = re.findall(r"[\d-]+", listed)

    with start() as wire:
        settled = [wire.handshake(version)["protocolVersion"] for version in [*versions, "1999-01-01"]]

    assert len(versions) > 3
    assert settled == [*versions, max(versions)]


def test_the_table_of_the_server_s_options_is_the_server_s() -> None:
    rows = page("tools").rows("Option")
    named = {option[0]: variable[0] for option, variable, *_ in code_rows(rows)}

    assert named == {
        option: "SEQTHINK_" + option[2:].replace("-", "_").upper() for option in options_of("serve") - {"--help"}
    }


def test_the_table_of_prompts_is_what_the_server_lists() -> None:
    rows = page("tools").rows("Prompt")
    listed = [
        (
            prompt.name,
            prompt.title,
            [[each.name for each in prompt.arguments if each.is_required is needed] for needed in (True, False)],
        )
        for prompt in PROMPTS.values()
    ]

    assert [
        (codes(name)[0], title, [codes(part) for part in (*takes.split(";"), "")[:2]]) for name, title, takes in rows
    ] == listed


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    first(
        3,
        [
            ("SEQTHINK_FSYNC", "x", "never or always"),
            ("SEQTHINK_JOURNAL_REQUIRED", "x", "yes or no"),
            ("SEQTHINK_NO_FRONT", "x", "yes or no"),
            ("SEQTHINK_SCHEMA", "x", "lenient or plain"),
            ("SEQTHINK_TOOLS", "x", "must be context"),
            ("SEQTHINK_MAX_THOUGHT_BYTES", "x", "whole number"),
            ("SEQTHINK_MAX_THOUGHTS", "x", "whole number"),
            ("SEQTHINK_RESUME", "x", "no session 'x'"),
            ("SEQTHINK_WORKSPACE", "/no/such", "must be an existing folder"),
            ("SEQTHINK_AUDIT_TIMEOUT", "0", "number of seconds above 0"),
        ],
        is_unpacked=True,
    ),
)
def test_a_variable_of_the_table_is_read(variable: str, value: str, complaint: str) -> None:
    done = _serve_nobody({variable: value})

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert complaint in done.stderr
    assert f"`{variable}`" in page("tools").text


def test_no_variable_of_the_pages_is_without_a_test() -> None:
    tested = {"SEQTHINK_FSYNC", "SEQTHINK_JOURNAL_REQUIRED", "SEQTHINK_SCHEMA", "SEQTHINK_MAX_THOUGHT_BYTES"}
    tested |= {"SEQTHINK_NO_FRONT", "SEQTHINK_MAX_THOUGHTS", "SEQTHINK_NO_NOTES"} | {
        "SEQTHINK_RESUME",
        "SEQTHINK_JOURNAL_DIR",
        "SEQTHINK_TITLE",
        "SEQTHINK_HOME",
        "SEQTHINK_SOURCES",  # tests/cli/test_import.py
        "SEQTHINK_THEME",
        "SEQTHINK_TOOLS",
        "SEQTHINK_WORKSPACE",
        "SEQTHINK_AUDIT_TIMEOUT",
        "ENABLE_GAN_AUDITING",  # tests/audit/served
        "SEQTHINK_DEBUG",  # tests/connect/doctor/test_audit_switch.py
        "SEQTHINK_SHIP",  # tests/share/shipping
        *("SEQTHINK_FLEET", "SEQTHINK_FLEET_USER", "SEQTHINK_FLEET_PASSWORD", "SEQTHINK_FLEET_PASSWORD_FILE"),
        *("SEQTHINK_FLEET_CA", "SEQTHINK_NOTE_KEY_FILE"),  # tests/sources/fleet
    }
    prose = "".join(one.prose for one in (*map(page, OURS), README))
    named = set(re.findall(r"\b[A-Z]+_[A-Z_]+\b", prose)) - NO_VARIABLES

    assert named - FOREIGN_VARIABLES == tested


def test_folder_and_title_of_the_environment_are_taken(tmp_path: Path) -> None:
    with start(environ={"SEQTHINK_JOURNAL_DIR": str(tmp_path / "mine"), "SEQTHINK_TITLE": "titled"}) as wire:
        wire.handshake()
        wire.call({"thought": "t", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1})

    [journal] = (tmp_path / "mine").iterdir()
    assert '"title":"titled"' in journal.read_text(encoding="utf-8")


@pytest.mark.parametrize("variable", ["SEQTHINK_HOME", "SEQTHINK_JOURNAL_DIR"])
def test_a_home_that_nobody_has_is_one_line_of_the_server(variable: str) -> None:
    done = _serve_nobody({variable: "~nobody-of-that-name/journals"})

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def _serve_nobody(environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "seqthink", "serve"],
        env={**os.environ, **environ}, stdin=subprocess.DEVNULL, capture_output=True, timeout=BOUND,
        encoding="utf-8", check=False,
    )  # fmt: skip


def test_the_keys_that_distinguish_agents_are_those_that_are_read() -> None:
    named = {key for keys, _ in code_rows(page("tools").rows("In `_meta`")) for key in keys}

    assert named == {
        agents.THREAD_KEY,
        agents.SESSION_KEY,
        agents.TURN_METADATA_KEY,
        agents.CALL_ID_KEY,
        agents.TOOL_USE_ID_KEY,
    }


@pytest.mark.parametrize(("cell", "meant"), page("tools").rows("Tags"))
def test_tags_of_the_table_mean_what_it_says(cell: str, meant: str) -> None:
    values = [parse_tags(json.loads(code)) for code in codes(cell)]

    if meant.startswith("refused"):
        assert all(isinstance(value, InvalidTags) for value in values)
    else:
        assert [value or () for value in values] == [tuple(codes(meant))]


def test_the_table_of_context_tools_is_what_they_take_and_answer() -> None:
    tools = {tool["name"]: tool for tool in context_tool_definitions("lenient")}

    rows = {name[0]: cells for name, *cells in code_rows(page("tools").rows("Tool"))}

    assert rows.keys() == tools.keys()
    for name, (takes, answers) in rows.items():
        assert set(tools[name]["inputSchema"]["properties"]) == set(takes) - {"[]"}
        assert set(tools[name]["outputSchema"]["properties"]) <= set(answers)


def test_the_table_of_arguments_is_the_tool_s_schema() -> None:
    schema = thinking_tool_definition("plain")["inputSchema"]
    words = {"string": "text", "integer": "whole number from 1", "boolean": "true or false"}
    expected = [
        (name, words[field["type"]] + (", required" if name in schema["required"] else ""))
        for name, field in schema["properties"].items()
    ]

    assert [(codes(name)[0], takes) for name, takes, _ in page("tools").rows("Argument")] == expected


@pytest.mark.parametrize("row", page("tools").rows("Kind"), ids=lambda row: row[0])
def test_a_value_is_taken_repaired_or_refused_as_the_table_says(row: list[str]) -> None:
    field = {"number": "thoughtNumber", "boolean": "nextThoughtNeeded", "thought": "thought"}.get(row[0], row[0])
    good = {"thought": "t", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 1}
    fates = ["taken", "repaired", "refused"]

    decided = [(value, fate) for cell, fate in zip(row[1:], fates, strict=True) for value in codes(cell)]

    assert len(decided) > 3
    assert [(value, _fate(accept({**good, field: json.loads(value)}, 1 << 20))) for value, _ in decided] == decided


def _fate(decided: object) -> str:
    if isinstance(decided, AcceptedThought):
        return "repaired" if decided.coerced else "taken"
    return "refused"


def test_the_fields_of_an_answer_are_those_of_the_schema() -> None:
    schema = thinking_tool_definition("lenient", has_audits=True)["outputSchema"]

    fields = [name for names, *_ in code_rows(page("tools").rows("Field")) for name in names]

    assert sorted(fields) == sorted(schema["properties"])
    assert fields[: len(schema["required"])] == schema["required"]


def test_the_deviations_are_the_table_that_the_recorded_cases_are_held_against() -> None:
    assert table() in page("tools").text
    assert f"{len(CASES)} recorded answers" in page("tools").text
