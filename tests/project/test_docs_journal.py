"""What `docs/journal.md` says is so: events, states, folders, errors."""

import re
from pathlib import Path

import platformdirs.macos
import platformdirs.unix

from seqthink.chain.state import State
from seqthink.core import events
from seqthink.journal.decode import decode
from seqthink.journal.folder import seqthink_home
from tests.conftest import PROJECT
from tests.support.docs import readme
from tests.support.docs.pages import code_rows, page


def test_the_lines_and_the_document_of_the_journal_s_page_are_real(tmp_path: Path) -> None:
    line, document = [fence.text for fence in page("journal").fences if fence.language == "json"]
    first_lines = readme.SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)[:2]
    journal = tmp_path / "one.jsonl"
    journal.write_text("".join(first_lines).replace('"host":"desk"', '"host":"elsewhere"'), encoding="utf-8")

    assert line in readme.SAMPLE.read_text(encoding="utf-8")
    assert document == readme.run(["export", str(journal), "--format", "json"])


def test_the_types_of_the_table_are_those_there_are_with_all_their_fields() -> None:
    structs = {str(one.__struct_config__.tag): one for one in events.Entry.__subclasses__()}
    everywhere = {"v", "seq", "time"}

    table = list(code_rows(page("journal").rows("Type")))
    rows = {kind[0]: set(fields) for kind, _, fields in table}
    of_transcripts = {kind[0] for kind, written, _ in table if "seqthink import" in written}

    assert structs.keys() == events.EVENT_TYPES
    assert rows.keys() ^ structs.keys() == set(), "types with a row in docs/journal.md alone, or with a struct alone"
    assert _written_types() ^ (events.EVENT_TYPES - of_transcripts) == set(), (
        'nothing writes them (`DraftEvent("…"`), or a server does though the row says `seqthink import`'
    )
    fields = {kind: set(one.__struct_fields__) - everywhere for kind, one in structs.items()}
    assert {kind: rows[kind] ^ own for kind, own in fields.items() if rows[kind] != own} == {}, (
        "fields in the row of docs/journal.md alone, or in the struct alone"
    )


def _written_types() -> set[str]:
    package = PROJECT / "seqthink"
    folders = ("server", "dialogue", "audit")
    sources = [path for folder in folders for path in package.glob(f"{folder}/**/*.py")]
    sources.append(package / "journal" / "writer.py")
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    return set(re.findall(r'\b(?:DraftEvent|PendingLine|_?write|_journal|_append_event)\(\s*"(\w+)"', text))


def test_the_states_of_a_chain_are_those_of_the_fold() -> None:
    named = [state[0] for state, *_ in code_rows(page("journal").rows("State"))]

    assert sorted(named) == sorted(State)


def test_the_folders_of_the_journals_are_the_platforms() -> None:
    linux = platformdirs.unix.Unix("seqthink", appauthor=False).user_state_path / "sessions"
    mac = platformdirs.macos.MacOS("seqthink", appauthor=False).user_state_path / "sessions"
    shown = [str(folder).replace(str(Path.home()), "~") for folder in (linux, mac)]

    assert [f"`{folder}/`" in page("journal").text for folder in shown] == [True, True]
    assert seqthink_home({"SEQTHINK_HOME": "/named"}) == Path("/named")


def test_the_decisive_errors_are_spelled_as_they_are_written() -> None:
    assert [f"`{error}`" in page("journal").text for error in (events.CLIENT_LEFT, events.CALL_CANCELLED)] == [
        True,
        True,
    ]


def test_the_sample_that_the_pages_show_has_nothing_but_known_lines() -> None:
    lines = readme.SAMPLE.read_bytes().splitlines()

    assert all(isinstance(decode(line), events.Entry) for line in lines)
