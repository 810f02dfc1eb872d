"""What the tests in a browser share: the scenes, and sessions that a test makes itself."""

from collections.abc import Iterator

import pytest

from tests.support.web.live_scenes import LiveScenes, live_scenes
from tests.support.web.live_site import LiveSite, live_site


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveScenes]:
    with live_scenes(tmp_path_factory.mktemp("scenes")) as opened:
        yield opened


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Give a server without a session; a module that needs some has a fixture of this name."""
    with live_site(tmp_path_factory.mktemp("site")) as running:
        yield running
