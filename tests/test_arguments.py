"""Lenient in, strict after: which arguments are a thought, and what the others are told."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.arguments import AcceptedThought, InvalidArguments, accept

LIMIT = 1 << 24
NUMBERS = ["thoughtNumber", "totalThoughts", "revisesThought", "branchFromThought"]
OPTIONAL = ["isRevision", "revisesThought", "branchFromThought", "branchId", "needsMoreThoughts"]
MINIMAL = {"thought": "t", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 3}


def accepted(**changes: object) -> AcceptedThought:
    result = accept(MINIMAL | changes, LIMIT)
    assert isinstance(result, AcceptedThought), result
    return result


def refused(**changes: object) -> InvalidArguments:
    result = accept(MINIMAL | changes, LIMIT)
    assert isinstance(result, InvalidArguments), result
    return result


def test_a_valid_call_is_accepted_unchanged() -> None:
    assert accepted() == AcceptedThought(MINIMAL, ())


@pytest.mark.parametrize("field", NUMBERS)
@pytest.mark.parametrize("text", ["2", " 2 ", "02", "2.0", "+2", "2\n", "\t002.000 ", 2.0])
def test_a_number_may_be_given_as_a_string(field: str, text: object) -> None:
    thought = accepted(**{field: text})

    assert thought.fields[field] == 2
    assert type(thought.fields[field]) is int
    assert thought.coerced == (field,)


@pytest.mark.parametrize("field", NUMBERS)
@pytest.mark.parametrize(
    "value",
    [
        *(0, -1, 1.5, 0.0, True, False, [], [3], {}),
        *("0", "00", "-1", "1.5", "abc", "", " ", "1e2", "0x10", "0o17", "1_000", "1,000"),
        *("٣", "２", "NaN", "+", "1 2"),
        *(2**53, str(2**53), float(2**53), 1e21, float("inf"), "9" * 30),
    ],
)  # fmt: skip
def test_what_is_no_positive_integer_is_refused(field: str, value: object) -> None:
    assert refused(**{field: value}).problems.keys() == {field}


def test_the_largest_number_is_the_largest_that_every_client_can_represent() -> None:
    assert accepted(thoughtNumber=2**53 - 1).fields["thoughtNumber"] == 2**53 - 1
    assert accepted(thoughtNumber=str(2**53 - 1)).fields["thoughtNumber"] == 2**53 - 1


@pytest.mark.parametrize("field", ["nextThoughtNeeded", "isRevision", "needsMoreThoughts"])
@pytest.mark.parametrize(("text", "value"), [("true", True), ("FALSE", False), (" True ", True), ("false\n", False)])
def test_a_boolean_may_be_given_as_a_string(field: str, text: str, value: object) -> None:
    thought = accepted(**{field: text})

    assert thought.fields[field] is value
    assert thought.coerced == (field,)


@pytest.mark.parametrize("value", [0, 1, "yes", "1", "", "truee", [], {}, 1.0])
def test_what_is_no_boolean_is_refused(value: object) -> None:
    assert refused(nextThoughtNeeded=value).message.startswith("Invalid nextThoughtNeeded: must be true or false, got ")


@pytest.mark.parametrize("field", OPTIONAL)
def test_null_means_absent_for_an_optional_field(field: str) -> None:
    assert accepted(**{field: None}) == AcceptedThought(MINIMAL, ())


@pytest.mark.parametrize("field", MINIMAL)
def test_a_required_field_is_required(field: str) -> None:
    missing = accept({key: value for key, value in MINIMAL.items() if key != field}, LIMIT)

    assert isinstance(missing, InvalidArguments)
    assert missing.message.startswith(f"Invalid {field}: must be ")
    assert missing.message.endswith(", got nothing")
    assert refused(**{field: None}).message.endswith(", got null")


@pytest.mark.parametrize("value", ["", " \n\t", 5, None, ["x"], {"a": 1}, True])
def test_a_thought_must_not_be_blank(value: object) -> None:
    assert refused(thought=value).message.startswith("Invalid thought: must be a non-empty string, got ")


@pytest.mark.parametrize("text", ["\x00", "\u2028", "\x1b[31m", "\ud800", "💭", "a\r\nb"])
def test_any_text_is_a_thought(text: str) -> None:
    assert accepted(thought=text).fields["thought"] == text if not text.isspace() else refused(thought=text)


def test_a_branch_without_a_name_is_kept_as_it_came() -> None:
    assert accepted(branchId="").fields["branchId"] == ""
    assert refused(branchId=5).message == "Invalid branchId: must be a string, got 5"


def test_fields_that_the_tool_does_not_have_are_ignored() -> None:
    assert accepted(foo=1, thought_number=7) == AcceptedThought(MINIMAL, ())


def test_a_refusal_names_the_field_what_was_expected_and_what_came() -> None:
    refusal = refused(thoughtNumber="abc")

    assert refusal.message == 'Invalid thoughtNumber: must be a positive integer, got "abc"'
    assert refusal.problems == {"thoughtNumber": 'must be a positive integer, got "abc"'}


def test_all_problems_of_a_call_are_reported_at_once() -> None:
    refusal = accept({"thoughtNumber": 0, "revisesThought": "x"}, LIMIT)

    assert isinstance(refusal, InvalidArguments)
    assert refusal.message.split("\n") == [
        "Invalid thought: must be a non-empty string, got nothing",
        "Invalid nextThoughtNeeded: must be true or false, got nothing",
        "Invalid thoughtNumber: must be a positive integer, got 0",
        "Invalid totalThoughts: must be a positive integer, got nothing",
        'Invalid revisesThought: must be a positive integer, got "x"',
    ]


@pytest.mark.parametrize("unit", ["9", "0", " ", "x", "\n+", "1.0"])
def test_five_megabytes_in_place_of_a_number_get_a_short_refusal(unit: str) -> None:
    refusal = refused(thoughtNumber=unit * (5_000_000 // len(unit)))

    assert len(refusal.message) < 250


@pytest.mark.parametrize("value", [["x" * 50] * 1000, {"k": "v" * 100_000}, "é" * 5000, "\\" * 500])
def test_a_refusal_quotes_only_the_beginning(value: object) -> None:
    assert len(refused(thoughtNumber=value).message) < 250


def test_a_text_may_fill_the_limit_and_no_more() -> None:
    full = "é" * 50

    assert isinstance(accept(MINIMAL | {"thought": full}, 100), AcceptedThought)
    assert isinstance(refusal := accept(MINIMAL | {"thought": full + "x"}, 100), InvalidArguments)
    assert refusal.message == "Invalid thought: must be at most 100 bytes long, got 101 bytes"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*MINIMAL, *OPTIONAL, "other"]), JSON))
def test_any_arguments_give_a_thought_of_the_documented_types_or_a_refusal(arguments: dict[str, Any]) -> None:
    result = accept(arguments, LIMIT)

    match result:
        case InvalidArguments():
            assert result.problems
            assert json.dumps(result.message)
        case AcceptedThought():
            numbers = [result.fields[name] for name in NUMBERS if name in result.fields]
            assert all(type(number) is int and 1 <= number < 2**53 for number in numbers)
            assert set(MINIMAL) <= set(result.fields)
            assert set(result.coerced) <= set(result.fields)
