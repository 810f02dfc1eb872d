"""`seqthink label`, and what lists, exports and `prune` do with labels."""

import json
import os
from pathlib import Path

import pytest

from seqthink.core.labels import MAX_COMMENT_CHARS, Comment, SessionLabels
from seqthink.library.viewer_store.label_book import LabelBook
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.servers.commands import refusal_line, seqthink

OTHER = "20260310T120200.000000Z-aaaaaa"
HOSTILE = SessionLabels(
    name="a\x1b[2J\u202e`x`\n# no",
    tags=("t\x07![x](http://x)", "<b>"),
    comments=(Comment(seq=10, text="```\n# no\x1b[2J\n<script>alert(1)</script>\u202e", by="<i>bo\x07"),),
)


@pytest.fixture
def folder(seqthink_home: Path) -> Path:
    folder = seqthink_home / "sessions"
    folder.mkdir()
    shop_api().write(folder / f"{SESSION}.jsonl")
    JournalBuilder().session(OTHER, cwd="/x/billing").thought("Pool", 1, 1).end().write(folder / f"{OTHER}.jsonl")
    return folder


@pytest.fixture
def book(seqthink_home: Path) -> LabelBook:
    return LabelBook(seqthink_home / "viewer")


def test_all_labels_are_given_in_one_command_and_printed(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    options = ("--name", "Hourly 502s", "--tag", "#prod", "--tag", "next week", "--pin", "--comment", "6", "Why?")
    done = seqthink("label", SESSION, *options, variables={"SEQTHINK_AUTHOR": "ana"})

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:4] == [
        "Hourly 502s (was shop-api)",
        f"id      {SESSION}",
        "tags    prod, next-week",
        "pinned  yes",
    ]
    assert "on 6 · e10 · you" in done.stdout
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    as_json = json.loads(seqthink("label", SESSION, "--json").stdout)
    assert (as_json["name"], as_json["original"], as_json["tags"], as_json["pinned"]) == (
        *("Hourly 502s", "shop-api", ["prod", "next-week"], True),
    )
    assert [(one["seq"], one["number"], one["by"], one["own"], one["text"]) for one in as_json["comments"]] == [
        (10, 6, "ana", True, "Why?")
    ]


