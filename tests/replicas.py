"""Several servers on one PostgreSQL database."""
import os
import signal
import time

import chats
import people
import postgres
import program

IS_LONG = float(os.environ.get("PARLEY_CHAOS_MINUTES", 0)) >= 30
# `make test` compiles beside these tests; what they measure in `make chaos` is exact.
SLOW = 1 if IS_LONG and not program.IS_SANITIZED else 5
TAKE_OVER = 10 * SLOW  # Seconds from the death of a server to the next event.
LEASE = 5  # Seconds after which others take over.


def accepted_for(house, token, since, refusals=(401,)):
    """Seconds from `since` to the last request with this token that was accepted, until one is refused. They count as they
    are sent: how long a busy machine takes for an answer has nothing to do with rights. 503: the server could not ask
    its database in time."""
    last = since
    while True:
        sent = time.monotonic()
        status = house.ask("GET", "/me", token).status
        if status in refusals:
            return last - since
        assert status in (200, 503) and sent - since < 60, status
        if status == 200:
            last = max(last, sent)
        time.sleep(0.02)  # Few enough for the limit of requests.


def events_of_take_over(feed, server, run):
    """Events up to the first one that comes after this server has taken over the run, or its last one. Events of the
    server before it may be read at any time."""
    return feed.until(lambda event: event.is_last or server.log.entries(message="run taken over", run_id=run))


class Replicas:
    """Servers with separate data directories and one database; one user, who reaches all of them. `urls` are
    those by which each of them reaches the database, if they differ."""

    def __init__(self, start, folder, count, settings=None, urls=None, binary=program.BINARY):
        self.urls = urls or [postgres.url_for(folder)] * count
        self.url = self.urls[0]
        self._start = start
        self.binary = binary  # The program of servers that are started from now on.
        self._folder = folder
        self._settings = {**chats.ROOMY, **(settings or {})}
        self.servers = [self.started(number) for number in range(count)]
        house = people.House(self.servers[0]).set_up()
        self.houses = [house]
        for server in self.servers[1:]:
            other = people.House(server)
            other.operator = house.operator
            self.houses.append(other)
        self.token = house.token_for(house.add("ana"))["token"]
        self.people = [chats.Person(each, self.token) for each in self.houses]

    def started(self, number, *arguments, **settings):
        """The server of a data directory, which runs no other one."""
        return self._start("--data", str(self._folder / f"data{number}"), *arguments, binary=self.binary,
                           settings={**self._settings, "store.url": self.urls[number],
                                     "cluster.name": f"server{number}", **settings})

    def query(self, sql):
        return postgres.shared().query(sql, self.url.partition("@/")[2].partition("?")[0])

    def server_of(self, run):
        """The number of the server that executes a run."""
        name, = self.query("SELECT replicas.name FROM replicas JOIN runs ON runs.replica = replicas.incarnation"
                           f" WHERE runs.id = '{chats.name_of(run)}'")
        return int(name.removeprefix("server"))

    def kill(self, number):
        self.servers[number].signal(signal.SIGKILL)
        self.servers[number].wait()

    def replace(self, number):
        """Ends a server and starts the next one with its data directory."""
        self.servers[number].signal(signal.SIGTERM)
        assert self.servers[number].wait() == 0
        self.servers[number] = self.houses[number].server = self.started(number)

    def with_token(self, token):
        return [chats.Person(each, token) for each in self.houses]
