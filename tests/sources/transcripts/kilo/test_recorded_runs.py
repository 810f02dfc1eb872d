from pathlib import Path

from seqthink.sources.transcripts.choosing import sessions_of_file
from seqthink.sources.transcripts.facts import AgentStarted, Fact, SessionDescribed, ToolCall, TurnEnded
from seqthink.sources.transcripts.kilo.source import KiloSource
from seqthink.sources.transcripts.tool_names import is_thinking_tool
from tests.support.transcripts.recorded import lay_out


def facts_in(home: Path) -> list[Fact]:
    source = KiloSource()
    [found] = source.find(source.folder({}, home), 10)
    assert found.source == "kilo"
    feed, facts, at_end = source.open(found), list[Fact](), False
    while not at_end:
        batch = feed.read(1 << 20)
        facts += batch.facts
        at_end = batch.at_end
    feed.close()
    return facts


def test_the_copies_of_subagents_that_a_fork_begins_with_are_shown_once(tmp_path: Path) -> None:
    facts = facts_in(lay_out("kilo/agents", tmp_path))

    names = sorted(one.name or "" for one in facts if isinstance(one, AgentStarted) and one.name)
    thoughts = {fact.id for fact in facts if isinstance(fact, ToolCall) and is_thinking_tool(fact.tool)}
    forks = {fact.id for fact in facts if isinstance(fact, SessionDescribed) and fact.forked_from}
    assert set(names) == {"read the log", "read the schedule"}
    assert len({one.id for one in facts if isinstance(one, AgentStarted)} - forks) == 2
    assert len(thoughts) == 11  # of them one is refused, and one is the fork's
    assert [fact.text for fact in facts if isinstance(fact, TurnEnded) and fact.agent in forks] == [
        "Then make the pool bigger."
    ]


def test_a_database_is_known_by_its_tables_whatever_its_name(tmp_path: Path) -> None:
    kilo = lay_out("kilo/agents", tmp_path / "kilo") / ".local" / "share" / "kilo" / "kilo.db"
    other = lay_out("opencode/agents", tmp_path / "other") / ".local" / "share" / "opencode" / "opencode.db"
    renamed = [path.rename(path.with_name("x.db")) for path in (kilo, other)]

    assert [sessions_of_file(str(path))[0].source.name for path in renamed] == ["kilo", "opencode"]
