import { describe, expect, it } from "vitest";
import { objectsOf, Unreadable } from "./elements";

// In pieces of a few bytes.
function streamOf(text: string, piece = 3): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + piece));
      at += piece;
    },
  });
}

async function all(text: string, most = 1000, piece = 3): Promise<(string | null)[]> {
  const found = [];
  for await (const each of objectsOf(streamOf(text, piece), most)) found.push(each);
  return found;
}

describe("elements", () => {
  it("takes lists, lines and single objects apart", async () => {
    const tricky = '{"a":"}{\\"}","b\\\\":"\\\\","é":"🙂"}';
    for (const piece of [1, 2, 3, 7, 1000]) {
      expect(await all(`[${tricky}, {"b":{"c":[{}]}}]`, 1000, piece)).toEqual([tricky, '{"b":{"c":[{}]}}']);
      expect(await all('{"a":1}\n{"b":2}\n', 1000, piece)).toEqual(['{"a":1}', '{"b":2}']);
    }
    expect(await all("[]")).toEqual([]);
    expect(await all("")).toEqual([]);
  });

  it("leaves out what is too large, and goes on", async () =>
    expect(await all('[{"a":1},{"long":"123456789"},{"b":2}]', 10)).toEqual(['{"a":1}', null, '{"b":2}']));

  it.each(["7", "{} x", '[{"a":', '{"a":"}'])("refuses %j", async (text) => {
    await expect(all(text)).rejects.toBeInstanceOf(Unreadable);
  });
});
