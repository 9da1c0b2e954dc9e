"""Servers that share a database and do the same at the same time."""
import itertools
import time

import pytest

import chats
import feeds
import people
import postgres
import program
from replicas import Replicas


@pytest.fixture(name="three")
def three_servers(start, tmp_path):
    return Replicas(start, tmp_path, 3)


def test_three_servers_start_at_once_on_an_empty_database(start, tmp_path):
    settings = {**chats.ROOMY, "store.url": postgres.url_for(tmp_path)}
    servers = people.at_once(3, lambda number: start("--data", str(tmp_path / f"data{number}"), settings=settings))
    houses = [people.House(server) for server in servers]
    assert len({house.setup_code() for house in houses}) == 1
    houses[0].set_up()
    for house in houses:
        # A page that one server has sent works with all of them.
        assert [house.login("olga", token=other.client_token)["user"]["username"] for other in houses] == ["olga"] * 3
    token = houses[0].token_for(houses[0].add("ana"))["token"]
    everywhere = [chats.Person(house, token) for house in houses]
    for asked in everywhere:
        run = asked.ask("{words:5}")
        for reader in everywhere:
            assert chats.text_of(reader.run(run)["message"]) == chats.words(5)
    for server in servers:
        server.check_log()


def asked_until_answered(replicas, number, message, headers):
    """As clients do: if a server does not answer, the same request goes to the next one."""
    deadline = time.monotonic() + program.PATIENCE
    for place in itertools.count(number):
        assert time.monotonic() < deadline, "no server answers"
        try:
            answer = replicas.people[place % 3].query(message, headers, background=True)
        except OSError:
            continue
        except AssertionError as failure:
            if "the server closed" not in str(failure):
                raise
            continue
        if answer.status != 503:
            return answer
        time.sleep(0.1)
    return None


def test_one_key_is_one_run_though_a_server_is_killed(three):
    headers = {"Idempotency-Key": "the-same"}

    def ask(number):
        if number == 30:
            three.kill(0)
        return asked_until_answered(three, number, "{words:200} {delay_ms:20}", headers)
    answers = people.at_once(60, ask)
    assert {answer.status for answer in answers} <= {200, 202}, [answer.body for answer in answers]
    assert len({answer.json()["id"] for answer in answers}) == 1
    run, living = answers[0].json(), three.people[1:]
    streams = [person.events(run) for person in living]
    assert feeds.written(streams[0]) == chats.words(200)
    assert len({feeds.digest(events) for events in streams}) == 1
    again = [asked_until_answered(three, number, "{words:200} {delay_ms:20}", headers) for number in (1, 2)]
    assert [answer.json()["id"] for answer in again] == [run["id"]] * 2
    assert again[0].json() == again[1].json()
    people.refused(living[0].query("another body", headers), 422, "idempotency_mismatch")
    assert len(living[1].pages("/chat/runs")) == 1
