"""Pydantic AI works with OPENAI_BASE_URL and OPENAI_API_KEY only: `openai:` is the Responses API, `openai-chat:` chat
completions. It runs in a separate process, because importing it takes seconds."""
import json
import os
import subprocess
import sys

import pytest

import chats
import python_packages
import upstream_calls

SCRIPT = """
import asyncio, json, sys
import pydantic
from pydantic_ai import Agent, NativeOutput, PromptedOutput, models

kind = sys.argv[1]


class Person(pydantic.BaseModel):
    "A person."
    name: str
    age: int


def agent(model="scripted", **options):
    return Agent(f"{kind}:{model}", **options)


def weather(city: str, days: int = 1) -> str:
    "Tells the weather in a city."
    return f"{days} days of sun in {city}"


def somebody_in(city: str) -> Person:
    "Finds somebody in a city."
    return Person(name=city, age=7)


async def streamed(asked, text, **options):
    async with agent(asked, **options).run_stream(text) as result:
        return [each async for each in result.stream_output(debounce_by=None)]


def failure(**options):
    try:
        agent(**options).run_sync("hi")
    except Exception as error:
        return [type(error).__name__, getattr(error, "status_code", None)]


ana = '{"name": "Ana", "age": 4}'
plain = agent(instructions="Be brief.").run_sync("Hello there")
more = agent().run_sync("And now?", message_history=plain.all_messages())
loop = agent("uses_tools", tools=[weather]).run_sync('{"city": "Paris", "days": 3}')
words = asyncio.run(streamed("scripted", "{words:5}"))
print(json.dumps({
    "plain": plain.output, "tokens": plain.usage.output_tokens, "more": more.output,
    "streamed": [words[-1], len(words) > 1],
    "tool": agent(output_type=Person).run_sync(ana).output.model_dump(),
    "native": agent(output_type=NativeOutput(Person)).run_sync(ana).output.model_dump(),
    "prompted": agent(output_type=PromptedOutput(Person)).run_sync(ana).output.model_dump(),
    "parts": asyncio.run(streamed("scripted", ana, output_type=Person))[-1].model_dump(),
    "native_parts": asyncio.run(streamed("scripted", ana, output_type=NativeOutput(Person)))[-1].model_dump(),
    "demanded": agent(tools=[somebody_in], output_type=Person).run_sync('{"city": "Rome"}').output.model_dump(),
    "loop": loop.output, "requests": loop.usage.requests,
    "streamed_loop": asyncio.run(streamed("uses_tools", '{"city": "Oslo"}', tools=[weather]))[-1],
    "errors": [failure(model="gpt-4o"), failure(model_settings={"temperature": 9})]}))
"""


@pytest.fixture(name="ana", scope="module")
def somebody(tmp_path_factory):
    with upstream_calls.house_with_tools(tmp_path_factory.mktemp("keys")) as house:
        yield chats.somebody(house, "ana")


@pytest.mark.parametrize("kind", ["openai", "openai-chat"])
def test_agents(ana, kind):
    environment = {**os.environ, "PYTHONPATH": str(python_packages.installed("openai_3")),
                   "OPENAI_BASE_URL": ana.house.server.url("/v1"), "OPENAI_API_KEY": ana.token}
    done = subprocess.run([sys.executable, "-c", SCRIPT, kind], env=environment, capture_output=True, text=True,
                          timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    person = {"name": "Ana", "age": 4}
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "plain": "Hello there", "tokens": 2, "more": "And now?", "streamed": [chats.words(5), True],
        "tool": person, "native": person, "prompted": person, "parts": person, "native_parts": person,
        "demanded": {"name": "Rome", "age": 7},
        "loop": "3 days of sun in Paris", "requests": 2, "streamed_loop": "1 days of sun in Oslo",
        "errors": [["ModelNotFoundError", 404], ["ModelRequestRejectedError", 400]]}
