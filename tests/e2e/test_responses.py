"""The Responses API of OpenAI: questions, answers, conversations, what is refused."""
import itertools

import pytest

import chats
import completions
import moved
import people
import responses
import upstreams
from completions import refused
from responses import create, post, text_of

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
FORMAT = {"type": "json_schema", "name": "number", "schema": SCHEMA, "strict": True}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({"models.tiny.engine": "scripted", "models.tiny.context": 100}) as opened:
        yield opened


@pytest.fixture(name="ana")
def somebody(house, number=itertools.count()):
    return chats.somebody(house, f"ana{next(number)}")


def user(text):
    return {"role": "user", "content": [{"type": "input_text", "text": text}]}


def assistant(text):
    return {"type": "message", "role": "assistant", "id": "msg_x", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}]}


def test_a_run_like_any_other(ana):
    answer = post(ana, "Hello there", metadata={"k": "v"}, temperature=0.5, top_p=0.9,
                  max_output_tokens=50, instructions="Be brief.")
    made = responses.checked(answer)
    assert text_of(made) == "Hello there" and made["status"] == "completed"
    assert (made["metadata"], made["temperature"], made["top_p"]) == ({"k": "v"}, 0.5, 0.9)
    assert (made["max_output_tokens"], made["instructions"]) == (50, "Be brief.")
    assert made["store"] and not made["background"] and made["error"] is None
    assert answer.header("ratelimit").startswith('"chat"')
    run = ana.run(answer.header("x-run-id"))
    assert run["id"] == responses.run_of(made) and run["session_id"] == made["session_id"]
    assert run["status"] == "completed" and run["metadata"] == {"k": "v"}
    assert run["message"]["id"] == made["output"][0]["id"]
    assert made["usage"]["total_tokens"] == run["usage"]["total_tokens"]
    assert made["created_at"] <= made["completed_at"]
    session = ana.get(f"/chat/sessions/{made['session_id']}")
    assert session["title"] == "Hello there" and session["message_count"] == 2
    assert session["instructions"] is None, "those of a response are its own"
    assert responses.get(ana, made) == made
    assert completions.request(ana, "GET", responses.path_of(made)).header(
        "ratelimit").startswith('"general"')


def test_every_run_is_a_response(ana):
    run = ana.ask("Hello", metadata={"k": "v"})
    made = responses.get(ana, "resp_" + run["id"].removeprefix("run_"))
    assert text_of(made) == "Hello" and made["metadata"] == {"k": "v"}
    assert text_of(create(ana, "more", previous_response_id=made["id"])) == "more"
    assert ana.get(f"/chat/sessions/{run['session_id']}")["message_count"] == 4


def test_a_stream(ana):
    events = responses.stream(ana, "{words:3}")
    assert [event.type.removeprefix("response.") for event in events] == [
        "created", "in_progress", "output_item.added", "content_part.added",
        *["output_text.delta"] * 3,
        "output_text.done", "content_part.done", "output_item.done", "completed"]
    created, last = events[0].data["response"], events[-1].data["response"]
    assert created["status"] == "in_progress" and created["output"] == []
    assert set(created) == responses.RESPONSE_FIELDS | {"session_id"}
    assert responses.written(events) == chats.words(3) == text_of(last)
    assert last["usage"]["output_tokens"] == 3 and last["id"] == created["id"]
    item = last["output"][0]
    assert events[2].data["item"] == {**item, "status": "in_progress", "content": []}
    assert events[-2].data["item"] == item
    assert events[-4].data["text"] == chats.words(3)
    assert events[-3].data["part"] == item["content"][0]
    assert all(event.data["item_id"] == item["id"] for event in events[3:-2])
    assert responses.get(ana, last) == last


def test_streams_of_all_sizes(ana):
    for count in (0, 1, 20_000):
        events = responses.stream(ana, f"{{words:{count}}}")
        assert responses.written(events) == chats.words(count)
        assert text_of(events[-1].data["response"]) == chats.words(count)