def test_labels_are_taken_away_again(folder: Path, book: LabelBook) -> None:
    seqthink("label", SESSION, "--name", "x", "--tag", "a", "--pin", "--comment", "e10", "x")
    done = seqthink("label", SESSION, "--name", "", "--untag", "a", "--unpin", "--comment", "e10", "")

    assert done.stdout.startswith("shop-api\n")
    assert book.of(SESSION) == SessionLabels()
    assert folder.is_dir()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--comment", "99", "x"), "no thought has the number 99"),
        (("--comment", "e1", "x"), "no thought at e1"),
        (("--comment", "six", "x"), "'six' is not a thought"),
        (("--tag", " # "), "' # ' is not a tag"),
        (("--tag", "x" * 41), "a tag has 1 to 40 characters"),
        (("--comment", "6", "x" * (MAX_COMMENT_CHARS + 1)), "the comment is too long"),
        (("--pin", "--unpin"), "not allowed with"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_changes_nothing(
    folder: Path, book: LabelBook, options: tuple[str, ...], reason: str
) -> None:
    done = seqthink("label", SESSION, "--name", "x", *options)

    assert reason in refusal_line(done)
    assert (book.all(), folder.is_dir()) == ({}, True)


def test_labels_that_cannot_be_written_are_said_in_a_line(folder: Path, seqthink_home: Path) -> None:
    (seqthink_home / "viewer").mkdir()
    (seqthink_home / "viewer" / "labels.jsonl").symlink_to(folder / "elsewhere")
    done = seqthink("label", SESSION, "--pin")

    assert done.returncode in {1, 2}
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("folder")
def test_lists_show_names_and_tags_and_filter_by_tags(book: LabelBook) -> None:
    book.name(SESSION, "Hourly 502s")
    book.tag(SESSION, add=["Prod", "pool"])
    book.tag(OTHER, add=["prod"])

    listed = json.loads(seqthink("sessions", "--json", "--sources", "journal", "--tag", "prod").stdout)
    assert [(one["name"], one["tags"], one["pinned"]) for one in listed] == [
        ("Hourly 502s", ["Prod", "pool"], False),
        ("billing", ["prod"], False),
    ]
    both = seqthink("sessions", "--sources", "journal", "--tag", "#PROD", "--tag", "pool").stdout
    assert "Hourly 502s" in both
    assert "billing" not in both
    found = seqthink("find", "pool", "--sources", "journal", "--tag", "pool").stdout
    assert "Hourly 502s" in found
    assert OTHER not in found
    nobody = seqthink("sessions", "--sources", "journal", "--tag", "no")
    assert nobody.stderr == "seqthink: no session has the tag no\n"
    none = seqthink("find", "pool", "--sources", "journal", "--tag", "no")
    assert (none.returncode, none.stderr) == (1, "seqthink: no session has the tag no\n")


@pytest.mark.usefixtures("folder")
def test_exports_have_names_tags_and_comments_apart_from_the_agent_s_words(book: LabelBook) -> None:
    book.receive(
        SESSION, SessionLabels(name="Hourly", tags=("prod",), comments=(Comment(seq=10, text="Why?", by="bo"),))
    )

    page = seqthink("export", SESSION, "--format", "html").stdout
    assert all(text in page for text in ("Hourly", "#prod", "✎ comment by bo", "Why?"))
    report = seqthink("export", SESSION, "--format", "md").stdout
    assert all(text in report for text in ("# Hourly", "`#prod`", "`✎ comment by bo`", "```text\nWhy?\n```"))
    data = json.loads(seqthink("export", SESSION, "--format", "json").stdout)
    assert data["labels"] == {
        "name": "Hourly",
        "tags": ["prod"],
        "comments": [{"seq": 10, "text": "Why?", "number": 0, "by": "bo", "time": "1970-01-01T00:00:00.000000Z"}],
    }
    assert "Why?" not in json.dumps(data["chains"])
    assert "✎ comment by bo" in seqthink("show", f"{SESSION}#e10", "--full").stdout


@pytest.mark.usefixtures("folder")
def test_redaction_reaches_the_labels(book: LabelBook) -> None:
    secret = "ghp_" + "a1B2" * 9
    book.name(SESSION, f"x {secret}")
    book.comment(SESSION, Comment(seq=10, text=f"try {secret}", by="ana"))

    for form in ("html", "md", "json", "svg"):
        assert secret not in seqthink("export", SESSION, "--redact", "--format", form).stdout
    assert secret not in seqthink("sessions", "--redact", "--json", "--sources", "journal").stdout
    assert secret not in seqthink("label", SESSION, "--redact").stdout


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "command", [("label",), ("show", "--full"), ("export", "--format", "md"), ("export", "--format", "html")]
)
def test_labels_from_elsewhere_break_out_of_nothing(book: LabelBook, command: tuple[str, ...]) -> None:
    book.receive(SESSION, HOSTILE)
    shown = seqthink(command[0], SESSION, *command[1:]).stdout

    assert not {"\x1b", "\u202e", "\x07"} & set(shown)
    assert "<script>alert" not in shown or command[-1] != "html"
    if command[-1] == "md":
        fence = shown[shown.index("comment by") :].split("\n")[2]
        assert fence == "````text"
        assert "`#t" in shown


@pytest.mark.usefixtures("folder")
def test_a_pinned_session_is_not_pruned_and_prune_says_so(book: LabelBook) -> None:
    book.pin(SESSION, is_pinned=True)
    for path in (Path(os.environ["SEQTHINK_HOME"]) / "sessions").iterdir():
        os.utime(path, (0, 0))
    done = seqthink("prune", "--older-than", "1h", "--json")

    kept = {one["session"]: one["kept"] for one in json.loads(done.stdout)}
    assert kept == {SESSION: "it is pinned; `seqthink label --unpin` takes the pin away", OTHER: None}
    assert f"kept {SESSION}: it is pinned" in done.stderr
    assert book.of(SESSION).is_pinned


@pytest.mark.usefixtures("folder")
def test_a_deleted_session_takes_its_labels_along(book: LabelBook) -> None:
    book.name(SESSION, "x")
    seqthink("delete", SESSION, "--yes")

    assert book.all() == {}
