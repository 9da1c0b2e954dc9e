// The language of the app: the browser's, or the one that the user has chosen.
import { signal } from "@preact/signals";
import { en, type Words } from "./en";

export type { Words };

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = "parley-language";

const table = signal<Words>(en);
export const language = signal<Language>("en");

// The texts in the current language; components that use them are rendered again on a change.
export const words = (): Words => table.value;

const isLanguage = (name: string | null | undefined): name is Language => !!name && name in LANGUAGES;

async function use(next: Language): Promise<void> {
  table.value = next === "de" ? (await import("./de")).de : en;
  language.value = next;
  document.documentElement.lang = next;
}

export async function chooseLanguage(next: Language): Promise<void> {
  localStorage.setItem(KEY, next);
  await use(next);
}

export async function startLanguage(): Promise<void> {
  const chosen = localStorage.getItem(KEY);
  const wanted = isLanguage(chosen) ? chosen : navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage);
  if (wanted && wanted !== "en") await use(wanted).catch(() => undefined);
}

// Dates and numbers in the format of the user's country, if its language is that of the app.
const locale = (): string => navigator.languages.find((tag) => tag.split("-")[0] === language.value) ?? language.value;

const formats = new Map<string, Intl.DateTimeFormat>(); // Creating a format is slow.

function format(time: string | null | undefined, options: Intl.DateTimeFormatOptions): string {
  if (!time) return "";
  const key = locale() + JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale(), options);
  formats.set(key, known);
  return known.format(new Date(time));
}

export const formatTime = (time: string | null | undefined, style: "medium" | "short" = "medium"): string =>
  format(time, { dateStyle: style, timeStyle: "short" });

export const formatDate = (time: string | null | undefined): string => format(time, { dateStyle: "medium" });

// A time in a time zone, with its day: "Monday 17 November at 09:00".
export function formatDue(time: string, timeZone?: string): string {
  const sameYear = new Date(time).getFullYear() === new Date().getFullYear();
  return format(time, {
    weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit",
    ...(!sameYear && { year: "numeric" }), ...(timeZone && { timeZone }),
  });
}

// A time of day that is given as HH:MM.
export const formatClock = (time: string): string => format(`1970-01-01T${time}:00Z`, { timeStyle: "short", timeZone: "UTC" });

// 0 is Sunday.
export const nameOfDay = (day: number, style: "long" | "short"): string => format(new Date(Date.UTC(1970, 0, 4 + day)).toISOString(), { weekday: style, timeZone: "UTC" });

// The time of day, and the date if it is another day.
export const formatMoment = (time: string): string =>
  new Date(time).toDateString() === new Date().toDateString() ? format(time, { timeStyle: "short" }) : formatTime(time);

export const formatNumber = (value: number): string => new Intl.NumberFormat(locale()).format(value);

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${formatNumber(bytes)} B`;
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return new Intl.NumberFormat(locale(), {
    style: "unit", unit: units[power]!, unitDisplay: "short", maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power);
}
