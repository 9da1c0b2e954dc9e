"""TLS: accepted and refused protocols, and certificates that change while the server runs."""
import contextlib
import shutil
import signal
import socket
import ssl

import httpx
import pytest

import certificates
import program
import wire


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return certificates.Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def first(authority):
    return authority.issue("first", serial=1001)


@pytest.fixture(scope="module")
def second(authority):
    return authority.issue("second", serial=1002)


@pytest.fixture(scope="module")
def secure(first):
    server = program.Program("--tls-cert", first[0], "--tls-key", first[1])
    yield server
    server.stop()


@pytest.fixture
def trusting(authority):
    return ssl.create_default_context(cafile=authority.certificate)


def open_secure(server, context):
    return wire.Connection(server.address, tls=context, server_name="localhost")


def serial_of(connection):
    return int(connection.socket.getpeercert()["serialNumber"], 16)


def test_https_works_for_a_client_that_verifies(secure, trusting):
    with httpx.Client(verify=trusting, timeout=program.PATIENCE) as client:
        url = "https://localhost:%d" % secure.address[1]
        for _ in range(3):
            assert client.get(url + "/healthz").json() == {"status": "ok"}
        assert client.post(url + "/nothing", json={"a": 1}).status_code == 404


def test_a_client_that_does_not_know_the_authority_turns_away(secure):
    with pytest.raises(httpx.ConnectError, match="certificate verify failed"):
        httpx.get("https://localhost:%d/healthz" % secure.address[1])


def test_answers_insist_on_tls(secure, trusting):
    with open_secure(secure, trusting) as connection:
        for target, status in (("/v1/api/me", 401), ("/nothing", 404), ("/healthz", 200)):
            response = connection.ask("GET", target)
            assert response.status == status
            assert response.header("strict-transport-security").startswith("max-age=")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_versions_that_are_spoken(secure, trusting, version):
    trusting.minimum_version = trusting.maximum_version = version
    with open_secure(secure, trusting) as connection:
        assert connection.ask("GET", "/healthz").status == 200


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
@pytest.mark.parametrize("version", ["TLSv1", "TLSv1_1"])
def test_versions_that_are_refused(secure, trusting, version):
    trusting.set_ciphers("ALL:@SECLEVEL=0")  # Otherwise our own side would not try.
    trusting.minimum_version = trusting.maximum_version = ssl.TLSVersion[version]
    with pytest.raises(ssl.SSLError, match="PROTOCOL_VERSION"):
        open_secure(secure, trusting)


def test_http_1_1_is_chosen_where_the_client_offers_more(secure, trusting):
    trusting.set_alpn_protocols(["h2", "http/1.1"])
    with open_secure(secure, trusting) as connection:
        assert connection.socket.selected_alpn_protocol() == "http/1.1"
        assert connection.ask("GET", "/healthz").status == 200


def test_a_client_that_speaks_only_http_2_is_told_so_by_the_handshake(secure, trusting):
    trusting.set_alpn_protocols(["h2"])
    with pytest.raises(ssl.SSLError, match="no application protocol"):
        open_secure(secure, trusting)


@pytest.mark.parametrize("payload", [
    wire.request_bytes("GET", "/healthz"), bytes(100), b"\x16\x03\x01\x02\x00" + bytes(512)],
    ids=["plain HTTP", "zeros", "half a hello"])
def test_what_is_not_tls_is_closed(secure, payload):
    with wire.Connection(secure.address) as connection:
        connection.send(payload)
        connection.half_close()
        assert b"HTTP/" not in connection.read_to_end()


def test_a_client_that_leaves_in_the_handshake_harms_nobody(secure, trusting):
    for _ in range(50):
        connection = wire.Connection(secure.address)
        connection.send(b"\x16\x03\x01")
        connection.reset()
    with open_secure(secure, trusting) as connection:
        assert connection.ask("GET", "/healthz").status == 200


def test_pipelining_large_answers_and_half_closing_work_as_without_tls(secure, trusting):
    asked = [f"tls-{number}" for number in range(300)]
    with open_secure(secure, trusting) as connection:
        connection.send(b"".join(wire.request_bytes("GET", "/problems", {"X-Request-Id": name})
                                 for name in asked))
        for name in asked:
            assert connection.read_response().header("x-request-id") == name
        response = connection.ask("POST", "/nothing", body=b"x" * 200_000)
        assert response.status == 404 and response.closes
        assert connection.read_to_end() == b""


