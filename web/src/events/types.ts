// The types of events that the app knows, and their names. A server may have more; those are shown as they are.
import { words } from "../text";

export interface Family {
  name: string;
  types: string[];
  all: string | null; // The pattern for all types of the family, and no others.
}

const family = (name: string, kinds: string[], all: string | null = `${name}.*`): Family => ({ name, types: kinds.map((kind) => `${name}.${kind}`), all });

export const FAMILIES: Family[] = [
  family("chat.session", ["created", "updated", "deleted"]),
  family("chat.run", ["created", "completed", "failed", "cancelled", "interrupted"]),
  family("automation", ["created", "updated", "paused", "resumed", "deleted"], null), // `automation.*` includes the runs.
  family("automation.run", ["queued", "completed", "failed", "cancelled", "skipped", "missed"]),
  family("webhook", ["created", "updated", "disabled", "deleted"]),
  family("token", ["created", "revoked"]),
  family("login", ["created", "ended"]),
];

export const KNOWN: ReadonlySet<string> = new Set(FAMILIES.flatMap(({ types, all }) => [...types, ...(all ? [all] : [])]));

export const kindOf = (type: string): string => type.slice(type.lastIndexOf(".") + 1);

// "Answer failed", "All of “Answers”".
export function typeText(type: string): string {
  const t = words().webhooks;
  if (type === "webhook.test") return t.testEvent; // In no log.
  const found = FAMILIES.find(({ types, all }) => types.includes(type) || all === type);
  if (!found) return type;
  if (type === found.all) return t.allOf(t.families[found.name] ?? found.name);
  return t.happened(t.subjects[found.name] ?? found.name, t.kinds[type] ?? t.kinds[kindOf(type)] ?? kindOf(type));
}

const within = (type: string): string => (KNOWN.has(type) ? words().webhooks.within(typeText(type)) : type);

// Several of them, within a sentence.
export const typesText = (types: string[]): string => types.map(within).join(", ");

// Several of them, as a sentence.
export const listOfTypes = (types: string[]): string => types.map((type, at) => (at ? within(type) : typeText(type))).join(", ");

export const fits = (patterns: string[], type: string): boolean =>
  patterns.some((pattern) => pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1))));
