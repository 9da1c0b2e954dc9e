"""Other HTTP clients work with the server."""
import json
import re
import shutil
import subprocess

import httpx
import pytest
import urllib3

import program

# Programs that may be missing: a list of one path, or an empty one.
INSTALLED = {name: [path] if (path := shutil.which(name)) else [] for name in ("node", "wrk")}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=program.PATIENCE,
                            check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


class TestHttpx:
    def test_keeps_its_connection(self, server):
        with httpx.Client(base_url=server.url(), timeout=program.PATIENCE) as client:
            accepted = set()
            for _ in range(20):
                response = client.get("/healthz")
                assert response.json() == {"status": "ok"}
                accepted.add(response.extensions["network_stream"].get_extra_info("client_addr"))
            assert len(accepted) == 1

    @pytest.mark.parametrize("size", [10, 50_000, 5_000_000])
    def test_hears_of_a_refused_body(self, server, size):
        with httpx.Client(base_url=server.url(), timeout=program.PATIENCE) as client:
            for _ in range(3):
                response = client.post("/nothing", content=b"x" * size)
                assert response.status_code == 404 and response.json()["code"] == "not_found"

    def test_may_stream_its_body(self, server):
        def pieces():
            for _ in range(100):
                yield b"x" * 1000
        response = httpx.post(server.url("/nothing"), content=pieces(), timeout=program.PATIENCE)
        assert response.status_code == 404

    def test_head_and_options(self, server):
        with httpx.Client(base_url=server.url(), timeout=program.PATIENCE) as client:
            head = client.head("/problems")
            assert head.status_code == 200 and head.content == b""
            assert int(head.headers["content-length"]) > 1000
            assert client.options("/healthz").headers["allow"] == "GET, HEAD, OPTIONS"
            assert client.get("/healthz").status_code == 200


class TestUrllib3:
    def test_uses_its_pool(self, server):
        with urllib3.PoolManager(maxsize=1, block=True, retries=False) as pool:
            for number in range(20):
                assert pool.request("GET", server.url("/healthz")).json() == {"status": "ok"}
                answer = pool.request("PUT", server.url("/healthz"), body=b"x" * 1000 * number)
                assert answer.status == 405
            assert pool.connection_from_url(server.url()).num_connections == 1

    def test_hears_of_a_large_refused_body(self, server):
        with urllib3.PoolManager(retries=False) as pool:
            answer = pool.request("POST", server.url("/nothing"), body=b"x" * 5_000_000)
            assert answer.status == 404


def test_curl(server):
    status = "%{http_code} %{num_connects}"
    for arguments, expected in (
            ([server.url("/healthz")], "200 1"),
            (["--head", server.url("/problems")], "200 1"),
            (["--http1.0", server.url("/healthz")], "200 1"),
            (["--data", "a=b", server.url("/nothing")], "404 1"),
            (["-X", "OPTIONS", "--request-target", "*", server.url("/")], "204 1"),
            (["--http2", server.url("/healthz")], "200 1"),
            (["-T", "/dev/null", server.url("/healthz")], "405 1")):
        assert run("curl", "-sS", "-o", "/dev/null", "-w", status, *arguments) == expected


def test_curl_waits_for_100_and_takes_the_refusal(server, tmp_path):
    """With a body of more than 1 MiB it waits for 100 Continue; after a refusal it never sends the body."""
    large = tmp_path / "large"
    large.write_bytes(b"x" * 2_000_000)
    said = run("curl", "-sS", "--expect100-timeout", "20", "-H", "Content-Type: application/json",
               "--data-binary", f"@{large}", "-w", "%{http_code} %{size_upload}", "-o", "/dev/null",
               server.url("/nothing"))
    assert said == "404 0"


def test_curl_reuses_its_connection(server):
    url = server.url("/healthz")
    said = run("curl", "-sS", "-w", "%{num_connects}\n", "-o", "/dev/null", url, "-o", "/dev/null",
               url, "-o", "/dev/null", url)
    assert said.split() == ["1", "0", "0"]


NODE_SCRIPT = """
const [base] = process.argv.slice(1);
const answers = [];
for (let i = 0; i < 20; ++i) {
  const response = await fetch(base + "/healthz");
  answers.push([response.status, await response.json()]);
}
const all = await Promise.all(Array.from({length: 50}, () => fetch(base + "/problems")));
const lists = await Promise.all(all.map(response => response.json()));
const refused = await fetch(base + "/nothing", {method: "POST", body: "x".repeat(3000000)});
console.log(JSON.stringify({answers, lists: new Set(lists.map(l => l.data.length)).size,
                            refused: [refused.status, (await refused.json()).code]}));
"""


@pytest.mark.parametrize("node", INSTALLED["node"])
def test_node_fetch(server, node):
    said = json.loads(run(node, "--input-type=module", "-e", NODE_SCRIPT, server.url()))
    assert said == {"answers": [[200, {"status": "ok"}]] * 20, "lists": 1,
                    "refused": [404, "not_found"]}


@pytest.mark.parametrize("wrk", INSTALLED["wrk"])
@pytest.mark.parametrize("target", ["/healthz", "/problems"])
def test_wrk(start, wrk, target):
    server = start()
    said = run(wrk, "-t1", "-c32", "-d1s", server.url(target))
    assert "Non-2xx" not in said and "Socket errors" not in said
    assert int(re.search(r"(\d+) requests in", said)[1]) > 100
