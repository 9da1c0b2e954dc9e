"""Vercel's AI SDK works with base URL and key only. Its OpenAI provider uses the Responses API by default, and names
earlier items by their ids."""
import pytest

import chats
import node

CLIENT = """
const [packages, baseURL, apiKey] = process.argv.slice(1);
const {generateText, streamText, Output, tool, stepCountIs} = await import(packages + "/ai/dist/index.mjs");
const {createOpenAI} = await import(packages + "/@ai-sdk/openai/dist/index.mjs");
const {z} = await import(packages + "/zod/index.js");
const openai = createOpenAI({baseURL, apiKey});
const model = openai("scripted");
const asked = more => ({model, maxRetries: 0, ...more});
"""


@pytest.fixture(name="ana", scope="module")
def somebody():
    with chats.house() as house:
        yield chats.somebody(house, "ana")


def run(ana, script):
    return node.script(CLIENT + script, ana.house.server.url("/v1"), ana.token)


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


def test_objects(ana):
    seen = run(ana, """
const output = Output.object({schema: z.object({name: z.string(), age: z.number().int()})});
const whole = await generateText(asked({prompt: '{"name": "Ana", "age": 4}', output}));
console.log(JSON.stringify(whole.output));
""")
    assert seen == {"name": "Ana", "age": 4}


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
