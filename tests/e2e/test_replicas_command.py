"""`parley replicas` and what `parley doctor` says about servers that share a database."""
import json
import signal
import tempfile

import postgres
import program
from replicas import Replicas


def run(url, *arguments):
    with tempfile.TemporaryDirectory(prefix="parley-test-") as data:
        return program.run(*arguments, env=program.clean_environment(PARLEY_STORE_URL=url, PARLEY_DATA=data))


def lines_of(done):
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_servers_are_listed(start, tmp_path):
    two = Replicas(start, tmp_path, 2)
    listed = lines_of(run(two.url, "replicas", "--json"))
    assert [each["name"] for each in listed] == ["server0", "server1"]
    for each in listed:
        assert set(each) == {"name", "incarnation", "version", "beat_age_ms", "running", "draining", "fenced"}
        assert not each["fenced"] and not each["draining"] and each["beat_age_ms"] < 5000
    two.servers[0].signal(signal.SIGTERM)
    assert two.servers[0].wait() == 0
    assert [each["fenced"] for each in lines_of(run(two.url, "replicas", "--json"))] == [True, False]
    shown = run(two.url, "replicas").stdout
    assert "gone" in shown and "serving" in shown and "server1" in shown


def test_a_server_without_postgres_is_the_only_one():
    done = program.run("replicas")
    assert done.returncode == 1 and "store.url is not set" in done.stderr


def test_doctor_finds_servers_with_other_limits(start, tmp_path):
    url = postgres.url_for(tmp_path)
    start("--data", str(tmp_path / "a"), settings={"store.url": url, "limits.chat": 31, "cluster.name": "odd"})
    found = {line["check"]: line for line in map(json.loads, run(url, "doctor", "--json").stdout.splitlines())}
    assert found["servers"]["verdict"] == "warn"
    assert "odd has limits.chat=31" in found["servers"]["finding"], found["servers"]
