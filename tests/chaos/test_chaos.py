"""Servers, their database and their load balancer fail in all ways while clients use them: every accepted question
is answered once, with the same bytes for all readers, and no limit is exceeded.

`make chaos MINUTES=40` goes on for longer; PARLEY_SEED=… repeats its choices."""
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import threading
import time

import accounts
import people
import program
import pytest
from disasters import Disasters
from world import LIMIT, WINDOW, Memory, World

HERE = pathlib.Path(__file__).resolve().parent
MINUTES = float(os.environ.get("PARLEY_CHAOS_MINUTES", 0))
SECONDS = MINUTES * 60 or (30 if program.IS_SANITIZED else 90)
# In no log, whatever happens.
BUGS = ("a run has ended twice", "cannot store a run", "cannot store the end of a run", "with an exception",
        "the journal lost events of a run", "starting over")
KINDS = ["all"] if MINUTES else ["servers", "database"]
# Tables whose rows come and go. They are emptied, and their space is used again.
SHORT_LIVED = ("run_events", "limits", "heard", "replicas", "grown_logs", "commit_marks")
MOST_MIB = 128


class Talkers:
    """The process of the clients (talkers.py)."""

    def __init__(self, **order):
        self.process = subprocess.Popen([sys.executable, HERE / "talkers.py"], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        self.faults = []
        self.result = None
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            told = json.loads(line)
            if "fault" in told:
                self.faults.append(told["fault"])
            else:
                self.result = told

    def end(self):
        """Waits until they have read their last answers."""
        self.process.stdin.close()
        self.process.wait(program.PATIENCE * 2)
        self._reader.join()
        self.process.stdout.close()


@pytest.fixture(name="world")
def one_world(start, tmp_path):
    made = World(start, tmp_path)
    yield made
    made.close()


def limited_token(world):
    """A token of a user with a low limit."""
    house = world.houses[0]
    user = house.add("eve")
    changed = house.ask("PATCH", f"/users/{user['id']}", house.admin, {"limits": {"general": LIMIT}})
    assert changed.status == 200, changed.body
    return house.token_for(user)["token"]


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_or_doubled(world, tmp_path, kind):
    seed = os.environ.get("PARLEY_SEED") or str(random.SystemRandom().randrange(10**9))
    print(f"to choose the same again: PARLEY_SEED={seed}")
    disasters = Disasters(world, random.Random(f"{seed} {kind}"))
    ledger = tmp_path / "ledger"
    talkers = Talkers(address=world.balancer.address, token=world.token, limited=limited_token(world),
                      talkers=6, ledger=str(ledger), seed=seed)
    begun = time.monotonic()
    memory = Memory(world, begun + SECONDS / 4)

    def is_over():
        memory.look()
        return talkers.faults
    try:
        disasters.go_on(getattr(disasters, kind), begun + SECONDS, is_over)
        memory.end()
    finally:
        talkers.end()
    took = time.monotonic() - begun
    assert not world.wrong_writes(), world.wrong_writes()[:5]
    assert not talkers.faults, talkers.faults[0]
    entries = accounts.read(ledger)
    report(world, disasters, entries, took, memory)
    check(world, disasters, entries)
    if MINUTES >= 30:
        memory.check()


def sizes(world):
    """The space of the tables in MiB, with their indexes."""
    names = ", ".join(f"'{name}'" for name in SHORT_LIVED)
    rows = world.query("SELECT relname, pg_total_relation_size(oid) / 1048576 FROM pg_class"
                       f" WHERE relkind = 'r' AND relname IN ({names})")
    return {name: int(size) for name, size in (row.split("|") for row in rows)}


def report(world, disasters, entries, took, memory):
    turns = entries["turn"]
    silences = [turn.silence for turn in turns]
    print(json.dumps({
        "seconds": round(took), "disasters": disasters.happened, "answers": len(turns),
        "events": sum(turn.events * len(turn.digests) for turn in turns),
        "connections": sum(turn.connections for turn in turns),
        "runs_taken_over": world.count_in_logs("run taken over"),
        "servers_fenced": world.count_in_logs("this server was fenced by another; its runs continue there"),
        "longest_silence_s": round(max(silences), 1), "median_silence_s": round(statistics.median(silences), 2),
        "limited_requests": len(entries["asked"]), "tables_mib": sizes(world),
        "memory_mib": memory.figures,
        "over_limit": accounts.over_limit(entries["asked"], LIMIT, WINDOW, disasters.crashes)}, indent=1))


def check(world, disasters, entries):
    turns, asked = entries["turn"], entries["asked"]
    assert len(turns) > 10, "hardly any question was asked"
    people.until(lambda: world.query("SELECT count(*) FROM runs WHERE completed_ms IS NULL") == ["0"])
    accounts.check_turns(turns, world)
    accounts.check_log(entries["logged"], turns, world.people[0])
    assert sum(each.status == 429 for each in asked) > 10, "the limit was not reached"
    assert accounts.over_limit(asked, LIMIT, WINDOW, disasters.crashes) == 0
    early = accounts.refused_too_early(asked, LIMIT, WINDOW)
    assert not early, early[:3]
    # They are deleted after the end of their run; by another server, and later, if theirs has died.
    people.until(lambda: world.query("SELECT count(*) FROM run_events") == ["0"])
    space = sizes(world)
    assert set(space) == set(SHORT_LIVED) and max(space.values()) < MOST_MIB, space
    for server in world.programs:
        server.check_log()
        wrong = [line for line in server.log.lines if any(bug in line for bug in BUGS)]
        assert not wrong, wrong[:5]
