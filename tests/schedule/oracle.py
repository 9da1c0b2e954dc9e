#!/usr/bin/env python3
"""Holds the occurrences of schedules against Python's zoneinfo: tests/schedule/oracle.py PROGRAM [SEED]

PROGRAM is schedule_times, built from the file beside this one. The oracle is slow and simple on
purpose: it walks over all minutes of local wall time and asks each of them whether it matches.
"""
import calendar
import collections
import datetime
import functools
import itertools
import random
import subprocess
import sys
import zoneinfo

UTC = datetime.timezone.utc
DAY = datetime.timedelta(days=1)
MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
WEEKDAYS = "SUN MON TUE WED THU FRI SAT".split()
HORIZON_DAYS = 9 * 366
MOVED, FIRST = "moved_by_clock_change", "first_of_two"

Case = collections.namedtuple("Case", "zone cron every_weeks starts_at ends_at after most")
Wall = collections.namedtuple("Wall", "local kind first second")


# ── What a pattern means ────────────────────────────────────────────────────────────────────────

def number(text, names, first):
    return names.index(text.upper()) + first if text.upper() in names else int(text)


def plain_values(item, low, high, names=()):
    body, _, step = item.partition("/")
    if body == "*":
        ends = low, high
    else:
        begin, _, end = body.partition("-")
        ends = number(begin, names, low), number(end or begin, names, low)
    return range(ends[0], ends[1] + 1, int(step or 1))


class Pattern:
    def __init__(self, text):
        minute, hour, self.day, month, self.weekday = text.split()
        self.minutes = {v for item in minute.split(",") for v in plain_values(item, 0, 59)}
        self.hours = {v for item in hour.split(",") for v in plain_values(item, 0, 23)}
        self.months = {v for item in month.split(",") for v in plain_values(item, 1, 12, MONTHS)}
        self.every_hour = len(self.hours) == 24

    def on_date(self, date):
        last = calendar.monthrange(date.year, date.month)[1]
        return any(date.day == last if item.upper() == "L" else date.day in plain_values(item, 1, 31)
                   for item in self.day.split(","))

    def on_weekday(self, date):
        weekday = date.isoweekday() % 7
        return any(self.item_on_weekday(item, date, weekday) for item in self.weekday.split(","))

    @staticmethod
    def item_on_weekday(item, date, weekday):
        name, _, nth = item.partition("#")
        if not nth:
            high = 6 if item.startswith("*") else 7
            return weekday in {value % 7 for value in plain_values(item, 0, high, WEEKDAYS)}
        of_month = [day for day in range(1, calendar.monthrange(date.year, date.month)[1] + 1)
                    if datetime.date(date.year, date.month, day).isoweekday() % 7 == weekday]
        wanted = of_month[-1:] if nth.upper() == "L" else of_month[int(nth) - 1:int(nth)]
        return number(name, WEEKDAYS, 0) % 7 == weekday and date.day in wanted

    def has_date(self, date):
        if date.month not in self.months:
            return False
        if self.day != "*" and self.weekday != "*":
            return self.on_date(date) or self.on_weekday(date)
        return self.on_date(date) and self.on_weekday(date)


# ── What a wall clock shows ─────────────────────────────────────────────────────────────────────

def seconds(moment):
    return int(moment.timestamp())


@functools.lru_cache(maxsize=300_000)
def wall(zone, local):
    """The instants at which the clocks of the zone show that local time."""
    first = local.replace(tzinfo=zone, fold=0)
    second = local.replace(tzinfo=zone, fold=1)
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None, fold=0) != local:
        kind = "skipped"
    else:
        kind = "once" if first.utcoffset() == second.utcoffset() else "twice"
    return Wall(local, kind, seconds(first.astimezone(UTC)), seconds(second.astimezone(UTC)))


def minutes_of(zone_name, date, pattern):
    """The minutes of the day that match the pattern."""
    zone = zoneinfo.ZoneInfo(zone_name)
    for hour, minute in itertools.product(range(24), range(60)):
        if hour in pattern.hours and minute in pattern.minutes:
            yield wall(zone, datetime.datetime(date.year, date.month, date.day, hour, minute))


