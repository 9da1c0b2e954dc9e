"""LangChain and Instructor call tools with base URL and key only. They run in a separate process, once for all
tests, because importing them takes seconds."""
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
patched = instructor.from_openai(openai.OpenAI(base_url=base, api_key=token, max_retries=0),
                                 mode=instructor.Mode.TOOLS)
person = patched.chat.completions.create(
    model="scripted", response_model=Person, max_retries=0,
    messages=[{"role": "user", "content": '{"name": "Ana", "age": 4}'}])
print(json.dumps({
    "required": [first.tool_calls[0]["name"], first.tool_calls[0]["args"]],
    "finish": first.response_metadata["finish_reason"],
    "named": named.invoke([asked]).tool_calls[0]["name"],
    "streamed": [joined.tool_calls[0]["name"], joined.tool_calls[0]["args"]],
    "chosen": model.bind_tools([get_weather]).invoke("hello").content,
    "last": model.bind_tools([get_weather]).invoke([asked, first, result]).content,
    "structured": model.with_structured_output(Person, method="function_calling").invoke(
        '{"name": "Ben", "age": 5}').model_dump(),
    "person": person.model_dump()}))
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
    assert seen["named"] == "stop_music" and seen["chosen"] == "hello"
    assert seen["last"] == "3 days of sun in Paris"
    assert seen["structured"] == {"name": "Ben", "age": 5}


def test_instructor(seen):
    assert seen["person"] == {"name": "Ana", "age": 4}
