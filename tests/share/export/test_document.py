"""The folded session as JSON, exactly as in docs/journal.md, "The folded session as JSON"."""

import json

import pytest

from seqthink.core.events import ThoughtEvent, WriterState
from seqthink.journal.decode import decode
from seqthink.share.export.document import document
from tests.support.journals.events_factory import Journal, folded, texts
from tests.support.journals.given_texts import GivenTexts


def dumped(journal: Journal, writer: WriterState = WriterState.UNKNOWN) -> str:
    return json.dumps(
        document(GivenTexts(folded(journal.items).session(writer), texts(journal.items).__getitem__)),
        ensure_ascii=False,
    )


def test_the_document_has_the_fields_of_the_contract_in_its_order() -> None:
    journal = Journal().session(title="Why").think(1, "Look at it.", nextThoughtNeeded=False)

    assert dumped(journal) == (
        '{"format": "seqthink.session/1", "session": "S", "title": "Why", "state": "done", "alive": false, '
        '"chains": [{"title": "Look at it.", "state": "done", '
        '"lanes": [{"branch": null, "named": true, "fork": null, "forkNumber": null, "thoughts": ['
        '{"seq": 2, "number": 1, "total": 5, "change": null, "revision": false, "revises": null, '
        '"repeat": false, "final": true, "thought": "Look at it.", '
        '"time": "2026-01-02T03:04:07.000000Z"}]}]}], '
        '"unread": 0, "corrupt": 0}'
    )


def test_lanes_forks_changes_and_targets_stand_in_the_document() -> None:
    journal = (
        Journal()
        .session()
        .think(1)
        .think(2, totalThoughts=8)
        .branch(3, "a", 2, totalThoughts=8)
        .think(3, totalThoughts=8, branchFromThought=1)
        .branch(2, "b", 9)
        .branch(3, "c")
        .revise(4, 1, totalThoughts=8)
        .revise(4, 9, totalThoughts=8)
        .again()
    )

    chain = json.loads(dumped(journal))["chains"][0]
    lanes = [[lane["branch"], lane["named"], lane["fork"], lane["forkNumber"]] for lane in chain["lanes"]]
    trunk = [
        [thought["seq"], thought["change"], thought["revision"], thought["revises"], thought["repeat"]]
        for thought in chain["lanes"][0]["thoughts"]
    ]

    assert lanes == [
        [None, True, None, None],
        ["a", True, 3, 2],
        ["from 1", False, 2, 1],
        ["b", True, None, 9],
        ["c", True, 3, None],
    ]
    assert trunk == [
        [2, None, False, None, False],
        [3, [5, 8], False, None, False],
        [8, None, True, 2, False],
        [9, None, True, None, False],
        [10, None, True, None, True],
    ]


def test_a_trunk_without_thoughts_still_stands_first() -> None:
    lanes = json.loads(dumped(Journal().branch(1, "a")))["chains"][0]["lanes"]

    assert lanes[0] == {"branch": None, "named": True, "fork": None, "forkNumber": None, "thoughts": []}
    assert lanes[1]["branch"] == "a"


def test_a_session_without_thoughts_has_no_chains() -> None:
    assert json.loads(dumped(Journal().session().unread().corrupt().corrupt(), WriterState.ALIVE)) == {
        "format": "seqthink.session/1",
        "session": "S",
        "title": None,
        "state": "thinking",
        "alive": True,
        "chains": [],
        "unread": 1,
        "corrupt": 2,
    }


def test_a_journal_that_lost_its_first_line_has_no_id() -> None:
    folded_session = json.loads(dumped(Journal().corrupt().think(1, "Go")))

    assert (folded_session["session"], folded_session["title"]) == (None, "Go")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("One line", "One line"),
        ("First\nsecond", "First"),
        ("x" * 81, "x" * 80),
        ("\n\n## Plan\nmore", "Plan"),
        ("", ""),
    ],
)
def test_a_chain_is_titled_by_the_first_line_of_its_first_thought(text: str, title: str) -> None:
    folded_session = json.loads(dumped(Journal().branch(1, "a").think(1, "no").think(1, text).think(2)))

    assert folded_session["chains"][1]["title"] == title
    assert folded_session["title"] == "t1"


def test_a_chain_is_never_titled_by_the_thought_of_a_subagent() -> None:
    asked = Journal().think(1, "theirs", agent="a")
    answered = Journal().think(1, "theirs", agent="a").think(2, "theirs", agent="b").think(1, "mine")

    assert [json.loads(dumped(journal))["chains"][0]["title"] for journal in (asked, answered)] == ["", "mine"]


@pytest.mark.parametrize(("titles", "title"), [(["A", None], "A"), (["A", "B"], "B"), ([None, ""], "Go")])
def test_a_session_is_titled_by_its_own_newest_title_else_by_its_first_chain(
    titles: list[str | None], title: str
) -> None:
    journal = Journal()
    for given in titles:
        journal.session(title=given)

    assert json.loads(dumped(journal.think(1, "Go").think(1)))["title"] == title


def test_texts_come_out_exactly_as_they_went_in() -> None:
    text = "tab\t esc\x1b[31m \u2028 \u202e é 😀 \\n\r\nlast "

    thought = json.loads(dumped(Journal().think(1, text)))["chains"][0]["lanes"][0]["thoughts"][0]

    assert thought["thought"] == text


def test_a_document_of_a_prefix_is_the_document_of_those_lines_alone() -> None:
    journal = Journal().session().think(1).branch(2, "a").revise(2, 1).audit(2, "reject").think(1)
    whole, text_of = folded(journal.items).session(), texts(journal.items).__getitem__

    documents = [document(GivenTexts(whole.at(count), text_of)) for count in range(len(journal.items) + 1)]

    assert documents == [
        document(GivenTexts(folded(journal.items[:count]).session(), text_of))
        for count in range(len(journal.items) + 1)
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2026-01-02T03:04:05.678901Z", "2026-01-02T03:04:05.678901Z"),
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000Z"),
        ("2026-01-02T03:04:05.5+02:00", "2026-01-02T01:04:05.500000Z"),
        ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        ("9999-12-31T23:59:59.999999-02:00", "9999-12-31T23:59:59.999999Z"),
        ("0001-01-01T00:00:00+10:00", "0001-01-01T00:00:00.000000Z"),
    ],
)
def test_times_are_shown_in_utc_with_microseconds(written: str, shown: str) -> None:
    event = decode(
        b'{"v":1,"seq":1,"time":"' + written.encode() + b'","type":"thought","thought":"x",'
        b'"nextThoughtNeeded":true,"thoughtNumber":9007199254740991,"totalThoughts":9007199254740991}'
    )
    assert isinstance(event, ThoughtEvent)

    thought = document(GivenTexts(folded([event]).session()))["chains"][0]["lanes"][0]["thoughts"][0]

    assert (thought["time"], thought["number"], thought["total"]) == (shown, 2**53 - 1, 2**53 - 1)
