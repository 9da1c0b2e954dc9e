"""Three servers on one database, automations that are due all the time, and the server that enters a due time."""
import collections
import concurrent.futures
import signal
import threading
import time

import people
import wire
from automations import SCOPES, in_seconds
from chats import FRUGAL, Person
from replicas import Replicas

SERVERS = 3
SETTINGS = {**FRUGAL, "limits.general": 1000, "limits.automation": 1000, "automations.max_per_user": 10_000}
SOON = 2  # Seconds from the creation of an automation to its due time.
PER_STRIKE = 8  # Due times.

# Written down by the database: who entered a row. The number of an entry that was not committed is left out. The
# wait makes it likely that the server can be hit in the middle of its transaction.
WATCH = """
CREATE TABLE entries (number bigserial PRIMARY KEY, writer text);
CREATE FUNCTION note_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entries (writer) SELECT name FROM replicas
        WHERE incarnation::text = split_part(current_setting('application_name'), '/', 2);
    PERFORM pg_sleep(0.05);
    RETURN NEW;
END $$;
CREATE TRIGGER note_entry AFTER INSERT ON automation_runs FOR EACH ROW EXECUTE FUNCTION note_entry();
CREATE FUNCTION next_entering() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    writer text;
BEGIN
    FOR turn IN 1..10000 LOOP
        PERFORM pg_stat_clear_snapshot();
        SELECT name INTO writer FROM pg_stat_activity
            JOIN replicas ON incarnation::text = split_part(application_name, '/', 2) WHERE wait_event = 'PgSleep';
        EXIT WHEN FOUND;
        PERFORM pg_sleep(0.001);
    END LOOP;
    RETURN writer;
END $$;
CREATE FUNCTION next_entered() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    seen bigint := (SELECT coalesce(max(number), 0) FROM entries);
    entered_by text;
BEGIN
    FOR turn IN 1..10000 LOOP
        SELECT writer INTO entered_by FROM entries WHERE number > seen LIMIT 1;
        EXIT WHEN FOUND;
        PERFORM pg_sleep(0.001);
    END LOOP;
    RETURN entered_by;
END $$;
"""


class Shared(Replicas):
    """The servers; each can be killed and restarted, or stopped for a while."""

    def __init__(self, start, folder):
        super().__init__(start, folder, SERVERS, SETTINGS)
        self.query(WATCH)
        house = self.houses[0]
        self.token = house.token_for(house.add("ben"), scopes=SCOPES)["token"]
        self.people = self.with_token(self.token)
        self._stopped_until = {}

    def next_entering(self):
        """The number of the next server that enters a due time, while its transaction is open."""
        return self._server_of("next_entering")

    def next_entered(self):
        """The same, after it was committed."""
        return self._server_of("next_entered")

    def _server_of(self, function):
        [name] = self.query(f"SELECT {function}()")
        assert name, "no due time is entered any more"
        return int(name.removeprefix("server"))

    def is_stopped(self, number):
        return number in self._stopped_until

    def kill(self, number):
        """It is started again at once."""
        self.servers[number].signal(signal.SIGKILL)
        self.servers[number].wait()
        self._stopped_until.pop(number, None)
        self.servers[number] = self.houses[number].server = self.started(number)

    def stop_for(self, number, seconds):
        self.servers[number].signal(signal.SIGSTOP)
        self._stopped_until[number] = time.monotonic() + seconds

    def continue_stopped(self, everyone=False):
        for number, until in list(self._stopped_until.items()):
            if everyone or time.monotonic() > until:
                self.servers[number].signal(signal.SIGCONT)
                del self._stopped_until[number]

    def entries_lost(self):
        """How many entries were not committed."""
        return int(self.query("SELECT max(number) - count(*) FROM entries")[0])


class Creators:
    """Create automations on each server, due soon: some at first, and more when told. `made` are those that
    exist."""

    def __init__(self, shared):
        self._shared = shared
        self._over = threading.Event()
        self._wanted = threading.Semaphore(3 * PER_STRIKE)
        self.made = []
        self._threads = concurrent.futures.ThreadPoolExecutor(SERVERS)
        self._creating = []

    def __enter__(self):
        self._creating = [self._threads.submit(self._create, number) for number in range(SERVERS)]
        return self

    def __exit__(self, *_):
        self._over.set()
        self._shared.continue_stopped(everyone=True)
        for each in self._creating:
            each.result()

    def create_more(self):
        self._wanted.release(PER_STRIKE)

    def _create(self, server):
        count = 0
        while not self._over.wait(0.2):
            if self._wanted.acquire(timeout=0.2):
                count += 1
                self._create_one(self._shared.people[server], f"{server}-{count}")

    def _create_one(self, person: Person, key):
        """Asks again if the server died before it answered: with the same key, so that it exists once."""
        body = {"name": "Digest", "message": "{delay_ms:30} one two three",
                "trigger": {"type": "schedule", "at": in_seconds(SOON), "time_zone": "UTC"}}
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                response = person.request("POST", "/automations", body, {"Idempotency-Key": key})
            except (OSError, AssertionError):  # Between death and restart; a response may be cut.
                time.sleep(0.05)
                continue
            # 401 and 404: until it is started again, another program may have got its port.
            if response.status in (401, 404, 503):
                time.sleep(0.05)
                continue
            if response.status == 422:  # It took so long that the time has passed: nothing was created.
                assert people.faults(response) == [("#/trigger/at", "never_fires")]
                return
            assert response.status == 201, response.body
            self.made.append(response.json())
            return
        raise AssertionError("an automation could not be created in a minute")


def by(field, entries):
    found = collections.defaultdict(list)
    for each in entries:
        found[field(each)].append(each)
    return found


def is_ready(server):
    with wire.Connection(server.address) as connection:
        return connection.ask("GET", "/lbz").status == 200