def test_conversations(ana):
    first = create(ana, "one")
    second = create(ana, "two", previous_response_id=first["id"])
    assert second["previous_response_id"] == first["id"]
    assert second["session_id"] == first["session_id"]
    assert second["usage"]["input_tokens"] == 3, "it was shown what was said before"
    branch = create(ana, "other", previous_response_id=first["id"])
    assert branch["session_id"] == first["session_id"]
    said = ana.messages(first["session_id"], leaf=branch["output"][0]["id"])
    assert [chats.text_of(message) for message in said] == ["one", "one", "other", "other"]
    said = ana.messages(first["session_id"], leaf=second["output"][0]["id"])
    assert [chats.text_of(message) for message in said] == ["one", "one", "two", "two"]


def test_instructions_are_for_one_response(ana):
    """The scripted model counts them, so that they can be seen."""
    first = create(ana, "one", instructions="a b c")
    assert first["usage"]["input_tokens"] == 4
    second = create(ana, "two", previous_response_id=first["id"])
    assert second["usage"]["input_tokens"] == 3 and second["instructions"] is None
    # Messages of these roles are a part of the conversation, so they stay.
    third = create(ana, [{"role": "system", "content": "a b"}, {"role": "developer", "content": "c"},
                         user("one")], instructions="d")
    assert third["usage"]["input_tokens"] == 5 and third["instructions"] == "d"
    assert ana.get(f"/chat/sessions/{third['session_id']}")["instructions"] == "a b\n\nc"
    assert create(ana, "two", previous_response_id=third["id"])["usage"]["input_tokens"] == 6


def test_a_conversation_that_the_client_sends(ana):
    made = create(ana, [{"role": "user", "content": "one"}, assistant("1"),
                        {"type": "reasoning", "id": "rs_1", "summary": []}, user("two"), user("more")])
    assert text_of(made) == "two\n\nmore"
    said = ana.messages(made["session_id"])
    assert [(message["role"], chats.text_of(message)) for message in said] == [
        ("user", "one"), ("assistant", "1"), ("user", "two\n\nmore"), ("assistant", "two\n\nmore")]


def test_references_to_messages(ana, house):
    first = create(ana, "one")
    item = {"type": "item_reference", "id": first["output"][0]["id"]}
    made = create(ana, [user("one"), item, user("two")])
    assert made["session_id"] != first["session_id"] and made["usage"]["input_tokens"] == 3
    ben = chats.somebody(house, "ben")
    refused(post(ben, [user("one"), item, user("two")]), 404, "not_found", "input")
    refused(post(ana, [{**item, "id": "msg_never"}, user("x")]), 404, "not_found", "input")
    refused(post(ana, [item] * 501 + [user("x")]), 400, "validation_failed", "input")


def test_references_to_long_messages_have_a_limit(ana):
    """Imported messages may be long, and the same one can be named many times."""
    size = 1_500_000
    session = moved.imported(ana, "chatgpt", moved.gpt_chain("Long", 2, "x" * size)).json()["session_id"]
    answer = ana.messages(session)[-1]
    item = {"type": "item_reference", "id": answer["id"]}
    made = post(ana, [user("one"), item, item, user("two")], store=False)
    assert made.status == 200, made.body
    refused(post(ana, [user("one"), item, item, item, user("two")], store=False), 400, "validation_failed", "input")


def test_responses_of_others(ana, house):
    made = create(ana, "mine")
    ben = chats.somebody(house, "benny")
    never = post(ben, "yours?", previous_response_id="resp_never")
    refused(never, 404, "not_found", "previous_response_id")
    assert post(ben, "yours?", previous_response_id=made["id"]).body == never.body
    run_id = responses.run_of(made)
    refused(post(ana, "x", previous_response_id=run_id), 404, "not_found", "previous_response_id")
    for method, more in (("GET", ""), ("DELETE", ""), ("POST", "/cancel"), ("GET", "/input_items"),
                         ("GET", "?stream=true")):
        theirs = completions.request(ben, method, responses.path_of(made, more))
        refused(theirs, 404, "not_found")
        assert theirs.body == completions.request(ben, method, "/responses/resp_x" + more).body
    assert responses.get(ana, made) == made


