// The fields of the form and the definition of an automation, each made from the other.
import type { CatchUp, Definition, Overlap, Schedule, SessionPolicy, Trigger, Variable, Verification } from "../api/automations";
import { cronOf, EVERY_DAY, patternOf, WEEKDAYS, type Pattern } from "./cron";
import { variablesFor } from "./template";
import { instantOf, knowsZone, ownZone } from "./zoned";

export const EMPTY: Definition = {
  name: "", message: "", variables: [], instructions: null, model: null, max_output_tokens: null, temperature: null,
  session: { policy: "new", keep: 30 }, trigger: null, overlap: null, catch_up: "latest", retry: { max_attempts: 3, backoff_s: 30 },
  timeout_s: null, pause_after_failures: 10, output_tokens_per_day: null,
};

export type Repeat = "daily" | "weekdays" | "weekly" | "hours" | "minutes" | "month" | "cron";
export type Kind = "none" | "cron" | "at" | "hook" | "event";

export function kindOf(trigger: Trigger | null): Kind {
  if (trigger?.type === "schedule") return trigger.at ? "at" : "cron";
  return trigger?.type ?? "none";
}

export const isScheduled = (kind: unknown): boolean => kind === "cron" || kind === "at";
// What starts it brings values for the variables.
export const hasPayload = (kind: unknown): boolean => kind === "hook" || kind === "event";

// How the form shows a schedule.
export function repeatOf(trigger: Schedule | null): { repeat: Repeat; pattern: Pattern | undefined } {
  if (!trigger?.cron) return { repeat: "weekdays", pattern: undefined };
  const pattern = patternOf(trigger.cron);
  if (!pattern) return { repeat: "cron", pattern };
  if (pattern.kind !== "days") return { repeat: pattern.kind, pattern };
  if ((trigger.every_weeks ?? 1) > 1) return { repeat: "weekly", pattern };
  if (pattern.days.length === 7) return { repeat: "daily", pattern };
  return { repeat: pattern.days.join() === WEEKDAYS.join() ? "weekdays" : "weekly", pattern };
}

const text = (fields: FormData, name: string): string => String(fields.get(name) ?? "").trim();
const orNull = (value: string): string | null => value || null;
const numberOr = <T>(fields: FormData, name: string, empty: T): number | T => {
  const given = text(fields, name);
  return given === "" ? empty : Number(given);
};

function cronIn(fields: FormData): string {
  const time = text(fields, "time");
  const days = (chosen: number[]) => (time && chosen.length ? cronOf({ kind: "days", days: chosen, time }) : "");
  switch (text(fields, "repeat") as Repeat) {
    case "daily": return days(EVERY_DAY);
    case "weekdays": return days(WEEKDAYS);
    case "weekly": return days(fields.getAll("day").map(Number));
    case "hours": return cronOf({ kind: "hours", every: numberOr(fields, "hours", 1), minute: numberOr(fields, "minute", 0) });
    case "minutes": return cronOf({ kind: "minutes", every: numberOr(fields, "minutes", 15) });
    case "month": return time ? cronOf({ kind: "month", day: text(fields, "month_day") === "L" ? "L" : numberOr(fields, "month_day", 1), time }) : "";
    default: return text(fields, "cron");
  }
}

function eventsIn(fields: FormData): Trigger | null {
  const event_types = fields.getAll("event_type").map(String);
  if (!event_types.length) return null;
  return { type: "event", event_types, automation_id: orNull(text(fields, "of_automation")), session_id: orNull(text(fields, "of_session")) };
}

function scheduleIn(fields: FormData, former: Schedule | null, now: Date): Schedule | null {
  const time_zone = text(fields, "zone");
  if (text(fields, "kind") === "at") {
    const at = text(fields, "at");
    return at && knowsZone(time_zone) ? { type: "schedule", at: instantOf(at, time_zone), time_zone } : null;
  }
  const cron = cronIn(fields);
  if (!cron) return null;
  const every_weeks = text(fields, "repeat") === "weekly" ? numberOr(fields, "weeks", 1) : 1;
  const starts_at = former?.starts_at ?? (every_weeks > 1 ? now.toISOString() : null);
  return { type: "schedule", cron, time_zone, every_weeks, starts_at, ends_at: former?.ends_at ?? null };
}

// Null also if it is not complete: `isComplete` tells the difference.
function triggerIn(fields: FormData, former: Trigger | null, now: Date): Trigger | null {
  switch (text(fields, "kind") as Kind) {
    case "none": return null;
    case "event": return eventsIn(fields);
    case "hook": return { type: "hook", verify: (text(fields, "verify") || "token") as Verification, dedupe_pointer: orNull(text(fields, "dedupe_pointer")) };
    default: return scheduleIn(fields, former?.type === "schedule" ? former : null, now);
  }
}

export const isComplete = (fields: FormData, definition: Definition): boolean => text(fields, "kind") === "none" || definition.trigger !== null;

function sessionIn(fields: FormData): SessionPolicy {
  if (text(fields, "policy") === "continue") return { policy: "continue", session_id: orNull(text(fields, "session_id")) };
  return { policy: "new", keep: numberOr(fields, "keep", null) };
}

// A variable whose fields are not on the page yet keeps its settings.
function variableIn(fields: FormData, variable: Variable): Variable {
  const fallback = fields.get(`default ${variable.name}`);
  if (fallback === null) return variable;
  const pointer = fields.get(`pointer ${variable.name}`);
  return {
    ...variable, default: orNull(String(fallback)), required: fields.has(`required ${variable.name}`),
    // An empty field leaves the pointer to the whole payload, which is an empty text.
    ...(pointer !== null && { pointer: orNull(String(pointer).trim()) ?? (variable.pointer === "" ? "" : null) }),
  };
}

export function definitionOf(fields: FormData, former: Definition, now = new Date()): Definition {
  const message = String(fields.get("message") ?? "");
  return {
    name: text(fields, "name"),
    message,
    variables: variablesFor(message, former.variables).map((variable) => variableIn(fields, variable)),
    instructions: orNull(text(fields, "instructions")),
    model: orNull(text(fields, "model")),
    max_output_tokens: numberOr(fields, "max_output_tokens", null),
    temperature: numberOr(fields, "temperature", null),
    session: sessionIn(fields),
    trigger: triggerIn(fields, former.trigger, now),
    overlap: orNull(text(fields, "overlap")) as Overlap | null,
    catch_up: (text(fields, "catch_up") || former.catch_up) as CatchUp,
    retry: { max_attempts: numberOr(fields, "max_attempts", 3), backoff_s: numberOr(fields, "backoff_s", 30) },
    timeout_s: numberOr(fields, "timeout_s", null),
    pause_after_failures: numberOr(fields, "pause_after_failures", null),
    output_tokens_per_day: numberOr(fields, "output_tokens_per_day", null),
  };
}

export const zoneOf = (trigger: Schedule | null): string => trigger?.time_zone ?? ownZone();
