"""The Mermaid flowchart, held against the few kinds of lines that it may have; real Mermaid rendered them by hand."""

import html
import re
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from seqthink.library.live_session import load_journal
from seqthink.share.export.mermaid import MAX_CHARS, MAX_EDGES, escape_label, mermaid
from tests.bench import journals
from tests.support.depth import first, sized
from tests.support.journals.build import START, JournalBuilder
from tests.support.journals.example_chains import questions
from tests.support.journals.exports import HOSTILE, hostile, invisible_chars
from tests.support.servers.commands import JOURNALS, SHOP_API

LABEL = r'"((?:[^\x00-\x7f]|[A-Za-z0-9 ,]|#\d+;)*)(?:<br/>((?:[^\x00-\x7f]|[A-Za-z0-9 ,]|#\d+;)*))?"'
NODE = r"t\d+|earlier|expected|none"


class Chart:
    """A flowchart, read line by line; a line of no kind that we write is an error."""

    def __init__(self, text: str) -> None:
        self.nodes: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        self.edges: list[tuple[str, str]] = []
        self.dotted: list[tuple[str, str]] = []
        self.revisions: list[tuple[str, str]] = []
        self.returns: list[tuple[str, str]] = []
        self.groups: dict[str, tuple[str, list[str]]] = {}
        self.looks: dict[str, str] = {}
        self.comments: list[str] = []
        self.colored: list[int] = []
        self._open: list[str] = []
        first, *lines = text.removesuffix("\n").split("\n")
        assert first == "flowchart TD"
        for line in lines:
            self._read(line.strip())
        assert not self._open
        drawn = [*self.edges, *self.dotted, *self.revisions, *self.returns]
        assert {end for edge in drawn for end in edge} <= self.nodes.keys()
        assert self.looks.keys() <= self.nodes.keys() | self.groups.keys()
        self.size, self.edge_count = len(text), len(drawn)

    def _read(self, line: str) -> None:  # noqa: C901 - one arm a kind of line
        if found := re.fullmatch(rf"({NODE})\[{LABEL}\]", line):
            assert found[1] not in self.nodes
            self.nodes[found[1]], self.notes[found[1]] = _read_label(found[2]), _read_label(found[3] or "")
            if self._open:
                self.groups[self._open[-1]][1].append(found[1])
        elif found := re.fullmatch(rf"({NODE}) --> ({NODE})", line):
            self.edges.append((found[1], found[2]))
        elif found := re.fullmatch(rf"({NODE}) -\.-> ({NODE})", line):
            self.dotted.append((found[1], found[2]))
        elif found := re.fullmatch(r"(t\d+) -\. revises \.-> (t\d+)", line):
            self.revisions.append((found[1], found[2]))
        elif found := re.fullmatch(r"(t\d+) -\. comes back \.-> (t\d+)", line):
            self.returns.append((found[1], found[2]))
        elif found := re.fullmatch(rf"subgraph ((?:lane|chain)\d+)\[{LABEL}\]", line):
            self._open.append(found[1])
            self.groups[found[1]] = (_read_label(found[2]), [])
        elif line == "end":
            self._open.pop()
        elif found := re.fullmatch(r"%% ([A-Za-z0-9 ,]+\.)", line):
            self.comments.append(found[1])
        elif found := re.fullmatch(r"class ([\w,]+) (\w+)", line):
            self.looks.update(dict.fromkeys(found[1].split(","), found[2]))
        elif found := re.fullmatch(r"linkStyle ([\d,]+) stroke:#[0-9a-f]{6}", line):
            self.colored = list(map(int, found[1].split(",")))
        else:
            assert re.fullmatch(r"classDef \w+ [\w:#,-]+( 3)?|accTitle: [\w ,·-]+", line), line


def _read_label(text: str) -> str:
    return html.unescape(re.sub(r"#(\d+);", r"&#\1;", text))


def chart(journal: Path) -> Chart:
    return Chart("".join(mermaid(load_journal(journal))))


def written(builder: JournalBuilder, folder: Path) -> Chart:
    return chart(builder.write(folder / "a.jsonl"))


def test_the_trunk_is_a_chain_and_the_branch_a_group_that_leaves_it() -> None:
    drawn = chart(SHOP_API)

    trunk, branch = ["t2", "t3", "t4", "t5", "t6", "t10", "t11", "t13"], ["t7", "t8", "t9"]
    assert drawn.edges == [*pairwise(trunk), *pairwise(branch), ("t4", "t7")]
    assert drawn.returns == [("t9", "t10")]
    assert drawn.groups == {"lane1": ("cron-job", branch)}
    assert drawn.nodes["t8"] == "2 · It holds 40 connections for 90 s"
    assert drawn.nodes["t6"] == "5 · Gateway pool: 12 of 200 in use at :00, and the slowest …"


def test_revisions_are_arrows_back_and_what_a_thought_changed_stands_below_its_text() -> None:
    drawn = chart(SHOP_API)

    assert drawn.revisions == [("t10", "t3"), ("t13", "t11")]
    assert drawn.colored == [11, 12]
    assert {name: note for name, note in drawn.notes.items() if note} == {
        "t4": "estimate 5→6", "t10": "estimate 6→8", "t11": "!71 revise", "t13": "final · ✓92 pass",
    }  # fmt: skip
    assert drawn.nodes["t10"].startswith("↺ 6 · ")
    assert drawn.looks == {
        "t10": "revision", "t13": "revision", "lane1": "lane", **dict.fromkeys(["t7", "t8", "t9"], "branch1"),
    }  # fmt: skip


