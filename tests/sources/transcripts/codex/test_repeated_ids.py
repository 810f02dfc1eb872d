"""Ids of turns and items that repeat, or are missing: what they name is shown once each."""

from collections.abc import Iterable

import pytest

from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, TurnEnded
from tests.sources.transcripts.codex.rollouts import completed, event, facts_of, item, line, message, meta, of

PICTURE = {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}


def ids_and_texts(facts: Iterable[Fact], kind: type[Prompt | Reasoning | TurnEnded]) -> tuple[int, list[str]]:
    """Return how many ids the facts of a type have, and their texts."""
    found = of(kind, facts)
    return len({fact.id for fact in found}), [fact.text for fact in found]


def turn(number: int, turn_id: str = "t1", prompt_id: str = "") -> list[bytes]:
    typed = [{"type": "text", "text": f"Q{number}"}]
    return [
        event("task_started", turn_id=turn_id, second=number),
        completed("UserMessage", id=prompt_id or f"u{number}", content=typed, second=number),
        completed("AgentMessage", id=f"a{number}", content=[{"type": "Text", "text": "same"}], second=number),
        event("task_complete", turn_id=turn_id, last_agent_message="same", second=number),
    ]


def test_turns_with_one_id_each_have_their_answer() -> None:
    facts = facts_of([meta(), *turn(1), *turn(2), *turn(3)])

    assert ids_and_texts(facts, TurnEnded) == (3, ["same"] * 3)


def test_the_end_of_a_turn_that_is_written_twice_is_one() -> None:
    lines = turn(1)
    facts = facts_of([meta(), *lines, lines[-1].replace(b"17:39:01", b"17:39:02")])

    assert len({end.id for end in of(TurnEnded, facts)}) == 1


def test_prompts_with_one_id_are_distinguished_by_their_texts_and_turns() -> None:
    facts = facts_of([meta(), *turn(1, "t1", "u"), *turn(2, "t2", "u"), *turn(2, "t3", "u")])

    assert ids_and_texts(facts, Prompt) == (3, ["Q1", "Q2", "Q2"])


@pytest.mark.parametrize("identifier", ["rs_1", "", None, 7])
def test_reasoning_whose_items_share_an_id_or_have_none_is_emitted_once_each(identifier: object) -> None:
    def reasoning(text: str) -> list[bytes]:
        summary = [{"type": "summary_text", "text": text}]
        return [
            completed("Reasoning", id=identifier, summary_text=[text], raw_content=[]),
            item("reasoning", id=identifier, summary=summary, content=None, encrypted_content="gAAAsealed"),
        ]

    started = event("task_started", turn_id="t1")
    facts = facts_of([meta(), started, *reasoning("one"), *reasoning("two"), *reasoning("three")])

    assert ids_and_texts(facts, Reasoning) == (3, ["one", "two", "three"])


@pytest.mark.parametrize(
    "sent",
    [
        [
            item("message", role="user", content=[PICTURE]),
            completed("UserMessage", id="u", content=[{"type": "image"}]),
        ],
        [event("user_message", message="", images=["data:image/png;base64,AAAA"])],
        [event("user_message", message="", local_images=["/tmp/a.png"])],
    ],
)
def test_a_picture_without_words_is_a_prompt(sent: list[bytes]) -> None:
    facts = facts_of([meta(), line("turn_context", {"turn_id": "t1"}), *sent, message("assistant", "I see")])

    assert [prompt.text for prompt in of(Prompt, facts)] == ["[image]"]
