"""`parley doctor` tries each upstream model."""
import http.server
import json
import socket
import threading

import pytest

import program


class Upstream(http.server.BaseHTTPRequestHandler):
    """Its status is the first part of the path; 200 requires the key."""

    def do_GET(self):  # pylint: disable=invalid-name
        self.server.asked.append(self.path)
        status = int(self.path.split("/")[1])
        if status == 200 and self.headers.get("Authorization") != "Bearer sesame":
            status = 418
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


@pytest.fixture(name="upstream")
def one_upstream():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def examined(tmp_path, base_url, code):
    key = tmp_path / "key"
    key.write_text("sesame\n", encoding="utf-8")
    key.chmod(0o600)
    chosen = {"engine": "upstream", "base_url": base_url, "api_key_file": key, "upstream_model": "m"}
    arguments = [part for name, value in chosen.items()
                 for part in ("--set", f"models.far.{name}={value}")]
    done = program.run("doctor", "--json", "--listen", "127.0.0.1:0", "--set", "metrics.listen=off",
                       *arguments)
    assert done.returncode == code and "sesame" not in done.stdout + done.stderr, done
    lines = map(json.loads, done.stdout.splitlines())
    found, = [line for line in lines if line["finding"].startswith("far, upstream ")]
    return found


@pytest.mark.parametrize("status, verdict, code, told", [
    (200, "ok", 0, " answers"), (401, "fail", 1, "rejects the API key"),
    (403, "fail", 1, "rejects the API key"), (503, "warn", 0, "status 503"),
    (404, "ok", 0, " answers")])
def test_an_upstream_is_asked_for_its_models(upstream, tmp_path, status, verdict, code, told):
    base_url = f"http://127.0.0.1:{upstream.server_port}/{status}/v1"
    found = examined(tmp_path, base_url, code)
    assert (found["verdict"], told in found["finding"]) == (verdict, True), found
    assert upstream.asked == [f"/{status}/v1/models"]
    assert verdict == "ok" or found["advice"]


def test_an_upstream_that_is_not_there_fails(tmp_path):
    with socket.socket() as taken:  # Bound, but does not listen.
        taken.bind(("127.0.0.1", 0))
        found = examined(tmp_path, "http://127.0.0.1:%d/v1" % taken.getsockname()[1], 1)
    assert found["verdict"] == "fail" and "cannot be reached" in found["finding"], found
    assert "models.far.base_url" in found["advice"]
