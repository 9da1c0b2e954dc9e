"""Several servers on one PostgreSQL database: each serves all runs, and takes over those of a dead one."""
import signal
import time

import pytest

import chats
import feeds
import people
import responses
import wire
from replicas import SLOW, TAKE_OVER, Replicas, accepted_for, events_of_take_over
from stopwatch import Stopwatch


@pytest.fixture(name="three")
def three_servers(start, tmp_path):
    return Replicas(start, tmp_path, 3)


@pytest.fixture(name="two")
def two_servers(start, tmp_path):
    return Replicas(start, tmp_path, 2)


def test_a_stream_has_the_same_bytes_on_all_servers(three):
    owner, *others = three.people
    run = owner.begin("{words:60} {delay_ms:60}")
    with owner.follow(run) as feed:
        feed.until(lambda event: event.number == 7)

    def read(number):
        return feeds.frames(three.people[number % 3].events(run, after=3 * (number // 3)))
    during = people.at_once(9, read)
    whole = owner.events(run)
    assert feeds.written(whole) == chats.words(60)
    for number, frames in enumerate(during):
        assert frames == feeds.frames(whole[3 * (number // 3):]), number
    for other in others:
        assert feeds.frames(other.events(run)) == feeds.frames(whole)
        assert other.run(run) == owner.run(run)


def test_a_reader_that_is_up_to_date_resumes_on_another_server(three):
    """It may have the last event before the next server has read it."""
    owner, *others = three.people
    run = owner.begin("{words:200} {delay_ms:60}")  # Long enough for a busy machine.
    seen = []
    for person in (owner, *others, *others, owner, *others):
        last = seen[-1].number if seen else 0
        with person.follow(run, headers={"Last-Event-ID": str(last)} if seen else None) as feed:
            seen += feed.until(lambda event, enough=last + 5: event.number >= enough)
    seen += others[0].events(run, after=seen[-1].number)
    assert feeds.written(feeds.check_events(seen)) == chats.words(200)
    assert feeds.frames(seen) == feeds.frames(owner.events(run))
    for person in three.people:
        end = person.request("GET", f"/chat/runs/{run['id']}/events", headers={"Last-Event-ID": str(seen[-1].number)})
        assert end.status == 204, end.body


def test_waiting_reading_and_lists_on_another_server(two):
    here, there = two.people
    run = here.begin("{words:40} {delay_ms:100}")  # Long enough for a busy machine to see it run.
    shown = people.until(lambda: (now := there.run(run))["message"] and now)
    assert shown["status"] == "running"
    assert chats.words(40).startswith(chats.text_of(shown["message"]))
    answer = there.get("/chat/messages/" + shown["message"]["id"])
    assert chats.words(40).startswith(chats.text_of(answer))
    assert there.ended(run)["status"] == "completed"
    assert chats.text_of(there.run(run)["message"]) == chats.words(40)


def test_a_run_of_a_killed_server_goes_on_with_the_same_bytes(three):
    owner, reader, other = three.people
    with owner.stream("{words:300} {delay_ms:30}") as feed:
        own = feed.until(lambda event: event.number == 15)
        with reader.follow(feed.run_id) as followed:
            seen = followed.until(lambda event: event.number == 20)
            three.servers[0].signal(signal.SIGKILL)
            watch = Stopwatch()
            more, _ = feed.until_cut()
            own += more
            last = max(own[-1].number, seen[-1].number)
            seen += followed.until(lambda event: event.number > last + 10)
            assert watch.seconds() < TAKE_OVER
            seen += followed.rest()
    three.servers[0].wait()
    feeds.check_events(seen)
    assert feeds.written(seen) == chats.words(300)
    assert feeds.frames(seen).startswith(feeds.frames(own))
    resumed = other.events(feed.run_id, after=own[-1].number)
    assert feeds.frames(resumed) == feeds.frames(seen[own[-1].number:])
    assert other.run(feed.run_id)["status"] == "completed"


def test_a_stopped_server_loses_its_run_and_serves_again(two):
    owner, other = two.people
    with owner.stream("{words:400} {delay_ms:30}") as feed:
        own = feed.until(lambda event: event.number == 10)
        with other.follow(feed.run_id) as followed:
            seen = followed.until(lambda event: event.number == 12)
            two.servers[0].signal(signal.SIGSTOP)
            watch = Stopwatch()
            try:
                # Not a number of events: more of them may have been stored before the stop than were read.
                seen += events_of_take_over(followed, two.servers[1], feed.run_id)
                assert watch.seconds() < TAKE_OVER
            finally:
                two.servers[0].signal(signal.SIGCONT)
            seen += followed.rest()
        own += feed.rest()  # Silence, then the events of the new owner.
    feeds.check_events(seen)
    assert feeds.frames(own) == feeds.frames(seen)
    assert feeds.written(seen) == chats.words(400)
    assert two.servers[0].log.wait_for(message="this server was fenced by another; its runs continue there")
    assert owner.ask("still there?")["status"] == "completed"


def test_a_short_stop_changes_nothing(two):
    owner, other = two.people
    run = owner.begin("{words:60} {delay_ms:30}")
    two.servers[0].signal(signal.SIGSTOP)
    time.sleep(1.5)
    two.servers[0].signal(signal.SIGCONT)
    assert feeds.written(other.events(run)) == chats.words(60)
    assert not two.servers[1].log.entries(message="run taken over")


def test_one_key_is_one_run_on_all_servers(three):
    def ask(number):
        return three.people[number % 3].query("{words:20} {delay_ms:20}",
                                              headers={"Idempotency-Key": "the-same"}, background=True)
    answers = people.at_once(30, ask)
    assert {answer.status for answer in answers} <= {200, 202}, [answer.body for answer in answers]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(three.people[0].pages("/chat/runs")) == 1
    other = three.people[1].query("another body", headers={"Idempotency-Key": "the-same"})
    people.refused(other, 422, "idempotency_mismatch")


def test_a_session_is_busy_on_all_servers(three):
    session = three.people[0].ask("hello")["session_id"]
    answers = people.at_once(60, lambda number: three.people[number % 3].query(
        "{words:400} {delay_ms:50}", session_id=session, background=True))
    begun = [answer.json()["id"] for answer in answers if answer.status == 202]
    assert len(begun) == 1
    for answer in answers:
        if answer.status != 202:
            people.refused(answer, 409, "session_busy", "active_run_ids")
            assert answer.json()["active_run_ids"] == begun
    three.people[1].cancel(begun[0])


def test_another_server_cancels_and_deletes(three):
    owner, here, there = three.people
    run = owner.begin("{words:2000} {delay_ms:20}")
    people.until(lambda: here.run(run)["message"])
    watch = Stopwatch()
    here.cancel(run)
    assert there.ended(run)["status"] == "cancelled"
    assert watch.seconds() < 1 * SLOW
    assert feeds.frames(owner.events(run)) == feeds.frames(there.events(run))

    run = owner.begin("{words:2000} {delay_ms:20}")
    people.until(lambda: here.run(run)["message"])
    assert here.request("DELETE", "/chat/sessions/" + run["session_id"]).status == 204
    watch = Stopwatch()
    for person in three.people:
        people.until(lambda one=person: one.request("GET", "/chat/runs/" + run["id"]).status == 404)
        assert person.request("GET", "/chat/sessions/" + run["session_id"]).status == 404
    assert three.servers[0].log.wait_for(message="run ended", run_id=run["id"], timeout=5 * SLOW)
    assert watch.seconds() < 1 * SLOW


def test_responses_of_another_server(two):
    here, there = two.people
    made = responses.create(here, "{words:60} {delay_ms:40}", background=True)
    resumed = people.at_once(8, lambda number: responses.resume(two.people[number % 2], made))
    whole = responses.check_events(resumed[0])
    assert responses.written(whole) == chats.words(60)
    assert {responses.frames(events) for events in resumed} == {responses.frames(whole)}

    second = responses.create(here, "{words:2000} {delay_ms:20}", background=True,
                              previous_response_id=made["id"])
    people.until(lambda: there.run({"id": responses.run_of(second)})["message"])
    assert responses.delete(there, second).status == 200
    assert two.servers[0].log.wait_for(message="run ended", run_id=responses.run_of(second),
                                       timeout=5 * SLOW)
    for person in two.people:
        assert person.request("GET", "/chat/runs/" + responses.run_of(second)).status == 404
        assert responses.get(person, made)["status"] == "completed"
    third = responses.create(there, "{words:2000} {delay_ms:20}", background=True,
                             previous_response_id=made["id"])
    people.until(lambda: responses.cancel(here, third)["status"] == "cancelled")


def test_a_revoked_token_is_refused_everywhere_within_a_second(three):
    house = three.houses[0]
    ben = house.add("ben")
    for _ in range(5):
        token = house.token_for(ben)
        for other in three.houses:
            assert other.works(token["token"])
        assert house.ask("DELETE", f"/users/{ben['id']}/tokens/{token['id']}", house.admin).status == 204
        revoked = time.monotonic()
        accepted = people.at_once(2, lambda number: accepted_for(three.houses[number + 1], token["token"], revoked))
        assert max(accepted) < 1 * SLOW
        assert not any(other.works(token["token"]) for other in three.houses)


def test_streams_of_a_revoked_token_are_cut_everywhere(two):
    house = two.houses[0]
    ben = house.add("ben")
    token = house.token_for(ben)
    run = chats.Person(house, token["token"]).begin("{words:2000} {delay_ms:20}")
    with chats.Person(two.houses[1], token["token"]).follow(run) as feed:
        feed.until(lambda event: event.number == 5)
        assert house.ask("DELETE", f"/users/{ben['id']}/tokens/{token['id']}", house.admin).status == 204
        watch = Stopwatch()
        _, was_cut = feed.until_cut()
        assert was_cut and watch.seconds() < 1.5 * SLOW


def answer_to_balancer(server):
    with wire.Connection(server.address) as connection:
        response = connection.ask("GET", "/lbz")
    return response.status, response.body


def test_a_server_that_ends_serves_on_until_the_balancer_knows(start, tmp_path):
    two = Replicas(start, tmp_path, 2, {"cluster.drain_s": 6})  # Twice the default: a busy machine must see it.
    ending = two.servers[0]
    assert answer_to_balancer(ending) == (200, b"")
    ending.signal(signal.SIGTERM)
    people.until(lambda: answer_to_balancer(ending) == (404, b""))
    assert two.people[0].ask("one more")["status"] == "completed"
    assert ending.wait() == 0


def test_waiting_runs_of_a_server_that_ends_begin_on_another(start, tmp_path):
    two = Replicas(start, tmp_path, 2, {"runs.max_concurrent": 1, "cluster.drain_s": 2})
    ending, other = two.people
    running = ending.begin("{words:200} {delay_ms:50}")
    waiting = ending.begin("{words:10} {delay_ms:10}")
    assert waiting["status"] == "queued"
    with ending.follow(waiting) as feed:
        two.servers[0].signal(signal.SIGTERM)
        watch = Stopwatch()
        events = feed.rest()
        assert watch.seconds() < 7 * SLOW
    assert feeds.written(feeds.check_events(events)) == chats.words(10)
    assert feeds.written(other.events(running)) == chats.words(200)
    began, ended = other.run(waiting)["started_at"], other.run(running)["completed_at"]
    assert began < ended, "not when the first one has ended"
    assert two.servers[0].wait() == 0


def test_a_run_that_outlives_its_server_is_continued(two):
    ending, other = two.people
    run = ending.begin("{words:1200} {delay_ms:60}")
    with other.follow(run) as feed:
        seen = feed.until(lambda event: event.number == 5)
        two.servers[0].signal(signal.SIGTERM)
        assert two.servers[0].wait() == 0
        watch = Stopwatch()
        last = seen[-1].number
        seen += feed.until(lambda event: event.number > last + 5)
        later = seen[-1].number
        seen += feed.until(lambda event: event.number > later)
        assert watch.seconds() < 3 * SLOW
        other.cancel(run)
        seen += feed.rest()
    assert feeds.check_events(seen)[-1].type == "run.cancelled"


def test_a_server_can_start_again_at_once_after_it_was_killed(two):
    owner, other = two.people
    run = owner.begin("{words:200} {delay_ms:30}")
    with other.follow(run) as feed:
        seen = feed.until(lambda event: event.number == 5)
        two.servers[0].signal(signal.SIGKILL)
        two.servers[0].wait()
        two.started(0)
        seen += feed.rest()
    assert feeds.written(feeds.check_events(seen)) == chats.words(200)
