// The running runs that this tab shows, each with its text so far.
import { signal, type Signal } from "@preact/signals";
import { chat } from "../api/calls";
import { open, pause } from "../api/http";
import type { Run } from "../api/types";
import { hear, tellAll } from "../tabs/channel";
import { isLeading, onLead, seize } from "../tabs/lead";
import { textOf, type RunEvent } from "./events";
import { Holder } from "./holder";

export interface LiveRun {
  id: string;
  text: Signal<string>;
  messageId: Signal<string | null>;
  run: Signal<Run | null>; // From the first and the last event.
  over: Signal<"ended" | "gone" | null>;
}

interface Watched extends LiveRun {
  at: number; // The number of the last event.
}

const PATIENCE = 3_000;

const watched = new Map<string, Watched>();
const endings = new Set<(run: Run) => void>();
let holder: Holder | undefined;

const world = {
  open: (run: string, after: number, signal: AbortSignal) =>
    open("GET", `v1/api/chat/runs/${run}/events`, { query: { after: after || undefined }, signal }),
  wait: pause,
  ended: async (id: string): Promise<RunEvent | undefined> => {
    const run = await chat.run(id);
    const going = run.status === "queued" || run.status === "running";
    return going ? undefined : { at: Number.MAX_SAFE_INTEGER, type: "end", run };
  },
};

export function startRuns(): void {
  hear("events", ({ run, events }) => take(run, events));
  hear("gone", ({ run }) => finish(run, "gone"));
  hear("following", ({ run }) => unanswered.delete(run));
  hear("leader", askAgain);
  hear("follow", (note) => {
    if (!isLeading() || !holder) return;
    tellAll({ type: "following", run: note.run });
    holder.follow(note.run, note.after);
  });
  onLead((over) => {
    const audience = {
      events: (run: string, events: RunEvent[]) => tellAll({ type: "events", run, events }),
      gone: (run: string) => tellAll({ type: "gone", run }),
    };
    holder = new Holder(world, audience, over);
    tellAll({ type: "leader" });
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && askAgain());
}

export function onEnd(hearer: (run: Run) => void): void {
  endings.add(hearer);
}

// Runs whose `follow` the leading tab has not answered yet.
const unanswered = new Set<string>();

function ask(live: Watched): void {
  unanswered.add(live.id);
  tellAll({ type: "follow", run: live.id, after: live.at });
  setTimeout(() => {
    if (unanswered.has(live.id) && document.visibilityState === "visible") seize();
  }, PATIENCE);
}

function askAgain(): void {
  for (const live of watched.values()) ask(live);
}

// Shows a run from now on; returns the same object for the same run while it is running.
export function watch(id: string): LiveRun {
  const known = watched.get(id);
  if (known) return known;
  const live: Watched = { id, text: signal(""), messageId: signal(null), run: signal(null), over: signal(null), at: 0 };
  watched.set(id, live);
  ask(live);
  return live;
}

function take(id: string, events: RunEvent[]): void {
  const live = watched.get(id);
  if (!live) return;
  let text = live.text.value;
  for (const event of events) {
    if (event.type === "snapshot") {
      text = textOf(event.message);
      live.messageId.value = event.message.id;
      live.at = event.at;
    } else if (event.type === "end") {
      live.run.value = event.run;
      live.messageId.value = event.run.message?.id ?? null;
      text = textOf(event.run.message);
    } else if (event.at > live.at + 1) {
      ask(live); // Events are missing: the new leading tab began later than this one needs.
      break;
    } else if (event.at > live.at) {
      live.at = event.at;
      if (event.type === "created") live.run.value = event.run;
      else if (event.type === "delta") {
        text += event.text;
        live.messageId.value = event.message;
      }
    }
  }
  live.text.value = text;
  if (events.some((event) => event.type === "end")) finish(id, "ended");
}

function finish(id: string, how: "ended" | "gone"): void {
  const live = watched.get(id);
  if (!live) return;
  watched.delete(id);
  const run = live.run.value;
  if (how === "ended" && run) for (const hearer of endings) hearer(run);
  live.over.value = how;
}

export const stopRun = (id: string) => chat.cancel(id);

// After a logout, no data of the previous user stays on the screen.
export function forgetRuns(): void {
  watched.clear();
}

