"""The metrics: on a separate listener, readable by Prometheus, and of a size that clients cannot increase."""
import random
import time

from prometheus_client.parser import text_string_to_metric_families

import chats
import completions
import program
import upstreams
import wire


def read(server):
    """All samples, by name and labels."""
    with wire.Connection(server.metrics_address) as connection:
        response = connection.ask("GET", "/metrics")
    assert response.status == 200
    assert response.header("content-type").startswith("text/plain; version=0.0.4")
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(response.body.decode())
            for sample in family.samples}


def value(samples, name, **labels):
    return sum(sample for (sampled, with_labels), sample in samples.items()
               if sampled == name and labels.items() <= dict(with_labels).items())


def wait_until(server, holds):
    """Metrics may be updated a moment after the response."""
    deadline = time.monotonic() + program.PATIENCE
    while not holds(samples := read(server)):
        assert time.monotonic() < deadline, samples
    return samples


def test_counts_requests_by_route_and_status(start):
    server = start()
    before = read(server)
    with wire.Connection(server.address) as connection:
        for _ in range(7):
            connection.ask("GET", "/healthz")
        for _ in range(3):
            connection.ask("GET", "/problems/not_found")
        connection.ask("HEAD", "/healthz")
        connection.ask("GET", "/nothing")
        connection.ask("BREW", "/healthz")
    wire.exchange(server.address, b"nonsense\r\n\r\n")

    def counted(samples, **labels):
        name = "parley_http_requests_total"
        return value(samples, name, **labels) - value(before, name, **labels)

    after = wait_until(server, lambda samples: counted(samples, status="400") == 1)
    assert counted(after, route="/healthz", status="200") == 8
    assert counted(after, route="/problems/{code}", status="200") == 3
    assert counted(after, status="404") == 1 and counted(after, status="501") == 1
    name = "parley_http_request_duration_seconds"
    assert value(after, name + "_count", **{"class": "none"}) >= 12
    assert 0 < value(after, name + "_sum", **{"class": "none"}) < 8
    buckets = [key for key in after if key[0].startswith("parley_http_request_duration")]
    assert len(buckets) <= 5 * 22, "by class, not by route"


def test_counts_connections(start):
    server = start()
    before = read(server)
    opened = [wire.Connection(server.address) for _ in range(5)]
    for connection in opened:
        connection.ask("GET", "/healthz")
    during = read(server)
    accepted = "parley_http_connections_accepted_total"
    assert value(during, accepted) - value(before, accepted) == 5
    assert value(during, "parley_http_connections") >= 5
    for connection in opened:
        connection.close()
    wait_until(server, lambda samples: value(samples, "parley_http_connections") <= 1)


def test_counts_tokens_of_models():
    with chats.house() as house:
        ana = chats.somebody(house, "ana")
        ana.ask("one two three", model="scripted")
        tokens = "parley_model_tokens_total"
        wait_until(house.server, lambda samples: [value(
            samples, tokens, model="scripted", direction=way) for way in ("in", "out")] == [3, 3])


def test_counts_errors_of_upstreams(tmp_path):
    with upstreams.mock() as mock:
        settings = upstreams.settings_of(mock, upstreams.write_key(tmp_path), "ok", "status500")
        with chats.house(settings) as house:
            ana = chats.somebody(house, "ana")
            assert completions.post(ana, "hi", model="ok").status == 200
            assert completions.post(ana, "hi", model="status500").status == 502
            errors, tokens = "parley_upstream_errors_total", "parley_model_tokens_total"
            after = wait_until(house.server, lambda samples: value(samples, errors, model="status500") == 1 and [
                value(samples, tokens, model="ok", direction=way) for way in ("in", "out")] == [11, 5])
            assert value(after, errors, model="ok") == 0


def test_tells_of_loops_and_process(server):
    samples = read(server)
    assert value(samples, "process_resident_memory_bytes") > 1_000_000
    assert value(samples, "process_open_fds") > 3
    assert value(samples, "process_cpu_seconds_total") >= 0
    wait_until(server, lambda later: value(later, "parley_loop_lag_seconds_count") > 0)


def test_clients_cannot_make_series(start):
    # A loop has its own series after its first measurement: with one loop, all are soon there.
    server = start(settings={"server.loops": 1})
    chance = random.Random(464)

    def word():
        return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=12))

    def ask_for_odd_things():
        with wire.Connection(server.address) as connection:
            connection.ask("GET", f"/{word()}")
            connection.ask("GET", f"/problems/{word()}")
            connection.ask(word().upper(), "/healthz")
            connection.ask("GET", f"/healthz?{word()}={word()}")
            connection.ask("GET", "/healthz", {"X-Request-Id": word(), "Host": word()})
        wire.exchange(server.address, f"GET /{word()} HTTP/3.0\r\n\r\n".encode())

    ask_for_odd_things()
    wait_until(server, lambda samples: value(samples, "parley_loop_lag_seconds_count") > 0)
    before = read(server)
    for _ in range(50):
        ask_for_odd_things()
    after = read(server)
    assert set(after) == set(before)
    total = "parley_http_requests_total"
    assert value(after, total) - value(before, total) >= 300


def test_metrics_and_service_keep_to_their_own_ports(server):
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/metrics").status == 404
    with wire.Connection(server.metrics_address) as connection:
        assert connection.ask("GET", "/healthz").status == 404
        assert connection.ask("POST", "/metrics").status == 405
