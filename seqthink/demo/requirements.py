"""What has to be installed before a story with audits can be told."""

import shutil

from seqthink.audit.judges.internal import lacking
from seqthink.audit.judges.languages import EXTRA
from seqthink.audit.sources import Source
from seqthink.demo.story import DemoStory


def missing_requirements(story: DemoStory) -> str:
    """Return what is needed and how to get it, "" if all is there."""
    absent = lacking(Source(path=name, text="") for step in story.steps for name in step.files)
    if absent:
        return f"{', '.join(absent)} is needed: {EXTRA}"
    return "" if shutil.which("git") else "git is needed"
