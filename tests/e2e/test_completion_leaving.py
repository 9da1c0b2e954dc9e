"""Completions end when their client disconnects; they share the queue with runs."""
import json
import signal
import ssl

import pytest
from prometheus_client.parser import text_string_to_metric_families

import certificates
import chats
import completions
import people
import program
import wire
from completions import body_of

SLOW = "{words:100} {delay_ms:2000}"
SILENT = "{first_delay_ms:60000} hello"


@pytest.fixture(name="house", scope="module")
def one_house():
    """One at a time."""
    with chats.house({"runs.max_concurrent": 1}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def figures(server):
    """The number of runs by state, and of ended runs by status."""
    with wire.Connection(server.metrics_address) as connection:
        text = connection.ask("GET", "/metrics").body.decode()
    return {(sample.name, sample.labels["state"]): sample.value
            for family in text_string_to_metric_families(text) for sample in family.samples
            if sample.name in ("parley_runs", "parley_runs_ended_total")}


def wait_for(server, name, state, value):
    people.until(lambda: figures(server)[name, state] == value)


def request_of(token, said, version="HTTP/1.1", **more):
    fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return wire.request_bytes("POST", "/v1/chat/completions", fields,
                              json.dumps(body_of(said, more)).encode(), version)


def asked(person, said, version="HTTP/1.1", **more):
    """A connection over which a completion was asked for."""
    connection = wire.Connection(person.house.server.address, timeout=program.PATIENCE)
    connection.send(request_of(person.token, said, version, **more))
    return connection


@pytest.mark.parametrize("said, more", [(SILENT, {}), (SILENT, {"stream": True}), (SLOW, {}),
                                        (SLOW, {"stream": True})])
@pytest.mark.parametrize("leave", ["close", "reset"])
def test_who_leaves_stops_the_model(house, ana, said, more, leave):
    before = figures(house.server)["parley_runs_ended_total", "cancelled"]
    connection = asked(ana, said, **more)
    wait_for(house.server, "parley_runs", "running", 1)
    getattr(connection, leave)()
    wait_for(house.server, "parley_runs", "running", 0)
    wait_for(house.server, "parley_runs_ended_total", "cancelled", before + 1)
    assert completions.text_of(completions.complete(ana, "the place is free")) == "the place is free"


def test_who_leaves_while_waiting_gives_up_the_place(house, ana):
    run = ana.begin(SILENT)
    waiting = asked(ana, "hello")
    wait_for(house.server, "parley_runs", "queued", 1)
    waiting.close()
    wait_for(house.server, "parley_runs", "queued", 0)
    ana.cancel(run)


def test_old_clients_leave_too(house, ana):
    connection = asked(ana, SILENT, "HTTP/1.0")
    wait_for(house.server, "parley_runs", "running", 1)
    connection.close()
    wait_for(house.server, "parley_runs", "running", 0)


def test_who_leaves_behind_tls(start, tmp_path):
    authority = certificates.Authority(tmp_path)
    certificate, key = authority.issue("server", serial=1)
    server = start("--tls-cert", certificate, "--tls-key", key)
    program.run("user", "add", "ana", "--password-stdin", "--data", server.data,
                input=people.password_of("ana"))
    token = program.run("token", "create", "--user", "ana", "--data", server.data).stdout.strip()
    context = ssl.create_default_context(cafile=authority.certificate)
    for streamed in (False, True):
        connection = wire.Connection(server.address, tls=context, server_name="localhost")
        connection.send(request_of(token, SLOW, stream=streamed))
        wait_for(server, "parley_runs", "running", 1)
        connection.close()
        wait_for(server, "parley_runs", "running", 0)


def test_who_has_finished_sending_still_gets_the_answer(house, ana):
    # Long enough for a busy machine to see it run.
    with asked(ana, "{first_delay_ms:4000} hello") as connection:
        wait_for(house.server, "parley_runs", "running", 1)
        connection.half_close()
        *interim, head, body = connection.read_to_end().split(b"\r\n\r\n")
    assert set(interim) == {b"HTTP/1.1 102 Processing"}
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert completions.text_of(json.loads(body)) == "hello"


def test_completions_wait_for_their_turn(house, ana):
    run = ana.begin(SILENT)
    with asked(ana, "hello") as waiting:
        wait_for(house.server, "parley_runs", "queued", 1)
        ana.cancel(run)
        response = waiting.read_response("POST")
    assert response.status == 200 and completions.text_of(response.json()) == "hello"


def test_a_full_line():
    with chats.house({"runs.max_concurrent": 1, "runs.max_queued": 0}) as house:
        ana = chats.somebody(house, "ana")
        run = ana.begin(SILENT)
        response = completions.post(ana, "hello")
        completions.refused(response, 503, "overloaded")
        assert int(response.header("retry-after")) > 0
        ana.cancel(run)


def test_a_token_that_is_taken_away_loses_its_stream(house):
    ben = chats.somebody(house, "ben")
    with completions.streaming(ben, "{words:2} {delay_ms:60000}") as response:
        pieces = response.iter_text()
        assert any("w1" in piece for piece in pieces)
        user = next(user for user in house.get("/users", house.admin)["data"]
                    if user["username"] == "ben")
        assert house.ask("PATCH", f"/users/{user['id']}", house.admin,
                         {"disabled": True}).status == 200
        with pytest.raises(completions.httpx.RemoteProtocolError):
            for _ in pieces:
                pass
    wait_for(house.server, "parley_runs", "running", 0)


def test_a_server_that_shuts_down_answers_first():
    with chats.house() as house:
        ana = chats.somebody(house, "ana")
        with asked(ana, "{first_delay_ms:4000} hello") as connection:
            wait_for(house.server, "parley_runs", "running", 1)
            house.server.signal(signal.SIGTERM)
            assert connection.read_response("POST").status == 200
        assert house.server.wait() == 0
