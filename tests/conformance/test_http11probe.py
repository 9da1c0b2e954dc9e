"""The request vectors of MDA2AV/Http11Probe, if the suite is in shared/suites beside the repository. For some
of them the suite requires a refusal. A refused request is answered at most once, and the connection ends."""
import json
import re

import pytest

import program
import wire

# Refused for their method, not for their framing: the next request can be found.
WELL_FRAMED = {"COMP-METHOD-CONNECT"}

# The suite's pages abbreviate long payloads: AAAA...{100,000 × 'A'}...
ABBREVIATED = re.compile(r"(.)\1*\.\.\.\{([\d,]+) [×x] '(.)'\}\.\.\.")
NOT_A_PAYLOAD = re.compile(r"\.\.\.|\[TAB\]|\{\d+ total\}")
ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|([rnt0]))")
CONTROLS = {"r": b"\r", "n": b"\n", "t": b"\t", "0": b"\0"}


def suite():
    for folder in (program.ROOT, *program.ROOT.parents):
        file = folder / "shared/suites/http11probe-vectors.json"
        if file.is_file():
            return json.loads(file.read_text(encoding="utf-8"))
    return []


def payload_of(block):
    """The bytes that a block of the suite's documentation describes."""
    text = block.replace("\n", "")
    text = ABBREVIATED.sub(lambda match: match[3] * int(match[2].replace(",", "")), text)
    payload = b""
    at = 0
    for escape in ESCAPE.finditer(text):
        payload += text[at:escape.start()].encode()
        payload += bytes.fromhex(escape[1]) if escape[1] else CONTROLS[escape[2]]
        at = escape.end()
    return payload + text[at:].encode()


def is_strict(vector):
    """True if the suite requires a refusal, at least by closing."""
    expected = vector["expected"] or ""
    unscored = "unscored" in (vector["req"] or "").lower()
    return expected.startswith("`400`") and "2xx" not in expected and not unscored


def sendable():
    for vector in suite():
        if vector["id"] and len(vector["blocks"]) == 1:
            block = vector["blocks"][0]
            if not NOT_A_PAYLOAD.search(ABBREVIATED.sub("", block)):
                yield vector


VECTORS = list(sendable())
STRICT = [vector for vector in VECTORS if is_strict(vector)]


def targets(payload):
    """The payload unchanged, and with the root replaced by an existing path."""
    yield payload
    elsewhere = re.sub(rb"( |://[a-z.]+(?::8080)?)/(?= HTTP/|\r)", rb"\1/healthz", payload)
    if elsewhere != payload:
        yield elsewhere


def send(server, vector, payload):
    may_wait = "timeout" in (vector["expected"] or "")
    return wire.exchange(server.address, payload, patience=0.5 if may_wait else 10.0)


@pytest.mark.skipif(not VECTORS, reason="shared/suites is not here")
@pytest.mark.parametrize("vector", STRICT, ids=lambda vector: vector["id"])
def test_refuses_what_the_suite_says_must_be_refused(server, vector):
    for payload in targets(payload_of(vector["blocks"][0])):
        outcome = send(server, vector, payload)
        assert len(outcome.responses) <= 1, "something behind it was executed"
        assert all(400 <= status < 600 for status in outcome.statuses)
        may_wait = "timeout" in vector["expected"]
        assert outcome.responses or outcome.closed or may_wait
        assert outcome.closed or may_wait or vector["id"] in WELL_FRAMED
        for response in outcome.responses:
            assert response.header("content-type") == "application/problem+json"


@pytest.mark.skipif(not VECTORS, reason="shared/suites is not here")
def test_answers_every_vector_without_an_error_of_its_own(server):
    """With `pytest -s`, also prints our decisions where the suite allows several."""
    for vector in VECTORS:
        for payload in targets(payload_of(vector["blocks"][0])):
            outcome = send(server, vector, payload)
            assert not {500, 502, 503} & set(outcome.statuses), vector["id"]
            if vector not in STRICT:
                print(f"{vector['id']:44} {payload[:24]!r:34} "
                      f"{' '.join(map(str, outcome.statuses)) or 'no answer':12} "
                      f"{'closed' if outcome.closed else 'open':7} {vector['expected']}")


@pytest.mark.skipif(not VECTORS, reason="shared/suites is not here")
def test_the_suite_is_whole():
    assert len(VECTORS) >= 180 and len(STRICT) >= 90


def test_reads_the_escapes_of_the_suite():
    assert payload_of("A\\r\\n\nB\\x00\\t\\0é") == b"A\r\nB\0\t\0" + "é".encode()
    assert payload_of("/AAAA...{1,000 × 'A'}... X") == b"/" + b"A" * 1000 + b" X"
    assert list(targets(b"GET / HTTP/1.1\r\n"))[1:] == [b"GET /healthz HTTP/1.1\r\n"]
    assert list(targets(b"GET http://localhost:8080/ HTTP/1.1\r\n"))[1:] == [
        b"GET http://localhost:8080/healthz HTTP/1.1\r\n"]


