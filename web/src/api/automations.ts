// Automations in the API, as far as the app uses them. Unknown fields are ignored.
import { call } from "./http";
import type { List, ProblemBody, Usage } from "./types";

const AUTOMATIONS = "v1/api/automations";
const RUNS = "v1/api/automation_runs";

export interface Variable {
  name: string;
  pointer?: string | null;
  default?: string | null;
  required?: boolean;
  max_bytes?: number | null;
  cut?: boolean;
}

export interface Schedule {
  type: "schedule";
  cron?: string | null;
  at?: string | null;
  time_zone?: string | null;
  every_weeks?: number;
  starts_at?: string | null;
  ends_at?: string | null;
}

export type Verification = "token" | "standard_webhooks" | "github";

export interface HookTrigger {
  type: "hook";
  verify: Verification;
  dedupe_pointer: string | null;
}

export interface EventTrigger {
  type: "event";
  event_types: string[];
  automation_id: string | null;
  session_id: string | null;
}

export type Trigger = Schedule | HookTrigger | EventTrigger;

export const scheduleOf = (trigger: Trigger | null): Schedule | null => (trigger?.type === "schedule" ? trigger : null);

// The address at which other programs start an automation.
export interface Hook {
  id: string;
  url: string;
  secret_hint: string;
  secret?: string; // Only in the response that made it.
  old_secret_until: string | null;
}

export type Overlap = "skip" | "queue" | "cancel" | "allow";
export type CatchUp = "none" | "latest" | "all";
export type SessionPolicy = { policy: "new"; keep: number | null } | { policy: "continue"; session_id: string | null };

export interface Definition {
  name: string;
  message: string;
  variables: Variable[];
  instructions: string | null;
  model: string | null;
  max_output_tokens: number | null;
  temperature: number | null;
  session: SessionPolicy;
  trigger: Trigger | null;
  overlap: Overlap | null;
  catch_up: CatchUp;
  retry: { max_attempts: number; backoff_s: number };
  timeout_s: number | null;
  pause_after_failures: number | null;
  output_tokens_per_day: number | null;
}

export interface Automation extends Definition {
  id: string;
  revision: number;
  state: "active" | "paused" | "ended";
  pause_reason: "user" | "failures" | "time_zone" | null;
  next_at: string | null;
  hook: Hook | null;
  last_run: string | null;
  consecutive_failures: number;
  created_at: string;
}

export type AutomationRunStatus = "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled" | "skipped" | "missed";

export interface Attempt {
  number: number;
  status: string;
  error: ProblemBody | null;
  started_at: string;
}

export interface AutomationRun {
  id: string;
  automation_id: string;
  trigger: "manual" | "schedule" | "hook" | "event";
  scheduled_for: string;
  status: AutomationRunStatus;
  skip_reason: string | null;
  message: string;
  session_id: string | null;
  attempts: Attempt[];
  next_attempt_at: string | null;
  usage: Usage | null;
  error: ProblemBody | null;
  missed_count: number | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
}

export interface Occurrence {
  scheduled_for: string;
  local: string;
  note: "moved_by_clock_change" | "first_of_two" | null;
}

export interface Preview {
  occurrences: Occurrence[];
  message: string;
  input_tokens: number;
  warnings: string[];
}

// Values of variables, at the places to which their pointers lead.
export interface Payload {
  [name: string]: string | Payload;
}

export const withKey = (key: string) => ({ "Idempotency-Key": `"${key}"` });

export const automations = {
  list: (after: string | null) => call<List<Automation>>("GET", AUTOMATIONS, { query: { after, limit: 100 } }),
  get: (id: string) => call<Automation>("GET", `${AUTOMATIONS}/${id}`),
  create: (body: Definition, key: string) => call<Automation>("POST", AUTOMATIONS, { body, headers: withKey(key) }),
  // Fails with 412 if the automation has changed since this revision.
  change: (id: string, body: Partial<Definition>, revision: number) =>
    call<Automation>("PATCH", `${AUTOMATIONS}/${id}`, { body, headers: { "If-Match": `"${revision}"` } }),
  pause: (id: string, paused: boolean) => call<Automation>("PATCH", `${AUTOMATIONS}/${id}`, { body: { paused } }),
  remove: (id: string) => call<void>("DELETE", `${AUTOMATIONS}/${id}`),
  preview: (body: Definition & { count: number; payload: Payload }, signal: AbortSignal) =>
    call<Preview>("POST", `${AUTOMATIONS}/preview`, { body, signal }),
  run: (id: string, variables: Payload, key: string) =>
    call<AutomationRun>("POST", `${AUTOMATIONS}/${id}/runs`, { body: { variables }, headers: withKey(key) }),
  rotateHook: (id: string, overlap_s: number) => call<Automation>("POST", `${AUTOMATIONS}/${id}/hook/rotate`, { body: { overlap_s } }),
  occurrences: (id: string, limit: number) => call<List<Occurrence>>("GET", `${AUTOMATIONS}/${id}/occurrences`, { query: { limit } }),
};

export const automationRuns = {
  // Of one automation, or of all.
  list: (automation: string | null, after: string | null, status: string) =>
    call<List<AutomationRun>>("GET", automation ? `${AUTOMATIONS}/${automation}/runs` : RUNS, { query: { after, status, limit: 50 } }),
  get: (id: string) => call<AutomationRun>("GET", `${RUNS}/${id}`),
  cancel: (id: string) => call<AutomationRun>("POST", `${RUNS}/${id}/cancel`),
  retry: (id: string) => call<AutomationRun>("POST", `${RUNS}/${id}/retry`),
};
