"""Recorded transcripts as journals, for scenes: what the viewer shows of a session without a server of ours."""

import functools
import re
import tempfile
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.facts import ContextUsed
from seqthink.sources.transcripts.registry import load_source
from seqthink.sources.transcripts.spool import encoded, spool_name
from seqthink.sources.transcripts.translation import SessionNames, Translator
from tests.support.journals.build import JournalBuilder
from tests.support.transcripts.recorded import lay_out

_WORK: Final = "/home/ada/work"
_WHOLE: Final = 1 << 30
_MARKER: Final = re.compile(rb" \(play: [a-z-]+\)")
"""How a prompt names its part of the script."""


@functools.cache
def _lines(run: str) -> tuple[bytes, ...]:
    source = load_source(run.partition("/")[0])
    with tempfile.TemporaryDirectory() as folder:
        home = lay_out(run, Path(folder))
        [found] = source.find(source.folder({}, home), 10)
        feed = source.open(found)
        try:
            batch = feed.read(_WHOLE)
        finally:
            feed.close()
    translator = Translator(SessionNames(spool_name(found), found.source, found.id, source.label))
    # The scripted model counts two tokens for each answer, which no real context has.
    facts = [fact for fact in batch.facts if not isinstance(fact, ContextUsed)]
    data = encoded(translator.translate(facts), 1)
    return tuple(_MARKER.sub(b"", line) for line in data.splitlines(keepends=True))


def transcript_of(run: str, cwd: str = _WORK) -> JournalBuilder:
    """Return the journal of a recorded run such as ``claude/three-agents``, without the script's markers.

    It was run in ``/home/ada/work``, for which ``cwd`` stands then.
    """
    builder = JournalBuilder()
    for line in _lines(run):
        builder.raw(line.replace(f'"{_WORK}"'.encode(), f'"{cwd}"'.encode()))
    return builder


def three_agents() -> JournalBuilder:
    """Return a session of Claude Code with three subagents at once, in which nothing of ours took part."""
    return transcript_of("claude/three-agents", cwd="/home/ada/mailer")
