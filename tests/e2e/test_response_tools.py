"""Tools of the Responses API: calls, their results, streams of them, and what is refused."""
import itertools
import json

import pytest

import chats
import completions
import people
import responses
import upstreams
from completions import refused
from responses import create, frames, post, resume, text_of
from tool_calls import CITY, PARIS
from upstream_calls import WHOLE

WEATHER = {"type": "function", "name": "get_weather", "description": "Tells the weather in a city.",
           "parameters": CITY, "strict": True}
STOP = {"type": "function", "name": "stop_music"}
TOOLS = [WEATHER, STOP]
NAMED = {"type": "function", "name": "get_weather"}
ASKED = {"tools": TOOLS, "tool_choice": "required"}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana")
def somebody(house, number=itertools.count()):
    return chats.somebody(house, f"ana{next(number)}")


def calls_of(response):
    """The calls of an answer that has nothing else."""
    for item in response["output"]:
        assert set(item) == {"id", "type", "status", "call_id", "name", "arguments"}
        assert item["type"] == "function_call" and item["id"].startswith("fc_")
        assert item["call_id"].startswith("call_")
    return response["output"]


def shown(call):
    return call["name"], call["arguments"]


def result_of(call, text="18 °C"):
    return {"type": "function_call_output", "call_id": call["call_id"], "output": text}


def nested(depth):
    return {"items": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize("store", [False, True])
@pytest.mark.parametrize("said, choice, expected", [
    ("hi", "required", ("get_weather", '{"city":"x","unit":"celsius"}')),
    (PARIS, NAMED, ("get_weather", PARIS)),
    ("hi", {"type": "function", "name": "stop_music"}, ("stop_music", "{}")),
    ("hi", {"type": "allowed_tools", "mode": "required", "tools": [
        {"type": "function", "name": "stop_music"}]}, ("stop_music", "{}")),
])
def test_a_demanded_call(ana, said, choice, expected, store):
    asked = {"tools": TOOLS, "tool_choice": choice, "store": store}
    made = create(ana, said, **asked)
    call, = calls_of(made)
    assert shown(call) == expected and call["status"] == "completed"
    assert made["status"] == "completed"
    assert (made["tools"], made["tool_choice"]) == (TOOLS, choice)
    events = responses.stream(ana, said, **asked)
    last = events[-1].data["response"]
    streamed, = calls_of(last)
    assert shown(streamed) == expected and events[-1].type == "response.completed"
    kinds = [event.type.removeprefix("response.") for event in events[2:]]
    deltas = kinds.count("function_call_arguments.delta")
    assert kinds == ["output_item.added", *["function_call_arguments.delta"] * deltas,
                     "function_call_arguments.done", "output_item.done", "completed"]
    assert events[2].data["item"] == {**streamed, "status": "in_progress", "arguments": ""}
    assert "".join(event.data["delta"] for event in events[3:3 + deltas]) == expected[1]
    assert (events[-3].data["name"], events[-3].data["arguments"]) == expected
    assert events[-2].data["item"] == streamed
    assert all(event.data["item_id"] == streamed["id"] for event in events[3:-2])
    if store:
        assert responses.get(ana, last) == last


def test_offered_tools(ana):
    for choice in ({}, {"tool_choice": "auto"}, {"tool_choice": "none"}):
        made = create(ana, "hi", tools=TOOLS, parallel_tool_calls=False, **choice)
        assert text_of(made) == "hi" and made["tools"] == TOOLS
        assert made["tool_choice"] == choice.get("tool_choice", "auto")
        assert made["parallel_tool_calls"] is False
    assert create(ana, "hi", tools=[], tool_choice="none")["tool_choice"] == "none"


@pytest.mark.parametrize("store", [False, True])
def test_results(ana, store):
    first = create(ana, PARIS, **ASKED)
    call, = calls_of(first)
    made = create(ana, [result_of(call)], previous_response_id=first["id"], tools=TOOLS, store=store)
    assert text_of(made) == "18 °C"
    made = create(ana, [{"role": "user", "content": PARIS}, call, result_of(call, [
        {"type": "input_text", "text": "18 "}, {"type": "input_text", "text": "°C"}])], store=store)
    assert text_of(made) == "18 °C"
    if store:
        said = [chats.text_of(message) for message in ana.messages(made["session_id"])]
        assert said == [PARIS, f'<tool_call>\n{{"name":"get_weather","arguments":{PARIS}}}\n</tool_call>',
                        "<tool_response>\n18 °C\n</tool_response>", "18 °C"]


def test_references_to_calls(ana, house):
    first = create(ana, PARIS, **ASKED)
    call, = calls_of(first)
    reference = {"type": "item_reference", "id": call["id"]}
    asked = [{"role": "user", "content": PARIS}, reference, result_of(call)]
    assert text_of(create(ana, asked)) == "18 °C"
    refused(post(chats.somebody(house, "ben"), asked), 404, "not_found", "input")
    for wrong in (call["id"][:-1] + "1", "fc_x_0", "fc_", "x"):
        refused(post(ana, [reference | {"id": wrong}, *asked]), 404, "not_found", "input")


def test_input_items(ana):
    first = create(ana, PARIS, **ASKED)
    call, = calls_of(first)
    second = create(ana, [result_of(call), {"role": "user", "content": "And?"}],
                    previous_response_id=first["id"])

    def items(query):
        return completions.request(ana, "GET", responses.path_of(
            second, "/input_items" + query)).json()
    listed = items("?order=asc")["data"]
    assert [item["type"] for item in listed] == ["message", "function_call", "function_call_output",
                                                 "message"]
    assert listed[1] == call
    assert (listed[2]["call_id"], listed[2]["output"]) == (call["call_id"], "18 °C")
    assert listed[3]["content"] == [{"type": "input_text", "text": "And?"}]
    assert items("")["data"] == listed[::-1]
    page = items("?limit=1")
    assert page["data"] == [listed[3], listed[2]] and page["has_more"]
    assert items("?limit=1&after=" + page["last_id"])["data"] == [call]


def test_input_items_that_a_client_sent(ana):
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "no\njson"}
    fake = '<tool_call>\n{"name":"f","arguments":{}}\n</tool_call>'
    made = create(ana, [{"role": "user", "content": "hi"}, {"role": "assistant", "content": fake}, call,
                        result_of(call, "</tool_response>"), {"role": "user", "content": "And?"}])
    listed = completions.request(ana, "GET", responses.path_of(
        made, "/input_items?order=asc")).json()["data"]
    assert [item["type"] for item in listed] == ["message", "message", "function_call",
                                                 "function_call_output", "message"]
    assert listed[1]["content"][0]["text"] == fake
    assert (listed[2]["name"], listed[2]["arguments"]) == ("f", "no\njson")
    assert listed[3]["output"] == "</tool_response>"
    assert listed[3]["call_id"] == listed[2]["call_id"]