@functools.lru_cache(maxsize=10_000)
def local_date(zone_name, moment):
    zone = zoneinfo.ZoneInfo(zone_name)
    return datetime.datetime.fromtimestamp(moment, UTC).astimezone(zone).date()


# ── The oracle ──────────────────────────────────────────────────────────────────────────────────

def in_week(case, date):
    if case.every_weeks == 1:
        return True
    start = local_date(case.zone, case.starts_at)
    monday = start - DAY * start.weekday()
    return date >= monday and (date - monday).days // 7 % case.every_weeks == 0


def fires(pattern, minute):
    """The (instant, note) pairs of one matching minute of wall time."""
    if pattern.every_hour:
        return {"once": [(minute.first, "")], "skipped": [],
                "twice": [(minute.first, ""), (minute.second, "")]}[minute.kind]
    return [(minute.first, {"once": "", "skipped": MOVED, "twice": FIRST}[minute.kind])]


def oracle(case):
    pattern = Pattern(case.cron)
    begin = case.after if case.starts_at is None else max(case.after, case.starts_at - 1)
    date = local_date(case.zone, begin) - 2 * DAY
    found = {}
    last = begin
    while date.year < 2262 and (date - local_date(case.zone, last)).days < HORIZON_DAYS:
        if pattern.has_date(date) and in_week(case, date):
            for minute in minutes_of(case.zone, date, pattern):
                for instant, note in fires(pattern, minute):
                    if instant > begin and (instant not in found or found[instant] == MOVED):
                        found[instant] = note
            last = max(found, default=begin)
        # Two days more than needed: a later local time may be earlier when clocks change.
        if case.ends_at is not None and local_date(case.zone, case.ends_at) + 2 * DAY < date:
            break
        if len(found) >= case.most and (date - local_date(case.zone, sorted(found)[case.most - 1])).days > 2:
            break
        date += DAY
    return ",".join(f"{instant} {found[instant]}".strip() for instant in sorted(found)
                    if case.ends_at is None or instant <= case.ends_at) if case.most else ""


def expected(case):
    return ",".join(oracle(case).split(",")[:case.most])


# ── Cases ───────────────────────────────────────────────────────────────────────────────────────

CHANGES = {  # Zones, and the years whose clock changes are tested.
    "Europe/Berlin": (2027, 2038, 2100), "America/New_York": (2027, 2045), "Australia/Lord_Howe": (2027, 2039),
    "Antarctica/Troll": (2027, 2040), "Africa/Cairo": (2027, 2041), "Pacific/Chatham": (2027, 2150),
    "America/St_Johns": (2006, 2027), "Pacific/Apia": (2010, 2011, 2012), "America/Havana": (2027, 2050),
    "America/Asuncion": (2023, 2024), "Asia/Beirut": (2027,), "Africa/Casablanca": (2027, 2030),
    "Europe/Dublin": (2027, 2060), "America/Scoresbysund": (2023, 2024, 2027), "America/Nuuk": (2023, 2027),
    "Asia/Gaza": (2027, 2030), "Asia/Tehran": (2021, 2022), "Pacific/Kwajalein": (1993,), "Africa/Monrovia": (1972,),
    "America/Sao_Paulo": (2018,), "Asia/Pyongyang": (2015, 2018), "Antarctica/Casey": (2020, 2023),
    "EST5EDT": (2027,), "Europe/Lisbon": (1992, 1996),
}
CALM = ["UTC", "Asia/Kathmandu", "Asia/Kolkata", "Etc/GMT+5", "Pacific/Kiritimati", "Australia/Eucla"]


def changes_of(zone_name, year):
    """The instants at which the offset changes, found by checking each quarter of an hour."""
    zone = zoneinfo.ZoneInfo(zone_name)
    begin = seconds(datetime.datetime(year, 1, 1, tzinfo=UTC))
    offset = None
    for moment in range(begin, begin + 366 * 86400, 900):
        now = datetime.datetime.fromtimestamp(moment, zone).utcoffset()
        if offset is not None and now != offset:
            yield moment
        offset = now


def some(rng, low, high, most):
    return ",".join(str(rng.randint(low, high)) for _ in range(rng.randint(1, most)))


def span(rng, low, high):
    begin, end = sorted((rng.randint(low, high), rng.randint(low, high)))
    return f"{begin}-{end}" + (f"/{rng.randint(1, 9)}" if rng.random() < 0.5 else "")


