"""Lenient in, strict after: which arguments are a thought, and what the answer to the others says."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.arguments import CAMEL_CASE_NAMES, AcceptedThought, InvalidArguments, accept

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


@pytest.mark.parametrize(
    ("value", "name"), [(1, "1"), (0, "0"), (-3, "-3"), (2.0, "2"), (-0.0, "0"), (2**53 - 1, "9007199254740991")]
)
def test_a_branch_may_be_named_by_a_whole_number(value: object, name: str) -> None:
    thought = accepted(branchId=value)

    assert (thought.fields["branchId"], thought.coerced) == (name, ("branchId",))


@pytest.mark.parametrize("value", [True, False, 1.5, 2**53, -(2**53), 1e21, float("inf"), float("nan"), [1], ["b"], {}])
def test_what_is_no_name_of_a_branch_is_refused(value: object) -> None:
    assert refused(branchId=value).message.startswith("Invalid branchId: must be a string, got ")


def test_fields_that_the_tool_does_not_have_are_ignored() -> None:
    assert accepted(foo=1, Thought_number=7, __proto__={"thoughtNumber": 2}) == AcceptedThought(MINIMAL, ())


@pytest.mark.parametrize(("spelled", "name"), CAMEL_CASE_NAMES.items())
def test_a_name_in_snake_case_is_taken_and_named_as_repaired(spelled: str, name: str) -> None:
    whole: dict[str, Any] = MINIMAL | {
        "isRevision": True, "revisesThought": 1, "branchFromThought": 1, "branchId": "b", "needsMoreThoughts": True,
    }  # fmt: skip
    arguments = {spelled if key == name else key: value for key, value in whole.items()}

    assert accept(arguments, LIMIT) == AcceptedThought(whole, (name,))


def test_the_names_in_snake_case_are_those_of_all_fields_but_the_one_word() -> None:
    assert set(CAMEL_CASE_NAMES.values()) == {*MINIMAL, *OPTIONAL} - {"thought"}
    assert CAMEL_CASE_NAMES["branch_from_thought"] == "branchFromThought"


def test_camel_case_counts_where_both_names_have_a_value() -> None:
    assert accepted(thought_number=7, branchId="a", branch_id="b").fields["branchId"] == "a"
    assert accepted(thought_number=7, branchId="a", branch_id="b").coerced == ()
    assert accepted(branchId=None, branch_id="b").fields["branchId"] == "b"
    assert accepted(branch_id=None) == AcceptedThought(MINIMAL, ())
    assert refused(thoughtNumber="x", thought_number=1).problems.keys() == {"thoughtNumber"}


def test_repaired_fields_are_named_in_the_order_of_the_fields() -> None:
    thought = accepted(branch_id=7, thoughtNumber="1", is_revision="true")

    assert thought.coerced == ("thoughtNumber", "isRevision", "branchId")


@pytest.mark.parametrize("text", [json.dumps(MINIMAL), "\n " + json.dumps(MINIMAL, indent=2) + "\n"])
def test_a_string_that_holds_the_arguments_is_read(text: str) -> None:
    assert accept(text, LIMIT) == AcceptedThought(MINIMAL, ("arguments",))


def test_a_string_may_nest_what_is_ignored() -> None:
    assert accept(json.dumps(MINIMAL | {"other": [[{"a": [{}]}]]}), LIMIT) == AcceptedThought(MINIMAL, ("arguments",))


def test_what_is_repaired_inside_a_string_is_named_after_it() -> None:
    careless = '{"thought":"a\nb","nextThoughtNeeded":"true","thought_number":1,"totalThoughts":3,"totalThoughts":"4"}'

    assert accept(careless, LIMIT) == AcceptedThought(
        {"thought": "a\nb", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 4},
        ("arguments", "nextThoughtNeeded", "thoughtNumber", "totalThoughts"),
    )


@pytest.mark.parametrize(
    "value",
    [
        *(None, 5, True, [], [MINIMAL], "", "  ", "null", "[]", "{", '{"thought": NaN}', json.dumps([MINIMAL])),
        json.dumps(json.dumps(MINIMAL)),
        json.dumps(MINIMAL) + "x",
        '{"thought":' * 100_000,
        json.dumps(MINIMAL | {"other": 5}).replace("5", "[" * 100 + "]" * 100),
        '{"a":' + "[" * 100_000,
        "{" + " " * (1 << 26),
    ],
)
def test_what_holds_no_object_is_refused_in_short(value: object) -> None:
    refusal = accept(value, LIMIT)

    assert isinstance(refusal, InvalidArguments)
    assert refusal.message.startswith("Invalid arguments: must be an object, got ")
    assert len(refusal.message) < 250


@pytest.mark.parametrize("digits", ["9" * 20, "9" * 5_000, "9" * 1_000_000, "1e400"])
def test_a_huge_number_inside_a_string_is_the_field_s_problem(digits: str) -> None:
    refusal = accept(json.dumps(MINIMAL).replace("3", digits), LIMIT)

    assert isinstance(refusal, InvalidArguments)
    assert refusal.problems.keys() == {"totalThoughts"}


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


@given(st.dictionaries(st.sampled_from([*MINIMAL, *OPTIONAL, *CAMEL_CASE_NAMES, "other"]), JSON))
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
