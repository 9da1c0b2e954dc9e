"""Answers in a format: `response_format` on both APIs, with the scripted model and with upstreams."""
import json

import pytest

import automations
import chats
import completions
import feeds
import upstreams
from chats import text_of
from completions import complete, post, streaming

PERSON = {"type": "object",
          "properties": {"name": {"type": "string", "minLength": 2}, "age": {"type": "integer"},
                         "tags": {"type": "array", "items": {"enum": ["a", "b"]}}},
          "required": ["name", "age"], "additionalProperties": False}
SMALLEST = {"name": "xx", "age": 0}
NATIVE = {"type": "json_schema", "schema": PERSON}
OPENAI = {"type": "json_schema", "json_schema": {"name": "person", "strict": True, "schema": PERSON}}


@pytest.fixture(name="mock", scope="module")
def one_mock():
    with upstreams.mock() as opened:
        yield opened


@pytest.fixture(name="house", scope="module")
def one_house(mock, tmp_path_factory):
    key = upstreams.write_key(tmp_path_factory.mktemp("keys"))
    with chats.house(upstreams.settings_of(mock, key, "ok", "length", "structured")) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def faults_of(response, code="unsupported_schema"):
    assert response.status == 422, response.body
    problem = response.json()
    assert problem["code"] == code, problem
    return {(error["pointer"], error["code"]) for error in problem["errors"]}


def test_a_query(ana):
    run = ana.ask("Describe Ana", response_format=NATIVE)
    assert text_of(run["message"]) == '{"name":"xx","age":0}'
    assert run["output"] == run["message"]["output"] == SMALLEST
    assert run["message"]["stop_reason"] == "end_turn"
    assert ana.run(run)["output"] == SMALLEST
    question, answer = ana.messages(run["session_id"])
    assert answer["output"] == SMALLEST and "output" not in question
    assert ana.get(f"/chat/runs?session_id={run['session_id']}")["data"][0]["output"] == SMALLEST


def test_a_valid_message_is_repeated_compact_and_in_order(ana):
    run = ana.ask('{"age": 4, "name": "Ana B"}', response_format=NATIVE)
    assert text_of(run["message"]) == '{"name":"Ana B","age":4}'


@pytest.mark.parametrize("schema, output", [
    ({"type": "null"}, None), ({"type": "array", "minItems": 1, "items": {"type": "boolean"}},
                               [False]),
    ({"const": "x"}, "x"), ({}, None)])
def test_other_values_than_objects(ana, schema, output):
    run = ana.ask("hi", response_format={"type": "json_schema", "schema": schema})
    assert run["output"] == output and json.loads(text_of(run["message"])) == output


def test_a_stream(ana):
    with ana.stream('{delay_ms:1}{"name": "Ana Maria", "age": 4}', response_format=NATIVE) as feed:
        events = feeds.check_events(feed.rest())
    assert feeds.written(events) == '{"name":"Ana Maria","age":4}'
    assert events[0].data["run"]["output"] is None
    assert events[-1].data["run"]["output"] == {"name": "Ana Maria", "age": 4}
    again = ana.events(events[-1].data["run"])
    assert [event.data for event in again] == [event.data for event in events], "from the store"


def test_any_object(ana):
    assert ana.ask("hi", response_format={"type": "json_object"})["output"] == {}
    assert ana.ask('{"a": [1]}', response_format={"type": "json_object"})["output"] == {"a": [1]}
    assert ana.ask("[1]", response_format={"type": "json_object"})["output"] == {}


@pytest.mark.parametrize("format", [None, {"type": "text"}])
def test_text(ana, format):
    run = ana.ask("Hello", response_format=format)
    assert run["output"] is None and "output" not in run["message"]
    assert text_of(run["message"]) == "Hello"


def test_an_answer_that_is_cut(ana):
    run = ana.ask("{max_tokens} hi", response_format=NATIVE)
    assert run["status"] == "completed" and run["message"]["stop_reason"] == "max_tokens"
    assert text_of(run["message"]) == '{"name":"xx","age":0}'[:10]
    assert run["output"] is None and run["message"]["output"] is None


def test_an_answer_that_does_not_match(ana):
    response = ana.query("{invalid_output} Sure, here it is", response_format=NATIVE)
    assert response.status == 502 and response.json()["code"] == "invalid_output", response.body
    run = ana.run(response.json()["run_id"])
    assert run["status"] == "failed" and run["output"] is None
    assert run["error"]["code"] == "invalid_output" and run["usage"]["output_tokens"] == 4
    assert text_of(run["message"]) == "Sure, here it is" and run["message"]["stop_reason"] == "error"


def test_its_key_stays_bound(ana):
    asked = {"message": "{invalid_output} Sure", "response_format": NATIVE}
    headers = {"Idempotency-Key": "invalid-1"}
    first = ana.query(headers=headers, **asked)
    again = ana.query(headers=headers, **asked)
    assert first.status == again.status == 502
    assert first.json()["run_id"] == again.json()["run_id"]
    assert again.header("idempotency-replayed") == "true"


