import errno
import json
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from seqthink.__main__ import main
from seqthink.core.errors import UsageError
from seqthink.core.saving import write_file
from seqthink.journal.journal_file import holds_events
from seqthink.share.export.formats import FORMATS, RECORDINGS, SUFFIXES
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.servers.commands import JOURNALS, SHOP_API, command, environment, refusal_line, seqthink


@pytest.mark.parametrize("name", first(2, ["shop-api", "full", "minimal", "hostile", "corrupt", "unknown", "torn"]))
def test_every_journal_becomes_json_in_plain_ascii(name: str) -> None:
    done = seqthink("export", JOURNALS / f"{name}.jsonl", "--format", "json")

    assert (done.returncode, done.stderr) == (0, "")
    assert all(" " <= character <= "~" for character in done.stdout.replace("\n", ""))
    assert json.loads(done.stdout)["format"] == "seqthink.session/1"


def test_the_example_is_exported_with_its_branch_revisions_and_estimates() -> None:
    document = json.loads(seqthink("export", SHOP_API, "--format", "json").stdout)

    assert list(document) == ["format", "session", "title", "state", "alive", "chains", "unread", "corrupt"]
    trunk, branch = document["chains"][0]["lanes"]
    fork = next(thought for thought in trunk["thoughts"] if thought["number"] == 3)
    assert (trunk["branch"], trunk["fork"]) == (None, None)
    assert (branch["branch"], branch["fork"], branch["forkNumber"]) == ("cron-job", fork["seq"], 3)
    assert [thought["change"] for thought in trunk["thoughts"] if thought["change"]] == [[5, 6], [6, 8]]
    assert [thought["number"] for thought in trunk["thoughts"] if thought["revision"]] == [6, 8]


def test_texts_are_exported_as_they_were_thought(tmp_path: Path) -> None:
    text = "tab\t, bell \a, bidi \u202e, lone \ud800, 目录\n\n- a list"
    journal = JournalBuilder().session().thought(text).write(tmp_path / "a.jsonl")

    document = json.loads(seqthink("export", journal, "--format", "json").stdout)

    assert document["chains"][0]["lanes"][0]["thoughts"][0]["thought"] == text


def test_lines_that_were_not_read_are_counted() -> None:
    corrupt, unknown = (
        json.loads(seqthink("export", JOURNALS / name, "--format", "json").stdout)
        for name in ("corrupt.jsonl", "unknown.jsonl")
    )

    assert (corrupt["corrupt"], corrupt["unread"]) == (11, 0)
    assert (unknown["corrupt"], unknown["unread"]) == (0, 4)


