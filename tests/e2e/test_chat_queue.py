"""The queue of runs: how many run at once, in which order, and for how long."""
import time

import pytest

import chats
import feeds
import people
from chats import text_of, words
from people import refused
from stopwatch import Stopwatch

FOREVER = "{first_delay_ms:60000} hello"
SHORT = "{words:3} {delay_ms:60}"


@pytest.fixture(name="house")
def one_house():
    """One run at a time."""
    with chats.house({"runs.max_concurrent": 1, "runs.max_queued": 60}) as opened:
        yield opened


def positions(person, runs):
    return [person.run(run)["queue_position"] for run in runs]


def test_who_waits_is_told_the_place(house):
    ana = chats.somebody(house, "ana")
    running = ana.begin(FOREVER)
    ana.when(running, "running")
    waiting = [ana.begin(f"number {number}") for number in range(4)]
    assert [run["status"] for run in waiting] == ["queued"] * 4
    assert [run["queue_position"] for run in waiting] == [1, 2, 3, 4] == positions(ana, waiting)
    assert ana.run(running)["queue_position"] is None
    for run in waiting:
        now = ana.run(run)
        assert now["started_at"] is None and now["message"] is None and now["usage"] is None
    ana.cancel(waiting[1])
    cancelled = ana.ended(waiting[1])
    assert cancelled["status"] == "cancelled" and cancelled["queue_position"] is None
    assert cancelled["usage"] is None, "no model was asked"
    assert text_of(cancelled["message"]) == "" and (
        cancelled["message"]["stop_reason"] == "cancelled")
    assert positions(ana, [waiting[0], *waiting[2:]]) == [1, 2, 3], "the others move up"
    ana.cancel(running)
    ended = [ana.ended(run) for run in (waiting[0], *waiting[2:])]
    assert [text_of(run["message"]) for run in ended] == ["number 0", "number 2", "number 3"]
    starts = [people.at(run["started_at"]) for run in ended]
    assert starts == sorted(starts)


def test_a_stream_begins_while_its_run_waits(house):
    ana = chats.somebody(house, "ana")
    running = ana.begin(FOREVER)
    ana.when(running, "running")
    with ana.stream("soon") as feed:
        begun = feed.next().data["run"]
        assert begun["status"] == "queued" and begun["queue_position"] == 1
        ana.cancel(running)
        events = feed.rest()
    assert events[-1].type == "run.completed" and feeds.written(events) == "soon"
    with ana.stream(FOREVER) as feed:
        ana.when(feed.run_id, "running")
        second = ana.begin("second")
        with ana.follow(second) as other:
            other.next()
            ana.cancel(second)
            assert [event.type for event in other.rest()] == ["run.cancelled"]
        ana.cancel(feed.run_id)
        feed.rest()


def test_a_busy_session_may_be_a_waiting_one(house):
    ana = chats.somebody(house, "ana")
    session = ana.ask("hello")["session_id"]
    running = ana.begin(FOREVER)
    ana.when(running, "running")
    waiting = ana.begin("waits", session_id=session)
    problem = refused(ana.query("too much", session_id=session), 409, "session_busy",
                      "active_run_ids")
    assert problem["active_run_ids"] == [waiting["id"]]
    ana.cancel(running)
    assert ana.ended(waiting)["status"] == "completed"


def test_one_users_many_do_not_hold_up_anothers_one(house):
    ana, bob = chats.somebody(house, "ana"), chats.somebody(house, "bob")
    many = [ana.begin(SHORT) for _ in range(20)]
    one = bob.begin(SHORT)
    begun = people.at(bob.ended(one)["started_at"])
    created = people.at(one["created_at"])
    starts = [people.at(ana.ended(run)["started_at"]) for run in many]
    between = [start for start in starts if created < start < begun]
    assert len(between) <= 1, f"{len(between)} of the other's went first"
    assert starts == sorted(starts), "and each one's own are in order"


def test_turns_are_taken_between_many(house):
    crowd = [chats.somebody(house, f"user {number}") for number in range(4)]
    # All have asked before the first one has its turn, however long that takes.
    holder = chats.somebody(house, "holder")
    running = holder.begin(FOREVER)
    holder.when(running, "running")
    runs = {person: [person.begin(SHORT) for _ in range(5)] for person in crowd}
    holder.cancel(running)
    starts = sorted((people.at(person.ended(run)["started_at"]), number)
                    for number, person in enumerate(crowd) for run in runs[person])
    order = [number for _, number in starts]
    for place in range(6, len(order) - 6):
        assert len(set(order[place:place + 4])) >= 3, order


def refused_as_full(person, **more):
    for options in ({}, {"stream": True}, {"background": True}):
        response = person.query("too many", {"Idempotency-Key": "k"}, **options, **more)
        refused(response, 503, "overloaded")
        assert int(response.header("retry-after")) >= 1


