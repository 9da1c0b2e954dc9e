"""OpenAI's own clients for Python and Node use the Responses API with base URL and key only. Every object and
event is also validated by the types of the Python client, which the client itself does not do."""
import asyncio
import itertools
from typing import Literal

import openai
import openai.types.responses as types
import pydantic
import pytest

import chats
import node
import people

EVENTS = pydantic.TypeAdapter(types.ResponseStreamEvent)

CLIENT = """
const [packages, baseURL, apiKey] = process.argv.slice(1);
const {default: OpenAI} = await import(packages + "/openai/index.mjs");
const client = new OpenAI({baseURL, apiKey, maxRetries: 0});
const failure = async work => {
  try { await work(); } catch (error) {
    return [error.constructor.name, error.status ?? null, error.code ?? null, error.param ?? null];
  }
};
"""


@pytest.fixture(name="ana", scope="module")
def somebody():
    with chats.house() as house:
        yield chats.somebody(house, "ana")


@pytest.fixture(name="client", scope="module")
def official_client(ana):
    with openai.OpenAI(base_url=ana.house.server.url("/v1"), api_key=ana.token,
                       max_retries=0) as client:
        yield client


def valid(response):
    types.Response.model_validate(response.to_dict())
    return response


def valid_events(stream):
    events = list(stream)
    for event in events:
        EVENTS.validate_python(event.to_dict())
    return events


def test_plain(client):
    response = valid(client.responses.create(model="scripted", input="Hello there",
                                             instructions="Be brief.", metadata={"k": "v"}))
    assert response.output_text == "Hello there" and response.status == "completed"
    assert response.usage.output_tokens == 2 and response._request_id
    again = valid(client.responses.retrieve(response.id))
    assert again.to_dict() == response.to_dict()


def test_a_conversation(client):
    first = client.responses.create(model="scripted", input="one")
    second = valid(client.responses.create(model="scripted", previous_response_id=first.id, input=[
        {"role": "user", "content": [{"type": "input_text", "text": "two"}]}]))
    assert second.output_text == "two" and second.previous_response_id == first.id
    items = list(client.responses.input_items.list(second.id, limit=2))
    assert [item.content[0].text for item in items] == ["two", "one", "one"]
    for item in items:
        pydantic.TypeAdapter(types.ResponseItem).validate_python(item.to_dict())
    # The output of a response can be a part of the next input.
    third = client.responses.create(model="scripted", input=[
        {"role": "user", "content": "one"}, *first.output, {"role": "user", "content": "two"}])
    assert third.output_text == "two" and third.usage.input_tokens == second.usage.input_tokens
    client.responses.delete(first.id)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(second.id)


