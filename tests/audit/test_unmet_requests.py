"""What a configuration asks for and cannot be done is said, and only then."""

from typing import Any

import pytest

from seqthink.audit.config import ParsedConfig, SessionConfig
from seqthink.audit.unmet_requests import AuditOutcome, unmet_requests

ALL_DONE: dict[str, Any] = {"has_workspace": True, "can_sample": False, "passes": False, "rounds": 1}
BETTER = ALL_DONE | {"has_better_code": True, "tool_diff_count": 1}


def requests_of(outcome: dict[str, Any], **settings: Any) -> list[str]:  # noqa: ANN401 - any setting
    parsed = ParsedConfig(config=SessionConfig(**settings), given_settings=frozenset(settings), has_block=True)
    return unmet_requests(parsed, AuditOutcome(**outcome))


@pytest.mark.parametrize(
    "outcome",
    [
        ALL_DONE,
        ALL_DONE | {"has_workspace": False, "rounds": 0, "missing_tools": {"shellcheck": "bash"}},
        BETTER | {"tool_problems": ("ruff took longer than 20 s",)},
    ],
)
def test_where_nothing_was_asked_for_nothing_is_said(outcome: dict[str, Any]) -> None:
    assert requests_of(outcome) == []
    assert requests_of(outcome, threshold=90, maxCycles=1, candidates=1, applyFixes=False) == []


@pytest.mark.parametrize(
    ("settings", "outcome", "sentences"),
    [
        (
            {"scope": "paths", "paths": ("a",)},
            ALL_DONE | {"has_workspace": False},
            ['scope "paths" was not looked at: there is no workspace.'],
        ),
        (
            {"applyFixes": True},
            ALL_DONE | {"passes": True},
            ["applyFixes: there was nothing to apply, since the code passes."],
        ),
        (
            {"applyFixes": True},
            ALL_DONE,
            ["applyFixes: there was nothing to apply, since nothing better was proposed."],
        ),
        (
            {"applyFixes": True},
            BETTER | {"has_workspace": False},
            ["applyFixes: the proposed diff was not applied, since there is no workspace."],
        ),
        ({"applyFixes": True}, BETTER, []),
        (
            {"applyFixes": True, "maxCycles": 2, "candidates": 2},
            ALL_DONE | {"is_judged": False, "rounds": 0},
            [
                "maxCycles and candidates had no effect: nothing was judged.",
                "applyFixes: there was nothing to apply, since nothing was judged.",
            ],
        ),
        (
            {"applyFixes": True, "maxCycles": 2, "candidates": 2},
            ALL_DONE | {"has_ended": False},
            ["Not finished in time: maxCycles, candidates, applyFixes."],
        ),
        (
            {"applyFixes": True, "maxCycles": 2},
            BETTER | {"has_ended": False, "better_code_passes": True},
            ["Not finished in time: applyFixes."],
        ),
        ({"maxCycles": 1, "threshold": 90, "task": "look"}, ALL_DONE | {"has_ended": False}, []),
        ({"paths": ("a",)}, ALL_DONE, ['paths were not looked at: the scope is "diff".']),
        ({"paths": ("a",), "scope": "paths"}, ALL_DONE, []),
        ({"task": "look"}, ALL_DONE | {"passes": True}, ["task had no effect: it is for models, and none was asked."]),
        ({"task": "look"}, ALL_DONE | {"asks_models": True}, []),
        (
            {"maxCycles": 2, "candidates": 3},
            ALL_DONE | {"rounds": 0},
            [
                "maxCycles and candidates had no effect: no tool here could repair what was found, "
                "and the client's model cannot be asked."
            ],
        ),
        (
            {"maxCycles": 2},
            ALL_DONE | {"rounds": 0, "missing_tools": {"shellcheck": "bash"}, "tool_problems": ("ruff failed",)},
            [
                "shellcheck is not installed, which could repair bash.",
                "ruff failed.",
                "maxCycles had no effect: no tool here could repair what was found, "
                "and the client's model cannot be asked.",
            ],
        ),
        (
            {"candidates": 3},
            BETTER,
            ["candidates: 3 were asked for; tools proposed 1 diff, and no model can be asked."],
        ),
        (
            {"candidates": 3},
            BETTER | {"tool_diff_count": 2},
            ["candidates: 3 were asked for; tools proposed 2 different diffs, and no model can be asked."],
        ),
        ({"candidates": 3}, BETTER | {"tool_diff_count": 3}, []),
        ({"candidates": 3}, BETTER | {"can_sample": True}, []),
        ({"maxCycles": 3}, BETTER, ["maxCycles: after round 1 of 3 nothing further was proposed."]),
        ({"maxCycles": 3}, BETTER | {"better_code_passes": True}, []),
        ({"maxCycles": 3}, BETTER | {"rounds": 3}, []),
        ({"maxCycles": 3, "candidates": 3}, ALL_DONE | {"passes": True, "rounds": 0}, []),
    ],
)
def test_each_request_without_effect_is_one_sentence(
    settings: dict[str, Any], outcome: dict[str, Any], sentences: list[str]
) -> None:
    assert requests_of(outcome, **settings) == sentences
