// Texts that were typed but not sent, for each session; they survive a reload. The key belongs to the
// text, so that sending it twice is still one question.
import { vault } from "../auth/vault";

export interface Draft {
  text: string;
  key: string;
}

const SOON = 200;
const unsaved = new Map<string, { draft: Draft; timer: ReturnType<typeof setTimeout> }>();

const place = (session: string | null) => `draft:${session ?? "new"}`;

export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function write(where: string, draft: Draft): Promise<unknown> {
  return draft.text ? vault.set(where, draft) : vault.remove(where);
}

export async function loadDraft(session: string | null): Promise<Draft | undefined> {
  return unsaved.get(place(session))?.draft ?? (await vault.get<Draft>(place(session)));
}

export function saveDraft(session: string | null, draft: Draft): void {
  const where = place(session);
  clearTimeout(unsaved.get(where)?.timer);
  const timer = setTimeout(() => flush(where), SOON);
  unsaved.set(where, { draft, timer });
}

function flush(where: string): void {
  const waiting = unsaved.get(where);
  if (!waiting) return;
  clearTimeout(waiting.timer);
  unsaved.delete(where);
  void write(where, waiting.draft);
}

export async function forgetDraft(session: string | null): Promise<void> {
  const where = place(session);
  clearTimeout(unsaved.get(where)?.timer);
  unsaved.delete(where);
  await vault.remove(where);
}

export function startDrafts(): void {
  addEventListener("pagehide", () => [...unsaved.keys()].forEach(flush));
}
