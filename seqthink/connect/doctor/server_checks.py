"""What trying a server means, and what puts it right. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from seqthink.connect.doctor.fixes import INSTALL, REINSTALL, shell_word
from seqthink.connect.doctor.probe_messages import OUR_SERVER
from seqthink.connect.doctor.probe_results import ProbeResult
from seqthink.connect.doctor.results import CheckResult, right, warning, wrong
from seqthink.connect.doctor.versions import version_in

_DOWNLOADERS: Final = frozenset({"uvx", "uv", "pipx", "docker", "podman", "npx"})
_OWN_LINE: Final = "seqthink: "
_REPORT: Final = "seqthink doctor --report > report.md, and open an issue with it"


class TriedEntry(Struct, frozen=True):
    """What is known of an entry whose server was tried."""

    words: Sequence[str]
    is_ours: bool
    """Whether it starts seqthink, by its words."""
    is_this_program: bool
    """Whether it starts the very program that runs here, as `seqthink config` writes it."""
    is_container: bool
    write: str
    """The command that writes the entry again."""
    rewrite: str
    """The command that puts our entry in the place of this one."""
    file: str
    """The file that it is in."""
    version: str
    """The version that runs here."""
    how: str
    """With which environment it was started, in words."""


def server_checks(entry: TriedEntry, result: ProbeResult, seconds: float) -> list[CheckResult]:
    """Return what trying the server of ``entry`` for at most ``seconds`` means."""
    if result.outcome != "answered":
        return [_failure(entry, result, seconds)]
    return [*_answered(entry, result)]


def _answered(entry: TriedEntry, result: ProbeResult) -> Iterator[CheckResult]:
    name = result.server.name if result.server else ""
    is_tap = entry.is_ours and "tap" in entry.words
    if name != OUR_SERVER and not is_tap:
        yield wrong("server", "another server answers", name, fix=entry.rewrite)
        return
    version = version_in(result.server.version) if result.server and not is_tap else ""
    after = f"{result.seconds:.1f} s" if result.seconds >= 1 else f"{result.seconds * 1000:.0f} ms"
    yield right("server", f"{version} answered after {after}, {entry.how}".strip())
    if version not in {"", entry.version}:
        yield warning("version", f"it is {version}, but this is {entry.version}", fix=entry.write)
    if result.stray_lines:
        message = f"{result.stray_lines} lines on stdout are not messages; some clients then give up"
        yield warning(
            "stdout", message, result.last_words, fix="take out of {} what prints them", fix_detail=entry.file
        )
    if result.has_journal:
        yield right("call", "the tool was called once, and its journal was written; nothing of it is kept")
    elif entry.is_container:
        yield right("call", "the tool was called once; its journal is gone with the container")
    else:
        message = "the tool was called once, but its journal was not where the test wanted it"
        yield warning(
            "call", message, fix="if the test is in your list, remove it: seqthink sessions, seqthink delete ID"
        )


def _failure(entry: TriedEntry, result: ProbeResult, seconds: float) -> CheckResult:
    """Return why a server cannot be used."""
    words = result.last_words
    match result.outcome:
        case "exited":
            status = f" with status {result.exit_status}" if result.exit_status is not None else ""
            fix, detail = _fix_of_exit(entry, words)
            return wrong("server", f"it ends at once{status}", words, fix=fix, fix_detail=detail)
        case "silent" if _downloads(entry.words):
            message = f"no answer within {seconds:g} s; it may be downloading"
            return wrong("server", message, words, fix=f"{INSTALL} && {entry.rewrite}")
        case "refused":
            return wrong("call", "the tool refuses a plain thought", words, fix=_REPORT)
        case "no tool":
            name = result.server.name if result.server else ""
            return wrong("server", "another server answers, without the tool", name, fix=entry.rewrite)
        case outcome:
            return wrong("server", _said(outcome, seconds), words, fix=_fix(entry))


def _said(outcome: str, seconds: float) -> str:
    return {
        "cannot start": "it cannot be started",
        "silent": f"no answer within {seconds:g} s",
        "no protocol": "what it prints on stdout is not MCP",
        "flooded": "it writes on stdout without end",
        "not initialized": "it answers in another protocol",
    }.get(outcome, outcome)


def _fix_of_exit(entry: TriedEntry, line: str) -> tuple[str, str]:
    """Return the fix for a server that ends at once, and what fills it."""
    if line.startswith(f"{_OWN_LINE}SEQTHINK_"):
        return "correct that variable in {}", shell_word(entry.file)
    if line.startswith(_OWN_LINE):
        return entry.write, ""
    return _fix(entry), ""


def _fix(entry: TriedEntry) -> str:
    """Return what helps where the program does not: install it again if the entry is as we write it."""
    return REINSTALL if entry.is_this_program else entry.rewrite


def _downloads(words: Sequence[str]) -> bool:
    return words[0].replace("\\", "/").rpartition("/")[2] in _DOWNLOADERS
