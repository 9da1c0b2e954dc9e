"""Tools for tests, and the calls in answers of chat completions."""
from completions import user

CITY = {"type": "object", "properties": {"city": {"type": "string", "minLength": 1, "maxLength": 30},
                                         "unit": {"enum": ["celsius", "fahrenheit"]}},
        "required": ["city", "unit"], "additionalProperties": False}
WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "Tells the weather in a city.", "parameters": CITY}}
STOP = {"type": "function", "function": {"name": "stop_music"}}
TOOLS = [WEATHER, STOP]
NAMED = {"type": "function", "function": {"name": "get_weather"}}
PARIS = '{"city":"Paris","unit":"celsius"}'


def function(**members):
    return {"type": "function", "function": {"name": "f", **members}}


def asked_again(result="18 °C", call_id="c1", **more):
    """A conversation that goes on after a call."""
    return [user("Weather?"), {"role": "assistant", "content": None, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": PARIS}}]},
            {"role": "tool", "tool_call_id": call_id, "content": result, **more}]


def calls_of(completion):
    """The calls of an answer that has nothing else."""
    choice, = completion["choices"]
    assert choice["finish_reason"] == "tool_calls", choice
    assert choice["message"]["role"] == "assistant" and choice["message"]["content"] is None
    for call in choice["message"]["tool_calls"]:
        assert call["type"] == "function" and call["id"].startswith("call_")
        assert set(call) == {"id", "type", "function"} and set(call["function"]) == {"name",
                                                                                    "arguments"}
    return choice["message"]["tool_calls"]


def joined(data):
    """The calls in the chunks of a stream, joined as clients do."""
    calls = []
    for chunk in data:
        for part in chunk["choices"][0]["delta"].get("tool_calls", []) if chunk["choices"] else []:
            if part["index"] == len(calls):
                assert part["type"] == "function"
                calls.append({"id": part["id"], "type": "function", "function": {
                    "name": part["function"]["name"], "arguments": ""}})
            else:
                assert set(part) == {"index", "function"} and set(part["function"]) == {"arguments"}
            calls[part["index"]]["function"]["arguments"] += part["function"]["arguments"]
    return calls


def shown(call):
    return call["function"]["name"], call["function"]["arguments"]
