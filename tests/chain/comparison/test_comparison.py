"""What two sessions have in common: laws over random sessions, and examples of runs at one problem."""

from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.comparison.alignment import FEW_TEXTS, MIN_LIKENESS
from seqthink.chain.comparison.comparison import Comparison, StretchKind, compare
from seqthink.chain.comparison.passages import PassageKind, passage_text, sections_of
from seqthink.chain.model import NONE
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from tests.support.depth import sized
from tests.support.journals.build import JournalBuilder
from tests.support.journals.two_runs import run_that_failed, run_that_worked

Read = Callable[[JournalBuilder], JournalTexts]

WORDS = ("pool", "gateway", "cache", "lock", "retry", "report", "job", "the", "is", "slow", "池", "é")
_TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
_STEPS = st.tuples(
    st.sampled_from(
        ("thought", "thought", "thought", "prompt", "turn", "reasoning", "remark", "branch", "chain", "bad")
    ),
    _TEXTS,
    st.sampled_from((None, None, None, "a1")),
)


@st.composite
def journals(draw: st.DrawFn) -> JournalBuilder:
    """Draw a journal with prompts, thoughts on branches, native reasoning, subagents, several chains, refused calls."""
    builder = JournalBuilder().session(title="drawn")
    numbers = {None: 0, "a1": 0}
    if draw(st.booleans()):
        builder.event("agent", {"id": "a1", "agent": "a1", "name": "scout"})
    for kind, text, agent in draw(st.lists(_STEPS, max_size=14)):
        match kind:
            case "bad":
                builder.rejected()
            case "thought" | "branch" | "chain":
                numbers[agent] = 1 if kind == "chain" else numbers[agent] + 1
                branch = ("b", 1) if kind == "branch" and numbers[agent] > 1 else (None, None)
                builder.thought(text, numbers[agent], 9, agent=agent, branch=branch[0], from_=branch[1])
            case _:
                builder.event(kind, {"text": text, "agent": agent}, after=1)
    return builder


