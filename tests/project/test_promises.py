"""What docs/sources.md promises for damaged files, each row with its test, and what decisions cost in lines."""

import re
from typing import Final

import pytest

from tests.conftest import PROJECT
from tests.support.docs.pages import page

_HEADING: Final = "### What we promise for damaged and unusual files\n"
_ROW: Final = re.compile(r"^\| .* \| .* \| `(test_\w+)` \|$", re.MULTILINE)
_TEST: Final = re.compile(r"^ *(?:async )?def (test_\w+)\(", re.MULTILINE)

PRICED = {
    "Two answering paths": "seqthink/server/fast_path/*.py seqthink/server/wire/{jsonrpc,protocol}.py",
    "50,000 thoughts at full speed": "seqthink/drawing/tree/{chain_rows,chain_stack,filtered_tree}.py"
    " seqthink/drawing/tree/row_order.py"
    " seqthink/chain/columns/*.py seqthink/chain/number_index.py"
    " seqthink/drawing/rows/row_lines.py"
    " seqthink/share/export/{html_shapes,texts_in_order}.py"
    " seqthink/library/finding/{journal_blocks,journal_bytes,transcript_bytes}.py"
    " tui/terminal/memory_tuning.py",
    "Own line widgets": "tui/widgets/{line_view,strips,text_pane}.py",
    "Own list": "tui/state/list_cursor.py",
    "Own line to type in": "tui/widgets/text_line.py seqthink/drawing/panels/text_input.py",
    "Own note input": "tui/widgets/input_lines.py",
    "Own palette": "tui/screens/{palette,command_matching}.py",
    "Own readers of transcripts": "seqthink/sources/transcripts/**/*.py",
    "Own editor of JSON with comments": "seqthink/connect/clients/editing/json_*.py",
    "Markdown is drawn by us": "seqthink/drawing/markup/{formulas,inline,markdown,table}.py",
    "A page of our own, its script without a framework": "seqthink/share/export/templates/page.js",
    "Node trees in place of HTML": "seqthink/share/export/node_trees.py",
    "Own bounds on connections": "seqthink/share/web/connections.py",
    "Own gate": "seqthink/share/web/gate.py",
    "Own SVG export": "seqthink/share/export/{svg,svg_paths}.py",
    "One own reader of unified diffs": "seqthink/core/unified_diff.py",
    "Own word diff over difflib's bound": "seqthink/drawing/markup/text_diff.py",
    "Own near-duplicate search": "seqthink/chain/health/{near_duplicates,shingles}.py",
}
"""The files of each decision that has a price in lines."""


def _table() -> str:
    page = (PROJECT / "docs" / "sources.md").read_text("utf-8")
    return page.partition(_HEADING)[2].partition("\n### ")[0]


def test_every_promise_names_a_test_that_exists() -> None:
    named = _ROW.findall(_table())
    files = (PROJECT / "tests").rglob("test_*.py")
    existing = {name for file in files for name in _TEST.findall(file.read_text("utf-8"))}

    assert sorted(set(named) - existing) == []


def test_every_row_of_the_promises_names_a_test_and_no_two_rows_the_same() -> None:
    rows = [line for line in _table().splitlines() if line.startswith("| ")][2:]

    named = _ROW.findall(_table())

    assert len(rows) == len(named) == len(set(named)) > 30


def stated_prices() -> dict[str, int]:
    rows = page("architecture").rows("Decision")
    prices = {row[0]: re.search(r"about ([\d,]+) lines", row[-1]) for row in rows}
    return {
        re.sub(r"^\*\*(.+?)\.?\*\*.*", r"\1", decision): int(price[1].replace(",", ""))
        for decision, price in prices.items()
        if price is not None
    }


def counted(pattern: str) -> int:
    files = [
        path
        for one in pattern.split()
        for name in (re.search(r"\{(.+)\}", one) or ["", "\0"])[1].split(",")
        for path in PROJECT.glob(re.sub(r"\{.+\}", name, one))
    ]
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def test_every_decision_that_names_lines_is_counted() -> None:
    assert sorted(stated_prices()) == sorted(PRICED)


@pytest.mark.parametrize("decision", PRICED)
def test_a_price_in_lines_is_right_to_an_eighth(decision: str) -> None:
    stated, lines = stated_prices()[decision], counted(PRICED[decision])

    assert lines * 7 / 8 <= stated <= lines * 9 / 8, f"{lines:,} lines"
