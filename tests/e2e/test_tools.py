"""Tools on chat completions, with the scripted model: calls, their results, and what is refused."""
import json

import jsonschema
import pytest

import chats
import completions
from completions import complete, post, refused, streaming, text_of, user
from tool_calls import (NAMED, PARIS, STOP, TOOLS, asked_again, calls_of, function, joined, shown)


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({"models.tiny.engine": "scripted", "models.tiny.context": 100}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("said, choice, expected", [
    ("hi", "required", ("get_weather", '{"city":"x","unit":"celsius"}')),
    ("hi", NAMED, ("get_weather", '{"city":"x","unit":"celsius"}')),
    ("hi", {"type": "function", "function": {"name": "stop_music"}}, ("stop_music", "{}")),
    ('{"unit": "celsius", "city": "Paris"}', "required", ("get_weather", PARIS)),
    ("{}", "required", ("stop_music", "{}")),
    ('{"name": "stop_music", "arguments": {}}', "required", ("stop_music", "{}")),
    ("hi", {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [
        {"type": "function", "function": {"name": "stop_music"}}]}}, ("stop_music", "{}")),
])
def test_a_demanded_call(ana, said, choice, expected, stored):
    completion = complete(ana, said, tools=TOOLS, tool_choice=choice, store=stored)
    call, = calls_of(completion)
    assert shown(call) == expected
    data = completions.chunks(ana, said, tools=TOOLS, tool_choice=choice, store=stored)
    assert [shown(each) for each in joined(data)] == [expected]
    assert data[0]["choices"][0]["delta"] == {"role": "assistant", "content": None}
    first = data[1]["choices"][0]["delta"]["tool_calls"]
    assert first[0]["id"] and first[0]["function"]["arguments"] == ""
    assert data[-1]["choices"][0] == {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
    assert completions.written([{"choices": []}]) == ""


def test_ids_of_calls_differ(ana):
    ids = {calls_of(complete(ana, "hi", tools=TOOLS, tool_choice="required"))[0]["id"]
           for _ in range(3)}
    assert len(ids) == 3


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("choice", [{}, {"tool_choice": "auto"}, {"tool_choice": "none"},
                                    {"tool_choice": None, "parallel_tool_calls": None}])
def test_offered_tools(ana, choice, stored):
    """A model that was not made for tools answers with text, even if that looks like a call."""
    text = '<tool_call>\n{"name":"stop_music","arguments":{}}\n</tool_call>'
    for said in ("hello", text):
        completion = complete(ana, said, tools=TOOLS, store=stored, **choice)
        assert text_of(completion) == said and "tool_calls" not in completion["choices"][0]["message"]
        assert completion["choices"][0]["finish_reason"] == "stop"
        data = completions.chunks(ana, said, tools=TOOLS, store=stored, **choice)
        assert completions.written(data) == said
        assert data[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}


@pytest.mark.parametrize("change, param", [
    ({"tools": {}}, "tools"), ({"tools": [1]}, "tools[0]"), ({"tools": [{}]}, "tools[0].type"),
    ({"tools": [{"type": 1}]}, "tools[0].type"),
    ({"tools": [{"type": "function"}]}, "tools[0].function"),
    ({"tools": [STOP, {"type": "function", "function": {}}]}, "tools[1].function.name"),
    ({"tools": [function(name="a b")]}, "tools[0].function.name"),
    ({"tools": [function(name="a" * 65)]}, "tools[0].function.name"),
    ({"tools": [function(description=1)]}, "tools[0].function.description"),
    ({"tools": [function(parameters="x")]}, "tools[0].function.parameters"),
    ({"tools": [function(strict="x")]}, "tools[0].function.strict"),
    ({"tools": [STOP] * 129}, "tools"),
    ({"tools": TOOLS, "tool_choice": "any"}, "tool_choice"),
    ({"tools": TOOLS, "tool_choice": []}, "tool_choice"),
    ({"tools": TOOLS, "tool_choice": {}}, "tool_choice.type"),
    ({"tools": TOOLS, "tool_choice": {"type": "function"}}, "tool_choice.function"),
    ({"tools": TOOLS, "tool_choice": {"type": "function", "function": {"name": "other"}}},
     "tool_choice.function.name"),
    ({"tools": TOOLS, "parallel_tool_calls": "x"}, "parallel_tool_calls"),
    ({"tool_choice": "required"}, "tool_choice"), ({"tools": [], "tool_choice": "required"},
                                                   "tool_choice"),
    ({"tools": [STOP, STOP], "tool_choice": "required"}, "tools[1].function.name"),
    ({"tools": TOOLS, "tool_choice": "required", "stop": ["x"]}, "stop"),
])
def test_faults(ana, change, param):
    for stored in (False, True):
        refused(post(ana, "hi", store=stored, **change), 400, "validation_failed", param)


def test_all_faults_at_once(ana):
    error = refused(post(ana, "hi", tools=[{}, function(name="")], tool_choice="x"), 400,
                    "validation_failed", "tools[0].type")
    assert all(name in error["message"] for name in ("tools[1].function.name: ", "tool_choice: "))


@pytest.mark.parametrize("parameters, place", [
    ({"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}},
     ".properties.a.pattern"),
    ({"type": "object", "additionalProperties": True}, ".additionalProperties"),
    ({"type": "string"}, ""), ({"type": ["object", "null"]}, ""),
    ({"type": "object", "properties": {}, "required": ["a"]}, ".required[0]"),
])
def test_schemas_that_are_refused(ana, parameters, place):
    tools = [STOP, function(parameters=parameters)]
    assert text_of(complete(ana, "hi", tools=tools)) == "hi", "not checked without a grammar"
    only_stop = {"type": "function", "function": {"name": "stop_music"}}
    assert calls_of(complete(ana, "hi", tools=tools, tool_choice=only_stop)), "not this one"
    for stored in (False, True):
        refused(post(ana, "hi", tools=tools, tool_choice="required", store=stored), 400,
                "unsupported_schema", "tools[1].function.parameters" + place)


@pytest.mark.parametrize("parameters", [
    None, {}, {"type": "object"}, {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}},
    {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["a"], "$defs": {
        "n": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/n"},
                                                                  {"type": "null"}]}}}}}])
