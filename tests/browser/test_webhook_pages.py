"""The pages of webhooks, hooks and events, against the real server, with receivers and callers on this machine."""
import json
import subprocess

import pytest

import hooks
import receivers
from flows import another_client


class Told:
    """A receiver whose answer a flow can choose."""

    def __init__(self, receiver_class=receivers.Receiver):
        self.answer = (204, {}, b"")
        self.receiver = receiver_class(lambda count, request: self.answer)

    def handlers(self):
        def answer(status, text):
            self.answer = (status, {}, text.encode())
            return True

        return {"url": lambda: self.receiver.url("/parley"), "answer": answer,
                "count": lambda: len(self.receiver.received),
                "signed_by": lambda secret: receivers.is_signed_by(self.receiver.received[-1], secret)}


@pytest.fixture(name="told")
def told_receiver():
    told = Told()
    with told.receiver:
        yield told


@pytest.mark.parametrize("name", ["creates_a_webhook", "shows_deliveries", "edits_rotates_and_deletes", "replays",
                                  "another_client"])
def test_webhooks(at_home, home, told, name):
    username = home.new_user()
    at_home("webhooks.mjs", name, username, api=another_client(home.house, username), **told.handlers())


def shell(script):
    """The parsed JSON that a script prints."""
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["a_hook_with_a_token", "signed_hooks", "after_an_event"])
def test_hooks(at_home, home, name):
    username = home.new_user()

    def call(path, token):
        return hooks.post(home.house, path, {}, {"Authorization": f"Bearer {token}"}).status

    at_home("hooks.mjs", name, username, api=another_client(home.house, username), shell=shell, call=call)


def test_the_event_log(at_home, home):
    username = home.new_user()
    at_home("log.mjs", "event_log", username, api=another_client(home.house, username))


def test_a_webhook_by_keyboard(at_home, told):
    at_home("keyboard.mjs", "a_webhook_by_keyboard", **told.handlers())