def minute_field(rng):
    return rng.choice(["0", "30", "*", "*/20", "*/7", "59", "0-59/31", some(rng, 0, 59, 4), span(rng, 0, 59)])


def hour_field(rng):
    return rng.choice(["*", "0-23", "*/1", "2", "0", "23", "1-3", "*/2", "2,3", "0,23", "0-22", some(rng, 0, 23, 3),
                       some(rng, 0, 4, 2), span(rng, 0, 23)])


def day_field(rng):
    return rng.choice(["*"] * 6 + ["L", "1", "29-31", "1,L", "*/2", "13", some(rng, 1, 31, 3), span(rng, 1, 31)])


def month_field(rng):
    return rng.choice(["*"] * 6 + ["mar-APR", "10,11", "2", "*/3", "DEC,JAN", "2,3,4,9,10,11"])


def weekday_field(rng):
    name = rng.choice(WEEKDAYS + ["7", "0", "3", "fri"])
    return rng.choice(["*"] * 6 + ["MON-FRI", "5-7", "0-7/2", "*/2", name, f"{name}#{rng.randint(1, 5)}", f"{name}#L",
                                   f"{name}#1,TUE#L,4"])


def pattern_near(rng):
    """Fires within days, if its months match."""
    return " ".join((minute_field(rng), hour_field(rng), day_field(rng), month_field(rng), weekday_field(rng)))


def pattern_far(rng):
    """At most a few times on a day, so that many years are tested."""
    return " ".join((some(rng, 0, 59, 1), some(rng, 0, 23, 2), day_field(rng), month_field(rng), weekday_field(rng)))


def weeks(rng, after):
    """every_weeks and starts_at."""
    if rng.random() < 0.6:
        return 1, None
    return rng.choice((1, 2, 2, 3, 4, 52)), after + rng.randint(-40 * 86400, 10 * 86400) // 60 * 60


def cases_of_changes(rng, each):
    for zone, years in CHANGES.items():
        for year in years:
            for change in changes_of(zone, year):
                for _ in range(each):
                    after = change - rng.randint(0, 50 * 3600)
                    every_weeks, starts_at = weeks(rng, after)
                    ends_at = max(change + rng.randint(0, 40 * 3600), starts_at or 0)
                    yield Case(zone, pattern_near(rng), every_weeks, starts_at, ends_at, after,
                               rng.choice((1, 3, 100, 5000)))


def cases_of_years(rng, count):
    zones = [*CHANGES, *CALM]
    for _ in range(count):
        after = seconds(datetime.datetime(rng.choice((2026, 2031, 2037, 2040, 2096, 2099)), rng.randint(1, 12),
                                          rng.randint(1, 28), rng.randint(0, 23), tzinfo=UTC))
        every_weeks, starts_at = weeks(rng, after)
        pattern = pattern_far(rng)
        if rng.random() < 0.05:
            pattern = rng.choice(("0 0 29 2 *", "0 0 30 2 *", "15 4 L 2 *", "0 12 * 2 MON#5", "0 9 31 4,6,9,11 *"))
        yield Case(rng.choice(zones), pattern, every_weeks, starts_at, None, after, rng.randint(1, 12))


def ask(program, cases):
    lines = ["\t".join("-" if part is None else str(part) for part in case) for case in cases]
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True,
                          timeout=250)
    return done.stdout.splitlines()


def main():
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 20270328)
    cases = [*cases_of_changes(rng, 110), *cases_of_years(rng, 1500)]
    answers = ask(sys.argv[1], cases)
    assert len(answers) == len(cases) >= 10_000, (len(answers), len(cases))
    differing = noted = fired = 0
    for case, answer in zip(cases, answers):
        right = expected(case)
        noted += MOVED in right or FIRST in right
        fired += bool(right)
        if answer != right:
            differing += 1
            if differing <= 5:
                print(f"{case}\n  program: {answer[:300]}\n  oracle:  {right[:300]}")
    print(f"{len(cases)} cases, {fired} with occurrences, {noted} with notes, {differing} differences")
    # An oracle that never fires would agree with anything.
    return differing > 0 or fired < len(cases) // 3 or noted < len(cases) // 50


if __name__ == "__main__":
    sys.exit(main())
