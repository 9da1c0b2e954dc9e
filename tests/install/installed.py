"""The installation of the program under test, staged in a folder; and the packages made of it."""
import functools
import pathlib
import subprocess

import program

BUILD = program.BINARY.parent


def stage(folder, prefix="/usr"):
    """Installs below a folder, as `make install DESTDIR=… PREFIX=…` does."""
    subprocess.run([program.ROOT / "tools/install", BUILD], check=True, capture_output=True,
                   env=program.clean_environment(HOME=str(pathlib.Path.home()), DESTDIR=str(folder), PREFIX=prefix))
    return folder


def make_deb(folder, version=None):
    """A package of the program under test, of another version if one is given."""
    made = subprocess.run([program.ROOT / "tools/deb", BUILD], check=True, capture_output=True, text=True,
                          env=program.clean_environment(HOME=str(pathlib.Path.home()), OUT_DIR=str(folder),
                                                        **({"VERSION": version} if version else {})))
    return pathlib.Path(made.stdout.strip())


def unit_values(unit, key):
    """The words of all lines of a unit file with this key."""
    lines = pathlib.Path(unit).read_text("utf-8").splitlines()
    return [word for line in lines if line.startswith(key + "=") for word in line.partition("=")[2].split()]


@functools.cache
def system_calls_of(group):
    """The system calls of a group such as @system-service, and those of the groups in it."""
    listed = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", group], check=True, capture_output=True,
                            text=True).stdout
    names = [line.strip() for line in listed.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    calls = {name for name in names if not name.startswith("@")}
    return calls.union(*(system_calls_of(name) for name in names if name.startswith("@")))


def allowed_system_calls(unit):
    """As SystemCallFilter= says: the first lists allow, those with a tilde take away."""
    allowed = set()
    for line in pathlib.Path(unit).read_text("utf-8").splitlines():
        if line.startswith("SystemCallFilter="):
            value = line.partition("=")[2]
            calls = set().union(*(system_calls_of(each) if each.startswith("@") else {each}
                                  for each in value.lstrip("~").split()))
            allowed = allowed - calls if value.startswith("~") else allowed | calls
    return allowed
