"""CORS: only the configured origins may call."""
import pytest

import program
import wire

PAGE = "https://app.example.org"
OTHER = "https://evil.example"
PREFLIGHT = {"Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "authorization,x-stainless-os,anything-else"}


@pytest.fixture(scope="module")
def open_to_page():
    server = program.Program(settings={"server.cors_origins": f"{PAGE},http://localhost:5173"})
    yield server
    server.stop()


def ask(server, method, target, **headers):
    with wire.Connection(server.address) as connection:
        return connection.ask(method, target, headers)


def cors_fields(response):
    return [name for name, _ in response.fields if name.startswith("access-control-")]


def test_no_page_may_by_default(server):
    for method, extra in (("GET", {}), ("OPTIONS", PREFLIGHT)):
        response = ask(server, method, "/healthz", Origin=PAGE, **extra)
        assert response.status in (200, 204) and not cors_fields(response)


@pytest.mark.parametrize("origin", [PAGE, "http://localhost:5173"])
@pytest.mark.parametrize("method, target", [("GET", "/healthz"), ("GET", "/nothing"),
                                            ("POST", "/healthz"), ("GET", "/v1/models")])
def test_a_page_of_the_list_may_read_answers_and_problems(open_to_page, origin, method, target):
    response = ask(open_to_page, method, target, Origin=origin)
    assert response.header("access-control-allow-origin") == origin
    assert response.header("vary").lower().count("origin") == 1
    exposed = response.header("access-control-expose-headers").split(", ")
    assert {"X-Request-Id", "RateLimit", "RateLimit-Policy", "X-RateLimit-Remaining", "Retry-After",
            "Location", "Link", "ETag", "Allow", "WWW-Authenticate", "Preference-Applied",
            "X-Should-Retry", "X-Run-Id", "Idempotency-Replayed", "Deprecation",
            "Sunset"} <= set(exposed)
    assert response.header("access-control-allow-credentials") is None


def test_a_preflight_is_answered(open_to_page):
    response = ask(open_to_page, "OPTIONS", "/healthz", Origin=PAGE, **PREFLIGHT)
    assert response.status == 204
    assert response.header("access-control-allow-origin") == PAGE
    assert response.header("access-control-allow-methods") == "GET, HEAD, OPTIONS"
    assert response.header("access-control-allow-headers") == PREFLIGHT[
        "Access-Control-Request-Headers"], "as asked"
    assert int(response.header("access-control-max-age")) > 0


@pytest.mark.parametrize("origin", [
    OTHER, "null", PAGE + ".evil.example", PAGE + ":8443", PAGE.upper(), "http://app.example.org",
    PAGE + "/", "", PAGE + ",http://localhost:5173"])
def test_another_page_may_not(open_to_page, origin):
    for method, extra in (("GET", {}), ("OPTIONS", PREFLIGHT)):
        response = ask(open_to_page, method, "/healthz", Origin=origin, **extra)
        assert response.status in (200, 204) and not cors_fields(response)
        assert "origin" in response.header("vary").lower(), "a cache must tell them apart"


def test_both_reasons_to_vary_are_told(open_to_page):
    response = ask(open_to_page, "GET", "/problems", Origin=PAGE)
    told = {name.strip().lower() for value in response.all("vary") for name in value.split(",")}
    assert told == {"accept", "accept-encoding", "origin"}


def test_a_star_allows_every_page(start):
    server = start(settings={"server.cors_origins": "*"})
    response = ask(server, "GET", "/healthz", Origin=OTHER)
    assert response.header("access-control-allow-origin") == "*"
    assert response.header("access-control-allow-credentials") is None


@pytest.mark.parametrize("target, is_openai", [
    ("/v1/chat/completions", True), ("/v1/models", True), ("/v1/api/chat/query", False),
    ("/healthz", False)])
@pytest.mark.parametrize("fault, status", [
    (b"Content-Length: none\r\n", 400), (b"Transfer-Encoding: gzip\r\n", 501),
    (b"Expect: the-unexpected\r\n", 417), (b"X: " + b"y" * 17_000 + b"\r\n", 431)],
    ids=["length", "coding", "expectation", "size"])
def test_a_malformed_request_is_refused_in_the_shape_of_its_route(open_to_page, target, is_openai,
                                                                  fault, status):
    """As far as its head could be read, so that a page can show the error."""
    outcome = wire.exchange(open_to_page.address, (
        f"POST {target} HTTP/1.1\r\nHost: a\r\nOrigin: {PAGE}\r\nX-Request-Id: mine\r\n".encode()
        + fault + b"\r\n"))
    assert outcome.statuses == [status] and outcome.closed
    response = outcome.responses[0]
    assert response.header("access-control-allow-origin") == PAGE
    assert response.header("x-request-id") == "mine"
    assert ("error" in response.json()) == is_openai, response.body


def test_a_method_that_nobody_knows_is_refused_in_the_shape_of_its_route(open_to_page):
    for target, is_openai in (("/v1/models", True), ("/v1/api/me", False), ("/healthz", False)):
        response = ask(open_to_page, "BREW", target, Origin=PAGE)
        assert response.status in (401, 501) and ("error" in response.json()) == is_openai
        assert response.header("access-control-allow-origin") == PAGE
