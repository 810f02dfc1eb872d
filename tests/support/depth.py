"""How much a test does: enough to notice a fault in `make test`, all that is promised in `make test-deep`."""

from typing import TypeVar

from hypothesis import settings

Size = TypeVar("Size")


def sized(few: Size, all_of_them: Size) -> Size:
    """Return the size for the suite that runs: ``few`` shows the behaviour, ``all_of_them`` is what is promised."""
    return all_of_them if settings.get_current_profile_name() == "deep" else few
