// Search in titles: at once in the loaded part, and, if the list is longer, on the server when the
// user stops typing.
import { computed, effect, signal } from "@preact/signals";
import * as calls from "../api/calls";
import type { Session } from "../api/types";
import { complete, hidden, list, shelf } from "./list";

const PAUSE = 500;

export const words = signal("");
export const searching = signal(false);
export const searchError = signal<unknown>(null);
const found = signal<Session[]>([]);

const fits = (session: Session, text: string) =>
  (session.title ?? "").toLocaleLowerCase().includes(text.toLocaleLowerCase());

export const shown = computed<Session[]>(() => {
  const text = words.value.trim();
  if (!text) return list.value;
  const near = list.value.filter((session) => fits(session, text));
  const seen = new Set(near.map((session) => session.id));
  return [...near, ...found.value.filter((session) => !seen.has(session.id) && !hidden.value.has(session.id))];
});

async function ask(text: string, archived: boolean, signal: AbortSignal): Promise<void> {
  searching.value = true;
  try {
    const page = await calls.sessions.list({ q: text, archived, limit: 50 });
    if (!signal.aborted) found.value = page.data;
  } catch (error) {
    if (!signal.aborted) searchError.value = error;
  } finally {
    if (!signal.aborted) searching.value = false;
  }
}

effect(() => {
  const text = words.value.trim();
  const archived = shelf.value === "archived";
  const local = complete.value;
  const stop = new AbortController();
  found.value = [];
  searching.value = false;
  searchError.value = null;
  const timer = text && !local ? setTimeout(() => void ask(text, archived, stop.signal), PAUSE) : undefined;
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
});
