"""Chat completions that are not stored: answers, streams, and supported fields."""
import time

import pytest

import chats
import completions
from chats import words
from completions import chunks, complete, text_of, user, written


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({"models.tiny.engine": "scripted", "models.tiny.context": 100}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def test_an_answer(ana):
    before = int(time.time())
    completion = complete(ana, "Hello there, world")
    assert set(completion) == completions.COMPLETION_FIELDS
    assert text_of(completion) == "Hello there, world"
    assert completion["model"] == "scripted" and before <= completion["created"] <= time.time()
    assert completion["choices"][0]["finish_reason"] == "stop"
    assert completion["usage"] == {"prompt_tokens": 3, "completion_tokens": 3, "total_tokens": 6,
                                   "prompt_tokens_details": {"cached_tokens": 0}}
    assert complete(ana, "Hello there, world")["id"] != completion["id"]


def test_nothing_of_it_is_kept(ana):
    complete(ana, "keep nothing")
    chunks(ana, "of this", metadata={"session_id": "ses_nobody"})
    assert ana.get("/chat/sessions")["data"] == []


def test_a_stream(ana):
    data = chunks(ana, "Hello there, world")
    first, *deltas, last = data
    assert all(set(chunk) == completions.CHUNK_FIELDS for chunk in data)
    assert {chunk["object"] for chunk in data} == {"chat.completion.chunk"}
    assert len({(chunk["id"], chunk["created"], chunk["model"]) for chunk in data}) == 1
    assert first["choices"] == [{"index": 0, "delta": {"role": "assistant", "content": ""},
                                 "finish_reason": None}]
    assert [chunk["choices"][0]["delta"] for chunk in deltas] == [
        {"content": text} for text in ("Hello", " there,", " world")]
    assert last["choices"] == [{"index": 0, "delta": {}, "finish_reason": "stop"}]


def test_a_stream_with_usage(ana):
    *data, last = chunks(ana, "one two", stream_options={"include_usage": True})
    assert all(chunk["usage"] is None and len(chunk["choices"]) == 1 for chunk in data)
    assert last["choices"] == [] and last["usage"] == {
        "prompt_tokens": 2, "completion_tokens": 2, "total_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 0}}
    assert "usage" not in chunks(ana, "one", stream_options={"include_usage": False})[-1]


def test_a_stream_comes_as_it_is_written(ana):
    with completions.streaming(ana, "{words:3} {delay_ms:60000}") as response:
        pieces = response.iter_text()
        seen = ""
        while "w1" not in seen:
            seen += next(pieces)
    assert "w2" not in seen


def test_long_streams_wait_for_their_reader(ana):
    assert written(chunks(ana, "{words:20000}")) == words(20_000)


def test_an_empty_answer(ana):
    assert text_of(complete(ana, "{words:0}")) == ""
    data = chunks(ana, "{words:0}")
    assert written(data) == "" and data[0]["choices"][0]["delta"]["role"] == "assistant"
    assert data[-1]["choices"][0]["finish_reason"] == "stop"


@pytest.mark.parametrize("said, more, text, reason", [
    ("{words:9}", {"max_tokens": 2}, "w1 w2", "length"),
    ("{words:9}", {"max_completion_tokens": 3, "max_tokens": 2}, "w1 w2 w3", "length"),
    ("{words:4} {max_tokens}", {}, "w1 w2", "length"),
    ("a b c d", {"stop": "c"}, "a b ", "stop"),
    ("a b c d", {"stop": ["x", "b"]}, "a ", "stop"),
    ("a b", {"stop": [], "temperature": 0, "top_p": 0, "seed": -1}, "a b", "stop"),
    ("a b", {"stop": None, "max_tokens": None, "stream": None, "store": None, "n": None}, "a b",
     "stop"),
])
def test_how_it_is_to_be_answered(ana, said, more, text, reason):
    completion = complete(ana, said, **more)
    assert (text_of(completion), completion["choices"][0]["finish_reason"]) == (text, reason)
    if "stream" not in more:
        data = chunks(ana, said, **more)
        assert (written(data), data[-1]["choices"][0]["finish_reason"]) == (text, reason)


def test_a_whole_conversation_is_shown(ana):
    completion = complete(ana, [
        {"role": "system", "content": "one two"}, user("three"),
        {"role": "assistant", "content": "four five"}, {"role": "developer", "content": "six"},
        {"role": "user", "content": [{"type": "text", "text": "seven"},
                                     {"type": "text", "text": " eight"}], "name": "ana"}])
    assert text_of(completion) == "seven eight"
    assert completion["usage"]["prompt_tokens"] == 8


def test_what_others_send_does_no_harm(ana):
    """Unknown fields, and fields without an effect."""
    completion = complete(ana, "hello", user="u-1", logit_bias={"50256": -100}, foo={"bar": [1]},
                          frequency_penalty=0.5, presence_penalty=-1, parallel_tool_calls=True,
                          service_tier="auto", reasoning_effort="low", tools=[], tool_choice="none",
                          response_format={"type": "text"}, n=1, logprobs=False,
                          modalities=["text"], audio=None, metadata=None)
    assert text_of(completion) == "hello"


def test_text_is_kept_to_the_letter(ana):
    for said in ("a\r\nb\rc\n\nd", "\0", "\u2028 \u2029 \x85", "data: x\n\ndata: [DONE]\n\n", "🦀"):
        assert text_of(complete(ana, said)) == said == written(chunks(ana, said))


def test_the_default_model(ana):
    response = completions.request(ana, "POST", "/chat/completions", {"messages": [user("hi")]})
    assert response.status == 200 and response.json()["model"] == "scripted"


def test_a_test_token_is_answered_by_the_scripted_model(house):
    tester = chats.somebody(house, "tess", test=True)
    completion = complete(tester, "hello", model="tiny")
    assert text_of(completion) == "hello" and completion["model"] == "scripted"


def test_a_conversation_that_does_not_fit(ana):
    long = [user("many " * 60), {"role": "assistant", "content": "many " * 30}, user("words")]
    for streamed in (False, True):
        error = completions.refused(completions.post(ana, long, model="tiny", stream=streamed), 400,
                                    "context_length_exceeded", "messages")
        assert "maximum context length is 100 tokens" in error["message"]
    assert text_of(complete(ana, "few words", model="tiny")) == "few words"


@pytest.mark.parametrize("choice", [{}, {"tool_choice": "auto"}, {"tool_choice": "none"}])
def test_offered_tools_are_answered_in_words(ana, choice):
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}] * 28
    for store in (False, True):
        assert text_of(complete(ana, "hello", tools=tools, store=store, **choice)) == "hello"
    assert text_of(complete(ana, "hello", functions=[{"name": "f"}], function_call="auto")) == "hello"


