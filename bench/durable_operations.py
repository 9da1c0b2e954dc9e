#!/usr/bin/env python3
"""Durable writes over HTTP: many clients write notes into the audit log, and each note is synced before its
response; compared with a bare SQLite program that only inserts the same rows in batches of the same sizes:

    bench/durable_operations.py [--rounds 11] [--seconds 2] [--clients 64] [--log-level warn]

They take turns on the same disk, so that other load affects both. The batch sizes are those of the server in
the previous round (parley_store_commit_size in its metrics). The server shares the machine with the load
generator (wrk); the bare program has it alone. The figures are valid only on an otherwise idle machine."""
import argparse
import contextlib
import json
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import results
from contenders import BINARY, Contender, ROOT, free_port, missing_tools, version_of

ROW = "B9/notes"
PEER = "raw SQLite"
NOTE = "Upgraded to 1.4.2 after the backup; all clients were told the day before. " * 2
SCRIPT = """\
wrk.method = "POST"
wrk.body = '{{"note":"{note}"}}'
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer {token}"
"""


class Parley(Contender):
    """A server in the usual configuration, except for the log level and the model, which nobody asks here."""
    name = "parley"
    ready_path = "/readyz"

    def __init__(self, folder, log_level):
        self.port = free_port()
        self.metrics = f"http://127.0.0.1:{free_port()}/metrics"
        self.data = folder / "data"
        super().__init__([BINARY, "serve", "--data", self.data, "--listen",
                          f"127.0.0.1:{self.port}", f"--set=log.level={log_level}", "--set=model.default=scripted",
                          "--set=metrics.listen=" + self.metrics.split("/")[2]],
                         "/healthz", folder / "parley.log", None)
        self.script = folder / "note.lua"

    def _wait_until_it_answers(self):
        """Also waits for the file by which commands on this machine find it, which is written a moment later.
        """
        super()._wait_until_it_answers()
        deadline = time.monotonic() + 10
        while not (self.data / "server-address").exists():
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.data} has no server-address")

    def write_script(self):
        """The request of each client of wrk."""
        token = (self.data / "cli-token").read_text("utf-8").strip()
        self.script.write_text(SCRIPT.format(note=NOTE, token=token), encoding="utf-8")

    def processor_times(self):
        """For each thread: microseconds that it ran, and that it waited for a processor."""
        times = {}
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # It has just ended.
                ran, waited = (task / "schedstat").read_text("utf-8").split()[:2]
                times[task.name] = int(ran) / 1e3, int(waited) / 1e3
        return times


def commit_sizes(metrics):
    """The number of commits by the upper end of their bucket, and the number of changes."""
    with urllib.request.urlopen(metrics, timeout=5) as response:
        text = response.read().decode()
    found = re.findall(r'^parley_store_commit_size_bucket\{le="(\d+)"\} (\d+)', text, re.M)
    upto = {int(size): int(count) for size, count in found}
    below = [0, *upto.values()]
    total = float(re.search(r"^parley_store_commit_size_sum (\S+)", text, re.M)[1])
    return {size: count - less for (size, count), less in zip(upto.items(), below)}, total


class Batches:
    """The sizes of the commits since this object was made."""

    def __init__(self, metrics):
        self._metrics = metrics
        self._before = commit_sizes(metrics)

    def sizes(self):
        (buckets, total), (now, total_now) = self._before, commit_sizes(self._metrics)
        return sizes_like({size: now[size] - buckets[size] for size in now}, total_now - total)


def load(server, clients, seconds):
    """The number of acknowledged notes, and the seconds."""
    command = ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "-s", server.script,
               f"http://127.0.0.1:{server.port}/v1/api/audit"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise RuntimeError(said)
    requests, took, unit = re.search(r"(\d+) requests in ([\d.]+)(ms|s|m)", said).groups()
    return int(requests), float(took) * {"ms": 0.001, "s": 1, "m": 60}[unit]


