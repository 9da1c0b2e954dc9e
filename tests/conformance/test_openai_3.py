"""Version 3 of OpenAI's Python client, which is based on another HTTP library, passes the tests of version 2."""
import os
import pathlib
import subprocess
import sys

import pytest

import python_packages

HERE = pathlib.Path(__file__).parent
FILES = ["test_openai_python.py", "test_openai_tools.py", "test_openai_responses.py", "test_openai_embeddings.py"]


@pytest.fixture(name="environment", scope="module")
def environment_with_version_3():
    made = {**os.environ, "PYTHONPATH": str(python_packages.installed("openai_3"))}
    version = subprocess.run([sys.executable, "-c", "import openai; print(openai.__version__)"], env=made,
                             capture_output=True, text=True, timeout=300, check=True)
    assert version.stdout.startswith("3.")
    return made


@pytest.mark.parametrize("file", FILES)
def test_version_3(environment, file):
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", str(HERE / file)], env=environment,
                          capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
