"""One spelling for the address of a remote repository, without anything secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.remote_address import MAX_ADDRESS_CHARS, remote_address


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/shop.git",
        "https://GitHub.com/acme/shop/",
        "https://ada:s3cret@github.com/acme/shop.git",
        "https://ghp_0123456789@github.com:443/acme/shop",
        "https://ada:p@ss@github.com/acme//shop.git/",
        "https://github.com/acme/shop.git?token=s3cret#s3cret",
        "http://github.com/acme/shop",
        "git://github.com/acme/shop",
        "git@github.com:acme/shop.git",
        "github.com:acme/shop",
        "git@github.com:/acme/shop",
        "ssh://git@github.com/acme/shop.git",
        "ssh://git@github.com:22/acme/shop",
        "git+ssh://git@github.com/acme/shop",
        "  git@github.com:acme/shop.git\t",
    ],
)
def test_urls_of_one_repository_have_one_address(url: str) -> None:
    address = remote_address(url)

    assert address == "github.com/acme/shop"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("/srv/git/shop.git", "/srv/git/shop"),
        ("file:///srv/git/shop.git/", "/srv/git/shop"),
        ("https://example.org/~ada/shop", "example.org/~ada/shop"),
        ("git@[::1]:shop.git", "[::1]/shop"),
        ("https://[::1]:8443/@acme/shop", "[::1]/@acme/shop"),
        ("git@example.org:acme/@shop/cart", "example.org/acme/@shop/cart"),
    ],
)
def test_other_addresses_differ_by_host_and_path(url: str, address: str) -> None:
    found = remote_address(url)

    assert found == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "../shop.git",
        "shop",
        "C:\\work\\shop",
        "ext::sh -c true",
        "https://",
        "https:///shop",
        "https://github.com/",
        "git@github.com:",
        "https://github.com/acme/\x1b[31mshop",
        "https://github.com/acme/\u202eshop",
        "https://github.com/" + "a" * MAX_ADDRESS_CHARS,
        "https://ada:s3c/ret@github.com/acme/shop.git",
        "ada:s3cret@github.com:acme/shop.git",
        "https:/ada:s3cret@github.com/acme/shop.git",
        "https://github.com/ada:s3cret@github.com/acme/shop.git",
    ],
)
def test_what_is_not_an_address_gives_none(url: str) -> None:
    address = remote_address(url)

    assert address == ""


_WORDS = st.text(st.characters(codec="ascii", categories=("Ll", "Nd")), min_size=4, max_size=12)


@given(_WORDS, _WORDS, st.sampled_from(("https", "ssh", "git")), st.booleans())
def test_no_address_holds_user_or_password(user: str, password: str, scheme: str, has_port: bool) -> None:
    port = ":8443" if has_port else ""

    address = remote_address(f"{scheme}://{user}:{password}@HOST.example{port}/A/B.git?{password}#{user}")

    assert address == "host.example/A/B"
