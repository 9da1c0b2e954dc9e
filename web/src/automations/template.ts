// The variables in the message of an automation: `{{name}}` stands for a value, `\{{` for two braces.
import type { Variable } from "../api/automations";

const NAME = /\\\{\{|\{\{([a-z][a-z0-9_]{0,31})\}\}/g;

// In the order of their first use. Names with a dot are provided by the server.
export function namesIn(message: string): string[] {
  const found = [...message.matchAll(NAME)].map(([, name]) => name).filter((name) => name !== undefined);
  return [...new Set(found)];
}

// Known variables keep their settings; new names get a variable.
export function variablesFor(message: string, known: Variable[]): Variable[] {
  const names = namesIn(message);
  const used = names.map((name) => known.find((variable) => variable.name === name) ?? { name, required: true });
  return [...used, ...known.filter(({ name }) => !names.includes(name))];
}

// Values for a preview: a required variable must have one.
export const sampleValues = (variables: Variable[]): Record<string, string> =>
  Object.fromEntries(variables.filter(({ required, default: fallback }) => required && !fallback).map(({ name }) => [name, `[${name}]`]));
