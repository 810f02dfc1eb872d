"""The internal judge: everything that can be found in code without a model."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.known_mistakes import find_known_mistakes
from seqthink.audit.judges.language_search import language_that_parses
from seqthink.audit.judges.languages import INSTALL_HINT, dialects, language_of, missing_grammar_packages
from seqthink.audit.judges.line_rules import check_lines
from seqthink.audit.judges.parsing import ParsedUnit, parse_unit
from seqthink.audit.judges.ruff_runner import NotPythonError, RuffError, find_ruff, judge_python
from seqthink.audit.judges.rule_folders import rules_for
from seqthink.audit.judges.secrets.search import find_secrets
from seqthink.audit.judges.stdlib_syntax import SYNTAX_ONLY_LANGUAGES, check_with_stdlib
from seqthink.audit.judges.syntax import find_syntax_errors, unparsed_lines
from seqthink.audit.looked_for import LookedFor, looked_for_phrase
from seqthink.audit.review import FATAL, CodeFinding, JudgeCard, card_from_findings
from seqthink.audit.unread_lines import (
    CONFLICT,
    NO_JUDGE,
    TOO_COMPLEX,
    UNNAMED,
    UnreadLines,
    all_unread,
    is_partly_read,
    some_unread,
)

JUDGE_NAME: Final = "internal"
MAX_FINDINGS: Final = 40
MAX_JUDGED_CHARS: Final = 256 << 10
"""Characters of a unit that are judged; secrets are searched for in all of it."""
_STATEMENT_START: Final = re.compile(r"^[^@\n][^\n]*\n++(?!else|elif|except|finally|case)(?=[\w@])", re.MULTILINE)
"""Start of a line that begins a new statement at the left margin."""


class _Inspection(Struct, frozen=True):
    """What was found in a unit within this process, and what is left for ruff."""

    findings: list[CodeFinding]
    """What counts in any case."""
    unread: Sequence[UnreadLines] = ()
    """What could not be read here."""
    parsed_for_ruff: ParsedUnit | None = None
    """What ruff judges next; None: ruff is not needed."""
    findings_without_ruff: Sequence[CodeFinding] = ()
    """What counts only if ruff cannot judge."""
    notes: Sequence[str] = ()
    """Sentences for the card."""
    looked_for: LookedFor | None = None
    """What was looked for; None: the language has no judge."""


class UnitResult(Struct, frozen=True):
    """What the internal judge found in one unit."""

    findings: list[CodeFinding]
    notes: tuple[str, ...] = ()
    """Sentences for the card."""
    unread: tuple[UnreadLines, ...] = ()
    """Lines that were not read."""
    looked_for: LookedFor | None = None
    """What was looked for; None: only secrets."""


UnitJudge = Callable[[CodeUnit, tuple[str, ...]], Awaitable[UnitResult]]
"""Judge one unit, like ``judge_unit``; the second argument names packages that are not installed."""


async def judge(
    units: Sequence[CodeUnit], extra_findings: Sequence[CodeFinding] = (), unit_judge: UnitJudge | None = None
) -> JudgeCard:
    """Return the card for ``units``; the same units always get the same card.

    Only units that were read at least in part count towards the scores; findings always count. Untrusted code should be
    judged in another process, by passing ``unit_judge``: a grammar can crash.

    Args:
        units: The code to judge.
        extra_findings: Findings from elsewhere, such as a diff that does not apply.
        unit_judge: Judges one unit; None: in this process.
    """
    missing = missing_packages(units)
    notes = [f"To be judged fully, {', '.join(missing)} is needed: {INSTALL_HINT}."] if missing else []
    all_findings, read_units, unread = list(extra_findings), list[CodeUnit](), list[UnreadLines]()
    looked_for = list[LookedFor]()
    for unit in units:
        result = await (unit_judge or judge_unit)(unit, tuple(missing))
        all_findings += result.findings
        notes += result.notes
        unread += result.unread
        if unit.is_code and is_partly_read(unit, result.unread):
            read_units.append(unit)
            looked_for += [result.looked_for] if result.looked_for else []
    findings = _gravest_per_line(all_findings)
    if len(findings) > MAX_FINDINGS:
        notes.append(f"{len(findings) - MAX_FINDINGS} more findings are not listed.")
    return card_from_findings(
        JUDGE_NAME,
        findings,
        " ".join(dict.fromkeys(notes)),
        read_units=read_units,
        unread=unread,
        max_findings=MAX_FINDINGS,
        looked_for=looked_for_phrase(looked_for),
    )


def missing_packages(units: Iterable[CodeUnit]) -> list[str]:
    """Return the packages that must be installed to judge all of ``units``."""
    known = [language for unit in units if dialects(language := language_of(unit))]
    languages = [language for language in known if language not in SYNTAX_ONLY_LANGUAGES]
    names = missing_grammar_packages(languages) if languages else []
    return [*names, "ruff"] if "python" in languages and find_ruff() is None else names


def judge_without_grammar(unit: CodeUnit) -> list[CodeFinding]:
    """Return findings in the new lines of ``unit`` that need no grammar."""
    return _in_new_lines([*find_secrets(unit), *check_lines(unit, language_of(unit))], unit)


async def judge_unit(unit: CodeUnit, missing_packages: tuple[str, ...] = ()) -> UnitResult:
    """Return the findings in the new lines of a unit."""
    if not unit.is_code:
        return UnitResult(judge_without_grammar(unit))
    if unit.candidates:
        language = language_that_parses(unit)
        if not language:
            return UnitResult(judge_without_grammar(unit), unread=(all_unread(unit, UNNAMED),))
        unit = replace(unit, language=language, candidates=())
    judged_part, notes, unread = unit, list[str](), list[UnreadLines]()
    if len(unit.text) > MAX_JUDGED_CHARS:
        judged_part = replace(unit, text=cut_at_statement(unit.text, MAX_JUDGED_CHARS), is_complete=False)
        unjudged = range(judged_part.first_line + judged_part.text.count("\n"), unit.last_line + 1)
        unread += some_unread(unit, unjudged, f"it is longer than {MAX_JUDGED_CHARS:,} characters")
    inspection = _inspect(judged_part, missing_packages)
    notes += inspection.notes
    findings, unread_here = [*find_secrets(unit), *inspection.findings], list(inspection.unread)
    looked_for = inspection.looked_for
    if inspection.parsed_for_ruff is not None:
        try:
            findings, unread_here = [*findings, *await judge_python(inspection.parsed_for_ruff)], []
            looked_for = looked_for and replace(looked_for, has_ruff=True)
        except NotPythonError:
            findings += inspection.findings_without_ruff
            unread_here = unread_here or [all_unread(judged_part, inspection.parsed_for_ruff.unreadable_reason)]
        except RuffError as error:
            notes.append(f"{judged_part.path} was not judged by ruff: {error}.")
            findings += inspection.findings_without_ruff
    return UnitResult(_in_new_lines(findings, judged_part), tuple(notes), (*unread_here, *unread), looked_for)


def _in_new_lines(findings: Sequence[CodeFinding], unit: CodeUnit) -> list[CodeFinding]:
    """Return the findings in new lines, and fatal ones of correctness in any line."""
    return [
        finding
        for finding in findings
        if unit.is_new(finding.line) or (finding.is_fatal and finding.dimension == "correctness")
    ]


def _inspect(unit: CodeUnit, missing_packages: Sequence[str]) -> _Inspection:
    language = language_of(unit)
    line_findings = check_lines(unit, language)
    has_conflict = any(finding.is_fatal and finding.dimension == "correctness" for finding in line_findings)
    if "\0" in unit.text:
        line_findings = [_nul_finding(unit), *line_findings]
        unit = replace(unit, text=unit.text.replace("\0", " "))
    if has_conflict or not dialects(language):
        return _Inspection(line_findings, [all_unread(unit, CONFLICT if has_conflict else NO_JUDGE)])
    if missing_grammar_packages([language]):
        syntax_errors, unread = check_with_stdlib(unit, language)
        looked_for = LookedFor(language, unit.is_complete)
        return _Inspection([*syntax_errors, *line_findings], unread, looked_for=looked_for)
    parsed = parse_unit(unit)
    syntax_errors = find_syntax_errors(parsed)
    if not parsed.is_searchable:
        return _Inspection([*syntax_errors, *line_findings], [] if syntax_errors else [all_unread(unit, TOO_COMPLEX)])
    mistakes, unread = find_known_mistakes(parsed), [] if syntax_errors else unparsed_lines(parsed)
    loaded = rules_for(parsed.dialect)
    notes, looked_for = loaded.problems, LookedFor(language, unit.is_complete, loaded.count())
    if language != "python":
        return _Inspection([*syntax_errors, *line_findings, *mistakes], unread, notes=notes, looked_for=looked_for)
    without_ruff = [*syntax_errors, *find_known_mistakes(parsed, is_without_ruff=True)]
    if "ruff" in missing_packages:
        looked_for = replace(looked_for, rule_count=loaded.count(has_ruff=False))
        return _Inspection([*line_findings, *mistakes, *without_ruff], unread, notes=notes, looked_for=looked_for)
    return _Inspection([*line_findings, *mistakes], unread, parsed, without_ruff, notes, looked_for)


def _nul_finding(unit: CodeUnit) -> CodeFinding:
    line = unit.first_line + unit.text[: unit.text.index("\0")].count("\n")
    comment = "The code contains a NUL byte; remove it."
    return CodeFinding(path=unit.path, line=line, comment=comment, cost=FATAL, is_fatal=True)


def cut_at_statement(text: str, max_chars: int) -> str:
    """Return at most ``max_chars`` characters, cut before a top-level statement if possible, else at a line break."""
    if len(text) <= max_chars:
        return text
    statement_start = max((match.end() for match in _STATEMENT_START.finditer(text, 0, max_chars)), default=0)
    line_start = text.rfind("\n", 0, max_chars) + 1
    return text[: next((end for end in (statement_start, line_start) if end > max_chars // 2), max_chars)]


def _gravest_per_line(findings: Sequence[CodeFinding]) -> list[CodeFinding]:
    """Return only the most costly finding per line and dimension: one mistake may be found by several rules."""
    gravest: dict[tuple[str, int, str], CodeFinding] = {}
    for finding in findings:
        place = (finding.path, finding.line, finding.dimension)
        if place not in gravest or finding.cost > gravest[place].cost:
            gravest[place] = finding
    return sorted(gravest.values(), key=lambda finding: not finding.is_fatal)
