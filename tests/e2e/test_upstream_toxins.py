"""Models on other servers behind a failing network, simulated by toxiproxy. Skipped if it is neither built
nor can be (tools/toxiproxy); the same faults without it are in test_upstream_faults.py."""
import contextlib
import json
import socket
import subprocess
import urllib.request

import pytest

import chats
import feeds
import people
import program
import upstream_ways as ways
import upstreams

# Shorter than the default, and longer than a slow machine pauses: a network that only delays must not fail.
FAST = {"first_token_timeout_s": 8, "silence_timeout_s": 5, "connect_timeout_s": 5}


class Toxiproxy:
    """The proxy with one route."""

    def __init__(self, binary, upstream_port):
        self.api, self.port = free_port(), free_port()
        self.process = subprocess.Popen([binary, "-port", str(self.api)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        people.until(self._answers)
        self.ask("/proxies", {"name": "model", "listen": f"127.0.0.1:{self.port}",
                              "upstream": f"127.0.0.1:{upstream_port}"})

    def _answers(self):
        with contextlib.suppress(OSError):
            return self.ask("/version")
        return None

    def ask(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.api}{path}", data, method=method)
        with urllib.request.urlopen(request, timeout=program.PATIENCE) as response:
            return response.read() or b"done"

    @contextlib.contextmanager
    def toxin(self, kind, stream="downstream", **attributes):
        self.ask("/proxies/model/toxics", {"name": "toxin", "type": kind, "stream": stream,
                                           "attributes": attributes})
        try:
            yield
        finally:
            self.ask("/proxies/model/toxics/toxin", method="DELETE")

    @contextlib.contextmanager
    def down(self):
        self.ask("/proxies/model", {"enabled": False})
        try:
            yield
        finally:
            self.ask("/proxies/model", {"enabled": True})

    def close(self):
        self.process.kill()
        self.process.wait()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@pytest.fixture(name="proxy", scope="module")
def toxiproxy():
    made = subprocess.run([program.ROOT / "tools/toxiproxy"], capture_output=True, text=True,
                          check=False)
    if made.returncode != 0:
        pytest.skip(made.stderr.strip().splitlines()[-1])
    with upstreams.mock() as mock:
        opened = Toxiproxy(made.stdout.strip(), mock.port)
        yield opened
        opened.close()


@pytest.fixture(name="ana", scope="module")
def somebody(proxy, tmp_path_factory):
    """A user of a model behind the proxy."""
    key = upstreams.write_key(tmp_path_factory.mktemp("keys"))
    of_model = {"engine": "upstream", "base_url": f"http://127.0.0.1:{proxy.port}/ok/v1",
                "api_key_file": key, **FAST}
    with chats.house({f"models.ok.{name}": value for name, value in of_model.items()}) as house:
        yield chats.somebody(house, "ana")
        assert ways.KEY not in house.server.log.text()


@pytest.fixture(autouse=True)
def well_again(ana):
    """Each test must leave a working network."""
    yield
    people.until(lambda: ana.query("Hello?", model="ok").status == 200)


def end_of_stream(ana):
    with ana.stream("Hello?", model="ok") as feed:
        events = feeds.check_events(feed.rest())
    return events[-1].type, events[-1].data["run"]["error"], feeds.written(events)


def test_a_slow_network_only_delays(ana, proxy):
    with proxy.toxin("latency", latency=300, jitter=100):
        assert end_of_stream(ana) == ("run.completed", None, ways.TEXT)


def test_a_trickle_is_read_to_its_end(ana, proxy):
    """Each byte in a separate packet, or nearly."""
    with proxy.toxin("slicer", average_size=3, size_variation=2, delay=10):
        assert end_of_stream(ana) == ("run.completed", None, ways.TEXT)


def test_a_slow_close_holds_nobody_up(ana, proxy):
    with proxy.toxin("slow_close", delay=5000):
        assert end_of_stream(ana) == ("run.completed", None, ways.TEXT)


@pytest.mark.parametrize("kind, attributes", [("reset_peer", {"timeout": 0}),
                                              ("limit_data", {"bytes": 0})])
def test_a_connection_that_breaks_before_the_answer(ana, proxy, kind, attributes):
    with proxy.toxin(kind, **attributes):
        kind_of_end, error, text = end_of_stream(ana)
    assert (kind_of_end, error["code"], text) == ("run.failed", "upstream_error", "")


def test_an_answer_that_is_cut_in_the_middle_keeps_its_beginning(ana, proxy):
    with proxy.toxin("limit_data", bytes=400):
        kind_of_end, error, text = end_of_stream(ana)
    assert (kind_of_end, error["code"]) == ("run.failed", "upstream_error")
    assert text and ways.TEXT.startswith(text) and text != ways.TEXT


def test_a_network_that_swallows_everything_is_not_waited_for(ana, proxy):
    with proxy.toxin("timeout", timeout=0):
        kind_of_end, error, text = end_of_stream(ana)
    assert (kind_of_end, error["code"], text) == ("run.failed", "upstream_timeout", "")


def test_a_server_that_is_gone_cannot_be_reached(ana, proxy):
    with proxy.down():
        assert ana.query("Hello?", model="ok").json()["code"] == "upstream_error"
