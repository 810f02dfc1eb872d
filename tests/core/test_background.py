"""Background tasks recover and say so, or say that they have stopped and why."""

import errno

import anyio
import pytest

from seqthink.core import background
from seqthink.core.background import Troubles, keep_running, keep_running_sync
from seqthink.core.errors import UsageError, unreadable_folder

PASSING = (OSError(errno.ESTALE, "Stale file handle"), UsageError("the folder is away"))


@pytest.mark.parametrize("error", PASSING)
async def test_a_failure_that_may_pass_is_said_and_tried_again(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "RETRY_SECONDS", 0)
    failures, said = [error, error], list[str]()

    async def work() -> None:
        await anyio.lowlevel.checkpoint()
        if failures:
            raise failures.pop()

    await keep_running(work, "reading", lambda _, text: said.append(text))

    reason = "stale file handle" if isinstance(error, OSError) else "the folder is away"
    assert said == [f"reading: {reason}; trying again"] * 2 + [""]


@pytest.mark.parametrize("error", [RuntimeError("a thought"), ExceptionGroup("both", [KeyError("a thought")])])
async def test_a_failure_that_nobody_thought_of_stops_the_task_and_quotes_nothing(error: Exception) -> None:
    said: list[str] = []

    async def work() -> None:
        await anyio.lowlevel.checkpoint()
        raise error

    await keep_running(work, "reading", lambda _, text: said.append(text))

    kind = "RuntimeError" if isinstance(error, RuntimeError) else "KeyError"
    assert said == [f"reading has stopped: unexpected {kind}"]


def test_what_a_key_has_started_is_not_run_again() -> None:
    said: list[str] = []

    def work() -> None:
        raise PASSING[0]

    keep_running_sync(work, "the export", lambda _, text: said.append(text))

    assert said == ["the export has stopped: stale file handle"]


def test_a_thread_tries_again_until_it_is_to_end() -> None:
    said, pauses = list[str](), list[float]()

    def work() -> None:
        raise PASSING[0]

    keep_running_sync(
        work, "listing", lambda _, text: said.append(text), wait=pauses.append, is_over=lambda: len(pauses) == 3
    )

    assert len(said) == len(pauses) == 3


def test_the_first_trouble_is_shown_until_it_has_passed() -> None:
    troubles = Troubles()

    assert troubles.report("one", "one: away")
    assert troubles.report("two", "two: away")
    assert not troubles.report("one", "one: away")
    assert troubles.text == "one: away"
    assert troubles.report("one", "")
    assert troubles.text == "two: away"
    assert not troubles.report("one", "")


async def test_a_folder_that_cannot_be_listed_is_named_by_its_task_and_the_reason_fits_on_the_screen() -> None:
    said: list[str] = []
    error = unreadable_folder("/a/long/path/" * 9, OSError(errno.EMFILE, "Too many open files"))

    async def work() -> None:
        await anyio.lowlevel.checkpoint()
        raise error

    await keep_running(work, "watching the folder", lambda _, text: said.append(text), has_retries=False)

    assert said == ["watching the folder has stopped: too many open files"]


async def test_a_path_in_an_error_keeps_its_capitals() -> None:
    said: list[str] = []

    async def work() -> None:
        await anyio.lowlevel.checkpoint()
        raise UsageError("/home/Ada/Work is away")

    await keep_running(work, "reading", lambda _, text: said.append(text), has_retries=False)

    assert said == ["reading has stopped: /home/Ada/Work is away"]
