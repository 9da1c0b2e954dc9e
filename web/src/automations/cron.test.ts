import { describe, expect, it } from "vitest";
import { cronOf, patternOf } from "./cron";

describe("patternOf", () => {
  it.each([
    ["0 9 * * *", { kind: "days", days: [1, 2, 3, 4, 5, 6, 0], time: "09:00" }],
    ["0 9 * * MON-FRI", { kind: "days", days: [1, 2, 3, 4, 5], time: "09:00" }],
    ["5 18 * * 1,thu,7", { kind: "days", days: [1, 4, 0], time: "18:05" }],
    ["5 18 * * 5-7", { kind: "days", days: [5, 6, 0], time: "18:05" }],
    ["* * * * *", { kind: "minutes", every: 1 }],
    ["*/15 * * * *", { kind: "minutes", every: 15 }],
    ["30 * * * *", { kind: "hours", every: 1, minute: 30 }],
    ["0 */6 * * *", { kind: "hours", every: 6, minute: 0 }],
    ["0 8 1 * *", { kind: "month", day: 1, time: "08:00" }],
    ["0 8 l * *", { kind: "month", day: "L", time: "08:00" }],
  ])("understands %s", (cron, pattern) => expect(patternOf(cron)).toEqual(pattern));

  it.each([
    "", "0 9 * *", "0 9 * * * *", "0 9 * 6 *", "*/7 * * * *", "0 */5 * * *", "0 9 1 * MON", "0 9 * * FRI#2", "0 9,17 * * *",
    "0 24 * * *", "60 9 * * *", "0 9 32 * *", "0 9 * * FRI-MON", "0 9 * * 8", "*/0 * * * *", "0 9 * * MON-", "0 9 * * 1-2-3", "x 9 * * *",
  ])("leaves %j as it is written", (cron) => expect(patternOf(cron)).toBeUndefined());

  it.each(["0 9 * * *", "0 9 * * MON-FRI", "5 18 * * MON,THU,SUN", "* * * * *", "*/15 * * * *", "30 * * * *", "0 */6 * * *", "0 8 1 * *", "0 8 L * *"])(
    "writes %s again", (cron) => expect(cronOf(patternOf(cron)!)).toBe(cron));
});
