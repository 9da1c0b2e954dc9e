// Light or dark: by the system, or by the user's choice.
import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const KEY = "parley-theme";

const isTheme = (name: string | null): name is Theme => name === "light" || name === "dark";

export const theme = signal<Theme>("system");

function apply(next: Theme): void {
  theme.value = next;
  if (next === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = next;
}

export function chooseTheme(next: Theme): void {
  if (next === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  apply(next);
}

export function startTheme(): void {
  const chosen = localStorage.getItem(KEY);
  apply(isTheme(chosen) ? chosen : "system");
}
