#!/usr/bin/env python3
"""Looks for tests that `tools/test` never runs: tools/check_test_stages.py .

A test that is skipped, or measures nothing, under a sanitizer has to be in a stage with the release.
"""
import pathlib
import re
import subprocess
import sys

# `x if program.IS_SANITIZED else y` is a matter of patience, not of what is tested.
RELEASE_ONLY = re.compile(r"\bprogram\.(?:once|IS_SANITIZED)\b(?! else\b)")
# Not of `make test`: these have targets of their own.
ELSEWHERE = {"clients"}

root = pathlib.Path(sys.argv[1])


def paths_of_release():
    """The paths after `program release`, and those of its arrays; without those of `tools/test full`."""
    script = (root / "tools/test").read_text("utf-8")
    functions = re.findall(r"^\w+\(\) \{(?:.*\}$|\n(?:.*\n)*?\}$)", script, re.M)
    lines = [line for function in functions if "program release" in function
             for line in function.splitlines() if "!= full" not in line]
    words = [word for line in lines for word in re.findall(r"\btests/[\w/{},.-]+", line)]
    expanded = subprocess.run(["bash", "-c", "printf '%s\\n' " + " ".join(words)],
                              capture_output=True, text=True, check=True)
    return [root / path for path in expanded.stdout.split()]


def main():
    paths = paths_of_release()
    faults = [f"tools/test names {path.relative_to(root)}, which does not exist" for path in paths if not path.exists()]
    if len(paths) < 10:
        faults.append("tools/test cannot be read: it names hardly any tests of the release")
    for file in sorted((root / "tests").rglob("test_*.py")):
        if file.parent.name in ELSEWHERE or not RELEASE_ONLY.search(file.read_text("utf-8")):
            continue
        if not any(path == file or path in file.parents for path in paths):
            faults.append(f"{file.relative_to(root)} has tests for the release only, but no stage of tools/test runs them")
    print("\n".join(faults) or f"Every test of the release is in one of its {len(paths)} files and folders")
    return bool(faults)


sys.exit(main())
