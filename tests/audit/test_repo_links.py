"""A review cites the workspace lines that were judged and really exist."""

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.repo_links import MAX_CITATIONS, citations
from seqthink.audit.review import JudgeCard
from seqthink.audit.unread_lines import all_unread, some_unread

FILE = CodeUnit(path="a.py", text="one\ntwo\nthree\nfour\n", added_lines=frozenset({2, 4}))


def card(*read: CodeUnit, **more: object) -> JudgeCard:
    return JudgeCard(model="internal", score=1, read_units=read, **more)  # pyright: ignore[reportArgumentType] - any field


def test_each_run_of_new_lines_is_cited_once_whoever_read_it() -> None:
    new = CodeUnit(path="src/new.py", text="n = 1\n")

    cited = citations([card(FILE, new), card(FILE)], [FILE, new])

    assert cited == ("repo://a.py:2-2", "repo://a.py:4-4", "repo://src/new.py:1-1")


def test_what_was_not_read_is_not_cited() -> None:
    whole = CodeUnit(path="a.py", text=FILE.text)

    assert citations([card(whole, unread=tuple(some_unread(whole, (2, 3), "too long")))], [FILE]) == (
        "repo://a.py:1-1",
        "repo://a.py:4-4",
    )
    assert citations([card(whole, unread=(all_unread(whole, "too long"),))], [FILE]) == ()
    assert citations([card()], [FILE]) == ()


def test_what_does_not_stand_in_the_file_is_not_cited() -> None:
    planned = CodeUnit(path="a.py", text="one\nTWO\n", added_lines=frozenset({2}))
    longer = CodeUnit(path="a.py", text="x\n", first_line=9)

    assert citations([card(planned, longer, CodeUnit(path="b.py", text="x\n"))], [FILE]) == ()


def test_a_citation_of_an_unusual_name_is_one_word() -> None:
    odd = CodeUnit(path="ä b%\n.py", text="x = 1\n")

    assert citations([card(odd)], [odd]) == ("repo://ä%20b%25%0A.py:1-1",)


def test_the_number_of_citations_is_limited() -> None:
    many = [CodeUnit(path=f"{number}.py", text="x\n") for number in range(MAX_CITATIONS + 9)]

    assert len(citations([card(*many)], many)) == MAX_CITATIONS
