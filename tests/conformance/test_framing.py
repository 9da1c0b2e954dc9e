"""Ambiguous and malformed requests. Each is refused with its own message, answered once, and nothing after it
runs: a second request follows every one of them."""
import random

import pytest

import wire

FOLLOWING = b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: smuggled\r\n\r\n"


def post(*lines, body=b"0\r\n\r\n", version=b"HTTP/1.1"):
    return b"\r\n".join([b"POST /nothing " + version, b"Host: a", *lines, b"", b""]) + body


def get(*lines, target=b"/healthz", version=b"HTTP/1.1", host=(b"Host: a",)):
    return b"\r\n".join([b"GET " + target + b" " + version, *host, *lines, b"", b""])


def coded(value, **options):
    return post(b"Transfer-Encoding: " + value, **options)


def sized(value, body=b"hello"):
    return post(b"Content-Length: " + value, body=body)


TRANSFER_CODINGS = {
    "identity": (501, coded(b"identity")),
    "gzip": (501, coded(b"gzip")),
    "gzip, then chunked": (501, coded(b"gzip, chunked")),
    "chunked, then gzip": (501, coded(b"chunked, gzip")),
    "chunked twice": (501, coded(b"chunked, chunked")),
    "xchunked": (501, coded(b"xchunked")),
    "no value": (400, coded(b"")),
    "a comma before": (400, coded(b", chunked")),
    "a comma after": (400, coded(b"chunked,")),
    "quoted": (400, coded(b'"chunked"')),
    "with a parameter": (400, coded(b"chunked;a=b")),
    "vertical tab": (400, coded(b"\x0bchunked")),
    "NUL behind": (400, coded(b"chunked\0")),
    "non-breaking space": (400, coded(b"\xa0chunked")),
    "field twice": (400, post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked")),
    "field twice, first odd": (501, post(b"Transfer-Encoding: x", b"Transfer-Encoding: chunked")),
    "space before colon": (400, post(b"Transfer-Encoding : chunked")),
    "folded": (400, post(b"Transfer-Encoding:", b" chunked")),
    "underscore": (400, post(b"Transfer_Encoding: chunked")),
    "with a length": (400, post(b"Transfer-Encoding: chunked", b"Content-Length: 5")),
    "behind a length": (400, post(b"Content-Length: 5", b"Transfer-Encoding: chunked")),
    "in HTTP/1.0": (400, coded(b"chunked", version=b"HTTP/1.0")),
}

LENGTHS = {
    "twice, equal": (400, post(b"Content-Length: 5", b"Content-Length: 5", body=b"hello")),
    "twice, different": (400, post(b"Content-Length: 5", b"Content-Length: 6", body=b"hello")),
    "a list": (400, sized(b"5, 5")),
    "a plus": (400, sized(b"+5")),
    "a minus": (400, sized(b"-1")),
    "minus zero": (400, sized(b"-0")),
    "hexadecimal": (400, sized(b"0x5")),
    "leading zero": (400, sized(b"05")),
    "underscore inside": (400, sized(b"1_0")),
    "space inside": (400, sized(b"1 0")),
    "a fraction": (400, sized(b"5.0")),
    "an exponent": (400, sized(b"1e3")),
    "no value": (400, sized(b"")),
    "a word": (400, sized(b"five")),
    "2^64": (400, sized(b"18446744073709551616")),
    "2^64 + 5": (400, sized(b"18446744073709551621")),
    "thirty digits": (400, sized(b"9" * 30)),
    "digits of another script": (400, sized("٥".encode())),
    "field with underscore": (400, post(b"Content_Length: 5", body=b"hello")),
}

FIELDS = {
    "no colon": (400, get(b"NoColon")),
    "no name": (400, get(b": value")),
    "space before colon": (400, get(b"X-A : b")),
    "tab before colon": (400, get(b"X-A\t: b")),
    "bracket in a name": (400, get(b"X[A: b")),
    "letter of UTF-8 in a name": (400, get("X-É: b".encode())),
    "NUL in a value": (400, get(b"X-A: b\0c")),
    "bell in a value": (400, get(b"X-A: b\x07c")),
    "escape in a value": (400, get(b"X-A: b\x1b[31mc")),
    "DEL in a value": (400, get(b"X-A: b\x7fc")),
    "carriage return in a value": (400, get(b"X-A: b\rc")),
    "folded with a space": (400, get(b"X-A: b", b" c")),
    "folded with a tab": (400, get(b"X-A: b", b"\tc")),
    "space before the first": (400, get(host=(b" Host: a",))),
    "bare line feed": (400, b"GET /healthz HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n"),
    "line feeds alone": (400, b"GET /healthz HTTP/1.1\nHost: a\n\n"),
    "carriage returns alone": (400, b"GET /healthz HTTP/1.1\rHost: a\r\r\n\r\n"),
    "content type twice": (400, get(b"Content-Type: text/a", b"Content-Type: text/b")),
    "an unknown expectation": (417, get(b"Expect: 200-ok")),
}

HOSTS = {
    "none": (400, get(host=())),
    "two": (400, get(host=(b"Host: a", b"Host: b"))),
    "two, equal": (400, get(host=(b"Host: a", b"Host: a"))),
    "empty": (400, get(host=(b"Host:",))),
    "a list": (400, get(host=(b"Host: a, b",))),
    "with a user": (400, get(host=(b"Host: me@a",))),
    "with a path": (400, get(host=(b"Host: a/b",))),
    "with a scheme": (400, get(host=(b"Host: http://a",))),
    "port out of range": (400, get(host=(b"Host: a:65536",))),
    "port no number": (400, get(host=(b"Host: a:http",))),
    "unclosed bracket": (400, get(host=(b"Host: [::1",))),
    "none, in HTTP/1.0": (400, get(host=(), version=b"HTTP/1.0")),
}

REQUEST_LINES = {
    "no version": (400, b"GET /healthz\r\nHost: a\r\n\r\n"),
    "version 0.9": (400, get(version=b"HTTP/0.9")),
    "version 1.2": (400, get(version=b"HTTP/1.2")),
    "version 2.0": (400, get(version=b"HTTP/2.0")),
    "version in small letters": (400, get(version=b"http/1.1")),
    "version with zeros": (400, get(version=b"HTTP/01.1")),
    "two spaces": (400, get(target=b" /healthz")),
    "a space behind": (400, get(version=b"HTTP/1.1 ")),
    "a tab": (400, b"GET\t/healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    "a space before": (400, b" GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    "a space in the target": (400, get(target=b"/a b")),
    "NUL in the target": (400, get(target=b"/a\0b")),
    "letter of UTF-8 in the target": (400, get(target="/é".encode())),
    "quote in the target": (400, get(target=b'/a"b')),
    "backslash in the target": (400, get(target=b"/a\\b")),
    "fragment": (400, get(target=b"/healthz#a")),
    "no slash": (400, get(target=b"healthz")),
    "a star": (400, get(target=b"*")),
    "absolute, with a user": (400, get(target=b"http://me@a/healthz")),
    "absolute, without host": (400, get(target=b"http:///healthz")),
    "another scheme": (400, get(target=b"ftp://a/healthz")),
    "method with a bracket": (400, b"G[T /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    "method of 33 letters": (400, b"A" * 33 + b" /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    "CONNECT to a path": (400, b"CONNECT /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    "empty lines before": (400, b"\r\n\r\n" + get()),
}

OTHER_PROTOCOLS = {
    "HTTP/2 preface": (400, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "TLS hello": (400, bytes.fromhex("16030100c4010000c00303") + bytes(range(190))),
    "SSH": (400, b"SSH-2.0-OpenSSH_9.2p1\r\n"),
    "Redis": (400, b"*1\r\n$4\r\nPING\r\n"),
    "zeros": (400, bytes(1000)),
}

REFUSED = {f"{group}: {name}": vector for group, vectors in {
    "transfer coding": TRANSFER_CODINGS, "length": LENGTHS, "field": FIELDS, "host": HOSTS,
    "request line": REQUEST_LINES, "other protocol": OTHER_PROTOCOLS}.items()
    for name, vector in vectors.items()}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_once_and_closes(server, name):
    status, payload = REFUSED[name]
    outcome = wire.exchange(server.address, payload + FOLLOWING)
    assert outcome.statuses == [status]
    assert outcome.closed and outcome.responses[0].closes
    problem = outcome.responses[0].json()
    assert problem["status"] == status and problem["detail"].endswith(".")


def test_nothing_behind_a_refused_request_has_run(server):
    """Reads the log of all requests before this one, so it must be the last of its kind. A refused head may go on with
    lines of the next request, and has its id then."""
    with wire.Connection(server.address) as connection:
        connection.ask("GET", "/healthz", {"X-Request-Id": "framing-fence"})
    server.log.wait_for(request_id="framing-fence")
    assert server.log.entries(message="request served", request_id="framing-fence")
    assert not server.log.entries(message="request served", request_id="smuggled")


CHUNKS = {
    "size with a prefix": b"0x5\r\nhello\r\n0\r\n\r\n",
    "size with a sign": b"+5\r\nhello\r\n0\r\n\r\n",
    "negative size": b"-1\r\nhello\r\n0\r\n\r\n",
    "size with a space": b"5 \r\nhello\r\n0\r\n\r\n",
    "size of 17 digits": b"1" + b"0" * 16 + b"\r\nhello\r\n0\r\n\r\n",
    "size ends in a bare line feed": b"5\nhello\r\n0\r\n\r\n",
    "longer than its size": b"5\r\nhello!\r\n0\r\n\r\n",
    "no line break behind": b"5\r\nhello0\r\n\r\n",
    "bare semicolon": b"5;\r\nhello\r\n0\r\n\r\n",
    "NUL in an extension": b"5;a\0\r\nhello\r\n0\r\n\r\n",
    "well-formed": b"5\r\nhello\r\n0\r\n\r\n",
    "with a trailer": b"5\r\nhello\r\n0\r\nHost: evil\r\n\r\n",
    "a request inside": b"%x\r\n" % len(FOLLOWING) + FOLLOWING + b"\r\n0\r\n\r\n",
    "never ends": b"5\r\nhel",
}


@pytest.mark.parametrize("name", CHUNKS)
@pytest.mark.parametrize("target, status", [(b"/nothing", 404), (b"/healthz", 405)])
def test_a_chunked_body_that_nobody_wants_ends_the_connection(server, name, target, status):
    payload = coded(b"chunked", body=CHUNKS[name]).replace(b"/nothing", target, 1)
    outcome = wire.exchange(server.address, payload + FOLLOWING)
    assert outcome.statuses == [status] and outcome.closed


def test_random_bytes_are_refused_or_awaited_but_never_obeyed(server):
    chance = random.Random(9112)
    for _ in range(300):
        size = chance.choice([1, 7, 60, 400, 3000, 40000])
        payload = chance.randbytes(size) + b"\r\n\r\n"
        outcome = wire.exchange(server.address, payload, patience=0.02 if size < 60 else 10.0)
        assert set(outcome.statuses) <= {400, 414, 431} and len(outcome.responses) <= 1


def test_requests_with_flipped_bytes_never_break_the_server(server):
    chance = random.Random(9110)
    for _ in range(300):
        payload = bytearray(post(b"Content-Length: 5", b"X-Request-Id: a", body=b"hello"))
        for _ in range(chance.randint(1, 4)):
            payload[chance.randrange(len(payload))] = chance.randrange(256)
        outcome = wire.exchange(server.address, bytes(payload), patience=0.05)
        assert not set(outcome.statuses) & {500, 503}


ACCEPTED = {
    "host with port": (200, get(host=(b"Host: a:80",))),
    "IPv6 host": (200, get(host=(b"Host: [::1]:8080",))),
    "host in small letters": (200, get(host=(b"hOsT: a",))),
    "no space behind the colon": (200, get(host=(b"Host:a",))),
    "spaces and tabs around a value": (200, get(b"X-A: \t b \t ")),
    "empty value": (200, get(b"X-A:")),
    "letter of UTF-8 in a value": (200, get("X-A: é".encode())),
    "absolute target": (200, get(target=b"http://a/healthz")),
    "absolute target, https": (200, get(target=b"HTTPS://a:443/healthz")),
    "absolute target without path": (200, get(target=b"http://a")),
    "an empty line before": (200, b"\r\n" + get()),
    "escaped path": (200, get(target=b"/%68ealth%7A")),
    "OPTIONS *": (204, b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
    "method of 32 letters": (501, b"A" * 32 + b" /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    "CONNECT": (405, b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"),
    "TRACE": (405, b"TRACE /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    "HTTP/1.0": (200, get(version=b"HTTP/1.0")),
    "upgrade": (200, get(b"Connection: Upgrade", b"Upgrade: websocket")),
    "length zero": (404, sized(b"0", body=b"")),
    "padded length": (404, sized(b" \t5 ")),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_takes_what_the_rules_allow(server, name):
    status, payload = ACCEPTED[name]
    outcome = wire.exchange(server.address, payload)
    assert outcome.statuses == [status]
    assert outcome.closed == (b"HTTP/1.0" in payload)