def sizes_like(buckets, total):
    """Batch sizes like those of the server: as many in each bucket, with the same mean."""
    sizes = []
    for most, count in buckets.items():
        least = most // 2 + 1
        sizes += [random.randint(least, most) for _ in range(count)]
    random.shuffle(sizes)
    excess = sum(sizes) - round(total)
    while excess:  # If a bucket was not evenly filled.
        at = random.randrange(len(sizes))
        step = -1 if excess > 0 else 1
        if sizes[at] + step >= 1:
            sizes[at] += step
            excess += step
    return sizes


def measure_parley(server, options):
    batches = Batches(server.metrics)
    before = server.processor_times()
    notes, seconds = load(server, options.clients, options.seconds)
    sizes = batches.sizes()
    times = [((ran - before.get(thread, (0, 0))[0]) / notes, (waited - before.get(thread, (0, 0))[1]) / notes)
             for thread, (ran, waited) in server.processor_times().items()]
    return {"rate": notes / seconds, "cpu": sum(ran for ran, _ in times), "sizes": sizes,
            "threads": sorted((ran for ran, _ in times), reverse=True),
            "waited": sum(waited for _, waited in times)}


def measure_raw(program, file, sizes, options):
    said = subprocess.run([program, file, str(options.seconds), NOTE], text=True, check=True,
                          input="\n".join(map(str, sizes)), stdout=subprocess.PIPE).stdout
    result = json.loads(said)
    return {"rate": result["rows"] / result["seconds"], "cpu": result["cpu"] / result["rows"] * 1e6,
            "sqlite": result["sqlite"]}


def median(rounds, name):
    return statistics.median(each[name] for each in rounds)


def report(ours, theirs):
    """Prints more about both."""
    batch = statistics.median(statistics.mean(each["sizes"]) for each in ours)
    print(f"  batches of {batch:.1f} on average")
    for name, rounds in (("parley", ours), (PEER, theirs)):
        rates = [each["rate"] for each in rounds]
        print(f"  {name:12} {median(rounds, 'rate'):9,.0f} durable notes/s ({min(rates):,.0f} to "
              f"{max(rates):,.0f})   {median(rounds, 'cpu'):5.1f} µs CPU each")
    threads = [statistics.median(column) for column in zip(*(each["threads"] for each in ours))]
    busy = ", ".join(f"{used:.1f}" for used in threads if used > 0.5)
    print(f"  parley's threads, busiest first: {busy} µs CPU per note; they waited "
          f"{median(ours, 'waited'):.1f} µs per note for a processor")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--log-level", default="warn")
    parser.add_argument("--folder", help="on the disk to be measured; a temporary one by default")
    options = parser.parse_args()

    lacking = missing_tools("wrk", "clang++-19")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (tools/setup build bench)")

    raw = ROOT / "build/release/bench_durable_raw_sqlite"
    subprocess.run([ROOT / "tools/build", "release", raw.name], check=True, stdout=subprocess.DEVNULL)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-bench-", dir=options.folder))
    try:
        with Parley(folder, options.log_level) as server:
            print(f"{options.rounds} rounds of {options.seconds} s, {options.clients} clients, on {folder}")
            results.used("wrk", version_of("wrk"))
            results.used(server.name, None, server.command)
            server.write_script()
            load(server, options.clients, 1)  # Warm-up.
            ours, theirs = [], []
            for number in range(options.rounds):
                ours.append(measure_parley(server, options))
                theirs.append(measure_raw(raw, folder / "raw.db", ours[-1]["sizes"], options))
                results.record(ROW, server.name, ours[-1]["rate"], number)
                results.record(ROW, PEER, theirs[-1]["rate"], number)
            results.used(PEER, theirs[0]["sqlite"], raw)
        report(ours, theirs)
    finally:
        shutil.rmtree(folder)
    sys.exit(results.verdict(ROW))


if __name__ == "__main__":
    main()
