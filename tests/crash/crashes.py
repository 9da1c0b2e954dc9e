"""Shared by tests of servers that crash again and again."""
import collections
import functools
import json
import os
import pathlib
import random
import subprocess
import sys

import data
import ledger
import program
import wire

EXTENT = os.environ.get("PARLEY_CRASH", "")
FULL = EXTENT == "full"
HERE = pathlib.Path(__file__).resolve().parent


def how_often(short, full):
    """PARLEY_CRASH=full runs all repetitions, PARLEY_CRASH=300 so many; otherwise a few."""
    if EXTENT.isdecimal():
        return int(EXTENT)
    return full if FULL else short


def chance_for(test):
    """The random choices of a test. PARLEY_SEED=… repeats them."""
    seed = os.environ.get("PARLEY_SEED") or str(random.SystemRandom().randrange(10**9))
    print(f"to choose the same again: PARLEY_SEED={seed}")
    return random.Random(f"{seed} {test}")


@functools.cache
def knows(setting):
    """Whether the program under test has this setting."""
    return setting in program.run("serve", "--help-settings").stdout


def settings():
    """With faults if the build supports them."""
    return {"test.faults": "true"} if knows("test.faults") else {}


def break_disk(server, **fault):
    """Tells a test build how its disk must fail (src/store/faults)."""
    with wire.Connection(server.address) as connection:
        answer = connection.ask("POST", "/test/faults", {"Content-Type": "application/json"},
                                json.dumps(fault).encode())
    assert answer.status == 204, answer


class Clients:
    """The process of the clients (clients.py)."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, HERE / "clients.py"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sent = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(program.PATIENCE)
        self.process.stdout.close()

    def begin(self, server, directory, file, clients=16, **order):
        self._tell({"address": server.address, "token": data.token(directory), "ledger": str(file),
                    "clients": clients, "first": self.sent, **order})

    def stop(self):
        self._tell({"stop": True})

    def result(self):
        """Waits for the end of the load; returns the numbers of sent and acknowledged notes."""
        result = json.loads(self.process.stdout.readline())
        faults = result.pop("faults")
        assert not faults, "\n".join(faults)
        self.sent += result["sent"]
        return result

    def _tell(self, order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()


class Life:
    """A data directory over many crashes: the ledger of its clients, and its current server."""

    def __init__(self, start, directory, settings_besides=None, environment=None):
        self.directory = directory / "data"
        self.settings = {**settings(), **(settings_besides or {})}
        self.ledger = directory / "ledger"
        self.ledger.touch()
        self.environment = environment
        self.server = None
        self._start = start

    def start(self):
        """Starts a server, and checks that it has all acknowledged notes."""
        self.server = self._start("--data", self.directory, settings=self.settings,
                                  environment=self.environment)
        ledger.compare(ledger.read(self.ledger), data.events_over_http(self.server, self.directory))
        return self.server

    def see_its_end(self):
        """Checks that the server was killed, and that its files are valid and complete."""
        assert self.server.wait() == -9, self.server.log.text()[-4000:]
        assert not program.SANITIZER_REPORT.search(self.server.log.text())
        ledger.compare(ledger.read(self.ledger), data.events_on_disk(self.directory))


def crash_again_and_again(life, chance, times, crash):
    """Starts a server, lets `crash` begin a load that ends with it, and checks the result; repeats this in
    one directory."""
    totals = collections.Counter()
    with Clients() as clients:
        for _ in range(times):
            crash(life.start(), clients, chance.randrange(10**9))
            totals.update(clients.result())
            life.see_its_end()
    life.start().stop()
    print(f"{times} crashes: {totals['acknowledged']} of {totals['sent']} notes acknowledged, "
          "all of them there")
    assert totals["acknowledged"] > times, "there was hardly any load"
