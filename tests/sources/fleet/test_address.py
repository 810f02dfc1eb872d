"""Addresses of engines, right and wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.errors import UsageError
from seqthink.sources.fleet.address import Endpoint, FleetAddress, Kind, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("redis://host", FleetAddress(Kind.ONE, False, (Endpoint("host", 6379),), "", 0, "main", "")),
        ("REDISS://h.example:1/2/acme", FleetAddress(Kind.ONE, True, (Endpoint("h.example", 1),), "", 2, "acme", "")),
        ("redis://host/", FleetAddress(Kind.ONE, False, (Endpoint("host", 6379),), "", 0, "main", "")),
        ("redis://host//acme/", FleetAddress(Kind.ONE, False, (Endpoint("host", 6379),), "", 0, "acme", "")),
        ("redis://[::1]:7", FleetAddress(Kind.ONE, False, (Endpoint("::1", 7),), "", 0, "main", "")),
        ("redis://[fe80::1]", FleetAddress(Kind.ONE, False, (Endpoint("fe80::1", 6379),), "", 0, "main", "")),
        (
            "rediss+cluster://a:1,b/0/t",
            FleetAddress(Kind.CLUSTER, True, (Endpoint("a", 1), Endpoint("b", 6379)), "", 0, "t", ""),
        ),
        (
            "redis+sentinel://a,b:1/3?service=other",
            FleetAddress(Kind.SENTINEL, False, (Endpoint("a", 26379), Endpoint("b", 1)), "", 3, "main", "other"),
        ),
        (
            "rediss+sentinel://a",
            FleetAddress(Kind.SENTINEL, True, (Endpoint("a", 26379),), "", 0, "main", "mymaster"),
        ),
        ("unix:///run/redis.sock", FleetAddress(Kind.UNIX, False, (), "/run/redis.sock", 0, "main", "")),
        ("unix:///r.sock?db=1&tenant=acme", FleetAddress(Kind.UNIX, False, (), "/r.sock", 1, "acme", "")),
    ],
)
def test_an_address_is_read_and_written(text: str, address: FleetAddress) -> None:
    assert parse_address(text) == address
    assert parse_address(address.url) == address


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("http://host", "begins with none of"),
        ("host:6379", "begins with none of"),
        ("redis:/host", "begins with none of"),
        ("redis:host", "begins with none of"),
        ("nats://host", "begins with none of"),
        ("redis://", "names no host"),
        ("redis:///0/main", "names no host"),
        ("redis://:6379", "names no host"),
        ("redis+cluster://a,,b", "names no host"),
        ("redis://host:", "an invalid port"),
        ("redis://host:0", "an invalid port"),
        ("redis://host:70000", "an invalid port"),
        ("redis://host:-1", "an invalid port"),
        ("redis://host:6379x", "an invalid port"),
        ("redis://ho st", "a space or another character"),
        ("redis://host\n", "a space or another character"),
        ("redis://h\x1b[31mst", "a space or another character"),
        ("redis://höst", "a space or another character"),
        ("redis://ho%st", "use a name or an IP address"),
        ("redis://-host", "use a name or an IP address"),
        ("redis://../etc", "use a name or an IP address"),
        ("redis://a,b", "names several hosts"),
        ("redis://host/x", "an invalid database"),
        ("redis://host/-1", "an invalid database"),
        ("redis://host/99999999", "an invalid database"),
        ("redis://host/acme", "an invalid database"),
        ("redis://host/0/a:b", "an invalid tenant"),
        ("redis://host/0/a/b", "an invalid tenant"),
        ("redis://host/0/../x", "an invalid tenant"),
        ("redis://host/0/*", "an invalid tenant"),
        ("redis://host/0/" + "a" * 65, "an invalid tenant"),
        ("redis+cluster://host/1", "only database 0"),
        ("redis://::1", "IPv6 address without brackets"),
        ("redis://2001:db8::1:6379", "IPv6 address without brackets"),
        ("redis://[host]", "brackets without an IPv6 address"),
        ("redis://[::1", "brackets without an IPv6 address"),
        ("redis://[::1]x", "brackets without an IPv6 address"),
        ("redis://[fe80::1%eth0]", "brackets without an IPv6 address"),
        ("redis://[::1]:", "an invalid port"),
        ("redis://host?db=1", "does not exist for this kind"),
        ("redis://host?service=x", "does not exist for this kind"),
        ("redis+sentinel://host?service=", "an invalid `service`"),
        ("redis+sentinel://host?service=a%20b", "an invalid `service`"),
        ("redis+sentinel://host?service", "not name=value"),
        ("redis+sentinel://host?service=a&service=b", "not name=value"),
        ("redis://host#x", "a `#`"),
        ("unix://host/sock", "names no socket"),
        ("unix://", "names no socket"),
        ("unix:///run/", "names no socket"),
        ("unix:///" + "x" * 200, "too long"),
        ("unix:///s?service=x", "does not exist for this kind"),
        ("redis://" + "x" * 5000, "too long"),
    ],
)
def test_a_wrong_address_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse_address(text)


@pytest.mark.parametrize(
    "text", ["redis://:hunter2@host", "redis://user:hunter2@host/0", "rediss://user@host", "redis://u:hun/ter2@host"]
)
def test_a_password_in_an_address_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(UsageError, match="SEQTHINK_FLEET_PASSWORD_FILE") as caught:
        parse_address(text)

    assert "hunter2" not in str(caught.value)
    assert "ter2" not in str(caught.value)


SCHEMES = st.sampled_from(["redis", "rediss", "redis+cluster", "redis+sentinel", "unix", "http", ""])


@given(st.one_of(st.text(), st.builds("{}://{}".format, SCHEMES, st.text(alphabet="ab1:/[]@?=&,.#%-_ é\n\x00"))))
def test_any_text_is_an_address_or_a_sentence(text: str) -> None:
    try:
        address = parse_address(text)
    except UsageError as error:
        sentence = str(error)
    else:
        sentence = str(address)
        assert parse_address(address.url) == address

    assert sentence
    assert sentence.isprintable()
