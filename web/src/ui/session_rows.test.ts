import { expect, it } from "vitest";
import type { Session } from "../api/types";
import { rowsOf } from "./session_rows";

const at = (time: Date): Session => ({ id: time.toISOString(), last_message_at: time.toISOString() }) as Session;
const daysBefore = (now: Date, days: number, hour = 12) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, hour);

it("puts sessions under the days on which they were last used", () => {
  const now = new Date(2026, 5, 20, 15);
  const sessions = [daysBefore(now, 0, 0), daysBefore(now, 1, 23), daysBefore(now, 1, 0), daysBefore(now, 7), daysBefore(now, 29), daysBefore(now, 400)].map(at);
  const told = rowsOf(sessions, now).map((row) => (row.kind === "group" ? row.name : "-"));
  expect(told).toEqual(["today", "-", "yesterday", "-", "-", "lastWeek", "-", "lastMonth", "-", "older", "-"]);
});

it("names no group twice, whatever the order", () => {
  const now = new Date(2026, 5, 20, 15);
  const rows = rowsOf([at(daysBefore(now, 0)), at(daysBefore(now, 3)), at(daysBefore(now, 0, 9))], now);
  expect(rows.filter((row) => row.kind === "group").map((row) => row.name)).toEqual(["today", "lastWeek"]);
});
