"""The machine of a run: processor, memory, kernel, and how busy others kept it."""
import os
import pathlib
import platform
import re
import shutil
import subprocess


def _first(file, pattern):
    found = re.search(pattern, pathlib.Path(file).read_text("utf-8"), re.M)
    return found[1].strip() if found else None


def _processor():
    """ARM's kernel does not tell the name; lscpu knows most of them."""
    name = _first("/proc/cpuinfo", r"^model name\s*: (.*)$")
    if not name and shutil.which("lscpu"):
        told = subprocess.run(["lscpu"], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
        found = re.search(r"^Model name:\s*(.*)$", told.stdout, re.M)
        name = found and found[1].strip()
    return name or platform.machine()


def gpus():
    """The names of NVIDIA's GPUs."""
    if not shutil.which("nvidia-smi"):
        return []
    told = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True,
                          check=False)
    return told.stdout.strip().splitlines() if told.returncode == 0 else []


def describe():
    release = pathlib.Path("/etc/os-release")
    return {"processor": _processor(), "architecture": platform.machine(), "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(int(_first("/proc/meminfo", r"^MemTotal:\s*(\d+)")) / 2**20, 1),
            "kernel": platform.release(),
            "system": _first(release, r'^PRETTY_NAME="?(.*?)"?$') if release.is_file() else platform.system(),
            "gpus": gpus()}


class Shares:
    """How the time of all cores was spent since this object was made: in percent."""

    def __init__(self):
        self._before = self._read()

    @staticmethod
    def _read():
        fields = pathlib.Path("/proc/stat").read_text("utf-8").partition("\n")[0].split()[1:9]
        user, nice, system, idle, waiting, irq, softirq, steal = map(int, fields)
        return {"busy": user + nice + system + irq + softirq, "idle": idle + waiting, "steal": steal}

    def now(self):
        spent = {name: after - self._before[name] for name, after in self._read().items()}
        total = max(1, sum(spent.values()))
        return {name: round(100 * each / total, 1) for name, each in spent.items()}
