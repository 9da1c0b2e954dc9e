"""Invalid questions: each is refused with the place of its fault, and none is stored."""
import json

import pytest

import chats
import people
from chats import text_of
from people import faults, refused

MOST = 131_072  # Bytes of text in one message.
PARTS = [{"type": "text", "text": "x"}]

WRONG_TYPES = [None, True, 1, "x", [], {}, [1], {"a": 1}, -1, 1.5]


@pytest.fixture(name="house", scope="module")
def one_house():
    settings = {"models.tiny.engine": "scripted", "models.tiny.context": 1024}
    with chats.house(settings) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.fixture(autouse=True)
def nothing_is_stored_of_what_is_refused(ana, request):
    before = ana.get("/chat/sessions?limit=100")
    yield
    if "refused" in request.node.name:
        assert ana.get("/chat/sessions?limit=100") == before


def pointers(response):
    return {pointer for pointer, _ in faults(response)}


def test_the_longest_message_and_one_byte_more_is_refused(ana):
    for text in ("x" * MOST, "é" * (MOST // 2), "word " * (MOST // 5) + "xx", "a" * MOST):
        assert len(text.encode()) == MOST
        run = ana.ask(text)
        assert text_of(run["user_message"]) == text == text_of(run["message"])
        assert pointers(ana.query(text + "x")) == {"#/message"}
        ana.request("DELETE", f"/chat/sessions/{run['session_id']}")
    assert pointers(ana.query("é" * (MOST // 2 + 1))) == {"#/message"}, "bytes, not characters"


def test_parts_count_together_and_one_byte_more_is_refused(ana):
    parts = [{"type": "text", "text": "x" * (MOST // 16)} for _ in range(16)]
    run = ana.ask(parts)
    assert run["user_message"]["content"] == parts
    parts[3]["text"] += "x"
    assert all(pointer.startswith("#/message") for pointer in pointers(ana.query(parts)))
    ana.request("DELETE", f"/chat/sessions/{run['session_id']}")


@pytest.mark.parametrize("message, where", [
    ("", "#/message"), ([], "#/message"), (PARTS * 17, "#/message"), (7, "#/message"),
    (True, "#/message"), (PARTS[0], "#/message"), (["x"], "#/message/0"), ([None], "#/message/0"),
    ([[PARTS[0]]], "#/message/0"), ([*PARTS, {"type": "text"}], "#/message/1/text"),
    ([{"text": "x"}], "#/message/0/type"), ([{"type": "video", "text": "x"}], "#/message/0/type"),
    ([{"type": "image"}], "#/message/0/url"), ([{"type": "image", "url": 7}], "#/message/0/url"),
    ([{"type": "image", "url": "data:", "text": "x"}], "#/message/0/text"),
    ([{"type": "text", "text": None}], "#/message/0/text"),
    ([{"type": "text", "text": 7}], "#/message/0/text"),
    ([{"type": "text", "text": "x", "url": "http://x"}], "#/message/0/url")])
def test_refused_messages(ana, message, where):
    assert pointers(ana.query(message)) == {where}


def test_refused_parts_without_any_text(ana):
    response = ana.query([{"type": "text", "text": ""}, {"type": "text", "text": ""}])
    assert all(pointer.startswith("#/message") for pointer in pointers(response))


def test_refused_without_a_message_or_something_to_answer_again(ana):
    assert pointers(ana.query()) == {"#/message"}
    assert pointers(ana.query(None)) == {"#/message"}
    refused(ana.request("POST", "/chat/query", []), 422, "validation_failed", "errors")
    refused(ana.request("POST", "/chat/query"), 415, "unsupported_media_type")


OUT_OF_RANGE = {
    "max_output_tokens": [0, -1, 32_769, 1.5, 2**63, 2**64, -2**63, 1e18],
    "temperature": [-0.01, 2.01, -1, 1e308, 2**63],
    "top_p": [0, -0.1, 1.01, 0.0, -0.0, 1e308],
    "seed": [-1, 4_294_967_296, 1.5, 2**63],
    "top_k": [-1, 100_001, 1.5, 2**63, -2**63], "min_p": [-0.01, 1.01, -1, 2, 1e308],
    "repeat_penalty": [0, 0.49, 2.01, -1, 1e308],
    "presence_penalty": [-2.01, 2.01, 3, -1e308, 2**63],
    "frequency_penalty": [-2.01, 2.01, 3, -1e308, 2**63],
    "stop": [[], ["a"] * 5, [""], ["x" * 65], ["é" * 33], ["ok", ""], [1], [None], [["a"]], "",
             "x" * 65],
    "metadata": [{str(n): "v" for n in range(17)}, {"": "v"}, {"k" * 65: "v"},
                 {"é" * 65: "v"}, {"k": "v" * 513}, {"k": 1}, {"k": None}, {"k": {}},
                 {"k": ["v"]}],
}
JUST_RIGHT = {
    "max_output_tokens": [1, 512, 32_768], "temperature": [0, 0.7, 1, 2, 2.0],
    "top_p": [0.000001, 0.9, 1, 1.0], "seed": [0, 7, 4_294_967_295],
    "top_k": [0, 1, 40, 100_000], "min_p": [0, 0.05, 1, 1.0], "repeat_penalty": [0.5, 1, 1.1, 2],
    "presence_penalty": [-2, -0.5, 0, 2.0], "frequency_penalty": [-2, -0.5, 0, 2.0],
    "stop": [["x"], ["x" * 64], ["é" * 32], ["a1", "b2", "c3", "d4"], "x", "é" * 32],
    "metadata": [{}, {str(number): "v" * 512 for number in range(16)}, {"é" * 64: "é" * 512},
                 {"k": ""}, {"k\0": "\0"}],
    "stream": [False], "background": [False], "model": ["scripted"],
}
RIGHT_TYPE = {
    "max_output_tokens": (int,), "temperature": (int, float), "top_p": (int, float), "seed": (int,),
    "top_k": (int,), "min_p": (int, float), "repeat_penalty": (int, float),
    "presence_penalty": (int, float), "frequency_penalty": (int, float),
    "stop": (list, str), "metadata": (dict,), "stream": (bool,), "background": (bool,),
    "model": (str,), "session_id": (str, type(None)), "parent_message_id": (str, type(None)),
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_refused_because_out_of_range(ana, name):
    for value in OUT_OF_RANGE[name]:
        found = pointers(ana.query("x", **{name: value}))
        assert len(found) == 1, (value, found)
        assert found.pop().startswith(f"#/{name}"), value


@pytest.mark.parametrize("name", RIGHT_TYPE)
def test_refused_because_of_another_type(ana, name):
    for value in WRONG_TYPES:
        if type(value) in RIGHT_TYPE[name] or value is None:
            continue
        found = pointers(ana.query("x", **{name: value}))
        assert len(found) == 1 and found.pop().startswith(f"#/{name}"), value


@pytest.mark.parametrize("name", RIGHT_TYPE)
def test_null_means_absent(ana, name):
    assert text_of(ana.ask("hello", **{name: None})["message"]) == "hello"


@pytest.mark.parametrize("name", JUST_RIGHT)
def test_the_bounds_themselves_are_right(ana, name):
    for value in JUST_RIGHT[name]:
        run = ana.ask("hello", **{name: value})
        assert text_of(run["message"]) == "hello"
        if name == "metadata":
            assert run["metadata"] == value == run["user_message"]["metadata"]


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity", "0x1", "01"])
@pytest.mark.parametrize("name", ["max_output_tokens", "temperature", "top_p", "seed", "top_k", "min_p",
                                  "repeat_penalty", "presence_penalty", "frequency_penalty"])
def test_numbers_that_are_none_are_refused(ana, name, number):
    body = f'{{"message":"x","{name}":{number}}}'.encode()
    refused(ana.request("POST", "/chat/query", body), 400, "invalid_json")


def test_all_faults_are_named_and_refused_at_once(ana):
    response = ana.query("", temperature=3, top_p=0, seed="x", stop=[], mesage="x", owner="usr_x",
                         api_base="http://localhost", max_tokens=5)
    assert pointers(response) == {"#/message", "#/temperature", "#/top_p", "#/seed", "#/stop",
                                  "#/mesage", "#/owner", "#/api_base", "#/max_tokens"}
    assert {fault for fault in faults(response) if fault[0] == "#/message"} == {
        ("#/message", "too_short")}


def test_unknown_parameters_are_refused(ana):
    response = ana.request("POST", "/chat/query?stream=true", {"message": "x"})
    problem = refused(response, 422, "validation_failed", "errors")
    assert [error["parameter"] for error in problem["errors"]] == ["stream"]


@pytest.mark.parametrize("model", ["nothing", "", "Scripted", "scripted ", "../x", "x" * 300])
def test_an_unknown_model_is_refused(ana, model):
    response = ana.query("x", model=model)
    assert response.status == 422
    if response.json()["code"] != "validation_failed":  # The name may be too short or too long.
        refused(response, 422, "unknown_model")
    session = ana.ask("x")
    assert ana.query("x", model="nothing", session_id=session["session_id"]).status == 422
    ana.request("DELETE", f"/chat/sessions/{session['session_id']}")


def test_stream_and_background_together_are_refused(ana):
    found = pointers(ana.query("x", stream=True, background=True))
    assert found and found <= {"#/stream", "#/background"}


def test_what_cannot_fit_the_model_is_refused(ana):
    refused(ana.query("word " * 5000, model="tiny"), 422, "message_too_long")
    refused(ana.query("word " * 5000, model="tiny", stream=True), 422, "message_too_long")
    refused(ana.query("word " * 26_000, model="tiny", background=True), 422, "message_too_long")


def test_history_is_cut_so_that_a_session_never_ends(ana):
    session = ana.ask("begin", model="tiny")["session_id"]
    for turn in range(30):
        text = f"turn {turn} " + "word " * 60
        run = ana.ask(text, session_id=session, model="tiny")
        assert text_of(run["message"]) == text and run["usage"]["input_tokens"] <= 1024
    assert len(ana.messages(session)) == 62, "nothing of it is lost"


def test_a_session_remembers_its_model(ana):
    session = ana.request("POST", "/chat/sessions", {"model": "tiny"}).json()
    assert ana.ask("x", session_id=session["id"])["model"] == "tiny"
    assert ana.ask("x", session_id=session["id"], model="scripted")["model"] == "scripted"
    refused(ana.query("word " * 5000, session_id=session["id"]), 422, "message_too_long")


def test_what_is_refused_for_its_form_is_refused_before_all_else(ana):
    body = json.dumps({"message": "x"}).encode()
    refused(ana.request("POST", "/chat/query", body, {"Content-Type": "text/plain"}), 415,
            "unsupported_media_type")
    for broken in (b'{"message":"x","message":"y"}', b'{"message":"\xff"}', b'{"message":"x"',
                   b'{"message":"\\ud800"}', b'\xef\xbb\xbf{"message":"x"}', b"[" * 100_000):
        refused(ana.request("POST", "/chat/query", broken), 400, "invalid_json")
    large = json.dumps({"message": "x" * 1_100_000}).encode()
    refused(ana.request("POST", "/chat/query", large), 413, "body_too_large")


def test_unknown_sessions_and_parents_are_refused_alike(ana):
    never = ana.query("x", session_id="ses_0000000000000000000000000000")
    refused(never, 404, "not_found")
    for name in ("ses_x", "x", "", "' OR 1=1--", "ses_" + "0" * 300):
        assert ana.query("x", session_id=name).status in (404, 422)
    refused(ana.query("x", parent_message_id="msg_0000000000000000000000000000"), 404, "not_found")
    assert people.said(never)["code"] == "not_found"
