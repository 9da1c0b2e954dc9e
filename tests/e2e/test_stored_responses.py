"""Stored responses: resumed streams, background, cancellation, deletion, input."""
import itertools

import pytest

import chats
import completions
import people
import responses
import upstreams
from completions import refused
from responses import create, frames, resume, text_of

SCHEMA = {"type": "string", "maxLength": 2000}  # One delta per word, as without a format.


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana")
def somebody(house, number=itertools.count()):
    return chats.somebody(house, f"ana{next(number)}")


@pytest.mark.parametrize("said", ["one two three four", "{words:0}", "{error:upstream_error}",
                                  "{words:5} {fail_after:1}", "{max_tokens} a b c"])
def test_after_the_end_each_number_is_a_beginning(ana, said):
    events = responses.stream(ana, said)
    responses.check_each_number(ana, events)


def test_while_it_runs_each_number_is_a_beginning(ana):
    with responses.streaming(ana, "{words:40} {delay_ms:50}") as response:
        seen = ""
        for text in response.iter_text():
            seen += text
            if len(responses.events_in(seen)) > 6:
                break
    seen = responses.events_in(seen)
    made = seen[0].data["response"]
    resumed = people.at_once(6, lambda number: frames(resume(ana, made, number)))
    whole = responses.check_events(resume(ana, made))
    assert frames(whole).startswith(frames(seen)) and responses.written(whole) == chats.words(40)
    for number, more in enumerate(resumed):
        assert more == frames(whole[number + 1:])


def test_an_event_that_is_not_there_yet(ana):
    made = create(ana, "{first_delay_ms:60000} hello", background=True)
    with responses.following(ana, made, 0) as response:
        next(response.iter_text())  # Its first event is stored.
    with responses.following(ana, made, 7) as response:
        assert response.status_code == 400
    for wrong in ("-1", "x", "1.5"):
        error = refused(completions.request(ana, "GET", responses.path_of(
            made, f"?stream=true&starting_after={wrong}")), 400, "validation_failed",
            "starting_after")
        assert "e+" not in error["message"]
    with responses.following(ana, made, 1) as response:
        assert response.status_code == 200, "it waits for the next one"
        responses.cancel(ana, made)
        response.read()
    assert [event.type for event in responses.events_in(response.text)] == ["response.incomplete"]


def test_events_that_are_no_longer_stored():
    with chats.house({"runs.events_keep_s": 1}) as house:
        ana = chats.somebody(house, "ana")
        events = responses.stream(ana, "one two three")
        made = events[-1].data["response"]
        people.until(lambda: len(resume(ana, made)) < len(events))
        later = resume(ana, made)
        assert [event.type for event in later].count("response.output_text.delta") == 1
        assert responses.written(later) == "one two three"
        assert frames(later[:4]) == frames(events[:4]) and frames(later[-4:]) == frames(events[-4:])
        numbers = [event.number for event in later]
        assert numbers == sorted(set(numbers))
        assert frames(resume(ana, made, 3)) == frames(later[4:])
        assert frames(resume(ana, made, 6)) == frames(events[7:]), "it has the whole text"
        with responses.following(ana, made, 5) as response:
            assert response.status_code == 410
            assert response.read() and response.json()["error"]["code"] == "events_expired"


def test_in_the_background(ana):
    made = create(ana, "{words:5} {delay_ms:50}", background=True)
    assert made["status"] in ("queued", "in_progress") and made["background"]
    assert made["completed_at"] is None and made["usage"] is None
    ended = people.until(lambda: (now := responses.get(ana, made))["status"] == "completed" and now)
    assert text_of(ended) == chats.words(5) and ended["background"]
    events = responses.stream(ana, "{words:3}", background=True)
    assert events[0].data["response"]["background"] and events[-1].type == "response.completed"


def test_the_text_so_far(ana):
    made = create(ana, "{words:3} {delay_ms:60000}", background=True)
    now = people.until(lambda: (now := responses.get(ana, made))["output"] and now)
    assert now["status"] == "in_progress" and text_of(now) == "w1"
    assert now["output"][0]["status"] == "in_progress"
    responses.cancel(ana, made)


