"""Checks that a fact holds what its fields promise."""

import msgspec

from seqthink.sources.transcripts.facts import Fact


def assert_well_typed(fact: Fact) -> None:
    """Fail unless every field of a fact has a value of its type, and its id is not empty."""
    fields = {field.name: getattr(fact, field.name) for field in msgspec.structs.fields(fact)}

    msgspec.convert(fields, type(fact), strict=True)
    assert fact.id
