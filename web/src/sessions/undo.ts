// A deletion can be undone for a while: the request is sent after that time, or when the page is
// closed.
import { signal } from "@preact/signals";
import * as calls from "../api/calls";
import { Problem } from "../api/problem";
import type { Session } from "../api/types";
import { drop, hidden } from "./list";

export const UNDO_FOR = 6_000;

export interface Deletion {
  session: Session;
  timer: ReturnType<typeof setTimeout>;
}

export const deletions = signal<Deletion[]>([]);
export const deletionError = signal<unknown>(null); // Shown once, then emptied.

function settle(id: string): Deletion | undefined {
  const found = deletions.value.find((each) => each.session.id === id);
  if (!found) return undefined;
  clearTimeout(found.timer);
  deletions.value = deletions.value.filter((each) => each !== found);
  return found;
}

function reveal(id: string): void {
  const next = new Set(hidden.value);
  next.delete(id);
  hidden.value = next;
}

async function send(id: string, leaving = false): Promise<void> {
  if (!settle(id)) return;
  try {
    await calls.sessions.remove(id, leaving);
    drop(id);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return drop(id);
    deletionError.value = error; // It still exists, so it is shown again.
  }
  reveal(id);
}

export function remove(session: Session): void {
  hidden.value = new Set([...hidden.value, session.id]);
  const timer = setTimeout(() => void send(session.id), UNDO_FOR);
  deletions.value = [...deletions.value, { session, timer }];
}

export function undo(id: string): void {
  if (settle(id)) reveal(id);
}

export function startUndo(): void {
  addEventListener("pagehide", () => {
    for (const { session } of deletions.value) void send(session.id, true);
  });
}
