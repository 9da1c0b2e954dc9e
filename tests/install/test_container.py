"""The last stage of the Containerfile, step by step in a fresh system, and its container: read-only, without
privileges, with the package that was made here instead of the one of the first stage."""
import json
import re
import shlex
import subprocess
import time

import debian
import program

pytestmark = [program.once, debian.full]


def instructions():
    """The instructions of the last stage: ("RUN", "apt-get …")."""
    text = (program.ROOT / "Containerfile").read_text("utf-8")
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.M).replace("\\\n", " ")
    stage = text[text.rindex("\nFROM "):]
    return [tuple(line.split(None, 1)) for line in stage.splitlines() if line.strip()]


def value(name):
    return dict(instructions())[name]


def build(system, deb):
    for name, words in instructions():
        if name == "COPY":
            *_, target = words.split()
            system.path(target).write_bytes(deb.read_bytes())
        elif name == "RUN":
            system.run("sh", "-c", words)


class Container:
    """The server with a read-only root, as the user of the image, with its environment."""

    def __init__(self, system, **environment):
        self.system = system
        self.user = value("USER")
        self.environment = [*shlex.split(value("ENV")), "PARLEY_METRICS_LISTEN=off",
                            *(f"{name}={text}" for name, text in environment.items())]
        self.process = subprocess.Popen(
            self.wrapped(*json.loads(value("ENTRYPOINT")), *json.loads(value("CMD"))),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def wrapped(self, *words):
        user, group = self.user.split(":")
        read_only = ("mount -o remount,bind,ro / && mount --bind /var/lib/parley /var/lib/parley && "
                     "mount -o remount,bind,rw /var/lib/parley && mount -t tmpfs none /tmp && "
                     'exec setpriv --reuid "$0" --regid "$1" --clear-groups --no-new-privs --bounding-set=-all env -i '
                     'PATH=/usr/bin:/bin "${@:2}"')
        return self.system.command("unshare", "--mount", "bash", "-c", read_only, user, group, *self.environment,
                                   *words)

    def run(self, *words):
        return subprocess.run(self.wrapped(*words), capture_output=True, text=True, check=False)

    def wait_until_healthy(self):
        deadline = time.monotonic() + program.PATIENCE
        command = json.loads(re.search(r"CMD (\[.*\])", value("HEALTHCHECK"))[1])
        while (checked := self.run(*command)).returncode:
            assert time.monotonic() < deadline and self.process.poll() is None, checked.stderr
            time.sleep(0.2)


def test_the_image_serves_with_a_read_only_root(fresh, deb):
    build(fresh, deb)
    assert value("USER").split(":")[0] != "0"
    for tool in ("clang-19", "cc", "make", "git", "python3", "curl"):
        fresh.run("sh", "-c", f"command -v {tool}", code=127)

    refused = Container(fresh)
    assert refused.process.wait(program.PATIENCE) == 2
    assert "PLAIN_HTTP" in refused.process.stderr.read().upper(), "an open port without TLS is refused"

    container = Container(fresh, PARLEY_SERVER_LISTEN="127.0.0.1:0", PARLEY_MODEL_DEFAULT="scripted")
    container.wait_until_healthy()
    assert container.run("sh", "-c", "touch /usr/x /etc/x").returncode != 0
    added = container.run("sh", "-c", "echo correct horse battery staple | parley user add ana --password-stdin")
    assert added.returncode == 0, added.stderr
    token = container.run("parley", "token", "create", "--user", "ana").stdout.strip()
    ana = fresh.person(token)
    assert ana.ask("Hello there")["status"] == "completed"
    container.system.run("sh", "-c", "kill -TERM $(cut -d' ' -f1 /var/lib/parley/lock)")
    assert container.process.wait(program.PATIENCE) == 0
    assert container.run("parley", "health").returncode == 1
