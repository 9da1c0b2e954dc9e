"""Fixtures of the crash tests."""
import os
import shutil
import subprocess

import crashes
import program
import pytest


@pytest.fixture(scope="session")
def stopped(tmp_path_factory):
    """A data directory with some hundred notes, whose server has stopped orderly, and its ledger: to be
    copied, not changed."""
    life = crashes.Life(program.Program, tmp_path_factory.mktemp("stopped"))
    server = life.start()
    with crashes.Clients() as clients:
        clients.begin(server, life.directory, life.ledger, 4, seed="stopped", at_most=400)
        assert clients.result()["acknowledged"] >= 400
    server.stop()
    return life


@pytest.fixture
def life(stopped, start, tmp_path):
    """A copy for one test, which may change it."""
    copy = crashes.Life(start, tmp_path)
    shutil.copytree(stopped.directory, copy.directory)
    shutil.copyfile(stopped.ledger, copy.ledger)
    return copy


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 160 MiB in memory."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a file system")
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m,mode=700", "parley", place],
                             capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("no file system can be mounted here: " + mounted.stderr.strip())
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)