def test_a_previous_response_that_is_being_written(ana):
    made = create(ana, "{first_delay_ms:60000} hello", background=True)
    response = post(ana, "me too", previous_response_id=made["id"])
    refused(response, 409, "session_busy", "previous_response_id")
    assert response.header("retry-after")
    refused(post(ana, "me too", previous_response_id=made["id"], store=False), 409, "session_busy",
            "previous_response_id")
    responses.cancel(ana, made)


def test_formats(ana):
    made = create(ana, "hi", text={"format": FORMAT})
    assert text_of(made) == '{"n":0}' and made["text"] == {"format": FORMAT}
    assert ana.run(responses.run_of(made))["output"] == {"n": 0}
    assert text_of(create(ana, "hi", text={"format": {"type": "json_object"}})) == "{}"
    plain = create(ana, "hi", text={"format": {"type": "text"}, "verbosity": "low"})
    assert text_of(plain) == "hi" and plain["text"] == {"format": {"type": "text"}}
    wrong = {**FORMAT, "schema": {"type": "string", "pattern": "x"}}
    refused(post(ana, "hi", text={"format": wrong}), 400, "unsupported_schema",
            "text.format.schema.pattern")
    refused(post(ana, "hi", text={"format": {"type": "grammar"}}), 400, "validation_failed",
            "text.format.type")


def test_an_answer_that_is_cut(ana):
    made = create(ana, "{max_tokens} one two three four")
    assert made["status"] == "incomplete" and text_of(made) == "one two"
    assert made["incomplete_details"] == {"reason": "max_output_tokens"}
    assert made["output"][0]["status"] == "incomplete"
    events = responses.stream(ana, "{words:9}", max_output_tokens=4)
    assert events[-1].type == "response.incomplete"
    assert text_of(events[-1].data["response"]) == chats.words(4)


def test_failures(ana):
    early = post(ana, "{error:upstream_error}")
    refused(early, 502, "upstream_error")
    assert early.header("x-should-retry") is None
    late = post(ana, "{words:9} {fail_after:2}")
    refused(late, 502, "upstream_error")
    assert late.header("x-should-retry") == "false"
    made = responses.get(ana, "resp_" + late.header("x-run-id").removeprefix("run_"))
    assert made["status"] == "failed" and text_of(made) == chats.words(2)
    assert made["error"]["code"] == "server_error" and made["error"]["message"]
    assert made["output"][0]["status"] == "incomplete"
    events = responses.stream(ana, "{error:overloaded}")
    assert [event.type for event in events[2:]] == ["response.failed"], "the stream had begun"
    failed = events[-1].data["response"]
    assert failed["output"] == [] and failed["error"]["code"] == "rate_limit_exceeded"
    events = responses.stream(ana, "{words:9} {fail_after:2}")
    assert events[-1].type == "response.failed" and responses.written(events) == chats.words(2)


def test_one_key_one_response(ana):
    key = {"Idempotency-Key": "once"}
    first = post(ana, "hello", key)
    again = post(ana, "hello", key)
    assert first.json() == again.json() and again.header("idempotency-replayed") == "true"
    assert again.header("ratelimit").startswith('"general"')
    events = responses.stream(ana, "hello", key)
    assert events[-1].data["response"] == first.json()
    assert create(ana, "hello", key, background=True)["id"] == first.json()["id"]
    refused(post(ana, "other", key), 422, "idempotency_mismatch")
    assert text_of(create(ana, "other", key, store=False)) == "other", "it means nothing there"
    refused(post(ana, "hello", {"Idempotency-Key": "a b"}), 400, "invalid_idempotency_key")
    assert len(ana.get("/chat/sessions")["data"]) == 1


def test_a_failed_response_again(ana):
    """A key is free again after a failure before the first piece."""
    key = {"Idempotency-Key": "failed"}
    first = post(ana, "{error:upstream_error}", key)
    again = post(ana, "{error:upstream_error}", key)
    assert again.header("x-run-id") != first.header("x-run-id")
    session, = ana.get("/chat/sessions")["data"]
    assert session["message_count"] == 3, "one question, two answers"


