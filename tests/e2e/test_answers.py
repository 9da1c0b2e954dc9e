"""The common fields of all responses, and the format of each kind of refusal."""
import email.utils
import re
import time

import pytest

import wire

OWN_ID = re.compile(r"req_[0-9A-Za-z]{26}")

EVERYTHING = {
    "found": wire.request_bytes("GET", "/healthz"),
    "head": wire.request_bytes("HEAD", "/healthz"),
    "options": wire.request_bytes("OPTIONS", "/healthz"),
    "not found": wire.request_bytes("GET", "/nothing"),
    "under /v1": wire.request_bytes("GET", "/v1/api/chat/sessions"),
    "wrong method": wire.request_bytes("DELETE", "/healthz"),
    "unknown method": wire.request_bytes("BREW", "/healthz"),
    "bad escape": wire.request_bytes("GET", "/%zz"),
    "unknown parameter": wire.request_bytes("GET", "/healthz?a=b"),
    "not acceptable": wire.request_bytes("GET", "/problems", {"Accept": "image/png"}),
    "bad framing": wire.request_bytes("GET", "/healthz", {"Content-Length": "x"}),
    "too long": wire.request_bytes("GET", "/" + "a" * 9000),
    "not HTTP": b"\x16\x03\x01\x00\xc4",
}


def ask(server, method, target, headers=None, body=b""):
    with wire.Connection(server.address) as connection:
        return connection.ask(method, target, headers, body)


def check_problem(response, status, code, type_begins=""):
    """Checks all fields of a problem (RFC 9457), and returns it."""
    assert response.status == status
    assert response.header("content-type") == "application/problem+json"
    problem = response.json()
    request_id = response.header("x-request-id")
    assert problem["status"] == status and problem["code"] == code
    assert problem["type"] == f"{type_begins}/problems/{code}"
    assert problem["request_id"] == request_id
    assert problem["instance"] == f"urn:parley:request:{request_id}"
    assert problem["title"] and problem["detail"]
    assert set(problem) - {"errors"} == {"type", "title", "status", "detail", "instance", "code",
                                         "request_id"}
    return problem


@pytest.mark.parametrize("name", EVERYTHING)
def test_every_answer_has_its_headers(server, name):
    begun = time.time()
    outcome = wire.exchange(server.address, EVERYTHING[name])
    ended = time.time()
    assert len(outcome.responses) == 1
    response = outcome.responses[0]
    assert OWN_ID.fullmatch(response.header("x-request-id"))
    assert response.header("x-content-type-options") == "nosniff"
    assert response.header("cache-control")
    assert response.header("server") is None, "clients learn nothing of the inside"
    assert response.header("strict-transport-security") is None, "there is no TLS to insist on"
    sent = email.utils.parsedate_to_datetime(response.header("date"))
    assert begun - 5 < sent.timestamp() < ended + 5 and response.header("date").endswith(" GMT")
    if response.status >= 400:
        check_problem(response, response.status, response.json()["code"])


@pytest.mark.parametrize("given", ["a", "A" * 64, "a-b_c.D9", "0", "..."])
def test_a_request_id_of_the_client_comes_back(server, given):
    for target in ("/healthz", "/nothing"):
        response = ask(server, "GET", target, {"X-Request-Id": given})
        assert response.header("x-request-id") == given
    check_problem(response, 404, "not_found")


@pytest.mark.parametrize("given", ["", "A" * 65, "a b", "a,b", "a/b", "a\"b", "é", "%41", "a:b"])
def test_a_request_id_that_could_do_harm_is_replaced(server, given):
    response = ask(server, "GET", "/healthz", {"X-Request-Id": given})
    assert response.status == 200 and OWN_ID.fullmatch(response.header("x-request-id"))


def test_request_ids_differ(server):
    with wire.Connection(server.address) as connection:
        ids = [connection.ask("GET", "/healthz").header("x-request-id") for _ in range(200)]
    assert len(set(ids)) == 200


def test_health(server):
    assert ask(server, "GET", "/healthz").json() == {"status": "ok"}
    assert ask(server, "GET", "/readyz").json() == {"status": "ready"}


