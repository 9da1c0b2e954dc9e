"""`parley webhook`, on a data directory and with a token (--url)."""
import json
import re
import subprocess

import pytest

import automations
import chats
import program
import receivers
from receivers import Receiver, happen, verified


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(receivers.SETTINGS) as opened:
        yield opened


@pytest.fixture(name="receiver")
def one_receiver():
    with Receiver() as opened:
        yield opened


@pytest.fixture(name="command", params=["data directory", "url"])
def one_command(request, house, tmp_path):
    return automations.command_of(request, house, tmp_path, "webhook")


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_from_creation_to_removal(command, receiver):
    url = receiver.url()
    made = command("add", url, "--types", "chat.session.created,automation.*", "--types", "token.*",
                   "--description", "Mine").splitlines()
    assert re.fullmatch(re.escape(url) + r"  active  whk_\w+", made[0]) and made[1].startswith("whsec_")
    assert command("list") == made[0] + "\n"
    shown = command("show", url)
    assert "chat.session.created, automation.*, token.*" in shown and "Mine" in shown and made[1] not in shown
    happen(command.person)
    [request] = receiver.wait_for(1)
    verified(request, made[1])
    new = command("rotate", url, "--overlap", "600").splitlines()
    assert new[0] == made[0] and new[1] != made[1]
    happen(command.person)
    verified(receiver.wait_for(2)[1], new[1], made[1])
    assert "disabled (user)" in command("disable", url)
    assert lines(command("enable", url, "--json"))[0]["state"] == "active"
    assert "--yes" in command("remove", url, code=1, stdin=subprocess.DEVNULL)
    assert command("remove", url, "--yes") == f"Removed {url} ({made[0].split()[-1]}).\n"
    assert command("list") == ""


def test_deliveries_are_listed_and_sent_again(command):
    answers = {"status": 500}
    with Receiver(lambda count, request: answers["status"]) as receiver:
        made = lines(command("add", receiver.url(), "--types", "chat.session.created", "--ordered", "--payload",
                             "full", "--json"))[0]
        assert (made["ordered"], made["payload"]) == (True, "full") and made["secret"]
        happen(command.person)
        receiver.wait_for(1)
        line = receivers.people.until(lambda: command("deliveries", made["id"], "--status", "pending"))
        assert re.fullmatch(r"20\S+Z  chat.session.created  pending  (-|500  next 20\S+Z)  dlv_\w+\n", line), line
        delivery = line.split()[-1]
        # Before the receiver is well again: after five seconds, which commands may take, it is sent by itself.
        receivers.people.until(lambda: " 500 " in command("deliveries", made["id"]))
        answers["status"] = 204
        assert delivery in command("redeliver", made["id"], delivery)
        receivers.people.until(lambda: command("deliveries", made["id"], "--status", "succeeded"))
        again = command("replay", made["id"], "--after", "0", "--all")
        assert re.fullmatch(r"Queued [1-9]\d* deliveries, up to event \d+\.\n", again), again
        number = command.person.pages("/events")[-1]["sequence_number"]
        assert lines(command("replay", made["id"], "--after", str(number), "--until", str(number),
                             "--json"))[0]["count"] == 0


def test_a_test_says_what_became_of_it(command, receiver):
    command("add", receiver.url(), "--types", "webhook.*")
    assert re.fullmatch(r"20\S+Z  webhook.test  succeeded  204  dlv_\w+\n", command("test", receiver.url()))
    with Receiver(lambda count, request: 500) as broken:
        command("add", broken.url(), "--types", "webhook.*")
        assert "The endpoint did not accept the event: 500." in command("test", broken.url(), code=1)


@pytest.mark.parametrize(("arguments", "words"), [
    (("show", "whk_none"), "not found"),
    (("show", "https://example.org/none"), "There is no webhook with the URL https://example.org/none."),
    (("test", "http://127.0.0.1:1025/twice"), "Several webhooks have the URL"),
    (("add", "ftp://example.org", "--types", "chat.*"), "url"),
    (("add", "http://127.0.0.1:1025/", "--types", "nothing.*"), "event_types"),
    (("add", "http://10.0.0.1/", "--types", "chat.*"), "url"),
    (("redeliver", "http://127.0.0.1:1025/once", "dlv_none"), "not found"),
])
def test_what_cannot_be_is_said_in_one_sentence(command, arguments, words):
    for path in ("once", "twice", "twice"):
        command("add", f"http://127.0.0.1:1025/{path}", "--types", "chat.*")
    told = command(*arguments, code=1)
    assert words in told and told.count("\n") == 1, told


def test_what_is_not_understood(command):
    for arguments in (("add", "http://127.0.0.1:1025/"), ("show",), ("replay", "x", "--after", "-1"),
                      ("deliveries", "x", "--status", "lost"), ("polish",)):
        command(*arguments, code=2)


def test_test_mode_has_webhooks_of_its_own(house, receiver):
    automations.automator(house, "tess")
    who = ("--user", "tess", "--data", house.server.data)
    added = program.run("webhook", "add", receiver.url(), "--types", "chat.*", "--test", *who)
    assert added.returncode == 0, added
    assert receiver.url() in program.run("webhook", "list", "--test", *who).stdout
    assert program.run("webhook", "list", *who).stdout == ""
