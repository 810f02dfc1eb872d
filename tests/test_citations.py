"""Which lines of the workspace a review cites: those that were judged and stand there."""

from seqthink.audit.citations import MOST, citations
from seqthink.audit.review import Card
from seqthink.audit.sources import Source
from seqthink.audit.unread import all_of, some_of

FILE = Source(path="a.py", text="one\ntwo\nthree\nfour\n", added=frozenset({2, 4}))


def card(*read: Source, **more: object) -> Card:
    return Card(model="internal", score=1, read=read, **more)  # pyright: ignore[reportArgumentType] - any field


def test_each_run_of_new_lines_is_cited_once_whoever_read_it() -> None:
    new = Source(path="src/new.py", text="n = 1\n")

    cited = citations([card(FILE, new), card(FILE)], [FILE, new])

    assert cited == ("repo://a.py:2-2", "repo://a.py:4-4", "repo://src/new.py:1-1")


def test_what_was_not_read_is_not_cited() -> None:
    whole = Source(path="a.py", text=FILE.text)

    assert citations([card(whole, unread=tuple(some_of(whole, (2, 3), "too long")))], [FILE]) == (
        "repo://a.py:1-1",
        "repo://a.py:4-4",
    )
    assert citations([card(whole, unread=(all_of(whole, "too long"),))], [FILE]) == ()
    assert citations([card()], [FILE]) == ()


def test_what_does_not_stand_in_the_file_is_not_cited() -> None:
    planned = Source(path="a.py", text="one\nTWO\n", added=frozenset({2}))
    longer = Source(path="a.py", text="x\n", first_line=9)

    assert citations([card(planned, longer, Source(path="b.py", text="x\n"))], [FILE]) == ()


def test_a_citation_of_an_unusual_name_is_one_word() -> None:
    odd = Source(path="ä b%\n.py", text="x = 1\n")

    assert citations([card(odd)], [odd]) == ("repo://ä%20b%25%0A.py:1-1",)


def test_no_more_are_cited_than_somebody_reads() -> None:
    many = [Source(path=f"{number}.py", text="x\n") for number in range(MOST + 9)]

    assert len(citations([card(*many)], many)) == MOST
