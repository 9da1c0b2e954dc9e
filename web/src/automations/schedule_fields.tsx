// The fields of a schedule: the usual ones by choice, all others as a cron expression.
import type { Schedule } from "../api/automations";
import type { Problem } from "../api/problem";
import { nameOfDay, words } from "../text";
import { Field, Select } from "../ui/form";
import { EVERY_DAY, type Pattern } from "./cron";
import { repeatOf, zoneOf, type Repeat } from "./definition";
import { knowsZone, localOf } from "./zoned";

const HOURS = [1, 2, 3, 4, 6, 8, 12];
const MINUTES = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30];
const MONTH_DAYS = Array.from({ length: 31 }, (_, at) => at + 1);

const numbers = (all: number[]): [string, string][] => all.map((each) => [String(each), String(each)]);

function Weekdays({ chosen }: { chosen: number[] }) {
  return (
    <fieldset class="day-choice">
      <legend>{words().automations.days}</legend>
      <div class="day-boxes">{EVERY_DAY.map((day) => (
        <label key={day} class="day-box"><input type="checkbox" name="day" value={day} defaultChecked={chosen.includes(day)} aria-label={nameOfDay(day, "long")} /><span aria-hidden="true">{nameOfDay(day, "short")}</span></label>
      ))}</div>
    </fieldset>
  );
}

interface RepeatProps {
  repeat: Repeat;
  pattern: Pattern | undefined; // The stored one, if it repeats in this way.
  time: string;
  trigger: Schedule | null;
  problem: Problem | undefined;
}

function RepeatFields({ repeat, pattern, time, trigger, problem }: RepeatProps) {
  const t = words().automations;
  const atTime = <Field label={t.time} name="time" type="time" required defaultValue={time} />;
  switch (repeat) {
    case "weekly": return <>
      <Weekdays chosen={pattern?.kind === "days" ? pattern.days : [1]} />
      <div class="side-by-side">{atTime}<Field label={t.everyWeeks} name="weeks" type="number" inputMode="numeric" min={1} max={52} step={1} defaultValue={trigger?.every_weeks ?? 1} error={problem?.faultOf("trigger/every_weeks")} /></div>
    </>;
    case "hours": return <div class="side-by-side">
      <Select label={t.everyHours} name="hours" options={numbers(HOURS)} value={String(pattern?.kind === "hours" ? pattern.every : 1)} />
      <Field label={t.minuteOfHour} name="minute" type="number" inputMode="numeric" min={0} max={59} step={1} required defaultValue={pattern?.kind === "hours" ? pattern.minute : 0} />
    </div>;
    case "minutes": return <Select label={t.everyMinutes} name="minutes" options={numbers(MINUTES)} value={String(pattern?.kind === "minutes" ? pattern.every : 15)} />;
    case "month": return <div class="side-by-side">
      <Select label={t.dayOfMonth} name="month_day" options={[...numbers(MONTH_DAYS), ["L", t.lastDay]]} value={String(pattern?.kind === "month" ? pattern.day : 1)} />{atTime}
    </div>;
    case "cron": return <Field label={t.cron} name="cron" required maxLength={256} hint={t.cronHint} spellcheck={false} autocapitalize="off" autocomplete="off" defaultValue={trigger?.cron ?? ""} error={problem?.faultOf("trigger/cron")} />;
    default: return atTime;
  }
}

function Zone({ trigger, problem }: { trigger: Schedule | null; problem: Problem | undefined }) {
  const t = words().automations;
  return (
    <>
      <Field label={t.zone} name="zone" required maxLength={64} hint={t.zoneHint} list="time-zones" spellcheck={false} autocomplete="off" defaultValue={zoneOf(trigger)} error={problem?.faultOf("trigger/time_zone")} />
      <datalist id="time-zones">{["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => <option key={zone} value={zone} />)}</datalist>
    </>
  );
}

function AtField({ trigger, problem }: { trigger: Schedule | null; problem: Problem | undefined }) {
  const zone = zoneOf(trigger);
  const at = trigger?.at && knowsZone(zone) ? localOf(trigger.at, zone) : undefined;
  return <Field label={words().automations.at} name="at" type="datetime-local" required defaultValue={at} error={problem?.faultOf("trigger/at") ?? problem?.faultOf("trigger")} />;
}

// `fields` are the current values of the form: they decide which fields there are.
export function ScheduleFields({ kind, trigger, fields, problem }: { kind: "cron" | "at"; trigger: Schedule | null; fields: FormData | null; problem: Problem | undefined }) {
  const initial = repeatOf(trigger);
  const repeat = (fields?.get("repeat") ?? initial.repeat) as Repeat;
  const stored = initial.pattern && "time" in initial.pattern ? initial.pattern.time : "09:00";
  const time = String(fields?.get("time") ?? stored); // It stays when another repetition is chosen.
  return (
    <div class="side-by-side">
      {kind === "cron" ? <RepeatFields key={repeat} repeat={repeat} pattern={repeat === initial.repeat ? initial.pattern : undefined} time={time} trigger={trigger} problem={problem} /> : <AtField trigger={trigger} problem={problem} />}
      <Zone trigger={trigger} problem={problem} />
    </div>
  );
}

export const RepeatSelect = ({ trigger }: { trigger: Schedule | null }) =>
  <Select label={words().automations.repeat} name="repeat" value={repeatOf(trigger).repeat} options={Object.entries(words().automations.repeats)} />;