def test_cancelling(ana):
    made = create(ana, "{words:3} {delay_ms:60000}", background=True)
    people.until(lambda: responses.get(ana, made)["output"])
    cancelled = responses.cancelled(ana, made)
    assert cancelled["status"] == "cancelled" and text_of(cancelled) == "w1"
    assert cancelled["error"] is None and cancelled["incomplete_details"] is None
    assert responses.cancel(ana, made) == cancelled == responses.get(ana, made)
    assert ana.run(responses.run_of(made))["status"] == "cancelled"
    last = resume(ana, made)[-1]
    assert last.type == "response.incomplete" and last.data["response"] == cancelled
    done = create(ana, "hi")
    assert responses.cancel(ana, done) == done


def test_a_response_that_is_cancelled_while_its_client_waits(ana):
    def ask_or_cancel(number):
        if number == 0:
            return create(ana, "{first_delay_ms:60000} x")
        runs = people.until(lambda: ana.get("/chat/runs?status=running")["data"])
        return ana.cancel(runs[0])
    made, run = people.at_once(2, ask_or_cancel)
    assert made["status"] == "cancelled" and made["output"] == []
    assert responses.run_of(made) == run["id"]


def test_deleting(ana):
    first = create(ana, "one")
    second = create(ana, "two", previous_response_id=first["id"])
    third = create(ana, "three", previous_response_id=second["id"])
    other = create(ana, "other", previous_response_id=first["id"])
    answer = responses.delete(ana, second)
    assert answer.status == 200
    assert answer.json() == {"id": second["id"], "object": "response", "deleted": True}
    for gone in (second, third):
        refused(completions.request(ana, "GET", responses.path_of(gone)), 404, "not_found")
        refused(responses.delete(ana, gone), 404, "not_found")
        assert ana.request("GET", f"/chat/messages/{gone['output'][0]['id']}").status == 404
    assert responses.get(ana, other) == other
    said = ana.messages(first["session_id"])
    assert [chats.text_of(message) for message in said] == ["one", "one", "other", "other"]
    assert responses.delete(ana, first).status == 200
    assert ana.request("GET", f"/chat/sessions/{first['session_id']}").status == 404
    alone = create(ana, [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"},
                         {"role": "user", "content": "c"}])
    assert responses.delete(ana, alone).status == 200
    assert ana.get("/chat/sessions")["data"] == []


def test_deleting_while_it_is_written(ana):
    with responses.streaming(ana, "{words:3} {delay_ms:60000}") as response:
        pieces = response.iter_text()
        seen = next(pieces)
        made = responses.events_in(seen)[0].data["response"]
        assert responses.delete(ana, made).status == 200
        seen += "".join(pieces)
    assert responses.events_in(seen)[-1].data["response"]["status"] == "cancelled"
    refused(completions.request(ana, "GET", responses.path_of(made)), 404, "not_found")
    assert ana.get("/chat/sessions")["data"] == []


