"""OpenAI's Python client calls tools, plain and streamed, and parses their arguments."""
from typing import Literal

import openai
import pydantic
import pytest

import chats


class GetWeather(pydantic.BaseModel):
    """Tells the weather in a city."""

    city: str
    unit: Literal["celsius", "fahrenheit"]


class StopMusic(pydantic.BaseModel):
    """Stops the music."""


TOOLS = [openai.pydantic_function_tool(GetWeather), openai.pydantic_function_tool(StopMusic)]
PARIS = '{"city": "Paris", "unit": "celsius"}'
NAMED = {"type": "function", "function": {"name": "GetWeather"}}


@pytest.fixture(name="client", scope="module")
def official_client():
    with chats.house() as house, openai.OpenAI(
            base_url=house.server.url("/v1"), api_key=chats.somebody(house, "ana").token,
            max_retries=0) as client:
        yield client


def said(text, **more):
    return {"model": "scripted", "messages": [{"role": "user", "content": text}], "tools": TOOLS,
            **more}


@pytest.mark.parametrize("choice", ["required", NAMED])
@pytest.mark.parametrize("store", [False, True])
def test_plain(client, choice, store):
    completion = client.chat.completions.create(**said(PARIS, tool_choice=choice, store=store))
    answer = completion.choices[0]
    assert answer.finish_reason == "tool_calls" and answer.message.content is None
    call, = answer.message.tool_calls
    assert call.type == "function" and call.function.name == "GetWeather"
    assert GetWeather.model_validate_json(call.function.arguments).city == "Paris"
    again = [*said(PARIS)["messages"], answer.message,
             {"role": "tool", "tool_call_id": call.id, "content": "18 degrees"}]
    last = client.chat.completions.create(model="scripted", messages=again, tools=TOOLS)
    assert last.choices[0].message.content == "18 degrees"
    assert last.choices[0].finish_reason == "stop" and last.choices[0].message.tool_calls is None


@pytest.mark.parametrize("choice", ["required", NAMED])
@pytest.mark.parametrize("store", [False, True])
def test_the_helper_that_puts_streams_together(client, choice, store):
    with client.chat.completions.stream(**said(PARIS, tool_choice=choice, store=store)) as stream:
        parts = [event.arguments_delta for event in stream
                 if event.type == "tool_calls.function.arguments.delta"]
        final = stream.get_final_completion()
    call, = final.choices[0].message.tool_calls
    assert "".join(parts) == call.function.arguments == PARIS.replace(" ", "")
    assert call.function.parsed_arguments == GetWeather(city="Paris", unit="celsius")
    assert final.choices[0].finish_reason == "tool_calls"


def test_the_helper_that_parses(client):
    completion = client.chat.completions.parse(**said("{}", tool_choice="required"))
    call, = completion.choices[0].message.tool_calls
    assert call.function.parsed_arguments == StopMusic()


def test_offered_tools(client):
    completion = client.chat.completions.create(**said("Hello there"), parallel_tool_calls=False)
    assert completion.choices[0].message.content == "Hello there"


def test_errors(client):
    tool = {"type": "function", "function": {"name": "f", "parameters": {
        "type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}}}
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(**{**said("hi"), "tools": [tool]}, tool_choice="required")
    assert caught.value.code == "unsupported_schema"
    assert caught.value.param == "tools[0].function.parameters.properties.a.pattern"
