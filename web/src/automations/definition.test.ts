import { describe, expect, it } from "vitest";
import type { Trigger } from "../api/automations";
import { definitionOf, EMPTY, isComplete, kindOf, repeatOf } from "./definition";

const NOW = new Date("2026-11-17T12:00:00.000Z");

function fields(values: Record<string, string | string[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) for (const each of [value].flat()) form.append(name, each);
  return form;
}

const triggerOf = (values: Record<string, string | string[]>, former: Trigger | null = null) =>
  definitionOf(fields({ zone: "Europe/Berlin", kind: "cron", time: "09:00", ...values }), { ...EMPTY, trigger: former }, NOW).trigger;

describe("the schedule of the form", () => {
  it.each([
    [{ repeat: "daily" }, "0 9 * * *"],
    [{ repeat: "weekdays" }, "0 9 * * MON-FRI"],
    [{ repeat: "weekly", day: ["1", "4"] }, "0 9 * * MON,THU"],
    [{ repeat: "hours", hours: "6", minute: "15" }, "15 */6 * * *"],
    [{ repeat: "minutes", minutes: "10" }, "*/10 * * * *"],
    [{ repeat: "month", month_day: "L" }, "0 9 L * *"],
    [{ repeat: "month", month_day: "3" }, "0 9 3 * *"],
    [{ repeat: "cron", cron: " 0 9 * * FRI#2 " }, "0 9 * * FRI#2"],
  ])("%j", (values, cron) => expect(triggerOf(values)).toMatchObject({ cron, time_zone: "Europe/Berlin", every_weeks: 1, starts_at: null }));

  it("needs a start if it skips weeks, and keeps a given one", () => {
    const values = { repeat: "weekly", day: ["1"], weeks: "2" };
    expect(triggerOf(values)).toMatchObject({ every_weeks: 2, starts_at: NOW.toISOString() });
    expect(triggerOf(values, { type: "schedule", cron: "0 9 * * MON", starts_at: "2026-01-01T00:00:00.000Z" })).toMatchObject({ starts_at: "2026-01-01T00:00:00.000Z" });
  });

  it("is one time in its zone", () => {
    expect(triggerOf({ kind: "at", at: "2027-01-05T09:00" })).toEqual({ type: "schedule", at: "2027-01-05T08:00:00.000Z", time_zone: "Europe/Berlin" });
  });

  it.each([[{ repeat: "cron", cron: "" }], [{ repeat: "weekly" }], [{ repeat: "daily", time: "" }], [{ kind: "at", at: "" }], [{ kind: "at", at: "2027-01-05T09:00", zone: "x" }]])(
    "is not complete: %j", (values) => {
      const form = fields({ zone: "UTC", kind: "cron", time: "09:00", ...(values as Record<string, string>) });
      const definition = definitionOf(form, EMPTY, NOW);
      expect(definition.trigger).toBeNull();
      expect(isComplete(form, definition)).toBe(false);
    });
});

describe("repeatOf", () => {
  it.each([
    ["0 9 * * *", 1, "daily"], ["0 9 * * 1-5", 1, "weekdays"], ["0 9 * * MON", 1, "weekly"], ["0 9 * * *", 2, "weekly"],
    ["*/5 * * * *", 1, "minutes"], ["0 * * * *", 1, "hours"], ["0 9 1 * *", 1, "month"], ["0 9 1 * MON", 1, "cron"],
  ])("%s every %i weeks", (cron, every_weeks, repeat) => expect(repeatOf({ type: "schedule", cron, every_weeks }).repeat).toBe(repeat));
});

it("keeps what the form does not show of a variable", () => {
  const former = { ...EMPTY, variables: [{ name: "text", pointer: "/issue/body", max_bytes: 10, required: true }] };
  const form = fields({ message: "{{text}} {{more}}", "default text": "x", kind: "none" });
  expect(definitionOf(form, former, NOW).variables).toEqual([
    { name: "text", pointer: "/issue/body", max_bytes: 10, default: "x", required: false }, { name: "more", required: true },
  ]);
});

it("makes empty fields null, and keeps a pause_after_failures of none", () => {
  const made = definitionOf(fields({ name: " Digest ", message: "Hi", kind: "none", keep: "", policy: "new", pause_after_failures: "", max_attempts: "1", backoff_s: "5" }), EMPTY, NOW);
  expect(made).toMatchObject({ name: "Digest", trigger: null, session: { policy: "new", keep: null }, pause_after_failures: null, retry: { max_attempts: 1, backoff_s: 5 }, model: null });
});

describe("other triggers of the form", () => {
  it("is a hook", () => {
    expect(triggerOf({ kind: "hook", verify: "github", dedupe_pointer: " /id " })).toEqual({ type: "hook", verify: "github", dedupe_pointer: "/id" });
    expect(triggerOf({ kind: "hook" })).toEqual({ type: "hook", verify: "token", dedupe_pointer: null });
  });

  it("is a list of events", () => {
    expect(triggerOf({ kind: "event", event_type: ["chat.run.*", "login.ended"], of_automation: "aut_1", of_session: "" }))
      .toEqual({ type: "event", event_types: ["chat.run.*", "login.ended"], automation_id: "aut_1", session_id: null });
  });

  it("is not complete without an event", () => {
    const form = fields({ kind: "event" });
    expect(isComplete(form, definitionOf(form, EMPTY, NOW))).toBe(false);
    expect(isComplete(fields({ kind: "none" }), EMPTY)).toBe(true);
  });

  it.each([
    [null, "none"], [{ type: "schedule", cron: "* * * * *" }, "cron"], [{ type: "schedule", at: "2027-01-05T08:00:00.000Z" }, "at"],
    [{ type: "hook", verify: "token", dedupe_pointer: null }, "hook"], [{ type: "event", event_types: [], automation_id: null, session_id: null }, "event"],
  ] as [Trigger | null, string][])("knows the kind of %j", (trigger, kind) => expect(kindOf(trigger)).toBe(kind));
});

describe("the place of a variable", () => {
  const placeOf = (given: string | null, former: string | null) => {
    const form = fields({ kind: "hook", message: "{{a}}", "default a": "", ...(given !== null && { "pointer a": given }) });
    return definitionOf(form, { ...EMPTY, variables: [{ name: "a", pointer: former }] }, NOW).variables[0]!.pointer;
  };

  it("is taken from its field", () => expect(placeOf(" /x/y ", null)).toBe("/x/y"));
  it("is given back by an empty field", () => expect(placeOf("", "/x")).toBeNull());
  it("stays without a field", () => expect(placeOf(null, "/x")).toBe("/x"));
  it("stays the whole payload", () => expect(placeOf("", "")).toBe(""));
});