def test_streams(client):
    events = valid_events(client.responses.create(model="scripted", input="{words:5}", stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert "".join(event.delta for event in events
                   if event.type == "response.output_text.delta") == chats.words(5)
    assert events[-1].type == "response.completed"
    assert events[-1].response.output_text == chats.words(5)
    failed = valid_events(client.responses.create(model="scripted", stream=True,
                                                  input="{words:5} {fail_after:2}"))
    assert failed[-1].type == "response.failed" and failed[-1].response.error.message
    cut = valid_events(client.responses.create(model="scripted", stream=True, store=False,
                                               input="{max_tokens} a b"))
    assert cut[-1].type == "response.incomplete"


def test_the_helper_that_puts_streams_together(client):
    with client.responses.stream(model="scripted", input="{words:5} {delay_ms:5}") as stream:
        text = "".join(event.delta for event in stream
                       if event.type == "response.output_text.delta")
        final = stream.get_final_response()
    assert text == chats.words(5) == final.output_text


def test_asynchronous(ana):
    async def ask():
        async with openai.AsyncOpenAI(base_url=ana.house.server.url("/v1"),
                                      api_key=ana.token) as client:
            stream = await client.responses.create(model="scripted", input="{words:5}", stream=True)
            return "".join([event.delta async for event in stream
                            if event.type == "response.output_text.delta"])
    assert asyncio.run(ask()) == chats.words(5)


class Person(pydantic.BaseModel):
    name: str
    mood: Literal["good", "bad"]
    friends: list["Person"]


def test_answers_are_parsed(client):
    response = client.responses.parse(model="scripted", input="hi", text_format=Person)
    assert response.output_parsed == Person(name="", mood="good", friends=[])
    valid(client.responses.retrieve(response.id))
    given = Person(name="Ana", mood="bad", friends=[Person(name="Bo", mood="good", friends=[])])
    with client.responses.stream(model="scripted", input=given.model_dump_json(),
                                 text_format=Person) as stream:
        assert stream.get_final_response().output_parsed == given

    class Code(pydantic.BaseModel):
        code: str = pydantic.Field(pattern="[A-Z]+")

    with pytest.raises(openai.BadRequestError) as caught:
        client.responses.parse(model="scripted", input="hi", text_format=Code)
    assert caught.value.code == "unsupported_schema"
    assert caught.value.param == "text.format.schema.properties.code.pattern"


def test_background_and_resuming(client):
    response = valid(client.responses.create(model="scripted", input="{words:20} {delay_ms:50}",
                                             background=True))
    assert response.status in ("queued", "in_progress")
    # A stream that only the garbage collector closes may do so while its own pool of connections is locked.
    with client.responses.retrieve(response.id, stream=True) as stream:
        seen = list(itertools.islice(stream, 8))
    rest = valid_events(client.responses.retrieve(response.id, stream=True,
                                                  starting_after=seen[-1].sequence_number))
    events = seen + rest
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert "".join(event.delta for event in events
                   if event.type == "response.output_text.delta") == chats.words(20)
    assert list(client.responses.retrieve(response.id, stream=True,
                                          starting_after=events[-1].sequence_number)) == []
    with client.responses.stream(response_id=response.id, starting_after=7) as stream:
        assert stream.get_final_response().output_text == chats.words(20)


def test_cancelling(client):
    response = client.responses.create(model="scripted", input="{words:5} {delay_ms:60000}",
                                       background=True)
    people.until(lambda: client.responses.retrieve(response.id).output_text)
    cancelled = valid(client.responses.cancel(response.id))
    assert cancelled.status == "cancelled" and cancelled.output_text == "w1"
    valid_events(client.responses.retrieve(response.id, stream=True))


@pytest.mark.parametrize("change, kind, code, param", [
    ({"temperature": 9}, openai.BadRequestError, "validation_failed", "temperature"),
    ({"conversation": "conv_1"}, openai.BadRequestError, "unsupported_parameter", "conversation"),
    ({"model": "gpt-4o"}, openai.NotFoundError, "model_not_found", "model"),
    ({"previous_response_id": "resp_x"}, openai.NotFoundError, "not_found", "previous_response_id"),
    ({"input": "{error:upstream_error}"}, openai.InternalServerError, "upstream_error", None),
    ({"input": "{fail_after:1} a b"}, openai.InternalServerError, "upstream_error", None),
])
def test_errors(client, change, kind, code, param):
    with pytest.raises(kind) as caught:
        client.responses.create(**{"model": "scripted", "input": "hi", **change})
    assert (caught.value.code, caught.value.param) == (code, param)


def test_node(ana):
    seen = node.script(CLIENT + """
const ask = more => client.responses.create({model: "scripted", ...more});
const text = async stream => {
  let all = "", last;
  for await (const event of stream) {
    if (event.type === "response.output_text.delta") all += event.delta;
    last = event;
  }
  return [all, last?.type ?? null, last?.sequence_number ?? null];
};
const first = await ask({input: "one"});
const second = await ask({input: "two", previous_response_id: first.id});
const items = [];
for await (const item of client.responses.inputItems.list(second.id)) items.push(item.role);
const long = await ask({input: "{words:4} {delay_ms:20}", background: true});
const whole = await text(await client.responses.retrieve(long.id, {stream: true}));
const rest = await text(await client.responses.retrieve(long.id, {stream: true, starting_after: 5}));
const none = await text(await client.responses.retrieve(long.id, {stream: true, starting_after: whole[2]}));
const helper = client.responses.stream({model: "scripted", input: "{words:4}"});
const parsed = await client.responses.parse({model: "scripted", input: '{"n":7}', text: {format: {
  type: "json_schema", name: "n", strict: true, schema: {
    type: "object", properties: {n: {type: "integer"}}, required: ["n"], additionalProperties: false}}}});
await client.responses.delete(first.id);
console.log(JSON.stringify({
  text: second.output_text, items, whole, rest, none, helped: (await helper.finalResponse()).output_text,
  parsed: parsed.output_parsed, cancelled: (await client.responses.cancel(long.id)).status,
  gone: await failure(() => client.responses.retrieve(second.id)),
  wrong: await failure(() => ask({input: "hi", temperature: 9}))}));
""", ana.house.server.url("/v1"), ana.token)
    assert seen == {
        "text": "two", "items": ["user", "assistant", "user"],
        "whole": [chats.words(4), "response.completed", 11],
        "rest": [" w3 w4", "response.completed", 11], "none": ["", None, None],
        "helped": chats.words(4), "parsed": {"n": 7}, "cancelled": "completed",
        "gone": ["NotFoundError", 404, "not_found", None],
        "wrong": ["BadRequestError", 400, "validation_failed", "temperature"]}


class GetWeather(pydantic.BaseModel):
    """Tells the weather in a city."""

    city: str
    unit: Literal["celsius", "fahrenheit"]


WEATHER = {"type": "function", "name": "GetWeather", "strict": True, "description": "The weather.",
           "parameters": openai.pydantic_function_tool(GetWeather)["function"]["parameters"]}
PARIS = '{"city":"Paris","unit":"celsius"}'


@pytest.mark.parametrize("choice", ["required", {"type": "function", "name": "GetWeather"}])
def test_tools(client, choice):
    first = valid(client.responses.create(model="scripted", input=PARIS, tools=[WEATHER],
                                          tool_choice=choice))
    call, = first.output
    assert (call.type, call.name, call.arguments) == ("function_call", "GetWeather", PARIS)
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "18 degrees"}
    for more in ({"input": [result], "previous_response_id": first.id},
                 {"input": [{"role": "user", "content": PARIS}, *first.output, result]}):
        last = valid(client.responses.create(model="scripted", tools=[WEATHER], **more))
        assert last.output_text == "18 degrees"
    items = list(client.responses.input_items.list(last.id, order="asc"))
    assert [item.type for item in items] == ["message", "function_call", "function_call_output"]
    assert items[1].call_id == items[2].call_id and items[2].output == "18 degrees"


def test_tools_in_streams(client):
    asked = {"model": "scripted", "input": PARIS, "tool_choice": "required"}
    events = valid_events(client.responses.create(stream=True, tools=[WEATHER], **asked))
    assert "".join(event.delta for event in events
                   if event.type == "response.function_call_arguments.delta") == PARIS
    response_id = events[0].response.id
    done, = (event for event in events if event.type == "response.function_call_arguments.done")
    rest = valid_events(client.responses.retrieve(response_id, stream=True,
                                                  starting_after=done.sequence_number))
    assert [event.type for event in rest] == ["response.output_item.done", "response.completed"]
    tool = openai.pydantic_function_tool(GetWeather)
    flat = {"type": "function", **tool["function"]}
    with client.responses.stream(tools=[flat], **asked) as stream:
        final = stream.get_final_response()
    assert final.output[0].arguments == PARIS
    parsed = client.responses.parse(tools=[tool], **asked)
    assert parsed.output[0].parsed_arguments == GetWeather(city="Paris", unit="celsius")


def test_tools_in_node(ana):
    seen = node.script(CLIENT + """
const tools = [{type: "function", name: "get_weather", strict: true, parameters: {
  type: "object", properties: {city: {type: "string"}}, required: ["city"], additionalProperties: false}}];
const asked = {model: "scripted", input: '{"city":"Paris"}', tools, tool_choice: "required"};
const first = await client.responses.create(asked);
const call = first.output[0];
const last = await client.responses.create({model: "scripted", tools, previous_response_id: first.id, input: [
  {type: "function_call_output", call_id: call.call_id, output: "18 degrees"}]});
const helper = client.responses.stream(asked);
let deltas = "";
helper.on("response.function_call_arguments.delta", event => { deltas += event.delta; });
const final = await helper.finalResponse();
console.log(JSON.stringify({call: [call.type, call.name, call.arguments], text: last.output_text, deltas,
  streamed: final.output[0].arguments}));
""", ana.house.server.url("/v1"), ana.token)
    assert seen == {"call": ["function_call", "get_weather", '{"city":"Paris"}'],
                    "text": "18 degrees", "deltas": '{"city":"Paris"}',
                    "streamed": '{"city":"Paris"}'}
