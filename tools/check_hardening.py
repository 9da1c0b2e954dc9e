#!/usr/bin/env python3
"""Checks that a release binary is hardened as cmake/compile_options.cmake asks: check_hardening.py FILE"""
import pathlib
import re
import subprocess
import sys

file = pathlib.Path(sys.argv[1])
if not file.is_file():
    sys.exit(f"{file} does not exist")
elf = subprocess.run(["readelf", "--wide", "-h", "-l", "-d", "-n", "--dyn-syms", file],
                     capture_output=True, text=True, check=True).stdout
code = file.read_bytes()


def has(pattern):
    return re.search(pattern, elf, re.M) is not None


checks = {
    "position-independent executable": has(r"Type:\s+DYN") and has(r"\(FLAGS_1\).*\bPIE\b"),
    "read-only relocations": has(r"^\s*GNU_RELRO\b"),
    "all symbols bound at start": has(r"\(FLAGS(_1)?\).*\b(BIND_)?NOW\b"),
    "stack that cannot run": has(r"^\s*GNU_STACK\s.*\sRW\s"),
    "no segment both writable and runnable": not has(r"^\s*LOAD\s.*\sRWE\s"),
    "no text relocations": not has(r"\(TEXTREL\)"),
    "no library path of the build machine": not has(r"\((RPATH|RUNPATH)\)"),
    "stack protector": has(r"\b__stack_chk_fail\b"),
    "checked C library calls (_FORTIFY_SOURCE)": has(r"\b__\w+_chk\b(?<!__stack_chk)"),
    "no disk that fails on demand (PARLEY_FAULTS)": b"parley-faults" not in file.read_bytes(),
    "the allocator of decision 58": has(r"\(NEEDED\).*\[libmimalloc\."),
    "checked containers (_GLIBCXX_ASSERTIONS)": has(r"\b_ZSt21__glibcxx_assert_fail"),
}
# Debian's start files are not marked for indirect branch tracking or BTI, so the whole program cannot be
# marked; but the landing pads in the code can be checked.
if has(r"Machine:.*X86-64"):
    checks["shadow stack mark"] = has(r"x86 feature:.*\bSHSTK\b")
    checks["landing pads (endbr64)"] = code.count(b"\xf3\x0f\x1e\xfa") > 100
elif has(r"Machine:.*AArch64"):
    checks["signed return addresses (paciasp)"] = code.count(b"\x3f\x23\x03\xd5") > 100
    checks["landing pads (bti c)"] = code.count(b"\x5f\x24\x03\xd5") > 100

for name, fulfilled in checks.items():
    print(f"  {'ok    ' if fulfilled else 'FAILED'} {name}")
failed = list(checks.values()).count(False)
print(f"hardening of {file.name}: {len(checks) - failed} passed, {failed} failed")
sys.exit(failed > 0)
