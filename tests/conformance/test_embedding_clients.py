"""Clients that get embeddings with base URL and key only: OpenAI's for Node, Vercel's AI SDK, LangChain and LiteLLM.
The Python ones run in a process of their own, because importing them takes seconds."""
import json
import os
import subprocess
import sys

import pytest

import bert
import chats
import node
import program
import python_packages

WEIGHTS = program.BINARY.parent / "models/smollm2-135m.gguf"
pytestmark = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without llama.cpp")

TEXTS = ["the cat sat", "a dog", "the cat"]


@pytest.fixture(name="reference", scope="module")
def tiny_model(tmp_path_factory):
    file = tmp_path_factory.mktemp("models") / "tiny.gguf"
    return file, bert.tiny(file)


@pytest.fixture(name="ana", scope="module")
def somebody(reference):
    with chats.house({"models.tiny.path": reference[0], "models.tiny.threads": 1}) as house:
        yield chats.somebody(house, "ana")


def check(reference, vectors):
    assert len(vectors) == len(TEXTS)
    for text, vector in zip(TEXTS, vectors):
        assert len(vector) == 32 and bert.cosine(vector, reference[1].vector(text)) > 0.9999, text


def test_openai_for_node(ana, reference):
    seen = node.script("""
const [packages, baseURL, apiKey, texts] = process.argv.slice(1);
const {default: OpenAI} = await import(packages + "/openai/index.mjs");
const client = new OpenAI({baseURL, apiKey, maxRetries: 0});
const input = JSON.parse(texts);
const made = await client.embeddings.create({model: "tiny", input});
const plain = await client.embeddings.create({model: "tiny", input, encoding_format: "float"});
const failure = async body => {
  try { await client.embeddings.create(body); } catch (error) {
    return [error.constructor.name, error.status, error.code, error.param];
  }
};
console.log(JSON.stringify({
  vectors: made.data.map(each => each.embedding), plain: plain.data.map(each => each.embedding),
  tokens: made.usage.total_tokens,
  short: (await client.embeddings.create({model: "tiny", input: "a", dimensions: 5})).data[0].embedding.length,
  long: await failure({model: "tiny", input: "cat ".repeat(63)}),
  other: await failure({model: "scripted", input})}));
""", ana.house.server.url("/v1"), ana.token, json.dumps(TEXTS))
    check(reference, seen["vectors"])
    for one, other in zip(seen["vectors"], seen["plain"]):
        assert one == pytest.approx(other, abs=1e-7), "base64 is the default"
    assert seen["tokens"] == 5 + 4 + 4 and seen["short"] == 5
    assert seen["long"] == ["BadRequestError", 400, "context_length_exceeded", "input"]
    assert seen["other"] == ["BadRequestError", 400, "unsupported_parameter", "model"]


def test_the_ai_sdk(ana, reference):
    seen = node.script("""
const [packages, baseURL, apiKey, texts] = process.argv.slice(1);
const {embed, embedMany} = await import(packages + "/ai/dist/index.mjs");
const {createOpenAI} = await import(packages + "/@ai-sdk/openai/dist/index.mjs");
const model = createOpenAI({baseURL, apiKey}).embedding("tiny");
const values = JSON.parse(texts);
const many = await embedMany({model, values, maxRetries: 0});
const one = await embed({model, value: values[0], maxRetries: 0});
console.log(JSON.stringify({vectors: many.embeddings, one: one.embedding, tokens: many.usage.tokens}));
""", ana.house.server.url("/v1"), ana.token, json.dumps(TEXTS))
    check(reference, seen["vectors"])
    assert seen["one"] == pytest.approx(seen["vectors"][0], abs=1e-6) and seen["tokens"] == 13


LANGCHAIN = """
import json, sys
import openai
from langchain_openai import OpenAIEmbeddings

base, token, texts = sys.argv[1:]
model = OpenAIEmbeddings(base_url=base, api_key=token, model="tiny", max_retries=0,
                         check_embedding_ctx_length=False)
tokens = openai.OpenAI(base_url=base, api_key=token, max_retries=0)
try:
    tokens.embeddings.create(model="tiny", input=[[1, 2], [3]])
    refusal = None
except openai.BadRequestError as error:
    refusal = [error.code, error.param, error.message]
short = OpenAIEmbeddings(base_url=base, api_key=token, model="tiny", max_retries=0, dimensions=6,
                         check_embedding_ctx_length=False)
print(json.dumps({"vectors": model.embed_documents(json.loads(texts)), "query": model.embed_query("the cat sat"),
                  "short": short.embed_query("a dog"), "refusal": refusal}))
"""

LITELLM = """
import json, sys
import litellm

base, token, texts = sys.argv[1:]
made = litellm.embedding(model="openai/tiny", input=json.loads(texts), api_base=base, api_key=token)
print(json.dumps({"vectors": [each["embedding"] for each in made.data], "tokens": made.usage.total_tokens}))
"""


def python(ana, packages, script):
    environment = {**os.environ, "PYTHONPATH": str(python_packages.installed(packages)), "LANGSMITH_TRACING": "false"}
    done = subprocess.run([sys.executable, "-c", script, ana.house.server.url("/v1"), ana.token, json.dumps(TEXTS)],
                          env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_langchain(ana, reference):
    seen = python(ana, "agents", LANGCHAIN)
    check(reference, seen["vectors"])
    assert seen["query"] == pytest.approx(seen["vectors"][0], abs=1e-6)
    assert seen["short"] == pytest.approx(bert.normalized(seen["vectors"][1][:6]), abs=1e-6)
    code, param, message = seen["refusal"]
    assert (code, param) == ("unsupported_parameter", "input[0]")
    assert "check_embedding_ctx_length=False" in message, "LangChain sends tokens unless it is told otherwise"


def test_litellm(ana, reference):
    seen = python(ana, "litellm", LITELLM)
    check(reference, seen["vectors"])
    assert seen["tokens"] == 13
