"""The fixtures of the tests of installations: one staged installation, one package, fresh systems."""
import debian
import installed
import pytest


@pytest.fixture(scope="session")
def staged(tmp_path_factory):
    return installed.stage(tmp_path_factory.mktemp("staged"))


@pytest.fixture(scope="session")
def unit(staged):
    return staged / "usr/lib/systemd/system/parley.service"


@pytest.fixture(scope="session")
def deb(tmp_path_factory):
    return installed.make_deb(tmp_path_factory.mktemp("deb"))


@pytest.fixture
def fresh(tmp_path):
    """A fresh system, without a service manager."""
    with debian.System(tmp_path / "system", debian.archive()) as system:
        yield system
