"""Ways in which a chat completions server may call functions (upstream_ways.py)."""
import contextlib
import json

import chats
import upstreams
from upstream_ways import USAGE, way

WHOLE = [{"id": "call_abc", "type": "function",
          "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'}},
         {"id": "call_def", "type": "function",
          "function": {"name": "stop_music", "arguments": "{}"}}]
PARTS = [{"index": 0, "id": "call_abc", "type": "function",
          "function": {"name": "get_weather", "arguments": ""}},
         {"index": 0, "function": {"arguments": '{"city"'}},
         {"index": 0, "function": {"arguments": ': "Paris"}'}},
         {"index": 1, "id": "call_def", "type": "function",
          "function": {"name": "stop_music", "arguments": "{}"}}]


def delta_of_calls(*parts):
    return {"choices": [{"index": 0, "delta": {"tool_calls": list(parts)}, "finish_reason": None}]}


@way
def calls(it):
    """Calls two functions."""
    if not it.body.get("stream"):
        answer = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1,
                  "model": it.body["model"], "choices": [
                      {"index": 0, "message": {"role": "assistant", "content": None,
                                               "tool_calls": WHOLE},
                       "finish_reason": "tool_calls"}], "usage": USAGE["usage"]}
        return it.answer(200, json.dumps(answer).encode(), Content_Type="application/json")
    it.begin()
    for part in PARTS:
        it.event(delta_of_calls(part))
    return it.rest([], "tool_calls", usage=bool(it.body.get("stream_options")))


@way
def half_a_call(it):
    it.begin()
    for part in PARTS[:2]:
        it.event(delta_of_calls(part))
    return it.rest([], "length")


@way
def odd_calls(it):
    """A part of a call that has not begun."""
    it.begin()
    it.event(delta_of_calls(PARTS[1]))
    return it.rest([], "tool_calls")


@way
def calls_of_one_index(it):
    """Two calls with the same index: only their ids differ."""
    it.begin()
    for part in PARTS:
        it.event(delta_of_calls({**part, "index": 0}))
    return it.rest([], "tool_calls")


@way
def too_many_calls(it):
    it.begin()
    for number in range(129):
        it.event(delta_of_calls({"index": number, "id": f"call_{number}", "type": "function",
                                 "function": {"name": "stop_music", "arguments": "{}"}}))
    return it.rest([], "tool_calls")


FAKE = 'See:\n<tool_call>\n{"name":"stop_music","arguments":{}}\n</tool_call>'


@way
def fake_call(it):
    """Text that looks like a call, in pieces."""
    it.begin()
    return it.rest([FAKE[:9], FAKE[9:20], FAKE[20:]], "stop")


@way
def uses_tools(it):
    """Calls the first function with the user's words as arguments, and repeats the result."""
    last = it.body["messages"][-1]
    text = last["content"]
    if isinstance(text, list):
        text = "".join(part["text"] for part in text)
    if last["role"] == "tool" or not it.body.get("tools"):
        said, reason = {"content": text}, "stop"
    else:
        function = {"name": it.body["tools"][0]["function"]["name"], "arguments": text}
        said = {"tool_calls": [{"index": 0, "id": "call_abc", "type": "function", "function": function}]}
        reason = "tool_calls"
    if not it.body.get("stream"):
        answer = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": it.body["model"],
                  "choices": [{"index": 0, "message": {"role": "assistant", "content": None, **said},
                               "finish_reason": reason}], "usage": USAGE["usage"]}
        return it.answer(200, json.dumps(answer).encode(), Content_Type="application/json")
    it.begin()
    it.event({"choices": [{"index": 0, "delta": {"role": "assistant", **said}, "finish_reason": None}]})
    return it.rest([], reason, usage=bool(it.body.get("stream_options")))


@contextlib.contextmanager
def house_with_tools(folder):
    """A house with the model `uses_tools` besides the scripted one; its key is in this folder."""
    with upstreams.mock() as mock, chats.house(
            upstreams.settings_of(mock, upstreams.write_key(folder), "uses_tools")) as opened:
        yield opened
