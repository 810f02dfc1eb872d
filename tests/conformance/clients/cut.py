"""Copies what a client wrote, cut to what a repository may hold: ``python -m tests.conformance.clients.cut``.

Ids, times, order and shapes stay. The client's own texts (prompts, skills, listings) become `CUT`, paths of the
machine become paths below ``/home/ada``. tests/sources/transcripts/recorded/README.md says what was made with it.
"""

import argparse
import json
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, cast

from tests.conformance.clients.run import PROGRAMS
from tests.conformance.clients.script import MARKER

Json = dict[str, Any]

CUT: Final = "(cut)"
"""Stands where a text of the client stood."""
MAX_FILE_BYTES: Final = 60_000
_HOME: Final = "/home/ada"
_LONGEST_OWN_TEXT: Final = 400
_NOTE: Final = re.compile(r"<(note|local-command-caveat)>.*?</\1>", re.DOTALL)
_NOTIFICATION: Final = "<task-notification>"
"""How Claude Code begins the report of a subagent that worked in the background."""
_FILES: Final = {
    "claude": ("projects/**/*.jsonl", "projects/**/*.json"),
    "codex": ("sessions/**/*.jsonl",),
    "copilot": ("session-state/*/events.jsonl",),
    "gemini": ("tmp/*/chats/**/*.jsonl", "tmp/*/.project_root", "projects.json"),
    "qwen": ("projects/*/chats/*.jsonl", "projects/*/subagents/*/*.json*"),
    "pi": ("sessions/*/*.jsonl",),
    "cline": ("*/*.json",),
}
_DATABASES: Final = {"kilo": "kilo.db", "opencode": "opencode.db"}
_ABOUT_THE_REQUEST: Final = (
    "apiBlockIndex", "promptCacheRequested", "requestRef", "requestedModel", "session_id", "toolInputStreamMs",
)  # fmt: skip
_COPILOT_COUNTS: Final = frozenset(("session.shutdown", "session.usage_checkpoint", "session.usage_record"))
_COPILOT_TELEMETRY: Final = frozenset(
    ("interactionId", "mcpConfigServerName", "mcpConfigSource", "originatingMessageId", "rte", "toolTelemetry", "tools")
)
_TABLES: Final = ("project", "session", "message", "part", "event_sequence", "event", "migration", "kilo_board")
_PIECE_BYTES: Final = 50_000


def main() -> int:
    """Cut one run as the command line asks for, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.clients.cut", description="Cut a recording.")
    parser.add_argument("client", choices=PROGRAMS)
    parser.add_argument("home", type=Path, help="the client's home, as --home of the run named it")
    parser.add_argument("target", type=Path, help="a folder that does not exist yet")
    asked = parser.parse_args()
    cut(asked.client, asked.home.resolve(), asked.target)
    return 0


def cut(client: str, home: Path, target: Path) -> None:
    """Copy the transcripts of ``client`` and our journals below ``home`` to ``target``, cut."""
    kept = home / PROGRAMS[client].transcripts
    if client in _DATABASES:
        _cut_database(kept / _DATABASES[client], target / "home" / PROGRAMS[client].transcripts, home)
    for pattern in _FILES.get(client, ()):
        for file in sorted(kept.glob(pattern)):
            _cut_file(file, target / "home" / _named(file.relative_to(home), home), home, _CUTTERS[client])
    for journal in sorted((home / "journals" / "sessions").glob("*.jsonl")):
        _cut_file(journal, target / "journals" / journal.name, home, _cut_journal)
    if client == "codex":
        _mend_offsets(target)


def _named(path: Path, home: Path) -> Path:
    """Return a path without the names that come from where the run was made."""
    encoded = _encoded(str(home))
    return Path(*(part.replace(encoded, _encoded(_HOME)) for part in path.parts))


def _encoded(path: str) -> str:
    """Return a path as Claude Code writes it into the name of a folder."""
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in path)


def _moved(text: str, home: Path) -> str:
    here = str(home)
    for old, new in ((here, _HOME), (_encoded(here), _encoded(_HOME)), (here.lstrip("/"), _HOME.lstrip("/"))):
        text = text.replace(old, new)
    return text


def _cut_file(file: Path, target: Path, home: Path, cutter: Callable[[Json], Json]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    text = _moved(file.read_text("utf-8"), home)
    if file.suffix == ".jsonl":
        text = "".join(_written(cutter(json.loads(line))) + "\n" for line in text.splitlines() if line)
    elif file.suffix == ".json" and cutter is not _cut_gemini:
        text = json.dumps(cutter(json.loads(text)), ensure_ascii=False, indent=2) + "\n"
    target.write_text(text, "utf-8")


def _written(record: Json) -> str:
    """Return a record as all clients write lines: without blanks, and not escaped."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _cut_texts(record: Json, keep: Callable[[str], bool]) -> Json:
    return {key: _cut_value(value, keep) for key, value in record.items()}


