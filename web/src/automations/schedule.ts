// A schedule in words, such as "Weekdays at 09:00 in Berlin".
import { scheduleOf, type Occurrence, type Trigger } from "../api/automations";
import { typesText } from "../events/types";
import { formatClock, formatDue, words } from "../text";
import { EVERY_DAY, patternOf, WEEKDAYS, type Pattern } from "./cron";
import { knowsZone, placeOf } from "./zoned";

const same = (days: number[], others: number[]) => days.length === others.length && others.every((day) => days.includes(day));

function wordsOf(pattern: Pattern): string {
  const t = words().automations.words;
  if (pattern.kind === "minutes") return t.minutes(pattern.every);
  if (pattern.kind === "hours") return t.hours(pattern.every, String(pattern.minute).padStart(2, "0"));
  const time = formatClock(pattern.time);
  if (pattern.kind === "month") return t.month(pattern.day, time);
  if (same(pattern.days, EVERY_DAY)) return t.daily(time);
  return same(pattern.days, WEEKDAYS) ? t.weekdays(time) : t.days(pattern.days, time);
}

const UTC = /^(Etc\/)?(UTC|Zulu|Universal|UCT)$/;

function inZone(text: string, zone: string): string {
  const t = words().automations.words;
  return UTC.test(zone) ? t.inUtc(text) : t.inPlace(text, placeOf(zone));
}

// A due time by the clocks of its zone; by those of the browser if it does not know the zone.
export const dueText = (time: string, zone: string | null | undefined): string => formatDue(time, zone && knowsZone(zone) ? zone : undefined);

// Patterns without words are shown as they are written.
export function scheduleText(trigger: Trigger | null): string {
  const t = words().automations;
  if (!trigger) return t.byHand;
  if (trigger.type === "hook") return t.byHook;
  if (trigger.type === "event") return t.byEvent(typesText(trigger.event_types));
  const zone = trigger.time_zone ?? "UTC";
  if (trigger.at) return inZone(t.once(dueText(trigger.at, zone)), zone);
  const pattern = patternOf(trigger.cron ?? "");
  if (pattern?.kind === "minutes") return wordsOf(pattern); // The same everywhere.
  const text = pattern ? wordsOf(pattern) : trigger.cron ?? "";
  const weeks = trigger.every_weeks ?? 1;
  return inZone(weeks > 1 ? t.words.everyWeeks(weeks, text) : text, zone);
}

export function withNext(trigger: Trigger | null, next: Occurrence | undefined): string {
  const text = scheduleText(trigger);
  const schedule = scheduleOf(trigger);
  return next && !schedule?.at ? words().automations.words.withNext(text, dueText(next.scheduled_for, schedule?.time_zone)) : text;
}