def test_what_is_still_expected_hangs_from_the_newest_thought(tmp_path: Path) -> None:
    drawn = written(JournalBuilder().session().thought("x", 1, 4), tmp_path)

    assert drawn.nodes["expected"] == "○ 2–4 expected"
    assert drawn.dotted == [("t2", "expected")]


def test_nothing_is_expected_after_an_answer(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("x", 1, 4).event("turn", {"text": "so"})

    assert "expected" not in written(journal, tmp_path).nodes


def test_several_chains_stand_in_groups_of_their_own(tmp_path: Path) -> None:
    drawn = written(questions(), tmp_path)

    assert list(drawn.groups) == [f"chain{number}" for number in range(1, 13)]
    assert drawn.groups["chain2"] == ("chain 2", ["t5", "t6"])
    assert ("t4", "t5") not in drawn.edges


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_label_holds_nothing_that_is_syntax_and_reads_as_it_was(text: str) -> None:
    label = escape_label(text)

    assert re.fullmatch(LABEL, f'"{label}"')
    assert not set("ﬂ¶`*_") & set(label)
    assert invisible_chars(label) == set()


def test_a_session_of_hostile_texts_has_only_lines_of_ours(tmp_path: Path) -> None:
    drawn = written(hostile(), tmp_path)

    assert len(drawn.nodes) == 3 * len(HOSTILE)


@pytest.mark.parametrize("name", ["minimal", "full", "corrupt", "unknown", "torn", "hostile"])
def test_every_journal_is_drawn(name: str) -> None:
    assert chart(JOURNALS / f"{name}.jsonl").nodes


def test_a_journal_without_a_thought_says_so(tmp_path: Path) -> None:
    assert written(JournalBuilder(), tmp_path).nodes == {"none": "no thoughts yet"}


def test_a_long_run_is_folded_into_one_box_and_a_comment_says_so(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 1001):
        builder.thought("x", number, 1000, next=number < 1000, revises=500 if number == 700 else None)

    drawn = written(builder, tmp_path)

    assert list(drawn.nodes.values()) == [
        "1 · x", "2–499 · 498 thoughts", "500 · x", "501–699 · 199 thoughts", "↺ 700 · x", "701–999 · 299 thoughts",
        "✓ 1000 · x",
    ]  # fmt: skip
    assert drawn.revisions == [("t701", "t501")]
    assert drawn.comments == ["996 thoughts are folded into runs, so that this can be rendered."]


def test_two_thoughts_are_no_run(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 1200):
        builder.thought("x" * 60, number, 1200 if number % 3 else 1300)

    assert "folded" not in " ".join(written(builder, tmp_path).comments)


@pytest.mark.parametrize("shape", first(1, journals.SHAPES))
@pytest.mark.parametrize("length", sized([499, 500, 1_000], [300, 499, 500, 501, 5_000]))
def test_what_is_drawn_is_never_more_than_is_rendered(tmp_path: Path, shape: str, length: int) -> None:
    drawn = chart(journals.write(tmp_path / "a.jsonl", length, shape))

    assert drawn.size <= MAX_CHARS
    assert drawn.edge_count < MAX_EDGES
    assert drawn.comments or len(drawn.nodes.keys() - {"expected"}) == length


def test_the_earlier_thoughts_that_are_left_out_stand_as_one_box(tmp_path: Path) -> None:
    length = sized(2_000, 5_000)
    drawn = chart(journals.write(tmp_path / "a.jsonl", length, "revise"))

    shown = len(drawn.nodes.keys() - {"earlier", "expected"})
    assert drawn.nodes["earlier"] == f"··· {length - shown:,} earlier thoughts"
    assert drawn.dotted[0] == ("earlier", f"t{length - shown + 2}")
    assert drawn.comments[-1].startswith(f"{length - shown:,} earlier thoughts are left out")
    assert next(note for note in drawn.notes.values() if note) == "revises 1"


def test_labels_of_nothing_but_syntax_still_fit(tmp_path: Path) -> None:
    builder = JournalBuilder().session(title="'" * 900)
    for number in range(1, 900):
        builder.thought('"' * 900, number, number + number % 2, branch="]" * 900 if number % 2 else None, from_=1)

    assert written(builder, tmp_path).size <= MAX_CHARS


def test_a_branch_of_a_branch_leaves_the_thought_it_left(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("x", 1, 1).thought("y", 7, 7, branch="a", from_=1)

    drawn = written(builder.thought("z", 8, 8, branch="b", from_=7), tmp_path)

    assert drawn.edges == [("t2", "t3"), ("t3", "t4")]
    assert drawn.groups == {"lane1": ("a", ["t3"]), "lane2": ("b", ["t4"])}


def test_clocks_are_of_no_matter(tmp_path: Path) -> None:
    builder = JournalBuilder(START).session().thought("x", 1, 2)
    builder.now -= timedelta(days=1)

    assert written(builder.thought("y", 2, 2, next=False), tmp_path).edges == [("t2", "t3")]