def test_a_full_queue_refuses():
    with chats.house({"runs.max_concurrent": 1, "runs.max_queued": 2}) as house:
        ana, bob, cem = (chats.somebody(house, name) for name in ("ana", "bob", "cem"))
        running = ana.begin(FOREVER)
        ana.when(running, "running")
        waiting = [ana.begin("waits"), bob.begin("waits")]
        before = ana.pages("/chat/sessions")
        for person in (ana, bob, cem):
            refused_as_full(person)
        assert ana.pages("/chat/sessions") == before and cem.pages("/chat/sessions") == []
        ana.cancel(waiting[0])
        ana.ended(waiting[0])
        taken = cem.begin("fits now", {"Idempotency-Key": "k"})
        assert taken["queue_position"] == 2
        ana.cancel(running)
        assert text_of(cem.ended(taken)["message"]) == "fits now"


def test_one_user_cannot_fill_the_queue():
    with chats.house({"runs.max_concurrent": 1, "runs.max_queued": 10}) as house:
        ana, bob = chats.somebody(house, "ana"), chats.somebody(house, "bob")
        running = ana.begin(FOREVER)
        ana.when(running, "running")
        waiting = [ana.begin("waits") for _ in range(5)]
        refused_as_full(ana)
        one = bob.begin("has room")
        assert one["status"] == "queued"
        ana.cancel(running)
        assert text_of(bob.ended(one)["message"]) == "has room"
        assert {ana.ended(run)["status"] for run in waiting} == {"completed"}


def test_the_scripted_model_has_a_line_of_its_own():
    """It costs nothing, so its runs must not take places from real models."""
    with chats.house({"runs.max_concurrent": 1, "runs.max_queued": 1,
                      "models.real.engine": "scripted"}) as house:
        user = house.add("ana")
        ana = chats.Person(house, house.token_for(user)["token"])
        test = chats.Person(house, house.token_for(user, test=True)["token"])
        rehearsed = ana.begin(FOREVER)
        ana.when(rehearsed, "running")
        waiting = test.begin("waits", model="real")
        assert waiting["queue_position"] == 1
        refused_as_full(test)
        refused_as_full(ana)
        assert text_of(ana.ask("at once", model="real")["message"]) == "at once"
        running = ana.begin(FOREVER, model="real")
        ana.when(running, "running")
        ana.cancel(rehearsed)
        assert text_of(test.ended(waiting)["message"]) == "waits"
        ana.cancel(running)


def test_as_many_as_allowed_go_on_at_once():
    """One place is kept for another user, who need not wait for the end of a run."""
    with chats.house({"runs.max_concurrent": 3}) as house:
        ana, bob = chats.somebody(house, "ana"), chats.somebody(house, "bob")
        runs = [ana.begin(FOREVER) for _ in range(5)]
        for run in runs[:2]:
            ana.when(run, "running")
        assert positions(ana, runs[2:]) == [1, 2, 3]
        assert text_of(bob.ask("at once")["message"]) == "at once"
        bobs = [bob.begin(FOREVER) for _ in range(2)]
        bob.when(bobs[0], "running")
        assert positions(bob, bobs[1:]) == [1] and positions(ana, runs[2:]) == [2, 3, 4]
        ana.cancel(runs[0])
        bob.when(bobs[1], "running")
        assert positions(ana, runs[2:]) == [1, 2, 3], "each had one, and ana had a place last"
        for person, begun in ((ana, runs), (bob, bobs)):
            for run in begun:
                person.cancel(run)
                person.ended(run)


def test_a_run_that_takes_too_long():
    with chats.house({"runs.timeout_s": 3}) as house:  # The quick one at the end must not take so long.
        ana = chats.somebody(house, "ana")
        watch, began = Stopwatch(), time.monotonic()
        response = ana.query("{words:200} {delay_ms:50}")
        assert 3 <= time.monotonic() - began and watch.seconds() < 9, "it would take 10 seconds"
        problem = refused(response, 504, "upstream_timeout", "run_id", "session_id")
        run = ana.run(problem["run_id"])
        assert run["status"] == "failed" and run["error"]["code"] == "upstream_timeout"
        text = text_of(run["message"])
        assert text and words(200).startswith(text), "what was written is kept"
        assert run["message"]["stop_reason"] == "error"
        with ana.stream(FOREVER, session_id=run["session_id"]) as feed:
            events = feeds.check_events(feed.rest())
        assert [event.type for event in events] == ["run.created", "run.failed"]
        assert events[-1].data["run"]["error"]["status"] == 504
        assert ana.ask("quick", session_id=run["session_id"])["status"] == "completed"


@pytest.mark.parametrize("end", ["kill", "end_in_a_hurry"])
def test_what_waits_at_the_end_is_answered_after_the_next_start(start, tmp_path, end):
    house = chats.LastingHouse(start, tmp_path / "data", {"runs.max_concurrent": 1})
    ana = chats.somebody(house, "ana")
    running = ana.begin("{words:30} {delay_ms:120}")  # A busy machine must see it run.
    ana.when(running, "running")
    waiting = [ana.begin(f"waits {number}") for number in range(5)]
    getattr(house, end)()
    house.come_back()
    assert text_of(ana.ended(running)["message"]) == words(30)
    ended = [ana.ended(run) for run in waiting]
    assert [text_of(run["message"]) for run in ended] == [f"waits {number}" for number in range(5)]
    starts = [people.at(run["started_at"]) for run in ended]
    assert starts == sorted(starts), "in the order in which they were asked"
    for run in ended:
        assert feeds.written(ana.events(run)) == text_of(run["message"])
