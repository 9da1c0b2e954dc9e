"""What `parley doctor` says about a PostgreSQL server that is not as it should be."""
import contextlib
import json
import re
import tempfile

import pytest

import people
import postgres
import program
from wires import Wires


def findings(url):
    with tempfile.TemporaryDirectory(prefix="parley-test-") as data:
        done = program.run("doctor", "--json", env=program.clean_environment(PARLEY_STORE_URL=url, PARLEY_DATA=data))
    return {line["check"]: line for line in map(json.loads, done.stdout.splitlines())}


def name_in(url):
    return url.partition("@/")[2].partition("?")[0]


@contextlib.contextmanager
def answering_otherwise(url, pattern, by):
    """The URL of the same database, by way of a wire that changes what the server says about itself."""
    wires = Wires()
    wire = wires.add(lambda: postgres.shared().socket, change=lambda data: re.sub(pattern, by, data, flags=re.DOTALL))
    try:
        yield "postgresql://parley@%s:%d/%s" % (*wire.address, name_in(url))
    finally:
        wires.close()


# A connection pooler tells a client a process of its own.
@pytest.mark.parametrize("pattern, by, complaint", [
    (rb"(server_version\0)\d\d", rb"\g<1>14", "is older than version 15"),
    (rb"K\0\0\0\x0c....", b"K\0\0\0\x0c\0\0\0\x07", "is behind a connection pooler")], ids=["version", "pooler"])
def test_an_old_server_and_a_pooler_are_refused(tmp_path, pattern, by, complaint):
    with answering_otherwise(postgres.url_for(tmp_path), pattern, by) as url:
        store = findings(url)["store"]
        assert store["verdict"] == "fail" and complaint in store["finding"], store
        refused = program.run("serve", "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0",
                              "--set", "store.url=" + url)
        assert refused.returncode == 1 and complaint in refused.stderr, refused.stderr


def test_a_clock_that_is_off_is_found(tmp_path):
    url = postgres.url_for(tmp_path)
    postgres.shared().query("CREATE SCHEMA odd", name_in(url))
    postgres.shared().query("CREATE FUNCTION odd.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS"
                            " $$SELECT pg_catalog.clock_timestamp() + interval '5 s'$$", name_in(url))

    def finds_it():
        """A busy machine may take seconds for one comparison, but not for each."""
        servers = findings(url + "&options=-csearch_path%3Dodd%2Cpg_catalog")["servers"]
        assert servers["verdict"] == "warn", servers
        offset = re.search(r"the clock of the database differs from this one by (\d+) ms", servers["finding"])
        assert offset, servers
        return 3000 < int(offset[1]) < 7000
    people.until(finds_it, 30)


def test_too_few_connections_are_found(tmp_path):
    url = postgres.url_for(tmp_path)
    postgres.shared().query("DROP ROLE IF EXISTS few")
    postgres.shared().query("CREATE ROLE few LOGIN CONNECTION LIMIT 5")
    servers = findings(url.replace("parley@", "few@"))["servers"]
    assert servers["verdict"] == "warn", servers
    assert "PostgreSQL accepts 5 connections" in servers["finding"], servers


def test_a_standby_that_is_not_synchronous_is_found():
    if not postgres.is_there():
        pytest.skip("PostgreSQL is not installed and cannot be installed here (tools/postgres)")
    primary = postgres.Server()
    standby = postgres.Server(primary=primary)
    url = primary.database("parley")

    def complains():
        store = findings(url)["store"]
        assert store["verdict"] == "warn", store
        return "a standby is not synchronous" in store["finding"]
    try:
        people.until(lambda: primary.query("SELECT count(*) FROM pg_stat_replication") == ["1"])
        assert complains()
        primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.query("SELECT pg_reload_conf()")
        people.until(lambda: not complains())
    finally:
        standby.stop()
        primary.stop()
