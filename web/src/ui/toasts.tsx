// Short notices at the upper edge, with an action if there is one.
import { effect, signal } from "@preact/signals";
import { deletionError, deletions, undo } from "../sessions/undo";
import { words } from "../text";
import { wordsOf } from "./errors";

interface Toast {
  id: number;
  text: string;
  undo: (() => void) | undefined;
}

const toasts = signal<Toast[]>([]);
let next = 0;

const close = (id: number) => { toasts.value = toasts.value.filter((each) => each.id !== id); };

export function toast(text: string, shownFor = 4_000, undo?: () => void): void {
  const id = next++;
  toasts.value = [...toasts.peek(), { id, text, undo }];
  setTimeout(() => close(id), shownFor);
}

// A deletion that the server has refused.
effect(() => {
  if (!deletionError.value) return;
  toast(wordsOf(deletionError.value));
  deletionError.value = null;
});

export function Toasts() {
  const t = words();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {deletions.value.map(({ session }) => (
        <div class="toast" key={session.id}>
          <span class="clip" dir="auto">{t.deleted(session.title ?? t.untitled)}</span>
          <button type="button" class="plain" onClick={() => undo(session.id)}>{t.undo}</button>
        </div>
      ))}
      {toasts.value.map(({ id, text, undo: back }) => (
        <div class="toast" key={id}>
          {back ? <span class="clip" dir="auto">{text}</span> : <span>{text}</span>}
          {back && <button type="button" class="plain" onClick={() => { close(id); back(); }}>{t.undo}</button>}
        </div>
      ))}
    </div>
  );
}
