"""What `docs/audit.md` says is so: settings, scopes, verdicts, reviews."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from seqthink.audit.config import AuditScope, SessionConfig, parse_config
from seqthink.audit.review import AuditReview, Verdict, card_from_findings, combine_cards
from tests.support.docs.pages import code_rows, page
from tests.support.servers.wire import start


def test_the_pieces_of_json_of_the_audit_s_page_are_a_call_its_answer_and_a_configuration(tmp_path: Path) -> None:
    call, answer, block = [fence.text for fence in page("audit").fences if fence.language == "json"]
    configured = parse_config(f"```gan-config\n{block}```")

    with start("--workspace", str(tmp_path), environ={"ENABLE_GAN_AUDITING": "true"}) as wire:
        wire.handshake()
        result = wire.call(json.loads(call))

    assert result["content"][0]["text"] == answer.strip()
    assert (configured.given_settings, configured.problems) == (json.loads(block).keys(), ())


def test_the_settings_of_the_table_are_those_of_an_audit() -> None:
    rows = {names[0]: default for names, default, *_ in code_rows(page("audit").rows("Setting"))}
    defaults = {name: [json.dumps(value)] for name, value in SessionConfig().fields().items()}

    assert rows == defaults | {"paths": []}


@pytest.mark.parametrize("setting", ["threshold", "maxCycles", "candidates"])
def test_a_number_of_the_settings_may_be_as_large_as_the_table_says(setting: str) -> None:
    least, most = _range(setting)

    assert [_is_taken(setting, value) for value in (least - 1, least, most, most + 1)] == [False, True, True, False]


@pytest.mark.parametrize("setting", ["judges", "paths"])
def test_a_list_of_the_settings_may_be_as_long_as_the_table_says(setting: str) -> None:
    least, most = _range(setting)

    names = [f"name-{place}" for place in range(most + 1)]
    assert [_is_taken(setting, names[:size]) for size in (least - 1, least, most, most + 1)] == [
        False,
        True,
        True,
        False,
    ]


def _range(setting: str) -> tuple[int, int]:
    """Return between which numbers the table says that a setting is."""
    [takes] = [takes for name, _, takes, _ in page("audit").rows("Setting") if name == f"`{setting}`"]
    least, most = re.findall(r"\d+", takes)
    return int(least), int(most)


def _is_taken(setting: str, value: object) -> bool:
    return setting in parse_config(f"```gan-config\n{json.dumps({setting: value})}\n```").given_settings


def test_scopes_and_verdicts_are_those_there_are() -> None:
    scopes = [scope[0] for scope, _ in code_rows(page("audit").rows("`scope`"))]
    verdicts = [verdict[0] for verdict, *_ in code_rows(page("audit").rows("Verdict"))]

    assert tuple(scopes) == get_args(AuditScope)
    assert sorted(verdicts) == sorted(get_args(Verdict))


def test_the_fields_of_a_review_are_those_of_the_table() -> None:
    review: AuditReview = combine_cards([card_from_findings("internal", [], read_units=[])], threshold=85)

    named = [name for names, _ in code_rows(page("audit").rows("In `gan`")) for name in names]

    assert sorted(named) == sorted(review.fields())
