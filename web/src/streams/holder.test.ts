import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RunEvent } from "./events";
import type { World } from "./follow";
import { Holder, PLACES } from "./holder";

// Streams that stay open until the test sends an event.
class Streams implements World {
  open_ = new Map<string, { after: number; say: (text: string) => void }>();
  opened: string[] = [];
  open(run: string, after: number, signal: AbortSignal): Promise<Response> {
    this.opened.push(`${run}@${after}`);
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.open_.set(run, { after, say: (text) => controller.enqueue(encoder.encode(text)) });
        signal.addEventListener("abort", () => { this.open_.delete(run); controller.error(new Error("aborted")); });
      },
    });
    return Promise.resolve(new Response(body));
  }
  wait = () => Promise.resolve();
  ended = () => Promise.resolve(undefined);
}

const delta = (at: number) => `id: ${at}\nevent: message.delta\ndata: {"message_id":"m","delta":{"type":"text","text":"x"}}\n\n`;
const END = 'id: 9\nevent: run.completed\ndata: {"run":{"id":"r"}}\n\n';

describe("Holder", () => {
  let streams: Streams;
  let heard: [string, number][];
  let holder: Holder;
  let over: AbortController;
  const settle = () => vi.advanceTimersByTimeAsync(10);

  beforeEach(() => {
    vi.useFakeTimers();
    streams = new Streams();
    heard = [];
    over = new AbortController();
    const events = (run: string, some: RunEvent[]) => some.forEach((event) => heard.push([run, event.at]));
    holder = new Holder(streams, { events, gone: () => undefined }, over.signal);
  });
  afterEach(() => { over.abort(); vi.useRealTimers(); });

  it("opens one stream, however many tabs follow the run", async () => {
    holder.follow("a", 0);
    holder.follow("a", 0);
    await settle();
    expect(streams.opened).toEqual(["a@0"]);
  });

  it("tells a tab that comes later what it has missed", async () => {
    holder.follow("a", 0);
    await settle();
    streams.open_.get("a")!.say(delta(1) + delta(2));
    await settle();
    heard.length = 0;
    holder.follow("a", 1);
    expect(heard).toEqual([["a", 2]]);
  });

  it("begins again from the first for a tab that has less", async () => {
    holder.follow("a", 5);
    await settle();
    holder.follow("a", 0);
    await settle();
    expect(streams.opened).toEqual(["a@5", "a@0"]);
  });

  it("leaves connections free, and lets runs take turns", async () => {
    const runs = ["a", "b", "c", "d", "e", "f"];
    runs.forEach((run) => holder.follow(run, 0));
    await settle();
    expect(streams.open_.size).toBe(PLACES);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(new Set(streams.opened.map((each) => each[0]))).toEqual(new Set(runs));
    expect(streams.open_.size).toBeLessThanOrEqual(PLACES);
  });

  it("gives the place of a run that has ended to the next", async () => {
    ["a", "b", "c", "d"].forEach((run) => holder.follow(run, 0));
    await settle();
    streams.open_.get("a")!.say(END);
    await settle();
    expect(streams.opened).toContain("d@0");
  });

  it("closes everything when another tab leads", async () => {
    holder.follow("a", 0);
    await settle();
    over.abort();
    await settle();
    expect(streams.open_.size).toBe(0);
    holder.follow("b", 0);
    expect(streams.opened).toEqual(["a@0"]);
  });
});
