// The state of an automation or a run, as a badge.
import type { Automation, AutomationRunStatus } from "../api/automations";
import { words } from "../text";

export function StateBadge({ automation }: { automation: Automation }) {
  const t = words().automations;
  const bad = automation.state === "paused" && automation.pause_reason !== "user";
  return <span class={bad ? "badge bad" : automation.state === "active" ? "badge good" : "badge"}>{t.state[automation.state]}</span>;
}

const KINDS: Partial<Record<AutomationRunStatus, string>> = { completed: "good", failed: "bad", missed: "bad" };

export function StatusBadge({ status }: { status: AutomationRunStatus }) {
  return <span class={`badge status ${KINDS[status] ?? ""}`}>{words().automations.status[status]}</span>;
}
