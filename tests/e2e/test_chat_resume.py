"""Resumed streams: the same bytes, during the run and after it, also after a restart of the server."""
import signal

import pytest

import chats
import feeds
import people
from chats import text_of, words
from people import refused

TWO_SECONDS = "{words:40} {delay_ms:50}"
FOUR_SECONDS = "{words:40} {delay_ms:100}"  # It must not end before its server is killed, also on a busy machine.


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def resume(person, run, after, by_header):
    """All frames after that number, to the end."""
    if by_header:
        with person.follow(run, headers={"Last-Event-ID": str(after)}) as feed:
            return feeds.frames(feeds.check_events(feed.rest(), after))
    return feeds.frames(person.events(run, after))


@pytest.mark.parametrize("by_header", [True, False], ids=["Last-Event-ID", "after"])
def test_after_the_end_each_number_is_a_beginning(ana, by_header):
    with ana.stream("one two three four") as feed:
        events = feeds.check_events(feed.rest())
    for after in range(len(events)):
        assert resume(ana, feed.run_id, after, by_header) == feeds.frames(events[after:])
    assert feeds.frames(ana.events(feed.run_id)) == feeds.frames(events)


@pytest.mark.parametrize("by_header", [True, False], ids=["Last-Event-ID", "after"])
def test_while_it_runs_each_number_is_a_beginning(ana, by_header):
    with ana.stream(TWO_SECONDS) as feed:
        seen = feed.until(lambda event: event.number == 6)
        feed.reset()
    resumed = people.at_once(6, lambda after: resume(ana, feed.run_id, after + 1, by_header))
    whole = ana.events(feed.run_id)
    assert feeds.frames(whole).startswith(feeds.frames(seen))
    for after, frames in enumerate(resumed, start=1):
        assert frames == feeds.frames(whole[after:])
    assert feeds.written(whole) == words(40)


def test_behind_the_last_one_there_is_nothing(ana):
    events = ana.events(ana.ask("hello"))
    run, last = events[-1].data["run"]["id"], events[-1].number
    for options in ({"after": last}, {"headers": {"Last-Event-ID": str(last)}}):
        with ana.follow(run, **options) as feed:
            assert feed.response.status == 204 and feed.response.body == b""
            assert feed.response.header("content-type") is None


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "", "0x1", "1 2", "+1", "1e3"])
def test_what_is_not_a_number(ana, number):
    run = ana.ask("hello")
    path = f"/chat/runs/{run['id']}/events"
    answers = [ana.request("GET", path, headers={"Last-Event-ID": number})]
    if " " not in number and "+" not in number:
        answers.append(ana.request("GET", f"{path}?after={number}"))
    for answer in answers:
        refused(answer, 400, "invalid_request")


def snapshot_and_rest(person, run, after):
    with person.follow(run, after) as feed:
        first, *rest = feed.rest()
    assert first.type == "run.snapshot"
    assert {"type", "sequence_number", "message"} <= set(first.data)
    feeds.check_events(rest, first.number)
    return first, rest


def test_beyond_what_is_stored_there_is_a_snapshot(ana):
    run = ana.ask("{words:5}")
    events = ana.events(run)
    for after in (events[-1].number + 1, 1000, 2**53 - 1):
        snapshot, rest = snapshot_and_rest(ana, run, after)
        assert text_of(snapshot.data["message"]) == words(5)
        assert rest[-1].number == events[-1].number and rest[-1].data["run"] == run

    running = ana.begin(TWO_SECONDS)
    people.until(lambda: ana.run(running)["message"])
    snapshot, rest = snapshot_and_rest(ana, running, 1000)
    assert text_of(snapshot.data["message"]) + feeds.written(rest) == words(40)
    whole = ana.events(running)
    assert feeds.frames(rest) == feeds.frames(whole[snapshot.number:])
    assert text_of(snapshot.data["message"]) == feeds.written(whole[:snapshot.number])


