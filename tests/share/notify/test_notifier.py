"""Commands are started once for each occasion, whoever sees it, and their failures are said once."""

import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from seqthink.chain.attention import Attention
from seqthink.library.viewer_store.notified import NotifiedSessions
from seqthink.share.notify import notifier as notifier_module
from seqthink.share.notify.notifier import Notifier
from seqthink.share.notify.occasions import Occasion
from seqthink.share.notify.states import NotifyState
from tests.share.notify.test_occasions import LATER, subject


def wait_until(is_so: Callable[[], bool]) -> None:
    end, pause = monotonic() + 20, threading.Event()
    while not is_so():
        assert monotonic() < end
        pause.wait(0.01)


def asking(mark: int = 1, key: str = "shop") -> Occasion:
    return Occasion(NotifyState.ASKING, subject(Attention.ASKING, key=key), mark)


def stuck() -> Occasion:
    return Occasion(NotifyState.STUCK, subject(Attention.STUCK))


def make(folder: Path, script: str, said: list[str], states: tuple[str, ...] = ("asking", "stuck")) -> Notifier:
    commands = dict.fromkeys(states, ("sh", "-c", script))
    return Notifier(commands, NotifiedSessions(folder / "viewer"), lambda: LATER, said.append)


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []


def test_of_two_viewers_one_starts_the_command_and_a_new_question_starts_another(tmp_path: Path) -> None:
    log, said = tmp_path / "log", list[str]()
    script = f'echo "$SEQTHINK_TEXT" >> {log}'
    both = [make(tmp_path, script, said) for _ in range(2)]
    for one in both:
        one.add([asking(1)])
    wait_until(lambda: len(lines(log)) == 1)
    for one in both:
        one.add([asking(2), asking(2, "other")])
    wait_until(lambda: len(lines(log)) == 3)
    make(tmp_path, script, said).add([asking(1), asking(2), asking(3)])
    wait_until(lambda: len(lines(log)) == 4)

    assert sorted(lines(log)) == ["other asks you: Go on?", *["shop asks you: Go on?"] * 3]
    assert said == []


def test_a_session_that_is_stuck_again_starts_nothing_until_it_asked_or_was_done(tmp_path: Path) -> None:
    log, said = tmp_path / "log", list[str]()
    one = make(tmp_path, f"echo $SEQTHINK_STATE >> {log}", said)
    for occasion in (stuck(), stuck(), Occasion(NotifyState.DONE, subject(Attention.DONE), 7), stuck()):
        one.add([occasion])
        wait_until(lambda: one.is_idle)

    assert lines(log) == ["stuck", "stuck"]


def test_a_failure_is_said_once_for_each_state(tmp_path: Path) -> None:
    said = list[str]()
    one = make(tmp_path, "echo no route >&2; exit 7", said)
    one.add([asking(mark) for mark in range(5)] + [stuck()])
    wait_until(lambda: one.is_idle)

    assert sorted(said) == [f"notify.{state}: exit status 7: no route" for state in ("asking", "stuck")]


def test_without_the_common_memory_it_calls_all_the_same_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "viewer").write_text("", encoding="utf-8")
    log, said = tmp_path / "log", list[str]()
    one = make(tmp_path, f"echo $SEQTHINK_STATE >> {log}", said)
    one.add([asking()])
    wait_until(lambda: one.is_idle)

    assert lines(log) == ["asking"]
    assert [sentence.partition(":")[0] for sentence in said] == ["notify"]


def test_adding_never_waits_and_what_is_waiting_at_the_end_is_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier_module, "MAX_AT_ONCE", 1)
    log, gate = tmp_path / "log", tmp_path / "gate"
    one = make(tmp_path, f"echo $SEQTHINK_STATE >> {log}; while [ ! -e {gate} ]; do sleep 0.05; done", [])
    one.add([asking(1), asking(2), asking(3)])
    wait_until(lambda: len(lines(log)) == 1)
    one.close()
    gate.touch()
    wait_until(lambda: one.is_idle)

    assert lines(log) == ["asking"]
