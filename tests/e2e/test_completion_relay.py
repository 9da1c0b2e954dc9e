"""Chat completions by models on other servers: requests and responses are passed on unchanged."""
import json

import pytest

import chats
import completions
import people
import upstream_ways as ways
import upstreams
from completions import post, refused, request, user

HOWS = ("ok", "named", "silent", "hang", "cut", "too_long", "tells_the_key", "status500", "status429",
        "error_event", "html")


@pytest.fixture(name="mock", scope="module")
def one_mock():
    with upstreams.mock() as opened:
        yield opened


@pytest.fixture(name="house", scope="module")
def one_house(mock, tmp_path_factory):
    key = upstreams.write_key(tmp_path_factory.mktemp("keys"))
    with chats.house(upstreams.settings_of(mock, key, *HOWS)) as opened:
        yield opened
        assert ways.KEY not in opened.server.log.text()


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


# Features that our own models do not have, and fields that the relay does not check.
EVERYTHING = {"model": "ok", "messages": [
    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png,"}}]},
    {"role": "tool", "tool_call_id": "c", "content": "4"}, {"role": "assistant", "content": "?"}],
    "tools": [{"type": "function", "function": {"name": "f"}}], "n": 2, "logprobs": True,
    "response_format": {"type": "json_schema", "json_schema": {"schema": {"pattern": "x"}}},
    "temperature": 9, "whatever": {"x": [1, 2.50]}}


def test_a_request_is_handed_on_as_it_is(ana, mock):
    ours = {"store": False, "metadata": {"a": "b"}, "max_tokens": -1}
    response = request(ana, "POST", "/chat/completions", {**EVERYTHING, **ours})
    assert response.status == 200, response.body
    assert response.json()["choices"][0]["message"]["content"] == ways.TEXT
    assert response.json()["model"] == "ok", "the name that was asked for, not the one there"
    assert mock.asked("ok")[-1] == {**EVERYTHING, "model": "there"}
    assert ana.get("/chat/sessions")["data"] == []


def test_a_stream_carries_the_name_that_was_asked_for(ana):
    for chunk in completions.chunks(ana, "hi", model="named"):
        assert chunk["model"] == "named", chunk


@pytest.mark.parametrize("trace, sent", [
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",) * 2,
    ("00-00000000000000000000000000000000-b7ad6b7169203331-01", None), ('x" injected="y', None)])
def test_a_trace_is_taken_over_if_it_is_valid(house, ana, mock, trace, sent):
    assert post(ana, "hi", {"traceparent": trace}, model="ok").status == 200
    assert mock.questions[-1][1].get("traceparent") == sent
    assert post(ana, "hi", {"traceparent": trace}, model="ok", store=True).status == 200
    assert mock.questions[-1][1].get("traceparent") == sent, "a stored run, too"
    name = f"traced-{len(trace)}-{bool(sent)}"
    assert post(ana, "hi", {"traceparent": trace, "X-Request-Id": name}).status == 200
    line = house.server.log.wait_for(message="request served", request_id=name)
    assert line.get("trace_id") == (sent.split("-")[1] if sent else None)


def test_a_stream_is_handed_on_as_it_is(ana, mock):
    with completions.streaming(ana, "hi", model="ok") as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        response.read()
    *data, done = completions.events_in(response.text)
    assert done == "[DONE]" and [json.loads(each) for each in data] == [
        *map(ways.delta, ways.WORDS), ways.finish(), ways.USAGE]
    assert mock.asked("ok")[-1]["stream"] is True


def test_a_test_token_never_gets_there(house, mock):
    before = len(mock.questions)
    tess = chats.somebody(house, "tess", test=True)
    assert completions.text_of(completions.complete(tess, "hi", model="ok")) == "hi"
    assert len(mock.questions) == before


def test_what_the_other_side_finds_wrong(ana):
    for streamed in (False, True):
        response = post(ana, "hi", model="too_long", stream=streamed)
        assert response.status == 400 and response.json() == {
            "error": {"message": "too long", "code": "context_length_exceeded"}}
        assert ways.KEY not in post(ana, "hi", model="tells_the_key", stream=streamed).body.decode()


@pytest.mark.parametrize("how, status, code", [
    ("status500", 502, "upstream_error"), ("status429", 503, "overloaded"),
    ("html", 502, "upstream_error")])
@pytest.mark.parametrize("streamed", [False, True])
def test_failures_before_the_first_piece(ana, how, status, code, streamed):
    response = post(ana, "hi", model=how, stream=streamed)
    refused(response, status, code)
    assert response.header("x-should-retry") is None
    if how == "status429":
        assert response.header("retry-after") == str(ways.RETRY_AFTER)


def test_a_failure_in_the_middle(ana):
    with completions.streaming(ana, "hi", model="cut") as response:
        response.read()
    *data, last = [json.loads(each) for each in completions.events_in(response.text)]
    assert completions.written(data) == ways.HALF
    assert last["error"]["code"] == "upstream_error"


def test_who_leaves_ends_it_there(ana, mock):
    with completions.streaming(ana, "hi", model="silent") as response:
        seen = ""
        for piece in response.iter_text():
            seen += piece
            if "two" in seen:
                break
    assert mock.left.acquire(timeout=completions.program.PATIENCE)


def test_an_account_that_is_disabled_loses_its_streams(house):
    """An incomplete answer must not look complete. Several streams, because the order of notification is
    random."""
    for number in range(6):
        ben = chats.somebody(house, f"ben{number}")
        with completions.streaming(ben, "hi", model="silent") as response:
            pieces = response.iter_text()
            assert any("two" in piece for piece in pieces)
            account = next(each for each in house.get("/users", house.admin)["data"]
                           if each["username"] == f"ben{number}")
            assert house.ask("PATCH", f"/users/{account['id']}", house.admin, {"disabled": True}).status == 200
            with pytest.raises(completions.httpx.RemoteProtocolError):
                for _ in pieces:
                    pass


def test_each_takes_a_place_in_the_queue(mock, tmp_path):
    settings = {**upstreams.settings_of(mock, upstreams.write_key(tmp_path), "ok", "silent"),
                "runs.max_concurrent": 1, "runs.max_queued": 0}
    with chats.house(settings) as house:
        ana = chats.somebody(house, "ana")
        with completions.streaming(ana, "hi", model="silent") as response:
            assert any("two" in piece for piece in response.iter_text())
            refused(post(ana, "hi", model="ok"), 503, "overloaded")
            assert completions.text_of(completions.complete(ana, "at once")) == "at once", (
                "the scripted model has a line of its own")
        people.until(lambda: post(ana, "hi", model="ok").status == 200)


def test_what_is_stored_is_a_run(ana):
    completion = completions.complete(ana, [{"role": "system", "content": "Be brief."}, user("hi")],
                                      model="ok", store=True)
    assert completions.text_of(completion) == ways.TEXT
    run = ana.run(completion["metadata"]["run_id"])
    assert run["model"] == "ok" and chats.text_of(run["message"]) == ways.TEXT
    data = completions.chunks(ana, "more", model="ok", store=True)
    assert completions.written(data) == ways.TEXT
    refused(post(ana, "hi", model="ok", store=True, n=2), 400, "unsupported_parameter", "n")
