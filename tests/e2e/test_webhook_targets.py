"""Where webhooks lead by default, over TLS, what the audit log tells of them, and that their secrets are sealed."""
import json
import os
import ssl

import automations
import certificates
import chats
import hooks
import people
import program
import receivers
from names import Names
from people import faults
from receivers import Receiver, created, deliveries, happen, verified


def test_only_public_addresses_over_https_by_default():
    with chats.house() as house:
        ana = automations.automator(house, "ana")

        def told(url):
            return faults(ana.request("POST", "/webhooks", {"url": url, "event_types": ["chat.*"]}))
        assert told("http://93.184.215.14/") == [("#/url", "not_allowed")]
        assert told("http://127.0.0.1:8080/") == [("#/url", "not_allowed")]
        assert told("https://127.0.0.1:8443/") == told("https://[::1]:8443/") == [("#/url", "address_refused")]
        assert ana.pages("/webhooks") == []


class Secure:
    """A receiver with a certificate. `names` are those that clients have asked for (SNI)."""

    def __init__(self, receiver, certificate, key):
        self.names = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.sni_callback = lambda _connection, name, _context: self.names.append(name)
        receiver.server.socket = context.wrap_socket(receiver.server.socket, server_side=True)


def only_attempt(person, made):
    return people.until(lambda: [each for each in deliveries(person, made) if each["attempts"]])[0]["attempts"][0]


def test_the_name_is_in_the_handshake_and_must_be_in_the_certificate(tmp_path):
    names = Names(tmp_path)
    names(secure_example=(0, ["127.0.0.1"]), other_example=(0, ["127.0.0.1"]))
    authority = certificates.Authority(tmp_path)
    files = authority.issue("secure", 2, "DNS:secure.example")
    settings = {**people.ROOMY, **receivers.SETTINGS, "webhooks.ca_file": authority.certificate}
    server = program.Program(settings=settings, environment=names.environment)
    try:
        ana = automations.automator(people.House(server).set_up(), "ana")
        with Receiver() as receiver:
            secure = Secure(receiver, *files)
            right, wrong, bare = (created(ana, f"https://{host}:{receiver.port}/hook") for host in (
                "secure.example", "other.example", "127.0.0.1"))
            session = happen(ana)
            [request] = receiver.wait_for(1)
            assert verified(request, right["secret"])["data"]["id"] == session["id"]
            assert request.headers["Host"] == f"secure.example:{receiver.port}"
            for each in (wrong, bare):
                attempt = only_attempt(ana, each)
                assert (attempt["error"], attempt["status"], attempt["response"]) == ("tls", None, None)
            assert {"secure.example", "other.example"} <= set(secure.names)
            assert len(receiver.received) == 1, "nothing was sent to the wrong ones"
    finally:
        server.stop()


def test_a_certificate_of_an_unknown_authority_is_refused(tmp_path):
    files = certificates.Authority(tmp_path).issue("own", 2)
    with chats.house(receivers.SETTINGS) as house, Receiver() as receiver:
        Secure(receiver, *files)
        ana = automations.automator(house, "ana")
        made = created(ana, f"https://127.0.0.1:{receiver.port}/hook")
        happen(ana)
        assert only_attempt(ana, made)["error"] == "tls" and receiver.received == []


def test_operators_see_who_has_changed_a_webhook():
    with chats.house(receivers.SETTINGS) as house:
        ana = automations.automator(house, "ana")
        made = created(ana, "http://127.0.0.1:5000/")
        path = f"/webhooks/{made['id']}"
        new = ana.request("POST", path + "/rotate", {}).json()["secret"]
        assert ana.request("PATCH", path, {"ordered": True}).status == 200
        assert ana.request("DELETE", path).status == 204
        noted = house.events(target=made["id"])
        assert [each["action"] for each in noted] == [
            "webhook.deleted", "webhook.changed", "webhook.secret_rotated", "webhook.created"]
        assert {each["actor"] for each in noted} == {ana.get("/me")["id"]}
        for secret in (made["secret"], new):
            assert secret not in json.dumps(noted) and secret not in house.server.log.text()


def test_secrets_are_sealed_with_the_key_of_the_server(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path, {"webhooks.allow_http": "true", "store.kind": "sqlite",
                                                 "webhooks.allowed_networks": "127.0.0.0/8"})
    ana = automations.automator(house, "ana")
    with Receiver() as receiver:
        made = created(ana, receiver.url())
        new = ana.request("POST", f"/webhooks/{made['id']}/rotate", {"overlap_s": 600}).json()["secret"]
        house.restart()
        happen(ana)
        [request] = receiver.wait_for(1)
        verified(request, new, made["secret"])
        assert new not in json.dumps(ana.pages("/webhooks")) and new not in house.server.log.text()
        house.server.stop()
    stored = b"".join(each.read_bytes() for each in tmp_path.rglob("*") if each.is_file())
    assert made["id"].encode() in stored
    for secret in (made["secret"], new):
        assert secret.encode() not in stored and secret.removeprefix("whsec_").encode() not in stored


def test_the_key_of_the_server_can_be_in_a_file(start, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(os.urandom(32))
    key.chmod(0o600)
    house = chats.LastingHouse(start, tmp_path / "data", {**receivers.SETTINGS, "secrets.key_file": key})
    ana = automations.automator(house, "ana")
    hook = hooks.created(ana, "github", paused=True)["hook"]  # A run would make a session, too.

    def called():
        return hooks.post(house, hook["url"], b"{}", hooks.github(hook["secret"], b"{}"))
    with Receiver() as receiver:
        made = created(ana, receiver.url())
        house.restart()
        happen(ana)
        verified(receiver.wait_for(1)[0], made["secret"])
        assert called().status == 202
        key.write_bytes(os.urandom(32))
        house.restart()
        happen(ana)
        line = house.server.log.wait_for(message="cannot sign for a webhook", webhook_id=made["id"])
        assert "another key" in line["reason"]
        people.refused(called(), 500, "internal")
        assert house.server.log.wait_for(message="request failed", reason=line["reason"])
        other = created(ana, receiver.url("/other"))
        session = happen(ana)
        [_, request] = receiver.wait_for(2)
        assert request.path == "/other" and verified(request, other["secret"])["data"]["id"] == session["id"]
    house.kill()  # A stop would find the internal error in its log.
