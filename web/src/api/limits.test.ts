import { expect, it } from "vitest";
import { parseLimit } from "./limits";

it("reads what is left of a limit", () => {
  expect(parseLimit('"chat";q=30;w=60', '"chat";r=29;t=60', 1000)).toEqual(["chat", { limit: 30, remaining: 29, freeAt: 61_000 }]);
  expect(parseLimit(null, null, 0)).toBeUndefined();
  expect(parseLimit("x", '"chat";r=1', 0)).toBeUndefined();
});
