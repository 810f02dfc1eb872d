"""Chain health: what is found odd, where it stands, and what is not odd (docs/journal.md, "Chain health")."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.health import health as health_module
from seqthink.chain.health.circling import circle_period
from seqthink.chain.health.health import Health, SessionHealth
from seqthink.chain.health.oddities import OddityKind
from seqthink.chain.health.shingles import SKETCH_SIZE, shared_in_sketches, shingles, similarity, sketch
from seqthink.chain.session import Session
from seqthink.core.events import Event, UnknownEvent
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from tests.conftest import PROJECT
from tests.support.depth import sized
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.code_review_journal import code_review
from tests.support.journals.example_chains import cache, queue, slow_login

POOL = (
    "The gateway pool has 12 of 200 connections in use at the hour, and the slowest acquire took 3 ms, so the gateway "
    "does not starve: what answers 502 sits behind it."
)
JOB = (
    "Checkout's own pool is small, and the report job takes forty connections for ninety seconds at the top of each "
    "hour, which leaves ten of fifty."
)
Found = list[tuple[str, int]]


def health_of(journal: JournalBuilder, folder: Path) -> SessionHealth:
    texts = load_journal(journal.write(folder / "a.jsonl"))
    return texts.health.at(texts.session)


def found(journal: JournalBuilder, folder: Path) -> Found:
    """Return kind and index of each oddity."""
    return [(oddity.kind.value, oddity.thought) for oddity in health_of(journal, folder).oddities()]


def chain(*numbers: int, total: int = 9) -> JournalBuilder:
    journal = JournalBuilder().session()
    for place, number in enumerate(numbers):
        journal.thought(f"text {place}", number, max(total, number))
    return journal


# Near-duplicates


@pytest.mark.parametrize(
    ("second", "percent"),
    [
        (POOL, 100),
        (POOL.upper(), 100),
        (POOL.replace(":", " -"), 100),
        (POOL + " Sure.", 96),
        (POOL.replace("12 of 200", "13 of 200"), None),
        (JOB, None),
    ],
)
def test_a_thought_that_says_almost_the_same_is_a_near_duplicate(
    second: str, percent: int | None, tmp_path: Path
) -> None:
    journal = JournalBuilder().session().thought(POOL, 1, 3).thought("On.", 2, 3).thought(second, 3, 3)

    oddities = list(health_of(journal, tmp_path).oddities())
    expected = [] if percent is None else [(OddityKind.NEAR_DUPLICATE, 2, 0, percent)]
    assert [(one.kind, one.thought, one.other, one.percent) for one in oddities] == expected


def test_short_texts_are_not_compared(tmp_path: Path) -> None:
    short = "No, the pool is idle: twelve of two hundred are used."
    assert found(JournalBuilder().session().thought(short, 1, 3).thought(short, 2, 3), tmp_path) == []


def test_text_without_spaces_is_compared_by_characters(tmp_path: Path) -> None:
    text = "目录应该按任务还是按模块划分我认为应该按模块"
    assert found(JournalBuilder().session().thought(text, 1, 3).thought(text, 2, 3), tmp_path) == [
        ("near-duplicate", 1)
    ]


def test_a_revision_may_keep_much_of_what_it_revises(tmp_path: Path) -> None:
    reworded = POOL + " So it is, I think."
    journal = JournalBuilder().session().thought(POOL, 1, 4).thought(reworded, 2, 4, revises=1)

    assert 0.85 <= similarity(shingles(POOL), shingles(reworded)) < 0.95
    assert found(journal, tmp_path) == []
    assert found(journal.thought(reworded, 3, 4, revises=1), tmp_path) == [("near-duplicate", 2)]


def test_other_chains_and_other_agents_may_think_the_same(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought(POOL, 1, 2).thought("Another problem", 1, 2).thought(POOL, 2, 2)
    journal.event("agent", {"id": "a", "name": "a"}).thought(POOL, 1, 2, agent="a")

    assert found(journal, tmp_path) == []


def test_what_was_left_behind_may_be_thought_again(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("Start", 1, 3).thought(POOL, 2, 3)
    journal.event("rewound", {"of": journal.seq}).thought(POOL, 2, 3)

    assert found(journal, tmp_path) == []


def test_the_newest_thought_that_is_similar_is_named(tmp_path: Path) -> None:
    journal = JournalBuilder().session()
    for number, text in enumerate([POOL, POOL + " Sure.", POOL, POOL]):
        journal.thought(text, number + 1, 9)

    assert [one.other for one in health_of(journal, tmp_path).oddities()] == [0, 1, 2]


def test_thousands_of_copies_are_each_compared_with_few(tmp_path: Path) -> None:
    journal, copies = JournalBuilder().session(), sized(1_000, 10_000)
    for number in range(copies):
        journal.thought(POOL, number + 1, copies)
    session = load_journal(journal.write(tmp_path / "a.jsonl")).session
    event, read = journal.events[1], [0]

    def event_of(_offset: int, _size: int) -> Event | UnknownEvent | None:
        read[0] += 1
        return event

    looked = Health()
    looked.look_on(session, event_of)

    assert looked.at(session).counts().oddities[OddityKind.NEAR_DUPLICATE] == copies - 1
    assert read[0] <= 2 * copies


def _words(source: random.Random, count: int) -> list[str]:
    return [f"w{source.randrange(5000)}" for _ in range(count)]


def test_sketches_miss_few_near_duplicates_and_let_few_others_through() -> None:
    source, missed, let_through = random.Random(7), 0, 0
    for _ in range(1000):
        words = _words(source, 100)
        near, far = words.copy(), words.copy()
        for place in source.sample(range(100), 2):  # at most six of 98 shingles: 88 % and more
            near[place] = "other"
        for place in range(0, 100, 5):
            far[place] = "other"
        sketches = [sketch(shingles(" ".join(text))) for text in (words, near, far)]
        missed += shared_in_sketches(sketches[0], sketches[1]) < 0.5
        let_through += shared_in_sketches(sketches[0], sketches[2]) >= 0.5

    assert missed <= 10
    assert let_through <= 300


@given(st.text(max_size=200))
def test_any_text_has_shingles_and_is_like_itself(text: str) -> None:
    hashes = shingles(text)

    assert similarity(hashes, hashes) == (1 if hashes else 0)
    assert len(sketch(hashes)) <= SKETCH_SIZE


@given(st.lists(st.text("aZ_09.-'\t\n\x1f\x7f", min_size=1), min_size=40, max_size=60).map(" ".join))
def test_an_ascii_text_is_cut_into_the_same_words_as_any_other(text: str) -> None:
    assert shingles(text) <= shingles(f"{text} ü")


def test_what_cannot_be_read_is_counted_as_unread(tmp_path: Path) -> None:
    session = load_journal(chain(1, 2, 3).write(tmp_path / "a.jsonl")).session
    looked = Health()
    looked.look_on(session, lambda _offset, _size: None)

    assert looked.at(session).counts().unread == 3
    assert Health().at(session).counts().unread == 3


def test_of_too_long_a_session_the_first_thoughts_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_module, "MAX_READ_THOUGHTS", 2)
    journal = JournalBuilder().session().thought(POOL, 1, 3).thought(POOL, 2, 3).thought(POOL, 3, 3)
    shown = health_of(journal, tmp_path)

    assert [one.thought for one in shown.oddities()] == [1]
    assert shown.counts().unread == 1


# Numbers


@pytest.mark.parametrize(
    ("numbers", "at"),
    [
        ((1, 2, 3, 4, 3, 4, 3, 4), [7]),
        ((1, 2, 3, 4, 3, 4, 3, 4, 3, 4), [7]),
        ((1, 2, 3, 4, 3, 4), []),
        ((1, 5, 5, 5, 5, 5), []),
        ((1, 5, 5, 5, 5, 5, 5), [6]),
        ((1, 2, 3, 4, 2, 3, 4, 2, 3, 4), [9]),
        ((1, 3, 4, 3, 4, 3, 4, 5, 3, 4, 3, 4, 3, 4), [6, 13]),
        ((1, 2, 3, 1, 2, 3, 1, 2, 3), []),
        (tuple(range(1, 30)), []),
    ],
)
def test_numbers_circle_when_the_same_few_come_three_times(
    numbers: tuple[int, ...], at: list[int], tmp_path: Path
) -> None:
    assert found(chain(*numbers, total=29), tmp_path) == [("circling", index) for index in at]


def test_a_revision_breaks_a_circle_and_so_does_another_branch(tmp_path: Path) -> None:
    revised = chain(1, 2, 3, 2).thought("again", 3, 9, revises=3)
    branched = chain(1, 2, 3, 2, 3).thought("b", 2, 9, branch="b", from_=1)
    for journal in (revised, branched):
        journal.thought("x", 2, 9).thought("y", 3, 9)

        assert found(journal, tmp_path) == []


@given(st.lists(st.integers(1, 3), max_size=40))
def test_a_period_is_one_that_the_steps_have(steps: list[int]) -> None:
    period = circle_period(tuple(steps))

    if period:
        length = max(6, 3 * period)
        last = steps[-length:]
        assert last[period:] == last[:-period]


def estimates(*totals: int) -> JournalBuilder:
    journal = JournalBuilder().session()
    for number, total in enumerate(totals, start=1):
        journal.thought(f"text {number}", number, total)
    return journal


@pytest.mark.parametrize(
    ("totals", "at"),
    [
        ((5, 6, 8, 9, 11), [4]),
        ((5, 6, 8, 9, 11, 14), [4]),
        ((5, 6, 8, 9, 11, 10), []),
        ((5, 6, 8, 9, 10), []),
        ((5, 11, 12, 13), []),
        ((2, 3, 4, 5, 6), []),
        ((5, 4, 8, 12, 16, 20), []),
    ],
)
def test_an_estimate_that_was_raised_four_times_to_more_than_twice_has_only_grown(
    totals: tuple[int, ...], at: list[int], tmp_path: Path
) -> None:
    assert found(estimates(*totals), tmp_path) == [("growing estimate", index) for index in at]


def test_a_growing_estimate_is_known_by_its_first_and_newest(tmp_path: Path) -> None:
    [oddity] = health_of(estimates(5, 6, 8, 9, 11, 14), tmp_path).oddities()
    assert oddity.numbers == (5, 14)


# Ends


@pytest.mark.parametrize(
    ("number", "total", "is_early"), [(3, 6, True), (3, 5, False), (2, 4, False), (1, 2, False), (1, 4, True)]
)
def test_a_conclusion_at_half_of_the_estimate_is_early(
    number: int, total: int, *, is_early: bool, tmp_path: Path
) -> None:
    journal = chain(*range(1, number), total=total).thought("end", number, total, next=False)

    assert found(journal, tmp_path) == ([("early end", number - 1)] if is_early else [])
    assert found(journal.thought("on", number + 1, total), tmp_path) == []


def test_a_conclusion_on_a_branch_says_nothing_of_the_trunks_estimate(tmp_path: Path) -> None:
    journal = chain(1, 2, 3).thought("b", 1, 9, branch="b", from_=3, next=False)
    assert found(journal, tmp_path) == []


def branched(*, has_conclusion: bool = False) -> JournalBuilder:
    """Return a chain with a branch a, which stops at 2 of 4, and a branch b."""
    journal = chain(1, 2, total=3).thought("a1", 1, 4, branch="a", from_=2)
    journal.thought("a2", 2, 4, branch="a", next=not has_conclusion)
    return journal.thought("b1", 1, 2, branch="b", from_=2)


def test_a_branch_that_nothing_follows_was_left(tmp_path: Path) -> None:
    assert found(branched(), tmp_path) == []
    assert found(branched().thought("b2", 2, 2, branch="b", next=False), tmp_path) == [("left branch", 3)]


def test_a_branch_was_not_left_if_it_is_finished_or_something_followed(tmp_path: Path) -> None:
    finished = branched().thought("a3", 4, 4, branch="a").thought("b2", 2, 2, branch="b", next=False)
    final = branched(has_conclusion=True).thought("b2", 2, 2, branch="b", next=False)
    followed = branched().thought("So", 3, 3).thought("b2", 2, 2, branch="b", next=False)
    for journal in (finished, final, followed):
        assert found(journal, tmp_path) == []


# The whole


def test_refused_and_repaired_calls_are_counted(tmp_path: Path) -> None:
    journal = chain(1, 2).rejected().thought("three", 3, 9, coerced=["thoughtNumber"])
    counts = health_of(journal, tmp_path).counts()

    assert (counts.refused, counts.repaired, counts.unread) == (1, 1, 0)


@pytest.mark.parametrize("journal", [shop_api(), code_review(), cache(), queue(), slow_login()])
def test_the_example_sessions_are_healthy(journal: JournalBuilder, tmp_path: Path) -> None:
    assert found(journal, tmp_path) == []


def test_no_recorded_session_has_an_oddity() -> None:
    recorded = list((PROJECT / "tests/sources/transcripts/recorded").glob("**/journals/*.jsonl"))
    texts = [load_journal(path) for path in (*recorded, *(PROJECT / "tests" / "journals").glob("*.jsonl"))]

    assert len(texts) > 30
    assert [list(one.health.at(one.session).oddities()) for one in texts] == [[]] * len(texts)


def _first_odd(texts: JournalTexts, session: Session) -> Found:
    return [(oddity.kind.value, oddity.thought) for oddity in texts.health.at(session).oddities()]


_STEPS = st.tuples(
    st.sampled_from([POOL, JOB, POOL + " Sure.", "short"]),
    st.integers(2, 4),
    st.integers(3, 20),
    st.sampled_from([None, None, None, "a", "b"]),
    st.sampled_from([None, None, None, 2]),
    st.booleans(),
)


@given(st.lists(_STEPS, max_size=25), st.integers(1, 7))
def test_any_moment_is_as_it_was_and_slices_do_not_matter(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int, str | None, int | None, bool]], size: int
) -> None:
    journal = JournalBuilder().session().thought("Start", 1, 5)
    for text, number, total, branch, revises, is_more in steps:
        journal.thought(text, number, total, branch=branch, revises=revises, next=is_more)
    folder = tmp_path_factory.mktemp("health")
    whole = load_journal(journal.write(folder / "a.jsonl"))
    sliced = Health()
    while sliced.is_behind(whole.session):
        sliced.look_on(whole.session, whole.event, size)
    live = Health()

    assert list(sliced.at(whole.session).oddities()) == list(whole.health.at(whole.session).oddities())
    for count in range(1, len(steps) + 2):
        (folder / "b.jsonl").write_bytes(b"".join(journal.lines[: count + 1]))
        then = load_journal(folder / "b.jsonl")
        earlier = whole.session.at_thought(count)
        live.look_on(earlier, whole.event)

        assert _first_odd(whole, earlier) == _first_odd(then, then.session)
        assert list(live.at(earlier).oddities()) == list(then.health.at(then.session).oddities())


def test_each_oddity_is_found_at_its_thought_and_counted_in_its_chain(tmp_path: Path) -> None:
    journal = chain(1, 2, 3, 2, 3, 2, 3).thought(POOL, 4, 9).thought(POOL, 5, 9, next=False).thought("Else", 1, 2)
    shown = health_of(journal, tmp_path)

    at = {index: [one.kind.value for one in shown.oddities_at(index)] for index in range(10)}
    assert {index: kinds for index, kinds in at.items() if kinds} == {6: ["circling"], 8: ["near-duplicate"]}
    assert [shown.count_in(ordinal) for ordinal in (0, 1)] == [2, 0]


def test_a_journal_s_texts_are_read_for_its_health_when_that_is_asked_for(tmp_path: Path) -> None:
    texts = load_journal(chain(1, 2, 3).write(tmp_path / "a.jsonl"))
    earlier = texts.at_position(texts.session.at_thought(1))
    before = texts._health._health.seen_count  # pyright: ignore[reportPrivateUsage] - asking for it would look

    assert (before, earlier.health.seen_count, texts.health is earlier.health) == (0, 3, True)