def test_an_empty_journal_is_exported_as_an_empty_session(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch()

    document = json.loads(seqthink("export", path, "--format", "json").stdout)

    assert (document["session"], document["title"], document["chains"]) == (None, None, [])


def test_a_file_gets_what_stdout_would_get(tmp_path: Path) -> None:
    target = tmp_path / "out.json"

    done = seqthink("export", SHOP_API, "--format", "json", "-o", target)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert target.read_text(encoding="ascii") == seqthink("export", SHOP_API, "--format", "json").stdout
    assert [path.name for path in tmp_path.glob("*out*")] == ["out.json"]


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("mine", encoding="utf-8")

    message = refusal_line(seqthink("export", SHOP_API, "--format", "json", "-o", target))
    kept = target.read_text(encoding="utf-8")
    done = seqthink("export", SHOP_API, "--format", "json", "-o", target, "--force")

    assert message == f"{target} already exists; --force replaces it"
    assert kept == "mine"
    assert done.returncode == 0
    assert json.loads(target.read_text(encoding="utf-8"))["state"] == "done"


def test_a_folder_gets_a_file_that_is_named_by_the_session(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    for options in ((), (), ("--format", "json"), ("--force",)):
        assert main(["export", str(SHOP_API), "-o", str(folder), *options]) == 0

    assert sorted(path.name for path in folder.iterdir()) == ["shop-api-2.md", "shop-api.json", "shop-api.md"]
    assert capsys.readouterr().err.splitlines() == [
        f"seqthink: export: wrote {folder / name}"
        for name in ("shop-api.md", "shop-api-2.md", "shop-api.json", "shop-api.md")
    ]


def test_without_a_format_it_is_markdown_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    main(["export", str(SHOP_API)])
    unasked = capsys.readouterr()
    main(["export", str(SHOP_API), "--format", "md"])
    asked = capsys.readouterr()

    assert unasked.out == asked.out
    others = "html, mermaid, svg, json, cast, gif, animated-svg"
    assert unasked.err == f"seqthink: export: shop-api as Markdown; --format takes {others}, too\n"
    assert asked.err == ""


def test_the_journal_is_never_replaced_by_its_export(tmp_path: Path) -> None:
    journal = tmp_path / "a.jsonl"
    journal.write_bytes(SHOP_API.read_bytes())
    link = tmp_path / "link.json"
    link.symlink_to(journal)

    for target in (journal, link):
        message = refusal_line(seqthink("export", journal, "--format", "json", "-o", target, "--force"))

        assert message == f"{target} is the journal itself; name another file"
    assert journal.read_bytes() == SHOP_API.read_bytes()


def test_what_is_no_file_is_written_to_as_it_is() -> None:
    done = seqthink("export", SHOP_API, "--format", "json", "-o", "/dev/stdout")

    assert json.loads(done.stdout)["state"] == "done"


def test_a_place_that_takes_no_file_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "out.json"

    assert refusal_line(seqthink("export", SHOP_API, "--format", "json", "-o", missing)) == (
        f"cannot write {missing}: there is no folder {missing.parent}"
    )
    assert refusal_line(seqthink("export", SHOP_API, "-o", f"{missing.parent}/")) == (
        f"export: there is no folder {missing.parent}/; make it first, or name a file"
    )
    assert refusal_line(seqthink("export", SHOP_API, "--format", "json", "-o", SHOP_API / "x")) == (
        f"cannot write {SHOP_API / 'x'}: not a directory"
    )


def test_an_unknown_format_is_refused_and_the_known_ones_are_named(tmp_path: Path) -> None:
    those = ", ".join(FORMATS | RECORDINGS)

    assert refusal_line(seqthink("export", SHOP_API, "--format", "docx")) == (
        f"export: unknown format 'docx'; choose from: {those}"
    )
    assert refusal_line(seqthink("export", SHOP_API, "-o", tmp_path / "a.txt")) == (
        f"export: {tmp_path / 'a.txt'} does not name a known format; choose one with --format: {those}"
    )
    assert "SESSION|FILE" in refusal_line(seqthink("export", "--format", "json"))


@pytest.mark.parametrize("suffix", first(3, [*SUFFIXES, ".MD"]))
def test_the_name_of_the_file_decides_the_format_unless_it_is_given(tmp_path: Path, suffix: str) -> None:
    wanted, target, other = SUFFIXES[suffix.lower()], tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"

    seqthink("export", SHOP_API, "-o", target)
    seqthink("export", SHOP_API, "-o", other, "--format", "json")

    assert target.read_text("utf-8") == seqthink("export", SHOP_API, "--format", wanted).stdout
    assert json.loads(other.read_text("utf-8"))["state"] == "done"


@pytest.mark.parametrize("form", first(1, FORMATS))
def test_a_lone_dash_is_stdout_and_what_is_written_there_is_utf_8_in_every_locale(form: str) -> None:
    plain = seqthink("export", SHOP_API, "--format", form)
    dash = seqthink("export", SHOP_API, "--format", form, "-o", "-", variables={"LC_ALL": "C", "PYTHONUTF8": "0"})

    assert (dash.returncode, dash.stderr) == (0, "")
    assert dash.stdout == plain.stdout


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_takes_every_journal(tmp_path: Path, form: str) -> None:
    empty, odd = tmp_path / "empty.jsonl", tmp_path / "odd.jsonl"
    empty.touch()
    builder = JournalBuilder().session().thought("x", 5, 3, after=0)
    builder.now -= timedelta(days=400)
    builder.session(resumed=True).thought("y", 5, 3).raw(b"{broken\n").thought(
        "z", 9, 3, revises=77, branch="b", from_=66
    )
    builder.write(odd)

    for journal in (empty, odd, *sorted(JOURNALS.glob("*.jsonl"))):
        target = tmp_path / f"{journal.stem}.{form}"

        assert main(["export", str(journal), "--format", form, "-o", str(target)]) == 0
        assert target.read_text("utf-8")


@pytest.mark.parametrize("form", first(1, FORMATS))
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, form: str) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 2000):
        builder.thought("x" * 500, number, 2000)
    journal = builder.write(tmp_path / "a.jsonl")

    with subprocess.Popen(
        command("export", journal, "--format", form), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None and running.stderr is not None  # noqa: PT018 - for the type checker
        running.stdout.read(10)
        running.stdout.close()
        said = running.stderr.read()

    assert (running.returncode, said) == (0, b"")


def test_nothing_is_left_of_a_file_that_could_not_be_finished(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    pieces = iter(["one", "two"])

    def fails() -> Iterator[str]:
        yield from pieces
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(UsageError, match="no space left on device"):
        write_file(folder / "a.md", fails(), journal=SHOP_API, may_replace=False, is_journal=holds_events)
    assert list(pieces) == []
    assert list(folder.iterdir()) == []