@pytest.mark.parametrize("schema, pointer, code", [
    ({"type": "string", "pattern": "a"}, "/pattern", "unsupported_keyword"),
    ({"oneOf": [{}]}, "/oneOf", "unsupported_keyword"),
    ({"allOf": [{}]}, "/allOf", "unsupported_keyword"),
    ({"not": {}}, "/not", "unsupported_keyword"),
    ({"type": "array", "uniqueItems": True}, "/uniqueItems", "unsupported_keyword"),
    ({"type": "integer", "multipleOf": 2}, "/multipleOf", "unsupported_keyword"),
    ({"type": "number", "minimum": 1}, "/minimum", "unsupported_keyword"),
    ({"type": "object", "additionalProperties": True}, "/additionalProperties",
     "unsupported_keyword"),
    ({"type": "object", "patternProperties": {}}, "/patternProperties", "unsupported_keyword"),
    ({"$ref": "https://example.org/a"}, "/$ref", "unsupported_keyword"),
    ({"type": "string", "format": "email"}, "/format", "unsupported_keyword"),
    ({"type": "string", "maxLength": 2001}, "/maxLength", "unsupported_schema"),
    ({"type": "array", "maxItems": 1001}, "/maxItems", "unsupported_schema"),
    ({"type": "object", "properties": {}, "required": ["a"]}, "/required/0", "unsupported_schema"),
    ({"type": "integer", "exclusiveMinimum": 9007199254740991}, "", "unsupported_schema"),
    ({"type": "integer", "format": "int32"}, "/format", "unsupported_keyword"),
    (True, "", "unsupported_schema"),
])
def test_schemas_that_are_refused(ana, schema, pointer, code):
    response = ana.query("hi", response_format={"type": "json_schema", "schema": schema})
    assert faults_of(response) == {("#/response_format/schema" + pointer, code)}
    for stored in (False, True):
        error = post(ana, "hi", store=stored, response_format={
            "type": "json_schema", "json_schema": {"name": "x", "schema": schema}})
        assert error.status == 400, error.body
        problem = error.json()["error"]
        param = "response_format.json_schema.schema" + pointer.replace("/0", "[0]").replace("/", ".")
        assert problem["param"] == param and problem["code"] == "unsupported_schema", problem


def levels(count):
    return {"type": "array", "items": levels(count - 1)} if count > 1 else {"type": "null"}


@pytest.mark.parametrize("made, most", [
    (levels, 10), (lambda count: {"type": "object", "properties": {f"p{n}": {} for n in range(count)}}, 500),
    (lambda count: {"enum": list(range(count))}, 1000), (lambda count: {"const": "x" * (count - 12)}, 65_536)],
                         ids=["levels", "properties", "values", "bytes"])
def test_the_largest_schemas(ana, made, most):
    def asked(count):
        return ana.query("hi", response_format={"type": "json_schema", "schema": made(count)})
    assert asked(most).status == 200
    assert {code for _, code in faults_of(asked(most + 1))} == {"unsupported_schema"}


def test_notes_in_a_schema_mean_nothing(ana):
    notes = {"title": "T", "description": "D", "default": 7, "examples": [8], "$id": "https://example.org/s",
             "$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": "C"}
    schema = {**PERSON, **notes, "properties": {"name": {"type": "string", **notes}}, "required": ["name"]}
    assert ana.ask("hi", response_format={"type": "json_schema", "schema": schema})["output"] == {"name": ""}


def test_all_faults_at_once(ana):
    schema = {"type": "object", "properties": {"a": {"pattern": "x", "type": "string"},
                                               "b": {"type": "text"}}}
    asked = {"type": "json_schema", "schema": schema}
    where = "#/response_format/schema/properties"
    faults = {(f"{where}/a/pattern", "unsupported_keyword"), (f"{where}/b/type", "unsupported_schema")}
    assert faults_of(ana.query("hi", response_format=asked)) == faults
    assert faults_of(ana.query("", response_format=asked), "validation_failed") == faults | {
        ("#/message", "too_short")}


@pytest.mark.parametrize("format, pointer", [
    ({}, "/type"), ({"type": "yaml"}, "/type"), ({"type": "json_schema"}, "/schema"),
    ({"type": "json_object", "schema": {}}, "/schema"), ("json", ""),
    ({"type": "json_schema", "schema": {}, "name": "x"}, "/name")])
def test_formats_that_are_refused(ana, format, pointer):
    response = ana.query("hi", response_format=format)
    assert {where for where, _ in faults_of(response, "validation_failed")} == {
        "#/response_format" + pointer}


def test_stop_texts_do_not_go_with_it(ana):
    response = ana.query("hi", response_format=NATIVE, stop="x")
    assert faults_of(response, "validation_failed") == {("#/stop", "not_allowed")}
    error = post(ana, "hi", response_format=OPENAI, stop=["x"])
    assert error.status == 400 and error.json()["error"]["param"] == "stop", error.body
    assert complete(ana, "hi", response_format={"type": "text"}, stop=["x"])


