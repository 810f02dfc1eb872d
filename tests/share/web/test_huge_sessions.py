"""What a session may hold is not what a page gets: answers are bounded, and what is cut says so."""

from pathlib import Path
from typing import Any

import pytest

from seqthink.share.web.live.bounded_texts import CUT, MAX_LINE_CHARS
from tests.share.web.test_pages import read
from tests.support.depth import first, sized
from tests.support.journals.build import JournalBuilder
from tests.support.journals.every_field import journal_with
from tests.support.web.asgi import Reader

LONG = "word " * sized(400_000, 4_000_000)
MAX_ANSWER_BYTES = 1_300_000
"""A revision beside its target, both as long as a page shows, with all that is attached to it."""
MAX_TEXT_BYTES = 700_000
"""A text as long as a page shows, of characters of three bytes."""


async def opened(reader: Reader, key: str) -> Any:  # noqa: ANN401 - JSON
    """Return how a session stands once all of it has been read."""
    async with reader.stream(f"/s/{key}/events") as stream:
        while "opening" in (state := (await reader.get(f"/s/{key}/state")).json)["remark"]:
            await stream.event()
    return state


def answers_of(key: str, entries: int) -> list[str]:
    """Return the addresses of all that a page may ask about a session."""
    cards = [f"thought/{seq}?shown=everything" for seq in range(1, entries + 1)]
    return [
        *(f"/s/{key}/{one}" for one in cards),
        *(f"/s/{key}/{one}&diff=1" for one in cards),
        *(
            f"/s/{key}/rows?view={view}&shown={shown}"
            for view in ("tree", "timeline")
            for shown in ("thoughts", "everything")
        ),
        f"/s/{key}/state",
        f"/s/{key}/state?at=4",
        f"/s/{key}/find?q=word",
        f"/s/{key}/find?q=nosuchword",
        f"/s/{key}/marks?shown=everything",
        f"/s/{key}/chart",
        f"/s/{key}/positions",
        *(f"/s/{key}/step?at={at}&to={to}" for at in range(entries) for to in ("next", "previous-mark")),
        "/sessions",
        "/sessions?q=title",
        "/find?q=word",
        "/find?q=nosuchword",
    ]


@pytest.mark.slow  # megabytes of text
def test_a_line_of_megabytes_is_opened_searched_and_cut(tmp_path: Path) -> None:
    JournalBuilder().session().thought(f"hay {LONG}", 1).thought(f"{LONG}needle", 2, revises=1).write(
        tmp_path / "s.jsonl"
    )

    async def use(reader: Reader) -> None:
        assert (await opened(reader, "s"))["thoughts"] == 2
        for target in answers_of("s", 3):
            assert len((await reader.get(target)).body) < MAX_ANSWER_BYTES, target
        cut = f"The first 200,000 of {len(LONG) + 6:,} characters"
        assert cut.encode() in (await reader.get("/s/s/thought/3")).body
        assert (await reader.get("/s/s/find?q=needle")).json["seqs"] == [3]
        assert [hit["seq"] for hit in (await reader.get("/find?q=hay")).json["hits"]] == [2]

    read(tmp_path, use)


def test_a_huge_item_that_is_attached_is_cut_and_says_so(tmp_path: Path) -> None:
    JournalBuilder().session().thought("small", 1).context(LONG, of=2).write(tmp_path / "s.jsonl")

    async def use(reader: Reader) -> None:
        await opened(reader, "s")
        body = (await reader.get("/s/s/thought/2")).body
        assert CUT.encode() in body
        assert len(body) < 60_000

    read(tmp_path, use)


@pytest.mark.deep  # every address for every field; a line of any length and a huge item are tried always
@pytest.mark.slow  # megabytes of text
@pytest.mark.parametrize(
    "text",
    first(1, ["<b>\x1b[31m\\n" * 20_000, "word " * 100_000, "漢" * 200_000]),
    ids=["hostile", "words", "wide"],
)
def test_no_field_makes_an_answer_huge(tmp_path: Path, text: str) -> None:
    builder = journal_with(text)
    builder.write(tmp_path / "s.jsonl")

    async def use(reader: Reader) -> None:
        state = await opened(reader, "s")
        assert max(map(len, (state["name"], state["error"], *state["facts"]))) <= MAX_LINE_CHARS
        for target in answers_of("s", builder.seq):
            most = 3 * MAX_ANSWER_BYTES if "/thought/4?" in target else MAX_TEXT_BYTES  # 4 is the revision
            assert len((await reader.get(target)).body) < most, target

    read(tmp_path, use)
