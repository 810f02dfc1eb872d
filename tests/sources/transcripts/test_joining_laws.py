"""Nothing twice, nothing lost, each journal in its order, however all that comes is cut and interleaved."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from seqthink.journal.decode import decode
from seqthink.sources.transcripts.facts import Fact
from seqthink.sources.transcripts.spool import encoded
from seqthink.sources.transcripts.translation import Draft
from tests.support.transcripts.joined import LATE, Joined, Journal, call, prompt, result, thought


class Step(NamedTuple):
    """A call, and where it is known."""

    text: str
    agent: str | None
    journal: int | None
    """In which of our journals it is."""
    is_in_transcript: bool
    is_refused: bool
    is_answered: bool
    has_note: bool
    delay: int
    """By how much later than the call its line was written."""


STEPS = st.builds(
    Step,
    text=st.sampled_from(["x", "y"]),
    agent=st.sampled_from([None, "a", "b"]),
    journal=st.sampled_from([None, 0, 0, 1]),
    is_in_transcript=st.sampled_from([True, True, False]),
    is_refused=st.sampled_from([False, False, True]),
    is_answered=st.sampled_from([True, True, False]),
    has_note=st.booleans(),
    delay=st.integers(0, 40),
)


class Story:
    """What a transcript and two journals say of some calls."""

    def __init__(self, steps: Sequence[Step], *, has_ids: bool) -> None:
        facts: list[Fact] = [prompt("p", time=0)]
        lines: list[list[tuple[int, str, dict[str, Any]]]] = [[], []]
        self.in_journals: Counter[object] = Counter()
        self.in_transcript: Counter[object] = Counter()
        self.agents: dict[str, str | None] = {}
        for place, step in enumerate(steps):
            name, time = f"c{place}", 10 * place + 1
            arguments = thought(step.text, "abc" if step.is_refused else 1)
            key = name if has_ids else (step.text, step.is_refused)
            if step.is_in_transcript:
                self.in_transcript[key] += 1
                self.agents[name] = step.agent
                facts.append(call(name, arguments, time=time, agent=step.agent))
                if step.is_answered:
                    ended = time + step.delay + 5
                    facts.append(result(name, time=ended, agent=step.agent, is_error=step.is_refused))
            if step.journal is not None:
                self.in_journals[key] += 1
                known: dict[str, Any] = {"hint": name} | ({"call": name} if has_ids else {})
                body = {"error": "ours", "arguments": arguments} if step.is_refused else arguments
                kind = "rejected" if step.is_refused else "thought"
                lines[step.journal].append((time + step.delay, kind, body | known))
                if step.has_note and not step.is_refused:
                    lines[step.journal].append((time + step.delay, "note", {"id": name, "text": "t"}))
        self.facts = sorted(facts, key=lambda fact: fact.time)
        self.journals = [Journal(0), Journal(1)]
        for journal, found in zip(self.journals, lines, strict=True):
            for time, kind, body in sorted(found, key=lambda one: one[0]):
                journal.add(kind, time, **body | ({"of": len(journal.lines)} if kind == "note" else {}))

    @property
    def hints(self) -> list[list[str]]:
        return [[line.fields["hint"] for line in journal.lines if "hint" in line.fields] for journal in self.journals]

    def check(self, drafts: list[Draft]) -> None:
        """Fail unless each call is there once, each journal in its order, and each note at its thought."""
        found = Counter(
            (draft.fields["call"] if has_call else "")
            for draft in drafts
            if draft.kind in {"thought", "rejected"} and (has_call := "call" in draft.fields)
        )
        assert max(found.values(), default=1) == 1
        for journal, hints in enumerate(self.hints):
            given = [draft.fields["hint"] for draft in drafts if draft.fields.get("hint") in hints]
            assert given == [hint for hint in hints if hint in given], f"journal {journal}"
        for note in (draft for draft in drafts if draft.kind == "note"):
            place: int = note.fields["of"]
            assert drafts[place - 1].kind == "thought"
        for seq, line in enumerate(encoded(drafts, 1).splitlines(), 1):
            assert decode(line).v == 1
            assert drafts[seq - 1].fields.get("of", 0) < seq

    def check_count(self, drafts: list[Draft], *, has_ids: bool) -> None:
        expected = self.in_journals | self.in_transcript  # the larger number of both: equal calls are the same
        found: Counter[object] = Counter()
        for draft in drafts:
            if draft.kind in {"thought", "rejected"}:
                given = draft.fields if draft.kind == "thought" else draft.fields["arguments"]
                found[draft.fields["call"] if has_ids else (given["thought"], draft.kind == "rejected")] += 1
        assert found == expected
        notes = sum(line.kind == "note" for journal in self.journals for line in journal.lines)
        assert sum(draft.kind == "note" for draft in drafts) == notes


@given(steps=st.lists(STEPS, max_size=12), has_ids=st.booleans())
def test_when_all_is_there_at_once_every_call_is_given_once_and_our_line_leads(
    steps: list[Step], *, has_ids: bool
) -> None:
    story = Story(steps, has_ids=has_ids)
    it = Joined(2).take(story.facts, [line for journal in story.journals for line in journal.lines]).flush()

    story.check(it.drafts)
    story.check_count(it.drafts, has_ids=has_ids)
    assert not it.joined.is_misplaced
    hints = [draft.fields["hint"] for draft in it.drafts if "hint" in draft.fields]
    assert sorted(hints) == sorted(hint for journal in story.hints for hint in journal)
    if has_ids:
        for draft in it.drafts:
            if "hint" in draft.fields:
                assert draft.fields.get("agent") == story.agents.get(draft.fields["hint"])


@given(
    steps=st.lists(STEPS, max_size=12),
    looks=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.booleans(), st.booleans())),
    has_ids=st.booleans(),
)
def test_however_it_comes_every_call_is_given_once(
    steps: list[Step], looks: list[tuple[int, int, int, bool, bool]], *, has_ids: bool
) -> None:
    story = Story(steps, has_ids=has_ids)
    it = Joined(2)
    facts, lines = list(story.facts), [list(journal.lines) for journal in story.journals]
    for fact_count, first_count, second_count, at_end, is_late in [*looks, (99, 99, 99, True, True)]:
        taken = lines[0][:first_count] + lines[1][:second_count]
        it.take(facts[:fact_count], taken, now=LATE if is_late else 0, at_end=at_end)
        facts, lines = facts[fact_count:], [lines[0][first_count:], lines[1][second_count:]]
    it.flush()

    story.check(it.drafts)
    story.check_count(it.drafts, has_ids=has_ids)
