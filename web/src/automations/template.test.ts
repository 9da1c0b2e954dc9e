import { expect, it } from "vitest";
import { namesIn, sampleValues, variablesFor } from "./template";

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
