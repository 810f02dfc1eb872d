"""`seqthink web --redact`: no answer holds a secret, whatever field of the journal it stands in."""

from pathlib import Path

from seqthink.library.redacted_lines import decode_redacted
from tests.share.web.test_huge_sessions import answers_of, opened
from tests.share.web.test_pages import read
from tests.support.journals.every_field import journal_with
from tests.support.web.asgi import Reader

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5"


def test_no_answer_holds_a_secret_that_stands_in_any_field(tmp_path: Path) -> None:
    builder = journal_with(SECRET)
    builder.write(tmp_path / "s.jsonl")

    async def use(reader: Reader) -> None:
        await opened(reader, "s")
        searched = (f"/s/s/find?q={SECRET}", f"/find?q={SECRET}", "/find?q=first", "/find?q=note")
        for target in (*answers_of("s", builder.seq), *searched):
            assert SECRET.encode() not in (await reader.get(target)).body, target
        assert (await reader.get(f"/s/s/find?q={SECRET}")).json["seqs"] == []
        assert (await reader.get(f"/find?q={SECRET}")).json["hits"] == []

    read(tmp_path, use, decode=decode_redacted)


def test_the_same_answers_hold_it_where_nothing_is_redacted(tmp_path: Path) -> None:
    builder = journal_with(SECRET)
    builder.write(tmp_path / "s.jsonl")

    async def use(reader: Reader) -> None:
        await opened(reader, "s")
        with_secret = {
            target.removeprefix("/s/s/").partition("?")[0].partition("/")[0]
            for target in [*answers_of("s", builder.seq), "/find?q=first"]
            if SECRET.encode() in (await reader.get(target)).body
        }
        assert {"state", "rows", "thought"} <= with_secret
        assert SECRET.encode() in (await reader.get("/sessions")).body
        assert (await reader.get(f"/find?q={SECRET}")).json["hits"]

    read(tmp_path, use)
