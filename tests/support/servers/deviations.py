"""Deliberate deviations from the reference server: one table for tests and docs/tools.md."""

from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

Outcome = Literal["accepted", "refused", "error", "listed", "handshake", "done"]


class Deviation(NamedTuple):
    """Recorded cases (patterns of ids) that this server answers differently, and why."""

    cases: tuple[str, ...]
    reference: str
    ours: str
    why: str
    outcome: Outcome

    def covers(self, case: str) -> bool:
        return any(fnmatchcase(case, pattern) for pattern in self.cases)


WORDING = (
    "every refusal",
    "text `MCP error -32602: Input validation error: …`",
    'text `{"error": …, "status": "failed", "details": {field: …}}`',
    "gives the expected and the sent value of each field; the same fields are named",
)
"""The one deviation without a case of its own: refusals are compared by the fields they name."""

DEVIATIONS = (
    Deviation(
        ("revisesThought/null", "isRevision/null", "branchId/null"),
        "`null` for an optional field is refused",
        "it means absent",
        "models fill in every field",
        "accepted",
    ),
    Deviation(
        ("nextThoughtNeeded/str-spaces",),
        '`" true "` is refused',
        "accepted, trimmed",
        "lenient in; numbers are trimmed too",
        "accepted",
    ),
    Deviation(
        ("thoughtNumber/str-1e2", "thoughtNumber/str-hex", "thoughtNumber/str-octal"),
        '`"1e2"`, `"0x10"`, `"0o17"` are 100, 16, 15',
        "refused",
        "JavaScript's reading of a string is not what a model meant",
        "refused",
    ),
    Deviation(
        (
            *("thoughtNumber/true", "totalThoughts/true", "revisesThought/true", "branchFromThought/true"),
            *("thoughtNumber/list-int", "totalThoughts/list-int"),
        ),
        "`true` is 1, `[3]` is 3",
        "refused",
        "no number was given",
        "refused",
    ),
    Deviation(
        ("combo/snake-case",),
        "names in snake case are unknown, so required fields are missing",
        "`thought_number` is read as `thoughtNumber`, and so on",
        "it can mean nothing else; servers in Python spell them so",
        "accepted",
    ),
    Deviation(
        ("branchId/number",),
        "a number as `branchId` is refused",
        '`7` is read as `"7"`',
        "models number their branches",
        "accepted",
    ),
    Deviation(
        ("protocol/arguments-string",),
        "`arguments` as a string that holds an object: JSON-RPC error -32603",
        "the object is read",
        "it can mean nothing else; models and clients encode twice",
        "accepted",
    ),
    Deviation(
        ("thought/empty",),
        "an empty `thought` is accepted",
        "refused",
        "there is nothing to journal",
        "refused",
    ),
    Deviation(
        ("thought/5MB-multibyte-escaped",),
        "a line over 10 MiB is never answered, nor is any after it",
        "answered",
        "no line may hang a client",
        "accepted",
    ),
    Deviation(
        ("branchId/proto", "branchId/toString", "branchId/hasOwnProperty", "session/proto-error-counts-in-history"),
        "`__proto__`, `toString` … as `branchId` fail, yet count",
        "ordinary branch names",
        "an accident of JavaScript",
        "accepted",
    ),
    Deviation(
        ("session/repeat-number", "session/three-thoughts"),
        "a thought may repeat without end",
        "the third in a row, word for word, is answered with a `hint`",
        "agents have looped over a thousand times",
        "accepted",
    ),
    Deviation(
        ("protocol/tools-list*",),
        "a description of 2,781 characters; numbers advertised as integers only",
        "our own description, at most 1,024; `anyOf` (or `--schema plain`); optional answer fields",
        "OpenAI's limit; clients that check a call before they send it",
        "listed",
    ),
    Deviation(
        ("protocol/arguments-null", "protocol/arguments-list", "protocol/no-params", "handshake/missing-client-info"),
        "JSON-RPC error -32603 with a dump of the validator",
        "-32602, Invalid params, in words",
        "the request is wrong, not the server",
        "error",
    ),
    Deviation(
        ("protocol/task-augmented",),
        "a call with `task` is refused with -32603",
        "`task` is ignored and the call answered",
        "the SDK knows no tasks; the thought matters",
        "accepted",
    ),
    Deviation(
        ("handshake/2*", "handshake/1999-01-01", "handshake/empty"),
        "names itself `sequential-thinking-server`, `listChanged: true`",
        "names itself `seqthink`, `listChanged: false`, has `logging`, `prompts` and `instructions`",
        "our lists never change; a client is warned when the journal cannot be written; "
        "a client that defers tools shows a model nothing else",
        "handshake",
    ),
    Deviation(
        ("protocol/logging-setLevel",),
        "`logging/setLevel` is an unknown method",
        "sets the lowest severity that the client gets",
        "a server that sends log messages must offer it",
        "done",
    ),
    Deviation(
        ("protocol/prompts-list",),
        "`prompts/list` is an unknown method",
        "five prompts",
        "a user can start thinking with a command of the client",
        "listed",
    ),
)


def table() -> str:
    """Return the deviations as a Markdown table."""
    lines = ["| Recorded cases | Reference | Here | Why |", "| --- | --- | --- | --- |"]
    rows = [WORDING, *((", ".join(f"`{case}`" for case in row.cases), *row[1:4]) for row in DEVIATIONS)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"
