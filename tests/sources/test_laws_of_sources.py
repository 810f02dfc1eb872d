"""The laws of every source, kept by ours; and each planted fault is found by them."""

from collections.abc import Callable, Sequence
from typing import ClassVar

import pytest
from typing_extensions import override

from seqthink.sources.testing import Said, SampleRecord, SourceLaws
from seqthink.sources.testing.samples import Kind
from seqthink.sources.transcripts.edits.parsing import MAX_TEXT_CHARS
from seqthink.sources.transcripts.facts import Fact, FileEdit
from seqthink.sources.transcripts.registry import description_of
from seqthink.sources.transcripts.source import Source
from tests.support.depth import first, sized
from tests.support.transcripts.known.claude_agents import BackgroundClaudeWriter
from tests.support.transcripts.known.claude_files import ClaudeWriter
from tests.support.transcripts.known.cline_files import ClineWriter
from tests.support.transcripts.known.code_mode import CodeModeWriter
from tests.support.transcripts.known.codex_files import CodexWriter
from tests.support.transcripts.known.copilot_files import CopilotWriter
from tests.support.transcripts.known.gemini_files import GeminiWriter
from tests.support.transcripts.known.opencode_rows import KiloWriter, OpenCodeWriter
from tests.support.transcripts.known.pi_files import PiWriter
from tests.support.transcripts.known.qwen_files import QwenWriter
from tests.support.transcripts.planted import (
    OwnFileOnly,
    SizeOnly,
    at_one_time,
    backwards,
    editing,
    failing,
    guessing,
    in_milliseconds,
    losing_results,
    nameless,
    placeless,
    stale,
    timeless,
)
from tests.support.transcripts.samples import (
    FaultySource,
    doubling,
    known_session,
    losing,
    misplacing,
    sample_of,
    unchanged,
)

SHOWN = 12
"""How many texts the sample of each client has at least."""


class OurLaws(SourceLaws):
    examples = sized(10, 100)


class TestClaudeCode(OurLaws):
    description = description_of("claude")
    samples = (sample_of(ClaudeWriter(known_session())), sample_of(BackgroundClaudeWriter(known_session(2))))


class TestClineCli(OurLaws):
    description = description_of("cline")
    samples = (sample_of(ClineWriter(known_session())),)


class TestCodex(OurLaws):
    description = description_of("codex")
    samples = (sample_of(CodexWriter(known_session())), sample_of(CodeModeWriter(known_session(2))))


class TestCopilotCli(OurLaws):
    description = description_of("copilot")
    samples = (sample_of(CopilotWriter(known_session())),)


class TestGeminiCli(OurLaws):
    description = description_of("gemini")
    samples = (sample_of(GeminiWriter(known_session())),)


class TestKilo(OurLaws):
    description = description_of("kilo")
    samples = (sample_of(KiloWriter(known_session())),)


class TestOpenCode(OurLaws):
    description = description_of("opencode")
    samples = (sample_of(OpenCodeWriter(known_session())), sample_of(OpenCodeWriter(known_session(2, variant=1))))


class TestPi(OurLaws):
    description = description_of("pi")
    samples = (sample_of(PiWriter(known_session())),)


class TestQwenCode(OurLaws):
    description = description_of("qwen")
    samples = (sample_of(QwenWriter(known_session())), sample_of(QwenWriter(known_session(2, variant=7))))


LAWS = (
    *(TestClaudeCode, TestClineCli, TestCodex, TestCopilotCli, TestGeminiCli, TestKilo, TestOpenCode, TestPi),
    TestQwenCode,
)
Change = Callable[[], Callable[[Fact], Sequence[Fact]]]


def with_source(laws: type[SourceLaws], change: Callable[[Source], Source]) -> SourceLaws:
    """Return the laws of a source, for another one in its place."""

    class Faulty(laws):
        samples: ClassVar = laws.samples[:1]

        @override
        def make_source(self) -> Source:
            return change(super().make_source())

    return Faulty()


def with_fault(laws: type[SourceLaws], change: Change, *, keeps: bool = False) -> SourceLaws:
    """Return the laws of a source, for a copy of it with a fault."""
    return with_source(laws, lambda source: FaultySource(source, change, keeps=keeps))


@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.parametrize("fault", [losing, doubling, misplacing])
@pytest.mark.parametrize("place", first(3, range(SHOWN)))
def test_a_record_that_is_lost_doubled_or_of_the_wrong_agent_is_found(
    laws: type[SourceLaws], fault: Callable[[int], Callable[[Fact], Sequence[Fact]]], place: int
) -> None:
    with pytest.raises(AssertionError):
        with_fault(laws, lambda: fault(place)).test_nothing_is_lost_nothing_is_there_twice_and_all_is_under_its_agent()


# Cline's is not among them: a document is read as a whole, however often it is written again.
@pytest.mark.parametrize("laws", [laws for laws in LAWS if laws is not TestClineCli])
def test_a_source_that_keeps_all_that_it_reads_is_found(laws: type[SourceLaws]) -> None:
    with pytest.raises(AssertionError, match="bytes more"):
        with_fault(laws, unchanged, keeps=True).test_memory_does_not_grow_with_what_says_nothing()


@pytest.mark.parametrize("laws", LAWS)
def test_a_copy_without_a_fault_keeps_the_laws(laws: type[SourceLaws]) -> None:
    faultless = with_fault(laws, unchanged)

    faultless.test_nothing_is_lost_nothing_is_there_twice_and_all_is_under_its_agent()
    faultless.test_memory_does_not_grow_with_what_says_nothing()