def _cut_value(value: object, keep: Callable[[str], bool]) -> object:
    if isinstance(value, str):
        shown = _NOTE.sub(rf"<\1>{CUT}</\1>", value)
        return shown if keep(shown) or shown.startswith(_NOTIFICATION) else CUT
    if isinstance(value, list):
        return [_cut_value(item, keep) for item in cast("list[object]", value)]
    return _cut_texts(cast("Json", value), keep) if isinstance(value, dict) else value


def _is_short(text: str) -> bool:
    return len(text) <= _LONGEST_OWN_TEXT


def _is_a_word(text: str) -> bool:
    return len(text) <= 40 or MARKER.search(text) is not None


def _cut_journal(entry: Json) -> Json:
    """Return an entry of our own journal; only the machine's name goes."""
    return entry | ({"host": "host"} if "host" in entry else {})


def _cut_claude(record: Json) -> Json:
    if record["type"] == "attachment":
        attachment: Json = record["attachment"]
        lists = {key: list[Any]() for key, value in attachment.items() if isinstance(value, list)}
        record["attachment"] = _cut_texts(attachment | lists, lambda text: text == attachment["type"])
        record.pop("rendered", None)
    elif str(record["type"]).startswith("api-request"):
        kept = ("type", "sessionId", "agentId", "hash", "id", "shapeHash", "timestamp", "version", "querySource")
        record = {key: record[key] for key in kept if key in record} | {"shape": CUT}
    elif record["type"] == "assistant":
        usage: Json = record["message"].get("usage", {})
        record["message"]["usage"] = {key: usage[key] for key in ("input_tokens", "output_tokens") if key in usage}
        record = {key: value for key, value in record.items() if key not in _ABOUT_THE_REQUEST}
    return _cut_texts(record, _is_short)


def _cut_codex(record: Json) -> Json:
    payload: Json = record["payload"]
    kind = payload.get("type")
    record.pop("metadata", None)  # what is kept when the conversation is compacted
    if record["type"] == "world_state":
        payload = payload | {"state": CUT}
    elif record["type"] == "token_usage_record":
        payload = {key: value for key, value in payload.items() if not key.endswith("_token_usage")}
    elif kind == "token_count":
        payload = {key: value for key, value in payload.items() if key != "rate_limits"}
    elif kind == "additional_tools":
        payload = payload | {"tools": list[Any]()}
    is_theirs = record["type"] in {"session_meta", "compacted"} or kind == "thread_settings_applied"
    keep = _is_a_word if is_theirs or _is_injected(payload) else _is_short
    return record | {"payload": _cut_texts(payload, keep)}


def _is_injected(payload: Json) -> bool:
    return payload.get("type") == "message" and payload.get("role") in {"developer", "user"}


def _cut_copilot(record: Json) -> Json:
    data: Json = record["data"]
    if record["type"] in _COPILOT_COUNTS:
        return record | {"data": {key: data[key] for key in ("shutdownType",) if key in data}}
    if record["type"] in {"system.message", "model.messages_snapshot"}:
        return record | {"data": {"content": CUT}}
    data = {key: value for key, value in data.items() if key not in _COPILOT_TELEMETRY}
    if "transformedContent" in data:
        data["transformedContent"] = CUT
    if isinstance(data.get("result"), dict) and not data.get("fileEdits"):
        data["result"] = {key: value for key, value in data["result"].items() if key != "detailedContent"}
    return record | {"data": _cut_texts(data, _is_short)}


