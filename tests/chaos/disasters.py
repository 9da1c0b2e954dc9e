"""Failures of servers, their network, their database and their load balancer. Each ends with all of them
back in place."""
import signal
import time

import people
from wires import BACK, THERE


class Disasters:
    """Happen one after the other. `crashes` are the times (start, end) in which the database lost what was not
    synced."""

    def __init__(self, world, chance):
        self.world = world
        self.chance = chance
        self.crashes = []
        self.happened = {}
        self.servers = {
            "kill -9": self.kill, "kill -9, start at once": self.kill_and_start, "SIGSTOP for 3 s": self.freeze(3),
            "SIGSTOP for 8 s": self.freeze(8), "SIGTERM": self.end,
            "database cut off": self.part_from_database(THERE, BACK), "requests to database lost":
                self.part_from_database(THERE), "answers of database lost": self.part_from_database(BACK),
            "connections to database reset": self.reset_database, "balancer cut off": self.part_from_balancer,
            "HAProxy killed": self.kill_balancer}
        self.database = {
            "database restarted": self.restart_database, "database crashed": self.crash_database(1),
            "database away for 8 s": self.crash_database(8), "failover": self.fail_over,
            "kill -9": self.kill, "SIGSTOP for 8 s": self.freeze(8)}
        self.all = {**self.servers, **self.database, "SIGSTOP for 30 s": self.freeze(30),
                    "database away for 60 s": self.crash_database(60)}

    def go_on(self, kinds, until, is_over):
        """All kinds, in random order, again and again."""
        bag = []
        while time.monotonic() < until and not is_over():
            if not bag:
                bag = sorted(kinds)
                self.chance.shuffle(bag)
            name = bag.pop()
            self.happened[name] = self.happened.get(name, 0) + 1
            print(f"{time.monotonic():.1f} {name}", flush=True)
            kinds[name]()
            time.sleep(self.chance.uniform(0.2, 2))

    def _one(self):
        return self.chance.randrange(len(self.world.servers))

    def kill(self):
        number = self._one()
        self.world.servers[number].signal(signal.SIGKILL)
        self.world.servers[number].wait()
        time.sleep(self.chance.uniform(4, 8))
        self.world.restart(number)

    def kill_and_start(self):
        number = self._one()
        self.world.servers[number].signal(signal.SIGKILL)
        self.world.servers[number].wait()
        self.world.restart(number)

    def end(self):
        number = self._one()
        self.world.servers[number].signal(signal.SIGTERM)
        assert self.world.servers[number].wait() == 0
        self.world.restart(number)

    def freeze(self, seconds):
        def happen():
            server = self.world.servers[self._one()]
            server.signal(signal.SIGSTOP)
            time.sleep(seconds)
            server.signal(signal.SIGCONT)
        return happen

    def part_from_database(self, *directions):
        def happen():
            wires = self.world.to_database[self._one()]
            for each in wires:
                each.stall(*directions)
            time.sleep(self.chance.uniform(1, 10))
            for each in wires:
                each.heal()
        return happen

    def reset_database(self):
        for each in self.world.to_database[self._one()]:
            each.cut()

    def part_from_balancer(self):
        to_server = self.world.to_server[self._one()]
        to_server.stall()
        time.sleep(self.chance.uniform(1, 6))
        to_server.heal()

    def kill_balancer(self):
        self.world.balancer.kill()
        time.sleep(self.chance.uniform(0, 1))
        self.world.balancer.start()

    def restart_database(self):
        self.world.databases.primary.restart()
        self._wait_for_servers()

    def crash_database(self, seconds):
        def happen():
            time.sleep(1)  # See _wait_for_servers.
            begun = time.monotonic()
            self.world.databases.primary.kill()
            time.sleep(seconds)
            self.world.databases.primary.start_after_kill()
            self._wait_for_servers()
            self.crashes.append((begun, time.monotonic()))
        return happen

    def fail_over(self):
        time.sleep(1)
        begun = time.monotonic()
        self.world.databases.fail_over()
        self._wait_for_servers()
        self.crashes.append((begun, time.monotonic()))

    def _wait_for_servers(self):
        """Until they have stored their last events again. If a server dies less than a second before its
        database or just after it, the events of that second may be lost: that is documented, and no part of
        this."""
        people.until(self.world.are_all_ready)
        time.sleep(2)