def test_results_in_another_order_than_their_calls(ana):
    calls = [{"type": "function_call", "call_id": name, "name": "get_weather", "arguments": json.dumps({"city": name})}
             for name in ("z", "a", "m")]
    results = [result_of(calls[number], f"in {calls[number]['call_id']}") for number in (2, 0, 1)]
    made = create(ana, [{"role": "user", "content": "hi"}, *calls, *results])
    listed = completions.request(ana, "GET", responses.path_of(made, "/input_items?order=asc")).json()["data"]
    cities = {item["call_id"]: json.loads(item["arguments"])["city"] for item in listed
              if item["type"] == "function_call"}
    outputs = {item["call_id"]: item["output"] for item in listed if item["type"] == "function_call_output"}
    assert len(outputs) == 3 and outputs == {call_id: f"in {city}" for call_id, city in cities.items()}


@pytest.mark.parametrize("change, param", [
    ({"tools": [{"type": "function"}]}, "tools[0].name"),
    ({"tools": [{"type": "function", "name": "a b"}]}, "tools[0].name"),
    ({"tools": [STOP] * 129}, "tools"),
    ({"tools": TOOLS, "tool_choice": "any"}, "tool_choice"),
    ({"tools": TOOLS, "tool_choice": {"type": "function", "name": "other"}}, "tool_choice.name"),
    ({"tool_choice": "required"}, "tool_choice"),
    ({"tools": TOOLS, "parallel_tool_calls": "x"}, "parallel_tool_calls"),
    ({"tools": [{**STOP, "description": "x" * 262_144}]}, "tools"),
    ({"tools": [{**STOP, "parameters": nested(28)}]}, "tools"),
    ({"input": [result_of({"call_id": "call_x"})]}, "input[0].call_id"),
    ({"input": [{"type": "function_call_output", "output": "x"}]}, "input[0].call_id"),
    ({"input": [{"type": "function_call_output", "call_id": "c"}]}, "input[0].output"),
    ({"input": [{"type": "function_call", "call_id": "c", "name": "f"}]}, "input[0].arguments"),
    ({"input": [{"type": "function_call", "call_id": "c" * 257, "name": "f", "arguments": "{}"}]},
     "input[0].call_id"),
    ({"input": [{"type": "function_call", "call_id": "c", "name": "f" * 129, "arguments": "{}"}]},
     "input[0].name"),
    ({"input": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]}, "input"),
])
def test_what_is_refused(ana, change, param):
    body = {"model": "scripted", "input": "hi", **change}
    refused(completions.request(ana, "POST", "/responses", body), 400, "validation_failed", param)
    assert ana.get("/chat/sessions")["data"] == []


def test_a_result_without_its_call_has_one_fault(ana):
    error = refused(post(ana, [result_of({"call_id": "zz"})]), 400, "validation_failed", "input[0].call_id")
    assert error["message"] == "input[0].call_id: must be the id of an earlier call"


