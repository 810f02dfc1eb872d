import pytest

from seqthink.sources.transcripts.codex.records import RolloutReader
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Reasoning
from tests.sources.transcripts.codex.rollouts import completed, event, facts_in, facts_of, item, message, meta, of

TEXT = "**Looking**\n\nat the log"
EVENT = event("agent_reasoning", text=TEXT)
ITEM = item("reasoning", id="rs", summary=[{"type": "summary_text", "text": TEXT}], encrypted_content="gAAA")
SEALED = item("reasoning", id="rs", summary=[], content=None, encrypted_content="gAAA")
DONE = completed("Reasoning", id="rs", summary_text=[TEXT], raw_content=[])
DONE_EMPTY = completed("Reasoning", id="rs", summary_text=[], raw_content=[])
ANSWER = message("assistant", "so")


@pytest.mark.parametrize(
    "records",
    [
        [ITEM],
        [DONE],
        [DONE, ITEM],
        [ITEM, DONE],
        [EVENT, ITEM],
        [ITEM, EVENT],
        [EVENT, DONE, ITEM],
        [DONE_EMPTY, ITEM],
        [SEALED, DONE],
        [EVENT, SEALED],
        [SEALED, EVENT],
        [item("reasoning", id="rs", summary=[], content=[{"type": "reasoning_text", "text": TEXT}])],
    ],
)
def test_an_item_in_several_records_is_emitted_once_with_its_text(records: list[bytes]) -> None:
    reasonings = of(Reasoning, facts_of([meta(), *records, ANSWER]))

    assert [(one.id, one.text) for one in reasonings] == [("rs", TEXT)]


@pytest.mark.parametrize("records", [[SEALED], [DONE_EMPTY], [DONE_EMPTY, SEALED]])
def test_a_sealed_item_is_emitted_without_text_once_the_next_record_comes(records: list[bytes]) -> None:
    before = of(Reasoning, facts_of([meta(), *records]))
    after = of(Reasoning, facts_of([meta(), *records, ANSWER]))

    assert before == []
    assert [(one.id, one.text) for one in after] == [("rs", "")]


def test_each_of_a_run_of_sealed_items_is_emitted() -> None:
    lines = [item("reasoning", id=f"rs{n}", summary=[], encrypted_content="gAAA") for n in range(3)]

    assert [one.id for one in of(Reasoning, facts_of([meta(), *lines, ANSWER]))] == ["rs0", "rs1", "rs2"]


def test_the_parts_of_a_summary_are_one_text() -> None:
    events = [event("agent_reasoning", text=text) for text in ("one", "two")]
    whole = item("reasoning", id="rs", summary=[{"text": "one"}, {"text": "two"}])

    both = of(Reasoning, facts_of([meta(), *events, whole, ANSWER]))
    only_events = of(Reasoning, facts_of([meta(), *events, ANSWER]))

    assert [(one.id, one.text) for one in both] == [("rs", "one\n\ntwo")]
    assert [one.text for one in only_events] == ["one\n\ntwo"]


def test_items_without_an_id_get_one_from_what_is_sealed_in_them() -> None:
    lines = [item("reasoning", summary=[], encrypted_content=text) for text in ("gA", "gB")]

    first, second = ([one.id for one in of(Reasoning, facts_of([meta(), *lines, ANSWER]))] for _ in range(2))

    assert first == second
    assert len(set(first)) == 2


def test_the_time_that_an_item_took_is_emitted() -> None:
    fields = {"type": "Reasoning", "id": "rs", "summary_text": [TEXT]}
    record = event("item_completed", item=fields, started_at_ms=1_795_369_140_000, completed_at_ms=1_795_369_142_500)

    assert [one.duration_ms for one in of(Reasoning, facts_of([meta(), record]))] == [2500.0]


def test_a_text_behind_an_item_without_one_is_emitted_once() -> None:
    sealed = item("reasoning", summary=[], encrypted_content="gAAA")
    whole = item("reasoning", summary=[{"type": "summary_text", "text": TEXT}], encrypted_content="gAAA")

    assert sorted(one.text for one in of(Reasoning, facts_of([meta(), sealed, EVENT, whole, ANSWER]))) == ["", TEXT]


@pytest.mark.parametrize("records", [[EVENT, ITEM], [EVENT, DONE], [EVENT, DONE, ITEM], [EVENT, SEALED]])
def test_an_item_whose_text_was_emitted_while_nothing_came_is_not_emitted_again(records: list[bytes]) -> None:
    reader = RolloutReader(ReadCounts(), None)
    early = [*facts_in(reader, [meta(), records[0]]), *reader.settle()]
    late = facts_in(reader, [*records[1:], ANSWER])

    assert [one.text for one in of(Reasoning, early)] == [TEXT]
    assert of(Reasoning, late) == []


def test_the_parts_that_come_after_a_pause_are_emitted_without_those_before_it() -> None:
    first, second = (event("agent_reasoning", text=text) for text in ("one", "two"))
    whole = item("reasoning", id="rs", summary=[{"text": "one"}, {"text": "two"}])
    reader = RolloutReader(ReadCounts(), None)
    facts = [*facts_in(reader, [meta(), first]), *reader.settle(), *facts_in(reader, [second, whole, ANSWER])]

    assert [one.text for one in of(Reasoning, facts)] == ["one", "two"]


def test_a_text_whose_item_cannot_be_read_is_emitted_beside_the_item_that_follows() -> None:
    events = [event("agent_reasoning", text=text) for text in ("one", "two")]
    facts = facts_of([*events, item("reasoning", id="rs_2", summary=[{"type": "summary_text", "text": "two"}])])

    assert [fact.text for fact in of(Reasoning, facts)] == ["one", "two"]
