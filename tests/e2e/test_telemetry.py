"""Spans for an OpenTelemetry collector: of requests, runs, requests to upstreams and commits, and never at the
expense of requests."""
import contextlib
import http.server
import json
import re
import socket
import threading

import chats
import completions
import people
import program
import upstreams
import wire

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"


class Collector(http.server.ThreadingHTTPServer):
    """Keeps the spans that it gets, and the header fields."""

    daemon_threads = True

    def __init__(self, status=200):
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = status
        self.spans = []
        self.fields = []
        self.paths = set()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def named(self, name):
        return [span for span in self.spans if span["name"] == name]

    def wait_for(self, name, fits=lambda span: True):
        return people.until(lambda: [span for span in self.named(name) if fits(span)])[0]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.paths.add(self.path)
        self.server.fields.append(dict(self.headers.items()))
        if self.server.status == 200:
            self.server.spans += spans_in(body)
        self.send_response(self.server.status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def spans_in(body):
    resource, = body["resourceSpans"]
    about = {each["key"]: each["value"]["stringValue"] for each in resource["resource"]["attributes"]}
    assert about["service.name"] == "parley" and about["service.version"] and about["service.instance.id"]
    scope, = resource["scopeSpans"]
    return scope["spans"]


def attributes(span):
    found = {}
    for each in span["attributes"]:
        value = each["value"]
        assert each["key"] not in found
        found[each["key"]] = int(value["intValue"]) if "intValue" in value else value["stringValue"]
    return found


@contextlib.contextmanager
def collecting(settings=None, status=200, **more):
    collector = Collector(status)
    thread = threading.Thread(target=collector.serve_forever, daemon=True)
    thread.start()
    try:
        with chats.house({"telemetry.otlp_url": collector.url, **(settings or {}), **more}) as house:
            yield collector, house
    finally:
        collector.shutdown()
        collector.server_close()
        thread.join()


def spans_metric(server, outcome):
    with wire.Connection(server.metrics_address) as connection:
        text = connection.ask("GET", "/metrics").body.decode()
    found = re.search(rf'^parley_telemetry_spans_total{{outcome="{outcome}"}} (\d+)$', text, re.M)
    return found and int(found[1])


def test_a_question_is_one_trace():
    with collecting() as (collector, house):
        ana = chats.somebody(house, "ana")
        run = ana.ask("one two three", model="scripted", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})
        request = collector.wait_for("POST /v1/api/chat/query")
        asked = collector.wait_for("run")
        assert (request["traceId"], request["parentSpanId"], request["kind"]) == (TRACE, PARENT, 2)
        assert (asked["traceId"], asked["parentSpanId"], asked["kind"]) == (TRACE, request["spanId"], 1)
        told = attributes(request)
        assert told["http.route"] == "/v1/api/chat/query" and told["http.response.status_code"] == 200
        assert told["parley.request.id"].startswith("req_")
        told = attributes(asked)
        assert told["parley.run.id"] == run["id"] and told["parley.run.status"] == "completed"
        assert told["gen_ai.request.model"] == "scripted" and told["gen_ai.usage.output_tokens"] == 3
        for span in (request, asked):
            assert re.fullmatch("[0-9a-f]{16}", span["spanId"])
            assert 0 < int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
        assert house.server.log.wait_for(message="request served", trace_id=TRACE)
        commit = collector.wait_for("store commit")
        assert attributes(commit)["parley.store.changes"] >= 1 and "parentSpanId" not in commit
        assert collector.paths == {"/v1/traces"}
        assert "one two three" not in json.dumps(collector.spans)
        people.until(lambda: spans_metric(house.server, "exported"))
        assert spans_metric(house.server, "dropped") == 0


