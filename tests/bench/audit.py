"""`audit`: the internal judge on known mistakes and on clean code: how much it finds, and how often it is wrong."""

import ast
import random
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter

import anyio

from seqthink.audit.code.naming import language_of_info
from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.internal import judge
from seqthink.audit.review import CodeFinding, combine_cards, justifies_verdict
from tests.bench.report import Table, seconds
from tests.support.audit.audit_languages import LANGUAGES
from tests.support.audit.audit_specimens import clean, defects, is_found
from tests.support.audit.code_damage import damaged
from tests.support.audit.code_damage import pieces as cut_pieces

_SEED = 20
_PACKAGES = ("pydantic", "rich", "jinja2")
_THRESHOLD = 85


def measure(_folder: Path, *, is_quick: bool = False, code: Path | None = None) -> list[Table]:
    """Judge the seeded defects, functions and modules of the standard library, and all languages.

    Args:
        is_quick: Whether fewer pieces are judged.
        code: A folder with sound files in a folder for each language, named as its grammar is; None: no such files.
    """
    functions, modules = (60, 10) if is_quick else (400, 60)
    tables = [_languages(), _defects(), *anyio.run(_clean, functions, modules)]
    return tables if code is None else [*tables, _real_code(code, 10 if is_quick else 150)]


def _languages() -> Table:
    """Return what is said of a broken and a sound piece in each language."""
    table = Table("Languages", ["language", "broken", "sound"])
    for language in LANGUAGES:
        units = [
            CodeUnit(path="thought", text=text, language=language_of_info(language.tag))
            for text in (language.broken, language.sound)
        ]
        table.add(language.tag, *(_outcome(unit) for unit in units))
    return table


def _outcome(unit: CodeUnit) -> str:
    card = anyio.run(judge, [unit])
    if not justifies_verdict(card, _THRESHOLD):
        return "not judged"
    return combine_cards([card], threshold=_THRESHOLD).verdict


def _is_broken(unit: CodeUnit) -> bool:
    """Return whether a syntax error is found in ``unit``."""
    return any(finding.comment.startswith("Syntax error") for finding in anyio.run(judge, [unit]).findings)


def _real_code(folder: Path, most: int) -> Table:
    """Return how often sound files and pieces are called broken, and damaged ones are not."""
    table = Table(
        "Real code, sound and damaged",
        ["language", "files", "called broken", "pieces", "called broken", "damaged", "found", "share"],
    )
    for language in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = [(path.name, path.read_text("utf-8", "replace")) for path in sorted(language.rglob("[!.]*.*"))]
        files += [(path.name, path.read_text("utf-8", "replace")) for path in sorted(language.rglob("Dockerfile"))]
        random.Random(_SEED).shuffle(files)
        cut = [piece for _, text in files[:most] for piece in list(cut_pieces(language.name, text))[:4]]
        random.Random(_SEED).shuffle(cut)
        broken = [one for piece in cut[: most // 3] for _, one in damaged(language.name, piece, piece)]
        wrong_files = sum(_is_broken(CodeUnit(path=name, text=text)) for name, text in files[:most])
        wrong_pieces, found = (
            sum(_is_broken(CodeUnit(path="thought", text=text, language=language.name)) for text in texts)
            for texts in (cut[:most], broken)
        )
        share = f"{found / len(broken):.1%}" if broken else ""
        table.add(
            language.name, len(files[:most]), wrong_files, len(cut[:most]), wrong_pieces, len(broken), found, share
        )
    table.notes.append(f"Pieces and damages are chosen with seed {_SEED}; a damage may leave the code sound.")
    return table


def _defects() -> Table:
    """Return the share of seeded defects that are found, by kind."""
    table = Table("Seeded defects that the internal judge finds", ["kind", "specimens", "found", "share"])
    total = Counter[str]()
    for kind, specimens in defects().items():
        found = sum(is_found(specimen, anyio.run(judge, [specimen.source])) for specimen in specimens)
        total.update(specimens=len(specimens), found=found)
        table.add(kind, len(specimens), found, f"{found / len(specimens):.0%}")
    table.add("all", total["specimens"], total["found"], f"{total['found'] / total['specimens']:.1%}")
    return table


async def _clean(functions: int, modules: int) -> list[Table]:
    shares = Table(
        "Clean code that is judged", ["what", "pieces", "lines", "not judged", "not passed", "share", "a piece"]
    )
    rules = Table("Findings in clean code, per 1,000 lines", ["finding", "functions", "modules"])
    findings_by_comment: list[Counter[str]] = []
    sizes: list[int] = []
    kinds = {
        "functions of the standard library, as fences": list(_functions(functions)),
        "modules of the standard library": list(_modules(_library(), modules)),
        **{f"modules of {name}": list(_modules(_package(name), modules)) for name in _PACKAGES},
        "clean fragments in all languages": clean(),
    }
    for name, pieces in kinds.items():
        started = perf_counter()
        verdicts, findings = Counter[str](), list[CodeFinding]()
        for piece in pieces:
            card = await judge([piece])
            is_judged = justifies_verdict(card, _THRESHOLD)
            verdicts[combine_cards([card], threshold=_THRESHOLD).verdict if is_judged else "not judged"] += 1
            findings += card.findings
        average_seconds = (perf_counter() - started) / len(pieces)
        lines = sum(piece.text.count("\n") for piece in pieces)
        judged = len(pieces) - verdicts["not judged"]
        missed = judged - verdicts["pass"]
        shares.add(
            name, len(pieces), lines, verdicts["not judged"], missed, f"{missed / judged:.1%}", seconds(average_seconds)
        )
        findings_by_comment.append(
            Counter(finding.comment.partition(": ")[2] or finding.comment for finding in findings)
        )
        sizes.append(lines)
    for comment, _ in (findings_by_comment[0] + findings_by_comment[1]).most_common(25):
        rules.add(
            comment[:70],
            *(
                f"{counts[comment] * 1000 / size:.2f}"
                for counts, size in zip(findings_by_comment[:2], sizes, strict=False)
            ),
        )
    shares.notes.append(f"Sampled with seed {_SEED}; the threshold is {_THRESHOLD}.")
    return [shares, rules]


def _library() -> list[Path]:
    return _files(Path(sysconfig.get_path("stdlib")))


def _package(name: str) -> list[Path]:
    return _files(Path(sysconfig.get_path("purelib")) / name)


def _files(root: Path) -> list[Path]:
    """Return the modules below ``root`` without tests, in a random but repeatable order."""
    aside = {"test", "tests", "idle_test", "site-packages", "lib2to3", "idlelib", "turtledemo"}
    files = sorted(path for path in root.rglob("*.py") if not aside & set(path.relative_to(root).parts))
    random.Random(_SEED).shuffle(files)
    return [path for path in files if path.stat().st_size]


def _modules(files: Iterable[Path], most: int) -> Iterator[CodeUnit]:
    for path in islice(files, most):
        yield CodeUnit(path=path.name, text=path.read_text("utf-8", "replace"))


def _functions(most: int) -> Iterator[CodeUnit]:
    """Yield functions and methods of at least 6 lines, at most 4 of each module."""
    left = most
    for path in _library():
        text = path.read_text("utf-8", "replace")
        nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        pieces = [
            piece for node in nodes if (piece := ast.get_source_segment(text, node, padded=True) or "").count("\n") > 5
        ]
        for piece in random.Random(path.name).sample(pieces, min(4, len(pieces))):
            yield CodeUnit(path="thought", text=piece + "\n", language="python")
            left -= 1
            if not left:
                return