@pytest.mark.parametrize("stored", [False, True])
def test_a_completion(ana, stored):
    completion = complete(ana, "hi", response_format=OPENAI, store=stored)
    assert json.loads(completions.text_of(completion)) == SMALLEST
    assert completion["choices"][0]["finish_reason"] == "stop"
    cut = complete(ana, "{max_tokens} hi", response_format=OPENAI, store=stored)
    assert cut["choices"][0]["finish_reason"] == "length"
    loose = {"type": "json_schema", "json_schema": {"name": "x", "strict": False, "schema": PERSON}}
    assert completions.text_of(complete(ana, "hi", response_format=loose, store=stored))
    assert completions.text_of(complete(ana, "hi", response_format={"type": "json_object"},
                                        store=stored)) == "{}"


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("model, said", [("scripted", "{invalid_output} Sure"), ("ok", "hi")])
def test_a_completion_that_does_not_match(ana, stored, model, said):
    asked = {"model": model, "response_format": OPENAI, "store": stored}
    response = post(ana, said, **asked)
    assert response.status == 502, response.body
    assert response.json()["error"]["code"] == "invalid_output"
    assert response.header("x-should-retry") == "false"
    with streaming(ana, said, **asked) as streamed:
        assert streamed.status_code == 200
        body = streamed.read().decode()
    assert '"code":"invalid_output"' in body and "[DONE]" not in body


def test_upstream_models_get_the_format_and_are_checked(ana, mock):
    run = ana.ask("hi", model="structured", response_format=NATIVE)
    assert run["output"] == {"name": "Ana", "age": 4} and text_of(run["message"]) == '{"name":"Ana","age":4}'
    sent = mock.asked("structured")[-1]["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {
        "name": "answer", "strict": False, "schema": PERSON}}
    assert ana.query("hi", model="ok", response_format=NATIVE).json()["code"] == "invalid_output"
    assert mock.asked("ok")[-1]["response_format"]["type"] == "json_schema"
    cut = ana.ask("hi", model="length", response_format={"type": "json_object"})
    assert cut["message"]["stop_reason"] == "max_tokens" and cut["output"] is None
    assert mock.asked("length")[-1]["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize("streamed", [False, True])
def test_formats_of_relayed_requests_are_passed_on(ana, mock, streamed):
    beyond = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"pattern": "x"}}}
    for format in (OPENAI, beyond):
        asked = {"model": "structured", "response_format": format}
        if streamed:
            with streaming(ana, "hi", **asked) as response:
                assert "[DONE]" in response.read().decode()
        else:
            assert post(ana, "hi", **asked).status == 200
        assert mock.asked("structured")[-1]["response_format"] == format


def test_models_say_that_they_can(ana):
    listed = completions.request(ana, "GET", "/models").json()["data"]
    assert all(model["capabilities"]["json_schema"] for model in listed), listed


@pytest.fixture(name="otto", scope="module")
def automation_user(house):
    return automations.automator(house, "otto")


def test_an_automation(otto):
    made = automations.created(otto, message="Describe Ana", response_format=NATIVE)
    assert made["response_format"] == NATIVE
    run = automations.started(otto, made, status=200, headers={"Prefer": "wait=30"})
    assert run["status"] == "completed" and run["output"] == run["run"]["output"] == SMALLEST
    assert automations.row(otto, run)["output"] == SMALLEST
    assert "output" not in automations.rows(otto, made)[0]


def test_an_automation_fails_if_its_answer_is_cut(otto):
    made = automations.created(otto, message="{max_tokens}", response_format=NATIVE,
                               retry={"max_attempts": 3, "backoff_s": 1})
    run = automations.ended(otto, automations.started(otto, made))
    assert run["status"] == "failed" and run["error"]["code"] == "invalid_output", run
    assert run["run"]["status"] == "completed" and run["output"] is None
    assert len(run["attempts"]) == 1


def test_an_automation_tries_again_if_its_answer_does_not_match(otto):
    made = automations.created(otto, message="{invalid_output} no", response_format=NATIVE,
                               retry={"max_attempts": 2, "backoff_s": 1})
    run = automations.ended(otto, automations.started(otto, made))
    assert run["status"] == "failed" and len(run["attempts"]) == 2
    assert {attempt["error"]["code"] for attempt in run["attempts"]} == {"invalid_output"}


def test_automations_with_formats_that_are_refused(otto):
    body = {"name": "x", "message": "hi", "stop": "x", "response_format": NATIVE}
    response = otto.request("POST", "/automations", body)
    assert faults_of(response, "validation_failed") == {("#/stop", "not_allowed")}
    body["response_format"] = {"type": "json_schema", "schema": {"not": {}}}
    assert faults_of(otto.request("POST", "/automations", body)) == {
        ("#/response_format/schema/not", "unsupported_keyword")}
