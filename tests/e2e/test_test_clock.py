"""The test clock: schedules, retries and budgets of test mode, tried without waiting."""
import concurrent.futures
import datetime
import threading
import time

import pytest

import automations
import chats
import people
import program
import receivers
import wire

BERLIN = "Europe/Berlin"


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(automations.SETTINGS) as opened:
        yield opened


def rehearsing(house, name, live=False):
    """A user with a test token, and with a live one if `live`."""
    owner = house.add(name)
    made = [house.token_for(owner, scopes=automations.SCOPES, test=test) for test in (True, False)]
    test, alive = (chats.Person(house, token["token"]) for token in made)
    return (test, alive) if live else test


def time_in(**ahead):
    now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**ahead)
    return now.replace(microsecond=0)


def at(text):
    return datetime.datetime.fromtimestamp(people.at(text), datetime.timezone.utc)


def text_of(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def move(person, moment, status=200):
    response = person.request("PUT", "/test_clock", {"now": moment and text_of(moment)})
    assert response.status == status, response.body
    return response


def scheduled(person, cron, zone="UTC", **fields):
    return automations.created(person, trigger={"type": "schedule", "cron": cron, "time_zone": zone},
                               **fields)


def all_ended(person, automation, count):
    """Hundreds of runs may take a slow machine minutes."""
    def come_to():
        rows = automations.rows(person, automation)
        done = len(rows) == count and all(row["status"] in automations.ENDED for row in rows)
        return rows if done else None
    return people.until(come_to, 240)


def wait_for_a_new_minute():
    """If this one ends soon. A due time of the real clock must not come while a test goes on to move the test clock."""
    second = datetime.datetime.now().second
    if second >= 50:
        time.sleep(60 - second)


def test_ten_days_of_hours_in_a_moment(house):
    ana = rehearsing(house, "ana")
    hourly = scheduled(ana, "0 * * * *", session={"policy": "new", "keep": None})
    first = at(hourly["next_at"])
    end = first + datetime.timedelta(days=10, minutes=-1)
    assert move(ana, end).json() == {"object": "test_clock", "now": text_of(end)}
    assert len(automations.rows(ana, hourly)) == 240, "all are in the list at once"
    rows = all_ended(ana, hourly, 240)
    due = [at(row["scheduled_for"]) for row in rows]
    assert due == [first + datetime.timedelta(hours=hour) for hour in reversed(range(240))]
    assert {row["status"] for row in rows} == {"completed"}
    assert all(len(row["attempts"]) == 1 for row in rows)
    assert len({row["session_id"] for row in rows}) == 240
    sessions = {each["id"]: each for each in ana.pages("/chat/sessions", automation=hourly["id"])}
    assert set(sessions) == {row["session_id"] for row in rows}
    for session in sessions.values():
        assert session["message_count"] == 2, "one question, and its answer"
        assert at(session["created_at"]) < first + datetime.timedelta(hours=1), "all other times are real"
    assert ana.get(f"/automations/{hourly['id']}")["next_at"] == text_of(
        first + datetime.timedelta(days=10))
    move(ana, end)
    assert len(automations.rows(ana, hourly)) == 240, "the same time again brings nothing more"
    move(ana, end - datetime.timedelta(seconds=1), status=422)
    assert ana.get("/test_clock")["now"] == text_of(end)


def test_a_large_step_is_one_for_its_automations(house):
    """Its rows are written some at a time; they do not overlap each other nevertheless."""
    nora = rehearsing(house, "nora")
    wait_for_a_new_minute()
    often = scheduled(nora, "* * * * *", overlap="skip", retry={"max_attempts": 1}, pause_after_failures=1,
                      message="{error:upstream_error}", session={"policy": "new", "keep": 1})
    first = at(often["next_at"])
    move(nora, first + datetime.timedelta(minutes=999))
    rows = automations.rows(nora, often)
    assert len(rows) == 1000
    assert not [row for row in rows if row["status"] in ("skipped", "missed")]
    assert {row["scheduled_for"] for row in rows} == {
        text_of(first + datetime.timedelta(minutes=minute)) for minute in range(1000)}


def test_a_large_step_does_not_hold_up_others(start):
    """Hundreds of rows, each of a message with more than 20,000 places: with one loop, requests of others are
    answered in between."""
    house = people.House(start(settings={**automations.SETTINGS, "server.loops": 1})).set_up()
    mia = rehearsing(house, "mia")
    names = [f"v{letter}" for letter in "abcdefghijklmnopqrstuvwxyz012345"]
    often = scheduled(mia, "* * * * *", message=f"{{{{{names[-1]}}}}}" * 21_000,
                      variables=[{"name": name, "default": "x"} for name in names])
    took, is_over = [], threading.Event()

    def ask_meanwhile():
        with wire.Connection(house.server.address, timeout=program.PATIENCE) as connection:
            while not is_over.is_set():
                begun = time.monotonic()
                assert connection.ask("GET", "/healthz").status == 200
                took.append(time.monotonic() - begun)
                is_over.wait(0.01)
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        asking = threads.submit(ask_meanwhile)
        try:
            people.until(lambda: took or asking.done())
            move(mia, time_in(hours=12))
        finally:
            is_over.set()
        asking.result()
    assert mia.request("DELETE", f"/automations/{often['id']}").status == 204
    assert max(took) < 2, f"one of {len(took)} answers took so long"


def test_due_times_follow_clock_changes(house):
    cleo = rehearsing(house, "cleo")
    nightly = scheduled(cleo, "30 2 * * *", BERLIN, message="{{run.local_date}} {{run.local_time}}")
    change = datetime.datetime(2027, 3, 28, 1, 30, tzinfo=datetime.timezone.utc)
    move(cleo, change - datetime.timedelta(days=1))
    move(cleo, change)
    newest = automations.rows(cleo, nightly)[0]
    assert newest["scheduled_for"] == text_of(change)
    assert newest["message"] == "2027-03-28 03:30"


def test_retries_wait_for_the_clock(house):
    ben = rehearsing(house, "ben")
    bad = automations.created(ben, message="{error:upstream_error}",
                              retry={"max_attempts": 3, "backoff_s": 30})
    start = time_in(days=1)
    move(ben, start)
    run = automations.started(ben, bad)
    assert run["scheduled_for"] == text_of(start)

    def attempts(status, count):
        def come_to():
            row = automations.row(ben, run)
            return row if (row["status"], len(row["attempts"])) == (status, count) else None
        return people.until(come_to)
    for count, wait in ((1, 30), (2, 90)):
        row = attempts("waiting", count)
        assert row["next_attempt_at"] == text_of(start + datetime.timedelta(seconds=wait))
        move(ben, start + datetime.timedelta(seconds=wait - 1))
        assert len(automations.row(ben, run)["attempts"]) == count, "never early"
        move(ben, start + datetime.timedelta(seconds=wait))
    row = attempts("failed", 3)
    questions = ben.messages({"id": row["session_id"]})
    assert [each["role"] for each in questions] == ["user", "assistant"]
    assert ben.request("POST", f"/automation_runs/{run['id']}/retry").status == 202
    attempts("failed", 4)


def test_budgets_count_by_the_clock(house):
    dora = rehearsing(house, "dora")
    costly = scheduled(dora, "0 */12 * * *", message="{words:50}", max_output_tokens=60,
                       output_tokens_per_day=100)
    first = at(costly["next_at"])
    move(dora, first + datetime.timedelta(hours=36))
    rows = all_ended(dora, costly, 4)
    assert [row["status"] for row in rows] == ["skipped", "completed", "skipped", "completed"]
    assert {row["skip_reason"] for row in rows} == {None, "budget"}


def test_events_are_due_by_the_clock(house):
    ivo = rehearsing(house, "ivo")
    listener = automations.created(ivo, message="{{run.local_date}}", trigger={
        "type": "event", "event_types": ["chat.session.created"]})
    now = time_in(days=400)
    move(ivo, now)
    assert ivo.request("POST", "/chat/sessions", {}).status == 201
    [row] = people.until(lambda: automations.rows(ivo, listener))
    assert (row["scheduled_for"], row["message"]) == (text_of(now), text_of(now)[:10])
    assert automations.ended(ivo, row)["status"] == "completed"


def test_what_an_earlier_step_left_overlaps(house):
    eva = rehearsing(house, "eva")
    # It does not end by itself: a slow machine may need long until the second step.
    slow = scheduled(eva, "0 0 * * *", message="{first_delay_ms:60000}slow")
    first = at(slow["next_at"])
    move(eva, first)
    move(eva, first + datetime.timedelta(days=1))
    later, earlier = automations.rows(eva, slow)
    skipped = automations.ended(eva, later)
    assert (skipped["status"], skipped["skip_reason"]) == ("skipped", "overlap")
    assert automations.row(eva, earlier)["status"] in ("queued", "running"), "nothing happens to it"
    assert eva.request("POST", f"/automation_runs/{earlier['id']}/cancel").status == 200


def test_live_automations_and_other_users_are_not_touched(house):
    fay, alive = rehearsing(house, "fay", live=True)
    gus = rehearsing(house, "gus")
    kinds = [scheduled(who, "0 0 * * MON") for who in (fay, alive, gus)]
    before = [who.get(f"/automations/{each['id']}") for who, each in zip((fay, alive, gus), kinds)]
    move(fay, time_in(days=8))
    assert len(automations.rows(fay, kinds[0])) in (1, 2)
    for who, each, was in list(zip((fay, alive, gus), kinds, before))[1:]:
        assert automations.rows(who, each) == []
        assert who.get(f"/automations/{each['id']}") == was
    assert gus.get("/test_clock") == {"object": "test_clock", "now": None}
    for method, body in (("GET", None), ("PUT", {"now": None})):
        people.refused(alive.request(method, "/test_clock", body), 403, "insufficient_scope")
    assert fay.request("GET", f"/automations/{kinds[1]['id']}").status == 404


def test_the_clock_stands_still_and_goes_back_to_real_time(house):
    hal = rehearsing(house, "hal")
    minutely = scheduled(hal, "* * * * *")
    move(hal, at(minutely["next_at"]) - datetime.timedelta(seconds=1) + datetime.timedelta(days=2))
    count = len(automations.rows(hal, minutely))
    assert count == 2 * 24 * 60
    later = hal.get(f"/automations/{minutely['id']}")["next_at"]
    assert move(hal, None).json() == {"object": "test_clock", "now": None}
    next_at = at(hal.get(f"/automations/{minutely['id']}")["next_at"])
    assert next_at < at(later) and next_at <= time_in(seconds=62)
    assert at(automations.created(hal, trigger={
        "type": "schedule", "cron": "* * * * *", "time_zone": "UTC"})["next_at"]) <= time_in(seconds=62)


def test_the_clock_survives_a_restart(start, tmp_path):
    data = ("--data", str(tmp_path / "data"))
    server = start(*data, settings=automations.SETTINGS)
    house = people.House(server).set_up()
    ida = rehearsing(house, "ida")
    weekly = scheduled(ida, "0 0 * * MON")
    move(ida, time_in(days=1))
    server.stop()
    ida.house = people.House(start(*data, settings=automations.SETTINGS))
    now = at(ida.get("/test_clock")["now"])
    before = len(automations.rows(ida, weekly))
    move(ida, now + datetime.timedelta(days=7))
    all_ended(ida, weekly, before + 1)


def test_bounds(house):
    jon = rehearsing(house, "jon")
    for body, pointer, code in (
            ({}, "#/now", "required"), ({"now": "tomorrow"}, "#/now", "invalid_format"),
            ({"now": text_of(time_in(seconds=-5))}, "#/now", "out_of_range"),
            ({"now": text_of(time_in(days=3655))}, "#/now", "out_of_range"),
            ({"now": None, "then": 1}, "#/then", "unknown_field")):
        response = jon.request("PUT", "/test_clock", body)
        assert people.faults(response) == [(pointer, code)], body
    wait_for_a_new_minute()
    minutely = scheduled(jon, "* * * * *")
    response = move(jon, time_in(days=8), status=422)
    assert people.faults(response) == [("#/now", "too_large")]
    assert jon.get("/test_clock")["now"] is None and automations.rows(jon, minutely) == []
    move(jon, time_in(days=3650), status=422)
    assert jon.request("PATCH", f"/automations/{minutely['id']}", {"paused": True}).status == 200
    move(jon, time_in(days=3650))


def test_a_step_has_a_size_in_bytes(house):
    ana = rehearsing(house, "zoe")
    scheduled(ana, "* * * * *", message="{{text}}", overlap="allow",
              variables=[{"name": "text", "default": "x" * 60_000, "max_bytes": 60_000}])
    assert people.faults(move(ana, time_in(hours=6), 422))
    move(ana, time_in(hours=1))


def test_retries_of_webhooks_follow_the_clock(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path, {**automations.SETTINGS, **receivers.SETTINGS})
    tester = rehearsing(house, "hana")
    with receivers.Receiver(lambda *_: 500) as receiver:
        made = receivers.created(tester, receiver.url(), event_types=["chat.session.created"])
        now = time_in(days=1)
        begun = time.time()
        move(tester, now)
        tester.request("POST", "/chat/sessions", {"title": "one"})

        def tried(count):
            def come_to():
                found = receivers.deliveries(tester, made)
                return found[0] if found and len(found[0]["attempts"]) == count else None
            return people.until(come_to)
        for count, wait in enumerate((5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400), start=1):
            delivery = tried(count)
            due = at(delivery["next_attempt_at"])
            assert wait <= (due - now).total_seconds() <= wait * 1.1
            move(tester, due - datetime.timedelta(seconds=1))
            now = (due + datetime.timedelta(seconds=1)).replace(microsecond=0)  # As move() writes it.
            move(tester, now)
        last = tried(10)
        assert last["status"] == "failed" and last["next_attempt_at"] is None
        assert len(receiver.received) == 10
        stamps = [int(each.headers["webhook-timestamp"]) for each in receiver.received]
        assert begun - 1 <= min(stamps) <= max(stamps) <= time.time(), "signed in real time"
    house.server.stop()
