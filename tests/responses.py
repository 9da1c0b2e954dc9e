"""Talks to a server under test through OpenAI's Responses API, byte by byte."""
import contextlib
import json
import re

import httpx

import completions
import people
import program

RESPONSE_FIELDS = {"id", "object", "created_at", "status", "background", "completed_at", "error",
                   "incomplete_details", "instructions", "max_output_tokens", "model", "output",
                   "parallel_tool_calls", "previous_response_id", "store", "temperature", "text",
                   "tool_choice", "tools", "top_p", "truncation", "usage", "metadata"}
EVENT = re.compile(r"event: (response\.[a-z_.]+)\ndata: (\{[^\r\n]*\})")
LAST = {"response.completed", "response.incomplete", "response.failed"}


def body_of(said, more):
    return {"model": "scripted", "input": said, **more}


def post(person, said, headers=None, **more):
    return completions.request(person, "POST", "/responses", body_of(said, more), headers)


def checked(response):
    """The response object of an answer."""
    assert response.status == 200, response.body
    assert response.header("content-type") == "application/json"
    shown = response.json()
    fields = RESPONSE_FIELDS | {"session_id"} if shown["store"] else RESPONSE_FIELDS
    assert set(shown) == fields and shown["object"] == "response"
    assert shown["id"].startswith("resp_")
    return shown


def create(person, said, headers=None, **more):
    return checked(post(person, said, headers, **more))


def path_of(response, more=""):
    name = response if isinstance(response, str) else response["id"]
    return f"/responses/{name}{more}"


def get(person, response):
    return checked(completions.request(person, "GET", path_of(response)))


def cancel(person, response):
    return checked(completions.request(person, "POST", path_of(response, "/cancel")))


def cancelled(person, response):
    """Cancels it, and waits for its end, which the answer does for two seconds only."""
    return people.until(lambda: (now := cancel(person, response))["status"] == "cancelled" and now)


def delete(person, response):
    return completions.request(person, "DELETE", path_of(response))


def run_of(response):
    return "run_" + response["id"].removeprefix("resp_")


def text_of(response):
    """The text of a response with one message."""
    item, = response["output"]
    assert (item["type"], item["role"]) == ("message", "assistant")
    part, = item["content"]
    assert part["type"] == "output_text" and part["annotations"] == part["logprobs"] == []
    return part["text"]


class Event:
    def __init__(self, frame):
        match = EVENT.fullmatch(frame)
        assert match, f"not an event's frame: {frame!r}"
        self.frame = frame + "\n\n"
        self.type = match[1]
        self.data = json.loads(match[2])
        self.number = self.data["sequence_number"]
        assert self.data["type"] == self.type


def events_in(text):
    """The complete events of a stream; pings are skipped. A frame that was cut is left out."""
    whole = text[:text.rfind("\n\n") + 2]
    return [Event(frame) for frame in whole.split("\n\n") if frame and not frame.startswith(": ")]


def frames(events):
    return "".join(event.frame for event in events)


def written(events):
    return "".join(event.data["delta"] for event in events
                   if event.type == "response.output_text.delta")


def check_events(events, after=-1):
    """Checks a stream that was read after this number, to its end: no gap, one beginning, one end."""
    assert [event.number for event in events] == list(range(after + 1, after + 1 + len(events)))
    kinds = [event.type for event in events]
    if after < 0:
        assert kinds[:2] == ["response.created", "response.in_progress"], kinds
    assert kinds[-1] in LAST and not LAST & set(kinds[:-1]), kinds
    return events


@contextlib.contextmanager
def streaming(person, said, headers=None, **more):
    """The stream of a new response, while it is being sent."""
    fields = {"Authorization": f"Bearer {person.token}", **(headers or {})}
    with httpx.Client(timeout=program.PATIENCE) as client, client.stream(
            "POST", person.house.server.url("/v1/responses"), headers=fields,
            json=body_of(said, {**more, "stream": True})) as response:
        yield response


@contextlib.contextmanager
def following(person, response, after=None):
    """The stream of a stored response."""
    query = "?stream=true" + ("" if after is None else f"&starting_after={after}")
    with httpx.Client(timeout=program.PATIENCE) as client, client.stream(
            "GET", person.house.server.url("/v1" + path_of(response, query)),
            headers={"Authorization": f"Bearer {person.token}"}) as stream:
        yield stream


def stream(person, said, headers=None, **more):
    """All events of a new response."""
    with streaming(person, said, headers, **more) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        response.read()
    return check_events(events_in(response.text))


def resume(person, response, after=None):
    """The events after a number, to the end."""
    with following(person, response, after) as resumed:
        assert resumed.status_code == 200, resumed.read()
        resumed.read()
    return events_in(resumed.text)


def check_each_number(person, events):
    """An ended response can be resumed after each of its events, and after no other."""
    made = events[0].data["response"]
    assert frames(resume(person, made)) == frames(events)
    for event in events:
        assert frames(resume(person, made, event.number)) == frames(events[event.number + 1:])
    with following(person, made, events[-1].number + 1) as response:
        assert response.status_code == 400
        assert response.read() and response.json()["error"]["param"] == "starting_after"
