import { expect, it } from "vitest";
import { namesIn, payloadOf, samplePayload, sampleValues, variablesFor } from "./template";

it("finds the variables of a message, each once", () => {
  expect(namesIn("For {{reader}} and {{reader}}: {{text_2}}")).toEqual(["reader", "text_2"]);
});

it("leaves out the server's values, escaped braces and other text", () => {
  expect(namesIn("{{run.local_date}} \\{{no}} {{Upper}} {single} {{}} {{ spaced }} {{automation.name}}")).toEqual([]);
});

it("keeps the settings of known variables, also of unused ones", () => {
  const known = [{ name: "old", default: "x" }, { name: "reader", default: "Ana", pointer: "/a" }];
  expect(variablesFor("{{text}} {{reader}}", known)).toEqual([
    { name: "text", required: true }, { name: "reader", default: "Ana", pointer: "/a" }, { name: "old", default: "x" },
  ]);
});

it("fills required variables without a default for a preview", () => {
  expect(sampleValues([{ name: "a", required: true }, { name: "b", required: true, default: "x" }, { name: "c" }])).toEqual({ a: "[a]" });
});

it("puts values where their pointers find them", () => {
  const variables = [{ name: "title", pointer: "/issue/title" }, { name: "text", pointer: "/issue/a~1b~0" }, { name: "who" }, { name: "all", pointer: "" }];
  expect(JSON.stringify(samplePayload(variables))).toBe('{"issue":{"title":"[title]","a/b~":"[text]"},"who":"[who]"}');
  expect(JSON.stringify(payloadOf(variables, ({ name }) => (name === "who" ? "Ana" : undefined)))).toBe('{"who":"Ana"}');
});

it("is not confused by hostile or contradictory pointers", () => {
  const variables = [{ name: "a", pointer: "/__proto__/x" }, { name: "b", pointer: "/b" }, { name: "c", pointer: "/b/c" }];
  expect(JSON.stringify(samplePayload(variables))).toBe('{"__proto__":{"x":"[a]"},"b":{"c":"[c]"}}');
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});
