"""Tools of the built-in model: demanded calls are always valid, also across a crash."""
import json

import jsonschema
import pytest

import chats
import completions
import program
import test_embedded_model
from completions import complete, streaming, text_of
from test_embedded_model import SETTINGS, WEIGHTS
from tool_calls import CITY, NAMED, TOOLS, asked_again, calls_of, function, joined, shown

pytestmark = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without the embedded model")

one_core = test_embedded_model.one_core


@pytest.fixture(name="local", scope="module")
def house_with_a_model():
    with chats.house(SETTINGS) as opened:
        yield chats.somebody(opened, "ana")


@pytest.mark.parametrize("choice", ["required", NAMED])
@pytest.mark.parametrize("stored", [False, True])
def test_calls_of_the_built_in_model(local, choice, stored):
    asked = {"model": "smollm2-135m", "tools": TOOLS, "tool_choice": choice, "store": stored,
             "seed": 1, "temperature": 0}
    said = "What is the weather in Paris, in celsius?"
    call, = calls_of(complete(local, said, **asked))
    name, arguments = shown(call)
    assert name in ("get_weather", "stop_music")
    jsonschema.validate(json.loads(arguments), CITY if name == "get_weather" else {})
    data = completions.chunks(local, said, **asked)
    assert [shown(each) for each in joined(data)] == [(name, arguments)]


def test_the_built_in_model_reads_results(local):
    answer = complete(local, asked_again("It is 18 degrees and sunny in Paris."),
                      model="smollm2-135m", tools=TOOLS, temperature=0, max_tokens=60)
    assert "18" in text_of(answer) or "sunny" in text_of(answer).lower(), text_of(answer)


def test_a_crash_in_the_middle_of_a_call_of_the_built_in_model(start, tmp_path):
    home = chats.LastingHouse(start, tmp_path / "data", SETTINGS)
    ana = chats.somebody(home, "ana")
    tools = [function(name="write", parameters={"type": "object", "properties": {
        "text": {"type": "string", "minLength": 200, "maxLength": 400}}, "required": ["text"]})]
    asked = {"model": "smollm2-135m", "tools": tools, "tool_choice": "required", "store": True}
    headers = {"Idempotency-Key": "crash"}
    with streaming(ana, "Write about the sea.", headers, **asked) as response:
        lines = response.iter_lines()
        seen = [json.loads(next(line for line in lines if line.startswith("data: "))[6:])
                for _ in range(8)]
        home.kill()
    home.come_back()
    call, = calls_of(complete(ana, "Write about the sea.", headers, **asked))
    begun, = joined(seen)
    assert call["id"] == begun["id"]
    assert call["function"]["arguments"].startswith(begun["function"]["arguments"])
    jsonschema.validate(json.loads(call["function"]["arguments"]), tools[0]["function"]["parameters"])


def trained_model(folder):
    """The built-in model, with a template that names the tags of calls."""
    name = b"You are a helpful AI assistant named SmolLM, trained by Hugging Face"
    content = WEIGHTS.read_bytes()
    assert content.count(name) == 1
    file = folder / "trained.gguf"
    file.write_bytes(content.replace(name, b"<tool_call>".ljust(len(name), b".")))
    return file


def called(city):
    """A question, the call, its result and the answer."""
    arguments = json.dumps({"city": city, "unit": "celsius"})
    return [{"role": "user", "content": f"What is the weather in {city}, in celsius?"},
            {"role": "assistant", "content": None, "tool_calls": [{
                "id": city, "type": "function",
                "function": {"name": "get_weather", "arguments": arguments}}]},
            {"role": "tool", "tool_call_id": city, "content": f"{city} has 18 degrees."},
            {"role": "assistant", "content": f"{city} has 18 degrees."}]


def test_a_model_that_was_trained_for_tools(tmp_path):
    """It learns from the conversation what others learn before."""
    settings = {"models.trained.engine": "llama", "models.trained.path": trained_model(tmp_path),
                "models.trained.context": 2048, "models.trained.tools": "true"}
    with chats.house(settings) as house:
        ana = chats.somebody(house, "ana")
        model = completions.request(ana, "GET", "/models/trained").json()
        assert model["capabilities"]["tools"] is True
        cities = ("Paris", "Rome", "Berlin", "Madrid")
        asked = {"model": "trained", "tools": TOOLS, "temperature": 0, "max_tokens": 60}
        messages = [message for city in cities for message in called(city)] + called("Vienna")[:1]
        for stored in (False, True):
            call, = calls_of(complete(ana, messages, store=stored, **asked))
            assert shown(call)[0] == "get_weather", call
            assert json.loads(shown(call)[1])["city"] == "Vienna"
            data = completions.chunks(ana, messages, store=stored, **asked)
            assert [shown(each) for each in joined(data)] == [shown(call)]
        silent = complete(ana, messages, **{**asked, "tool_choice": "none"})
        assert "tool_calls" not in silent["choices"][0]["message"]
        demanded = complete(ana, "Stop it", **{**asked, "tool_choice": "required"})
        assert shown(calls_of(demanded)[0])[0] in ("get_weather", "stop_music")


def test_a_template_without_calls_stops_the_start(tmp_path):
    ended = program.run("serve", "--set=models.smollm2-135m.tools=true",
                        "--set=server.listen=127.0.0.1:0", "--set=metrics.listen=off", "--data",
                        str(tmp_path / "data"))
    assert ended.returncode == 1 and "has no <tool_call>: set tools to false." in ended.stderr
