"""What must be installed to tell a story with audits."""

import shutil

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.internal import missing_packages
from seqthink.audit.judges.languages import INSTALL_HINT
from seqthink.demo.story import DemoStory


def missing_requirements(story: DemoStory) -> str:
    """Return what is missing and how to get it; empty if nothing."""
    absent = missing_packages(CodeUnit(path=name, text="") for step in story.steps for name in step.files)
    if absent:
        return f"{', '.join(absent)} is needed: {INSTALL_HINT}"
    return "" if shutil.which("git") else "git is needed"
