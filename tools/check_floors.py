#!/usr/bin/env python3
"""Holds the sources against the architecture in src/CMakeLists.txt: tools/check_floors.py src

- A room names in USES only rooms that stand above it in the file, so there are no cycles.
- Every folder with sources is a room, and every room has sources.
- A source includes only its own room and those that the room names; tests may include any.
- A source is at most 300 lines long; tests may be longer.
"""
import pathlib
import re
import sys

LONGEST = 300
ROOM = re.compile(r"^\s*room\(\s*(\S+?)(?:\s+USES\s+([^)]*?))?(?:\s+(?:LINKS|TESTS|CONTRACT)\s+[^)]*)?\s*\)", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')

src = pathlib.Path(sys.argv[1])
text = (src / "CMakeLists.txt").read_text()
faults = []
rooms = {}
for folder, uses in ROOM.findall(text):
    for used in uses.split():
        if used not in rooms:
            faults.append(f"{src}/CMakeLists.txt: {folder} uses {used}, which is no room below it")
    rooms[folder] = {folder, *uses.split()}
if len(rooms) != len(re.findall(r"^\s*room\(", text, re.M)):
    faults.append(f"{src}/CMakeLists.txt: a room() line is there twice, or cannot be read")

inhabited = set()
for path in sorted(src.rglob("*.[ch]pp")):
    room = path.parent.relative_to(src).as_posix()
    inhabited.add(room)
    if room not in rooms:
        faults.append(f"{path}: its folder is not a room of {src}/CMakeLists.txt")
        continue
    if path.stem.endswith(("_test", "_for_tests")):
        continue
    lines = path.read_text().splitlines()
    if len(lines) > LONGEST:
        faults.append(f"{path}: {len(lines)} lines; split it by concept, {LONGEST} is the limit")
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, angled = match.groups()
        if quoted and not (src / quoted).is_file():
            faults.append(f'{path}:{number}: no such file; write its path from {src}/: "{quoted}"')
        elif angled and (src / angled).is_file():
            faults.append(f"{path}:{number}: write quotes around a file of ours: <{angled}>")
        elif quoted and (included := pathlib.PurePosixPath(quoted).parent.as_posix()) not in rooms[room]:
            faults.append(f"{path}:{number}: {room} may not include {included}")
faults += [f"{src}/CMakeLists.txt: {room} has no sources" for room in rooms if room not in inhabited]

print("\n".join(faults) or f"{len(rooms)} rooms, each on its floor")
sys.exit(bool(faults))
