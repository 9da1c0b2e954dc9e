#!/usr/bin/env python3
"""The cost of group commit: durable audit events by 64 clients of the store, inside one process, compared
with raw SQLite that commits batches of the same size, on the same disk, in turns.

bench/durable_operations.py measures the same over HTTP, where the load generator also uses the processors."""
import json
import pathlib
import platform
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIBRARIES = ROOT / "build/release/src"
COMPILER = "clang++-19"
ROUNDS, SECONDS = 7, 2
BAR = 0.6


def build(folder):
    """Both programs, in `folder`."""
    ours, raw = folder / "durable_store", folder / "durable_raw_sqlite"
    for command in (
            [COMPILER, "-std=c++20", "-O2", "-DNDEBUG", "-DBOOST_ASIO_SEPARATE_COMPILATION",
             "-DBOOST_ASIO_NO_DEPRECATED", "-DBOOST_ASIO_DISABLE_BOOST_ARRAY",
             "-DBOOST_ASIO_DISABLE_BOOST_BIND", "-DBOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=16",
             f"-I{ROOT / 'src'}",
             ROOT / "bench/durable_store.cpp", LIBRARIES / "libroom_store_sqlite.a",
             LIBRARIES / "libroom_store_sql.a", LIBRARIES / "libroom_base.a", "-lsqlite3", "-lsodium", "-lfmt", "-lboost_json",
             "-lboost_container", "-lpthread", "-o", ours],
            [COMPILER, "-std=c++20", "-O2", "-o", raw, ROOT / "bench/durable_raw_sqlite.cpp",
             "-lsqlite3"]):
        print(" ".join(map(str, command)).replace(str(ROOT) + "/", ""))
        subprocess.run(command, check=True)
    return ours, raw


def main():
    if not shutil.which(COMPILER) or not (LIBRARIES / "libroom_store_sqlite.a").is_file():
        sys.exit("clang++-19 and `make build` are needed first")
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as name:
        folder = pathlib.Path(name)
        ours, raw = build(folder)
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