def _cut_gemini(record: Json) -> Json:
    changed: Json = record.get("$set", {})
    for message in cast("list[Json]", [record, *changed.get("messages", [])]):
        if message.get("type") == "user" and isinstance(message["content"], list):
            message["content"] = [_cut_context(part) for part in cast("list[Json]", message["content"])]
    return _cut_texts(record, _is_short)


def _cut_qwen(record: Json) -> Json:
    if record.get("subtype") == "ui_telemetry":
        event: Json = record["systemPayload"]["uiEvent"]
        record["systemPayload"] = {"uiEvent": {"event.name": event["event.name"]}}
    record.pop("persistedCliFlags", None)
    return _cut_texts(record, _is_short)


def _cut_pi(record: Json) -> Json:
    message: Json = record.get("message", {})
    if message.get("role") == "system":
        message |= {"sections": {}, "toolsAdded": []}
    usage: Json = message.get("usage", {})
    usage.pop("cost", None)
    return _cut_texts(record, _is_short)


def _cut_cline(document: Json) -> Json:
    return _cut_texts(document, _is_short)


def _cut_context(part: Json) -> Json:
    text = part.get("text")
    if isinstance(text, str) and not MARKER.search(text):
        tag = text.strip().partition(">")[0]
        return part | {"text": f"{tag}>\n{CUT}" if tag.startswith("<") else CUT}
    return part


_CUTTERS: Final[dict[str, Callable[[Json], Json]]] = {
    "claude": _cut_claude,
    "codex": _cut_codex,
    "copilot": _cut_copilot,
    "gemini": _cut_gemini,
    "qwen": _cut_qwen,
    "pi": _cut_pi,
    "cline": _cut_cline,
}


def _mend_offsets(target: Path) -> None:
    """Let a forked rollout name the place in its parent's file where that place now is."""
    rollouts = {file.stem[-36:]: file for file in (target / "home").rglob("rollout-*.jsonl")}
    for file in rollouts.values():
        head, _, rest = file.read_text("utf-8").partition("\n")
        meta: Json = json.loads(head)
        base: Json | None = meta["payload"].get("history_base")
        if base is None or base["thread_id"] not in rollouts:
            continue
        lines = rollouts[base["thread_id"]].read_bytes().splitlines(keepends=True)
        before = [line for line in lines if json.loads(line)["ordinal"] < base["end_ordinal_exclusive"]]
        base["end_byte_offset"] = sum(map(len, before))
        file.write_text(f"{_written(meta)}\n{rest}", "utf-8")


def _cut_database(database: Path, folder: Path, home: Path) -> None:
    """Write the tables of a database as SQL, in pieces that are read in the order of their names."""
    with tempfile.TemporaryDirectory() as scratch:
        for file in database.parent.glob(f"{database.name}*"):  # what is not in the -wal yet is in neither alone
            shutil.copy(file, scratch)
        with closing(sqlite3.connect(Path(scratch) / database.name)) as connection:
            statements = [_moved(statement, home) for statement in _statements(connection)]
    folder.mkdir(parents=True)
    for number, piece in enumerate(_pieces(statements)):
        (folder / f"{database.name}.{number}.sql").write_text(piece, "utf-8")


def _statements(connection: sqlite3.Connection) -> Iterator[str]:
    schemas = dict(connection.execute("select name, sql from sqlite_master where type = 'table'"))
    for table in filter(schemas.__contains__, _TABLES):
        yield " ".join(str(schemas[table]).split()) + ";\n"
        for row in connection.execute(f"select * from {table} order by rowid"):
            yield f"INSERT INTO {table} VALUES({','.join(_quoted(value) for value in row)});\n"


def _quoted(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


def _pieces(statements: list[str]) -> Iterator[str]:
    piece = ""
    for statement in statements:
        if piece and len((piece + statement).encode()) > _PIECE_BYTES:
            yield piece
            piece = ""
        piece += statement
    yield piece


if __name__ == "__main__":
    sys.exit(main())
