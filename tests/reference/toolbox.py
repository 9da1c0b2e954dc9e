"""External tools that check the reference, fetched by `make reference`: they are many and large, so the
everyday tests do not use them."""
import functools
import os
import pathlib
import subprocess
import sys

import pytest

import node

HERE = pathlib.Path(__file__).resolve().parent
NODE = (20, 19)

# For modules that need them.
only_in_full = pytest.mark.skipif(os.environ.get("PARLEY_REFERENCE") != "full",
                                  reason="part of `make reference`")


@functools.cache
def packages():
    return node.packages(HERE / "npm", node.cache() / "reference-npm", NODE)


def tool(name):
    """The command of a program of those packages."""
    return [*node.commands(NODE)[0], (packages() / ".bin" / name).resolve()]


@functools.cache
def python():
    """A virtual environment with the packages of tests/reference/requirements.txt."""
    place = node.cache() / "reference-venv"
    wanted = (HERE / "requirements.txt").read_text("utf-8")
    made_from = place / "made_from"
    with node.alone():
        if not made_from.exists() or made_from.read_text("utf-8") != wanted:
            node.run(sys.executable, "-m", "venv", "--clear", place)
            node.run(place / "bin/pip", "install", "--disable-pip-version-check", "--quiet", "-r",
                     HERE / "requirements.txt")
            made_from.write_text(wanted, "utf-8")
    return place / "bin"


def run(*command, timeout=300, **options):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True,
                          timeout=timeout, check=False, **options)
