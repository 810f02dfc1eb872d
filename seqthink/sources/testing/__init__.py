"""The laws of every source as tests, for those who write one (docs/sources/adding-a-source.md)."""

from importlib.util import find_spec

if find_spec("hypothesis") is None:
    raise ImportError("seqthink.sources.testing needs pytest and hypothesis: pip install pytest hypothesis")

from seqthink.sources.testing.laws import SourceLaws
from seqthink.sources.testing.samples import Said, Sample, SampleRecord

__all__ = ["Said", "Sample", "SampleRecord", "SourceLaws"]
