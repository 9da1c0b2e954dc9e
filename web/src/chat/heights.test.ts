import { expect, it } from "vitest";
import type { Message } from "../api/types";
import { Heights } from "./heights";

const message = (id: string, text = "short"): Message => ({ id, role: "assistant", content: [{ type: "text", text }] }) as unknown as Message;

it("replaces guesses by measures", () => {
  const heights = new Heights(700);
  heights.list([message("a"), message("b", "a line\n".repeat(50)), message("c")]);
  expect(heights.top(2) - heights.top(1)).toBeGreaterThan(heights.top(1));
  heights.measure("a", 100);
  heights.measure("b", 300);
  heights.measure("c", 50);
  expect([0, 1, 2, 3].map((index) => heights.top(index))).toEqual([0, 100, 400, 450]);
  expect([-5, 0, 99, 100, 399, 400, 9999].map((distance) => heights.at(distance))).toEqual([0, 0, 0, 1, 1, 2, 2]);
});

it("knows the heights of messages when others come above, and none in another width", () => {
  const heights = new Heights(700);
  heights.list([message("b")]);
  heights.measure("b", 300);
  heights.list([message("a"), message("b")]);
  expect(heights.top(2) - heights.top(1)).toBe(300);
  expect(heights.setWidth(700.4)).toBe(false);
  expect(heights.setWidth(500)).toBe(true);
  expect(heights.top(2) - heights.top(1)).not.toBe(300);
});
