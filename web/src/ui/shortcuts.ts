// Keys that work everywhere. The page that lists them reads the same table.
import { deletions, undo } from "../sessions/undo";
import { words } from "../text";
import { copyText } from "./copy";
import { chatLink, go } from "./route";
import { searchField, sidebarOpen, toggleSidebar } from "./sidebar";
import { toast } from "./toasts";

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const MOD = mac ? "⌘" : "Ctrl";
const SHIFT = mac ? "⇧" : "Shift";

type Name = keyof ReturnType<typeof words>["shortcutNames"];

interface Shortcut {
  name: Name;
  keys: string[];
  fits?: (event: KeyboardEvent) => boolean;
  run?: (event: KeyboardEvent) => void;
}

const mod = (event: KeyboardEvent) => (mac ? event.metaKey : event.ctrlKey) && !event.altKey;
const typing = (event: KeyboardEvent) =>
  event.target instanceof HTMLElement && (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName));
const bare = (event: KeyboardEvent) => !event.ctrlKey && !event.metaKey && !event.altKey && !typing(event);
const compose = () => document.querySelector<HTMLTextAreaElement>("#composer")?.focus();

// The letters that follow belong into the field, so a field that is there is entered at once.
function openSearch(): void {
  if (sidebarOpen.value) return searchField()?.select();
  toggleSidebar(true);
  requestAnimationFrame(() => searchField()?.select());
}

function stop(): void {
  const button = document.querySelector<HTMLButtonElement>(".composer .round[type=button]");
  button?.click();
}

function copyLast(): void {
  const text = document.querySelector<HTMLElement>(".answer.last .markdown")?.innerText;
  if (text) void copyText(text).then((done) => done && toast(words().copied));
}

// In a field with text, the key undoes typing.
const canUndo = (event: KeyboardEvent) => deletions.value.length > 0 && !(typing(event) && (event.target as HTMLInputElement).value);

export const SHORTCUTS: Shortcut[] = [
  { name: "newChat", keys: [MOD, SHIFT, "O"], fits: (event) => mod(event) && event.shiftKey && event.code === "KeyO", run: () => { go(chatLink(null)); requestAnimationFrame(compose); } },
  { name: "search", keys: [MOD, "K"], fits: (event) => mod(event) && !event.shiftKey && event.code === "KeyK", run: openSearch },
  { name: "compose", keys: ["/"], fits: (event) => bare(event) && event.key === "/", run: compose },
  { name: "send", keys: ["Enter"] },
  { name: "newline", keys: [SHIFT, "Enter"] },
  { name: "stop", keys: ["Esc"], fits: (event) => event.key === "Escape" && !document.querySelector("dialog[open]"), run: stop },
  { name: "sidebar", keys: [MOD, "B"], fits: (event) => mod(event) && !event.shiftKey && event.code === "KeyB", run: () => toggleSidebar() },
  { name: "undo", keys: [MOD, "Z"], fits: (event) => mod(event) && !event.shiftKey && event.code === "KeyZ" && canUndo(event), run: () => undo(deletions.value.at(-1)!.session.id) },
  { name: "copyLast", keys: [MOD, SHIFT, "C"], fits: (event) => mod(event) && event.shiftKey && event.code === "KeyC", run: copyLast },
  { name: "help", keys: ["?"], fits: (event) => bare(event) && event.key === "?", run: () => go("#/shortcuts") },
];

export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const found = SHORTCUTS.find((shortcut) => shortcut.fits?.(event));
    if (!found?.run) return;
    event.preventDefault();
    found.run(event);
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
