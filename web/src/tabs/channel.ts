// Messages between the tabs of one browser. A message reaches all other tabs, and with `tellAll`
// also the sender.
import type { RunEvent } from "../streams/events";
import type { Session } from "../api/types";
import type { AutomationNews } from "../sessions/digest";
import type { LogEvent } from "../streams/log";

export type Note =
  | { type: "login" }
  | { type: "logout"; expired: boolean }
  | { type: "leader" } // A new tab holds the streams: repeat the requests.
  | { type: "follow"; run: string; after: number }
  | { type: "following"; run: string }
  | { type: "events"; run: string; events: RunEvent[] }
  | { type: "gone"; run: string } // It was deleted.
  | { type: "log?" } // Asks the leading tab for the next message.
  | { type: "log"; open: boolean; fresh: boolean } // Whether it follows the event log; fresh: only from now on.
  | { type: "log-at"; at: number } // All tabs have applied the events up to this one.
  | { type: "logged"; events: LogEvent[] } // New events of the log.
  | { type: "automations"; news: AutomationNews }
  | { type: "list-stale" } // The lists must be fetched again.
  | { type: "runs-ended"; session: string; runs: string[] }
  | { type: "session"; session: Session }
  | { type: "session-gone"; id: string };

type Hearer<K extends Note["type"]> = (note: Extract<Note, { type: K }>) => unknown;

const hearers = new Map<string, Set<(note: never) => unknown>>();
let channel: BroadcastChannel | undefined;

function open(): BroadcastChannel {
  if (!channel) {
    channel = new BroadcastChannel("parley");
    channel.onmessage = (event: MessageEvent<Note>) => deliver(event.data);
  }
  return channel;
}

function deliver(note: Note): void {
  for (const hearer of hearers.get(note.type) ?? []) hearer(note as never);
}

export function hear<K extends Note["type"]>(type: K, hearer: Hearer<K>): () => void {
  open();
  const all = hearers.get(type) ?? new Set();
  hearers.set(type, all);
  all.add(hearer as (note: never) => unknown);
  return () => all.delete(hearer as (note: never) => unknown);
}

export function tell(note: Note): void {
  open().postMessage(note);
}

export function tellAll(note: Note): void {
  tell(note);
  deliver(note);
}
