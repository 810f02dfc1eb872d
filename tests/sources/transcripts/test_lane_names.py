"""No two agents of a session have the same name, whichever client they are of."""

import pytest

from seqthink.sources.transcripts.facts import AgentStarted, SessionDescribed
from seqthink.sources.transcripts.lane_names import LaneNames, task_name
from seqthink.sources.transcripts.translation import SessionNames, Translator


def test_agents_of_one_name_are_numbered_in_the_order_in_which_they_came() -> None:
    facts = [
        SessionDescribed(id="s", time=1),
        AgentStarted(id="a", time=2, name="generalist"),
        AgentStarted(id="b", time=3, name="generalist"),
        AgentStarted(id="b", time=4, name="generalist", model="m"),
        AgentStarted(id="c", time=5, name="generalist 2"),
    ]

    drafts = Translator(SessionNames("gemini-s", "gemini", "s", "Gemini CLI")).translate(facts)

    names = [(draft.fields["id"], draft.fields["name"]) for draft in drafts if draft.kind == "agent"]
    assert names == [("a", "generalist"), ("b", "generalist 2"), ("b", "generalist 2"), ("c", "generalist 2 2")]


def test_an_agent_keeps_the_name_that_it_had_when_the_session_was_imported_before() -> None:
    names = LaneNames({"a": "generalist", "b": "generalist 2", "x": None})

    assert [names.of(agent, "generalist") for agent in ("b", "a", "c", "b")] == [
        "generalist 2",
        "generalist",
        "generalist 3",
        "generalist 2",
    ]


@pytest.mark.parametrize(
    ("kind", "task", "prompt", "name"),
    [
        ("general-purpose", "read the log", "Read the access log", "read the log"),
        ("general-purpose", "two\n lines", "", "two lines"),
        ("generalist", "", "# Task\n\nRead it", "Task"),
        ("generalist", "", "words " * 40, f"{'words ' * 12}words…"),
        ("generalist", "", "看" * 200, f"{'看' * 79}…"),
        ("general-purpose", "", "", "general-purpose"),
        ("", "", "", None),
    ],
)
def test_a_subagent_is_called_by_its_task_and_by_its_type_only_where_no_task_is_known(
    kind: str, task: str, prompt: str, name: str | None
) -> None:
    assert task_name(kind, task, prompt) == name
