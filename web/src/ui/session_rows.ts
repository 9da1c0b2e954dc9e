// The rows of the list: sessions, grouped by the day of their last use.
import type { Session } from "../api/types";

export type Group = "today" | "yesterday" | "lastWeek" | "lastMonth" | "older";
export type Row = { kind: "group"; name: Group } | { kind: "session"; session: Session };

const DAY = 86_400_000;

// The beginning of each group in the API's time format: such texts sort by time, so ten thousand of
// them need not be parsed.
function beginnings(now: Date): [Group, string][] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const daysAgo = (days: number) => new Date(midnight - days * DAY).toISOString();
  return [["today", daysAgo(0)], ["yesterday", daysAgo(1)], ["lastWeek", daysAgo(7)], ["lastMonth", daysAgo(30)]];
}

export function rowsOf(sessions: Session[], now: Date): Row[] {
  const rows: Row[] = [];
  const begin = beginnings(now);
  const seen = new Set<Group>();
  for (const session of sessions) {
    const time = session.last_message_at ?? session.created_at;
    const name = begin.find(([, since]) => time >= since)?.[0] ?? "older";
    // Search results of the server may be out of order: no group appears twice.
    if (!seen.has(name)) rows.push({ kind: "group", name });
    seen.add(name);
    rows.push({ kind: "session", session });
  }
  return rows;
}