@pytest.mark.parametrize("change, code, param", [
    ({"input": None}, "validation_failed", "input"),
    ({"input": 7}, "validation_failed", "input"),
    ({"input": []}, "validation_failed", "input"),
    ({"input": ""}, "validation_failed", "input"),
    ({"input": "x" * 131_073}, "validation_failed", "input"),
    ({"input": [assistant("x")]}, "validation_failed", "input"),
    ({"input": [{"role": "king", "content": "x"}]}, "validation_failed", "input[0].role"),
    ({"input": [{"role": "king"}] * 10_001}, "validation_failed", "input"),
    ({"input": [{"role": "user"}]}, "validation_failed", "input[0].content"),
    ({"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]},
     "unsupported_parameter", "input[0].content[0]"),
    ({"input": [{"type": "computer_call_output"}]}, "unsupported_parameter", "input[0].type"),
    ({"instructions": "x" * 65_537}, "validation_failed", "instructions"),
    ({"temperature": 9}, "validation_failed", "temperature"),
    ({"top_p": 2}, "validation_failed", "top_p"),
    ({"max_output_tokens": 0}, "validation_failed", "max_output_tokens"),
    ({"metadata": {str(n): "v" for n in range(17)}}, "validation_failed", "metadata"),
    ({"top_logprobs": 1}, "unsupported_parameter", "top_logprobs"),
    ({"conversation": "conv_1"}, "unsupported_parameter", "conversation"),
    ({"prompt": {"id": "pmpt_1"}}, "unsupported_parameter", "prompt"),
    ({"background": True, "store": False}, "validation_failed", "background"),
    ({"model": "tiny", "input": "many " * 90}, "context_length_exceeded", "input"),
])
def test_what_is_refused(ana, change, code, param):
    for stream in (False, True):
        refused(post(ana, "hi", **{**change, "stream": stream}) if "input" not in change else
                completions.request(ana, "POST", "/responses",
                                    {"model": "scripted", "stream": stream, **change}),
                400, code, param)
    assert ana.get("/chat/sessions")["data"] == []


def test_conversations_that_are_too_long_to_be_stored(ana):
    def turns(count):
        return [(user, assistant)[number % 2]("x") for number in range(count)] + [user("last")]

    refused(post(ana, turns(502)), 400, "validation_failed", "input")
    assert text_of(create(ana, turns(500))) == "last"
    assert text_of(create(ana, turns(502), store=False)) == "last"
    refused(post(ana, [user("x" * 131_073), assistant("y"), user("z")]), 400, "validation_failed",
            "input")
    made = create(ana, "one")
    refused(post(ana, [user("a"), assistant("b"), user("c")], previous_response_id=made["id"]), 400,
            "validation_failed", "input")
    instructions = [{"role": "system", "content": "x" * 65_537}, user("hi")]
    refused(post(ana, instructions), 400, "validation_failed", "input")


def test_models_and_scopes(ana, house):
    refused(post(ana, "hi", model="gpt-4o"), 404, "model_not_found", "model")
    default = completions.request(ana, "POST", "/responses", {"input": "hi"})
    assert default.json()["model"] == "scripted"
    rita = chats.somebody(house, "rita", scopes=["chat:read"])
    refused(post(rita, "hi"), 403, "insufficient_scope")
    carl = house.add("carl")
    made = create(chats.Person(house, house.token_for(carl)["token"]), "hi")
    reader = chats.Person(house, house.token_for(carl, scopes=["chat:read"])["token"])
    assert responses.get(reader, made) == made
    for method, more in (("DELETE", ""), ("POST", "/cancel")):
        refused(completions.request(reader, method, responses.path_of(made, more)), 403,
                "insufficient_scope")


def test_fields_that_clients_send(ana):
    """Without effect here, but no reason to refuse."""
    made = create(ana, "hi", include=["message.output_text.logprobs"], reasoning={"effort": "low"},
                  truncation="disabled", user="u", parallel_tool_calls=False, service_tier="auto",
                  prompt_cache_key="k", safety_identifier="s", max_tool_calls=3, top_logprobs=0,
                  stream_options={"include_obfuscation": False}, conversation=None, prompt=None,
                  previous_response_id=None, instructions=None, metadata=None, text=None,
                  max_output_tokens=None, something_new={"a": 1}, presence_penalty=0.5, top_k=40)
    assert text_of(made) == "hi" and made["parallel_tool_calls"] is False


def test_a_client_that_leaves_changes_nothing(ana):
    with responses.streaming(ana, "{words:5} {delay_ms:100}") as response:
        run = response.headers["x-run-id"]
        next(response.iter_text())
    assert chats.text_of(ana.ended(run)["message"]) == chats.words(5)


def test_not_stored(ana):
    made = create(ana, "Hello there", store=False, metadata={"k": "v"}, instructions="a b")
    assert text_of(made) == "Hello there" and made["usage"]["input_tokens"] == 4
    assert made["instructions"] == "a b" and made["metadata"] == {"k": "v"}
    refused(completions.request(ana, "GET", responses.path_of(made)), 404, "not_found")
    refused(post(ana, "x", previous_response_id=made["id"]), 404, "not_found",
            "previous_response_id")
    events = responses.stream(ana, "{words:3}", store=False)
    last = events[-1].data["response"]
    assert events[-1].type == "response.completed" and text_of(last) == chats.words(3)
    assert events[0].data["response"] == {**last, "status": "in_progress", "output": [],
                                          "usage": None, "completed_at": None}
    refused(post(ana, "{error:upstream_error}", store=False), 502, "upstream_error")
    refused(post(ana, "{error:upstream_error}", store=False, stream=True), 502, "upstream_error")
    failed = responses.stream(ana, "{words:9} {fail_after:2}", store=False)[-1].data["response"]
    assert failed["status"] == "failed" and text_of(failed) == chats.words(2)
    cut = create(ana, "hi", store=False, text={"format": FORMAT})
    assert text_of(cut) == '{"n":0}'
    assert ana.get("/chat/sessions")["data"] == [] and ana.get("/chat/runs")["data"] == []


def test_not_stored_below_a_stored_one(ana):
    first = create(ana, [{"role": "system", "content": "a b"}, user("one")])
    second = create(ana, "two", previous_response_id=first["id"])
    made = create(ana, "three", store=False, previous_response_id=second["id"], instructions="c")
    assert made["usage"]["input_tokens"] == 8 and text_of(made) == "three"
    assert ana.get(f"/chat/sessions/{first['session_id']}")["message_count"] == 4
    # Messages that do not fit are left out, oldest first.
    long = create(ana, "many " * 40, model="tiny")
    longer = create(ana, "more " * 30, model="tiny", previous_response_id=long["id"])
    short = create(ana, "hi", model="tiny", previous_response_id=longer["id"], store=False)
    assert short["usage"]["input_tokens"] < 75


def test_not_stored_ends_with_its_client(ana):
    with responses.streaming(ana, "{words:9} {delay_ms:60000}", store=False) as response:
        next(response.iter_text())
    people.until(lambda: text_of(create(ana, "hi")) == "hi")


def test_models_on_other_servers(start, tmp_path):
    with upstreams.mock() as other:
        house = chats.LastingHouse(start, tmp_path / "data", upstreams.settings_of(
            other, upstreams.write_key(tmp_path), "ok"))
        ana = chats.somebody(house, "ana")
        expected = "".join(upstreams.WORDS)
        first = create(ana, "hello", model="ok")
        assert text_of(first) == expected and first["model"] == "ok"
        second = create(ana, "more", model="ok", previous_response_id=first["id"])
        assert text_of(second) == expected
        assert text_of(create(ana, "hello", model="ok", store=False)) == expected
        events = responses.stream(ana, "hello", model="ok", store=False)
        assert responses.written(events) == expected
