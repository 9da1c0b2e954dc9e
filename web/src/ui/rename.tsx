// A title that is being edited, in its row of the list or above the conversation.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Session } from "../api/types";
import { rename } from "../sessions/list";
import { words } from "../text";
import { wordsOf } from "./errors";
import { toast } from "./toasts";

type Place = "list" | "head";

const renaming = signal<{ id: string; place: Place } | null>(null);

export const beginRename = (id: string, place: Place) => (renaming.value = { id, place });
export const isRenamed = (id: string, place: Place) => renaming.value?.id === id && renaming.value.place === place;

// Returns the focus to its earlier place.
function giveFocusBack(place: Element | null | undefined): void {
  requestAnimationFrame(() => place?.querySelector<HTMLElement>("[aria-haspopup=menu]")?.focus());
}

export function RenameField({ session, place }: { session: Session; place: Place }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const done = (keep: boolean, byKey = false) => {
    if (!isRenamed(session.id, place)) return;
    const title = field.current?.value.trim();
    if (byKey) giveFocusBack(field.current?.parentElement);
    renaming.value = null;
    if (keep && title && title !== session.title) rename(session.id, title).catch((error) => toast(wordsOf(error)));
  };
  return (
    <input ref={field} class="rename" aria-label={words().title} defaultValue={session.title ?? ""} maxLength={200} dir="auto" enterKeyHint="done"
           onBlur={() => done(true)}
           onKeyDown={(event) => {
             if (event.key === "Enter" && !event.isComposing) done(true, true);
             if (event.key === "Escape") { event.stopPropagation(); done(false, true); }
           }} />
  );
}
