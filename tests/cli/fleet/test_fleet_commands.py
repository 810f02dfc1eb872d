"""The commands with `--fleet`: the engine takes the place of the folder, nothing else changes."""

import json
from argparse import Namespace
from pathlib import Path

import pytest

from seqthink.cli.fleet import reading
from seqthink.cli.fleet.options import fleet_url as address_of
from seqthink.core.errors import UsageError
from tests.cli.fleet.conftest import JOURNALS, Command


def test_sessions_of_all_machines_with_their_hosts(fleet_url: str, seqthink: Command) -> None:
    status, out, err = seqthink("sessions", "--fleet", fleet_url)
    heading, *rows = out.splitlines()

    assert (status, err) == (0, "")
    assert heading.split()[-2:] == ["host", "title"]
    assert [row.split()[0] for row in rows] == ["trimmed", "shop-api", "shop-api", "full"]
    assert "  lab             It begins later" in rows[0]


def test_sessions_of_one_machine_as_json(fleet_url: str, seqthink: Command) -> None:
    status, out, _ = seqthink("sessions", "--fleet", fleet_url, "--host", "lab", "--json")
    found = json.loads(out)

    assert status == 0
    assert [(one["session"], one["path"], one["host"], one["origin"]) for one in found] == [
        ("trimmed", None, "lab", "lab-bbbbbb"),
        ("shop-api", None, "lab", "lab-bbbbbb"),
    ]
    assert found[1]["thoughts"] == 14
    assert found[1]["alive"] is False


def test_no_sessions_of_a_host(fleet_url: str, seqthink: Command) -> None:
    assert (
        seqthink("sessions", "--fleet", fleet_url, "--host", "x")[2]
        == "seqthink: no sessions of the host 'x' in the fleet yet\n"
    )


@pytest.mark.parametrize(
    "command",
    [("show", "--width", "100"), ("replay", "--width", "100"), ("export", "--format", "md"), ("stats", "--json")],
)
def test_a_session_of_the_fleet_is_as_its_journal(fleet_url: str, seqthink: Command, command: tuple[str, ...]) -> None:
    name, *options = command
    far = seqthink(name, "desk/shop-api", "--fleet", fleet_url, *options)
    here = seqthink(name, JOURNALS / "shop-api.jsonl", *options)

    assert far[0] == here[0] == 0
    assert far[1].replace(" lost ", " ended ") == here[1].replace(" lost ", " ended ")
    assert far[2] == ""


