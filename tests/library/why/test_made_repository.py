"""Lines of a repository that agents and a user made by chance: nearly all are found, and none is called another's."""

import json
from pathlib import Path

import pytest

from seqthink.cli.overview import why_sessions
from seqthink.cli.overview.why import run
from seqthink.library.why.line_digests import is_distinct
from tests.support.depth import first, sized
from tests.support.transcripts.made_repository import MadeRepository

MIN_FOUND_SHARE = 0.95


@pytest.mark.parametrize("seed", first(1, range(1, 9)))
def test_agents_lines_are_found_and_the_same_text_is_never_anothers(
    seed: int,
    tmp_path: Path,
    seqthink_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = MadeRepository(tmp_path, seed)
    made.run(sized(30, 200))
    monkeypatch.setattr(why_sessions, "ClientFolders", lambda *_: made.world)
    monkeypatch.chdir(made.world.root)

    total = found = 0
    wrong: list[tuple[str, int]] = []
    for path, lines in made.files.items():
        if not lines:
            continue
        run(["--json", path])
        answers = json.loads(capsys.readouterr().out)["answers"]
        by_line = {
            number: answer for answer in answers for start, stop in answer["lines"] for number in range(start, stop + 1)
        }
        assert sorted(by_line) == list(range(1, len(lines) + 1))
        for number, line in enumerate(lines, 1):
            answer = by_line[number]
            call = answer["edit"]["call"] if answer["edit"] is not None else None
            if answer["level"] == "same text" and call != line.call:
                wrong.append((path, number))
            if line.call is not None and is_distinct(line.text):
                total += 1
                found += answer["level"] == "same text"

    assert not wrong
    assert found >= MIN_FOUND_SHARE * total > 0
    assert (seqthink_home / "viewer" / "edits.sqlite").exists()
