"""What is meant as tags, whatever a model sends (docs/tools.md, "Tags")."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.server.tools.tags import InvalidTags, parse_tags
from tests.core.test_arguments import JSON


@pytest.mark.parametrize(
    ("value", "tags"),
    [
        (None, None),
        ([], ()),
        (["tag1"], ("tag1",)),
        (["tag1", "tag2", "tag3"], ("tag1", "tag2", "tag3")),
        (["b", " a ", "b", "a\t"], ("b", "a")),
        (["", "  ", "x"], ("x",)),
        (["A", "a"], ("A", "a")),
        (['["a"]'], ('["a"]',)),
        ("single_tag", ("single_tag",)),
        (" two words ", ("two words",)),
        ("", ()),
        ("null", ("null",)),
        ('["a", " b ", "a"]', ("a", "b")),
        (' ["a"] \n', ("a",)),
        ("[]", ()),
        ('["a\x1bb"]', ("a\x1bb",)),
        ("[draft]", ("[draft]",)),
        ('["a"', ('["a"',)),
        ('{"a": 1}', ('{"a": 1}',)),
        ("5", ("5",)),
        ("tag\ud800", ("tag\ud800",)),
    ],
)
def test_what_is_meant_as_tags_is_taken(value: object, tags: tuple[str, ...] | None) -> None:
    assert parse_tags(value) == tags


@given(JSON | st.lists(st.text()) | st.lists(st.text()).map(json.dumps))
def test_any_value_is_tags_or_the_error_and_tags_stay_what_they_are(value: object) -> None:
    tags = parse_tags(value)

    if isinstance(tags, InvalidTags):
        assert json.loads(json.dumps(tags.body()))["status"] == "error"
    elif tags is not None:
        assert parse_tags(list(tags)) == tags
        assert all(tag and tag == tag.strip() for tag in tags)
        assert len(set(tags)) == len(tags)


@given(st.lists(st.text()))
def test_tags_keep_the_order_in_which_they_first_came(texts: list[str]) -> None:
    tags = parse_tags(texts)

    trimmed = [text.strip() for text in texts]
    assert isinstance(tags, tuple)
    assert set(tags) == {text for text in trimmed if text}
    assert [trimmed.index(tag) for tag in tags] == sorted(trimmed.index(tag) for tag in tags)
