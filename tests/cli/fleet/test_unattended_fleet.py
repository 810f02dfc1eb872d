"""`seqthink watch --all --fleet` in a pipe says what sessions of other machines have come to, and calls."""

from datetime import UTC, datetime
from pathlib import Path
from time import time

from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.opening import open_origin
from tests.cli.fleet.conftest import ship
from tests.cli.overview.test_unattended import asked, pipes, wait_until, watching
from tests.support.journals.build import JournalBuilder


def test_a_question_on_another_machine_is_printed_and_starts_the_command(
    fleet_url: str, seqthink_home: Path, tmp_path: Path
) -> None:
    settings, log = seqthink_home / "settings.toml", tmp_path / "log"
    settings.touch(0o600)
    settings.write_text(f'[notify]\nasking = ["sh", "-c", "cat >> {log}"]\n', encoding="utf-8")
    journal = JournalBuilder(datetime.fromtimestamp(time(), UTC)).session("asks", title="far", host="far")
    journal.thought("Why?", 1, 3)
    with watching("--fleet", fleet_url) as process:
        out, err = pipes(process)
        assert err.readline().endswith(" and new ones; commands for: asking\n")
        journal.asking(2, "limit", "elicit", message="Go on?", after=60)
        origin = open_origin(parse_address(fleet_url), "far-cccccc", {})
        ship(origin, "asks", journal.data, name="far", state="thinking")
        origin.beat(["asks"])

        assert out.readline().partition(" ")[2] == "far asks you: Go on?\n"
        wait_until(lambda: asked(log) == ["far asks you: Go on?"])
        origin.close()
