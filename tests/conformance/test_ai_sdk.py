"""Vercel's AI SDK works with base URL and key only. Its OpenAI provider uses the Responses API by default, and names
earlier items by their ids; chat completions are used by `openai.chat` and by the provider for compatible servers."""
import pytest

import chats
import node
import upstream_calls

CHAT = ["chat", "compatible"]

CLIENT = """
const [packages, baseURL, apiKey, provider] = process.argv.slice(1);
globalThis.AI_SDK_LOG_WARNINGS = false;
const {generateText, streamText, Output, tool, stepCountIs} = await import(packages + "/ai/dist/index.mjs");
const {createOpenAI} = await import(packages + "/@ai-sdk/openai/dist/index.mjs");
const {createOpenAICompatible} = await import(packages + "/@ai-sdk/openai-compatible/dist/index.mjs");
const {z} = await import(packages + "/zod/index.js");
const openai = createOpenAI({baseURL, apiKey});
const compatible = createOpenAICompatible({name: "parley", baseURL, apiKey});
const strict = createOpenAICompatible({name: "parley", baseURL, apiKey, supportsStructuredOutputs: true});
const providers = {openai, chat: openai.chat, compatible, strict};
const model = providers[provider]("scripted");
const asked = more => ({model, maxRetries: 0, ...more});
"""


@pytest.fixture(name="ana", scope="module")
def somebody(tmp_path_factory):
    with upstream_calls.house_with_tools(tmp_path_factory.mktemp("keys")) as house:
        yield chats.somebody(house, "ana")


def run(ana, script, provider="openai"):
    return node.script(CLIENT + script, ana.house.server.url("/v1"), ana.token, provider)


def test_text_streams_and_conversations(ana):
    seen = run(ana, """
const plain = await generateText(asked({prompt: "Hello there", system: "Be brief."}));
const streamed = streamText(asked({prompt: "{words:5}"}));
let text = "";
for await (const part of streamed.textStream) text += part;
const more = await generateText(asked({messages: [
  {role: "user", content: "one"}, ...plain.response.messages, {role: "user", content: "two"}]}));
const next = await generateText(asked({prompt: "three", providerOptions: {openai: {
  previousResponseId: plain.providerMetadata.openai.responseId}}}));
let failure;
try { await generateText(asked({prompt: "hi", temperature: 9})); } catch (error) { failure = error.statusCode; }
console.log(JSON.stringify({plain: plain.text, tokens: plain.usage.outputTokens, text,
  finish: await streamed.finishReason, more: more.text, next: next.text, failure}));
""")
    assert seen == {"plain": "Hello there", "tokens": 2, "text": chats.words(5), "finish": "stop",
                    "more": "two", "next": "three", "failure": 400}


@pytest.mark.parametrize("provider", CHAT)
def test_chat_completions(ana, provider):
    seen = run(ana, """
const plain = await generateText(asked({prompt: "Hello there", system: "Be brief."}));
const streamed = streamText(asked({prompt: "{words:5}"}));
let text = "";
for await (const part of streamed.textStream) text += part;
const more = await generateText(asked({messages: [
  {role: "user", content: "one"}, ...plain.response.messages, {role: "user", content: "two"}]}));
let failure;
try { await generateText(asked({prompt: "hi", temperature: 9})); } catch (error) { failure = error.statusCode; }
console.log(JSON.stringify({plain: plain.text, tokens: plain.usage.outputTokens, text,
  finish: await streamed.finishReason, more: more.text, failure}));
""", provider)
    assert seen == {"plain": "Hello there", "tokens": 2, "text": chats.words(5), "finish": "stop", "more": "two",
                    "failure": 400}


@pytest.mark.parametrize("provider", ["openai", *CHAT, "strict"])
def test_objects(ana, provider):
    """The compatible provider asks for any JSON unless it is told that schemas are supported."""
    seen = run(ana, """
const person = asked({prompt: '{"name": "Ana", "age": 4}',
  output: Output.object({schema: z.object({name: z.string(), age: z.number().int()})})});
console.log(JSON.stringify([(await generateText(person)).output, await streamText(person).output]));
""", provider)
    assert seen == [{"name": "Ana", "age": 4}] * 2


@pytest.mark.parametrize("provider", ["openai", *CHAT])
def test_tools_that_the_model_may_call(ana, provider):
    seen = run(ana, """
const weather = tool({description: "The weather in a city.", inputSchema: z.object({city: z.string()}),
                      execute: async ({city}) => "18 degrees in " + city});
const loop = {model: providers[provider]("uses_tools"), maxRetries: 0, prompt: '{"city":"Paris"}', tools: {weather},
  stopWhen: stepCountIs(3)};
const whole = await generateText(loop);
const streamed = streamText(loop);
console.log(JSON.stringify([whole.text, whole.steps.length, await streamed.text]));
""", provider)
    assert seen == ["18 degrees in Paris", 2, "18 degrees in Paris"]


@pytest.mark.parametrize("store", [True, False])
def test_tools(ana, store):
    """The loop of the SDK: the model calls, the SDK runs the tool and asks again."""
    seen = run(ana, """
const weather = tool({description: "The weather in a city.", inputSchema: z.object({city: z.string()}),
                      execute: async ({city}) => "18 degrees in " + city});
const loop = {prompt: '{"city":"Paris"}', tools: {weather}, stopWhen: stepCountIs(3),
  providerOptions: {openai: {store: STORE}},
  prepareStep: ({stepNumber}) => ({toolChoice: stepNumber === 0 ? "required" : "auto"})};
const whole = await generateText(asked(loop));
const streamed = streamText(asked(loop));
const kinds = [];
for await (const part of streamed.fullStream)
  if (["tool-call", "tool-result", "error"].includes(part.type)) kinds.push(part.type);
console.log(JSON.stringify({text: whole.text, streamed: await streamed.text, kinds,
  calls: whole.steps[0].toolCalls.map(call => [call.toolName, call.input]), steps: whole.steps.length}));
""".replace("STORE", str(store).lower()))
    assert seen == {"text": "18 degrees in Paris", "streamed": "18 degrees in Paris",
                    "kinds": ["tool-call", "tool-result"],
                    "calls": [["weather", {"city": "Paris"}]], "steps": 2}
