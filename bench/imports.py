#!/usr/bin/env python3
"""Whether `parley import` of a large export needs no more memory than that of a small one:

    bench/imports.py [--megabytes 400] [--folder /dev/shm]

A conversations.json of ChatGPT is made, of conversations of 4 to 400 messages: a tenth first, then all of it, each for
another user. Fails if the command or the server needs 1.25 times as much memory at its peak for ten times the data, or
if a conversation is missing."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import contenders
import house
from search import Texts

BAR = 1.25
MESSAGES = [4, 10, 30, 80, 400]


def conversation(texts, number):
    """In the form of ChatGPT, with members that an import does not need."""
    count = MESSAGES[number % len(MESSAGES)]
    mapping = {"root": {"id": "root", "parent": None, "message": None, "children": ["0"]}}
    for index in range(count):
        mapping[str(index)] = {
            "id": str(index), "parent": str(index - 1) if index else "root", "children": [str(index + 1)],
            "message": {"id": str(index), "author": {"role": "assistant" if index % 2 else "user", "name": None, "metadata": {}},
                        "create_time": 1.6e9 + number * 1000 + index, "status": "finished_successfully", "weight": 1.0,
                        "content": {"content_type": "text", "parts": [texts.text(number * 1000 + index) * 3]},
                        "metadata": {"model_slug": "gpt-4"}, "recipient": "all"}}
    return {"title": f"Conversation {number}", "conversation_id": str(number), "create_time": 1.6e9 + number * 1000,
            "mapping": mapping, "current_node": str(count - 1)}


def write_export(file, size):
    """How many conversations and messages the file has."""
    texts, written, number, messages = Texts(3), 0, 0, 0
    with open(file, "w", encoding="utf-8") as out:
        while written < size:
            one = conversation(texts, number)
            written += out.write(("," if number else "[") + json.dumps(one))
            messages += len(one["mapping"]) - 1
            number += 1
        out.write("]")
    return number, messages


def peak_of(pid):
    """The most memory that it has needed since forget_peak()."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def forget_peak(pid):
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5", "utf-8")


def watch(command):
    """The peak of a process, in bytes, and its processor time. Those of wait4() would include this script's, from which
    the process was made."""
    peak, busy = 0, 0.0
    while command.poll() is None:
        try:
            peak, busy = peak_of(command.pid), house.processor_seconds(command.pid)
        except (OSError, IndexError):
            pass  # It has just ended.
        time.sleep(0.02)
    return peak, busy


def run(home, user, file, expected):
    """The peaks of the command and of the server, in bytes."""
    forget_peak(home.pid)
    begun, busy = time.monotonic(), house.processor_seconds(home.pid)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        command = subprocess.Popen([contenders.BINARY, "import", "--data", home.server.data, "--user", user, file],
                                   stdout=subprocess.DEVNULL, stderr=errors)
        peak, own = watch(command)
        errors.seek(0)
        said = errors.read().splitlines()
    took = time.monotonic() - begun
    if command.returncode or said[-1:] != [f"{expected[0]} imported, 0 imported before, 0 failed"]:
        sys.exit(f"FAILED: status {command.returncode}: {said[-5:]}")
    peaks = peak, peak_of(home.pid)
    print(f"  {file.stat().st_size / 1e6:,.0f} MB, {expected[0]:,} conversations, {expected[1]:,} messages: {took:.0f} s, "
          f"processor {own:.1f} s + {house.processor_seconds(home.pid) - busy:.1f} s;\n"
          f"    at their peaks the command {peaks[0] / 1e6:.1f} MB, the server {peaks[1] / 1e6:.1f} MB", flush=True)
    return peaks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=400)
    parser.add_argument("--folder", help="for the export and the server's data; a temporary one by default")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, house.House(options.folder) as home:
        print(f"{home.version}\n{home.server.command}", flush=True)
        home.tokens(2)
        peaks = []
        for user, size in (("user0", options.megabytes * 100_000), ("user1", options.megabytes * 1_000_000)):
            file = pathlib.Path(folder, "conversations.json")
            peaks.append(run(home, user, file, write_export(file, size)))
    ratios = [large / small for small, large in zip(*peaks)]
    passed = max(ratios) <= BAR
    print(f"{'passed' if passed else 'FAILED'}: {ratios[0]:.2f} times (command) and {ratios[1]:.2f} times (server) the "
          f"memory for ten times the data, at most {BAR} is the bar")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
