from seqthink.sources.transcripts.facts import Fact, Prompt, SessionDescribed, ToolCall, TurnEnded
from seqthink.sources.transcripts.opencode.ordering import FactOrder, TaskEnded


def test_facts_come_in_the_order_of_their_time_and_then_of_their_arrival() -> None:
    order = FactOrder()
    order.add(
        [ToolCall(id="b", time=2, tool="x"), ToolCall(id="c", time=2, tool="x"), ToolCall(id="a", time=1, tool="x")]
    )

    assert [fact.id for fact in order.release()] == ["a", "b", "c"]


def test_what_may_have_something_before_it_waits() -> None:
    order = FactOrder()
    order.add([ToolCall(id="late", time=9, tool="x"), ToolCall(id="early", time=2, tool="x")])

    assert [fact.id for fact in order.release(until=5)] == ["early"]
    order.add([ToolCall(id="between", time=6, tool="x")])
    assert [fact.id for fact in order.release()] == ["between", "late"]


def test_what_the_session_is_comes_first_and_what_a_fork_is_comes_in_its_time() -> None:
    order = FactOrder()
    fork = SessionDescribed(id="fork", agent="fork", time=5)
    order.add([Prompt(id="p", time=1, text=""), fork, SessionDescribed(id="root", time=7)])

    assert [fact.id for fact in order.release()] == ["root", "p", "fork"]


def test_a_task_ends_a_subagent_once() -> None:
    order = FactOrder()
    order.add([Prompt(id="p", agent="a", time=1, text=""), TaskEnded(id="t", agent="a", time=3)])
    assert [type(fact) for fact in order.release()] == [Prompt, TurnEnded]

    order.add([TaskEnded(id="t2", agent="a", time=4)])
    assert order.release() == []


def test_a_subagent_that_said_so_itself_is_not_ended_again() -> None:
    order = FactOrder()
    own = TurnEnded(id="own", agent="a", time=2, text="done")
    order.add([Prompt(id="p", agent="a", time=1, text=""), TaskEnded(id="t", agent="a", time=3), own])

    assert [fact.id for fact in order.release()] == ["p", "own"]


def test_a_task_whose_end_has_no_time_ends_its_subagent_after_all_that_the_subagent_did() -> None:
    def ended(*facts: Fact) -> list[tuple[str, int]]:
        order = FactOrder()
        order.add([Prompt(id="p", agent="a", time=5, text=""), TaskEnded(id="t", agent="a", time=1, is_dated=False)])
        early = order.release(until=5)
        order.add(facts)
        return [(fact.id, fact.time) for fact in [*early, *order.release()]]

    assert ended(ToolCall(id="c", agent="a", time=7, tool="x")) == [("p", 5), ("c", 7), ("t", 7)]
    assert ended(TurnEnded(id="own", agent="a", time=8)) == [("p", 5), ("own", 8)]
