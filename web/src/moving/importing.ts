// An import that is running: it goes on while other pages of the app are shown.
import { signal } from "@preact/signals";
import * as calls from "../api/calls";
import { pause, persist } from "../api/http";
import { Problem } from "../api/problem";
import type { ImportResult } from "../api/types";
import { conversationsOf, type Conversation, type Fault } from "./source";

export interface Failure {
  title: string;
  reason: Fault | Problem;
}

export interface Progress {
  state: "running" | "stopped" | "done";
  imported: number;
  known: number; // Imported before.
  skipped: number; // Messages.
  failures: Failure[];
  error: unknown; // Why the import has ended early.
}

const MOST_FAILURES = 100; // That are shown.

export const progress = signal<Progress | null>(null);

let stop: AbortController | null = null;

export function stopImport(): void {
  stop?.abort();
}

// Waits while the limit of requests is reached.
async function send({ format, conversation }: Conversation, signal: AbortSignal): Promise<ImportResult> {
  for (;;) {
    try {
      return await persist(() => calls.moving.import({ format, conversation }), signal);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 429 || signal.aborted) throw error;
      await pause((error.retryAfter ?? 1) * 1000, signal);
    }
  }
}

// Others can still be imported.
const isAboutOne = (error: unknown): error is Problem => error instanceof Problem && [400, 413, 422].includes(error.status);

async function importOne(next: Conversation | Fault, now: Progress, signal: AbortSignal): Promise<Progress> {
  const failed = (failure: Failure): Progress => ({ ...now, failures: [...now.failures, failure] });
  if (typeof next === "string") return failed({ title: "", reason: next });
  try {
    const made = await send(next, signal);
    return {
      ...now,
      imported: now.imported + (made.replayed ? 0 : 1),
      known: now.known + (made.replayed ? 1 : 0),
      skipped: now.skipped + (made.replayed ? 0 : made.skipped.length),
    };
  } catch (error) {
    if (isAboutOne(error)) return failed({ title: next.title, reason: error });
    throw error;
  }
}

export async function importFile(file: File): Promise<void> {
  stop?.abort();
  const mine = new AbortController();
  stop = mine;
  let now: Progress = { state: "running", imported: 0, known: 0, skipped: 0, failures: [], error: null };
  const tell = (next: Progress) => {
    now = next;
    if (stop === mine) progress.value = now;
  };
  tell(now);
  try {
    for await (const next of conversationsOf(file)) {
      if (mine.signal.aborted) break;
      tell(await importOne(next, now, mine.signal));
    }
    tell({ ...now, state: mine.signal.aborted ? "stopped" : "done" });
  } catch (error) {
    tell(mine.signal.aborted ? { ...now, state: "stopped" } : { ...now, state: "done", error });
  }
}

export const shownFailures = (now: Progress): Failure[] => now.failures.slice(0, MOST_FAILURES);
