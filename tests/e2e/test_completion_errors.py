"""Every error of the OpenAI-compatible routes has OpenAI's format, whichever step finds it."""
import json

import pytest

import chats
import completions
import people
from completions import post, refused, request, user


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.mark.parametrize("method, path", [("POST", "/chat/completions"), ("GET", "/models"),
                                          ("GET", "/models/scripted")])
def test_tokens(house, method, path):
    for token in (None, people.invented_token()):
        response = request(chats.Person(house, token), method, path)
        refused(response, 401, "invalid_api_key")
        assert response.header("www-authenticate").startswith(people.CHALLENGE)
    reader = chats.somebody(house, "rita-" + path.strip("/").replace("/", "-"), scopes=["account"])
    response = request(reader, method, path)
    refused(response, 403, "insufficient_scope")
    assert 'error="insufficient_scope"' in response.header("www-authenticate")


def test_what_pipes_refuse(ana):
    refused(request(ana, "GET", "/chat/completions"), 405, "method_not_allowed")
    assert request(ana, "DELETE", "/models").header("allow") == "GET, HEAD, OPTIONS"
    refused(request(ana, "DELETE", "/models/scripted"), 405, "method_not_allowed")
    refused(request(ana, "POST", "/chat/completions", b"{}", {"Content-Type": "text/plain"}), 415,
            "unsupported_media_type")
    refused(request(ana, "POST", "/chat/completions", b"{"), 400, "invalid_json")
    refused(request(ana, "POST", "/chat/completions", b'"' + b"x" * (16 << 20) + b'"'), 413,
            "body_too_large")
    refused(request(ana, "GET", "/models?a=%zz"), 400, "invalid_request")
    refused(request(ana, "GET", "/nothing"), 404, "not_found")


def test_unknown_models(ana):
    refused(post(ana, "hi", model="gpt-4o"), 404, "model_not_found", "model")
    refused(post(ana, "hi", model="gpt-4o", stream=True), 404, "model_not_found", "model")
    refused(request(ana, "GET", "/models/gpt-4o"), 404, "model_not_found", "model")


@pytest.mark.parametrize("change, param", [
    ({"messages": []}, "messages"),
    ({"messages": None}, "messages"),
    ({"messages": [{"role": "wizard"}] * 10_001}, "messages"),
    ({"messages": [{"content": "hi"}]}, "messages[0].role"),
    ({"messages": [{"role": "wizard", "content": "hi"}]}, "messages[0].role"),
    ({"messages": [user("hi"), {"role": "user"}]}, "messages[1].content"),
    ({"messages": [user(7)]}, "messages[0].content"),
    ({"messages": [user([{"type": "text"}])]}, "messages[0].content[0].text"),
    ({"messages": [user([{"text": "hi"}])]}, "messages[0].content[0].type"),
    ({"messages": [user("hi"), {"role": "assistant", "content": "ho"}]}, "messages"),
    ({"messages": [{"role": "system", "content": "hi"}]}, "messages"),
    ({"temperature": 3}, "temperature"), ({"temperature": "hot"}, "temperature"),
    ({"top_p": -0.1}, "top_p"), ({"max_tokens": 0}, "max_tokens"), ({"seed": 0.5}, "seed"),
    ({"max_tokens": -2}, "max_tokens"), ({"top_k": -1}, "top_k"), ({"top_k": 1.5}, "top_k"),
    ({"min_p": 1.1}, "min_p"), ({"repeat_penalty": 0}, "repeat_penalty"),
    ({"presence_penalty": 2.1}, "presence_penalty"), ({"frequency_penalty": -3}, "frequency_penalty"),
    ({"logit_bias": {"x": 1}}, "logit_bias.x"), ({"logit_bias": {"7": 101}}, "logit_bias[7]"),
    ({"logit_bias": []}, "logit_bias"),
    ({"stop": ["a"] * 5}, "stop"), ({"stop": ""}, "stop"), ({"stop": [""]}, "stop[0]"),
    ({"stop": 7}, "stop"), ({"stream": "yes"}, "stream"), ({"store": 1}, "store"),
    ({"model": 7}, "model"), ({"metadata": {"k": 7}}, "metadata.k"),
    ({"stream_options": {"include_usage": "yes"}}, "stream_options.include_usage"),
])
def test_faults(ana, change, param):
    body = {"model": "scripted", "messages": [user("hi")], **change}
    refused(request(ana, "POST", "/chat/completions", body), 400, "validation_failed", param)


