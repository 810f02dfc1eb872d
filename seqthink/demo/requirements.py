"""What has to be installed before a story with audits can be told."""

import shutil

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.internal import missing_packages
from seqthink.audit.judges.languages import INSTALL_HINT
from seqthink.demo.story import DemoStory


def missing_requirements(story: DemoStory) -> str:
    """Return what is needed and how to get it, "" if all is there."""
    absent = missing_packages(CodeUnit(path=name, text="") for step in story.steps for name in step.files)
    if absent:
        return f"{', '.join(absent)} is needed: {INSTALL_HINT}"
    return "" if shutil.which("git") else "git is needed"
