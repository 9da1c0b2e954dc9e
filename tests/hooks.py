"""Calls to hooks of automations: with a token, or signed as senders of webhooks sign them."""
import datetime
import hashlib
import hmac
import json

import standardwebhooks

import automations
import program
import wire


def created(person, verify="token", dedupe_pointer=None, **fields):
    """An automation with a hook."""
    made = automations.created(person, trigger={"type": "hook", "verify": verify,
                                                "dedupe_pointer": dedupe_pointer}, **fields)
    assert set(made["hook"]) == {"id", "url", "secret_hint", "secret", "old_secret_until"}
    return made


def post(house, path, body, headers):
    """`body` is sent as JSON, bytes unchanged."""
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    with wire.Connection(house.server.address, timeout=program.PATIENCE) as connection:
        return connection.ask("POST", path, {"Content-Type": "application/json", **headers}, payload)


def call(house, automation, body=None, headers=None, secret=None):
    """With the token of the hook."""
    token = secret or automation["hook"]["secret"]
    return post(house, automation["hook"]["url"], {} if body is None else body,
                {"Authorization": f"Bearer {token}", **(headers or {})})


def standard(secret, payload, delivery="msg_1", at=None):
    """The header fields of a call that is signed as Standard Webhooks says, by the library of its authors."""
    time = at or datetime.datetime.now(datetime.timezone.utc)
    return {"webhook-id": delivery, "webhook-timestamp": str(int(time.timestamp())),
            "webhook-signature": standardwebhooks.Webhook(secret).sign(delivery, time, payload.decode())}


def github(secret, payload, delivery=None):
    signature = "sha256=" + hmac.new(secret.encode(), payload, hashlib.sha256).hexdigest()
    fields = {"X-Hub-Signature-256": signature, "X-GitHub-Event": "issues"}
    return fields | ({"X-GitHub-Delivery": delivery} if delivery else {})
