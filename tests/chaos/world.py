"""Three servers behind HAProxy, a PostgreSQL server with a synchronous standby, and breakable wires between all
of them."""
import signal
import time

import people
import postgres
import pytest
import wire
from balancer import Balancer, Front
from chats import Person
from replicas import Replicas
from wires import Wires

SERVERS = 3
DATABASE = "parley"
WINDOW = 5  # Seconds of a rate limit.
LIMIT = 15  # Requests of the user who tries to exceed it.
SETTINGS = {"server.trusted_proxies": "127.0.0.1/32", "cluster.drain_s": 3, "limits.window_s": WINDOW,
            "store.connections": 6}

# Written down by the database itself: events and ends of runs that come from a server that does not own the run,
# or was fenced. A connection has the number of its server in its name.
AUDIT = """
CREATE TABLE wrong_writes (what text, run bigint, number bigint, writer text, at timestamptz DEFAULT clock_timestamp());
CREATE FUNCTION is_wrong_writer(owner bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN split_part(current_setting('application_name'), '/', 2) IS DISTINCT FROM owner::text
        OR EXISTS (SELECT 1 FROM replicas WHERE incarnation = owner AND fenced);
END $$;
CREATE FUNCTION check_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF is_wrong_writer((SELECT replica FROM runs WHERE position = NEW.run)) THEN
        INSERT INTO wrong_writes VALUES ('event', NEW.run, NEW.number, current_setting('application_name'));
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION check_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF is_wrong_writer(NEW.replica) THEN
        INSERT INTO wrong_writes VALUES ('end', NEW.position, NULL, current_setting('application_name'));
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER check_event BEFORE INSERT ON run_events FOR EACH ROW EXECUTE FUNCTION check_event();
CREATE TRIGGER check_end BEFORE UPDATE ON runs FOR EACH ROW
    WHEN (OLD.completed_ms IS NULL AND NEW.completed_ms IS NOT NULL) EXECUTE FUNCTION check_end();
"""


class Databases:
    """A primary and a standby, which can change places."""

    def __init__(self):
        if not postgres.is_there():
            pytest.skip("PostgreSQL is not installed and cannot be installed here (tools/postgres)")
        self.primary = postgres.Server()
        self.primary.database(DATABASE)
        self.standby = postgres.Server(primary=self.primary)
        self.both = (self.primary, self.standby)
        self._wait_for_standby()

    def _wait_for_standby(self, is_there=True):
        """With it, no commit is answered that the standby does not have."""
        names = "*" if is_there else ""
        self.primary.query(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.primary.query("SELECT pg_reload_conf()")
        if is_there:
            people.until(lambda: self.primary.query("SELECT sync_state FROM pg_stat_replication") == ["sync"])

    def fail_over(self):
        """The primary dies; a new standby is made of it afterwards."""
        self.primary.kill()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
        self.standby.follow(self.primary)
        self._wait_for_standby()

    def stop(self):
        for each in (self.standby, self.primary):
            each.stop()


class World(Replicas):
    """`front` is a user by way of the balancer. `programs` are all servers that were ever started."""

    def __init__(self, start, folder):
        self.programs = []
        self.databases = Databases()
        self._wires = Wires()
        self.to_database = [[self._wires.add(lambda one=each: one.socket) for each in self.databases.both]
                            for _ in range(SERVERS)]
        urls = ["postgresql://parley@" + ",".join("%s:%d" % each.address for each in wires) + "/" + DATABASE
                for wires in self.to_database]
        super().__init__(self._noting(start), folder, SERVERS, SETTINGS, urls)
        self.query(AUDIT)
        self.to_server = [self._wires.add(lambda number=number: self.servers[number].address)
                          for number in range(SERVERS)]
        self.balancer = Balancer(folder, [each.address for each in self.to_server])
        self.front = Person(Front(self.balancer.address), self.token)

    def _noting(self, start):
        def start_one(*arguments, **options):
            self.programs.append(start(*arguments, **options))
            return self.programs[-1]
        return start_one

    def restart(self, number):
        """After its end."""
        self.servers[number] = self.houses[number].server = self.started(number)

    def query(self, sql):
        return self.databases.primary.query(sql, DATABASE)

    def are_all_ready(self):
        return all(is_ready(server) for server in self.servers)

    def wrong_writes(self):
        return self.query("SELECT * FROM wrong_writes ORDER BY at")

    def count_in_logs(self, message):
        return sum(len(each.log.entries(message=message)) for each in self.programs)

    def close(self):
        """The servers end before what they need."""
        for server in self.servers:
            server.signal(signal.SIGTERM)
        try:
            assert [server.wait() for server in self.servers] == [0] * SERVERS
        finally:
            self.balancer.close()
            self._wires.close()
            self.databases.stop()


class Memory:
    """The resident memory of each server in MiB, after a quarter of the time and at the end. The largest may grow by
    30% and 20 MiB: servers that were started just before have less."""

    def __init__(self, world, quarter):
        self._world = world
        self._quarter = quarter
        self.figures = {}

    def look(self):
        """Between two disasters, when all servers are there."""
        if "at_a_quarter" not in self.figures and time.monotonic() >= self._quarter:
            self.figures["at_a_quarter"] = self._measured()

    def end(self):
        self.figures["at_the_end"] = self._measured()

    def _measured(self):
        return [server.resident_bytes() >> 20 for server in self._world.servers]

    def check(self):
        early, late = max(self.figures["at_a_quarter"]), max(self.figures["at_the_end"])
        assert late <= early * 1.3 + 20, f"the servers have grown: {self.figures}"


def is_ready(server):
    with wire.Connection(server.address) as connection:
        return connection.ask("GET", "/lbz").status == 200
