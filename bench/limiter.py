#!/usr/bin/env python3
"""The CPU time of a decision of the rate limiter, and whether it ever admits too many, beside a counter with fixed windows
(limits.cpp, which times other cases as well):

    bench/limiter.py [--rounds 5]"""
import argparse
import json
import subprocess
import sys

import results
from contenders import ROOT

PROGRAM = "bench_limits"
PEER = "fixed window"
TIMES = {"one_user_admitted": ("B10/one", results.PARLEY), "fixed_window_one_user": ("B10/one", PEER),
         "thousand_users_admitted": ("B10/thousand", results.PARLEY),
         "fixed_window_thousand_users": ("B10/thousand", PEER)}
COUNTS = {"over_the_limit": results.PARLEY, "over_the_limit_fixed_window": PEER}


def measure():
    """The results of each benchmark, by its name."""
    names = "|".join([*TIMES, *COUNTS])
    said = subprocess.run([ROOT / "build/release" / PROGRAM, "--benchmark_format=json", f"--benchmark_filter=^({names})(/.*)?$"],
                          check=True, text=True, stdout=subprocess.PIPE).stdout
    return {each["name"].partition("/")[0]: each for each in json.loads(said)["benchmarks"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if subprocess.run([ROOT / "tools/build", "release", PROGRAM], check=False, stdout=subprocess.DEVNULL).returncode:
        sys.exit(f"{PROGRAM} cannot be built (tools/setup build bench)")
    for number in range(options.rounds):
        found = measure()
        for name, (row, contender) in TIMES.items():
            results.record(row, contender, found[name]["cpu_time"], number)
            print(f"  {number + 1}. {name:30} {found[name]['cpu_time']:8.1f} {found[name]['time_unit']}", flush=True)
        for name, contender in COUNTS.items():
            results.record("B10/over", contender, found[name]["over"], number)
            print(f"  {number + 1}. {name:30} {found[name]['over']:8.0f} of {found[name]['admitted']:,.0f} admitted", flush=True)
    sys.exit(results.verdict("B10/one", "B10/thousand", "B10/over"))


if __name__ == "__main__":
    main()
