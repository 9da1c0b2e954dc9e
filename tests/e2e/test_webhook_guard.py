"""Webhooks reach only addresses that they may, and endpoints that do not answer delay nothing else. The names of
these tests are in a file (tests/names.c)."""
import re
import time

import pytest

import automations
import chats
import people
import program
import receivers
import straced
from names import Names
from people import faults
from receivers import Receiver, created, deliveries, happen
from stopwatch import Stopwatch

AT_ONCE = 6 if program.IS_SANITIZED else 2  # Seconds. Who waits for the dead ones waits for 15.
PUBLIC = "93.184.215.14"
# Every form of an address that is not public, as a name may have it.
REFUSED = ["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
           "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.0.1", "198.18.0.1",
           "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
           "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
           "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::", "fc00::1", "fd00::1",
           "fe80::1", "ff02::1"]


@pytest.fixture(name="names", scope="module")
def name_server(tmp_path_factory):
    return Names(tmp_path_factory.mktemp("names"))


def opened(names, networks="127.0.0.1/32"):
    settings = {**receivers.SETTINGS, "webhooks.allowed_networks": networks, "limits.general": 20_000}
    server = program.Program(settings={**people.ROOMY, **settings}, environment=names.environment)
    return people.House(server).set_up()


@pytest.fixture(name="house", scope="module")
def one_house(names):
    house = opened(names)
    yield house
    house.server.stop()


def refusal(person, url):
    return faults(person.request("POST", "/webhooks", {"url": url, "event_types": ["chat.*"]}))


def test_addresses_are_checked_when_a_webhook_is_saved(names, house):
    ana = automations.automator(house, "ana")
    refused = [each for each in REFUSED if each != "127.0.0.1"]
    for address in refused:
        literal = f"[{address}]" if ":" in address else address
        assert refusal(ana, f"https://{literal}/") == [("#/url", "address_refused")], address
        names(bad_example=(0, [PUBLIC, address]))
        assert refusal(ana, "https://bad.example/") == [("#/url", "address_refused")], address
    made = created(ana, "http://127.0.0.1:5000/")
    names(bad_example=(0, ["10.0.0.1"]))
    assert faults(ana.request("PATCH", f"/webhooks/{made['id']}", {"url": "https://bad.example/"})) == [
        ("#/url", "address_refused")]
    for hidden in ("http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/",
                   "http://127.0.0.1./", "http://localhost./", "http://user@127.0.0.1/", "http://[::1%25lo]/"):
        assert refusal(ana, hidden) == [("#/url", "invalid")], hidden
    names(localhost=(0, ["127.0.0.2"]))
    assert refusal(ana, "http://localhost:5000/") == [("#/url", "address_refused")]
    # A name without an address is saved: it may get one.
    later = created(ana, "https://unknown.example/")
    happen(ana)
    [delivery] = people.until(lambda: [each for each in deliveries(ana, later) if each["attempts"]])
    assert delivery["attempts"][0]["error"] == "name_not_found"


def test_no_connection_is_made_to_a_name_that_changes(names, house):
    eve = automations.automator(house, "eve")
    with Receiver() as receiver:
        names(rebinding_example=(0, ["127.0.0.1"]))
        made = created(eve, receiver.url(host="rebinding.example"))
        happen(eve)
        receiver.wait_for(1)
        for address in [each for each in REFUSED if each != "127.0.0.1"]:
            # The first address could be connected to: one that is refused is enough.
            names(rebinding_example=(0, ["127.0.0.1", address]))
            count = len(deliveries(eve, made))
            happen(eve)

            def tried(count=count):
                listed = deliveries(eve, made)
                return len(listed) > count and listed[0]["attempts"] and listed[0]
            attempt = people.until(tried)["attempts"][0]
            assert (attempt["error"], attempt["status"], attempt["response"]) == ("address_refused", None, None)
        assert len(receiver.received) == 1


def addresses_in(report):
    """All that the server has connected or sent something to, by strace."""
    text = report.read_text(encoding="utf-8")
    return set(re.findall(r'sin_addr=inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"', text))


@straced.needed
def test_nothing_is_sent_to_an_address_that_is_refused(names, tmp_path):
    """Not even the first packet of a connection: by the system calls of the server."""
    house = opened(names)
    report = tmp_path / "calls"
    try:
        uma = automations.automator(house, "uma")
        with Receiver() as receiver, straced.Attached(
                house.server.pid, "-o", report, "-e", "trace=connect,sendto,sendmsg,sendmmsg", all_threads=True):
            names(moving_example=(0, ["127.0.0.1"]))
            made = created(uma, receiver.url(host="moving.example"))
            happen(uma)
            receiver.wait_for(1)
            refused = [each for each in REFUSED if each != "127.0.0.1"]
            for count, address in enumerate(refused, start=1):
                assert refusal(uma, f"http://[{address}]:{receiver.port}/" if ":" in address else
                               f"http://{address}:{receiver.port}/") == [("#/url", "address_refused")]
                names(moving_example=(0, [address]), new_example=(0, [address]))
                assert refusal(uma, receiver.url(host="new.example")) == [("#/url", "address_refused")]
                happen(uma)
                people.until(lambda count=count: len(
                    [each for each in deliveries(uma, made, status="pending") if each["attempts"]]) >= count)
        failed = [attempt["error"] for each in deliveries(uma, made, status="pending") for attempt in each["attempts"]]
        assert len(failed) >= len(refused) and set(failed) == {"address_refused"}
        assert addresses_in(report) == {("127.0.0.1", "")}
    finally:
        house.server.stop()


def test_a_name_is_looked_up_once_for_an_attempt(names, house):
    liz = automations.automator(house, "liz")
    with Receiver() as receiver:
        names(once_example=(0, ["127.0.0.1"]))
        created(liz, receiver.url(host="once.example"))
        before = names.log.read_text(encoding="utf-8").split().count("once.example")
        happen(liz)
        receiver.wait_for(1)
        assert names.log.read_text(encoding="utf-8").split().count("once.example") == before + 1


def test_a_hundred_dead_endpoints_delay_no_other(names):
    """They hang in every way that there is: no answer, no connection, no name server."""
    house = opened(names, "127.0.0.0/8")
    try:
        dead = [automations.automator(house, f"dead{number}") for number in range(10)]
        with receivers.Silence() as silence, Receiver() as receiver:
            for number, person in enumerate(dead):
                for kind in range(10):
                    name = f"hanging{number}-{kind}.example"
                    names.all[name] = (0, ["127.0.0.1"])
                    names()
                    created(person, f"http://{name}:{silence.port}/")
                    if kind % 2:
                        names.all[name] = (60_000, ["127.0.0.1"])
            names()
            ana = automations.automator(house, "ana")
            created(ana, receiver.url())
            for person in dead:
                for _ in range(3):
                    happen(person)
            watch, begun = Stopwatch(), time.time()
            happen(ana)
            [request] = receiver.wait_for(1)
            assert request.at - begun - watch.withheld() < AT_ONCE
            watch = Stopwatch()
            assert chats.Person(house, ana.token).ask("hello")["status"] == "completed"
            assert watch.seconds() < AT_ONCE
            for _ in range(5):
                happen(ana)
            receiver.wait_for(6, timeout=10)
            late = automations.automator(house, "late")
            names.all["late.example"] = (0, ["127.0.0.1"])
            names()
            created(late, receiver.url(host="late.example"))
            watch, begun = Stopwatch(), time.time()
            happen(late)
            assert receiver.wait_for(7)[6].at - begun - watch.withheld() < AT_ONCE
    finally:
        house.server.stop()
