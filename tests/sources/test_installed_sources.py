"""Packages that bring a source: they appear everywhere, and one that fails hurts no other."""

import ctypes
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.__main__ import main
from seqthink.connect.doctor.results import CheckResult
from seqthink.connect.doctor.transcript_checks import transcript_checks
from seqthink.core.errors import UsageError
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.budget import STATUS_SECONDS, Budget
from seqthink.sources.transcripts.installed import calls
from seqthink.sources.transcripts.installed.calls import FAULT_WORDS
from seqthink.sources.transcripts.registry import (
    TRANSCRIPTS,
    description_of,
    installed,
    known_description,
    likely_sources,
    load_source,
    parse_sources,
    source_names,
    sources_of,
)
from tests.support.transcripts.acme import NAME, install, module, write_session
from tests.support.transcripts.recorded import RECORDED

TOO_LONG_SECONDS = 0.3


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that is on the path."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a session of Acme, and one of Claude Code."""
    home = tmp_path / "home"
    write_session(home)
    claude = home / ".claude" / "projects" / "-work" / "0a1b2c3d-1111-4111-8111-111111111111.jsonl"
    claude.parent.mkdir(parents=True)
    line = {"type": "user", "uuid": "u1", "sessionId": claude.stem, "timestamp": "2026-11-29T10:00:00.000Z"}
    claude.write_text(json.dumps({**line, "message": {"role": "user", "content": "why?"}}) + "\n", encoding="utf-8")
    for name, folder in (("HOME", home), ("SEQTHINK_HOME", tmp_path / "journals")):
        monkeypatch.setenv(name, str(folder))
    for name in ("CLAUDE_CONFIG_DIR", "ACME_HOME", "SEQTHINK_SOURCES"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "journals" / "sessions").mkdir(parents=True)
    return home


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call may take no time, and a viewer has no patience: hanging is noticed at once."""
    monkeypatch.setattr("seqthink.sources.transcripts.installed.isolated_source.CALL_SECONDS", TOO_LONG_SECONDS)
    monkeypatch.setattr("seqthink.sources.transcripts.installed.isolated_source.PATIENCE_SECONDS", 0.05)


def place_of(home: Path, *names: str) -> TranscriptPlace:
    return TranscriptPlace(frozenset(names or source_names()), {}, home, lambda: time.time_ns() // 1000)


def listed(place: TranscriptPlace) -> list[str]:
    place.refresh()
    return sorted(file.source or "" for file in place.sessions())


# Everywhere


def test_a_name_is_known_without_loading_the_package(packages: Path) -> None:
    package = install(packages)

    assert source_names() == ("journal", *TRANSCRIPTS, NAME)
    assert parse_sources(f"{NAME},claude") == {NAME, "claude"}
    assert sources_of({}, None) == frozenset(source_names())
    assert known_description(NAME) is None
    assert package not in sys.modules


def test_another_name_of_a_source_is_known_too(packages: Path) -> None:
    install(packages)

    assert parse_sources("acme-cli") == {NAME}
    assert known_description(NAME) == description_of(NAME)._replace(
        has_likely_written=known_description(NAME).has_likely_written  # pyright: ignore[reportOptionalMemberAccess] - installed above
    )


def test_a_session_of_a_package_is_listed_beside_ours_and_read(packages: Path, home: Path) -> None:
    install(packages)
    place = place_of(home)
    with closing(place):
        assert listed(place) == [NAME, "claude"]
        assert ("Acme", home / ".acme" / "sessions") in place.report.clients
        [path] = [file.path for file in place.sessions() if file.source == NAME]
        assert place.spools.read_whole(path)
        text = path.read_text("utf-8")

    assert "It reads the table twice." in text
    assert '"client":{"name":"Acme"' in text
    assert place.report.left_out == []


def test_the_commands_show_find_and_keep_its_sessions(
    packages: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(packages)
    path = home / ".acme" / "sessions" / "s1.jsonl"

    def said_by(*words: str) -> str:
        main([*words])
        return capsys.readouterr().out

    assert "It reads the table twice." in said_by("show", str(path), "--native")
    assert "It reads the table twice." in said_by("show", "acme-s1", "--native")
    assert "It reads the table twice." in said_by("find", "table twice", "--sources", NAME)
    assert "grep " in said_by("stats", "--sources", NAME)
    assert "s1" in said_by("import", "--all", "--sources", NAME)
    assert "Why is the export slow?" in said_by("sessions")


def test_doctor_counts_its_sessions(packages: Path, home: Path) -> None:
    install(packages)

    [result] = of_source(transcript_checks({}, home))
    assert "1 session can be listed" in words(result)


def test_doctor_names_a_package_whose_client_has_no_sessions(packages: Path, tmp_path: Path) -> None:
    package = install(packages)
    home = tmp_path / "new"

    [result] = of_source(transcript_checks({}, home))

    assert words(result).startswith(f"a package reads its sessions: {package}; no folder {home}/.acme/sessions yet")
    assert len(transcript_checks({}, home)) == 1


@pytest.mark.parametrize("command", ["watch", "import"])
def test_the_help_of_a_command_names_it(packages: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    install(packages)

    with pytest.raises(SystemExit):
        main([command, "--help"])

    assert f"{TRANSCRIPTS[-1]}, {NAME}" in " ".join(capsys.readouterr().out.split())


def test_a_file_is_guessed_by_its_beginning_and_named_where_it_cannot_be_read(packages: Path, home: Path) -> None:
    install(packages)
    path = home / ".acme" / "sessions" / "s1.jsonl"

    assert likely_sources(path.read_bytes()) == [NAME]
    assert likely_sources(next(RECORDED.glob("codex*.jsonl")).read_bytes()) == ["codex"]


@pytest.mark.parametrize(
    ("name", "entry", "reason"),
    [
        ("claude", "", "seqthink has a source of the name claude already"),
        ("Not A Name", "", "is not `name = module:object`"),
        ("acme", "acme_seqthink", "is not `name = module:object`"),
    ],
)
def test_an_entry_that_cannot_be_taken_is_named_by_doctor(
    packages: Path, home: Path, name: str, entry: str, reason: str
) -> None:
    install(packages, name=name, entry=entry)

    assert source_names() == ("journal", *TRANSCRIPTS)
    assert any(reason in words(result) for result in transcript_checks({}, home))


def test_of_two_packages_with_one_name_the_first_counts(packages: Path) -> None:
    first, second = install(packages), install(packages)

    assert installed().sources[NAME].package == first
    assert installed().refused == (f"{second}: {first} has a source of the name {NAME} already",)


def test_a_name_that_no_package_brings_is_refused(packages: Path) -> None:
    install(packages)

    with pytest.raises(UsageError, match=rf"choose from journal, .*, {NAME}, or `none`"):
        parse_sources("nobody")


# Alone


FAULTS = {
    "find raises": (
        "def find(self, folder",
        "def find(self, folder, limit): raise ValueError('boom')\n    def x(self, f",
    ),
    "folder raises": ("def folder(self, environ", "def folder(self, *_): raise KeyError('boom')\n    def x(self, e"),
    "watching raises": (
        "def watched_folders(self, ",
        "def watched_folders(self, _): raise TypeError\n    def x(self, ",
    ),
    "find gives nothing": ("def find(self, folder", "def find(self, folder, limit): return None\n    def x(self, f"),
    "find gives others": ('return FoundSession("acme"', 'return FoundSession("claude"'),
    "a wrong time": ("path, changed, size)", "path, 'now', size)"),
    "its module raises": ("class AcmeReader", "raise RuntimeError('boom')\nclass AcmeReader"),
    "its module leaves": ("class AcmeReader", "raise SystemExit(3)\nclass AcmeReader"),
    "its module is missing": ("class AcmeReader", "import nothing_of_this_name\nclass AcmeReader"),
    "making it raises": ("AcmeSource(terms.budget or Budget())", "[][1]"),
}
HANGS = {
    "find hangs": ("def find(self, folder", "def find(self, folder, limit): hang()\n    def x(self, f"),
    "find computes for ever": ("def find(self, folder", "def find(self, folder, limit): spin()\n    def x(self, f"),
    "folder hangs": ("def folder(self, environ", "def folder(self, *_): hang()\n    def x(self, e"),
    "its module hangs": ("class AcmeReader", "hang()\nclass AcmeReader"),
}
READING_FAULTS = {
    "open raises": ("def open(self, found", "def open(self, found): raise ValueError('boom')\n    def x(self, f"),
    "read raises": ("def read(self, line", "def read(self, line): raise ValueError('boom')\n    def x(self, l"),
    "read gives no facts": ("return [fact]", "return ['boom']"),
    "a fact with a wrong field": ("return Prompt(id=id", "return Prompt(id=7"),
    "read hangs": ("def read(self, line", "def read(self, line): hang()\n    def x(self, l"),
    "process_of raises": (
        "def process_of(self, found",
        "def process_of(self, found): raise ValueError\n    def x(self, f",
    ),
    "settle raises": ("def settle(self)", "def settle(self): raise ValueError('boom')\n    def x(self)"),
}
HELPERS = """
import threading
def hang(): threading.Event().wait()
def spin():
    while True: pass
