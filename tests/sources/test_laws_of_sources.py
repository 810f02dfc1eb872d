"""The laws of every source, kept by ours; and each planted fault is found by them."""

from collections.abc import Callable, Sequence
from typing import ClassVar

import pytest
from typing_extensions import override

from seqthink.sources.testing import SourceLaws
from seqthink.sources.transcripts.facts import Fact
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


def with_fault(laws: type[SourceLaws], change: Change, *, keeps: bool = False) -> SourceLaws:
    """Return the laws of a source, for a copy of it with a fault."""

    class Faulty(laws):
        samples: ClassVar = laws.samples[:1]

        @override
        def make_source(self) -> Source:
            return FaultySource(super().make_source(), change, keeps=keeps)

    return Faulty()


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
