"""LiteLLM's client works with base URL and key only, and maps our errors to its own exceptions. It runs in a
separate process, once for all tests, because importing it takes seconds."""
import json
import os
import subprocess
import sys

import pytest

import chats
import people
import python_packages

SCRIPT = """
import asyncio, json, sys
import litellm
import pydantic

base, token, busy, stranger = sys.argv[1:]
litellm.suppress_debug_info = True


class Person(pydantic.BaseModel):
    name: str
    age: int


def ask(text="hi", **more):
    return litellm.completion(**{
        "model": "openai/scripted", "messages": [{"role": "user", "content": text}],
        "api_base": base, "api_key": token, "max_retries": 0, **more})


def failure(work):
    try:
        work()
    except Exception as error:
        return [type(error).__name__, getattr(error, "status_code", None)]


async def asynchronously():
    stream = await litellm.acompletion(
        model="openai/scripted", messages=[{"role": "user", "content": "{words:4}"}],
        api_base=base, api_key=token, stream=True)
    return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])


def interrupted():
    for chunk in ask("{words:9} {fail_after:3}", stream=True):
        seen.append(chunk.choices[0].delta.content or "")


plain = ask("Hello there")
chunks = list(ask("{words:5}", stream=True, stream_options={"include_usage": True}))
first = ask("one", store=True, metadata={"k": "v"})
seen = []
print(json.dumps({
    "text": plain.choices[0].message.content, "tokens": plain.usage.total_tokens,
    "finish": plain.choices[0].finish_reason,
    "streamed": "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices),
    "usage": [chunk.usage.completion_tokens for chunk in chunks if getattr(chunk, "usage", None)],
    "asynchronous": asyncio.run(asynchronously()),
    "person": json.loads(ask('{"name": "Ana", "age": 4}', response_format=Person).choices[0].message.content),
    "stored": first.choices[0].message.content,
    "errors": {
        "body": failure(lambda: ask(temperature=9)),
        "choices": failure(lambda: ask(n=2)),
        "model": failure(lambda: ask(model="openai/gpt-4o")),
        "context": failure(lambda: ask("many " * 90, model="openai/tiny")),
        "token": failure(lambda: ask(api_key=stranger)),
        "upstream": failure(lambda: ask("{error:upstream_error}")),
        "busy": failure(lambda: ask("{error:overloaded}")),
        "middle": failure(interrupted),
        "limit": failure(lambda: [ask(api_key=busy) for _ in range(21)])},
    "before_it_failed": "".join(seen)}))
"""


@pytest.fixture(name="house", scope="module")
def one_house():
    settings = {"models.tiny.engine": "scripted", "models.tiny.context": 100, "limits.chat": 20}
    with chats.house(settings) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.fixture(name="seen", scope="module")
def what_it_saw(ana):
    environment = {**os.environ, "PYTHONPATH": str(python_packages.installed("litellm")),
                   "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
    busy = chats.somebody(ana.house, "busy")
    done = subprocess.run([sys.executable, "-c", SCRIPT, ana.house.server.url("/v1"), ana.token,
                           busy.token, people.invented_token()], env=environment,
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_plain(seen):
    assert seen["text"] == "Hello there" and seen["tokens"] == 4 and seen["finish"] == "stop"


def test_streams(seen):
    assert seen["streamed"] == chats.words(5) and seen["usage"] == [5]
    assert seen["asynchronous"] == chats.words(4)


def test_structured_answers(seen):
    assert seen["person"] == {"name": "Ana", "age": 4}


def test_errors(seen):
    assert seen["errors"] == {
        "body": ["BadRequestError", 400], "choices": ["BadRequestError", 400],
        "model": ["NotFoundError", 404], "context": ["ContextWindowExceededError", 400],
        "token": ["AuthenticationError", 401], "upstream": ["BadGatewayError", 502],
        "busy": ["ServiceUnavailableError", 503], "middle": ["MidStreamFallbackError", 500],
        "limit": ["RateLimitError", 429]}
    assert seen["before_it_failed"] == chats.words(3)


def test_store(seen, ana):
    assert seen["stored"] == "one"
    session, = ana.get("/chat/sessions")["data"]
    assert [chats.text_of(message) for message in ana.messages(session)] == ["one", "one"]
