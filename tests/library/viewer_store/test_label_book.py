"""Names, tags, pins and comments, kept between two runs of the viewer."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.labels import (
    MAX_COMMENT_CHARS,
    MAX_COMMENTS,
    MAX_LABELS_BYTES,
    MAX_NAME_CHARS,
    MAX_TAG_CHARS,
    MAX_TAGS,
    NO_LABELS,
    Comment,
    SessionLabels,
    labels_of_text,
    labels_text,
)
from seqthink.library.viewer_store import label_book, record_file
from seqthink.library.viewer_store.forgetting import forget_sessions
from seqthink.library.viewer_store.label_book import FILE_NAME, LabelBook

WHY = Comment(seq=4, text="why not the cache?", by="ana", time=20)
TEXTS = st.text(st.characters(codec=None), max_size=30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "viewer"


def test_what_is_said_of_a_session_is_kept(folder: Path) -> None:
    book = LabelBook(folder)
    assert book.of("a") == NO_LABELS
    book.name("a", "  Checkout\n502s ")
    book.tag("a", add=["#prod", "next week", "prod"])
    book.pin("a", is_pinned=True)
    book.comment("a", WHY)

    labels = LabelBook(folder).of("a")
    assert (labels.name, labels.tags, labels.is_pinned) == ("Checkout 502s", ("prod", "next-week"), True)
    assert [(one.text, one.by, one.is_own) for one in labels.on(4)] == [("why not the cache?", "ana", True)]
    assert (labels.on(5), book.of("b")) == ([], NO_LABELS)


def test_everything_can_be_taken_away_again(folder: Path) -> None:
    book = LabelBook(folder)
    book.name("a", "x")
    book.tag("a", add=["one", "two"])
    book.pin("a", is_pinned=True)
    book.comment("a", WHY)
    book.name("a", " ")
    book.tag("a", remove=["#one", "two", "three"])
    book.pin("a", is_pinned=False)
    book.comment("a", Comment(seq=4, text="", by="ana"))

    assert book.of("a") == NO_LABELS


def test_a_comment_is_edited_by_its_author_and_others_stay_apart(folder: Path) -> None:
    book = LabelBook(folder)
    book.comment("a", WHY)
    book.comment("a", Comment(seq=4, text="it was cold", by="bo", time=30))
    book.comment("a", Comment(seq=4, text="I see", by="ana", time=40))

    assert [(one.by, one.text) for one in book.of("a").on(4)] == [("bo", "it was cold"), ("ana", "I see")]


def test_viewers_that_write_at_once_lose_nothing(folder: Path) -> None:
    def write(first: int) -> None:
        book = LabelBook(folder)
        for number in range(first, first + 8):
            book.tag("a", add=[f"t{number}"])
            book.comment("a", Comment(seq=number + 1, text="x", by="ana"))

    threads = [Thread(target=write, args=(first,)) for first in (0, 8, 16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    labels = LabelBook(folder).of("a")
    assert (set(labels.tags), len(labels.comments)) == ({f"t{number}" for number in range(24)}, 24)


def test_another_viewer_s_labels_show_up(folder: Path) -> None:
    book, other = LabelBook(folder), LabelBook(folder)
    assert book.all() == {}
    other.name("a", "x")

    assert book.of("a").name == "x"
    assert book.all() is book.all()


def test_what_came_with_a_copy_is_kept_beside_one_s_own(folder: Path) -> None:
    theirs = SessionLabels(name="Theirs", tags=("prod", "old"), is_pinned=True, comments=(WHY,))
    book = LabelBook(folder)
    book.receive("a", theirs)
    book.tag("a", add=["mine"], remove=["old"])
    book.comment("a", Comment(seq=4, text="mine", by="ana", time=30))

    labels = book.of("a")
    assert (labels.name, labels.tags, labels.is_pinned) == ("Theirs", ("mine", "prod"), False)
    assert [(one.text, one.is_own) for one in labels.on(4)] == [("why not the cache?", False), ("mine", True)]
    book.name("a", "Mine")
    book.receive("a", NO_LABELS)
    assert (book.of("a").name, book.of("a").tags, len(book.of("a").comments)) == ("Mine", ("mine",), 1)


def test_what_is_kept_is_private_and_bounded(folder: Path) -> None:
    book = LabelBook(folder)
    book.name("a", "n" * 10_000_000)
    book.tag("a", add=["t" * 1000, *map(str, range(100))])
    book.comment("a", Comment(seq=1, text="c" * 100_000, by="\x1b[2J\u202e\ud800"))

    labels = book.of("a")
    assert (len(labels.name), len(labels.tags[0]), len(labels.tags)) == (MAX_NAME_CHARS, MAX_TAG_CHARS, MAX_TAGS)
    assert (len(labels.comments[0].text), labels.comments[0].by) == (MAX_COMMENT_CHARS, "\x1b[2J\u202e\ud800")
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_damaged_lines_lose_nothing_else(folder: Path) -> None:
    book = LabelBook(folder)
    book.name("a", "x")
    strange: list[object] = [
        {"session": 3, "name": "y"},
        {"session": "a", "name": 3, "tag": ["t"], "pinned": 1, "comment": {"seq": [], "by": {}}, "received": 7},
        {"session": "a", "comment": {"seq": True, "text": "x"}},
        {"session": "a", "received": {"tags": [1, {}], "comments": [[], {"seq": -1, "text": "x"}, {"seq": 1}]}},
        [],
    ]
    with (folder / FILE_NAME).open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in strange)
        file.write('{"session": "a", "na')
    book.tag("a", add=["t"])

    assert LabelBook(folder).of("a") == SessionLabels(name="x", tags=("t",))


def test_a_file_with_mostly_outdated_lines_says_the_same_when_it_is_small(folder: Path) -> None:
    book = LabelBook(folder)
    book.receive("a", SessionLabels(tags=("far",), comments=(WHY,)))
    book.pin("a", is_pinned=True)
    book.comment("a", WHY)
    book.tag("a", add=["t"])
    with (folder / FILE_NAME).open("a", encoding="utf-8") as file:
        file.write('{"session":"a","name":"x"}\n' * 1100)
    before = book.of("a")

    assert (folder / FILE_NAME).read_text(encoding="utf-8").count("\n") == 5
    assert LabelBook(folder).of("a") == before


def test_a_forgotten_session_leaves_nothing_behind(folder: Path) -> None:
    book = LabelBook(folder)
    book.name("a", "x")
    book.name("b", "y")
    forget_sessions(folder, {"a"})

    assert list(LabelBook(folder).all()) == ["b"]
    assert b'"a"' not in (folder / FILE_NAME).read_bytes()


def test_secrets_are_removed_from_every_text(folder: Path) -> None:
    LabelBook(folder).name("a", "secret one")
    LabelBook(folder).comment("a", Comment(seq=1, text="the secret", by="secret", time=1))
    LabelBook(folder).tag("a", add=["secret"])

    def clean(text: str) -> str:
        return text.replace("secret", "***")

    labels = LabelBook(folder, clean).of("a")
    assert (labels.name, labels.tags) == ("*** one", ("***",))
    assert [(one.text, one.by) for one in labels.comments] == [("the ***", "***")]


@given(
    st.builds(
        SessionLabels,
        name=TEXTS,
        tags=st.lists(st.sampled_from(["a", "b", "ü"]), unique=True).map(tuple),
        comments=st.lists(
            st.builds(Comment, seq=st.integers(1, 9), text=TEXTS.filter(str.strip), by=TEXTS, time=st.integers(0, 9)),
            max_size=5,
        ).map(lambda comments: tuple(sorted(comments, key=lambda one: (one.time, one.seq, one.by)))),
    )
)
def test_labels_that_travel_arrive_as_they_were(labels: SessionLabels) -> None:
    arrived = labels_of_text(labels_text(labels))

    assert (arrived.name, arrived.tags) == (labels.name, labels.tags)
    assert [(one.seq, one.by, one.text) for one in arrived.comments] == [
        (one.seq, one.by, one.text.strip()) for one in labels.comments
    ]


def test_of_too_many_comments_the_newest_travel() -> None:
    comments = tuple(Comment(seq=1 + time, text="é" * 200, by="ana", time=time) for time in range(MAX_COMMENTS))
    text = labels_text(SessionLabels(name="x", comments=comments))

    arrived = labels_of_text(text)
    assert len(text) <= MAX_LABELS_BYTES
    assert (arrived.name, arrived.comments[-1], len(arrived.comments) > 10) == ("x", comments[-1], True)


def test_what_a_colleague_sends_again_and_again_leaves_room_for_the_users_own(tmp_path: Path) -> None:
    book = LabelBook(tmp_path)
    book.name("mine", "Hourly 502s")
    sent = labels_of_text(labels_text(SessionLabels(comments=(Comment(seq=3, text="x" * 4000, by="ana"),))))

    for _ in range(20):
        book.receive("theirs", sent)

    assert (tmp_path / FILE_NAME).stat().st_size < 6000
    assert (book.of("mine").name, len(book.of("theirs").comments)) == ("Hourly 502s", 1)


def test_a_large_book_drops_what_is_outdated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (label_book, record_file):
        monkeypatch.setattr(module, "MAX_BYTES", 20_000)
    book = LabelBook(tmp_path)

    for number in range(9):
        book.comment("s", Comment(seq=3, text=f"{number}" * 4000, by="ana"))
        assert book.of("s").comments[0].text == f"{number}" * 4000


@pytest.mark.parametrize(
    "make",
    [
        lambda: "[" * 100_000,
        lambda: '"x"',
        lambda: "{",
        lambda: '{"name": 3, "tags": "x", "comments": {"a": 1}}',
        lambda: '{"name": "' + "x" * MAX_LABELS_BYTES + '"}',
        lambda: '{"comments": [{"seq": 1' + "0" * 5000 + ', "text": "x"}]}',
    ],
)
def test_labels_that_nobody_could_have_sent_are_none(make: Callable[[], str]) -> None:
    assert labels_of_text(make()) == NO_LABELS
