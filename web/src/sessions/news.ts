// Changes by other devices, programs and automations, from the event log. The leading tab applies them for all tabs:
// it updates the list in place, and fetches only new or changed sessions. Pages of automations, webhooks and events hear what
// changed.
import { effect } from "@preact/signals";
import * as calls from "../api/calls";
import { open, pause, persist } from "../api/http";
import { Problem } from "../api/problem";
import { user } from "../auth/login";
import { LogFollowing, type LogEvent } from "../streams/log";
import { hear, tellAll } from "../tabs/channel";
import { isLeading, onLead, seize } from "../tabs/lead";
import { automationNews, digest, type Change } from "./digest";
import { drop, find, put } from "./list";

const SOON = 300; // Events within this time are applied together.
const MOST_FETCHED = 10; // If more sessions have changed, the first page of the list is fetched instead.
const OPENS_WITHIN = 1_000;
const PATIENCE = 3_000;

let owner: string | undefined; // The user of the following state.
let at: number | null = null; // The last applied event.
let isOpen = false; // As reported by the leading tab.
let unanswered = false;
const waiting = new Set<() => void>();

// Resolves when the log is being followed, so that a list fetched after that stays current; or after a timeout.
export function logOpen(): Promise<void> {
  if (isOpen) return Promise.resolve();
  ask();
  return new Promise((resolve) => {
    waiting.add(resolve);
    setTimeout(resolve, OPENS_WITHIN);
  });
}

// If the leading tab does not answer, it is frozen, and another one takes over.
function ask(): void {
  if (!user.peek()) return;
  unanswered = true;
  tellAll({ type: "log?" });
  setTimeout(() => {
    if (unanswered && document.visibilityState === "visible") seize();
  }, PATIENCE);
}

export function startNews(): void {
  hear("log", ({ open }) => {
    unanswered = false;
    isOpen = open;
    if (!open) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  });
  hear("log-at", (note) => (at = note.at));
  hear("leader", () => (unanswered = false));
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && ask());
  hear("log?", () => isLeading() && tellAll({ type: "log", open: isOpen, fresh: false }));
  effect(() => belongTo(user.value?.id));
  onLead(lead);
}

function belongTo(id: string | undefined): void {
  if (id === owner) return;
  owner = id;
  at = null;
  isOpen = false;
}

function lead(over: AbortSignal): void {
  let stop: AbortController | undefined;
  let who: string | undefined;
  const end = effect(() => {
    const now = user.value?.id;
    if (now === who) return;
    who = now;
    belongTo(now);
    stop?.abort();
    stop = new AbortController();
    if (now) void follow(stop.signal);
  });
  over.addEventListener("abort", () => {
    end();
    stop?.abort();
  });
}

function follow(signal: AbortSignal): Promise<void> {
  let heard: LogEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer));
  const takeIn = async () => {
    const batch = heard;
    heard = [];
    timer = undefined;
    tellAll({ type: "logged", events: batch });
    const automations = automationNews(batch);
    if (automations) tellAll({ type: "automations", news: automations });
    await apply(digest(batch));
    if (!signal.aborted) tellAll({ type: "log-at", at: batch.at(-1)!.at });
  };
  const world = {
    open: (after: string, stop: AbortSignal) =>
      open("GET", "v1/api/events", { query: { after }, headers: { Accept: "text/event-stream" }, signal: stop }),
    wait: pause,
  };
  return new LogFollowing(at, world, {
    opened: (fresh) => tellAll({ type: "log", open: true, fresh }),
    closed: () => signal.aborted || tellAll({ type: "log", open: false, fresh: false }),
    missed: () => tellAll({ type: "list-stale" }),
    events(events) {
      heard.push(...events);
      timer ??= setTimeout(() => void takeIn(), SOON);
    },
  }).go(signal);
}

async function apply(changes: Map<string, Change>): Promise<void> {
  const unknown: string[] = [];
  for (const [id, change] of changes) {
    const session = find(id);
    if (change.deleted) drop(id);
    else if (!session || (change.changedAt && session.updated_at < change.changedAt)) unknown.push(id);
    else if (change.of(session) !== session) put(change.of(session));
    if (change.ended.length) tellAll({ type: "runs-ended", session: id, runs: change.ended });
  }
  if (unknown.length > MOST_FETCHED) return tellAll({ type: "list-stale" });
  await Promise.all(unknown.map(fetchOne));
}

async function fetchOne(id: string): Promise<void> {
  try {
    put(await persist(() => calls.sessions.get(id)));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) drop(id);
  }
}
