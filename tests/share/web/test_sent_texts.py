"""Every text that a page is sent, drawn or not, is safe to show; and the keys of sessions lead to them."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import pytest

from seqthink.share.web.live.keys import key_of_id
from tests.share.web.test_pages import read
from tests.support.journals.build import JournalBuilder
from tests.support.journals.exports import HOSTILE, hostile, invisible_chars
from tests.support.web.asgi import Answer, Reader

NAMES = (
    "bidi\u202eevil", "c1\x9b31m", "escape\x1b[31m", "line\nbreak", "tab\tand blank", "zero\u200bwidth",
    "tag\U000e0041", "back\\slash", "back\\u202eslash", "日本語", "spaced  out", "half\udc80",
    "marks" + "\u0301" * 9, "Größe",
)  # fmt: skip
OF_A_SESSION = (
    "", "/state", "/rows", "/rows?view=timeline", "/place?seq=2", "/thought/2", "/thought/2?diff=1", "/thought/999",
    "/find?q=is:audit", "/chart", "/positions", "/step?to=next-mark", "/step?to=\u202e", "/marks",
)  # fmt: skip
OF_ALL = ("/", "/sessions", "/sessions?q=evil", "/find?q=7750", "/find?q=word", "/find?since=\u202e", "/s/\u202e/state",
          "/\u202e\x9b")  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    hostile().write(tmp_path / "hostile.jsonl")
    for number, text in enumerate(HOSTILE.values()):
        builder = JournalBuilder().session(title=text, client=text, cwd=f"/home/{text}", host=text)
        builder.thought(text, 1, 2).asking(message=text).write(tmp_path / f"asks{number}.jsonl")
    for name in NAMES:
        # As a file system gives it: half a character of UTF-8 is one.
        JournalBuilder().session(client=name).thought(f"word {name}", 1, 1).end(error=name).write(
            tmp_path / f"{name}.jsonl"
        )
    return tmp_path


def texts_of(answer: Answer) -> Iterator[str]:
    """Yield the texts of an answer: a page as it is, the names and values of JSON."""
    if not answer.body.startswith((b"{", b"[")):
        yield answer.body.decode()
        return
    pending: list[Any] = [answer.json]
    while pending:
        value: Any = pending.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            pending += chain(value.keys(), value.values())  # pyright: ignore[reportUnknownMemberType,reportUnknownArgumentType] - any JSON
        elif isinstance(value, list):
            pending += value


async def listed_keys(reader: Reader) -> list[str]:
    listed = (await reader.get("/sessions?all=1")).json
    return [one["key"] for group in listed["groups"] for one in group["sessions"]]


@pytest.mark.slow  # an answer for each address
def test_no_answer_has_a_character_that_is_not_safe(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        keys = await listed_keys(reader)
        assert len(keys) > len(NAMES)
        targets = [*OF_ALL, *(f"/s/{quote(key, safe='')}{path}" for key in keys for path in OF_A_SESSION)]
        for target in targets:
            answer = await reader.get(quote(target, safe="/?=&%:"))
            assert {char for text in texts_of(answer) for char in invisible_chars(text)} <= {"\n"}, target

    read(folder, use)


def test_the_key_of_a_session_with_any_name_leads_to_it(folder: Path) -> None:
    async def use(reader: Reader) -> None:
        keys = await listed_keys(reader)
        assert {"hostile", "日本語", "Größe", "bidi\\u202eevil", "half\\udc80", "back\\\\u202eslash"} <= {*keys}
        for key in keys:
            address = quote(key, safe="")
            answer = await reader.get(f"/s/{address}/state")
            assert (answer.status, answer.json["key"]) == (200, key)
            page = (await reader.get(f"/s/{address}")).body.decode()
            assert unquote_to_bytes(page.partition('data-session="')[2].partition('"')[0]).decode() == key

    read(folder, use)


def test_two_sessions_of_different_names_have_different_keys() -> None:
    names = [*NAMES, *(name.encode("unicode_escape").decode() for name in NAMES), *(f"{name}\\" for name in NAMES)]

    assert len({key_of_id(name) for name in names}) == len({*names})
    assert all(key_of_id(name).isprintable() for name in names)
