// The variables in the message of an automation: `{{name}}` stands for a value, `\{{` for two braces.
import type { Payload, Variable } from "../api/automations";

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

const empty = (): Payload => Object.create(null) as Payload; // A name such as __proto__ is a name like others.

const tokensOf = (pointer: string): string[] => pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

function put(payload: Payload, [first, ...rest]: string[], value: string): void {
  if (first === undefined) return; // The whole payload.
  if (!rest.length) {
    payload[first] = value;
    return;
  }
  const known = payload[first];
  const inner = typeof known === "object" ? known : empty();
  payload[first] = inner;
  put(inner, rest, value);
}

// The values of variables as an object in which their pointers find them.
export function payloadOf(variables: Variable[], valueOf: (variable: Variable) => string | undefined): Payload {
  const payload = empty();
  for (const variable of variables) {
    const value = valueOf(variable);
    if (value !== undefined) put(payload, tokensOf(variable.pointer ?? `/${variable.name}`), value);
  }
  return payload;
}

const sampleOf = ({ name }: Variable) => `[${name}]`;

// For a preview: a required variable must have a value.
export const sampleValues = (variables: Variable[]): Payload =>
  payloadOf(variables, (variable) => (variable.required && !variable.default ? sampleOf(variable) : undefined));

// For an example of a call: with all variables.
export const samplePayload = (variables: Variable[]): Payload => payloadOf(variables, sampleOf);
