"""Static content is sent compressed to clients that accept it, with a tag for conditional requests."""
import gzip

import pytest

import wire

PATHS = ["/openapi.json", "/openapi.yaml", "/docs", "/docs/guides", "/docs/guides/first-call",
         "/problems", "/problems/not_found"]
HTML = {"Accept": "text/html"}


def get(server, path, **headers):
    with wire.Connection(server.address) as connection:
        return connection.ask("GET", path, {name.replace("_", "-"): value
                                            for name, value in headers.items()})


@pytest.mark.parametrize("accept", ["text/html", "application/json, */*;q=0.1"], ids=["html", "json"])
@pytest.mark.parametrize("path", PATHS)
def test_it_is_compressed_for_those_who_ask(server, path, accept):
    plain = get(server, path, Accept=accept)
    assert plain.status == 200 and plain.header("content-encoding") is None
    packed = get(server, path, Accept=accept, Accept_Encoding="deflate, gzip;q=0.8, *;q=0")
    assert packed.status == 200 and packed.header("content-encoding") == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2 or len(plain.body) < 4000
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.header("vary")
        assert answer.header("content-type") == plain.header("content-type")
    assert plain.header("etag") != packed.header("etag")


@pytest.mark.parametrize("path", PATHS)
def test_it_is_not_sent_again(server, path):
    for coding in ("gzip", "identity", "gzip;q=0"):
        first = get(server, path, Accept_Encoding=coding)
        again = get(server, path, Accept_Encoding=coding, If_None_Match=first.header("etag"))
        assert again.status == 304 and again.body == b"", coding
        assert again.header("etag") == first.header("etag")


@pytest.mark.parametrize("codings", ["", "identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0.2, identity"])
def test_it_stays_plain_for_those_who_like_it_better(server, codings):
    answer = get(server, "/openapi.json", Accept_Encoding=codings)
    assert answer.status == 200 and answer.header("content-encoding") is None


def test_the_reference_is_small(server):
    assert len(get(server, "/openapi.json").body) < 600_000
    assert len(get(server, "/openapi.json", Accept_Encoding="gzip").body) < 60_000
