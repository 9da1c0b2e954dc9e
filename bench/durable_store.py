#!/usr/bin/env python3
"""The cost of group commit: durable audit events by 64 clients of the store, inside one process, compared
with raw SQLite that commits batches of the same size, on the same disk, in turns.

bench/durable_operations.py measures the same over HTTP, where the load generator also uses the processors."""
import json
import pathlib
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROUNDS, SECONDS = 7, 2
BAR = 0.6


def build():
    """Both programs."""
    names = "bench_durable_store", "bench_durable_raw_sqlite"
    subprocess.run([ROOT / "tools/build", "release", *names], check=True, stdout=subprocess.DEVNULL)
    return [ROOT / "build/release" / name for name in names]


def main():
    ours, raw = build()
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as name:
        folder = pathlib.Path(name)
        print(f"{platform.machine()}, SQLite {sqlite3.sqlite_version}, {ROUNDS} rounds of {SECONDS} s")
        ratios = []
        for _ in range(ROUNDS):
            (folder / "data").mkdir(exist_ok=True)
            told = subprocess.run([ours, folder / "data", str(SECONDS)], check=True, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            rate, batch = map(float, told.split())
            peer = json.loads(subprocess.run(
                [raw, folder / "raw.db", str(SECONDS), "a note of usual length"], check=True,
                text=True, input=f"{round(batch)}\n", stdout=subprocess.PIPE).stdout)
            peer_rate = peer["rows"] / peer["seconds"]
            ratios.append(rate / peer_rate)
            print(f"  store {rate:9,.0f}/s   raw SQLite {peer_rate:9,.0f}/s   "
                  f"batches of {batch:.0f}   {ratios[-1]:.2f}")
    ratio = statistics.median(ratios)
    print(f"{'passed' if ratio >= BAR else 'FAILED'}: {ratio:.2f} of raw SQLite, bar {BAR}")
    sys.exit(ratio < BAR)


if __name__ == "__main__":
    main()
