import { expect, it, vi } from "vitest";
import type { Schedule } from "../api/automations";
import { scheduleText, withNext } from "./schedule";

vi.stubGlobal("navigator", { languages: ["en-GB"] });

const schedule = (cron: string, more: Partial<Schedule> = {}): Schedule => ({ type: "schedule", cron, time_zone: "Europe/Berlin", ...more });

it.each([
  ["0 9 * * *", "Every day at 09:00 in Berlin"],
  ["0 9 * * MON-FRI", "Weekdays at 09:00 in Berlin"],
  ["30 18 * * 1,4", "Mondays and Thursdays at 18:30 in Berlin"],
  ["0 9 1 * *", "On the 1st of each month at 09:00 in Berlin"],
  ["0 9 22 * *", "On the 22nd of each month at 09:00 in Berlin"],
  ["0 9 L * *", "On the last day of each month at 09:00 in Berlin"],
  ["5 * * * *", "Every hour at :05 in Berlin"],
  ["0 */6 * * *", "Every 6 hours at :00 in Berlin"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["* * * * *", "Every minute"],
  ["0 9 * * FRI#2", "0 9 * * FRI#2 in Berlin"],
])("says %s in words", (cron, words) => expect(scheduleText(schedule(cron))).toBe(words));

it("says where the clocks are", () => {
  expect(scheduleText(schedule("0 */6 * * *", { time_zone: "UTC" }))).toBe("Every 6 hours at :00 UTC");
  expect(scheduleText(schedule("0 */6 * * *", { time_zone: "America/New_York" }))).toBe("Every 6 hours at :00 in New York");
});

it("says in which weeks", () => expect(scheduleText(schedule("0 9 * * MON", { every_weeks: 2 }))).toBe("Mondays at 09:00, every 2 weeks in Berlin"));

it("needs no schedule", () => expect(scheduleText(null)).toBe("Only when run by hand"));

it("names the next time by the clocks of the zone", () => {
  const next = { scheduled_for: "2030-11-18T08:00:00.000Z", local: "", note: null };
  expect(withNext(schedule("0 9 * * MON-FRI"), next)).toMatch(/^Weekdays at 09:00 in Berlin; next: Monday,? 18 November 2030 at 09:00$/);
  expect(withNext(schedule("0 9 * * MON-FRI", { time_zone: "No/Zone" }), next)).toMatch(/in Zone; next: Monday/);
});

it("says what else starts it", () => {
  expect(scheduleText({ type: "hook", verify: "token", dedupe_pointer: null })).toBe("When its hook is called");
  const event = { type: "event", automation_id: null, session_id: null } as const;
  expect(scheduleText({ ...event, event_types: ["chat.run.failed"] })).toBe("After an event: answer failed");
  expect(scheduleText({ ...event, event_types: ["chat.run.*", "automation.run.missed", "new.type"] })).toBe("After an event: all of “Answers”, run missed, new.type");
});
