"""What the log of OpenCode's processes says: which of them works on a session, and what it asks for."""

from pathlib import Path

import pytest

from seqthink.sources.transcripts.opencode import client_log
from seqthink.sources.transcripts.opencode.client_log import MAX_START_SECONDS, ClientLog
from tests.sources.transcripts.opencode.client_log_lines import asking_line, first_line, log_line, log_path, work_line

SECOND = 1_000_000
NOW = 1_800_000_000 * SECOND
LATE = MAX_START_SECONDS * SECOND


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return log_path(tmp_path / "opencode.db")


@pytest.fixture
def log(path: Path) -> ClientLog:
    return ClientLog(path.parent.parent / "opencode.db")


def write(path: Path, *lines: str) -> None:
    with path.open("a", encoding="utf-8") as out:
        out.writelines(lines)


def test_the_run_that_worked_last_on_a_session_or_on_its_subagent_s_is_its_own(path: Path, log: ClientLog) -> None:
    nobody = log.run_of({"ses_1"})
    write(path, work_line(NOW, "aaaa", "ses_1"), work_line(NOW, "bbbb", "ses_2"))
    first = log.run_of({"ses_1"})
    write(path, work_line(NOW, "cccc", "ses_1"), log_line(NOW, "bbbb", "loop session.id=ses_kid step=0"))

    assert (nobody, first) == (None, "aaaa")
    assert [log.run_of(one) for one in ({"ses_1"}, {"ses_1", "ses_kid"}, {"ses_3"})] == ["cccc", "bbbb", None]


def test_a_line_counts_once_it_is_whole(path: Path, log: ClientLog) -> None:
    line = work_line(NOW, "aaaa", "ses_1")
    write(path, line[:-9])
    torn = log.run_of({"ses_1"})
    write(path, line[-9:])

    assert (torn, log.run_of({"ses_1"})) == (None, "aaaa")


def test_a_log_that_was_replaced_or_emptied_is_read_from_its_beginning(path: Path, log: ClientLog) -> None:
    write(path, work_line(NOW, "aaaa", "ses_1"), work_line(NOW, "aaaa", "ses_2"))
    before = log.run_of({"ses_2"})
    path.write_text(work_line(NOW, "bbbb", "ses_1"), "utf-8")

    assert (before, log.run_of({"ses_1"}), log.run_of({"ses_2"})) == ("aaaa", "bbbb", None)
    path.unlink()
    assert log.run_of({"ses_1"}) is None


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        ([], False),
        ([NOW - 1], True),
        ([NOW - LATE], True),
        ([NOW - LATE - 1], False),
        ([NOW + 1], False),
        ([NOW - LATE * 9, NOW - SECOND], True),
    ],
)
def test_a_run_is_that_of_a_process_which_began_before_its_first_line(
    path: Path, log: ClientLog, starts: list[int], expected: bool
) -> None:
    write(path, first_line(NOW, "aaaa"), work_line(NOW + 5 * LATE, "aaaa", "ses_1"), first_line(NOW + 9 * LATE, "bbbb"))
    log.run_of(())

    assert log.has_beginning("aaaa")
    assert log.is_alive("aaaa", starts) is expected


def test_of_runs_that_began_together_none_is_known_to_be_alive_unless_all_are(path: Path, log: ClientLog) -> None:
    write(path, first_line(NOW, "aaaa"), first_line(NOW + SECOND, "bbbb"))
    log.run_of(())
    one, both = [NOW - SECOND], [NOW - SECOND, NOW - SECOND]

    assert [log.is_alive(run, starts) for starts in (one, both) for run in ("aaaa", "bbbb")] == [None, None, True, True]


def test_of_a_long_log_the_end_is_read_and_only_runs_that_begin_there_have_a_beginning(
    path: Path, log: ClientLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_log, "MAX_LOG_BYTES", 600)
    old = [first_line(NOW, "aaaa"), *[log_line(NOW, "aaaa", "init")] * 20]
    write(path, *old, work_line(NOW, "aaaa", "ses_1"), first_line(NOW, "bbbb"), work_line(NOW, "bbbb", "ses_2"))

    assert (log.run_of({"ses_1"}), log.run_of({"ses_2"})) == ("aaaa", "bbbb")
    assert (log.has_beginning("aaaa"), log.has_beginning("bbbb")) == (False, True)
    assert log.is_alive("aaaa", [NOW]) is None


def test_a_permission_is_asked_for_by_a_run_at_a_time(path: Path, log: ClientLog) -> None:
    write(path, asking_line(NOW, "aaaa", "edit"))

    assert log.has_asked("aaaa", {"edit", "external_directory"}, NOW)
    assert not log.has_asked("bbbb", {"edit"}, NOW)
    assert not log.has_asked("aaaa", {"read"}, NOW)
    assert not log.has_asked("aaaa", {"edit"}, NOW + 1)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "\0" * 500,
        "timestamp=yesterday level=INFO run=aaaa message=process session.id=ses_1 messageID=m",
        "timestamp=2026-11-28T06:33:58.788Z level=INFO message=process session.id=ses_1 messageID=m",
        "timestamp=2026-11-28T06:33:58.788Z level=INFO run=aaaa message=process session.id= messageID=m",
        'timestamp=2026-11-28T06:33:58.788Z level=INFO run=aaaa message="process session.id=ses_1 messageID=m"',
        "timestamp=2026-11-28T06:33:58.788Z level=INFO run=\ud7ff message=process session.id=ses_1 messageID=m",
    ],
)
def test_any_other_line_says_nothing(path: Path, log: ClientLog, line: str) -> None:
    write(path, f"{line}\n", work_line(NOW, "bbbb", "ses_2"))

    assert (log.run_of({"ses_1"}), log.run_of({"ses_2"})) == (None, "bbbb")


def test_what_is_remembered_of_a_log_has_a_bound(path: Path, log: ClientLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_log, "MAX_REMEMBERED", 3)
    write(path, *[work_line(NOW, f"run{number}", f"ses_{number}") for number in range(5)])

    assert [log.run_of({f"ses_{number}"}) for number in range(5)] == [None, None, "run2", "run3", "run4"]
