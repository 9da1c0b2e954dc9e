// The list of sessions: fetched when the app opens, and then updated from the actions of all tabs and from the
// event log. Nothing is polled, because requests count against the user's limits.
import { computed, signal } from "@preact/signals";
import * as calls from "../api/calls";
import { persist } from "../api/http";
import { LoggedOut } from "../api/problem";
import type { Run, Session } from "../api/types";
import { hear, tellAll } from "../tabs/channel";
import { onEnd } from "../streams/runs";

const PAGE = 100;
const PAUSE_BETWEEN_PAGES = 6_000; // At most ten pages a minute: they count against the same limit as questions.

export type Shelf = "active" | "archived";

const known = signal<ReadonlyMap<string, Session>>(new Map());
export const hidden = signal<ReadonlySet<string>>(new Set()); // Deleted sessions that can still be restored.
export const shelf = signal<Shelf>("active");
export const loading = signal(false);
export const listError = signal<unknown>(null);
export const complete = signal(false); // Whether the end of the list has been reached.

let cursor: string | null = null;
let fetched = false;
let changedMeanwhile: Set<string> | null = null; // Sessions that changed while a page is fetched: the page may be older.
let pageAt = 0;
let generation = 0;

const activity = (session: Session) => session.last_message_at ?? session.created_at;

export const list = computed(() => {
  const archived = shelf.value === "archived";
  return [...known.value.values()]
    .filter((session) => session.archived === archived && !hidden.value.has(session.id))
    .sort((a, b) => (activity(a) < activity(b) ? 1 : activity(a) > activity(b) ? -1 : a.id < b.id ? 1 : -1));
});

// Whether archived sessions are known. The first page of an empty list looks for one.
export const hasArchived = computed(() => [...known.value.values()].some(({ id, archived }) => archived && !hidden.value.has(id)));

export const find = (id: string): Session | undefined => known.value.get(id);

function merge(sessions: Session[]): void {
  const next = new Map(known.value);
  for (const session of sessions) next.set(session.id, session);
  known.value = next;
}

async function page(after: string | null): Promise<void> {
  const asked = ++generation;
  const changed = new Set<string>();
  changedMeanwhile = changed;
  loading.value = true;
  listError.value = null;
  try {
    const query = { after, limit: PAGE, archived: shelf.value === "archived" };
    const found = await persist(() => calls.sessions.list(query));
    if (asked !== generation) return;
    pageAt = Date.now();
    // If the first page is the whole list, sessions that are not in it are gone.
    if (!after && !found.has_more) {
      const archived = shelf.value === "archived";
      known.value = new Map([...known.value].filter(([id, session]) => session.archived !== archived || changed.has(id)));
    }
    merge(found.data.filter(({ id }) => !changed.has(id)));
    if (!after && !found.data.length && !query.archived) await findArchived(asked);
    cursor = found.next_cursor;
    complete.value = !found.has_more;
  } catch (error) {
    if (asked === generation && !(error instanceof LoggedOut)) listError.value = error;
  } finally {
    if (asked === generation) {
      loading.value = false;
      changedMeanwhile = null;
    }
  }
}

async function findArchived(asked: number): Promise<void> {
  const found = await persist(() => calls.sessions.list({ archived: true, limit: 1 }));
  if (asked === generation) merge(found.data);
}

export async function loadFirst(): Promise<void> {
  fetched = true;
  await page(null);
}

// Called when the list is scrolled near its end.
export async function loadMore(): Promise<void> {
  if (loading.value || complete.value || !cursor) return;
  const wait = pageAt + PAUSE_BETWEEN_PAGES - Date.now();
  if (wait > 0 && list.value.length > 5 * PAGE) {
    loading.value = true;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  await page(cursor);
}

export function show(next: Shelf): void {
  if (shelf.value === next) return;
  shelf.value = next;
  complete.value = false;
  cursor = null;
  void loadFirst();
}

export function put(session: Session): void {
  tellAll({ type: "session", session });
}

export function drop(id: string): void {
  tellAll({ type: "session-gone", id });
}

// A run has begun or ended: moves its session to the front, without a request.
export function touch(id: string, change: (session: Session) => Session): void {
  const session = known.value.get(id);
  if (session) put(change(session));
}

function ended(run: Run): void {
  const session = known.value.get(run.session_id);
  if (!session) return;
  put({
    ...session,
    active_run_ids: session.active_run_ids.filter((id) => id !== run.id),
    last_message_at: run.message?.created_at ?? session.last_message_at,
  });
}

export function startList(): void {
  hear("session", ({ session }) => {
    changedMeanwhile?.add(session.id);
    if (known.value.get(session.id) !== session) merge([session]);
  });
  hear("session-gone", ({ id }) => {
    changedMeanwhile?.add(id);
    if (!known.value.has(id)) return;
    const next = new Map(known.value);
    next.delete(id);
    known.value = next;
  });
  onEnd(ended);
  const again = () => void (fetched && loadFirst());
  hear("list-stale", again);
  hear("log", ({ fresh }) => fresh && again()); // Earlier changes are not in the log from here on.
}

export function forgetList(): void {
  generation++;
  fetched = false;
  known.value = new Map();
  hidden.value = new Set();
  cursor = null;
  complete.value = false;
  shelf.value = "active";
  loading.value = false;
}

export async function rename(id: string, title: string): Promise<void> {
  put(await calls.sessions.patch(id, { title }));
}

export async function archive(id: string, archived: boolean): Promise<void> {
  put(await calls.sessions.patch(id, { archived }));
}