def test_the_variable_stands_for_the_option(fleet_url: str, seqthink: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQTHINK_FLEET", fleet_url)

    assert "502s" in seqthink("show", "desk/shop")[1]
    assert "502s" in seqthink("show", JOURNALS / "shop-api.jsonl")[1]
    assert "no sessions in" in seqthink("sessions", "--fleet", "none")[2]
    assert "no sessions in" in seqthink("sessions", "--fleet", "")[2]


def test_lines_that_are_no_longer_kept_are_said(fleet_url: str, seqthink: Command) -> None:
    status, out, err = seqthink("show", "trimmed", "--fleet", fleet_url)

    assert (status, err) == (0, "seqthink: lines 1–5 are no longer kept\n")
    assert "shop-api" in out


def test_words_are_found_on_all_machines(fleet_url: str, seqthink: Command) -> None:
    status, out, err = seqthink("find", "layers", "--fleet", fleet_url)
    as_json = [json.loads(line) for line in seqthink("find", "layers", "--json", "--fleet", fleet_url)[1].splitlines()]

    assert (status, err) == (0, "")
    assert "shop-api on lab" in out
    assert "shop-api on desk" in out
    assert {(one["path"], one["host"]) for one in as_json} == {(None, "lab"), (None, "desk")}


def test_status_counts_the_fleet(fleet_url: str, seqthink: Command) -> None:
    status, out, _ = seqthink("status", "--format", "{thinking} {asking} {lost}", "--fleet", fleet_url)

    assert (status, out) == (0, "0 0 0\n")


def test_stats_of_the_last_days(fleet_url: str, seqthink: Command) -> None:
    assert json.loads(seqthink("stats", "--fleet", fleet_url, "--json")[1])["sessions"] == 3


def test_fetch_keeps_a_copy_byte_for_byte(fleet_url: str, seqthink: Command, tmp_path: Path) -> None:
    folder, original = tmp_path / "kept", (JOURNALS / "full.jsonl").read_bytes()
    status, out, err = seqthink("fetch", "full", "--fleet", fleet_url, "--journal-dir", folder)
    kept = folder / "full.jsonl"

    assert (status, out) == (0, "")
    assert err.startswith(f"seqthink: {kept}: ")
    assert kept.read_bytes() == original
    assert list(folder.iterdir()) == [kept]
    assert "are there already" in seqthink("fetch", "full", "--fleet", fleet_url, "--journal-dir", folder)[2]
    kept.write_bytes(original[:-1][: original[:-1].rfind(b"\n") + 1])
    assert "it was shorter before" in seqthink("fetch", "full", "--fleet", fleet_url, "--journal-dir", folder)[2]
    assert kept.read_bytes() == original


def test_fetch_never_overwrites_another_file(fleet_url: str, seqthink: Command, tmp_path: Path) -> None:
    target = tmp_path / "other.jsonl"
    target.write_text("mine\n", encoding="utf-8")
    status, _, err = seqthink("fetch", "full", "--fleet", fleet_url, "--output", target)

    assert status == 2
    assert err == f"seqthink: {target} already exists and is another session; name a file with --output\n"
    assert target.read_text(encoding="utf-8") == "mine\n"
    assert len(list(tmp_path.glob("*.jsonl*")) + list(tmp_path.glob(".*"))) == 1


def test_fetch_of_a_session_on_two_machines_names_them(fleet_url: str, seqthink: Command, tmp_path: Path) -> None:
    status, _, err = seqthink("fetch", "shop-api", "--fleet", fleet_url, "-o", tmp_path / "f")

    assert status == 2
    assert "lab-bbbbbb/shop-api" in err
    assert "desk-aaaaaa/shop-api" in err


def test_fetch_of_a_trimmed_session_writes_nothing(fleet_url: str, seqthink: Command, tmp_path: Path) -> None:
    status, _, err = seqthink("fetch", "trimmed", "--fleet", fleet_url, "-o", tmp_path / "f")

    assert status == 1
    assert err == "seqthink: nothing was written: lines 1–5 are no longer kept; `seqthink export` writes the rest\n"
    assert not list(tmp_path.glob("f*"))
    assert not list(tmp_path.glob(".f*"))


def test_fetch_needs_a_fleet(seqthink: Command) -> None:
    assert seqthink("fetch", "x")[::2] == (
        2,
        "seqthink: fetch: name the fleet with --fleet URL, or in SEQTHINK_FLEET\n",
    )


@pytest.mark.parametrize("command", [("show", "x"), ("sessions",), ("find", "x"), ("status",), ("stats",)])
def test_an_engine_that_is_not_there_is_one_sentence(
    seqthink: Command, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(reading, "PATIENCE_SECONDS", 0)
    status, out, err = seqthink(*command, "--fleet", "redis://127.0.0.1:1")

    assert status == 1
    assert out == ""
    assert err.count("\n") == 1
    assert "cannot be reached" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("sessions", "--journal-dir", "x"),
        ("find", "x", "--sources", "journal"),
        ("show", "./x.jsonl"),
        ("watch", "-"),
    ],
)
def test_a_fleet_and_this_machine_are_not_mixed(seqthink: Command, arguments: tuple[str, ...]) -> None:
    status, out, err = seqthink(*arguments, "--fleet", "redis://127.0.0.1:1")

    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_a_host_needs_a_fleet(seqthink: Command) -> None:
    assert seqthink("sessions", "--host", "x")[0] == 2


def test_what_the_command_line_says_is_stronger_than_the_variable() -> None:
    environ = {"SEQTHINK_FLEET": "redis://x"}

    def address(**options: object) -> str | None:
        return address_of(Namespace(**options), environ)

    assert address() is None
    assert address(fleet=None) == "redis://x"
    assert address(fleet="none") is None
    assert address(fleet="redis://y") == "redis://y"
    assert address(fleet=None, journal_dir=Path("x")) is None
    assert address(fleet=None, session="./x.jsonl") is None
    assert address(fleet=None, session="host/x") == "redis://x"
    with pytest.raises(UsageError, match="leave it out, or the file"):
        address(fleet="redis://y", session="-")
