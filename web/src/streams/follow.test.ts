import { describe, expect, it } from "vitest";
import { LoggedOut, Problem, Unreachable } from "../api/problem";
import type { Run } from "../api/types";
import type { RunEvent } from "./events";
import { Following, type World } from "./follow";

const delta = (at: number) => `id: ${at}\nevent: message.delta\ndata: {"message_id":"m","delta":{"type":"text","text":"w${at} "}}\n\n`;
const END = 'id: 9\nevent: run.completed\ndata: {"run":{"id":"run_1","status":"completed"}}\n\n';

const answer = (text: string) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });
const problem = (status: number, retryAfter: number | null = null) =>
  new Problem({ status, title: "", detail: "", code: "", request_id: "" }, retryAfter);

// A world in which each connection follows the next line of a script.
function world(script: (Response | Error)[], ended?: RunEvent) {
  const asked: number[] = [];
  const waits: number[] = [];
  const it: World = {
    open: (_run, after) => {
      asked.push(after);
      const next = script.shift();
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next!);
    },
    wait: (milliseconds) => { waits.push(milliseconds); return Promise.resolve(); },
    ended: () => Promise.resolve(ended),
  };
  return { it, asked, waits };
}

async function follow(script: (Response | Error)[], ended?: RunEvent) {
  const { it, asked, waits } = world(script, ended);
  const heard: RunEvent[] = [];
  const outcome = await new Following("run_1", 0, it, (events) => heard.push(...events)).go(new AbortController().signal);
  return { outcome, heard: heard.map((event) => event.at), asked, waits };
}

describe("Following", () => {
  it("hears a run to its end", async () => {
    expect(await follow([answer(delta(1) + delta(2) + END)])).toMatchObject({ outcome: "ended", heard: [1, 2, 9] });
  });

  it("goes on after the last event when a connection breaks", async () => {
    const went = await follow([answer(delta(1) + delta(2) + "id: 3\nevent: mess"), new Unreachable(), new Unreachable(), answer(delta(3) + END)]);
    expect(went).toMatchObject({ outcome: "ended", heard: [1, 2, 3, 9], asked: [0, 2, 2, 2] });
    expect(went.waits).toEqual([250, 500, 1000]); // Longer each time, and short again after progress.
  });

  it("takes no event twice", async () => {
    expect((await follow([answer(delta(1) + delta(2)), answer(delta(2) + delta(3) + END)])).heard).toEqual([1, 2, 3, 9]);
  });

  it("waits as long as the server asks for", async () => {
    expect((await follow([problem(429, 7), answer(END)])).waits).toEqual([7000]);
  });

  it("ends for a run that is gone, and for a user who has logged out", async () => {
    expect((await follow([problem(404)])).outcome).toBe("gone");
    expect((await follow([new LoggedOut()])).outcome).toBe("gone");
  });

  it("asks for the run when the stream has nothing more", async () => {
    const last: RunEvent = { at: 12, type: "end", run: { id: "run_1" } as Run };
    expect(await follow([new Response(null, { status: 204 })], last)).toMatchObject({ outcome: "ended", heard: [12] });
  });

  it("stops when it is told to", async () => {
    const stop = new AbortController();
    const { it: there } = world([]);
    stop.abort();
    expect(await new Following("run_1", 0, there, () => undefined).go(stop.signal)).toBe("stopped");
  });
});
