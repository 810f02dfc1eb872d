"""The `gan-config` block: every setting; bad values are reported and replaced by defaults, never raised."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.audit.code.blocks import should_audit
from seqthink.audit.config import (
    MAX_CANDIDATES,
    MAX_CYCLES,
    MAX_JUDGES,
    MAX_NAME_CHARS,
    MAX_PATHS,
    MAX_PROBLEMS,
    MAX_TASK_CHARS,
    ParsedConfig,
    SessionConfig,
    parse_config,
)
from seqthink.core.text import one_line

DEFAULTS = SessionConfig()
FIELDS = sorted(DEFAULTS.__struct_fields__)


def fenced(text: str, info: str = "gan-config") -> str:
    return f"Look at this.\n\n```{info}\n{text}\n```\n"


def configured(**settings: Any) -> ParsedConfig:  # noqa: ANN401 - any JSON
    return parse_config(fenced(json.dumps(settings)))


def test_without_a_block_everything_is_at_its_default() -> None:
    assert parse_config("Just prose, and `gan-config` named in it.") == ParsedConfig(config=DEFAULTS)


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("task", " Look at the errors\nfirst ", "Look at the errors\nfirst"),
        ("task", "x" * (MAX_TASK_CHARS + 1), "x" * MAX_TASK_CHARS),
        ("task", "a\x1b[31m\ud800\u202eb", "a[31mb"),
        ("scope", "workspace", "workspace"),
        ("scope", "diff", "diff"),
        ("paths", ["a.py", " b.py ", "a.py"], ("a.py", "b.py")),
        ("paths", ["../a", "/etc/passwd", "äöü 一.py"], ("../a", "/etc/passwd", "äöü 一.py")),
        ("threshold", 0, 0),
        ("threshold", 100, 100),
        ("threshold", 90.5, 90.5),
        ("maxCycles", MAX_CYCLES, MAX_CYCLES),
        ("maxCycles", 2.0, 2),
        ("candidates", MAX_CANDIDATES, MAX_CANDIDATES),
        ("judges", ["internal", "claude"], ("internal", "claude")),
        ("applyFixes", True, True),
        ("applyFixes", False, False),
    ],
)
def test_a_setting_in_its_range_is_taken(name: str, value: object, kept: object) -> None:
    found = configured(**{name: value})

    assert getattr(found.config, name) == kept
    assert found == ParsedConfig(config=found.config, given_settings=frozenset({name}), has_block=True)


def test_paths_with_the_scope_that_needs_them() -> None:
    found = configured(scope="paths", paths=["a.py"])

    assert (found.config.scope, found.config.paths, found.problems) == ("paths", ("a.py",), ())


NOT_TEXT: list[object] = [1, True, [], {}, "", "  "]
TOO_MANY: object = ["a"] * (MAX_PATHS + 1)
TOO_LONG: object = ["x" * (MAX_NAME_CHARS + 1)]
BAD: dict[str, list[object]] = {
    "task": [*NOT_TEXT, ["a"], "\x00"],
    "scope": [*NOT_TEXT, "Diff", "files", ["diff"]],
    "paths": [*NOT_TEXT, "a.py", ["a", 1], ["a", ""], [["a"]], ["a\nb"], ["\x1b"], ["\ud800"], TOO_MANY, TOO_LONG],
    "threshold": [
        "9O",
        "",
        "1e2",
        "-1",
        "101",
        "٩٠",
        "9" * 30,
        True,
        [],
        {},
        -1,
        100.01,
        10**30,
        -(10**400),
        float("nan"),
        float("inf"),
    ],
    "maxCycles": [
        "one",
        "0",
        "1.5",
        "11",
        True,
        [],
        {},
        0,
        -1,
        1.5,
        MAX_CYCLES + 1,
        10**400,
        float("nan"),
        float("-inf"),
    ],
    "candidates": ["", "9", False, [], {}, 0, 1.5, MAX_CANDIDATES + 1],
    "judges": [*NOT_TEXT, "internal", [""], [None], ["a"] * (MAX_JUDGES + 1)],
    "applyFixes": ["yes", "", "1", 1, 0, [], {}],
}


@pytest.mark.parametrize(
    ("name", "spelled", "kept"),
    [
        *(("threshold", spelled, kept) for spelled, kept in [("85", 85), (" 85.5 ", 85.5), ("0", 0), ("90.0", 90)]),
        *(("maxCycles", spelled, 2) for spelled in ("2", " 2 ", "+2", "02", "2.0", 2.0)),
        *(("candidates", spelled, 3) for spelled in ("3", " 3 ", 3.0)),
        *(("applyFixes", spelled, True) for spelled in ("true", " True ", "TRUE")),
        ("applyFixes", "false", False),
    ],
)
def test_a_number_or_a_boolean_may_be_spelled_as_a_string(name: str, spelled: object, kept: object) -> None:
    found = configured(**{name: spelled})

    assert (getattr(found.config, name), found.problems) == (kept, ())
    assert type(getattr(found.config, name)) is type(kept)
    assert found.given_settings == frozenset({name})


def json_of(value: object) -> str:
    digits = isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**20
    return ("-" if value < 0 else "") + "1" + "0" * 400 if digits and isinstance(value, int) else json.dumps(value)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_a_bad_value_leaves_the_default_and_is_named(name: str, value: object) -> None:
    found = parse_config(fenced(f'{{"{name}": {json_of(value)}}}'))

    assert getattr(found.config, name) == getattr(DEFAULTS, name)
    assert name not in found.given_settings
    [problem] = found.problems
    assert problem.startswith(f"gan-config: {name} must be ")
    assert ", got " in problem
    assert problem.endswith("; the default is used.")
    assert problem.isprintable()
    assert len(problem) < 200


def test_a_problem_says_what_was_expected_and_what_came() -> None:
    assert configured(threshold=120).problems == (
        "gan-config: threshold must be a number from 0 to 100, got 120; the default is used.",
    )


@pytest.mark.parametrize("name", FIELDS)
def test_null_means_the_default_and_is_said(name: str) -> None:
    problems = (f"gan-config: {name} is null, so it is not set.",)

    assert configured(**{name: None}) == ParsedConfig(config=DEFAULTS, has_block=True, problems=problems)


def test_null_leaves_what_an_earlier_block_has_set() -> None:
    found = parse_config('```gan-config\n{"threshold": 70}\n```\n```gan-config\n{"threshold": null}\n```')

    assert found.config.threshold == 70
    assert found.problems == ("gan-config: threshold is null, so it is not set.",)


@pytest.mark.parametrize("content", ["", "\n", "  \n\n"])
def test_an_empty_block_is_one_with_the_defaults_and_is_said(content: str) -> None:
    thought = f"```gan-config\n{content}```"
    problems = ("gan-config: the block is empty; the defaults are used.",)

    assert should_audit(thought)
    assert parse_config(thought) == ParsedConfig(config=DEFAULTS, has_block=True, problems=problems)


@pytest.mark.parametrize("settings", [{}, {"paths": None}, {"paths": []}, {"paths": [1]}])
def test_the_scope_of_paths_without_paths_is_the_default_one(settings: dict[str, Any]) -> None:
    found = configured(scope="paths", **settings)

    assert found.config == DEFAULTS
    assert found.given_settings == frozenset()
    assert 'gan-config: scope "paths" needs paths; the default is used.' in found.problems


def test_what_is_no_setting_is_named_and_cut() -> None:
    [problem] = configured(**{"thresh\x1bold" * 50: 1}).problems

    assert problem.startswith('gan-config: "thresh')
    assert "is not a setting, got 1" in problem
    assert problem.isprintable()
    assert len(problem) < 200


@pytest.mark.parametrize(
    "text",
    ["{", "no json", '{"threshold": 90,}', "{'threshold': 90}", "[" * 100_000, '{"a":' * 100_000, '{"task": "a\x01"}'],
)
def test_broken_json_leaves_all_defaults_and_is_named(text: str) -> None:
    found = parse_config(fenced(text))

    assert found.config == DEFAULTS
    assert found.has_block
    [problem] = found.problems
    assert problem.startswith("gan-config: not JSON (")
    assert len(problem) < 150


@pytest.mark.parametrize("text", ["[]", "1", '"a"', "null", "NaN", '[{"threshold": 90}]'])
def test_json_that_is_no_object_sets_nothing(text: str) -> None:
    found = parse_config(fenced(text))

    assert found.config == DEFAULTS
    assert [problem.startswith("gan-config: must be a JSON object, got ") for problem in found.problems] == [True]


def test_of_several_blocks_the_later_wins_field_by_field() -> None:
    thought = fenced('{"threshold": 90, "maxCycles": 2}') + fenced('{"threshold": 95}') + fenced("{") + fenced("{}")

    found = parse_config(thought)
    assert (found.config.threshold, found.config.maxCycles) == (95, 2)
    assert len(found.problems) == 1


def test_a_later_null_overrides_nothing() -> None:
    assert parse_config(fenced('{"threshold": 90}') + fenced('{"threshold": null}')).config.threshold == 90


def test_of_a_repeated_setting_the_last_counts() -> None:
    found = parse_config(fenced('{"threshold": "x", "threshold": 70}'))

    assert (found.config.threshold, found.problems) == (70, ())


@pytest.mark.parametrize("info", ["gan-config", "gan-config json", "GAN-CONFIG", "{gan-config}", " gan-config  "])
def test_the_info_of_a_block(info: str) -> None:
    assert parse_config(fenced('{"threshold": 90}', info)).config.threshold == 90


@pytest.mark.parametrize("info", ["json gan-config", "gan-configs", "gan_config", ""])
def test_other_fences_configure_nothing(info: str) -> None:
    assert not parse_config(fenced('{"threshold": 90}', info)).has_block


@pytest.mark.parametrize(
    "thought",
    [
        '~~~gan-config\n{"threshold": 90}\n~~~',
        '````gan-config\n{"threshold": 90}\n````',
        '```gan-config\n{"threshold": 90}',
        '- so:\n  ```gan-config\n  {\n    "threshold": 90\n  }\n  ```',
        '```gan-config\r\n{"threshold": 90}\r\n```\r\n',
    ],
)
def test_every_kind_of_fence_configures(thought: str) -> None:
    assert parse_config(thought).config.threshold == 90


def test_a_block_in_a_longer_fence_is_its_text() -> None:
    inner = fenced('{"threshold": 90}')

    assert parse_config(f"````md\n{inner}````") == ParsedConfig(config=DEFAULTS)
    assert parse_config(f"~~~\n{inner}~~~") == ParsedConfig(config=DEFAULTS)


def test_a_few_problems_are_listed_and_the_rest_is_counted() -> None:
    found = configured(**{f"x{number}": number for number in range(1000)})

    assert len(found.problems) == MAX_PROBLEMS + 1
    assert found.problems[-1] == f"gan-config: {1000 - MAX_PROBLEMS} more settings cannot be used."


def test_a_megabyte_of_json_is_one_short_sentence() -> None:
    assert len("".join(configured(task=["x" * 1_000_000]).problems)) < 200
    assert len("".join(configured(paths=[[[{"a": "x" * 1000}]]] * 1000).problems)) < 200
    assert len(configured(task="ä" * 1_000_000).config.task) == MAX_TASK_CHARS


def is_in_range(config: SessionConfig) -> bool:
    texts = [config.task, *config.paths, *config.judges]
    return (
        all(text.strip() and text.encode() for text in texts)
        and len(config.task) <= MAX_TASK_CHARS
        and config.scope in {"diff", "paths", "workspace"}
        and (config.scope != "paths" or bool(config.paths))
        and len(config.paths) <= MAX_PATHS
        and 0 <= config.threshold <= 100
        and 1 <= config.maxCycles <= MAX_CYCLES
        and 1 <= config.candidates <= MAX_CANDIDATES
        and 1 <= len(config.judges) <= MAX_JUDGES
        and config.applyFixes in {True, False}
    )


ANY_TEXT = st.text(st.characters(codec=None))
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | st.sampled_from(["diff", "paths", "internal"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.slow  # many settings
@given(st.lists(st.dictionaries(st.sampled_from(FIELDS) | ANY_TEXT, ANY_JSON), max_size=3))
def test_any_settings_end_in_their_ranges(blocks: list[dict[str, object]]) -> None:
    found = parse_config("".join(fenced(json.dumps(settings)) for settings in blocks))

    assert is_in_range(found.config)
    assert found.has_block == bool(blocks)
    assert found.given_settings <= set(FIELDS)
    assert len(found.problems) <= MAX_PROBLEMS + 1
    assert all(one_line(problem) == problem and len(problem) < 200 for problem in found.problems)
    json.dumps(found.config.fields()).encode()


@given(ANY_TEXT)
def test_any_text_can_be_parsed_for_a_configuration(text: str) -> None:
    assert is_in_range(parse_config(text).config)
    assert is_in_range(parse_config(fenced(text)).config)


def test_the_settings_are_spelled_as_the_journal_has_them() -> None:
    assert DEFAULTS.fields() == {
        "task": "Audit and improve the provided candidate",
        "scope": "diff",
        "threshold": 85,
        "maxCycles": 1,
        "candidates": 1,
        "judges": ["internal"],
        "applyFixes": False,
    }
    assert configured(scope="paths", paths=["a"]).config.fields()["paths"] == ["a"]


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    "settings",
    [
        {"threshold": TOKEN},
        {TOKEN: 1},
        {"judges": [TOKEN]},
        {"judges": ["internal", f"model {TOKEN}"]},
        {"scope": [TOKEN]},
        {"threshold": "x" * 40 + " " + TOKEN},
        {"task": f"Log in with {TOKEN}", "paths": [f"config/{TOKEN}.py"], "scope": "paths"},
    ],
)
def test_a_secret_in_a_setting_is_not_quoted(settings: dict[str, Any]) -> None:
    found = parse_config(fenced(json_of(settings)))

    assert TOKEN[:12] not in f"{found.problems} {found.config.fields()}"
    assert found.config.judges == ("internal",)
    assert bool(found.problems) is ("task" not in settings)
