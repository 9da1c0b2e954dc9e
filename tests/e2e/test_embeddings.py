"""POST /v1/embeddings: vectors of texts by a model in the program, compared with another implementation, and by
models on other servers."""
import base64
import json
import struct
import threading
import time

import pytest

import bert
import chats
import completions
import ggufs
import people
import program
import upstreams
import wire

WEIGHTS = program.BINARY.parent / "models/smollm2-135m.gguf"
pytestmark = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without llama.cpp")

SCOPES = ["chat:read", "chat:write", "automation:read", "automation:write", "account"]
TEXTS = ["the cat sat on the mat", "a dog", "Cats, dogs & 42 mats!", "x" * 40]


@pytest.fixture(name="mock", scope="module")
def one_mock():
    with upstreams.mock() as opened:
        yield opened


@pytest.fixture(name="places", scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("embeddings")
    return folder, bert.tiny(folder / "tiny.gguf")


@pytest.fixture(name="house", scope="module")
def one_house(mock, places):
    key = upstreams.write_key(places[0])
    settings = {"models.tiny.path": places[0] / "tiny.gguf", "models.tiny.threads": 1,
                **upstreams.settings_of(mock, key, "embeds", "status404", "too_long", "status500")}
    with chats.house(settings) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana", scopes=SCOPES)


def post(person, model="tiny", headers=None, **body):
    named = {"model": model} if model else {}
    return completions.request(person, "POST", "/embeddings", {**named, **body}, headers)


def vectors(person, texts, **more):
    response = post(person, input=texts, **more)
    assert response.status == 200, response.body
    data = response.json()["data"]
    assert [each["index"] for each in data] == list(range(len(data)))
    return [each["embedding"] for each in data]


def refused(response, status, code, param):
    assert response.status == status, response.body
    error = response.json()["error"]
    assert (error["code"], error["param"]) == (code, param), error
    return error["message"]


def test_vectors_are_those_of_another_implementation(ana, places):
    made = vectors(ana, TEXTS)
    for text, vector in zip(TEXTS, made):
        assert len(vector) == 32 and abs(bert.dot(vector, vector) - 1) < 1e-5
        assert bert.cosine(vector, places[1].vector(text)) > 0.9999, text
    assert bert.cosine(made[0], made[1]) < 0.99, "texts differ"


def test_the_shape_is_that_of_openai(ana, places):
    response = post(ana, input="the cat")
    body = response.json()
    assert set(body) == {"object", "data", "model", "usage"} and body["object"] == "list"
    assert body["model"] == "tiny"
    assert body["usage"] == {"prompt_tokens": 4, "total_tokens": 4}, "with the tokens at both ends"
    assert set(body["data"][0]) == {"object", "index", "embedding"}
    assert body["data"][0]["object"] == "embedding"
    assert response.header("content-type") == "application/json"
    assert 'chat' in response.header("ratelimit-policy")


def test_a_vector_is_the_same_alone_and_beside_others(ana):
    alone = [vectors(ana, [text])[0] for text in TEXTS]
    beside = vectors(ana, TEXTS * 100)
    assert len(beside) == 400
    for i, vector in enumerate(beside):
        assert bert.cosine(vector, alone[i % 4]) > 0.99999
    assert vectors(ana, TEXTS) == vectors(ana, TEXTS), "deterministic"


def test_base64_and_dimensions(ana):
    plain = vectors(ana, ["the cat"])[0]
    packed = vectors(ana, ["the cat"], encoding_format="base64")[0]
    assert list(struct.unpack("<32f", base64.b64decode(packed))) == pytest.approx(plain, abs=1e-7)
    short = vectors(ana, ["the cat"], dimensions=8)[0]
    assert short == pytest.approx(bert.normalized(plain[:8]), abs=1e-6)
    assert vectors(ana, ["the cat"], dimensions=32)[0] == plain
    message = refused(post(ana, input="the cat", dimensions=33), 400, "validation_failed", "dimensions")
    assert "at most 32" in message
    refused(post(ana, input="the cat", dimensions=0), 400, "validation_failed", "dimensions")


@pytest.mark.parametrize("given, param", [
    ("", "input"), ([], "input"), (["a", ""], "input[1]"), (None, "input"), (7, "input"), ({"a": 1}, "input"),
    (["a"] * 2049, "input"), (["a", None], "input[1]")])
def test_bad_inputs_are_named(ana, given, param):
    refused(post(ana, input=given), 400, "validation_failed", param)


def test_tokens_are_refused_with_a_reason(ana):
    for given in ([1, 2, 3], [[1, 2], [3]]):
        message = refused(post(ana, input=given), 400, "unsupported_parameter", "input[0]")
        assert "token numbers differ between models" in message
    refused(post(ana), 400, "validation_failed", "input")
    refused(post(ana, input="a", encoding_format="hex"), 400, "validation_failed", "encoding_format")


def test_the_most_inputs_and_the_longest_text(ana):
    assert len(vectors(ana, ["a"] * 2048)) == 2048
    assert len(vectors(ana, ["cat " * 62])) == 1
    message = refused(post(ana, input=["a", "cat " * 63, "x" * 500_000]), 400, "context_length_exceeded",
                      "input[1]")
    assert message.count("maximum context length is 64 tokens") == 2 and "input[2]" in message
    refused(post(ana, input="cat " * 63), 400, "context_length_exceeded", "input")


def test_models_say_what_they_can(ana):
    listed = {each["id"]: each for each in completions.request(ana, "GET", "/models").json()["data"]}
    assert listed["tiny"]["capabilities"]["embeddings"] is True
    assert listed["tiny"]["context_window"] == 64
    assert listed["scripted"]["capabilities"]["embeddings"] is False
    assert listed["embeds"]["capabilities"]["embeddings"] is True, "passed on"


def test_a_model_that_cannot_embed_is_refused(ana):
    for model in ("scripted", None):
        message = refused(post(ana, model, input="a"), 400, "unsupported_parameter", "model")
        assert "cannot embed" in message and "tiny" in message
    refused(post(ana, "nobody", input="a"), 404, "model_not_found", "model")


def test_an_embedding_model_does_not_chat(ana):
    for more in ({}, {"store": True}, {"stream": True}):
        refused(completions.post(ana, "hi", model="tiny", **more), 400, "unsupported_parameter", "model")
    for path, body in (("/chat/query", {"message": "hi"}), ("/chat/sessions", {}),
                       ("/automations", {"name": "a", "message": "b"})):
        response = ana.request("POST", path, {**body, "model": "tiny"})
        assert people.faults(response) == [("#/model", "unsupported_parameter")], path


def test_access_is_that_of_chats(house, ana):
    assert post(chats.Person(house, None), input="a").status == 401
    reader = house.make_token(ana.token, scopes=["chat:read"])["token"]
    assert post(chats.Person(house, reader), input="a").status == 403
    writer = house.make_token(ana.token, scopes=["chat:write"])["token"]
    assert post(chats.Person(house, writer), input="a").status == 200
    tess = chats.somebody(house, "tess", test=True)
    refused(post(tess, input="a"), 400, "unsupported_parameter", "model")


def test_a_revoked_token_is_refused(house, ana):
    made = house.make_token(ana.token, scopes=["chat:write"])
    machine = chats.Person(house, made["token"])
    assert post(machine, input="a").status == 200
    assert house.ask("DELETE", f"/tokens/{made['id']}", ana.token).status == 204
    assert post(machine, input="a").status == 401


def test_requests_count_as_chat(places):
    settings = {"models.tiny.path": places[0] / "tiny.gguf", "models.tiny.threads": 1, "limits.chat": 3}
    with chats.house(settings) as house:
        ben = chats.somebody(house, "ben")
        assert post(ben, input="a").status == 200
        assert post(ben, input=["a"] * 2048).status == 200, "whatever it has, it counts once"
        assert completions.post(ben, "hi").status == 200, "the same class"
        response = post(ben, input="a")
        refused(response, 429, "rate_limit_exceeded", None)
        assert int(response.header("retry-after")) > 0


@pytest.mark.parametrize("pooling", [1, 3])
def test_a_language_model_that_was_trained_to_embed(tmp_path, pooling):
    """With the last token's vector, a text of several hundred tokens is read in steps."""
    file = tmp_path / "words.gguf"
    ggufs.trained_to_embed(WEIGHTS, file, pooling)
    long = "The quick brown fox jumps over the lazy dog. " * (28 if pooling == 3 else 4)
    texts = ["How do I reset my password?", long, "Bake the bread."]
    with chats.house({"models.words.path": file, "models.words.threads": 1, "models.words.context": 512}) as house:
        eve = chats.somebody(house, "eve")
        beside = vectors(eve, texts, model="words")
        alone = [vectors(eve, text, model="words")[0] for text in texts]
        for one, other in zip(beside, alone):
            assert len(one) == 576 and bert.cosine(one, other) > 0.99
        assert bert.cosine(beside[0], beside[2]) < 0.95 and bert.cosine(beside[1], beside[0]) < 0.95
        assert completions.post(eve, "hi", model="words").status == 400, "it no longer chats"


def test_upstreams_get_the_request_as_it_is(ana, mock):
    given = {"input": [[1, 2], [3]], "dimensions": 70_000, "user": "x", "whatever": [1.50]}
    response = post(ana, "embeds", **given)
    assert response.status == 200, response.body
    assert response.json()["model"] == "embeds", "the name that was asked for"
    assert response.json()["data"][0]["embedding"] == [0.6, 0.8]
    assert mock.asked("embeds")[-1] == {**given, "model": "there"}


def test_refusals_and_failures_of_upstreams(ana):
    assert post(ana, "too_long", input="a").json()["error"]["code"] == "context_length_exceeded"
    message = refused(post(ana, "status404", input="a"), 400, "unsupported_parameter", "model")
    assert "cannot embed" in message
    assert post(ana, "status500", input="a").status == 502


def test_a_client_that_leaves_cancels_its_request(house, ana):
    body = json.dumps({"model": "tiny", "input": ["cat " * 60] * 2048}).encode()
    head = (f"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ana.token}\r\n"
            f"Content-Type: application/json\r\nX-Request-Id: leaver\r\nContent-Length: {len(body)}\r\n\r\n")
    connection = wire.Connection(house.server.address)
    connection.socket.sendall(head.encode() + body)
    time.sleep(0.1)
    connection.close()
    line = house.server.log.wait_for(message="request served", request_id="leaver")
    assert line["status"] in (200, 499), line
    assert len(vectors(ana, ["a"])) == 1


def test_requests_at_once_are_all_answered(ana):
    failures = []

    def ask(text):
        try:
            assert bert.cosine(vectors(ana, [text] * 50)[49], alone[text]) > 0.99999
        except Exception as failure:  # pylint: disable=broad-except
            failures.append(failure)
    alone = {text: vectors(ana, [text])[0] for text in TEXTS}
    threads = [threading.Thread(target=ask, args=(text,)) for text in TEXTS * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def test_tokens_are_counted(house, ana):
    def counted():
        with wire.Connection(house.server.metrics_address) as connection:
            text = connection.ask("GET", "/metrics").body.decode()
        return next(float(line.split()[-1]) for line in text.splitlines()
                    if line.startswith("parley_model_tokens_total") and 'model="tiny"' in line and 'in"' in line)
    before = counted()
    vectors(ana, ["the cat"] * 3)
    assert counted() == before + 12


def test_an_embedding_model_is_no_default(places, tmp_path):
    ended = program.run("serve", "--data", str(tmp_path / "data"), "--set=server.listen=127.0.0.1:0",
                        "--set=metrics.listen=off", f"--set=models.tiny.path={places[0] / 'tiny.gguf'}",
                        "--model", "tiny")
    assert ended.returncode == 1 and "can only embed texts" in ended.stderr, ended.stderr
