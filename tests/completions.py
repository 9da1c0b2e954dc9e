"""Talks to a server under test through OpenAI's API, byte by byte."""
import contextlib
import json

import httpx

import program
import wire

ERROR_FIELDS = {"message", "type", "param", "code"}
COMPLETION_FIELDS = {"id", "object", "created", "model", "choices", "usage"}
CHUNK_FIELDS = {"id", "object", "created", "model", "choices"}


def user(text):
    return {"role": "user", "content": text}


def body_of(said, more):
    messages = [user(said)] if isinstance(said, str) else said
    return {"model": "scripted", "messages": messages, **more}


def request(person, method, path, body=None, headers=None):
    """A request to a path below /v1, on a new connection; bytes are sent unchanged."""
    fields = {"Authorization": f"Bearer {person.token}"} if person.token else {}
    if body is not None:
        fields["Content-Type"] = "application/json"
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    with wire.Connection(person.house.server.address, timeout=program.PATIENCE) as connection:
        return connection.ask(method, "/v1" + path, {**fields, **(headers or {})},
                              b"" if body is None else payload)


def post(person, said, headers=None, **more):
    """The response to a chat completion; `said` is a text or a list of messages."""
    return request(person, "POST", "/chat/completions", body_of(said, more), headers)


def complete(person, said, headers=None, **more):
    response = post(person, said, headers, **more)
    assert response.status == 200, response.body
    assert response.header("content-type") == "application/json"
    completion = response.json()
    assert COMPLETION_FIELDS <= set(completion) and completion["object"] == "chat.completion"
    assert completion["id"].startswith("chatcmpl-")
    return completion


def text_of(completion):
    choice, = completion["choices"]
    assert choice["index"] == 0 and choice["message"]["role"] == "assistant"
    return choice["message"]["content"]


@contextlib.contextmanager
def streaming(person, said, headers=None, **more):
    """The response of a stream, while it is being sent."""
    fields = {"Authorization": f"Bearer {person.token}", **(headers or {})}
    with httpx.Client(timeout=program.PATIENCE) as client, client.stream(
            "POST", person.house.server.url("/v1/chat/completions"), headers=fields,
            json=body_of(said, {**more, "stream": True})) as response:
        yield response


def events_in(text):
    """The data of each event, which must be exactly well-formed; pings are skipped."""
    assert text.endswith("\n\n"), text
    events = [event for event in text[:-2].split("\n\n") if not event.startswith(": ")]
    assert all(event.startswith("data: ") and "\n" not in event for event in events), events
    return [event.removeprefix("data: ") for event in events]


def chunks(person, said, headers=None, **more):
    """All chunks of a stream that ends normally."""
    with streaming(person, said, headers, **more) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        response.read()
    *data, done = events_in(response.text)
    assert done == "[DONE]"
    return [json.loads(each) for each in data]


def written(data):
    """The text of these chunks."""
    return "".join(chunk["choices"][0]["delta"].get("content", "")
                   for chunk in data if chunk["choices"])


def refused(response, status, code, param=None):
    """Checks an error in OpenAI's format, and returns it."""
    assert response.status == status, response.body
    assert response.header("content-type") == "application/json"
    assert response.header("x-request-id")
    assert set(response.json()) == {"error"}
    error = response.json()["error"]
    assert set(error) == ERROR_FIELDS and error["message"], error
    assert (error["code"], error["param"]) == (code, param), error
    kinds = {429: "requests"}
    expected = "server_error" if status >= 500 else kinds.get(status, "invalid_request_error")
    assert error["type"] == expected, error
    return error
