import { expect, it } from "vitest";
import { covers, nextRange } from "./range";

const all = { first: 0, last: 100 };

it("shows at once what is in view, and a little more in each frame", () => {
  const needed = { first: 50, last: 54 };
  const wanted = { first: 46, last: 58 };
  let range = nextRange({ first: 0, last: 0 }, needed, wanted, all, 0);
  expect(range).toEqual(needed);
  let frames = 0;
  for (; !covers(range, wanted); frames++) range = nextRange(range, needed, wanted, all, 1);
  expect(range).toEqual(wanted);
  expect(frames).toBe(8);
});

it("drops what is far away", () => {
  expect(nextRange({ first: 40, last: 70 }, { first: 40, last: 44 }, { first: 38, last: 46 }, { first: 36, last: 48 }, 0)).toEqual({ first: 40, last: 48 });
  expect(nextRange({ first: 40, last: 44 }, { first: 10, last: 12 }, { first: 8, last: 14 }, { first: 6, last: 16 }, 0)).toEqual({ first: 10, last: 12 });
});
