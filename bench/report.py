#!/usr/bin/env python3
"""Writes the page about performance, from the results of `make bench`:

    bench/report.py [--out FILE] [RESULTS.json...]      build/bench/results.json unless named

Lines that the first file has no figures for are taken from the others, such as build/bench/results-B15.json."""
import argparse
import datetime
import json
import pathlib
import re

import results
from bars import BY_NAME
from contenders import ROOT

PAGE = ROOT / "docs" / "performance.md"
GROUPS = (("Requests", ("B0", "B1", "B10")), ("Streams and connections", ("B2", "B8", "B11")),
          ("Storage", ("B3", "B9", "B14")), ("The built-in model", ("B4", "B5", "B6", "B7", "B12", "B13")),
          ("A model on a GPU", ("B16",)), ("Building and testing", ("B15",)))
PEERS = {
    "nginx": "serves a file of the same size, or is the proxy in front of the same model server",
    "nginx tuned": "nginx with settings for small files",
    "Portkey": "a gateway for language models, in Node",
    "LiteLLM": "a gateway for language models, in Python; one worker, with the settings that its documentation recommends",
    "llama-server": "llama.cpp's own server; built from the source that Parley uses, with the same weights and threads",
    "llama-batched-bench": "llama.cpp's own benchmark: the same model without a server, so the most that can be reached",
    "raw SQLite": "a program that runs the same statements, prepared and in batches of the same sizes, without a server",
    "fixed window": "the usual counter of requests, which begins again with each window",
    "PostgreSQL": "the database of the servers that share one",
    "wrk": "the load generator",
}
INTRODUCTION = """\
# Performance

This page shows how fast Parley is beside programs that do similar work. It is written by `bench/report.py` from the
results of `make bench`.

## How it is measured

- Parley and its peers run on the same machine, in the same run, and take turns: a few seconds each, {rounds} rounds. Only
  the ratio counts. The absolute figures belong to this machine.
- A figure is the median of the rounds, with the lower and upper quartile in parentheses. A ratio is the median of the
  ratios of the rounds.
- "µs CPU" is processor time for each request, user and system together, as the kernel counts it. It says more than
  requests per second, because the load generator shares the machine.
- Servers are pinned to one core where requests are compared, and the load generator to another one.
- A line has a bar, which a release must meet, and a goal. The ratio is Parley's figure divided by the peer's if it must
  stay below the bar (≤), and the number of times that Parley is better if it must reach the bar (≥).
"""
REPEAT = """\
## Repeat it

```sh
make bench                          # Everything, about 40 minutes on two idle cores; the first time also fetches peers.
make bench ARGS="B4 B12"            # Lines by their number.
make bench ARGS="--rounds 9 B1"     # More rounds.
make bench ARGS=B15                 # From a fresh clone, about an hour; only if it is named.
```

The table at the end is the one of this page. The figures of all rounds, and the commands of all servers, are in
`build/bench`. Nothing else should run meanwhile. A peer that cannot be installed is named with the reason.
"""


def escaped(text):
    return re.sub(r"\s+", " ", text).replace("|", "\\|")


def merged(files):
    """The rows of the first file; those without figures from the next one that has them."""
    rows = {}
    for file in files:
        for row in file["rows"]:
            known = rows.get(row["row"])
            if known is None or known["verdict"] == results.ABSENT and row["verdict"] != results.ABSENT:
                rows[row["row"]] = row
    return [row for row in rows.values() if row["row"] in BY_NAME]


def machine_of(file):
    one, shares = file["machine"], file["shares"]
    day = datetime.datetime.fromisoformat(file["begun"]).strftime("%-d %B %Y")
    gpu = f", {', '.join(one['gpus'])}" if one["gpus"] else ""
    measured = [row["row"].partition("/")[0] for row in file["rows"] if row["verdict"] != results.ABSENT]
    return (f"- {day}: {one['processor']} ({one['architecture']}), {one['cores']} cores, {one['memory_gib']} GiB{gpu}, "
            f"{one['system']}, kernel {one['kernel']}; sources {file['sources']}. The hypervisor gave {shares['steal']}% of "
            f"the time to others. Measured: {', '.join(dict.fromkeys(measured)) or 'nothing'}.")


def versions(files):
    found = {}
    for file in files:
        for each in file["used"]:
            found.setdefault(each["used"], each["version"])
    lines = ["| | version | what it does here |", "|---|---|---|"]
    lines += [f"| {name} | {escaped(found[name] or '–')} | {what} |" for name, what in PEERS.items() if name in found]
    return lines


def table(rows, numbers):
    lines = ["| | measured | Parley | beside it | ratio | bar | goal | result |", "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        if row["row"].partition("/")[0] in numbers:
            ours, peers, ratio, bar, goal, _ = results.cells(row)
            lines.append("| " + " | ".join(map(escaped, [
                row["row"].partition("/")[0], BY_NAME[row["row"]].title, ours, peers, ratio, bar, goal,
                row["verdict"]])) + " |")
    return lines


def missed(rows):
    """What is missed and why, and what has no figure. Goals above a bar that is met are listed if there is an explanation."""
    lines, absent = [], {}
    for row in rows:
        one = BY_NAME[row["row"]]
        found = f"{results.spread(row['parley'])} {row['unit']}".rstrip() if row["judged"] == "value" else results.spread(
            row["ratio"], "×")
        if row["verdict"] in (results.MISSED, results.SHORT) or row["verdict"] == results.PASS and one.why:
            which = "the bar" if row["verdict"] == results.MISSED else "the goal"
            lines.append(f"- {one.number}, {row['what']}: {which} is missed with {found}. {one.why}".rstrip())
        elif row["verdict"] == results.ABSENT:
            absent.setdefault((one.number, escaped(row["reason"])), []).append(row["what"])
    lines += [f"- {number} is not measured ({'; '.join(whats)}): {reason}." for (number, reason), whats in absent.items()]
    return lines or ["Nothing: all goals are met."]


def page(files):
    rows = merged(files)
    parts = [INTRODUCTION.format(rounds=files[0]["rounds"])]
    parts += ["## The machine\n", *map(machine_of, files), "\n## The peers\n", *versions(files), "\n## The figures\n",
              "The number of a line runs it alone: `make bench ARGS=B4`. The result is *goal* (bar and goal are met), *pass* (the\n"
              "bar is met), *missed* (the bar is missed), *goal missed* (there is no bar), or *not measured*."]
    for title, numbers in GROUPS:
        parts += [f"\n### {title}\n", *table(rows, numbers)]
    parts += ["\n## What is missed, and why\n", *missed(rows), "", REPEAT.rstrip()]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=PAGE)
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="RESULTS.json",
                        default=[ROOT / "build/bench/results.json"])
    options = parser.parse_args()
    options.out.write_text(page([json.loads(file.read_text("utf-8")) for file in options.files]), "utf-8")
    print(f"written: {options.out}")


if __name__ == "__main__":
    main()
