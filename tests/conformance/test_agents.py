"""LangChain and Instructor call tools, and parse answers, with base URL and key only. They run in a separate process,
once for all tests, because importing them takes seconds."""
import json
import os
import subprocess
import sys

import pytest

import chats
import python_packages

SCRIPT = """
import json, sys
import instructor
import openai
import pydantic
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

base, token = sys.argv[1:]


@tool
def get_weather(city: str, days: int = 1) -> str:
    "Tells the weather in a city."
    return f"{days} days of sun in {city}"


@tool
def stop_music() -> str:
    "Stops the music."
    return "done"


class Person(pydantic.BaseModel):
    "A person."
    name: str
    age: int


model = ChatOpenAI(base_url=base, api_key=token, model="scripted", max_retries=0)
asked = HumanMessage('{"city": "Paris", "days": 3}')
required = model.bind_tools([get_weather, stop_music], tool_choice="required")
named = model.bind_tools([get_weather, stop_music], tool_choice="stop_music")
first = required.invoke([asked])
result = get_weather.invoke(first.tool_calls[0])
joined = None
for chunk in required.stream([asked]):
    joined = chunk if joined is None else joined + chunk
ben = '{"name": "Ben", "age": 5}'
by_responses = ChatOpenAI(base_url=base, api_key=token, model="scripted", max_retries=0, use_responses_api=True)
call = by_responses.bind_tools([get_weather], tool_choice="required").invoke([asked])
ana = {"model": "scripted", "response_model": Person, "max_retries": 0,
       "messages": [{"role": "user", "content": '{"name": "Ana", "age": 4}'}]}


def instructed(mode):
    patched = instructor.from_openai(openai.OpenAI(base_url=base, api_key=token, max_retries=0), mode=mode)
    whole = patched.chat.completions.create(**ana)
    *_, last = patched.chat.completions.create_partial(**ana)
    return [whole.model_dump(), last.model_dump()]


def structured(method):
    bound = model.with_structured_output(Person, method=method)
    *_, last = bound.stream(ben)
    return [bound.invoke(ben).model_dump(), last.model_dump()]


print(json.dumps({
    "required": [first.tool_calls[0]["name"], first.tool_calls[0]["args"]],
    "finish": first.response_metadata["finish_reason"],
    "text": "".join(chunk.content for chunk in model.stream("{words:5}")),
    "named": named.invoke([asked]).tool_calls[0]["name"],
    "streamed": [joined.tool_calls[0]["name"], joined.tool_calls[0]["args"]],
    "chosen": model.bind_tools([get_weather]).invoke("hello").content,
    "last": model.bind_tools([get_weather]).invoke([asked, first, result]).content,
    "structured": {method: structured(method) for method in ("function_calling", "json_schema", "json_mode")},
    "default": model.with_structured_output(Person).invoke(ben).model_dump(),
    "responses": {
        "text": by_responses.invoke("Hello there").text,
        "streamed": "".join(chunk.text for chunk in by_responses.stream("{words:5}")),
        "called": call.tool_calls[0]["args"],
        "last": by_responses.bind_tools([get_weather]).invoke([asked, call, get_weather.invoke(call.tool_calls[0])]).text,
        "structured": [by_responses.with_structured_output(Person, method=method).invoke(ben).model_dump()
                       for method in ("function_calling", "json_schema", "json_mode")]},
    "instructed": {mode.name: instructed(mode) for mode in (
        instructor.Mode.TOOLS, instructor.Mode.TOOLS_STRICT, instructor.Mode.JSON, instructor.Mode.JSON_SCHEMA)}}))
"""


@pytest.fixture(name="seen", scope="module")
def what_they_saw():
    environment = {**os.environ, "PYTHONPATH": str(python_packages.installed("agents")), "LANGSMITH_TRACING": "false"}
    with chats.house() as house:
        ana = chats.somebody(house, "ana")
        done = subprocess.run([sys.executable, "-c", SCRIPT, house.server.url("/v1"), ana.token],
                              env=environment, capture_output=True, text=True, timeout=300,
                              check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_langchain(seen):
    paris = ["get_weather", {"city": "Paris", "days": 3}]
    assert seen["required"] == seen["streamed"] == paris and seen["finish"] == "tool_calls"
    assert seen["named"] == "stop_music" and seen["chosen"] == "hello" and seen["text"] == chats.words(5)
    assert seen["last"] == "3 days of sun in Paris"


def test_langchain_with_responses(seen):
    ben = {"name": "Ben", "age": 5}
    assert seen["responses"] == {
        "text": "Hello there", "streamed": chats.words(5), "called": {"city": "Paris", "days": 3},
        "last": "3 days of sun in Paris", "structured": [ben] * 3}


def test_structured_answers_of_langchain(seen):
    ben = {"name": "Ben", "age": 5}
    assert seen["default"] == ben
    assert seen["structured"] == dict.fromkeys(("function_calling", "json_schema", "json_mode"), [ben, ben])


def test_instructor(seen):
    ana = {"name": "Ana", "age": 4}
    assert seen["instructed"] == dict.fromkeys(("TOOLS", "TOOLS_STRICT", "JSON", "JSON_SCHEMA"), [ana, ana])