def test_tools_of_other_types(ana):
    """A local model does not call them; it can only be told so if it must."""
    assert text_of(create(ana, "hi", tools=[{"type": "web_search"}])) == "hi"
    refused(post(ana, "hi", tools=TOOLS, tool_choice={"type": "web_search"}), 400,
            "unsupported_parameter", "tool_choice.type")


def test_the_deepest_tools(ana):
    """The form in which tools are stored has one level more."""
    made = create(ana, "hi", tools=[{**STOP, "parameters": nested(27)}])
    assert text_of(made) == "hi" and made["tools"][0]["parameters"] == nested(27)
    assert responses.get(ana, made) == made


def test_schemas_that_are_refused(ana):
    tool = {**STOP, "parameters": {"type": "object", "properties": {
        "a": {"type": "string", "pattern": "x"}}}}
    refused(post(ana, "hi", tools=[tool], tool_choice="required"), 400, "unsupported_schema",
            "tools[0].parameters.properties.a.pattern")
    assert text_of(create(ana, "hi", tools=[tool])) == "hi"


def test_resumed_streams_of_calls(ana):
    events = responses.stream(ana, PARIS, **ASKED)
    responses.check_each_number(ana, events)


def test_a_call_that_is_being_written(ana):
    made = create(ana, '{delay_ms:60000}{"city":"a b c","unit":"celsius"}', background=True, **ASKED)
    with responses.following(ana, made, 1) as response:
        added = responses.events_in(next(response.iter_text()))[0]
        assert added.type == "response.output_item.added"
    with responses.following(ana, made, 50) as response:
        assert response.status_code == 400
    call, = calls_of(responses.get(ana, made))
    assert call["status"] == "in_progress" and call["name"] == "get_weather"
    with responses.following(ana, made, added.number) as response:
        cancelled = responses.cancelled(ana, made)
        response.read()
    last = responses.events_in(response.text)[-1].data["response"]
    assert last == cancelled and last["status"] == "cancelled"
    assert calls_of(last)[0]["status"] == "incomplete"


def test_calls_whose_events_are_no_longer_stored():
    with chats.house({"runs.events_keep_s": 1}) as house:
        ana = chats.somebody(house, "ana")
        events = responses.stream(ana, '{"city":"a b c d","unit":"celsius"}', **ASKED)
        made = events[-1].data["response"]

        def later():
            return resume(ana, made)
        people.until(lambda: len(later()) < len(events))
        responses.check_events(later())
        assert later()[-1].data["response"] == made
        assert frames(resume(ana, made, 1)) == frames(later()[2:])
        with responses.following(ana, made, 3) as response:
            assert response.status_code == 410


def test_a_crash_in_the_middle_of_a_call(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data")
    ana = chats.somebody(house, "ana")
    city = " ".join(["w"] * 15)
    said = '{delay_ms:100}{"city":"' + city + '","unit":"celsius"}'
    seen = ""
    with responses.streaming(ana, said, **ASKED) as response:
        for text in response.iter_text():
            seen += text
            if len(responses.events_in(seen)) >= 8:
                house.kill()
                break
    seen = responses.events_in(seen)
    made = seen[0].data["response"]
    house.come_back()
    whole = responses.check_events(seen + resume(ana, made, seen[-1].number))
    call, = calls_of(whole[-1].data["response"])
    assert json.loads(call["arguments"]) == {"city": city, "unit": "celsius"}
    assert frames(resume(ana, made)) == frames(whole)


@pytest.mark.parametrize("store", [False, True])
def test_models_on_other_servers(start, tmp_path, store):
    with upstreams.mock() as other:
        house = chats.LastingHouse(start, tmp_path / "data", upstreams.settings_of(
            other, upstreams.write_key(tmp_path), "calls", "half_a_call"))
        ana = chats.somebody(house, "ana")
        asked = {"model": "calls", "tools": TOOLS, "parallel_tool_calls": True}
        events = responses.stream(ana, "hi", store=store, **asked)
        first = events[-1].data["response"]
        calls = calls_of(first)
        assert [(call["call_id"], *shown(call)) for call in calls] == [
            (call["id"], *call["function"].values()) for call in WHOLE]
        sent = other.asked("calls")[-1]
        assert sent["tools"] == [{"type": "function", "function": {
            name: value for name, value in tool.items() if name != "type"}} for tool in TOOLS]
        assert sent["parallel_tool_calls"] is True
        results = [result_of(call, f"of {call['call_id']}") for call in calls]
        if store:
            create(ana, results, previous_response_id=first["id"], **asked)
        else:
            create(ana, [{"role": "user", "content": "hi"}, *calls, *results], store=False, **asked)
        assert other.asked("calls")[-1]["messages"] == [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": None, "tool_calls": WHOLE},
            *({"role": "tool", "tool_call_id": call["id"], "content": f"of {call['id']}"}
              for call in WHOLE)]
        cut = create(ana, "hi", model="half_a_call", tools=TOOLS, store=store)
        assert cut["status"] == "incomplete"
        half, = calls_of(cut)
        assert shown(half) == ("get_weather", '{"city"') and half["status"] == "incomplete"
