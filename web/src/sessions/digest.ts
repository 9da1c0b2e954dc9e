// The combined effect of several events, for each session.
import type { Session } from "../api/types";
import type { LogEvent } from "../streams/log";

export class Change {
  deleted = false;
  changedAt: string | null = null; // When it was created or changed: title, archive, settings.
  ended: string[] = [];
  #begun = new Set<string>();
  #lastRunAt: string | null = null;

  add(event: LogEvent): void {
    if (event.type === "chat.session.deleted") this.deleted = true;
    else if (event.type === "chat.session.created" || event.type === "chat.session.updated") this.changedAt = event.time;
    else if (event.type === "chat.run.created") this.#run(event, () => this.#begun.add(event.id));
    else if (ENDS.has(event.type)) this.#run(event, () => { this.#begun.delete(event.id); this.ended.push(event.id); });
  }

  #run(event: LogEvent, note: () => void): void {
    this.#lastRunAt = event.time;
    note();
  }

  // The session with its current runs; the same object if nothing changed.
  of(session: Session): Session {
    const going = new Set(session.active_run_ids.filter((id) => !this.ended.includes(id)));
    this.#begun.forEach((id) => going.add(id));
    const before = session.last_message_at ?? "";
    const last = this.#lastRunAt && this.#lastRunAt > before ? this.#lastRunAt : session.last_message_at;
    const active_run_ids = [...going];
    if (last === session.last_message_at && active_run_ids.join() === session.active_run_ids.join()) return session;
    return { ...session, active_run_ids, last_message_at: last };
  }
}

const ENDS = new Set(["chat.run.completed", "chat.run.failed", "chat.run.cancelled", "chat.run.interrupted"]);

// By session. Unknown types are ignored.
export function digest(events: LogEvent[]): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const event of events) {
    const id = event.type.startsWith("chat.session.") ? event.id : event.session;
    if (!id || !event.type.startsWith("chat.")) continue;
    const change = changes.get(id) ?? new Change();
    changes.set(id, change);
    change.add(event);
  }
  return changes;
}

// Automations, their runs, and webhooks that several events are about.
export interface AutomationNews {
  changed: string[];
  deleted: string[]; // Automations and webhooks.
  runs: string[];
  webhooks: string[];
}

export function automationNews(events: LogEvent[]): AutomationNews | undefined {
  const changed = new Set<string>();
  const deleted = new Set<string>();
  const runs = new Set<string>();
  const webhooks = new Set<string>();
  for (const { type, id, automation, automationRun } of events) {
    if (type.startsWith("webhook.")) (type === "webhook.deleted" ? deleted : webhooks).add(id);
    if (!automation || type.startsWith("webhook.")) continue;
    if (type === "automation.deleted") deleted.add(automation);
    else if (type.startsWith("automation.")) changed.add(automation);
    if (automationRun) runs.add(automationRun);
  }
  for (const id of deleted) {
    changed.delete(id);
    webhooks.delete(id);
  }
  if (!changed.size && !deleted.size && !runs.size && !webhooks.size) return undefined;
  return { changed: [...changed], deleted: [...deleted], runs: [...runs], webhooks: [...webhooks] };
}