def test_ends_with_a_goodbye_so_that_nothing_can_be_cut_off_unnoticed(secure, trusting):
    with open_secure(secure, trusting) as connection:
        assert connection.ask("GET", "/healthz", {"Connection": "close"}).closes
        assert connection.read_to_end() == b""


class Renewed:
    """A server whose certificate files can be replaced."""

    def __init__(self, start, folder, files):
        self.certificate, self.key = folder / "server.pem", folder / "server.key"
        self.replace(files)
        self.server = start("--tls-cert", self.certificate, "--tls-key", self.key)

    def replace(self, files):
        shutil.copy(files[0], self.certificate)
        shutil.copy(files[1], self.key)

    def reload(self, level):
        """The message of the server after its attempt. Identified by its text: the line of an earlier attempt
        may still be on its way."""
        message = {"info": "TLS files reloaded",
                   "error": "TLS files not reloaded; the old ones stay in use"}[level]
        lines = len(self.server.log.lines)
        self.server.signal(signal.SIGHUP)
        return self.server.log.wait_for(after=lines, level=level, message=message)


def test_a_new_certificate_is_taken_without_a_break(start, tmp_path, trusting, first, second):
    renewed = Renewed(start, tmp_path, first)
    with open_secure(renewed.server, trusting) as old:
        assert old.ask("GET", "/healthz").status == 200 and serial_of(old) == 1001
        renewed.replace(second)
        renewed.reload(level="info")
        with open_secure(renewed.server, trusting) as new:
            assert serial_of(new) == 1002
            assert new.ask("GET", "/healthz").status == 200
        assert old.ask("GET", "/healthz").status == 200, "what is open goes on as it began"


@pytest.mark.parametrize("damage", ["garbage", "missing", "other key"])
def test_a_certificate_that_cannot_be_used_changes_nothing(start, tmp_path, trusting, first, second,
                                                            damage):
    renewed = Renewed(start, tmp_path, first)
    if damage == "garbage":
        renewed.certificate.write_bytes(b"-----BEGIN CERTIFICATE-----\nnonsense\n")
    elif damage == "missing":
        renewed.certificate.unlink()
    else:
        shutil.copy(second[1], renewed.key)
    told = renewed.reload(level="error")
    assert str(tmp_path) in told["reason"]
    with open_secure(renewed.server, trusting) as connection:
        assert serial_of(connection) == 1001
        assert connection.ask("GET", "/healthz").status == 200


@pytest.mark.parametrize("damage", ["other key", "no certificate", "no key", "garbage", "folder"])
def test_files_that_cannot_be_used_are_told_at_the_start(tmp_path, first, second, damage):
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("nonsense", encoding="utf-8")
    certificate, key = {
        "other key": (first[0], second[1]), "no certificate": (tmp_path / "none.pem", first[1]),
        "no key": (first[0], tmp_path / "none.key"), "garbage": (nonsense, first[1]),
        "folder": (tmp_path, first[1])}[damage]
    result = program.run("serve", "--listen", "127.0.0.1:0", "--set", "metrics.listen=off",
                         "--tls-cert", certificate, "--tls-key", key)
    assert result.returncode == 1
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("parley: ")
    assert str(certificate) in lines[0] or str(key) in lines[0]


def test_tls_may_listen_where_others_can_reach_it(start, trusting, first):
    server = start("--listen", "0.0.0.0:0", "--tls-cert", first[0], "--tls-key", first[1])
    with wire.Connection(("127.0.0.1", server.address[1]), tls=trusting,
                         server_name="localhost") as connection:
        assert connection.ask("GET", "/healthz").status == 200


def test_shutting_down_ends_secure_connections_too(start, trusting, first):
    server = start("--tls-cert", first[0], "--tls-key", first[1])
    with open_secure(server, trusting) as connection, socket.create_connection(server.address):
        assert connection.ask("GET", "/healthz").status == 200
        server.signal(signal.SIGTERM)
        with contextlib.suppress(ssl.SSLEOFError):  # No data is in transit that could be cut off.
            assert connection.read_to_end() == b""
    assert server.wait() == 0
    server.check_log()
