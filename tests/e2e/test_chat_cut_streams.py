"""Streams that the server cuts: readers that do not read, and readers that lost their rights. The run itself
always continues."""
import datetime

import pytest

import chats
import feeds
import people
from chats import text_of, words
from people import refused

SLOW = "{words:600} {delay_ms:50}"
LONG = "a " * 35_000


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def in_future(seconds):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%S.") + f"{then.microsecond // 1000:03d}Z"


def test_who_does_not_read_is_cut_and_may_come_back(ana):
    with ana.stream(LONG, receive_buffer=4096) as lazy:
        first = lazy.next()
        run = ana.ended(first.data["run"])
        lazy.hurry()
        seen, was_cut = lazy.until_cut()
    assert was_cut, "5 MB must not wait for somebody who does not read"
    seen.insert(0, first)
    assert run["status"] == "completed" and text_of(run["message"]) == LONG
    whole = ana.events(run)
    assert feeds.frames(whole).startswith(feeds.frames(seen))
    assert feeds.written(whole) == LONG and len(seen) < len(whole)
    last = seen[-1].number
    assert feeds.frames(ana.events(run, last)) == feeds.frames(whole[last:])


def test_replay_waits_for_its_reader(ana):
    """However slow it is: stored events need no memory."""
    run = ana.ask(LONG)
    with ana.follow(run, receive_buffer=4096) as lazy, ana.follow(run) as eager:
        first = lazy.next()
        whole = feeds.check_events(eager.rest())
        lazy.hurry()
        events = [first] + lazy.rest()
    assert feeds.frames(events) == feeds.frames(whole)


def test_one_who_does_not_read_holds_up_nobody(ana):
    with ana.stream("{first_delay_ms:300} " + LONG, receive_buffer=4096) as lazy:
        run = lazy.next().data["run"]
        events = ana.events(run)
        assert feeds.written(events) == LONG


class Streams:
    """Some readers of one run, each with its own token."""

    def __init__(self, house, user, message, **tokens):
        """A run of the user; readers by name."""
        self.owner = chats.Person(house, house.token_for(user)["token"])
        self.run = self.owner.begin(message)
        self.feeds = {name: chats.Person(house, token).follow(self.run)
                      for name, token in tokens.items()}
        for feed in self.feeds.values():
            feed.until(lambda event: event.number == 2)

    def end(self):
        self.owner.cancel(self.run)
        for feed in self.feeds.values():
            feed.close()

    def is_cut(self, name):
        """Waits for the end of that stream; returns whether it ended without a terminal event."""
        events, was_cut = self.feeds[name].until_cut()
        assert was_cut != any(event.is_last for event in events)
        return was_cut


def check_goes_on(streams, name):
    """This one is not cut, and the run continues."""
    assert streams.owner.run(streams.run)["status"] == "running"
    streams.owner.cancel(streams.run)
    events = streams.feeds[name].rest()
    assert events[-1].type == "run.cancelled"


def test_a_revoked_token_ends_its_streams(house):
    user = house.add("rita")
    good, bad = house.token_for(user), house.token_for(user)
    streams = Streams(house, user, SLOW, good=good["token"], bad=bad["token"])
    account = house.token_for(user, scopes=["account"])["token"]
    assert house.ask("DELETE", f"/tokens/{bad['id']}", account).status == 204
    assert streams.is_cut("bad")
    refused(house.ask("GET", f"/chat/runs/{streams.run['id']}/events", bad["token"]), 401,
            "invalid_token")
    check_goes_on(streams, "good")
    streams.end()


def test_a_stream_that_began_with_a_question_is_cut_as_well(house):
    user = house.add("quinn")
    token = house.token_for(user)
    asked = chats.Person(house, token["token"])
    owner = chats.Person(house, house.token_for(user)["token"])
    with asked.stream(SLOW) as feed:
        feed.until(lambda event: event.number == 2)
        account = house.token_for(user, scopes=["account"])["token"]
        assert house.ask("DELETE", f"/tokens/{token['id']}", account).status == 204
        events, was_cut = feed.until_cut()
        assert was_cut and not any(event.is_last for event in events)
        assert owner.run(feed.run_id)["status"] == "running", "the run continues"
        owner.cancel(feed.run_id)


def test_disabling_a_user_ends_their_streams(house):
    user = house.add("dora")
    login = house.login("dora")["access_token"]
    streams = Streams(house, user, SLOW, personal=house.token_for(user)["token"], login=login)
    path = f"/users/{user['id']}"
    assert house.ask("PATCH", path, house.admin, {"disabled": True}).status == 200
    assert streams.is_cut("personal") and streams.is_cut("login")
    assert house.ask("PATCH", path, house.admin, {"disabled": False}).status == 200
    fresh = chats.Person(house, house.token_for(user)["token"])
    assert fresh.cancel(streams.run)["id"] == streams.run["id"]


def test_a_changed_password_ends_the_streams_of_other_logins(house):
    user = house.add("pia")
    mine, other = (house.login("pia")["access_token"] for _ in range(2))
    streams = Streams(house, user, SLOW, mine=mine, other=other,
                      personal=house.token_for(user)["token"])
    changed = house.ask("PUT", "/me/password", mine, {
        "current_password": people.password_of("pia"), "new_password": "a wholly other phrase 7"})
    assert changed.status == 204, changed.body
    assert streams.is_cut("other")
    assert streams.owner.run(streams.run)["status"] == "running"
    check_goes_on(streams, "mine")
    assert streams.feeds["personal"].rest()[-1].type == "run.cancelled"
    streams.end()


def test_a_logout_ends_the_streams_of_that_login(house):
    user = house.add("lena")
    mine, other = (house.login("lena")["access_token"] for _ in range(2))
    streams = Streams(house, user, SLOW, mine=mine, other=other)
    assert house.ask("POST", "/auth/logout", mine).status == 204
    assert streams.is_cut("mine")
    check_goes_on(streams, "other")
    streams.end()


def test_removing_a_user_ends_everything(house):
    user = house.add("rolf")
    streams = Streams(house, user, SLOW, reader=house.token_for(user)["token"])
    assert house.ask("DELETE", f"/users/{user['id']}", house.admin).status == 204
    streams.feeds["reader"].until_cut()
    refused(house.ask("GET", f"/chat/runs/{streams.run['id']}", streams.owner.token), 401,
            "invalid_token")


def test_expiry_alone_does_not_cut_a_stream(house):
    user = house.add("ed")
    token = house.token_for(user, expires_at=in_future(6))["token"]  # It must work until the stream is open.
    streams = Streams(house, user, SLOW, reader=token)
    people.until(lambda: not house.works(token))
    streams.owner.cancel(streams.run)
    assert streams.feeds["reader"].rest()[-1].type == "run.cancelled"
    refused(house.ask("GET", f"/chat/runs/{streams.run['id']}/events", token), 401, "invalid_token")
    streams.end()


def test_readers_that_come_and_go_leave_nothing_behind(ana):
    run = ana.begin("{words:100} {delay_ms:20}")

    def read(number):
        if number == 0:
            return ana.events(run)
        for _ in range(30):
            with ana.follow(run) as feed:
                feed.until(lambda event: event.number >= 1 + number % 3)
                if number % 2:
                    feed.reset()
        return None
    events, *_ = people.at_once(9, read)
    assert feeds.written(events) == words(100)