def test_no_limit_of_tokens(ana):
    for none in (-1, None):
        for name in ("max_tokens", "max_completion_tokens"):
            assert text_of(complete(ana, "{words:3}", **{name: none})) == "w1 w2 w3"
    assert text_of(complete(ana, "{words:3}", max_tokens=2, max_completion_tokens=-1)) == "w1 w2"


def test_models(ana):
    listed = completions.request(ana, "GET", "/models?unknown=1").json()
    assert listed["object"] == "list"
    names = [model["id"] for model in listed["data"]]
    assert "tiny" in names and names[-1] == "scripted", names
    one = completions.request(ana, "GET", "/models/tiny").json()
    assert one in listed["data"]
    assert one["object"] == "model" and isinstance(one["created"], int) and one["owned_by"]
    assert one["context_window"] == 100
    assert one["capabilities"] == {"json_schema": True, "tools": False, "vision": False,
                                   "embeddings": False}


def test_the_scripted_model_can_be_hidden():
    with chats.house({"models.scripted.listed": "false", "models.other.engine": "scripted"}) as house:
        bob = chats.somebody(house, "bob")
        listed = completions.request(bob, "GET", "/models").json()["data"]
        assert [model["id"] for model in listed] == ["other"]
        assert text_of(complete(bob, "hello")) == "hello", "it still answers"
        tess = chats.somebody(house, "tess", test=True)
        assert text_of(complete(tess, "hello", model="other")) == "hello"
