"""Judges that are models, and the loop that improves a diff with them."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.audit.served.conftest import (
    CLEAN,
    ELIXIR,
    FIVE,
    FLAWED,
    MENDED,
    NO_JUDGE,
    SAMPLES,
    TOOL,
    WORSE,
    Judged,
    always,
    config,
    in_turn,
    model_review,
    repair,
)
from tests.support.audit.repositories import Repo
from tests.support.servers.dialogue_clients import (
    HandshakeClient,
    text_answer,
    tool_use_answer,
)
from tests.support.servers.warm_server import TIMEOUT_SECONDS
from tests.support.servers.wire import Message, thought

# Judges that are models


def test_a_model_judges_code_that_no_rule_covers(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"b.ex": "one = 1\n"})
    with audited(SAMPLES, cwd=repo.root) as judged:
        asked = config(judges=["internal", "critic"], scope="paths", paths=["b.ex"])
        good = judged.think(asked + ELIXIR, always(model_review(90)))
        bad = judged.think(asked + ELIXIR, always(model_review(40)))
        shy = judged.think(asked + ELIXIR, always(text_answer("No.")))

    unjudged = f"{NO_JUDGE}thought:7-9 (elixir), b.ex."
    assert good["gan"]["judge_cards"] == [{"model": "critic", "score": 90, "notes": "It is 90."}]
    assert (good["gan"]["verdict"], good["nextThoughtNeeded"]) == ("pass", False)
    assert good["gan"]["review"]["summary"] == f"Pass. critic names no line. It is 90. {unjudged}"
    assert good["gan"]["review"]["citations"] == ["repo://b.ex:1-1"]
    assert (bad["gan"]["verdict"], bad["nextThoughtNeeded"]) == ("reject", True)
    assert bad["gan"]["review"]["summary"].startswith("Reject. The score of 40 is below 50, and no judge names a line.")
    assert shy["auditError"].startswith(f"{unjudged} judge 'critic' gave no review")


def test_code_that_a_model_was_not_shown_is_reported_as_not_judged(audited: Callable[..., Any], tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.rb": "x = 1\n" * 12_000, "b.ex": "x = 1\n"})
    with audited(SAMPLES, cwd=repo.root) as judged:
        words = config(judges=["critic"], scope="paths", paths=["a.rb", "b.ex"])
        gan = judged.think(words, always(model_review(90)))["gan"]

    unjudged = "Not judged by 'critic' (more than it was shown): a.rb:10001-12000, b.ex."
    assert gan["judge_cards"] == [{"model": "critic", "score": 90, "notes": f"{unjudged} It is 90."}]
    assert gan["review"]["citations"] == ["repo://a.rb:1-10000"]


def test_each_judge_gives_a_card_and_the_mean_decides(audited: Callable[..., Any]) -> None:
    def answers(question: Message) -> Message:
        [hint] = question["params"]["modelPreferences"]["hints"]
        comment = {"path": "thought", "line": 5, "comment": "Say what it returns."}
        return model_review(80 if hint["name"] == "one" else 60, inline=[comment])

    with audited(SAMPLES) as judged:
        answer = judged.think(config(judges=["internal", "one", "two"], threshold=79) + CLEAN, answers)

    gan = answer["gan"]
    assert [(card["model"], card["score"]) for card in gan["judge_cards"]] == [
        ("internal", 97),
        ("one", 80),
        ("two", 60),
    ]
    assert (gan["overall"], gan["verdict"]) == (79, "pass")
    assert {"path": "thought", "line": 5, "comment": "Say what it returns."} in gan["review"]["inline"]
    assert len(judged.recorded("sample")) == 2


def test_a_judge_with_malformed_answers_is_asked_again_and_then_left_out(audited: Callable[..., Any]) -> None:
    bad = in_turn(text_answer("It is fine."), tool_use_answer("look", {}), model_review(101))
    with audited(SAMPLES) as judged:
        answer = judged.think(config(judges=["internal", "odd"]) + CLEAN, bad)

    assert [card["model"] for card in answer["gan"]["judge_cards"]] == ["internal"]
    assert "odd" in answer["gan"]["review"]["summary"]
    assert len(judged.recorded("sample")) == 3


def test_where_no_judge_gives_a_review_there_is_an_error_and_the_thought_stays(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        answer = judged.think(config(judges=["shy"]) + FLAWED, always(text_answer("No.")), nextThoughtNeeded=True)

    assert answer.keys() == FIVE | {"sessionId", "auditError"}
    assert "shy" in answer["auditError"]
    [kept] = judged.recorded("audit")
    assert kept["error"] == answer["auditError"]
    assert "review" not in kept


@pytest.mark.parametrize(
    "version", ["handshake"], indirect=True
)  # later, a client that refuses does not repeat the call
def test_a_judge_whom_the_user_refuses_is_left_out(audited: Callable[..., Any]) -> None:
    refusal = {"error": {"code": -1, "message": "The user said no"}}
    with audited(SAMPLES) as judged:
        answer = judged.think(config(judges=["internal", "shy"]) + CLEAN, always(refusal))

    assert [card["model"] for card in answer["gan"]["judge_cards"]] == ["internal"]
    assert "The user said no" in answer["gan"]["review"]["summary"]


def test_a_client_without_sampling_is_not_asked(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        answer = judged.think(config(judges=["internal", "m"]) + FLAWED)

    assert "the client does not support sampling" in answer["gan"]["review"]["summary"]
    assert (answer["gan"]["iterations"], answer["gan"]["proposed_diff"]) == (1, None)
    assert judged.recorded("asking", "sample") == []


def in_text(fields: Message) -> Message:
    return text_answer(f"Here it is:\n\n```json\n{json.dumps(fields)}\n```")


def test_a_client_that_samples_without_tools_judges_and_repairs_in_text(audited: Callable[..., Any]) -> None:
    review = {"overall": 70, "summary": "It is 70.", "inline": [{"path": "thought", "line": 8, "comment": "Parse it."}]}

    def answers(question: Message) -> Message:
        assert "tools" not in question["params"]
        asked = question["params"]["messages"][0]["content"]["text"]
        return in_text(review if "Review the code in it." in asked else {"diff": _behind_config(MENDED)})

    with audited({"sampling": {}}) as judged:
        gan = judged.think(config(judges=["internal", "critic"]) + FLAWED, answers)["gan"]

    assert [(card["model"], card["score"]) for card in gan["judge_cards"]] == [("internal", 80), ("critic", 70)]
    assert gan["proposed_diff"] == _behind_config(MENDED)
    assert [event["purpose"] for event in judged.recorded("sample")] == ["audit critic", "repair 1.1", "repair critic"]


def test_a_judge_that_gave_no_review_is_not_asked_about_repairs(audited: Callable[..., Any]) -> None:
    def answers(question: Message) -> Message:
        is_for_code = "Answer with one unified diff" in json.dumps(question["params"]["messages"])
        return repair(_behind_config(MENDED)) if is_for_code else text_answer("No.")

    with audited(SAMPLES) as judged:
        gan = judged.think(config(judges=["internal", "critic"]) + FLAWED, answers)["gan"]

    assert gan["proposed_diff"] is not None
    assert "repair critic" not in {event["purpose"] for event in judged.recorded("sample")}


def test_a_judge_that_never_answers_costs_the_time_limit_and_no_more(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES, "--audit-timeout", "3") as judged:
        judged.think(config(judges=["internal"]) + CLEAN)  # so that a busy machine needs no part of the limit to load
        answer = _slow(judged, config(judges=["internal", "slow", "quick"]) + CLEAN)
    summary = answer["gan"]["review"]["summary"]
    cards = [card["model"] for card in answer["gan"]["judge_cards"]]
    assert cards == (["internal", "quick"] if isinstance(judged.host, HandshakeClient) else ["internal"])
    assert "judge 'slow' gave no review in time" in summary
    assert "ended after 3 s" in summary


def _slow(judged: Judged, words: str) -> Message:
    """Return the answer to a thought while one judge never answers; later, none does."""

    def quick(question: Message) -> Message | None:
        is_quick = question["params"]["modelPreferences"]["hints"] == [{"name": "quick"}]
        return model_review(90) if is_quick else None

    if isinstance(judged.host, HandshakeClient):
        return judged.think(words, quick)
    arguments = thought(words) | {"nextThoughtNeeded": False}
    before = len(judged.recorded("audit"))
    result = judged.host.send_and_receive(TOOL, arguments)
    end = time.monotonic() + TIMEOUT_SECONDS
    while len(judged.recorded("audit")) == before:
        assert time.monotonic() < end
        time.sleep(0.05)  # noqa: TID251 - looks again at what another process does
    return judged.host.send_and_receive(TOOL, arguments, {}, result["requestState"])["structuredContent"]


# The loop


def test_the_repair_of_a_model_becomes_the_proposed_diff(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        answer = judged.think(FLAWED, always(repair(MENDED)))

    gan = answer["gan"]
    assert (gan["verdict"], gan["proposed_diff"], gan["iterations"]) == ("revise", MENDED, 1)
    assert "scores 97" in gan["review"]["summary"]
    assert answer["nextThoughtNeeded"] is True


def test_the_loop_goes_on_until_it_passes_and_keeps_the_best(audited: Callable[..., Any]) -> None:
    proposals = in_turn(*(repair(_behind_config(diff)) for diff in (WORSE, FLAWED, MENDED, "never asked for")))
    with audited(SAMPLES) as judged:
        answer = judged.think(config(maxCycles=5) + FLAWED, proposals)

    gan = answer["gan"]
    assert (gan["iterations"], gan["proposed_diff"]) == (3, _behind_config(MENDED))
    assert len(judged.recorded("sample")) == 3


def _behind_config(diff: str) -> str:
    """Return a diff whose line numbers are three higher, for the configuration above the code."""
    return diff.replace("@@ -2,5 +2,5 @@", "@@ -5,5 +5,5 @@")


def test_of_several_candidates_the_best_is_kept(audited: Callable[..., Any]) -> None:
    def answers(question: Message) -> Message:
        is_second = "attempt 2" in question["params"]["messages"][0]["content"]["text"]
        return repair(_behind_config(MENDED if is_second else WORSE))

    with audited(SAMPLES) as judged:
        answer = judged.think(config(candidates=2) + FLAWED, answers)

    assert answer["gan"]["proposed_diff"] == _behind_config(MENDED)
    assert answer["gan"]["iterations"] == 1


def test_code_that_passes_is_not_improved(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES) as judged:
        judged.think(CLEAN)

    assert judged.recorded("asking", "sample") == []