def test_the_input(ana):
    first = create(ana, [{"role": "system", "content": "Be brief."},
                         {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"},
                         {"role": "user", "content": "one"}])
    second = create(ana, "two", previous_response_id=first["id"])

    def items(query=""):
        answer = completions.request(ana, "GET", responses.path_of(second, "/input_items" + query))
        assert answer.status == 200, answer.body
        return answer.json()
    listed = items()
    assert set(listed) == {"object", "data", "first_id", "last_id", "has_more"}
    assert [(item["role"], item["content"][0]["type"], item["content"][0]["text"])
            for item in listed["data"]] == [
        ("user", "input_text", "two"), ("assistant", "output_text", "one"),
        ("user", "input_text", "one"), ("assistant", "output_text", "b"), ("user", "input_text", "a")]
    assert all(item["type"] == "message" and item["status"] == "completed" for item in listed["data"])
    assert (listed["first_id"], listed["last_id"], listed["has_more"]) == (
        listed["data"][0]["id"], listed["data"][-1]["id"], False)
    assert listed["data"][1] == first["output"][0]
    assert items("?order=asc&include=x")["data"] == listed["data"][::-1]
    paged, after = [], ""
    while True:
        page = items("?limit=2" + after)
        paged += page["data"]
        if not page["has_more"]:
            break
        after = "&after=" + page["last_id"]
    assert paged == listed["data"]
    end = items("?after=" + listed["last_id"])
    assert end["data"] == [] and end["first_id"] == end["last_id"] == ""
    for query, param in (("?limit=0", "limit"), ("?limit=101", "limit"), ("?order=up", "order"),
                         ("?after=msg_never", "after")):
        refused(completions.request(ana, "GET", responses.path_of(second, "/input_items" + query)),
                400, "validation_failed", param)


def test_a_body_that_is_not_taken(ana):
    made = create(ana, "hi")
    refused(completions.request(ana, "POST", responses.path_of(made, "/cancel"), {}), 400, "validation_failed")


def test_input_after_an_item_of_another_branch(ana):
    first = create(ana, "a")
    second, branch = (create(ana, text, previous_response_id=first["id"]) for text in "bd")
    third = create(ana, "c", previous_response_id=second["id"])
    for other in (branch, third, create(ana, "elsewhere")):
        answer = completions.request(ana, "GET", responses.path_of(
            third, "/input_items?after=" + other["output"][0]["id"]))
        refused(answer, 400, "validation_failed", "after")
    answer = completions.request(ana, "GET", responses.path_of(
        third, "/input_items?after=" + second["output"][0]["id"])).json()
    assert [item["content"][0]["text"] for item in answer["data"]] == ["b", "a", "a"]


def test_a_slow_reader_of_a_long_answer(ana):
    """The end of a stream has the text several times: more than may wait for a client."""
    made = create(ana, "{words:20000}")
    with responses.following(ana, made) as response:
        text = "".join(response.iter_text(1000))
    events = responses.check_events(responses.events_in(text))
    assert responses.written(events) == chats.words(20_000)


@pytest.mark.parametrize("options", [{}, {"text": {"format": {
    "type": "json_schema", "name": "words", "schema": SCHEMA}}}], ids=["text", "format"])
def test_a_crash_in_mid_answer(start, tmp_path, options):
    """`kill -9`: the client resumes after the last event that it has, and gets the same bytes."""
    house = chats.LastingHouse(start, tmp_path / "data")
    ana = chats.somebody(house, "ana")
    expected = f'"{chats.words(60)}"' if options else chats.words(60)
    seen = ""
    with responses.streaming(ana, "{delay_ms:30}" + expected, **options) as response:
        for text in response.iter_text():
            seen += text
            if len(responses.events_in(seen)) >= 12:
                house.kill()
                break
    seen = responses.events_in(seen)
    made = seen[0].data["response"]
    house.come_back()
    rest = resume(ana, made, seen[-1].number)
    whole = responses.check_events(seen + rest)
    assert whole[-1].type == "response.completed"
    assert responses.written(whole) == expected == text_of(whole[-1].data["response"])
    assert frames(resume(ana, made)) == frames(whole)
    house.restart()
    for number in (-1, 3, 11, seen[-1].number, whole[-2].number):
        again = resume(ana, made, None if number < 0 else number)
        assert frames(again) == frames(whole[number + 1:])
    assert responses.get(ana, made) == whole[-1].data["response"]


def test_a_response_that_was_interrupted(start, tmp_path):
    """By a restart of the server: the model on the other server cannot continue."""
    with upstreams.mock() as other:
        house = chats.LastingHouse(start, tmp_path / "data", upstreams.settings_of(
            other, upstreams.write_key(tmp_path), "silent"))
        ana = chats.somebody(house, "ana")
        key = {"Idempotency-Key": "interrupted"}
        seen = ""
        with responses.streaming(ana, "hello", key, model="silent") as response:
            for text in response.iter_text():
                seen += text
                if "output_text.delta" in seen:
                    house.kill()
                    break
        seen = responses.events_in(seen)
        made = seen[0].data["response"]
        house.come_back()
        whole = responses.check_events(seen + resume(ana, made, seen[-1].number))
        failed = whole[-1].data["response"]
        assert whole[-1].type == "response.failed" and failed["error"]["code"] == "server_error"
        assert responses.get(ana, made) == failed
        again = responses.post(ana, "hello", key, model="silent")
        assert again.status == 409 and again.json()["error"]["code"] == "run_interrupted"
        assert again.header("x-should-retry") == "false"
