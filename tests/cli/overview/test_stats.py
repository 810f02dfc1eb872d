"""`seqthink stats`: one session or many, as a page or as JSON."""

import json
from pathlib import Path

from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.servers.commands import refusal_line, seqthink


def _folder(tmp_path: Path) -> Path:
    shop_api().write(tmp_path / "shop.jsonl")
    JournalBuilder().session("other", client="codex", cwd="/srv/api").thought("a", 1, 2).write(tmp_path / "other.jsonl")
    return tmp_path


def test_all_that_changed_lately_is_summed_by_client_and_folder(tmp_path: Path) -> None:
    done = seqthink("stats", "--journal-dir", _folder(tmp_path), "--sources", "journal", "--since", "9000w", "--json")
    document = json.loads(done.stdout)

    assert done.returncode == 0, done.stderr
    assert (document["schema"], document["sessions"], document["thoughts"]) == ("seqthink.stats/1", 2, 12)
    assert {name: total["thoughts"] for name, total in document["clients"].items()} == {"claude-code": 11, "codex": 1}
    assert document["estimates"] == {"chains": 1, "exact": 0, "over": 0, "under": 1, "medianOff": 3}
    assert "pace" not in document["clients"]["codex"]


def test_one_session_has_a_page_of_its_own(tmp_path: Path) -> None:
    for cells in (44, 80, 120, 200):
        done = seqthink("stats", _folder(tmp_path) / "shop.jsonl", "--width", str(cells))

        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(" shop-api   11 thoughts")
        assert max(map(len, done.stdout.splitlines())) <= cells


def test_an_empty_folder_has_nothing_to_count(tmp_path: Path) -> None:
    done = seqthink("stats", "--journal-dir", tmp_path, "--sources", "journal")

    assert (done.returncode, "Nothing was thought" in done.stdout) == (0, True)


def test_a_session_and_a_time_together_are_refused(tmp_path: Path) -> None:
    line = refusal_line(seqthink("stats", "last", "--since", "7d", "--journal-dir", tmp_path))

    assert "not both" in line


def test_a_transcript_of_claude_code_counts_with_the_sessions_of_our_server(tmp_path: Path) -> None:
    JournalBuilder().session("ours", client="claude-code").thought("a", 1, 2).write(tmp_path / "ours.jsonl")
    imported = JournalBuilder().session("theirs", client="Claude Code", source="claude", server=None)
    imported.thought("b", 1, 2).write(tmp_path / "theirs.jsonl")

    done = seqthink("stats", "--journal-dir", tmp_path, "--sources", "journal", "--since", "9000w", "--json")

    assert {name: total["thoughts"] for name, total in json.loads(done.stdout)["clients"].items()} == {"claude-code": 2}
