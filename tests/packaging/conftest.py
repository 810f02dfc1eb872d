"""Builds what a release publishes once for each worker, and installs it."""

from pathlib import Path

import pytest

from tests.support.packaging import distributions, environments
from tests.support.packaging.distributions import Distributions
from tests.support.packaging.environments import Installed


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what a clone would hold; a test that changes it makes its own."""
    return distributions.check_out(tmp_path_factory.mktemp("checkout") / "seqthink")


@pytest.fixture(scope="session")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """Return the sdist of the checkout, and the wheel that was built from it."""
    return distributions.build(checkout, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return the environment in which the wheel is installed; `SEQTHINK_INSTALLED` names another one."""
    if environments.REAL:
        return Installed(Path(environments.REAL).absolute())
    built: Distributions = request.getfixturevalue("built")
    return environments.install(built.wheel, tmp_path_factory.mktemp("installed") / "venv")