"""


def faulty(old: str, new: str) -> str:
    text = module()
    assert old in text
    return HELPERS + text.replace(old, new, 1)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_source_that_fails_is_named_once_and_ours_are_listed(packages: Path, home: Path, fault: str) -> None:
    install(packages, faulty(*FAULTS[fault]))
    place = place_of(home)
    with closing(place):
        names = listed(place)

        assert "claude" in names
        assert [sentence for sentence in place.report.left_out if FAULT_WORDS in sentence] == place.report.left_out
        assert len(place.report.left_out) == 1
        assert listed(place) == names
        assert len(place.report.left_out) == 1


@pytest.mark.usefixtures("home")
def test_show_says_why_a_session_of_a_package_that_fails_is_not_there(
    packages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = install(packages, faulty(*FAULTS["its module raises"]))

    main(["show", "s1"])

    said = capsys.readouterr().err
    assert f"{package} {FAULT_WORDS}: loading it raised" in " ".join(said.split())
    assert "no session 's1'" in said


@pytest.mark.usefixtures("home")
def test_show_does_not_call_a_session_empty_that_could_not_be_read(
    packages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(packages, faulty(*READING_FAULTS["open raises"]))

    main(["show", "s1"])

    assert "the session s1 of Acme could not be read" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("fault", [*FAULTS, *HANGS])
@pytest.mark.usefixtures("short")
def test_doctor_names_a_source_that_fails_and_what_to_do(packages: Path, home: Path, fault: str) -> None:
    install(packages, faulty(*{**FAULTS, **HANGS}[fault]))

    results = transcript_checks({}, home)

    [result] = of_source(results)
    assert FAULT_WORDS in words(result)
    assert "update that package, or remove it" in words(result)
    assert any(result.subject == "claude" and "can be listed" in words(result) for result in results)


@pytest.mark.parametrize("fault", HANGS)
@pytest.mark.usefixtures("short")
def test_a_source_that_hangs_holds_nothing_up_and_is_asked_no_more(packages: Path, home: Path, fault: str) -> None:
    install(packages, faulty(*HANGS[fault]))
    place = place_of(home)
    with closing(place):
        assert listed(place) == ["claude"]
        until_left_out(place)
        [sentence] = place.report.left_out
        assert "asked no more" in sentence
        assert listed(place) == ["claude"]


def until_left_out(place: TranscriptPlace) -> None:
    for _ in range(1000):
        listed(place)
        if place.report.left_out:
            return
        time.sleep(0.01)  # noqa: TID251 - the call that hangs is given its time
    raise AssertionError("a source that hangs is not left out")


@pytest.mark.usefixtures("short")
def test_a_listing_that_takes_long_is_shown_once_it_is_there(packages: Path, home: Path, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    wait = f"import os, time\n        while not os.path.exists({str(gate)!r}): time.sleep(0.001)\n        "
    install(packages, faulty("        files = list_files", f"        {wait}files = list_files"))
    place = place_of(home)
    with closing(place):
        assert listed(place) == ["claude"]
        assert not place.has_changed()
        gate.touch()
        wait_until(place.has_changed)
        assert listed(place) == [NAME, "claude"]
        assert place.report.left_out == []


def wait_until(is_true: object) -> None:
    assert callable(is_true)
    for _ in range(1000):
        if is_true():
            return
        time.sleep(0.001)  # noqa: TID251 - another thread has to come to it
    raise AssertionError("it never became true")


@pytest.mark.parametrize("fault", READING_FAULTS)
@pytest.mark.usefixtures("short")
def test_a_session_that_cannot_be_read_is_named_and_the_others_are_read(packages: Path, home: Path, fault: str) -> None:
    install(packages, faulty(*READING_FAULTS[fault]))
    place = place_of(home)
    with closing(place):
        wait_until(lambda: listed(place) == [NAME, "claude"])  # a source that is slow for once is asked again
        for file in place.sessions():
            place.spools.read_whole(file.path)
            place.spools.writer_of(file.path)
        [claude] = [file.path for file in place.sessions() if file.source == "claude"]
        assert "why?" in claude.read_text("utf-8")
        listed(place)
        sentences = place.report.left_out
        assert len(sentences) <= 1
        assert sentences or fault in {"process_of raises", "settle raises"}  # which are asked in a turn, and at its end


def test_a_command_in_a_hurry_gives_up_in_time(packages: Path, home: Path) -> None:
    install(packages, faulty(*HANGS["find hangs"]))
    budget = Budget(STATUS_SECONDS)
    place = TranscriptPlace(frozenset(source_names()), {}, home, lambda: 0, budget)
    with closing(place):
        place.list_in_time()

        assert [file.source for file in place.sessions()] == ["claude"]
        assert len(budget.left_out) == 1


def test_a_thread_that_computes_for_ever_is_ended() -> None:
    is_spinning: list[bool] = []

    def spin() -> None:
        is_spinning.append(True)
        try:
            while True:
                pass
        finally:
            is_spinning.clear()

    asked = calls.SourceCalls("acme", lambda _: None, seconds=0.05)
    with pytest.raises(calls.SourceFaultError):
        asked.demand("find", "", spin)

    wait_until(lambda: not is_spinning)


def test_no_exception_is_left_for_a_thread_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would slow down every other thread, for as long as that one waits."""
    sent: list[object] = []

    def send(thread: object, _error: object) -> None:
        sent.append(thread)

    monkeypatch.setattr(ctypes.pythonapi, "PyThreadState_SetAsyncExc", send)
    has_time = threading.Event()

    asked = calls.SourceCalls("acme", lambda _: None, seconds=0.05)
    with pytest.raises(calls.SourceFaultError):
        asked.demand("find", "", has_time.wait)
    has_time.set()

    assert sent == []


def test_an_error_whose_text_fails_has_its_name() -> None:
    class OddError(Exception):
        @override
        def __str__(self) -> str:
            raise ValueError

    assert calls.words_of(OddError()) == "OddError"


def words(result: CheckResult) -> str:
    return f"{result.text} {result.whole_fix}"


def of_source(results: list[CheckResult]) -> list[CheckResult]:
    return [result for result in results if result.subject == NAME]


@pytest.fixture(autouse=True)
def _no_package_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test sees what another one has loaded."""
    monkeypatch.setattr("seqthink.sources.transcripts.installed.loading._LOADED", {})
    yield
    load_source("claude")
