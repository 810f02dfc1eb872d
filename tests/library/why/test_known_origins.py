"""A repository of agents of three clients and of people: nearly all lines are found, and none is called another's."""

import json
from pathlib import Path

import pytest

from seqthink.cli.overview.why import run
from seqthink.library.why.line_digests import is_distinct
from tests.support.depth import first, sized
from tests.support.repositories.made_history import make_history

MIN_FOUND_SHARE = 0.95


def numbers_of(ranges: list[list[int]]) -> list[int]:
    return [number for start, stop in ranges for number in range(start, stop + 1)]


@pytest.mark.parametrize("seed", first(1, range(1, 7)))
def test_agents_lines_find_their_thought_and_the_same_text_is_never_anothers(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_history(tmp_path / "made", sized(40, 200), seed)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.chdir(made.repository)

    total = found = 0
    wrong: list[tuple[str, int]] = []
    for path, lines in made.files.items():
        run(["--json", path])
        answers = json.loads(capsys.readouterr().out)["answers"]
        by_line = {number: answer for answer in answers for number in numbers_of(answer["lines"])}
        calls = {
            number: edit["call"] for one in answers for edit in one["edits"] for number in numbers_of(edit["lines"])
        }
        assert sorted(by_line) == list(range(1, len(lines) + 1))
        for number, line in enumerate(lines, 1):
            answer, origin = by_line[number], line.origin
            is_same_text = answer["level"] == "same text"
            if is_same_text and (origin is None or calls[number] != origin.call):
                wrong.append((path, number))
            if origin is not None and is_distinct(line.text):
                total += 1
                found += is_same_text and answer["behind"]["text"] == origin.thought

    assert not wrong
    assert found >= MIN_FOUND_SHARE * total > 0