def test_events_are_kept_for_a_while_only():
    with chats.house({"runs.events_keep_s": 1}) as house:
        ana = chats.somebody(house, "ana")
        run = ana.ask("{words:7}")

        def is_gone():
            with ana.follow(run) as feed:
                return feed.next().type == "run.snapshot"
        people.until(is_gone)
        last = None
        for after in (None, 0, 1, 3):
            snapshot, rest = snapshot_and_rest(ana, run, after)
            assert text_of(snapshot.data["message"]) == words(7)
            assert rest[-1].type == "run.completed" and rest[-1].data["run"] == run
            assert last in (None, rest[-1].number)
            last = rest[-1].number
        assert last == 9
        with ana.follow(run, last) as feed:
            assert feed.response.status == 204
        assert ana.run(run) == run, "the run itself stays"

        slow = ana.begin("{words:40} {delay_ms:50}")
        assert feeds.written(ana.events(slow)) == words(40), "they are kept while it runs"


@pytest.fixture(name="lasting")
def lasting_house(start, tmp_path):
    return chats.LastingHouse(start, tmp_path / "data")


def check_the_same_after(person, seen, ended):
    """The frames before a restart of the server and after it are the same."""
    whole = person.events(seen[0].data["run"]["id"])
    assert feeds.frames(whole).startswith(feeds.frames(seen))
    for after in (1, len(seen) // 2, len(seen)):
        if after < len(whole):
            assert feeds.frames(person.events(seen[0].data["run"]["id"], after)) == (
                feeds.frames(whole[after:]))
    for run, events in ended:
        assert person.run(run) == run and feeds.frames(person.events(run)) == feeds.frames(events)
    return whole


def test_after_kill_9_it_goes_on_where_it_stopped(lasting):
    ana = chats.somebody(lasting, "ana")
    ended = [(run, ana.events(run)) for run in (ana.ask("a b\r\nc"), ana.ask("{max_tokens} a b c"))]
    with ana.stream(FOUR_SECONDS) as feed:
        seen = feed.until(lambda event: event.number == 8)
        lasting.kill()
        more, was_cut = feed.until_cut()
    assert was_cut
    seen += more
    for _ in range(2):
        lasting.come_back()
        whole = check_the_same_after(ana, seen, ended)
        assert whole[-1].type == "run.completed" and feeds.written(whole) == words(40)
        run = whole[-1].data["run"]
        assert run["usage"]["output_tokens"] == 40 and ana.run(run) == run
        assert run["message"]["stop_reason"] == "end_turn"
        assert len(ana.messages(run["session_id"])) == 2
        seen = whole
        lasting.kill()
    lasting.come_back()


def test_it_can_be_killed_again_and_again(lasting):
    ana = chats.somebody(lasting, "ana")
    run = ana.begin("{words:60} {delay_ms:30}")
    seen = []
    for number in range(5, 50, 10):
        with ana.follow(run) as feed:
            now = feed.until(lambda event, number=number: event.number >= number)
            lasting.kill()
            now += feed.until_cut()[0]
        assert feeds.frames(now).startswith(feeds.frames(seen))
        seen = now
        lasting.come_back()
    whole = check_the_same_after(ana, seen, [])
    assert feeds.written(whole) == words(60)


def test_a_run_in_hand_at_the_end_comes_to_its_end(lasting):
    ana = chats.somebody(lasting, "ana")
    with ana.stream("{words:20} {delay_ms:50}") as feed:
        seen = feed.until(lambda event: event.number == 3)
        lasting.server.signal(signal.SIGTERM)
        events = feeds.check_events(seen + feed.rest())
    assert events[-1].type == "run.completed" and lasting.server.wait() == 0
    lasting.server.check_log()
    lasting.come_back()
    check_the_same_after(ana, events, [])


def test_what_the_end_does_not_wait_for_goes_on_at_the_next_start(lasting):
    ana = chats.somebody(lasting, "ana")
    with ana.stream("{words:60} {delay_ms:200}") as feed:
        seen = feed.until(lambda event: event.number == 5)
        lasting.end_in_a_hurry()
        more, was_cut = feed.until_cut()
    assert was_cut
    lasting.come_back()
    whole = check_the_same_after(ana, seen + more, [])
    assert feeds.written(whole) == words(60)