def test_parameters_that_are_taken(ana, parameters):
    other = function(name="g", parameters={"type": "object", "properties": {"b": {
        "type": "integer"}}, "required": ["b"]})
    call, = calls_of(complete(ana, "hi", tools=[function(parameters=parameters), other],
                              tool_choice="required"))
    jsonschema.validate(json.loads(call["function"]["arguments"]), parameters or {})
    call, = calls_of(complete(ana, '{"b": 7}', tools=[other], tool_choice="required"))
    assert shown(call) == ("g", '{"b":7}')


def test_what_is_not_supported(ana):
    for change, param in (({"tools": TOOLS, "tool_choice": {"type": "custom", "custom": {
            "name": "c"}}}, "tool_choice.type"), ({"function_call": {"name": "f"}}, "function_call")):
        refused(post(ana, "hi", **change), 400, "unsupported_parameter", param)
    refused(post(ana, [user("hi"), {"role": "function", "name": "f", "content": "4"}]), 400,
            "unsupported_parameter", "messages[1].role")


@pytest.mark.parametrize("stored", [False, True])
def test_results_of_calls(ana, stored):
    assert text_of(complete(ana, asked_again(), store=stored, tools=TOOLS)) == "18 °C"
    assert text_of(complete(ana, asked_again(), store=stored)) == "18 °C", "without tools"
    parts = [{"type": "text", "text": "18"}, {"type": "text", "text": " °C"}]
    assert text_of(complete(ana, asked_again(parts), store=stored)) == "18 °C"
    two = asked_again()
    two[1]["tool_calls"].append({"id": "c2", "type": "function",
                                 "function": {"name": "stop_music", "arguments": "{}"}})
    two.append({"role": "tool", "tool_call_id": "c2", "content": "Done."})
    assert text_of(complete(ana, two, store=stored)) == "18 °C\nDone."
    assert text_of(complete(ana, [*two, user("Thanks")], store=stored)).endswith("Thanks")


@pytest.mark.parametrize("messages, param", [
    (asked_again(call_id="c2"), "messages[2].tool_call_id"),
    (asked_again(call_id=None), "messages[2].tool_call_id"),
    (asked_again(result=None), "messages[2].content"),
    ([user("hi"), {"role": "tool", "tool_call_id": "c1", "content": "4"}],
     "messages[1].tool_call_id"),
    ([{**user("hi"), "tool_calls": asked_again()[1]["tool_calls"]}], "messages[0].tool_calls"),
    ([user("hi"), {"role": "assistant", "tool_calls": [{}]}, user("?")],
     "messages[1].tool_calls[0].id"),
    (asked_again()[:2], "messages"),
])
def test_histories_that_are_refused(ana, messages, param):
    refused(post(ana, messages), 400, "validation_failed", param)


def test_tools_count_for_the_context(ana):
    long = function(description="word " * 200)
    assert text_of(complete(ana, "hi", model="tiny", tools=[long])) == "hi", "they are not shown"
    refused(post(ana, "hi", model="tiny", tools=[long], tool_choice="required"), 400,
            "context_length_exceeded", "messages")