def test_upstreams_get_the_trace(tmp_path):
    with upstreams.mock() as mock:
        settings = upstreams.settings_of(mock, upstreams.write_key(tmp_path), "ok")
        with collecting(settings) as (collector, house):
            ana = chats.somebody(house, "ana")
            assert completions.post(ana, "hi", model="ok").status == 200
            call = collector.wait_for("upstream")
            request = collector.wait_for("POST /v1/chat/completions")
            assert call["kind"] == 3 and call["traceId"] == request["traceId"]
            assert call["parentSpanId"] == request["spanId"] and "parentSpanId" not in request
            told = attributes(call)
            assert told["gen_ai.request.model"] == "ok" and told["http.response.status_code"] == 200
            assert told["server.address"] == "127.0.0.1" and "status" not in call
            sent = mock.questions[-1][1].get("traceparent")
            assert sent == f"00-{call['traceId']}-{call['spanId']}-01"


def test_failures_are_marked(tmp_path):
    with upstreams.mock() as mock:
        settings = upstreams.settings_of(mock, upstreams.write_key(tmp_path), "status500")
        with collecting(settings) as (collector, house):
            ana = chats.somebody(house, "ana")
            assert completions.post(ana, "hi", model="status500").status == 502
            assert collector.wait_for("upstream")["status"]["code"] == 2
            assert collector.wait_for("POST /v1/chat/completions")["status"] == {"code": 2, "message": "502"}


def test_what_the_caller_does_not_sample_is_not_recorded():
    with collecting() as (collector, house):
        ana = chats.somebody(house, "ana")
        ana.ask("one", model="scripted", headers={"traceparent": f"00-{TRACE}-{PARENT}-00"})
        with wire.Connection(house.server.address) as connection:
            connection.ask("GET", "/healthz")
        ana.get("/me")
        collector.wait_for("GET /v1/api/me")
        assert not collector.named("POST /v1/api/chat/query") and not collector.named("run")
        assert not [span for span in collector.spans if "healthz" in span["name"] or span["traceId"] == TRACE]


def test_headers_come_from_a_file(tmp_path):
    file = tmp_path / "headers"
    file.write_text("Authorization: Bearer of-the-collector\nX-Team: one\n", encoding="utf-8")
    file.chmod(0o600)
    with collecting({"telemetry.headers_file": str(file)}) as (collector, house):
        people.until(lambda: collector.fields)
        assert collector.fields[0]["Authorization"] == "Bearer of-the-collector"
        assert collector.fields[0]["X-Team"] == "one" and collector.fields[0]["Content-Type"] == "application/json"
        assert "of-the-collector" not in house.server.log.text()


def test_wrong_settings_stop_the_start(tmp_path):
    file = tmp_path / "headers"
    file.write_text("nonsense-secret\n", encoding="utf-8")
    file.chmod(0o600)
    for settings, words in ((["telemetry.otlp_url=localhost:4318"], "telemetry.otlp_url: "),
                            (["telemetry.otlp_url=http://127.0.0.1:9", f"telemetry.headers_file={file}"],
                             "telemetry.headers_file: ")):
        ended = program.run("serve", "--listen", "127.0.0.1:0", "--set=metrics.listen=off",
                            *(f"--set={each}" for each in settings))
        assert ended.returncode == 1 and words in ended.stderr and "nonsense-secret" not in ended.stderr


def test_a_collector_that_refuses_costs_only_the_spans():
    with collecting(status=503) as (collector, house):
        ana = chats.somebody(house, "ana")
        ana.ask("one", model="scripted")
        people.until(lambda: spans_metric(house.server, "dropped"))
        assert spans_metric(house.server, "exported") == 0
        house.server.log.wait_for(message="cannot export spans; they are dropped")
        collector.status = 200
        ana.get("/me")
        people.until(lambda: spans_metric(house.server, "exported"))


def test_a_collector_that_hangs_delays_nothing():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with chats.house({"telemetry.otlp_url": address}) as house:
            ana = chats.somebody(house, "ana")
            for _ in range(20):
                ana.get("/me")
            ana.ask("one", model="scripted")
            people.until(lambda: spans_metric(house.server, "dropped"))


def test_without_a_collector_nothing_is_recorded(server):
    assert spans_metric(server, "exported") is None
