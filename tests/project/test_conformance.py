"""How the conformance run judges, and what it says where it cannot run; the run itself is `make conformance`."""

import sys
from pathlib import Path

import pytest

from tests.conformance.__main__ import main
from tests.conformance.verdicts import Check, Scenario, judge, unseen

KNOWN = {"prompts-list": "has no prompts"}


def verdict(*checks: Check) -> tuple[str, str, bool]:
    judged = judge(Scenario("scenario", checks), KNOWN)
    return judged.score, judged.words, judged.is_right


def test_a_scenario_whose_checks_succeed_passes_and_what_was_only_said_or_skipped_does_not_count() -> None:
    checks = [Check("ping", "SUCCESS"), Check("seen", "INFO"), Check("left", "SKIPPED")]

    assert verdict(*checks) == ("1/1", "passed", True)


def test_a_check_that_is_known_to_fail_or_to_warn_gives_its_reason() -> None:
    for status in ("FAILURE", "WARNING"):
        assert verdict(Check("wire", "SUCCESS"), Check("prompts-list", status)) == ("1/2", "has no prompts", True)


def test_a_check_that_fails_or_warns_unforeseen_is_wrong_even_beside_one_that_was_foreseen() -> None:
    for status in ("FAILURE", "WARNING"):
        checks = [Check("prompts-list", "FAILURE"), Check("ping", status, "no answer")]
        assert verdict(*checks) == ("0/2", "WRONG: ping: no answer", False)


def test_a_check_that_passes_though_it_is_known_to_fail_is_wrong() -> None:
    score, words, is_right = verdict(Check("prompts-list", "SUCCESS"))

    assert (score, is_right) == ("1/1", False)
    assert words.startswith("WRONG: prompts-list passes now")


def test_a_scenario_that_broke_off_or_checked_nothing_is_wrong() -> None:
    assert verdict() == ("0/0", "WRONG: nothing was checked", False)
    assert verdict(Check("left", "SKIPPED")) == ("0/0", "WRONG: nothing was checked", False)


def test_what_is_known_to_fail_and_is_no_longer_checked_is_reported() -> None:
    ran = [Scenario("prompts-list", [Check("prompts-list", "FAILURE")])]

    assert unseen(ran, KNOWN) == []
    assert [gone.name for gone in unseen([], KNOWN)] == ["prompts-list"]


def test_without_npm_it_says_so_in_one_line_and_exits_with_a_status_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["conformance", "--cache", str(tmp_path / "cache")])
    status = main()
    said = capsys.readouterr()

    assert (status, said.out, said.err.count("\n")) == (3, "", 1)
    assert "no npm" in said.err