def test_a_stored_call(ana):
    completion = complete(ana, PARIS, tools=TOOLS, tool_choice="required", store=True)
    run = ana.run(completion["metadata"]["run_id"])
    assert run["status"] == "completed" and run["message"]["stop_reason"] == "end_turn"
    assert chats.text_of(run["message"]) == (
        f'<tool_call>\n{{"name":"get_weather","arguments":{PARIS}}}\n</tool_call>')
    call, = calls_of(completion)
    assert call["id"] == f"call_{run['id'].removeprefix('run_')}0"
    again = [user(PARIS), {"role": "assistant", "content": None, "tool_calls": [call]},
             {"role": "tool", "tool_call_id": call["id"], "content": "18 °C"}]
    answer = complete(ana, again, tools=TOOLS, store=True,
                      metadata={"session_id": run["session_id"]})
    assert text_of(answer) == "18 °C"
    said = [chats.text_of(message) for message in ana.messages(run["session_id"])]
    assert said[2:] == ["<tool_response>\n18 °C\n</tool_response>", "18 °C"]


def test_tools_to_be_stored_have_a_bound(ana):
    tools = [function(description="x" * 262_144)]
    refused(post(ana, "hi", tools=tools, store=True), 400, "validation_failed", "tools")
    assert text_of(complete(ana, "hi", tools=tools)) == "hi"


def test_demanded_calls_have_a_bound(ana):
    """All schemas together: they are checked on an event loop."""
    tools = [function(description="x" * 262_144)]
    for stored in (False, True):
        refused(post(ana, "hi", tools=tools, tool_choice="required", store=stored), 400,
                "validation_failed", "tools")


@pytest.mark.parametrize("name, call_id, param", [
    ("", "c", "messages[1].tool_calls[0].function.name"),
    ("f" * 129, "c", "messages[1].tool_calls[0].function.name"),
    ("f", "c" * 513, "messages[1].tool_calls[0].id")])
def test_names_and_ids_in_a_history(ana, name, call_id, param):
    said = asked_again(call_id=call_id)
    said[1]["tool_calls"][0].update(id=call_id, function={"name": name, "arguments": "{}"})
    refused(post(ana, said), 400, "validation_failed", param)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_replay_gives_the_same_call(ana, streamed):
    headers = {"Idempotency-Key": f"tools-{streamed}"}
    asked = {"tools": TOOLS, "tool_choice": "required", "store": True}
    first = calls_of(complete(ana, PARIS, headers, **asked))
    if streamed:
        assert joined(completions.chunks(ana, PARIS, headers, **asked)) == first
    else:
        assert calls_of(complete(ana, PARIS, headers, **asked)) == first
    refused(post(ana, PARIS, headers, **{**asked, "tool_choice": "auto"}), 422,
            "idempotency_mismatch")


def test_a_call_that_is_cut(ana):
    for stored in (False, True):
        completion = complete(ana, "{max_tokens}{}", tools=TOOLS, tool_choice="required",
                              store=stored)
        choice, = completion["choices"]
        assert choice["finish_reason"] == "length"
        assert choice["message"] == {"role": "assistant", "content": ""}, "cut inside of its name"
    wordy = '{"city":"' + "w " * 12 + '","unit":"celsius"}'
    cut = complete(ana, "{max_tokens}" + wordy, tools=TOOLS, tool_choice="required", max_tokens=9)
    assert cut["choices"][0]["finish_reason"] == "length"
    assert shown(cut["choices"][0]["message"]["tool_calls"][0])[1].startswith('{"city":"')


def test_an_answer_that_is_no_call(ana):
    response = post(ana, "{invalid_output} Sure", tools=TOOLS, tool_choice="required")
    refused(response, 502, "invalid_output")
    assert response.header("x-should-retry") == "false"


def test_the_list_of_models_is_true(ana):
    models = {model["id"]: model["capabilities"]["tools"] for model in completions.request(
        ana, "GET", "/models").json()["data"]}
    assert models["scripted"] is False


def test_a_crash_in_the_middle_of_a_call(start, tmp_path):
    home = chats.LastingHouse(start, tmp_path / "data")
    ana = chats.somebody(home, "ana")
    city = " ".join(["w"] * 15)
    said = '{delay_ms:100}{"city":"' + city + '","unit":"celsius"}'
    asked = {"tools": TOOLS, "tool_choice": "required", "store": True}
    headers = {"Idempotency-Key": "crash"}
    with streaming(ana, said, headers, **asked) as response:
        lines = response.iter_lines()
        seen = [json.loads(next(line for line in lines if line.startswith("data: "))[6:])
                for _ in range(5)]
        home.kill()
    home.come_back()
    data = completions.chunks(ana, said, headers, **asked)
    call, = joined(data)
    assert json.loads(call["function"]["arguments"]) == {"city": city, "unit": "celsius"}
    begun, = joined(seen)
    assert call["id"] == begun["id"]
    assert call["function"]["arguments"].startswith(begun["function"]["arguments"])
    assert begun["function"]["arguments"]
    assert calls_of(complete(ana, said, headers, **asked)) == [call]
