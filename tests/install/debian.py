"""A fresh system of the kind of this machine, such as Debian 12, in a folder: made by mmdebstrap from the package sources of this
machine, with its own processes and mounts. It ends with the test, and so does everything that runs in it."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import tarfile
import time
import types

import pytest

import chats
import people
import program

full = pytest.mark.skipif(os.environ.get("PARLEY_PACKAGES") != "full", reason="make packages runs it")


def package_sources():
    """The lines of sources.list for the distribution itself, without other repositories of this machine."""
    origin = "Ubuntu" if "ubuntu" in pathlib.Path("/etc/os-release").read_text("utf-8").lower() else "Debian"
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) $(COMPONENT)",
         "Created-By: Packages", f"Origin: {origin}"], check=True, capture_output=True, text=True)
    lines = sorted(set(listed.stdout.splitlines()))
    assert lines, f"apt knows no package source of {origin}"
    return "\n".join(lines) + "\n"


def codename():
    words = dict(line.split("=", 1) for line in
                 pathlib.Path("/etc/os-release").read_text("utf-8").splitlines() if "=" in line)
    return words["VERSION_CODENAME"]


def archive():
    """The smallest system with apt, as an archive, with the lists of its packages. Kept for a day."""
    assert os.geteuid() == 0, "a fresh Debian needs root: sudo make packages"
    sources = package_sources()
    key = hashlib.sha256(f"{sources} {time.strftime('%Y-%m-%d')}".encode()).hexdigest()[:16]
    folder = pathlib.Path(os.environ.get("PARLEY_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "parley")) / "fresh"
    file = folder / f"{codename()}-{key}.tar"
    if not file.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        part = folder / "part.tar"
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "--skip=cleanup/apt/lists",
                        "--aptopt=Acquire::Check-Valid-Until \"false\"", codename(), part, "-"],
                       input=sources, text=True, check=True)
        part.rename(file)
    return file


class System:
    def __init__(self, folder, archive):
        self.root = folder
        with tarfile.open(archive) as packed:
            packed.extractall(folder)  # Nothing but what mmdebstrap has just written.
        # The first process waits for orphans, and the end of this process ends it.
        self.first = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private",
             "bash", "-c", 'mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && mount -t tmpfs none "$1/run" && '
             'echo ready && exec chroot "$1" bash -c "while :; do sleep 1d & wait \\$!; done"', "bash", folder],
            stdout=subprocess.PIPE, text=True)
        assert self.first.stdout.readline() == "ready\n"
        self.pid = int(pathlib.Path(f"/proc/{self.first.pid}/task/{self.first.pid}/children").read_text().split()[0])

    def close(self):
        self.first.kill()
        self.first.wait()
        self.first.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def path(self, name):
        """A file of the system. A path below /run belongs to its own mounts: use read()."""
        return self.root / name.lstrip("/")

    def command(self, *words, user=None):
        inside = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] if user else []
        return ["nsenter", "--target", str(self.pid), "--mount", "--pid", f"--root=/proc/{self.pid}/root",
                f"--wd=/proc/{self.pid}/root", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", *inside, *map(str, words)]

    def run(self, *words, user=None, code=0, text=None, timeout=300):
        """Runs a command to its end; its output, with that for errors if it is to fail."""
        done = subprocess.run(self.command(*words, user=user), input=text, capture_output=True, text=True,
                              timeout=timeout, check=False)
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout if code == 0 else done.stdout + done.stderr

    def parley(self, *words, **options):
        """A command of the operator, as the guide says: sudo -u parley parley …"""
        return self.run("parley", *words, user="parley", **options)

    def install(self, *debs):
        for deb in debs:
            self.path("/tmp").joinpath(deb.name).write_bytes(deb.read_bytes())
        return self.run("apt-get", "install", "--yes", "--quiet", "--no-install-recommends",
                        *(f"/tmp/{deb.name}" for deb in debs))

    def with_service_manager(self):
        """From now on maintainer scripts find a service manager that runs."""
        file = self.path("/usr/bin/systemctl")
        file.write_bytes((pathlib.Path(__file__).parent / "systemctl.sh").read_bytes())
        file.chmod(0o755)
        self.run("mkdir", "-p", "/run/systemd/system")

    def asked_of_service_manager(self):
        return self.run("sh", "-c", "cat /run/systemctl.log; : >/run/systemctl.log").split()

    def server(self):
        """The address of the running server, as soon as it is ready."""
        self.run("sh", "-c", 'for try in $(seq 300); do setpriv --reuid parley --regid parley --clear-groups '
                 'parley health >/tmp/health 2>&1 && exit 0; sleep 0.2; done; cat /tmp/health /run/parley.log; exit 1')
        url = self.run("cat", "/var/lib/parley/server-address").split()[0]
        return program.host_and_port(url.removeprefix("http://"))

    def person(self, token):
        """A user of the running server."""
        server = types.SimpleNamespace(address=self.server(), data=self.path("/var/lib/parley"))
        return chats.Person(people.House(server), token)