@pytest.mark.parametrize("target", [
    "/nothing", "/healthz/", "/HEALTHZ", "/healthz/x", "//healthz", "/v10", "/V1", "/problems/", "/problems/no_such_code", "/problems/not_found/x",
    "/./healthz", "/x/../healthz", "/%2e%2e/healthz", "/healthz%00", "/healthz%2f", "/metrics",
    "/favicon.ico", "/" + "a/" * 2000])
def test_what_is_not_there(server, target):
    check_problem(ask(server, "GET", target), 404, "not_found")


@pytest.mark.parametrize("target", ["/%", "/%4", "/%zz", "/%c0%af", "/%ff", "/healthz?%zz=1"])
def test_targets_that_cannot_be_decoded(server, target):
    check_problem(ask(server, "GET", target), 400, "invalid_request")


@pytest.mark.parametrize("target", ["/", "/docs", "/healthz", "/openapi.json", "/problems/not_found"])
def test_unknown_parameters_are_ignored_outside_v1(server, target):
    assert ask(server, "GET", target + "?utm_source=x&other=%22").status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE"])
@pytest.mark.parametrize("target", ["/healthz", "/readyz", "/problems", "/problems/not_found"])
def test_a_method_that_does_not_work_here(server, method, target):
    response = ask(server, method, target)
    check_problem(response, 405, "method_not_allowed")
    assert response.header("allow") == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("method", ["BREW", "get", "GETX", "PROPFIND", "!#$%&'*+-.^_`|~"])
def test_a_method_that_nobody_knows(server, method):
    for target in ("/healthz", "/nothing"):
        response = ask(server, method, target)
        check_problem(response, 501, "not_implemented")
        assert response.header("allow") is None


@pytest.mark.parametrize("target", ["/healthz", "/problems", "/problems/not_found", "/nothing"])
def test_head_is_get_without_its_body(server, target):
    with wire.Connection(server.address) as connection:
        got = connection.ask("GET", target, {"X-Request-Id": "same"})
        head = connection.ask("HEAD", target, {"X-Request-Id": "same"})
        assert connection.ask("GET", "/healthz").status == 200, "no body came after HEAD"
    without_date = [[field for field in response.fields if field[0] != "date"]
                    for response in (got, head)]
    assert head.status == got.status and without_date[0] == without_date[1]
    assert head.header("content-length") == str(len(got.body))


@pytest.mark.parametrize("target", ["/v1/api", "/v1/api/nothing", "/v1/api/chat/query"])
def test_under_v1_nothing_is_told_without_a_token(server, target):
    check_problem(ask(server, "GET", target), 401, "missing_token")


@pytest.mark.parametrize("target", ["/v1", "/v1/", "/v1/nothing"])
def test_outside_the_api_of_v1_it_is_told_as_others_clients_expect(server, target):
    response = ask(server, "GET", target)
    assert response.status == 401 and response.json()["error"]["code"] == "invalid_api_key"


@pytest.mark.parametrize("target", ["/healthz", "/problems/not_found"])
def test_options(server, target):
    response = ask(server, "OPTIONS", target)
    assert response.status == 204 and response.header("allow") == "GET, HEAD, OPTIONS"
    assert response.header("content-length") is None


def test_options_of_the_whole_server(server):
    response = ask(server, "OPTIONS", "*")
    assert response.status == 204
    assert response.header("allow") == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"


def test_options_of_what_is_not_there(server):
    check_problem(ask(server, "OPTIONS", "/nothing"), 404, "not_found")


def test_problem_types_are_absolute_where_the_public_address_is_known(start):
    for given in ("https://chat.example.org", "https://chat.example.org/"):
        server = start(settings={"server.public_url": given})
        problem = check_problem(ask(server, "GET", "/nothing"), 404, "not_found",
                                type_begins="https://chat.example.org")
        refused = wire.exchange(server.address, b"\r\r\r\r\n").responses[0]
        check_problem(refused, 400, "invalid_request", type_begins="https://chat.example.org")
        assert problem["type"].endswith("/problems/not_found")
