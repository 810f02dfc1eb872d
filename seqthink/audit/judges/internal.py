"""The judge without a model: everything that can be said of code by reading it."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.languages import INSTALL_HINT, dialects, language_of, missing_grammar_packages
from seqthink.audit.judges.line_rules import check_lines
from seqthink.audit.judges.parsing import ParsedUnit, parse_unit
from seqthink.audit.judges.patterns import WITHOUT_RUFF
from seqthink.audit.judges.query_rules import match_patterns
from seqthink.audit.judges.ruff_runner import NotPythonError, RuffError, find_ruff, judge_python
from seqthink.audit.judges.secrets import find_secrets
from seqthink.audit.judges.stdlib_syntax import SYNTAX_ONLY_LANGUAGES, check_with_stdlib
from seqthink.audit.judges.syntax import find_syntax_errors, unparsed_lines
from seqthink.audit.review import FATAL, CodeFinding, JudgeCard, card_from_findings
from seqthink.audit.unread import CONFLICT, NO_JUDGE, TOO_COMPLEX, UnreadLines, all_unread, is_partly_read, some_unread

JUDGE_NAME: Final = "internal"
MAX_FINDINGS: Final = 40
MAX_JUDGED_CHARS: Final = 256 << 10
"""So much of a source is judged; secrets are looked for in all of it."""
_STATEMENT_START: Final = re.compile(r"^[^@\n][^\n]*\n++(?!else|elif|except|finally|case)(?=[\w@])", re.MULTILINE)
"""Where a statement begins that does not belong to the one before it."""


class _Inspection(Struct, frozen=True):
    """What a source came to without another process, what of it was not read, and how it was, where ruff is to go on.

    Where ruff goes on, the rest is what counts if it cannot.
    """

    findings: list[CodeFinding]
    unread: Sequence[UnreadLines] = ()
    parsed_for_ruff: ParsedUnit | None = None
    findings_without_ruff: Sequence[CodeFinding] = ()


class UnitResult(Struct, frozen=True):
    """What is to be said of one source, and what of it could not be read."""

    findings: list[CodeFinding]
    notes: tuple[str, ...] = ()
    unread: tuple[UnreadLines, ...] = ()


UnitJudge = Callable[[CodeUnit, tuple[str, ...]], Awaitable[UnitResult]]
"""Gives the opinion on one source, as ``judged`` does; the second argument are the packages that are not there."""


async def judge(
    units: Sequence[CodeUnit], extra_findings: Sequence[CodeFinding] = (), unit_judge: UnitJudge | None = None
) -> JudgeCard:
    """Return the opinion on ``sources``, the same for the same; ``more`` are others' findings, e.g. on a diff.

    It is about what was read; a finding counts wherever it is.

    Sources that nobody vouches for are to be read elsewhere, as ``read_by`` does: a grammar can crash.
    """
    missing = missing_packages(units)
    notes = [f"To be judged fully, {', '.join(missing)} is needed: {INSTALL_HINT}."] if missing else []
    found, read_units, unread = list(extra_findings), list[CodeUnit](), list[UnreadLines]()
    for unit in units:
        opinion = await (unit_judge or judge_unit)(unit, tuple(missing))
        found += opinion.findings
        notes += opinion.notes
        unread += opinion.unread
        if unit.is_code and is_partly_read(unit, opinion.unread):
            read_units.append(unit)
    findings = _gravest_per_line(found)
    if len(findings) > MAX_FINDINGS:
        notes.append(f"{len(findings) - MAX_FINDINGS} more to look at, not listed.")
    return card_from_findings(
        JUDGE_NAME, findings[:MAX_FINDINGS], " ".join(dict.fromkeys(notes)), read_units=read_units, unread=unread
    )


def missing_packages(units: Iterable[CodeUnit]) -> list[str]:
    """Return which packages have to be installed before all of ``sources`` can be judged."""
    known = [language for source in units if dialects(language := language_of(source))]
    languages = [language for language in known if language not in SYNTAX_ONLY_LANGUAGES]
    names = missing_grammar_packages(languages) if languages else []
    return [*names, "ruff"] if "python" in languages and find_ruff() is None else names


def judge_without_grammar(unit: CodeUnit) -> list[CodeFinding]:
    """Return what can be said of what is new in ``source`` without its grammar."""
    return _in_new_lines([*find_secrets(unit), *check_lines(unit, language_of(unit))], unit)


async def judge_unit(unit: CodeUnit, missing_packages: tuple[str, ...] = ()) -> UnitResult:
    """Return what is to be said of a source, of what is new in it."""
    if not unit.is_code:
        return UnitResult(judge_without_grammar(unit))
    judged_part, notes, unread = unit, list[str](), list[UnreadLines]()
    if len(unit.text) > MAX_JUDGED_CHARS:
        judged_part = replace(unit, text=cut_at_statement(unit.text, MAX_JUDGED_CHARS), is_complete=False)
        rest = range(judged_part.first_line + judged_part.text.count("\n"), unit.last_line + 1)
        unread += some_unread(unit, rest, f"it is longer than {MAX_JUDGED_CHARS:,} characters")
    inspection = _inspect(judged_part, missing_packages)
    found, left = [*find_secrets(unit), *inspection.findings], list(inspection.unread)
    if inspection.parsed_for_ruff is not None:
        try:
            found, left = [*found, *await judge_python(inspection.parsed_for_ruff)], []
        except NotPythonError:
            found += inspection.findings_without_ruff
            left = left or [all_unread(judged_part, inspection.parsed_for_ruff.unreadable_reason)]
        except RuffError as error:
            notes.append(f"{judged_part.path} was not judged by ruff: {error}.")
            found += inspection.findings_without_ruff
    return UnitResult(_in_new_lines(found, judged_part), tuple(notes), (*left, *unread))


def _in_new_lines(found: Sequence[CodeFinding], unit: CodeUnit) -> list[CodeFinding]:
    """Return what is said of new lines, and what nobody may overlook wherever it stands."""
    return [one for one in found if unit.is_new(one.line) or (one.is_fatal and one.dimension == "correctness")]


def _inspect(unit: CodeUnit, missing_packages: Sequence[str]) -> _Inspection:
    language = language_of(unit)
    plain = check_lines(unit, language)
    has_conflict = any(finding.is_fatal and finding.dimension == "correctness" for finding in plain)
    if "\0" in unit.text:
        plain = [_nul_finding(unit), *plain]
        unit = replace(unit, text=unit.text.replace("\0", " "))
    if has_conflict or not dialects(language):
        return _Inspection(plain, [all_unread(unit, CONFLICT if has_conflict else NO_JUDGE)])
    if missing_grammar_packages([language]):
        wrong, unread = check_with_stdlib(unit, language)
        return _Inspection([*wrong, *plain], unread)
    parsed = parse_unit(unit)
    wrong = find_syntax_errors(parsed)
    if not parsed.is_searchable:
        return _Inspection([*wrong, *plain], [] if wrong else [all_unread(unit, TOO_COMPLEX)])
    known, unread = match_patterns(parsed), [] if wrong else unparsed_lines(parsed)
    if language != "python":
        return _Inspection([*wrong, *plain, *known], unread)
    instead = [*wrong, *match_patterns(parsed, WITHOUT_RUFF)]
    if "ruff" in missing_packages:
        return _Inspection([*plain, *known, *instead], unread)
    return _Inspection([*plain, *known], unread, parsed, instead)


def _nul_finding(unit: CodeUnit) -> CodeFinding:
    line = unit.first_line + unit.text[: unit.text.index("\0")].count("\n")
    comment = "A NUL byte stands in the code; take it out."
    return CodeFinding(path=unit.path, line=line, comment=comment, cost=FATAL, is_fatal=True)


def cut_at_statement(text: str, max_chars: int) -> str:
    """Return at most ``most`` characters of ``text``: up to where a statement begins at the left, or else a line."""
    if len(text) <= max_chars:
        return text
    left = max((match.end() for match in _STATEMENT_START.finditer(text, 0, max_chars)), default=0)
    line = text.rfind("\n", 0, max_chars) + 1
    return text[: next((end for end in (left, line) if end > max_chars // 2), max_chars)]


def _gravest_per_line(found: Sequence[CodeFinding]) -> list[CodeFinding]:
    """Return of all findings on a line about one dimension the gravest: one mistake has many names."""
    gravest: dict[tuple[str, int, str], CodeFinding] = {}
    for finding in found:
        place = (finding.path, finding.line, finding.dimension)
        if place not in gravest or finding.cost > gravest[place].cost:
            gravest[place] = finding
    return sorted(gravest.values(), key=lambda one: not one.is_fatal)
