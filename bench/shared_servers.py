#!/usr/bin/env python3
"""Stored questions on one server with SQLite, on one with PostgreSQL, and on three that share a database:

    bench/shared_servers.py [--rounds 5] [--seconds 5] [--clients 24] [--users 32] [--statements 10]

Each question begins a session, and its answer of the scripted model is stored before the response. Questions of
one user wait for each other, because the events of a user are numbered; so there are rounds with one user and
rounds with several. The servers take turns on the same machine, which they share with the load generator (wrk) and
with PostgreSQL, so three servers do not answer more than one: the figure is the CPU time of a question,
PostgreSQL's included, and how it grows. With --statements the statements of a question are counted, and so many of
the most expensive ones are listed."""
import argparse
import contextlib
import pathlib
import statistics
import sys
import tempfile
import time

import contenders
import question_load
import results
from followed_runs import seconds_of_postgres

sys.path.insert(0, str(contenders.ROOT / "tests"))
import chats  # pylint: disable=wrong-import-position
import people  # pylint: disable=wrong-import-position
import postgres  # pylint: disable=wrong-import-position
import program  # pylint: disable=wrong-import-position
from replicas import Replicas  # pylint: disable=wrong-import-position

NAMES = ("one server on SQLite", "one server on PostgreSQL", results.PARLEY)  # Of the groups, in the table.
SETTINGS = {"limits.window_s": 1, "limits.chat": 20000, "limits.general": 20000, "runs.max_concurrent": 10000,
            "server.max_connections_per_address": 0}


class Group:
    """Servers that share a database, and their users."""

    def __init__(self, name, servers, tokens, folder, database=None):
        self.name, self.servers, self.database = name, servers, database
        self._scripts = {}
        for count in (1, len(tokens)):
            self._scripts[count] = question_load.write_script(folder / f"{name}-{count}.lua".replace(" ", "-"),
                                                              tokens[:count])

    def _seconds(self):
        return sum(contenders.processor_seconds(each.pid) for each in self.servers)

    def ask(self, users, clients, seconds):
        """The number of answered questions."""
        return question_load.ask([server.address[1] for server in self.servers], self._scripts[users], clients, seconds)

    def load(self, users, clients, seconds):
        """One round: questions per second, and microseconds of the servers and of the database for each."""
        before, database = self._seconds(), seconds_of_postgres(postgres.shared())
        begun = time.monotonic()
        count = self.ask(users, clients, seconds)
        took = time.monotonic() - begun
        own = (self._seconds() - before) / count * 1e6
        shared = (seconds_of_postgres(postgres.shared()) - database) / count * 1e6 if self.database else 0
        return count / took, own, shared


@contextlib.contextmanager
def groups(folder, users):
    started = []

    def start(*arguments, **more):
        started.append(program.Program(*arguments, **more))
        return started[-1]

    def tokens(house):
        return [house.token_for(house.add(f"user{number}"))["token"] for number in range(users)]
    try:
        alone = start("--data", str(folder / "alone"), settings={**chats.ROOMY, **SETTINGS})
        made = [Group("SQLite, 1 server", [alone], tokens(people.House(alone).set_up()), folder)]
        for count in (1, 3):
            place = folder / str(count)
            place.mkdir()
            shared = Replicas(start, place, count, SETTINGS)
            made.append(Group(f"PostgreSQL, {count} server{'s' * (count > 1)}", shared.servers,
                              tokens(shared.houses[0]), folder, shared))
        yield made
    finally:
        for each in started:
            each.stop()


def print_rounds(users, rounds):
    print(f"{f'{users} user' + 's' * (users > 1):24}{'per second':>12}{'(quartiles)':>16}{'µs, servers':>14}"
          f"{'µs, database':>14}{'together':>10}")
    alone = None
    for name, values in rounds.items():
        rates, own, shared = zip(*values)
        low, middle, high = results.quartiles(list(rates))
        both = statistics.median(map(sum, zip(own, shared)))
        alone = alone or both
        print(f"{name:24}{middle:>12.0f}{f'{low:.0f} to {high:.0f}':>16}{statistics.median(own):>14.0f}"
              f"{statistics.median(shared):>14.0f}{both / alone:>9.2f}×")


def prepare_counting(server):
    """Counting begins after the rounds, because it costs some time of PostgreSQL."""
    server.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
    server.restart()
    server.query("ALTER SYSTEM SET pg_stat_statements.track = 'none'")
    server.query("SELECT pg_reload_conf()")


def count_statements(group, options):
    """Statements of a question, and those that take longest."""
    place = group.database
    place.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    place.query("SELECT pg_stat_statements_reset()")
    count = group.ask(options.users, options.clients, options.seconds)
    rows = place.query(
        "SELECT calls, round(total_exec_time * 1000), rows, regexp_replace(query, '\\s+', ' ', 'g')"
        " FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())"
        " AND query NOT LIKE '%pg_stat_statements%' ORDER BY total_exec_time DESC")
    rows = [row.split("|", 3) for row in rows]
    calls = sum(int(row[0]) for row in rows) / count
    spent = sum(int(row[1]) for row in rows) / count
    print(f"{group.name:24}{calls:.1f} statements of a question take {spent:.0f} µs to execute")
    for row in rows[:options.statements]:
        print(f"{int(row[0]) / count:>8.2f} times{int(row[1]) / count:>7.0f} µs{int(row[2]) / count:>8.2f} rows"
              f"  {row[3][:150]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=24)
    parser.add_argument("--users", type=int, default=32)
    parser.add_argument("--statements", type=int, default=0)
    options = parser.parse_args()
    lacking = contenders.missing_tools("wrk")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (make build)")
    if not postgres.is_there():
        sys.exit("missing: PostgreSQL, which cannot be installed here (tools/postgres)")
    rows = {1: "B14/one", options.users: "B14/many"}
    results.used("PostgreSQL", postgres.shared().query("SHOW server_version")[0])
    if options.statements:
        prepare_counting(postgres.shared())
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder, \
            groups(pathlib.Path(folder), options.users) as all_of_them:
        rounds = {users: {group.name: [] for group in all_of_them} for users in (1, options.users)}
        for number in range(options.rounds):
            for users, values in rounds.items():
                for group in all_of_them[number % 3:] + all_of_them[:number % 3]:
                    # Servers that share a database admit at most 1,000 questions of a user in a second.
                    clients = min(options.clients, 3) if users == 1 else options.clients
                    rate, own, shared = group.load(users, clients, options.seconds)
                    values[group.name].append((rate, own, shared))
                    name = NAMES[all_of_them.index(group)]
                    results.record(rows[users], name, own + shared, number)
                    print(f"  {number + 1}. {group.name}, {users} users: {rate:.0f} per second, {own:.0f} + {shared:.0f} µs",
                          flush=True)
        for users, values in rounds.items():
            print_rounds(users, values)
        if options.statements:
            postgres.shared().query("ALTER SYSTEM RESET pg_stat_statements.track")
            postgres.shared().query("SELECT pg_reload_conf()")
            for group in all_of_them[1:]:
                count_statements(group, options)
    sys.exit(results.verdict(*rows.values()))


if __name__ == "__main__":
    main()
