"""OpenAI's own client for Node works with base URL and key only, and maps our errors to its own classes. Each
script prints its results."""
import pytest

import chats
import node
import people
import upstream_calls

CLIENT = """
const [packages, baseURL, apiKey, ...more] = process.argv.slice(1);
const {default: OpenAI} = await import(packages + "/openai/index.mjs");
const client = new OpenAI({baseURL, apiKey, maxRetries: 0});
const said = text => ({model: "scripted", messages: [{role: "user", content: text}]});
const failure = async work => {
  try { await work(); } catch (error) {
    return [error.constructor.name, error.status ?? null, error.code ?? null, error.param ?? null];
  }
};
"""


@pytest.fixture(name="ana", scope="module")
def somebody(tmp_path_factory):
    with upstream_calls.house_with_tools(tmp_path_factory.mktemp("keys")) as house:
        yield chats.somebody(house, "ana")


def run(ana, script, token=None):
    return node.script(CLIENT + script, ana.house.server.url("/v1"), token or ana.token)


def test_plain_streams_and_models(ana):
    seen = run(ana, """
const plain = await client.chat.completions.create(said("Hello there"));
const chunks = [];
for await (const chunk of await client.chat.completions.create(
    {...said("{words:5}"), stream: true, stream_options: {include_usage: true}}))
  chunks.push(chunk);
const helper = client.chat.completions.stream(said("{words:4}"));
const models = [];
for await (const model of client.models.list()) models.push(model.id);
console.log(JSON.stringify({
  text: plain.choices[0].message.content, tokens: plain.usage.total_tokens,
  role: chunks[0].choices[0].delta.role, usage: chunks.at(-1).usage,
  streamed: chunks.map(chunk => chunk.choices[0]?.delta.content ?? "").join(""),
  helped: await helper.finalContent(), models, one: (await client.models.retrieve("scripted")).id}));
""")
    assert seen["text"] == "Hello there" and seen["tokens"] == 4
    assert seen["streamed"] == chats.words(5) and seen["role"] == "assistant"
    assert seen["usage"]["completion_tokens"] == 5 and seen["helped"] == chats.words(4)
    assert "scripted" in seen["models"] and seen["one"] == "scripted"


def test_errors(ana):
    seen = run(ana, """
const create = body => failure(() => client.chat.completions.create(body));
let text = "";
console.log(JSON.stringify({
  body: await create({...said("hi"), temperature: 9}),
  tools: await create({...said("hi"), tools: [{type: "function", function: {name: "f"}}],
                       tool_choice: {type: "function", function: {name: "g"}}}),
  model: await create({...said("hi"), model: "gpt-4o"}),
  before: await create({...said("{error:upstream_timeout}"), stream: true}),
  after: await create(said("a b {fail_after:1}")),
  middle: await failure(async () => {
    for await (const chunk of await client.chat.completions.create(
        {...said("{words:9} {fail_after:3}"), stream: true}))
      text += chunk.choices[0].delta.content ?? "";
  }), text}));
""")
    assert seen == {
        "body": ["BadRequestError", 400, "validation_failed", "temperature"],
        "tools": ["BadRequestError", 400, "validation_failed", "tool_choice.function.name"],
        "model": ["NotFoundError", 404, "model_not_found", "model"],
        "before": ["InternalServerError", 504, "upstream_timeout", None],
        "after": ["InternalServerError", 502, "upstream_error", None],
        "middle": ["APIError", None, "upstream_error", None], "text": chats.words(3)}
    stranger = run(ana, "console.log(JSON.stringify(await failure(() => client.models.list())));",
                   people.invented_token())
    assert stranger == ["AuthenticationError", 401, "invalid_api_key", None]


def test_what_there_is_not(ana):
    """Its message is ours: of an answer that the client cannot read it says "404 status code (no body)"."""
    seen = run(ana, """
const ask = () => client.images.generate({model: "scripted", prompt: "a cat"});
const failed = await failure(ask);
console.log(JSON.stringify([...failed, await ask().catch(error => error.message)]));
""")
    assert seen == ["NotFoundError", 404, "not_found", None, "404 There is nothing at this path."]


def test_limits_are_waited_for():
    with chats.house({"limits.chat": 1, "limits.window_s": 2}) as house:
        seen = run(chats.somebody(house, "ana"), """
const patient = new OpenAI({baseURL, apiKey});
await patient.chat.completions.create(said("hi"));
const answer = await patient.chat.completions.create(said("again"));
let limit; // A slow machine may ask after the window; then that request fills the next one.
for (let tries = 0; tries < 5 && !limit; tries++) limit = await failure(() => client.chat.completions.create(said("hi")));
console.log(JSON.stringify({text: answer.choices[0].message.content, limit}));
""")
    assert seen == {"text": "again",
                    "limit": ["RateLimitError", 429, "rate_limit_exceeded", None]}


def test_store(ana):
    seen = run(ana, """
const first = await client.chat.completions.create({...said("one"), store: true});
const second = await client.chat.completions.create(
  {...said("two"), store: true, metadata: first.metadata});
console.log(JSON.stringify([first.metadata.session_id, second.metadata.session_id]));
""")
    assert seen[0] == seen[1]
    assert [chats.text_of(message) for message in ana.messages(seen[0])] == [
        "one", "one", "two", "two"]


def test_parsed_answers_and_tools(ana):
    """The helper that runs tools asks until the model calls none."""
    seen = run(ana, """
const {zodResponseFormat} = await import(packages + "/openai/helpers/zod.mjs");
const {z} = await import(packages + "/zod/index.js");
const Person = z.object({name: z.string(), age: z.number().int()});
const asked = {...said('{"name": "Ana", "age": 4}'), response_format: zodResponseFormat(Person, "person")};
const parsed = await client.chat.completions.parse(asked);
const streamed = await client.chat.completions.stream(asked).finalChatCompletion();
const weather = {type: "function", function: {name: "weather", parse: JSON.parse, function: ({city}) => "sun in " + city,
  parameters: {type: "object", properties: {city: {type: "string"}}, required: ["city"]}}};
const loop = {...said('{"city":"Paris"}'), model: "uses_tools", tools: [weather]};
console.log(JSON.stringify({
  parsed: parsed.choices[0].message.parsed, streamed: streamed.choices[0].message.parsed,
  whole: await client.chat.completions.runTools(loop).finalContent(),
  pieces: await client.chat.completions.runTools({...loop, stream: true}).finalContent()}));
""")
    person = {"name": "Ana", "age": 4}
    assert seen == {"parsed": person, "streamed": person, "whole": "sun in Paris", "pieces": "sun in Paris"}
