// The rows of the list: sessions, under the days on which they were last used.
import type { Session } from "../api/types";

export type Group = "today" | "yesterday" | "lastWeek" | "lastMonth" | "older";
export type Row = { kind: "group"; name: Group } | { kind: "session"; session: Session };

const DAY = 86_400_000;

export function groupOf(time: string, now: Date): Group {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const at = new Date(time).getTime();
  if (at >= midnight) return "today";
  if (at >= midnight - DAY) return "yesterday";
  if (at >= midnight - 7 * DAY) return "lastWeek";
  return at >= midnight - 30 * DAY ? "lastMonth" : "older";
}

export function rowsOf(sessions: Session[], now: Date): Row[] {
  const rows: Row[] = [];
  let last: Group | undefined;
  for (const session of sessions) {
    const name = groupOf(session.last_message_at ?? session.created_at, now);
    // Sessions that the server found elsewhere may lie out of order: no group appears twice.
    if (name !== last && !rows.some((row) => row.kind === "group" && row.name === name)) rows.push({ kind: "group", name });
    last = name;
    rows.push({ kind: "session", session });
  }
  return rows;
}
