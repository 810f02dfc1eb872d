"""`audit`: the internal judge on known mistakes and on clean code: how much it finds, and how often it is wrong."""

import ast
import random
import sysconfig
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import anyio

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.internal import judge
from seqthink.audit.review import CodeFinding, combine_cards, justifies_verdict
from tests.bench.report import Table, seconds
from tests.support.audit.audit_specimens import clean, defects, is_found

_SEED = 20
_THRESHOLD = 85


def measure(_folder: Path, *, is_quick: bool = False) -> list[Table]:
    """Judge the seeded defects, and functions and modules of the standard library."""
    functions, modules = (60, 10) if is_quick else (400, 60)
    return [_defects(), *anyio.run(_clean, functions, modules)]


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
        "modules of the standard library": list(_modules(modules)),
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


def _files() -> list[Path]:
    """Return the standard library's modules without its tests, in a random but repeatable order."""
    root = Path(sysconfig.get_path("stdlib"))
    aside = {"test", "tests", "idle_test", "site-packages", "lib2to3", "idlelib", "turtledemo"}
    files = sorted(path for path in root.rglob("*.py") if not aside & set(path.relative_to(root).parts))
    random.Random(_SEED).shuffle(files)
    return files


def _modules(most: int) -> Iterator[CodeUnit]:
    for path in _files()[:most]:
        yield CodeUnit(path=path.name, text=path.read_text("utf-8", "replace"))


def _functions(most: int) -> Iterator[CodeUnit]:
    """Yield functions and methods of at least 6 lines, at most 4 of each module."""
    left = most
    for path in _files():
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
