"""OpenAI's own Python client works with base URL and key only, and maps our errors to its own exception
classes."""
import asyncio
import datetime
from typing import Literal

import httpx
import openai
import pydantic
import pytest

import chats
import people


NOTHING_HERE = "There is nothing at this path."


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({"models.tiny.engine": "scripted", "models.tiny.context": 100}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.fixture(name="client", scope="module")
def official_client(ana):
    with openai.OpenAI(base_url=ana.house.server.url("/v1"), api_key=ana.token,
                       max_retries=0) as client:
        yield client


def said(text):
    return {"model": "scripted", "messages": [{"role": "user", "content": text}]}


def test_plain(client):
    completion = client.chat.completions.create(**said("Hello there"), temperature=0.5, seed=7)
    assert completion.choices[0].message.content == "Hello there"
    assert completion.choices[0].finish_reason == "stop"
    assert completion.usage.total_tokens == 4 and completion._request_id
    raw = client.chat.completions.with_raw_response.create(**said("Hello there"))
    assert raw.headers["x-ratelimit-limit"] == "5000" and raw.parse().id != completion.id


def test_stream_with_usage(client):
    with client.chat.completions.create(**said("{words:5}"), stream=True,
                                        stream_options={"include_usage": True}) as stream:
        chunks = list(stream)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert "".join(chunk.choices[0].delta.content or ""
                   for chunk in chunks if chunk.choices) == chats.words(5)
    assert chunks[-1].usage.completion_tokens == 5 and chunks[-2].choices[0].finish_reason == "stop"


def test_the_helper_that_puts_streams_together(client):
    with client.chat.completions.stream(**said("{words:5} {delay_ms:5}")) as stream:
        text = "".join(event.delta for event in stream if event.type == "content.delta")
        final = stream.get_final_completion()
    assert text == chats.words(5) == final.choices[0].message.content


def test_asynchronous(ana):
    async def ask():
        async with openai.AsyncOpenAI(base_url=ana.house.server.url("/v1"),
                                      api_key=ana.token) as client:
            stream = await client.chat.completions.create(**said("{words:5}"), stream=True)
            return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
    assert asyncio.run(ask()) == chats.words(5)


def test_models(client):
    assert {"scripted", "tiny"} <= {model.id for model in client.models.list()}
    assert client.models.retrieve("tiny").id == "tiny"
    with pytest.raises(openai.NotFoundError) as caught:
        client.models.retrieve("gpt-4o")
    assert caught.value.code == "model_not_found"


def test_what_there_is_not(client):
    """Its message is ours: an answer that the client cannot read would leave it with the status alone."""
    with pytest.raises(openai.NotFoundError) as caught:
        client.images.generate(model="scripted", prompt="a cat")
    assert caught.value.code == "not_found" and caught.value.request_id
    assert caught.value.body["message"] == NOTHING_HERE and NOTHING_HERE in caught.value.message


@pytest.mark.parametrize("change, kind, code, param", [
    ({"temperature": 9}, openai.BadRequestError, "validation_failed", "temperature"),
    ({"n": 2}, openai.BadRequestError, "unsupported_parameter", "n"),
    ({"model": "gpt-4o"}, openai.NotFoundError, "model_not_found", "model"),
    ({"model": "tiny", "messages": [{"role": "user", "content": "many " * 90}]},
     openai.BadRequestError, "context_length_exceeded", "messages"),
    (said("{error:upstream_error}"), openai.InternalServerError, "upstream_error", None),
    (said("{error:overloaded}"), openai.InternalServerError, "overloaded", None),
    (said("{fail_after:1} a b"), openai.InternalServerError, "upstream_error", None),
])
def test_errors(client, change, kind, code, param):
    with pytest.raises(kind) as caught:
        client.chat.completions.create(**{**said("hi"), **change})
    assert (caught.value.code, caught.value.param) == (code, param)
    assert caught.value.request_id and caught.value.body["message"]


def test_errors_of_tokens(house):
    with openai.OpenAI(base_url=house.server.url("/v1"), api_key=people.invented_token(),
                       max_retries=0) as stranger:
        with pytest.raises(openai.AuthenticationError) as caught:
            stranger.chat.completions.create(**said("hi"))
        assert caught.value.code == "invalid_api_key"
    reader = chats.somebody(house, "rita", scopes=["chat:read"])
    with openai.OpenAI(base_url=house.server.url("/v1"), api_key=reader.token,
                       max_retries=0) as client:
        assert client.models.list().data
        with pytest.raises(openai.PermissionDeniedError):
            client.chat.completions.create(**said("hi"))


def test_a_stream_that_fails_in_the_middle(client):
    seen = []
    with pytest.raises(openai.APIError) as caught:
        for chunk in client.chat.completions.create(**said("{words:9} {fail_after:3}"), stream=True):
            seen.append(chunk.choices[0].delta.content or "")
    assert "".join(seen) == chats.words(3) and caught.value.code == "upstream_error"


class Person(pydantic.BaseModel):
    name: str
    mood: Literal["good", "bad"]
    friends: list["Person"]
    born: datetime.date | None


def test_answers_are_parsed(client):
    completion = client.chat.completions.parse(**said("hi"), response_format=Person)
    assert completion.choices[0].message.parsed == Person(name="", mood="good", friends=[],
                                                          born="1970-01-01")
    given = Person(name="Ana", mood="bad", friends=[
        Person(name="Bo", mood="good", friends=[], born=None)], born="2001-02-03")
    with client.chat.completions.stream(**said(given.model_dump_json()),
                                        response_format=Person) as stream:
        events = [event.type for event in stream]
    assert "content.done" in events
    assert stream.get_final_completion().choices[0].message.parsed == given


def test_an_answer_that_is_cut_is_not_parsed(client):
    with pytest.raises(openai.LengthFinishReasonError):
        client.chat.completions.parse(**said("{max_tokens} hi"), response_format=Person)


def test_schemas_that_are_refused(client):
    class Code(pydantic.BaseModel):
        code: str = pydantic.Field(pattern="[A-Z]+")

    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.parse(**said("hi"), response_format=Code)
    assert caught.value.code == "unsupported_schema"
    assert caught.value.param == "response_format.json_schema.schema.properties.code.pattern"


def test_what_is_tried_again(ana):
    """The client retries requests that failed before the model began, and only those."""
    def tries(text):
        sent = []
        with openai.OpenAI(base_url=ana.house.server.url("/v1"), api_key=ana.token, max_retries=1,
                           http_client=httpx.Client(event_hooks={"request": [sent.append]})
                           ) as client, pytest.raises(openai.InternalServerError):
            client.chat.completions.create(**said(text))
        return len(sent)

    assert tries("{error:upstream_error}") == 2
    assert tries("a b {fail_after:1}") == 1


def test_limits_are_waited_for():
    """A refused request is repeated after Retry-After, and then succeeds."""
    with chats.house({"limits.chat": 1, "limits.window_s": 4}) as house:
        ana = chats.somebody(house, "ana")
        with openai.OpenAI(base_url=house.server.url("/v1"), api_key=ana.token) as client:
            for _ in range(2):
                completion = client.chat.completions.create(**said("hi"))
                assert completion.choices[0].message.content == "hi"
            with pytest.raises(openai.RateLimitError) as caught:
                for _ in range(5):  # A slow machine may ask after the window; then that request fills the next one.
                    client.with_options(max_retries=0).chat.completions.create(**said("hi"))
            assert caught.value.code == "rate_limit_exceeded"


def test_store(client, ana):
    first = client.chat.completions.create(**said("one"), store=True, metadata={"k": "v"})
    second = client.chat.completions.create(**said("two"), store=True, metadata=first.metadata)
    session = first.metadata["session_id"]
    assert second.metadata["session_id"] == session
    assert [chats.text_of(message) for message in ana.messages(session)] == [
        "one", "one", "two", "two"]
