"""OpenAI's own Python client gets embeddings: it asks for base64 unless it is told otherwise."""
import openai
import pytest

import bert
import chats
import program

WEIGHTS = program.BINARY.parent / "models/smollm2-135m.gguf"
pytestmark = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without llama.cpp")


@pytest.fixture(name="reference", scope="module")
def tiny_model(tmp_path_factory):
    file = tmp_path_factory.mktemp("models") / "tiny.gguf"
    return file, bert.tiny(file)


@pytest.fixture(name="client", scope="module")
def official_client(reference):
    with chats.house({"models.tiny.path": reference[0], "models.tiny.threads": 1}) as house:
        ana = chats.somebody(house, "ana")
        with openai.OpenAI(base_url=house.server.url("/v1"), api_key=ana.token, max_retries=0) as client:
            yield client


def test_vectors(client, reference):
    texts = ["the cat sat", "a dog"]
    made = client.embeddings.create(model="tiny", input=texts)
    assert [each.index for each in made.data] == [0, 1] and made.model == "tiny"
    assert made.usage.prompt_tokens == made.usage.total_tokens == 9
    plain = client.embeddings.create(model="tiny", input=texts, encoding_format="float")
    for text, one, other in zip(texts, made.data, plain.data):
        assert one.embedding == pytest.approx(other.embedding, abs=1e-7), "base64 is the default"
        assert bert.cosine(one.embedding, reference[1].vector(text)) > 0.9999
    short = client.embeddings.create(model="tiny", input="the cat sat", dimensions=4).data[0].embedding
    assert short == pytest.approx(bert.normalized(made.data[0].embedding[:4]), abs=1e-6)


def test_errors_have_their_classes(client):
    with pytest.raises(openai.BadRequestError) as refused:
        client.embeddings.create(model="scripted", input="a")
    assert refused.value.code == "unsupported_parameter" and refused.value.param == "model"
    with pytest.raises(openai.BadRequestError) as refused:
        client.embeddings.create(model="tiny", input=["a", "cat " * 63])
    assert refused.value.code == "context_length_exceeded" and refused.value.param == "input[1]"
    with pytest.raises(openai.NotFoundError):
        client.embeddings.create(model="text-embedding-3-small", input="a")
    with pytest.raises(openai.BadRequestError) as refused:
        client.chat.completions.create(model="tiny", messages=[{"role": "user", "content": "hi"}])
    assert refused.value.code == "unsupported_parameter"
