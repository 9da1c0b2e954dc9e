import { expect, it } from "vitest";
import type { LogEvent } from "../streams/log";
import { PAGE, readBackwards, type Piece } from "./backwards";

// A log with these numbers, read as the server does.
function logOf(numbers: number[], oldest = 1) {
  const asked: number[] = [];
  const read = (after: number): Promise<Piece> => {
    asked.push(after);
    const isOldest = after < oldest - 1;
    const found = numbers.filter((at) => at > Math.max(after, oldest - 1));
    const page = found.slice(0, PAGE);
    const readTo = page.length < found.length ? page.at(-1)! : Infinity;
    return Promise.resolve({ events: page.map((at) => ({ at }) as LogEvent), readTo, isOldest });
  };
  return { asked, read };
}

const upTo = (last: number, step = 1) => Array.from({ length: Math.floor(last / step) }, (_, at) => (at + 1) * step);
const numbersOf = (events: LogEvent[]) => events.map(({ at }) => at);

// All pages, one after the other.
async function whole(numbers: number[], end: number, oldest = 1) {
  const log = logOf(numbers, oldest);
  const all: number[] = [];
  for (let rest = end; rest > 0;) {
    const page = await readBackwards(rest, log.read);
    all.push(...numbersOf(page.events));
    rest = page.rest;
  }
  return { all, asked: log.asked };
}

it("reads the newest events with one request", async () => {
  const log = logOf(upTo(1000));
  const { events, rest } = await readBackwards(1000, log.read);
  expect(numbersOf(events)).toEqual(upTo(1000).slice(900).reverse());
  expect([rest, log.asked]).toEqual([900, [900]]);
});

it("reads a short log", async () => {
  expect((await whole(upTo(7), 7)).all).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(await readBackwards(0, logOf([]).read)).toEqual({ events: [], rest: 0 });
});

it("leaves out what was added meanwhile", async () => {
  expect(numbersOf((await readBackwards(5, logOf(upTo(9)).read)).events)).toEqual([5, 4, 3, 2, 1]);
});

it("reads every event once, however they are distributed", async () => {
  const sparse = [...upTo(300), ...upTo(50_000, 997).filter((at) => at > 300), ...upTo(40_600).filter((at) => at > 40_000)];
  for (const numbers of [upTo(1234), upTo(50_000, 777), [...new Set(sparse)].sort((a, b) => a - b), [1], [49_999]]) {
    const { all, asked } = await whole(numbers, 50_000);
    expect(all).toEqual([...numbers].reverse());
    expect(asked.length).toBeLessThan(60);
  }
});

it("finds a rare event with few requests", async () => {
  expect((await whole([3], 1_000_000)).asked.length).toBeLessThan(16);
});

it("ends where the log has been cut", async () => {
  const { all, asked } = await whole(upTo(1000), 1000, 951);
  expect(asked).toEqual([900]); // And not further.
  expect(all).toEqual(upTo(1000).slice(950).reverse());
});
