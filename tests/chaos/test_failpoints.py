"""Servers that share a database die, or stop, at chosen points of their transactions: just before PostgreSQL has read
the end of one, and just after it was stored.

In `make chaos MINUTES=30` or more, or as often as PARLEY_TIMES says, all points are tried again and again."""
import os
import signal

import chats
import feeds
import people
import program
import pytest
from replicas import IS_LONG, SLOW, TAKE_OVER, events_of_take_over
from stopwatch import Stopwatch
from tripwires import AFTER, BEFORE, Trip

TIMES = int(os.environ.get("PARLEY_TIMES", 20 if IS_LONG else 1))
BEGIN, FINISH = "INSERT INTO runs ", "^UPDATE runs SET status = .*completed_ms = "
APPEND = r"kept AS \(INSERT INTO run_events "  # The first event is stored with the beginning.
FENCE, CLAIM = "SET fenced = true", "^UPDATE runs SET replica = "
WORDS = 20
QUESTION = f"{{words:{WORDS}}} {{delay_ms:20}}"


def asked_again(person, key):
    """The run of this key."""
    def answered():
        answer = person.query(QUESTION, {"Idempotency-Key": key}, background=True)
        assert answer.status in (200, 202, 503), answer.body
        return answer.status != 503 and answer.json()
    return people.until(answered)


def stream_until_death(person, key):
    try:
        with person.stream(QUESTION, {"Idempotency-Key": key}) as feed:
            events, _ = feed.until_cut()
            return events
    except (OSError, feeds.Cut):
        return []


def test_a_question_survives_a_death_at_any_commit(wired):
    two = wired(2)
    owner, other = two.people
    points = [(what, when) for what in (BEGIN, APPEND, FINISH) for when in (BEFORE, AFTER)] * TIMES
    for number, (what, when) in enumerate(points):
        trip = two.wires[0].trip = Trip(what, when, lambda: two.servers[0].signal(signal.SIGKILL))
        seen = stream_until_death(owner, f"key-{number}")
        assert trip.sprung.wait(program.PATIENCE), (what, when)
        two.restart(0)  # Which takes the rights of the dead one at once.
        run = asked_again(other, f"key-{number}")
        events = other.events(run)
        assert feeds.written(events) == chats.words(WORDS), (what, when)
        assert feeds.frames(events).startswith(feeds.frames(seen)), (what, when)
        assert feeds.frames(owner.events(run)) == feeds.frames(events)
        assert other.run(run) == owner.run(run)
    assert len(other.pages("/chat/runs")) == len(points), "a question was answered twice"


def first_of(three, others, what, when):
    """Waits until one of these servers comes to the point, where it dies. Gives its number."""
    died = []

    def kill(number):
        for each in others:
            three.wires[each].trip = None
        three.servers[number].signal(signal.SIGKILL)
        died.append(number)
    for each in others:
        three.wires[each].trip = Trip(what, when, lambda one=each: kill(one))
    return people.until(lambda: died)[0]


ALL_OF_TAKE_OVER = [(FENCE, BEFORE), (FENCE, AFTER), (CLAIM, BEFORE), (CLAIM, AFTER)]


@pytest.mark.parametrize("what, when", ALL_OF_TAKE_OVER if TIMES > 1 else ALL_OF_TAKE_OVER[1::2])
def test_a_death_while_taking_over_delays_it(wired, what, when):
    three = wired(3)
    for _ in range(TIMES):
        with three.people[0].stream("{words:40} {delay_ms:100}") as feed:
            seen = feed.until(lambda event: event.number == 5)
            run = feed.run_id
            three.servers[0].signal(signal.SIGKILL)
            more, _ = feed.until_cut()
        seen += more
        victim = first_of(three, (1, 2), what, when)
        watch = Stopwatch()
        three.restart(victim)
        three.restart(0)
        living = three.people[3 - victim]
        with living.follow(run, after=seen[-1].number) as feed:
            feed.until(lambda _: True)
            assert watch.seconds() < TAKE_OVER
        events = living.events(run)
        assert feeds.written(events) == chats.words(40)
        assert feeds.frames(events).startswith(feeds.frames(seen))


@pytest.mark.parametrize("what", [APPEND, FINISH])
def test_a_server_that_stops_in_a_transaction_holds_up_nobody(wired, what):
    """It holds the lock of its lease, and those of the session and the run, until the others end its connections."""
    two = wired(2)
    owner, other = two.people
    for _ in range(TIMES):
        run = owner.begin("{words:40} {delay_ms:100}")
        with other.follow(run) as feed:
            seen = feed.until(lambda event: event.number == 5)
            trip = two.wires[0].trip = Trip(what, BEFORE, lambda: two.servers[0].signal(signal.SIGSTOP))
            assert trip.sprung.wait(program.PATIENCE)
            watch = Stopwatch()
            try:
                # What came before, then what the other one writes.
                seen += events_of_take_over(feed, two.servers[1], run["id"])
                assert watch.seconds() < TAKE_OVER
            finally:
                two.servers[0].signal(signal.SIGCONT)
            watch = Stopwatch()
            people.until(lambda: owner.query("still there?").status == 200)
            assert watch.seconds() < 1 * SLOW
            seen += [] if seen[-1].is_last else feed.rest()
        assert feeds.written(feeds.check_events(seen)) == chats.words(40)
        assert feeds.frames(owner.events(run)) == feeds.frames(seen)
        assert two.servers[1].log.wait_for(message="run taken over", run_id=run["id"])
