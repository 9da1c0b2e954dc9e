"""Controls a running server with strace: it counts system calls, kills the process before one of them, or
makes one fail. It counts each thread separately."""
import collections
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import program

# All calls that change files or send data.
CALLS = ("write", "writev", "pwrite64", "fdatasync", "fsync", "ftruncate", "rename", "renameat",
         "unlink", "unlinkat", "sendmsg", "sendto")

# LeakSanitizer needs to trace the process itself.
ENVIRONMENT = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}

needed = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


def kill_before(call, number):
    """strace's option: the process dies instead of making that call for that time."""
    return ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]


def count_calls(report):
    """How often each thread made each call, by thread and call."""
    made = re.findall(r"^(\d+) +(\w+)\(", pathlib.Path(report).read_text("utf-8"), re.M)
    return collections.Counter((int(thread), call) for thread, call in made)


# One thread of each kind, so that the same thread makes the same calls at every start.
ONE_OF_EACH = {"server.loops": 1, "store.readers": 1}


def threads_of(pid):
    """Thread numbers by name; the main thread is "main". Pools have no name of their own and are left out."""
    tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
    names = {int(task.name): (task / "comm").read_text("utf-8").strip() for task in tasks}
    unnamed = names[pid]
    named = [(name, thread) for thread, name in names.items() if name != unnamed]
    assert len(dict(named)) == len(named), f"two threads of one name: {names}"
    return {"main": pid, **dict(named)}


def calls_by_thread(report, threads):
    """How often each thread made each call, by its name; no thread may be unknown."""
    names = {thread: name for name, thread in threads.items()}
    return {(names[thread], call): times for (thread, call), times in count_calls(report).items()}


class Attached:
    """strace on a running process (all its threads) or on one thread of it."""

    def __init__(self, number, *arguments, all_threads=False):
        self.process = subprocess.Popen(
            ["strace", *(["-f"] if all_threads else []), *arguments, "-p", str(number)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.log = program.Log(self.process.stderr)
        if not self.log.wait_for_line(lambda line: "attached" in line):
            self.process.wait()
            pytest.skip("strace may not attach to processes here: " + self.log.text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()  # It detaches from a process that is still alive.
        self.process.wait(program.PATIENCE)
        self.log.wait_until_ended()


def end_child(lock, process):
    """Kills the server that strace has started; its lock contains the process id."""
    os.kill(int(lock.read_text("utf-8").split()[0]), 9)
    process.wait(program.PATIENCE)


class Start:
    """A start of a server under strace, which may not complete."""

    def __init__(self, directory, *arguments):
        self._lock = directory / "lock"
        self.process = subprocess.Popen(
            ["strace", "-f", *arguments, program.BINARY, "serve", "--data", directory, "--listen",
             "127.0.0.1:0", "--set=metrics.listen=off"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=program.clean_environment(**ENVIRONMENT))
        self.log = program.Log(self.process.stderr)
        self.came_up = bool(self.log.wait_for_line(program.LISTENING.search))

    def end(self):
        """Kills the started server."""
        if self.came_up:
            end_child(self._lock, self.process)
        self.process.wait(program.PATIENCE)
        self.log.wait_until_ended()
        assert not program.SANITIZER_REPORT.search(self.log.text()), self.log.text()
