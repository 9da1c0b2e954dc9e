import { expect, it } from "vitest";
import type { Message } from "../api/types";
import { LateTools } from "./late_tools";

const messages = Array.from({ length: 8 }, (_, index) => ({ id: `m${index}` }) as Message);
const without = (tools: LateTools) => messages.filter(({ id }) => !tools.has(id)).map(({ id }) => id).join(" ");

it("omits the tools of new messages", () => {
  const tools = new LateTools();
  tools.omit(messages, { first: 3, last: 5 }, { first: 2, last: 7 });
  expect(without(tools)).toBe("m2 m5 m6");
});

it("adds those of messages in view first", () => {
  const tools = new LateTools();
  tools.omit(messages, { first: 0, last: 0 }, { first: 0, last: 8 });
  const add = () => tools.add(messages, { first: 1, last: 8 }, { first: 4, last: 6 }, 3);
  add();
  expect(without(tools)).toBe("m2 m3 m6 m7"); // m0 has left the page.
  add();
  add();
  expect(tools.missing).toBe(false);
});
