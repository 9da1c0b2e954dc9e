// The usual cron patterns as something that can be edited and described: every day, on some days of the week, each
// hour, every few minutes or hours, each month. All other patterns stay as they are written.

export type Pattern =
  | { kind: "minutes"; every: number }
  | { kind: "hours"; every: number; minute: number }
  | { kind: "days"; days: number[]; time: string } // 0 is Sunday; all seven: every day. `time` is HH:MM.
  | { kind: "month"; day: number | "L"; time: string };

const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 0]; // As people list them: Monday first.
export const WEEKDAYS = [1, 2, 3, 4, 5];

const two = (value: number) => String(value).padStart(2, "0");

function number(text: string, least: number, most: number): number | undefined {
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

const step = (text: string, most: number): number | undefined => (text.startsWith("*/") ? number(text.slice(2), 1, most) : undefined);

function dayOfWeek(text: string): number | undefined {
  const named = DAYS.indexOf(text.toUpperCase());
  return named >= 0 ? named : number(text, 0, 7);
}

// "MON-FRI", "1,3", "*"; undefined for everything else.
function daysOfWeek(text: string): number[] | undefined {
  if (text === "*") return [...EVERY_DAY];
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [first, last, more] = part.split("-").map(dayOfWeek);
    if (first === undefined || more !== undefined || (part.includes("-") && last === undefined)) return undefined;
    if ((last ?? first) < first) return undefined;
    for (let day = first; day <= (last ?? first); day++) found.add(day % 7);
  }
  return EVERY_DAY.filter((day) => found.has(day));
}

// A step that does not divide the hour or the day begins again there: "every 7 minutes" would be wrong.
const divides = (every: number, whole: number) => whole % every === 0;

function ofEachHour(minute: string, hour: string): Pattern | undefined {
  const minutes = minute === "*" ? 1 : step(minute, 59);
  if (minutes && hour === "*") return divides(minutes, 60) ? { kind: "minutes", every: minutes } : undefined;
  const at = number(minute, 0, 59);
  const hours = hour === "*" ? 1 : step(hour, 23);
  return at !== undefined && hours && divides(hours, 24) ? { kind: "hours", every: hours, minute: at } : undefined;
}

export function patternOf(cron: string): Pattern | undefined {
  const [minute, hour, day, month, weekday, more] = cron.trim().split(/\s+/);
  if (!minute || !hour || !day || !month || !weekday || more !== undefined || month !== "*") return undefined;
  if (day === "*" && weekday === "*") {
    const each = ofEachHour(minute, hour);
    if (each) return each;
  }
  const atMinute = number(minute, 0, 59);
  const atHour = number(hour, 0, 23);
  if (atMinute === undefined || atHour === undefined) return undefined;
  const time = `${two(atHour)}:${two(atMinute)}`;
  if (day === "*") {
    const days = daysOfWeek(weekday);
    return days?.length ? { kind: "days", days, time } : undefined;
  }
  const ofMonth = day.toUpperCase() === "L" ? "L" : number(day, 1, 31);
  return weekday === "*" && ofMonth !== undefined ? { kind: "month", day: ofMonth, time } : undefined;
}

function weekdaysText(days: number[]): string {
  if (EVERY_DAY.every((day) => days.includes(day))) return "*";
  if (days.length === 5 && WEEKDAYS.every((day) => days.includes(day))) return "MON-FRI";
  return EVERY_DAY.filter((day) => days.includes(day)).map((day) => DAYS[day]).join(",");
}

export function cronOf(pattern: Pattern): string {
  if (pattern.kind === "minutes") return `${pattern.every === 1 ? "*" : `*/${pattern.every}`} * * * *`;
  if (pattern.kind === "hours") return `${pattern.minute} ${pattern.every === 1 ? "*" : `*/${pattern.every}`} * * *`;
  const [hour, minute] = pattern.time.split(":").map(Number);
  if (pattern.kind === "month") return `${minute} ${hour} ${pattern.day} * *`;
  return `${minute} ${hour} * * ${weekdaysText(pattern.days)}`;
}