def test_all_faults_are_told_at_once(ana):
    error = refused(post(ana, "hi", temperature=9, seed=[], top_p=2), 400, "validation_failed",
                    "temperature")
    assert all(name in error["message"] for name in ("temperature: ", "seed: ", "top_p: "))
    error = refused(post(ana, "hi", stream="yes", temperature=9), 400, "validation_failed", "stream")
    assert "stream: " in error["message"] and "temperature: " in error["message"]
    error = refused(post(ana, "hi", model=7, temperature=9), 400, "validation_failed", "model")
    assert "temperature" not in error["message"], "the model decides about it"
    refused(request(ana, "POST", "/chat/completions", b"[]"), 400, "validation_failed", None)


@pytest.mark.parametrize("change, param", [
    ({"function_call": {"name": "f"}}, "function_call"), ({"n": 2}, "n"),
    ({"logprobs": True}, "logprobs"), ({"top_logprobs": 2}, "top_logprobs"),
    ({"modalities": ["text", "audio"]}, "modalities"), ({"audio": {"voice": "ash"}}, "audio"),
    ({"messages": [user([{"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}])]},
     "messages[0].content[0]"),
    ({"messages": [user("hi"), {"role": "function", "content": "4", "name": "f"}, user("?")]},
     "messages[1].role"),
])
def test_what_our_models_cannot_do(ana, change, param):
    body = {"model": "scripted", "messages": [user("hi")], **change}
    for store in (False, True):
        refused(request(ana, "POST", "/chat/completions", {**body, "store": store}), 400,
                "unsupported_parameter", param)


@pytest.mark.parametrize("code, status", [("upstream_error", 502), ("upstream_timeout", 504),
                                          ("overloaded", 503), ("model_unavailable", 503)])
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("stored", [False, True])
def test_models_that_fail_before_the_first_piece(ana, code, status, streamed, stored):
    response = post(ana, f"{{error:{code}}}", stream=streamed, store=stored)
    refused(response, status, code)
    assert response.header("x-should-retry") is None
    assert (response.header("retry-after") is not None) == (status == 503)


@pytest.mark.parametrize("stored", [False, True])
def test_models_that_fail_in_the_middle(ana, stored):
    response = post(ana, "{words:9} {fail_after:5}", store=stored)
    refused(response, 502, "upstream_error")
    assert response.header("x-should-retry") == "false"
    with completions.streaming(ana, "{words:9} {fail_after:5}", store=stored) as streamed:
        assert streamed.status_code == 200
        streamed.read()
    *data, last = [json.loads(data) for data in completions.events_in(streamed.text)]
    assert completions.written(data) == chats.words(5)
    assert set(last) == {"error"} and set(last["error"]) == completions.ERROR_FIELDS
    assert last["error"]["code"] == "upstream_error"


def test_limits():
    with chats.house({"limits.chat": 2}) as house:
        ana = chats.somebody(house, "ana")
        allowed = [post(ana, "hi") for _ in range(2)]
        assert [response.status for response in allowed] == [200, 200]
        assert allowed[1].header("ratelimit").startswith('"chat";r=0;t=')
        over = post(ana, "hi", stream=True)
        refused(over, 429, "rate_limit_exceeded")
        assert 0 < int(over.header("retry-after")) <= 60
        assert over.header("ratelimit-policy") == '"chat";q=2;w=60'
        assert over.header("x-ratelimit-remaining") == "0"
        refused(request(ana, "GET", "/models/nobody"), 404, "model_not_found", "model")


def test_runs_that_take_too_long():
    with chats.house({"runs.timeout_s": 1}) as house:
        ana = chats.somebody(house, "ana")
        response = post(ana, "{words:2} {delay_ms:60000}")
        refused(response, 504, "upstream_timeout")
        assert response.header("x-should-retry") == "false"


def test_whom_to_ask_for_access():
    with chats.house({"server.contact": "ops@example.org"}) as house:
        error = refused(request(chats.Person(house, None), "GET", "/models"), 401, "invalid_api_key")
        assert "ops@example.org" in error["message"]
