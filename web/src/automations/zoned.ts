// Times in a given time zone. The server knows the zones; the browser may not know all of them.

const parts = new Map<string, Intl.DateTimeFormat>(); // Creating a format is slow.

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = parts.get(zone) ?? new Intl.DateTimeFormat("en-GB", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
  });
  parts.set(zone, known);
  return known;
}

export function knowsZone(zone: string): boolean {
  try {
    return !!zone && !!formatOf(zone);
  } catch {
    return false;
  }
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

// The local time of an instant, as a field of type datetime-local has it: 2027-03-28T03:30.
export function localOf(instant: string | number, zone: string): string {
  const found = Object.fromEntries(formatOf(zone).formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  return `${found["year"]}-${found["month"]}-${found["day"]}T${found["hour"]}:${found["minute"]}`;
}

// The instant at which the clocks of a zone show a local time: the first one if there are two, and the time after the
// change of the clocks if there is none.
export function instantOf(local: string, zone: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)) return "";
  const wall = Date.parse(`${local}:00Z`);
  const offset = (instant: number) => Date.parse(`${localOf(instant, zone)}:00Z`) - Math.floor(instant / 60_000) * 60_000;
  const DAY = 86_400_000;
  const candidates = [offset(wall - DAY), offset(wall + DAY)].map((each) => wall - each);
  const exact = candidates.filter((instant) => localOf(instant, zone) === local);
  return new Date(exact.length ? Math.min(...exact) : candidates[0]!).toISOString();
}

// "Europe/Berlin" is Berlin, "America/Argentina/Buenos_Aires" is Buenos Aires.
export const placeOf = (zone: string): string => zone.split("/").at(-1)!.replaceAll("_", " ");
