"""The judge without a model: everything that can be said of code by reading it."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.judges.languages import EXTRA, dialects, language_of, missing
from seqthink.audit.judges.lines import lines
from seqthink.audit.judges.patterns import WITHOUT_RUFF
from seqthink.audit.judges.python import NoProgramError, RuffError, python, ruff
from seqthink.audit.judges.reading import Reading, read
from seqthink.audit.judges.secrets import secrets
from seqthink.audit.judges.smells import smells
from seqthink.audit.judges.standard import WHOLLY, read_plainly
from seqthink.audit.judges.syntax import not_taken, syntax
from seqthink.audit.review import FATAL, Card, Finding, card
from seqthink.audit.sources import Source
from seqthink.audit.unread import CONFLICT, NO_JUDGE, TOO_MUCH, Unread, all_of, is_read, some_of

MODEL: Final = "internal"
MOST_FINDINGS: Final = 40
MOST_LETTERS: Final = 256 << 10
"""So much of a source is judged; secrets are looked for in all of it."""
_LEFT: Final = re.compile(r"^[^@\n][^\n]*\n++(?!else|elif|except|finally|case)(?=[\w@])", re.MULTILINE)
"""Where a statement begins that does not belong to the one before it."""


class _Seen(Struct, frozen=True):
    """What a source came to without another process, what of it was not read, and how it was, where ruff is to go on.

    Where ruff goes on, the rest is what counts if it cannot.
    """

    findings: list[Finding]
    unread: Sequence[Unread] = ()
    for_ruff: Reading | None = None
    without_ruff: Sequence[Finding] = ()


class Judged(Struct, frozen=True):
    """What is to be said of one source, and what of it could not be read."""

    findings: list[Finding]
    notes: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()


Read = Callable[[Source, tuple[str, ...]], Awaitable[Judged]]
"""Gives the opinion on one source, as ``judged`` does; the second argument are the packages that are not there."""


async def judge(sources: Sequence[Source], more: Sequence[Finding] = (), read_by: Read | None = None) -> Card:
    """Return the opinion on ``sources``, the same for the same; ``more`` are others' findings, e.g. on a diff.

    It is about what was read; a finding counts wherever it is.

    Sources that nobody vouches for are to be read elsewhere, as ``read_by`` does: a grammar can crash.
    """
    absent = lacking(sources)
    notes = [f"To be judged fully, {', '.join(absent)} is needed: {EXTRA}."] if absent else []
    found, was_read, unread = list(more), list[Source](), list[Unread]()
    for source in sources:
        opinion = await (read_by or judged)(source, tuple(absent))
        found += opinion.findings
        notes += opinion.notes
        unread += opinion.unread
        if source.is_code and is_read(source, opinion.unread):
            was_read.append(source)
    told = _once(found)
    if len(told) > MOST_FINDINGS:
        notes.append(f"{len(told) - MOST_FINDINGS} more to look at, not listed.")
    return card(MODEL, told[:MOST_FINDINGS], " ".join(dict.fromkeys(notes)), read=was_read, unread=unread)


def lacking(sources: Iterable[Source]) -> list[str]:
    """Return which packages have to be installed before all of ``sources`` can be judged."""
    known = [language for source in sources if dialects(language := language_of(source))]
    languages = [language for language in known if language not in WHOLLY]
    names = missing(languages) if languages else []
    return [*names, "ruff"] if "python" in languages and ruff() is None else names


def judged_plainly(source: Source) -> list[Finding]:
    """Return what can be said of what is new in ``source`` without its grammar."""
    return _new([*secrets(source), *lines(source, language_of(source))], source)


async def judged(whole: Source, absent: tuple[str, ...] = ()) -> Judged:
    """Return what is to be said of a source, of what is new in it."""
    if not whole.is_code:
        return Judged(judged_plainly(whole))
    source, notes, unread = whole, list[str](), list[Unread]()
    if len(whole.text) > MOST_LETTERS:
        source = replace(whole, text=beginning(whole.text, MOST_LETTERS), is_whole=False)
        rest = range(source.first_line + source.text.count("\n"), whole.last_line + 1)
        unread += some_of(whole, rest, f"it is longer than {MOST_LETTERS:,} characters")
    seen = _look(source, absent)
    found, left = [*secrets(whole), *seen.findings], list(seen.unread)
    if seen.for_ruff is not None:
        try:
            found, left = [*found, *await python(seen.for_ruff)], []
        except NoProgramError:
            found += seen.without_ruff
            left = left or [all_of(source, seen.for_ruff.refusal)]
        except RuffError as error:
            notes.append(f"{source.path} was not judged by ruff: {error}.")
            found += seen.without_ruff
    return Judged(_new(found, source), tuple(notes), (*left, *unread))


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
    if has_conflict or not dialects(language):
        return _Seen(plain, [all_of(source, CONFLICT if has_conflict else NO_JUDGE)])
    if missing([language]):
        wrong, unread = read_plainly(source, language)
        return _Seen([*wrong, *plain], unread)
    reading = read(source)
    wrong = syntax(reading)
    if not reading.is_searchable:
        return _Seen([*wrong, *plain], [] if wrong else [all_of(source, TOO_MUCH)])
    known, unread = smells(reading), [] if wrong else not_taken(reading)
    if language != "python":
        return _Seen([*wrong, *plain, *known], unread)
    instead = [*wrong, *smells(reading, WITHOUT_RUFF)]
    if "ruff" in absent:
        return _Seen([*plain, *known, *instead], unread)
    return _Seen([*plain, *known], unread, reading, instead)


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
