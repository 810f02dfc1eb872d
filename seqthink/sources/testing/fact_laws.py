"""What holds for the facts of every source: how calls end, whose lane is where, and when everything happened."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import ClassVar, Final

from seqthink.sources.testing.homes import ALL, new_home
from seqthink.sources.testing.samples import Said, Sample
from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription
from seqthink.sources.transcripts.edits.parsing import MAX_PATH_CHARS, MAX_TEXT_CHARS
from seqthink.sources.transcripts.edits.recorded import MAX_COMMAND_CHARS, MAX_EDITS, edits_done
from seqthink.sources.transcripts.facts import AgentStarted, ContextUsed, Fact, Result, ToolCall
from seqthink.sources.transcripts.source import Source

_FIRST_TIME: Final = 946_684_800_000_000
_LAST_TIME: Final = 4_102_444_800_000_000
"""The years 2000 and 2100: a time in another unit than microseconds is outside."""


class FactLaws:
    """The laws of what a source returns, before anything is made of it."""

    description: ClassVar[SourceDescription]
    """Of the source."""
    samples: ClassVar[Sequence[Sample]]
    """Sessions as its client writes them; all of them together have different ids."""
    environ: ClassVar[Mapping[str, str]] = {}
    """The environment, if the source needs one."""

    def make_source(self) -> Source:
        """Return a new source."""
        return self.description.make_source(ReadingTerms())

    def test_each_call_ends_as_its_client_wrote(self) -> None:
        """An answered call is not left open, and one that failed is not done."""
        for sample in self.samples:
            facts = self._facts(sample)
            calls = {fact.id: fact for fact in reversed(facts) if isinstance(fact, ToolCall)}
            results = {fact.id: fact for fact in reversed(facts) if isinstance(fact, Result)}
            answered = {name for name, result in results.items() if not result.is_lost}
            failed = {name for name, result in results.items() if result.is_error}
            shown = {Said(call.agent, "unanswered", call.tool) for name, call in calls.items() if name not in answered}
            shown |= {Said(call.agent, "failure", call.tool) for name, call in calls.items() if name in failed}
            wrong = [f"{said.kind} {said.text!r}" for said in shown - sample.ends]
            missing = [f"{said.kind} {said.text!r}" for said in sample.ends - shown]
            assert not wrong, f"calls that end otherwise in the sample: {', '.join(sorted(wrong))}"
            assert not missing, f"calls of the sample that end otherwise: {', '.join(sorted(missing))}"

    def test_each_agent_has_a_name_and_the_call_that_started_it(self) -> None:
        """Without them its lane is called by its id, and begins at a place that is only guessed."""
        for sample in self.samples:
            facts = self._facts(sample)
            calls = {fact.id for fact in facts if isinstance(fact, ToolCall)}
            started = [fact for fact in facts if isinstance(fact, AgentStarted)]
            named = {fact.id for fact in started if fact.name}
            placed = {fact.id for fact in started if fact.call in calls}
            agents = {said.agent for said in sample.said if said.agent is not None}
            assert agents <= named, f"agents without a name in an AgentStarted: {sorted(agents - named)}"
            assert not sample.has_agent_calls or agents <= placed, (
                f"agents whose AgentStarted names no ToolCall as `call`: {sorted(agents - placed)}; if the client does "
                "not write it, give the sample has_agent_calls=False"
            )

    def test_each_agent_uses_of_its_context_what_its_client_wrote(self) -> None:
        """A figure under another agent, of an older answer, or without a record would be shown as true."""
        for sample in self.samples:
            used = {fact.agent: fact for fact in self._facts(sample) if isinstance(fact, ContextUsed)}
            shown = {agent: (fact.tokens, fact.window) for agent, fact in used.items()}
            assert shown == dict(sample.contexts), (
                f"the newest ContextUsed of each agent, as tokens and window: {shown}; the sample has {sample.contexts}"
            )

    def test_each_fact_has_the_time_of_its_record(self) -> None:
        """Times say how long a thought took, and put the agents of a session in order."""
        for sample in self.samples:
            facts = self._facts(sample)
            odd = [fact for fact in facts if not _FIRST_TIME < fact.time < _LAST_TIME]
            assert not odd, f"not in microseconds since 1970: {odd[0].time:,}, the time of {odd[0]}"
            for agent in {fact.agent for fact in facts}:
                times = [fact.time for fact in facts if fact.agent == agent and not isinstance(fact, AgentStarted)]
                assert times == sorted(times), f"the times of the agent {agent} do not increase: {times}"
            assert facts[0].time < facts[-1].time, "all has one time: take it from each record, and let those differ"

    def test_edits_are_bounded_and_belong_to_calls_that_did_not_fail(self) -> None:
        """What a call changed in files is there once, whichever records of the call say it."""
        for sample in self.samples:
            facts = self._facts(sample)
            calls = {fact.id: fact for fact in reversed(facts) if isinstance(fact, ToolCall)}
            results = {fact.id: fact for fact in facts if isinstance(fact, Result)}
            for fact in facts:
                if isinstance(fact, ToolCall | Result):
                    _require_sound_edits(fact, calls)
            done = Counter(
                Said(call.agent, "edit", edit.path)
                for name, call in calls.items()
                for edit in edits_done(call, results.get(name))
            )
            true = Counter(sample.edits)
            assert done == true, f"edits that the client did not write: {done - true}; not reported: {true - done}"

    def _facts(self, sample: Sample) -> list[Fact]:
        """Return what is read of a sample, written whole."""
        source = self.make_source()
        with new_home(source, self.environ) as home:
            home.write_all(sample.records)
            with closing(source.open(home.session(sample.session))) as feed:
                facts: list[Fact] = []
                at_end = False
                while not at_end:
                    batch = feed.read(ALL)
                    facts += batch.facts
                    at_end = batch.at_end
                return facts + feed.settle()


def _require_sound_edits(fact: ToolCall | Result, calls: Mapping[str, ToolCall]) -> None:
    """Raise unless the edits of a fact are what `FileEdit` says."""
    assert len(fact.edits) <= MAX_EDITS, f"{len(fact.edits)} edits of the call {fact.id!r}"
    assert not (isinstance(fact, Result) and fact.is_error and fact.edits), f"the failed call {fact.id!r} has edits"
    assert not fact.edits or fact.id in calls, f"edits of {fact.id!r}, which is not a call"
    same = calls[fact.id].edits if fact.id in calls and isinstance(fact, ToolCall) else fact.edits
    assert list(fact.edits) == list(same), f"two records of the call {fact.id!r} have different edits"
    for edit in fact.edits:
        assert 0 < len(edit.path) <= MAX_PATH_CHARS, f"a path of {len(edit.path)} characters in {fact.id!r}"
        assert all(len(text or "") <= MAX_TEXT_CHARS for text in (edit.before, edit.after)), f"too long: {edit.path}"
        assert edit.line is None or edit.line > 0, f"lines count from 1: {edit.path} has {edit.line}"
    assert isinstance(fact, Result) or len(fact.command) <= MAX_COMMAND_CHARS, f"the command of {fact.id!r} is too long"