@pytest.fixture(scope="session")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Return a function that gives the texts of a journal."""
    folder, numbers = tmp_path_factory.mktemp("compared"), count()

    def read_texts(builder: JournalBuilder) -> JournalTexts:
        path: Path = builder.write(folder / f"{next(numbers)}.jsonl")
        return load_journal(path)

    return read_texts


@given(journals())
def test_a_session_is_the_same_as_itself(read: Read, journal: JournalBuilder) -> None:
    texts = read(journal)

    found = compare(texts, texts)

    assert all(stretch.kind is StretchKind.SAME for stretch in found.stretches)
    assert found.first_parting == NONE
    assert found.answers in {StretchKind.SAME, None}
    assert not found.left.own_words


@given(journals(), journals())
def test_exchanged_sessions_give_the_same_with_exchanged_sides(
    read: Read, one: JournalBuilder, other: JournalBuilder
) -> None:
    left, right = read(one), read(other)

    assert compare(right, left) == compare(left, right).mirrored


@given(journals(), journals())
def test_each_text_of_each_side_is_there_once_and_pairs_never_cross(
    read: Read, one: JournalBuilder, other: JournalBuilder
) -> None:
    left, right = read(one), read(other)

    found = compare(left, right)

    assert [place for stretch in found.stretches for place in stretch.left] == [*range(len(found.left.passages))]
    assert [place for stretch in found.stretches for place in stretch.right] == [*range(len(found.right.passages))]
    for texts, side in ((left, found.left), (right, found.right)):
        assert [*side.passages] == [passage for section in sections_of(texts) for passage in section.passages]
        assert len({passage.seq for passage in side.passages}) == len(side.passages)
        for agent in {passage.agent for passage in side.passages}:
            own = [passage.seq for passage in side.passages if passage.agent == agent]
            assert all(before < after for before, after in pairwise(own))


@given(journals(), journals())
def test_a_pair_is_the_same_by_its_text_alone_and_alike_from_the_threshold_on(
    read: Read, one: JournalBuilder, other: JournalBuilder
) -> None:
    left, right = read(one), read(other)
    found = compare(left, right)

    for stretch in found.stretches:
        if stretch.kind is StretchKind.APART:
            continue
        texts = (
            passage_text(left, found.left.passages[stretch.left.start]).split(),
            passage_text(right, found.right.passages[stretch.right.start]).split(),
        )
        assert (texts[0] == texts[1]) is (stretch.kind is StretchKind.SAME)
        assert stretch.likeness >= MIN_LIKENESS


def drawn(found: Comparison) -> list[str]:
    """Return the stretches by their numbers: ``1=1``, ``3~4``, ``4,5|5``."""
    signs = {StretchKind.SAME: "=", StretchKind.ALIKE: "~", StretchKind.APART: "|"}
    return [
        f"{','.join(str(at + 1) for at in stretch.left)}{signs[stretch.kind]}"
        f"{','.join(str(at + 1) for at in stretch.right)}"
        for stretch in found.stretches
    ]


def test_two_runs_at_one_problem_are_aligned_and_part_where_one_considers_something_else(read: Read) -> None:
    found = compare(read(run_that_worked()), read(run_that_failed()))

    assert drawn(found) == ["1~1", "2=2", "|3", "3~4", "4,5,6,7|5"]
    assert drawn(found)[found.first_parting] == "|3"
    assert found.answers is StretchKind.APART
    assert "report" in found.left.own_words
    assert "timeout" in found.right.own_words
    assert (found.left_only, found.right_only) == (4, 2)


def asked(builder: JournalBuilder, prompt: str, *thoughts: str) -> JournalBuilder:
    """Add a prompt and a chain of thoughts about it."""
    builder.event("prompt", {"text": prompt}, after=5)
    for number, text in enumerate(thoughts, 1):
        builder.thought(text, number, len(thoughts), next=number < len(thoughts))
    return builder


def test_prompts_are_aligned_before_the_thoughts_that_answer_them(read: Read) -> None:
    left = asked(asked(JournalBuilder().session(), "Why is CI slow?", "look at the cache"), "Fix the login", "lock it")
    right = asked(JournalBuilder().session(), "Please fix the login page", "look at the cache")

    found = compare(read(left), read(right))

    assert [found.left.passages[at].kind for at in (0, 1)] == [PassageKind.PROMPT, PassageKind.THOUGHT]
    assert drawn(found) == ["1,2|", "3~1", "4|2"]


def test_sessions_with_other_prompts_are_compared_in_their_order(read: Read) -> None:
    left = asked(JournalBuilder().session(), "alpha", "the cache of the gateway is cold")
    right = asked(JournalBuilder().session(), "omega", "cold is the cache of the gateway, says the log")

    assert drawn(compare(read(left), read(right))) == ["1|1", "2~2"]


def test_native_reasoning_and_answers_are_compared_where_no_tool_was_called(read: Read) -> None:
    def session(answer: str) -> JournalBuilder:
        builder = JournalBuilder().session()
        builder.event("prompt", {"text": "Why is it slow?"}).event("reasoning", {"text": "The cache may be cold."})
        return builder.event("remark", {"text": "Looking at the cache."}).event("turn", {"text": answer})

    found = compare(read(session("The cache is cold.")), read(session("A lock is held too long.")))

    assert [passage.kind.value for passage in found.left.passages] == ["prompt", "reasoning", "remark", "answer"]
    assert drawn(found) == ["1=1", "2=2", "3=3", "4|4"]
    assert found.answers is StretchKind.APART
    assert found.first_parting == 3


def test_a_subagent_is_compared_with_a_subagent(read: Read) -> None:
    def session(*agents: str | None) -> JournalBuilder:
        builder = JournalBuilder().session()
        for number, agent in enumerate(agents, 1):
            text = "scout the folders" if agent else "plan the work of the scout"
            builder.thought(f"{text} {number}", 1 if agent else number, 9, agent=agent)
        return builder

    found = compare(read(session(None, "a", None)), read(session("b", None, None)))

    pairs = [stretch for stretch in found.stretches if stretch.left and stretch.right]
    assert pairs
    for stretch in pairs:
        agents = {found.left.passages[at].agent is None for at in stretch.left}
        assert agents == {found.right.passages[at].agent is None for at in stretch.right}


def test_a_long_session_is_aligned_with_its_copy_of_which_every_tenth_thought_is_another(read: Read) -> None:
    few = max(3 * FEW_TEXTS, sized(200, 2000))

    def session(*, is_copy: bool) -> JournalBuilder:
        builder = JournalBuilder().session()
        for number in range(1, few + 1):
            text = f"check module m{number} of part p{number // 7}, it reads key k{number % 50} slowly"
            if is_copy and number % 10 == 0:
                text = f"nothing in common {number * 7919} here{number}"
            elif is_copy and number % 3 == 0:
                text = text.replace("slowly", "fast enough")
            builder.thought(text, number, few)
        return builder

    found = compare(read(session(is_copy=False)), read(session(is_copy=True)))

    pairs = [stretch for stretch in found.stretches if stretch.kind is not StretchKind.APART]
    assert all(stretch.left == stretch.right for stretch in pairs)
    assert len(pairs) == few - few // 10
