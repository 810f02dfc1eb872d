"""What the page's script asks, and what it gets: over the application itself, without the gate."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.redacted_lines import decode_redacted
from seqthink.share.web.app import make_app
from seqthink.share.web.settings import WebSettings
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.example_chains import full_contexts
from tests.support.journals.plain_session import plain_session
from tests.support.web.asgi import Reader, reading

Use = Callable[[Reader], Awaitable[None]]


def _now() -> int:
    return time.time_ns() // 1000


def settings_of(folder: Path, clock: Callable[[], int] = _now, **more: Any) -> WebSettings:  # noqa: ANN401 - any of them
    more.setdefault("catalog", SessionCatalog(FolderPlace(folder)))
    return WebSettings(clock=clock, **more)


def read(folder: Path, use: Use, **more: Any) -> None:  # noqa: ANN401 - any setting
    """Let ``use`` read the sessions of a folder: within a minute, whatever comes meanwhile."""

    async def run() -> None:
        async with asyncio.timeout(60), reading(make_app(settings_of(folder, **more))) as reader:
            await use(reader)

    asyncio.run(run())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shop_api().write(tmp_path / "shop.jsonl")
    return tmp_path


def test_the_list_groups_sessions_as_the_viewer_does(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        listed = (await reader.get("/sessions")).json
        assert [(group["title"], [one["key"] for one in group["sessions"]]) for group in listed["groups"]] == [
            ("earlier", ["shop"])
        ]
        assert listed["more"] == 0
        assert (await reader.get("/sessions?q=nosuchword")).json["groups"] == []

    read(folder, use)


def test_the_list_and_the_session_say_how_full_the_context_is_where_that_is_recorded(tmp_path: Path) -> None:
    full_contexts().write(tmp_path / "ledger.jsonl")
    shop_api().write(tmp_path / "shop.jsonl")

    async def use(reader: Reader) -> None:
        contexts: dict[str, str] = {}
        while not any(contexts.values()):  # the list reads journals that are over once they are asked for
            groups = (await reader.get("/sessions")).json["groups"]
            contexts = {one["key"]: one["context"] for group in groups for one in group["sessions"]}
        assert contexts == {"ledger": "ctx 23%", "shop": ""}
        facts = {key: (await reader.get(f"/s/{key}/state")).json["facts"] for key in ("ledger", "shop")}
        said = {key: [fact for fact in facts[key] if fact.startswith(("ctx", "context"))] for key in facts}
        assert said == {"ledger": ["ctx 23%", "context 23%, 61k of 258k tokens"], "shop": []}

    read(tmp_path, use)


def test_rows_say_what_the_page_needs_to_build_a_tree(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        answer = (await reader.get("/s/shop/rows?from=0&to=200")).json
        rows = answer["rows"]
        assert answer["count"] == len(rows)
        assert len({row["key"] for row in rows}) == len(rows)
        branch = next(row for row in rows if row["key"].startswith("b"))
        assert branch["is_open"] is True
        folded = (await reader.get(f"/s/shop/rows?fold={branch['fold']}")).json
        hidden = [row["key"] for row in rows if row["key"] not in {one["key"] for one in folded["rows"]}]
        assert hidden
        assert next(row for row in folded["rows"] if row["key"] == branch["key"])["is_open"] is False
        # what is hidden is kept where its branch is
        kept = (await reader.get(f"/s/shop/rows?fold={branch['fold']}&keep={hidden[0]}")).json
        assert kept["rows"][kept["keep"]]["key"] == branch["key"]

    read(folder, use)


def test_a_session_without_calls_of_the_tool_counts_rows(folder: Path) -> None:
    plain_session().write(folder / "plain.jsonl")

    async def use(reader: Reader) -> None:
        units = [(await reader.get(f"/s/{key}/state")).json["unit"] for key in ("shop", "plain")]
        assert units == ["thought", "row"]

    read(folder, use)


def test_a_position_shows_what_had_arrived_then(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        state = (await reader.get("/s/shop/state?at=4")).json
        assert (state["at"], state["thoughts"], state["state"]["word"]) == (4, 3, "thinking")
        assert (await reader.get("/s/shop/rows?view=timeline&at=4")).json["count"] == 3
        assert (await reader.get("/s/shop/thought/9?at=4")).status == 404
        assert (await reader.get("/s/shop/thought/9")).json["seq"] == 9

    read(folder, use)


def test_steps_walk_through_the_positions_that_the_page_receives(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        known = (await reader.get("/s/shop/positions?after=0")).json
        walked, at = list[int](), 0
        while at < known["end"]:
            at = (await reader.get(f"/s/shop/step?at={at}&to=next")).json["at"]
            walked.append(at)
        assert walked == [position for position, _, _ in known["positions"]]

    read(folder, use)


def test_words_and_kinds_are_found_in_a_session_and_words_in_all(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        revisions = (await reader.get("/s/shop/find?q=is:revision")).json["seqs"]
        for seq in revisions:
            assert (await reader.get(f"/s/shop/thought/{seq}")).json["is_revision"]
        hits = (await reader.get("/find?q=pool")).json
        assert hits["is_done"]
        assert {hit["match"].lower() for hit in hits["hits"]} == {"pool"}
        assert len((await reader.get("/find?q=pool&after=1")).json["hits"]) == hits["next"] - 1

    read(folder, use)


@pytest.mark.parametrize(
    ("target", "status"),
    first(
        12,
        [
            ("/s/..%2F..%2Fetc%2Fpasswd/state", 404),
            ("/s/%00/state", 404),
            ("/s/%FF%FE/state", 404),
            (f"/s/{'x' * 5000}/state", 404),
            ("/s/shop/rows?from=-5&to=3", 200),
            ("/s/shop/rows?from=999999999999999&to=3", 200),
            ("/s/shop/rows?from=9999999999999999", 400),
            ("/s/shop/rows?from=1.5", 400),
            ("/s/shop/rows?from=1&from=2", 400),
            ("/s/shop/rows?from=%D9%A1", 400),
            ("/s/shop/rows?fold=1-999999999999999,c0-999999999999", 200),
            ("/s/shop/rows?fold=" + ",".join(map(str, range(10_000))), 200),
            ("/s/shop/rows?fold=" + ",".join(map(str, range(10_001))), 400),
            ("/s/shop/rows?fold=x", 400),
            ("/s/shop/rows?keep=t" + "9" * 100_000, 200),
            ("/s/shop/rows?keep=%00%FF", 200),
            ("/s/shop/rows?view=other", 400),
            ("/s/shop/rows?shown=2", 400),
            ("/s/shop/rows?at=999999999", 200),
            ("/s/shop/state?at=0", 200),
            ("/s/shop/rows?at=0", 200),
            ("/s/shop/rows?at=0&view=timeline", 200),
            ("/s/shop/chart?at=0", 200),
            ("/s/shop/marks?at=0", 200),
            ("/s/shop/place?seq=999999", 404),
            ("/s/shop/place?seq=4&at=0", 404),
            ("/s/shop/thought/0", 404),
            ("/s/shop/thought/x", 404),
            ("/s/shop/step?to=10", 400),
            ("/s/shop/step?to=seq:x", 400),
            ("/s/shop/step?to=seq:99999", 404),
            ("/s/shop/find?q=" + "x" * 100_000, 400),
            ("/s/shop/find?q=%FF%00", 200),
            ("/s/shop/find?q=", 200),
            ("/find?q=%22", 200),
            ("/find?q=x&since=soon", 400),
            ("/sessions?all=2", 400),
            ("/nothing", 404),
        ],
        is_unpacked=True,
    ),
)
def test_a_hostile_request_is_answered_in_a_sentence_or_with_what_there_is(
    folder: Path, target: str, status: int
) -> None:
    async def use(reader: Reader) -> None:
        answer = await reader.get(target)
        assert answer.status == status, answer.body[:200]
        assert isinstance(answer.json.get("error", ""), str)

    read(folder, use)


def test_several_readers_share_one_fold(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        answers = await asyncio.gather(*(reader.get("/s/shop/rows?from=0&to=60") for _ in range(8)))
        assert len({answer.body for answer in answers}) == 1
        followers = [task for task in asyncio.all_tasks() if task.get_name() == "session shop"]
        assert len(followers) == 1

    read(folder, use)


def test_what_is_appended_is_announced_and_then_in_the_rows(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        path = folder / "live.jsonl"
        builder = JournalBuilder().session().thought("one", 1)
        builder.write(path)
        before = (await reader.get("/s/live/state")).json["entries"]
        async with reader.stream("/s/live/events") as stream:
            builder.thought("two", 2).write(path)
            event = await stream.event_with(entries=before + 1)
            assert event["id"] == str(before + 1)
        assert (await reader.get("/s/live/rows?view=timeline")).json["count"] == 2

    read(folder, use)


def test_a_reader_that_comes_back_is_notified_at_once_only_if_it_missed_something(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        entries = (await reader.get("/s/shop/state")).json["entries"]
        async with reader.stream("/s/shop/events", last_id=str(entries - 1)) as behind:
            assert (await behind.event())["event"] == "changed"
        async with reader.stream("/s/shop/events", last_id=str(entries)) as present:
            with (folder / "shop.jsonl").open("ab") as file:
                file.write(b"{}\n")
            assert (await present.event())["id"] == str(entries + 1)

    read(folder, use)


def test_a_replaced_journal_is_announced_as_another_and_a_deleted_one_as_gone(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        path = folder / "shop.jsonl"
        await reader.get("/s/shop/rows")
        async with reader.stream("/s/shop/events") as stream:
            other = JournalBuilder().session().thought("another", 1).write(folder / "other.tmp")
            other.replace(path)
            while (await stream.event())["event"] != "restarted":
                pass
            assert (await reader.get("/s/shop/rows?view=timeline")).json["count"] == 1
            path.unlink()
            while (await stream.event())["event"] != "gone":
                pass
            assert (await reader.get("/s/shop/state")).json["remark"] == "the journal is gone"

    read(folder, use)


def test_a_journal_that_becomes_a_folder_or_a_pipe_is_no_fault_of_ours(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        path = folder / "shop.jsonl"
        await reader.get("/s/shop/rows")
        async with reader.stream("/s/shop/events") as stream:
            path.unlink()
            os.mkfifo(path)
            while "cannot read" not in (await reader.get("/s/shop/state")).json["remark"]:
                await stream.event()

    read(folder, use)


def test_a_huge_thought_is_cut_and_says_so(tmp_path: Path) -> None:
    JournalBuilder().session().thought("word " * 1_000_000, 1).write(tmp_path / "huge.jsonl")

    async def use(reader: Reader) -> None:
        async with reader.stream("/s/huge/events") as stream:
            while (await reader.get("/s/huge/state")).json["remark"]:
                await stream.event()
        answer = await reader.get("/s/huge/thought/2")
        assert len(answer.body) < 1_000_000
        assert b"The first 200,000 of 5,000,000 characters" in answer.body

    read(tmp_path, use)


def test_secrets_are_left_out_if_that_is_wanted(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5"
    JournalBuilder().session(title=f"with {secret}").thought(f"the token is {secret}", 1).write(tmp_path / "s.jsonl")

    async def use(reader: Reader) -> None:
        for target in ("/s/s/state", "/s/s/rows", "/s/s/thought/2", "/sessions", "/find?q=token", f"/find?q={secret}"):
            assert secret.encode() not in (await reader.get(target)).body, target

    read(tmp_path, use, decode=decode_redacted)
