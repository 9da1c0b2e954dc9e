// Copies a text and shows that on the button for a moment.
import { words } from "../text";
import { toast } from "./toasts";

export async function copyText(text: string, button?: HTMLElement): Promise<boolean> {
  try {
    await write(text);
  } catch {
    toast(words().copyFailed);
    return false;
  }
  if (!button) return true;
  const former = button.textContent;
  button.textContent = words().copied;
  setTimeout(() => (button.textContent = former), 1500);
  return true;
}

async function write(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Without TLS, browsers offer only the old method.
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("copy");
}
