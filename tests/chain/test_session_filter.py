"""Filters of the list of sessions: what is typed, and which sessions match."""

import pytest

from seqthink.chain.overview.session_filter import (
    EVERY_SESSION,
    KNOWN_STATES,
    SessionFacts,
    session_filter,
    state_words,
)
from seqthink.chain.overview.states import ShownState

SHOP = SessionFacts(
    repository="shop",
    address="github.com/acme/shop",
    branch="feat/pool",
    tags=("next week", "slow"),
    states=("asking", "needs-you"),
    text="Why is the pool exhausted? claude-code",
)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "repo:shop",
        "repo:SHO",
        "repo:acme/sh",
        "repo:other repo:shop",
        "repo:=shop",
        "repo:=github.com/acme/shop",
        "branch:feat",
        'tag:"next week"',
        "tag:slow tag:next",
        "is:asking",
        "is:ASK",
        "is:needs-you",
        "pool",
        'POOL "is the pool"',
        'repo:shop branch:pool tag:slow is:asking pool "pool exh',
        "repo: branch: tag: is:",
    ],
)
def test_a_session_matches_what_it_has(typed: str) -> None:
    wanted = session_filter(typed)

    assert wanted.matches(SHOP)
    assert not wanted.mistake


@pytest.mark.parametrize(
    "typed",
    [
        "repo:cart",
        "repo:acme",  # a part of the address counts only with a slash
        "repo:=sho",
        "branch:main",
        "branch:=feat",
        "tag:slow tag:fast",
        "is:done",
        "is:asking is:done",
        "pool cart",
        '"pool is"',
        "repo:shop branch:main",
    ],
)
def test_a_session_does_not_match_what_it_lacks(typed: str) -> None:
    wanted = session_filter(typed)

    assert not wanted.matches(SHOP)
    assert not wanted.mistake


def test_a_session_without_facts_matches_only_the_empty_filter() -> None:
    unknown = SessionFacts()

    assert session_filter(" ").is_empty
    assert session_filter(" ").matches(unknown)
    assert not any(session_filter(typed).matches(unknown) for typed in ("repo:a", "branch:a", "tag:a", "is:done", "a"))


@pytest.mark.parametrize(
    ("typed", "mistake"),
    [
        ("colour:red", "there is no filter colour: (repo:, branch:, tag:, is:); in quotes it is a word"),
        ("is:angry", f"there is no state angry ({', '.join(KNOWN_STATES)})"),
    ],
)
def test_a_part_that_means_nothing_is_named_and_left_out(typed: str, mistake: str) -> None:
    wanted = session_filter(f"repo:shop {typed}")

    assert wanted.mistake == mistake
    assert wanted.matches(SHOP)


@pytest.mark.parametrize("typed", ['"colour:red"', "https://example.org", ":red"])
def test_a_colon_in_quotes_or_in_an_address_is_part_of_a_word(typed: str) -> None:
    wanted = session_filter(typed)

    assert wanted.words == (typed.strip('"'),)
    assert not wanted.mistake


def test_an_exact_value_may_have_blanks() -> None:
    wanted = session_filter('repo:="my shop" tag:="slow"')

    assert wanted.repositories == ("=my shop",)
    assert wanted.matches(SHOP._replace(repository="my shop"))
    assert not wanted.matches(SHOP._replace(repository="my shop 2"))


@pytest.mark.parametrize(
    "typed", ["repo:shop branch:=main tag:slow is:done pool", 'repo:="my shop" tag:"next week" "two words" "a:b"', ""]
)
def test_what_was_typed_is_typed_again(typed: str) -> None:
    assert session_filter(typed).as_typed == typed
    assert session_filter(session_filter(typed).as_typed) == session_filter(typed)


def test_a_filter_within_another_needs_the_conditions_of_both() -> None:
    both = session_filter("repo:shop").within(session_filter("branch:feat"))

    assert both.matches(SHOP)
    assert not both.matches(SHOP._replace(branch="main"))
    assert not both.matches(SHOP._replace(repository="cart", address="c"))
    assert not EVERY_SESSION.within(session_filter("branch:feat")).is_empty
    assert session_filter("repo:shop").within(EVERY_SESSION) == session_filter("repo:shop")


def test_the_conditions_on_the_place_leave_out_what_a_session_does() -> None:
    whole = session_filter("repo:shop branch:x tag:y is:done word")

    assert whole.of_place == session_filter("repo:shop branch:x tag:y")


def test_a_session_that_needs_you_and_is_unread_has_both_words() -> None:
    assert state_words(ShownState.STUCK, is_unread=True) == ["stuck", "needs-you", "unread"]
    assert state_words(ShownState.DONE, is_unread=False) == ["done"]