@pytest.mark.parametrize("laws", LAWS)
def test_calls_that_are_left_open_or_end_otherwise_are_found(laws: type[SourceLaws]) -> None:
    with pytest.raises(AssertionError, match="unanswered 'sequentialthinking'"):
        with_fault(laws, losing_results).test_each_call_ends_as_its_client_wrote()
    with pytest.raises(AssertionError, match="failure 'sequentialthinking'"):
        with_fault(laws, failing).test_each_call_ends_as_its_client_wrote()


@pytest.mark.parametrize(("change", "kind"), [(losing_results, "unanswered"), (failing, "failure")])
def test_a_call_ends_as_the_sample_says(change: Change, kind: Kind) -> None:
    changed, as_before = with_fault(TestCopilotCli, change), with_fault(TestCopilotCli, unchanged)
    [sample] = changed.samples
    tools = [(said.agent, "sequentialthinking") for said in sample.said if said.kind == "thought"]
    ends = tuple(Said(agent, kind, tool) for agent, tool in [*tools, (None, "task")])
    type(changed).samples = type(as_before).samples = (
        sample._replace(records=[*sample.records, SampleRecord(sample.records[0].path, says=ends)]),
    )

    changed.test_each_call_ends_as_its_client_wrote()
    with pytest.raises(AssertionError, match="calls of the sample that end otherwise"):
        as_before.test_each_call_ends_as_its_client_wrote()


@pytest.mark.parametrize("laws", [laws for laws in LAWS if laws is not TestPi])  # Pi has no subagents
@pytest.mark.parametrize(("change", "words"), [(nameless, "without a name"), (placeless, "has_agent_calls=False")])
def test_an_agent_without_a_name_or_a_place_is_found(laws: type[SourceLaws], change: Change, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        with_fault(laws, change).test_each_agent_has_a_name_and_the_call_that_started_it()


def test_a_client_may_not_write_which_call_started_an_agent() -> None:
    faulty = with_fault(TestGeminiCli, placeless)
    type(faulty).samples = tuple(sample._replace(has_agent_calls=False) for sample in faulty.samples)

    faulty.test_each_agent_has_a_name_and_the_call_that_started_it()


@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.parametrize("change", [stale, guessing])
def test_a_use_of_the_context_that_is_old_or_guessed_is_found(laws: type[SourceLaws], change: Change) -> None:
    with pytest.raises(AssertionError, match="the newest ContextUsed of each agent"):
        with_fault(laws, change).test_each_agent_uses_of_its_context_what_its_client_wrote()


@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (timeless, "not in microseconds"),
        (in_milliseconds, "not in microseconds"),
        (at_one_time, "all has one time"),
        (backwards, "do not increase"),
    ],
)
def test_times_that_are_missing_or_not_those_of_the_records_are_found(
    laws: type[SourceLaws], change: Change, words: str
) -> None:
    with pytest.raises(AssertionError, match=words):
        with_fault(laws, change).test_each_fact_has_the_time_of_its_record()


@pytest.mark.parametrize("laws", first(2, LAWS))
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (editing(FileEdit(path="a.py", kind="edit")), "edits that the client did not write"),
        (editing(FileEdit(path="a.py", kind="edit"), fails=True), "has edits"),
        (editing(FileEdit(path="a.py", kind="write", after="x" * (MAX_TEXT_CHARS + 1))), "too long"),
        (editing(FileEdit(path="", kind="write", after="x")), "a path of 0 characters"),
        (editing(FileEdit(path="a.py", kind="write", after="x", line=0)), "lines count from 1"),
    ],
)
def test_edits_that_are_made_up_unbounded_or_of_failed_calls_are_found(
    laws: type[SourceLaws], change: Change, words: str
) -> None:
    with pytest.raises(AssertionError, match=words):
        with_fault(laws, change).test_edits_are_bounded_and_belong_to_calls_that_did_not_fail()


@pytest.mark.parametrize("laws", [TestClaudeCode, TestCodex, TestGeminiCli])
def test_a_session_that_is_listed_as_it_was_though_a_subagent_wrote_is_found(laws: type[SourceLaws]) -> None:
    with pytest.raises(AssertionError, match="is listed as it was"):
        with_source(laws, OwnFileOnly).test_a_session_of_which_one_file_grew_is_listed_as_changed_and_read_on()


@pytest.mark.parametrize("laws", [TestClaudeCode, TestCodex, TestCopilotCli, TestGeminiCli])
def test_a_source_that_knows_a_replaced_file_by_its_size_only_is_found(laws: type[SourceLaws]) -> None:
    faulty = with_source(laws, SizeOnly)

    faulty.test_a_file_that_was_replaced_is_read_from_its_beginning()
    with pytest.raises(AssertionError, match="nothing says that the file was replaced"):
        faulty.test_a_file_that_was_replaced_by_an_equally_long_one_is_read_from_its_beginning()


def test_a_sample_of_which_nothing_may_be_damaged_says_what_to_do() -> None:
    laws = with_fault(TestGeminiCli, unchanged)
    [sample] = laws.samples
    records = [record._replace(is_fragile=True) for record in sample.records]
    type(laws).samples = (sample._replace(records=records),)

    with pytest.raises(AssertionError, match="leave `is_fragile` out"):
        laws.test_damage_costs_no_more_than_what_is_damaged_and_is_counted()
