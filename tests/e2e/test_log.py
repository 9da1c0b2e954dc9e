"""The log: one JSON object per line, whatever clients send. (Program.check_log checks that in every other
test, too.)"""
import json
import re
import time

import pytest

import wire


def entry_for(server, request_id):
    entry = server.log.wait_for(request_id=request_id)
    assert len(server.log.entries(request_id=request_id)) == 1
    return entry


def test_every_request_leaves_one_line(server):
    with wire.Connection(server.address) as connection:
        for target, status in (("/healthz", 200), ("/problems/not_found", 200), ("/nothing", 404)):
            request_id = f"logged-{status}-{len(target)}"
            begun = time.monotonic()
            response = connection.ask("GET", target, {"X-Request-Id": request_id})
            entry = entry_for(server, request_id)
            assert entry["status"] == status == response.status
            assert entry["method"] == "GET" and entry["address"] == "127.0.0.1"
            # However long the machine took: not longer than it took here.
            waited = (time.monotonic() - begun) * 1000 + 1
            assert entry["bytes"] == len(response.body) and 0 <= entry["ms"] < waited
            assert entry["level"] == "info"
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry["at"])


def test_a_refused_request_leaves_a_line_with_the_id_of_its_answer(server):
    outcome = wire.exchange(server.address, b"GET / HTTP/9.9\r\n\r\n")
    entry = entry_for(server, outcome.responses[0].header("x-request-id"))
    assert entry["status"] == 400 and entry["code"] == "invalid_request"


def test_what_may_be_secret_is_not_logged(server):
    with wire.Connection(server.address) as connection:
        connection.ask("GET", "/problems/s3cret-in-path?s3cret-in-query=1", {
            "X-Request-Id": "keeps-secrets", "Authorization": "Bearer s3cret-in-header",
            "Cookie": "s3cret-in-cookie"})
    entry_for(server, "keeps-secrets")
    assert "s3cret" not in server.log.text()


FORGERIES = [
    '/%0a{"at":"2026-01-01T00:00:00.000Z","level":"error","message":"forged"}'.replace('"', "%22"),
    "/%1b[2J%1b[31mforged", "/forged%0d%0aforged", "/forged%00forged", "/forged'};forged",
    "/%22,%22message%22:%22forged", "/forged%e2%80%aeforged", "/forged" + "a" * 8000,
]


@pytest.mark.parametrize("number", range(len(FORGERIES)))
def test_a_path_cannot_forge_a_line(server, number):
    request_id = f"forger-{number}"
    with wire.Connection(server.address) as connection:
        response = connection.ask("GET", FORGERIES[number], {"X-Request-Id": request_id})
    assert response.status == 404
    entry = entry_for(server, request_id)
    assert entry["message"] == "request served" and len(json.dumps(entry)) < 1000
    assert not server.log.entries(message="forged")


def test_headers_and_garbage_cannot_forge_a_line(server):
    for payload in (wire.request_bytes("GET", "/healthz", {"X-Request-Id": '","message":"forged'}),
                    wire.request_bytes("GET", "/healthz", {"X-Request-Id": "\x1b[31mforged"}),
                    b'GET /\n{"message":"forged"}\n HTTP/1.1\r\nHost: a\r\n\r\n',
                    b'{"message":"forged"}\n', b"\x1b[31mforged\r\n\r\n"):
        wire.exchange(server.address, payload)
    with wire.Connection(server.address) as connection:
        connection.ask("GET", "/healthz", {"X-Request-Id": "after-forgers"})
    entry_for(server, "after-forgers")
    assert not server.log.entries(message="forged")
    assert not re.search("[\x00-\x1f\x7f]", server.log.text().replace("\n", ""))


def test_lines_for_people_cannot_be_forged_either(start):
    server = start(settings={"log.format": "people"})
    with wire.Connection(server.address) as connection:
        for target in FORGERIES:
            connection.ask("GET", target)
        connection.ask("GET", "/last", {"X-Request-Id": "last"})
    server.log.wait_for_line(lambda line: "request_id=last" in line)
    for line in server.log.lines:
        assert re.match(r"\d\d:\d\d:\d\d\.\d{3} (info |warn ) \w", line), line
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202e]", line)
