"""The figures of the measurements: recorded by each program, judged by the bars (bars.py), printed, and collected by
bench/run, which names a file for them in BENCH_RECORDS. (A variable PARLEY_… would be a setting of the server.)"""
import json
import os
import pathlib
import statistics

from bars import BY_NAME

PARLEY = "parley"
GOAL, PASS, SHORT, MISSED, NO_BAR, ABSENT = "goal", "pass", "goal missed", "missed", "no bar", "not measured"
STATUS_MISSED = 3  # Of a program that has measured everything, and misses a bar.
_records = []


def _keep(record):
    _records.append(record)
    if file := os.environ.get("BENCH_RECORDS"):
        with open(file, "a", encoding="utf-8") as out:
            out.write(json.dumps(record) + "\n")


def record(row, contender, value, turn=0):
    """A figure of a contender in one round; figures of the same round are compared with each other."""
    assert row in BY_NAME, row
    _keep({"row": row, "contender": contender, "value": value, "round": turn})


def absent(row, contender, reason):
    """A contender that cannot be measured. Parley's reason is the one of the row."""
    assert row in BY_NAME, row
    _keep({"row": row, "contender": contender, "absent": str(reason)})


def used(contender, version=None, command=None):
    """What was measured, or measured with."""
    print(f"{contender} {version or ''}".rstrip() + (f"\n  $ {command}" if command else ""), flush=True)
    _keep({"used": contender, "version": version, "command": command and str(command)})


def read(file):
    path = pathlib.Path(file)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []


def quartiles(values):
    """The lower one, the median, the upper one."""
    if len(values) == 1:
        return [values[0]] * 3
    return statistics.quantiles(values, n=4, method="inclusive")


def _summary(values):
    low, median, high = quartiles(list(values.values()))
    return {"median": median, "low": low, "high": high, "rounds": values}


def _ratios(row, ours, theirs):
    """By round. Rounds that one of them lacks do not count."""
    def ratio(one, other):
        if row.judged == "gain" and not row.more_is_better:
            one, other = other, one
        return one / other if other else float("inf")
    return {turn: ratio(value, theirs[turn]) for turn, value in ours.items() if turn in theirs}


def judge(row, records):
    """A row of the table, as an object of JSON."""
    source = row.records_of or row.name
    figures, reasons = {}, {}
    for each in records:
        if each.get("row") != source:
            continue
        if "absent" in each:
            reasons[each["contender"]] = each["absent"]
        else:
            figures.setdefault(each["contender"], {})[each["round"]] = each["value"]
    judged = {"row": row.name, "what": row.what, "unit": row.unit, "judged": row.judged, "bar": row.bar, "goal": row.goal,
              "why": row.why, "verdict": ABSENT, "reason": reasons.get(PARLEY, ""), "parley": None, "ratio": None,
              "peer": None, "peers": {name: _summary(values) for name, values in figures.items()
                                      if name in row.peers + row.beside},
              "absent": {name: reason for name, reason in reasons.items() if name in row.peers + row.beside}}
    if PARLEY not in figures:
        return judged
    judged["parley"] = _summary(figures[PARLEY])
    best = max if row.more_is_better else min
    there = [name for name in row.peers if name in figures]
    if there:
        judged["peer"] = best(there, key=lambda name: judged["peers"][name]["median"])
        ratios = _ratios(row, figures[PARLEY], figures[judged["peer"]])
        judged["ratio"] = _summary(ratios) if ratios else None
    return _with_verdict(row, judged)


def _with_verdict(row, judged):
    def meets(kind, limit):
        found = judged["parley"] if kind == "value" else judged["ratio"]
        if limit is None or found is None:
            return None
        return found["median"] <= limit if row.is_at_most(kind) else found["median"] >= limit
    bar, goal = meets(row.judged, row.bar), meets(row.goal_judged or row.judged, row.goal)
    if row.bar is None and row.goal is None:
        judged["verdict"] = NO_BAR
    elif bar is None and goal is None:
        judged["reason"] = "; ".join(f"{name}: {judged['absent'].get(name, 'no figure')}" for name in row.peers)
    elif bar is False:
        judged["verdict"] = MISSED
    elif goal:
        judged["verdict"] = GOAL
    else:
        judged["verdict"] = PASS if bar else SHORT
    return judged


def number(value):
    """Three digits that matter."""
    if float(value).is_integer() or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.{1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3}f}"


def spread(summary, times=""):
    if summary is None:
        return "–"
    middle, low, high = (number(summary[name]) for name in ("median", "low", "high"))
    return f"{middle}{times}" if low == high else f"{middle}{times} ({low} to {high})"


def limit(row, kind, value):
    if value is None:
        return "–"
    if kind == "value" and value == 0:
        return "none"
    return f"{'≤' if row.is_at_most(kind) else '≥'} {value:,g}{f' {row.unit}' if kind == 'value' else '×'}"


def cells(judged):
    """The texts of a row: Parley, peers, ratio, bar, goal, verdict."""
    row = BY_NAME[judged["row"]]
    peers = [f"{name} {spread(each)}" for name, each in judged["peers"].items()]
    peers += [f"{name}: {reason}" for name, reason in judged["absent"].items()]
    ratio = "–"
    if row.judged != "value" or row.goal_judged:
        ratio = spread(judged["ratio"], "×")
    verdict = judged["verdict"] + (f": {judged['reason']}" if judged["verdict"] == ABSENT else "")
    return [spread(judged["parley"]), ", ".join(peers) or "–", ratio, limit(row, row.judged, row.bar),
            limit(row, row.goal_judged or row.judged, row.goal), verdict]


def show(judged):
    ours, peers, ratio, bar, goal, verdict = cells(judged)
    print(f"{judged['row']}: {BY_NAME[judged['row']].title}\n  parley {ours}; {peers}\n"
          f"  ratio {ratio}; bar {bar}, goal {goal}: {verdict}", flush=True)


def verdict(*names):
    """Prints the rows of a program, and gives its exit status."""
    print()
    rows = [judge(BY_NAME[name], _records) for name in names]
    for row in rows:
        show(row)
    return STATUS_MISSED if any(row["verdict"] in (MISSED, ABSENT) for row in rows) else 0
