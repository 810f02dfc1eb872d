"""The judge without a model: everything that can be said of code by reading it."""

from collections.abc import Iterable, Sequence
from typing import Final

import anyio.to_thread
from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.judges.languages import EXTRA, dialects, language_of, missing
from seqthink.audit.judges.lines import lines
from seqthink.audit.judges.python import RuffError, python, ruff
from seqthink.audit.judges.reading import Reading, read
from seqthink.audit.judges.secrets import secrets
from seqthink.audit.judges.smells import smells
from seqthink.audit.judges.syntax import syntax
from seqthink.audit.review import Card, Finding, card
from seqthink.audit.sources import Source

MODEL: Final = "internal"
MOST_FINDINGS: Final = 40
MOST_LETTERS: Final = 256 << 10
"""So much of a source is judged."""


class _Seen(Struct, frozen=True):
    """What a source came to without another process, and how it was read, where ruff is to go on."""

    findings: list[Finding]
    for_ruff: Reading | None = None


async def judge(sources: Sequence[Source], more: Sequence[Finding] = ()) -> Card:
    """Return the opinion on ``sources``, the same for the same; ``more`` are others' findings, e.g. on a diff."""
    absent = lacking(sources)
    notes = [f"To be judged fully, {', '.join(absent)} is needed: {EXTRA}."] if absent else []
    found = list(more)
    for source in sources:
        found += await _judged(source, absent, notes)
    told = _once(found)
    if len(told) > MOST_FINDINGS:
        notes.append(f"{len(told) - MOST_FINDINGS} more to look at, not listed.")
    return card(MODEL, told[:MOST_FINDINGS], " ".join(dict.fromkeys(notes)))


def lacking(sources: Iterable[Source]) -> list[str]:
    """Return which packages have to be installed before all of ``sources`` can be judged."""
    languages = [language for source in sources if dialects(language := language_of(source))]
    names = missing(languages) if languages else []
    return [*names, "ruff"] if "python" in languages and ruff() is None else names


async def _judged(whole: Source, absent: Sequence[str], notes: list[str]) -> list[Finding]:
    """Return what is to be said of a source, of what is new in it; ``notes`` gets what could not be judged."""
    source = whole
    if len(whole.text) > MOST_LETTERS:
        source = replace(whole, text=whole.text[:MOST_LETTERS], is_whole=False)
        notes.append(f"Of {whole.path} only the first {MOST_LETTERS:,} characters were judged.")
    seen = await anyio.to_thread.run_sync(_look, source, tuple(absent), abandon_on_cancel=True)
    found = list(seen.findings)
    if seen.for_ruff is not None:
        try:
            found += await python(seen.for_ruff)
        except RuffError as error:
            notes.append(f"{source.path} was not judged by ruff: {error}.")
    return [one for one in found if source.is_new(one.line) or (one.is_fatal and one.dimension == "correctness")]


def _look(source: Source, absent: Sequence[str]) -> _Seen:
    language = language_of(source)
    plain = [*secrets(source), *lines(source, language)]
    has_conflict = any(finding.is_fatal and finding.dimension == "correctness" for finding in plain)
    if has_conflict or "\0" in source.text or not dialects(language) or missing([language]):
        return _Seen(plain)
    reading = read(source)
    if not reading.is_searchable:
        return _Seen([*syntax(reading), *plain])
    if language == "python" and "ruff" not in absent:
        return _Seen([*plain, *smells(reading)], reading)
    return _Seen([*syntax(reading), *plain, *smells(reading)])


def _once(found: Sequence[Finding]) -> list[Finding]:
    """Return of all findings on a line about one dimension the gravest: one mistake has many names."""
    gravest: dict[tuple[str, int, str], Finding] = {}
    for finding in found:
        place = (finding.path, finding.line, finding.dimension)
        if place not in gravest or finding.cost > gravest[place].cost:
            gravest[place] = finding
    return sorted(gravest.values(), key=lambda one: not one.is_fatal)
