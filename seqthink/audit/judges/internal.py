"""The judge without a model: everything that can be said of code by reading it."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.judges.languages import EXTRA, dialects, language_of, missing
from seqthink.audit.judges.lines import lines
from seqthink.audit.judges.patterns import WITHOUT_RUFF
from seqthink.audit.judges.python import RuffError, python, ruff
from seqthink.audit.judges.reading import Reading, read
from seqthink.audit.judges.secrets import secrets
from seqthink.audit.judges.smells import smells
from seqthink.audit.judges.syntax import syntax
from seqthink.audit.review import FATAL, SERIOUS, Card, Finding, card
from seqthink.audit.sources import Source

MODEL: Final = "internal"
MOST_FINDINGS: Final = 40
MOST_LETTERS: Final = 256 << 10
"""So much of a source is judged; secrets are looked for in all of it."""
_LEFT: Final = re.compile(r"^[^@\n][^\n]*\n++(?!else|elif|except|finally|case)(?=[\w@])", re.MULTILINE)
"""Where a statement begins that does not belong to the one before it."""


class _Seen(Struct, frozen=True):
    """What a source came to without another process, and how it was read, where ruff is to go on."""

    findings: list[Finding]
    for_ruff: Reading | None = None
    without_ruff: Sequence[Finding] = ()


class Judged(Struct, frozen=True):
    """What is to be said of one source, and what of it could not be judged."""

    findings: list[Finding]
    notes: tuple[str, ...] = ()


Read = Callable[[Source, tuple[str, ...]], Awaitable[Judged]]
"""Gives the opinion on one source, as ``judged`` does; the second argument are the packages that are not there."""


async def judge(sources: Sequence[Source], more: Sequence[Finding] = (), read_by: Read | None = None) -> Card:
    """Return the opinion on ``sources``, the same for the same; ``more`` are others' findings, e.g. on a diff.

    Sources that nobody vouches for are to be read elsewhere, as ``read_by`` does: a grammar can crash.
    """
    absent = lacking(sources)
    notes = [f"To be judged fully, {', '.join(absent)} is needed: {EXTRA}."] if absent else []
    found = list(more)
    for source in sources:
        opinion = await (read_by or judged)(source, tuple(absent))
        found += opinion.findings
        notes += opinion.notes
    told = _once(found)
    if len(told) > MOST_FINDINGS:
        notes.append(f"{len(told) - MOST_FINDINGS} more to look at, not listed.")
    return card(MODEL, told[:MOST_FINDINGS], " ".join(dict.fromkeys(notes)))


def lacking(sources: Iterable[Source]) -> list[str]:
    """Return which packages have to be installed before all of ``sources`` can be judged."""
    languages = [language for source in sources if dialects(language := language_of(source))]
    names = missing(languages) if languages else []
    return [*names, "ruff"] if "python" in languages and ruff() is None else names


def judged_plainly(source: Source) -> list[Finding]:
    """Return what can be said of what is new in ``source`` without its grammar."""
    return _new([*secrets(source), *lines(source, language_of(source))], source)


async def judged(whole: Source, absent: tuple[str, ...] = ()) -> Judged:
    """Return what is to be said of a source, of what is new in it."""
    source, notes = whole, list[str]()
    if len(whole.text) > MOST_LETTERS:
        source = replace(whole, text=beginning(whole.text, MOST_LETTERS), is_whole=False)
        notes.append(f"Of {whole.path} only the first {MOST_LETTERS:,} characters were judged.")
    seen = _look(source, absent)
    found = [*secrets(whole), *seen.findings]
    if seen.for_ruff is not None:
        try:
            found += await python(seen.for_ruff)
        except RuffError as error:
            notes.append(f"{source.path} was not judged by ruff: {error}.")
            found += seen.without_ruff
    return Judged(_new(found, source), tuple(notes))


def _new(found: Sequence[Finding], source: Source) -> list[Finding]:
    """Return what is said of new lines, and what nobody may overlook wherever it stands."""
    return [one for one in found if source.is_new(one.line) or (one.is_fatal and one.dimension == "correctness")]


def _look(source: Source, absent: Sequence[str]) -> _Seen:
    language = language_of(source)
    plain = lines(source, language)
    has_conflict = any(finding.is_fatal and finding.dimension == "correctness" for finding in plain)
    if "\0" in source.text:
        plain = [_nul(source), *plain]
        source = replace(source, text=source.text.replace("\0", " "))
    if has_conflict or not dialects(language) or missing([language]):
        return _Seen(plain)
    reading = read(source)
    if not reading.is_searchable:
        wrong = syntax(reading)
        return _Seen([*(wrong or [unreadable(source)]), *plain])
    known = smells(reading)
    if language != "python":
        return _Seen([*syntax(reading), *plain, *known])
    instead = smells(reading, WITHOUT_RUFF)
    if "ruff" in absent:
        return _Seen([*syntax(reading), *plain, *known, *instead])
    return _Seen([*plain, *known], reading, instead)


def unreadable(source: Source) -> Finding:
    """Return that ``source`` could not be read whole, which is no reason to let it pass."""
    comment = "This is too deep, too long or too broken to be read; make it simpler, or show less of it."
    return Finding(path=source.path, line=source.first_line, comment=comment, cost=SERIOUS)


def _nul(source: Source) -> Finding:
    line = source.first_line + source.text[: source.text.index("\0")].count("\n")
    comment = "A NUL byte stands in the code; take it out."
    return Finding(path=source.path, line=line, comment=comment, cost=FATAL, is_fatal=True)


def beginning(text: str, most: int) -> str:
    """Return at most ``most`` characters of ``text``: up to where a statement begins at the left, or else a line."""
    if len(text) <= most:
        return text
    left = max((match.end() for match in _LEFT.finditer(text, 0, most)), default=0)
    line = text.rfind("\n", 0, most) + 1
    return text[: next((end for end in (left, line) if end > most // 2), most)]


def _once(found: Sequence[Finding]) -> list[Finding]:
    """Return of all findings on a line about one dimension the gravest: one mistake has many names."""
    gravest: dict[tuple[str, int, str], Finding] = {}
    for finding in found:
        place = (finding.path, finding.line, finding.dimension)
        if place not in gravest or finding.cost > gravest[place].cost:
            gravest[place] = finding
    return sorted(gravest.values(), key=lambda one: not one.is_fatal)
