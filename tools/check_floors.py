#!/usr/bin/env python3
"""Holds the sources against the architecture in src/CMakeLists.txt: tools/check_floors.py src

- A room names in USES only rooms that stand above it in the file, so there are no cycles.
- Every folder with sources is a room, and every room has sources.
- A source includes only its own room and those that the room names; tests may include any.
- A room includes each room that it names in USES, and its tests those that it names in TESTS; base
  may be named without, since it lends its precompiled headers.
- A source is at most 300 lines long; tests may be longer.
- A room begins at a header of its own name, whose first lines say what the room is for; a room
  inside another one may begin at its main class.
"""
import pathlib
import re
import sys

LONGEST = 300
ROOM = re.compile(r"^\s*room\(\s*(\S+?)((?:\s+[^)]*)?)\s*\)", re.M)
KEYWORDS = ("USES", "LINKS", "TESTS", "CONTRACT")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')

src = pathlib.Path(sys.argv[1])
text = (src / "CMakeLists.txt").read_text()
faults = []
rooms = {}
tested_with = {}


def words_of(line):
    """The words of a room() line, by the keyword that they follow."""
    words = {keyword: [] for keyword in KEYWORDS}
    follows = None
    for word in line.split():
        follows = word if word in KEYWORDS else follows
        if word not in KEYWORDS:
            words[follows].append(word)
    return words


for folder, line in ROOM.findall(text):
    words = words_of(line)
    for used in words["USES"]:
        if used not in rooms:
            faults.append(f"{src}/CMakeLists.txt: {folder} uses {used}, which is not a room below it")
    rooms[folder] = {folder, *words["USES"]}
    tested_with[folder] = set(words["TESTS"])
if len(rooms) != len(re.findall(r"^\s*room\(", text, re.M)):
    faults.append(f"{src}/CMakeLists.txt: a room() line is duplicated or cannot be read")

inhabited = set()
included_by = {room: set() for room in rooms}  # Rooms, by the room whose sources include them.
included_by_tests = {room: set() for room in rooms}


def includes(path):
    """The line number and the two kinds of name of each #include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, *match.groups()


def room_of(name):
    return pathlib.PurePosixPath(name).parent.as_posix()


for path in sorted(src.rglob("*.[ch]pp")):
    room = path.parent.relative_to(src).as_posix()
    inhabited.add(room)
    if room not in rooms:
        faults.append(f"{path}: its folder is not a room of {src}/CMakeLists.txt")
        continue
    if path.stem.endswith(("_test", "_for_tests", "_contract", "_fuzz")):
        included_by_tests[room].update(room_of(quoted) for _, quoted, _ in includes(path) if quoted)
    if path.stem.endswith(("_test", "_for_tests", "_contract")):
        continue
    length = len(path.read_text().splitlines())
    if length > LONGEST:
        faults.append(f"{path}: {length} lines; split it by concept, {LONGEST} is the limit")
    for number, quoted, angled in includes(path):
        if quoted and not (src / quoted).is_file():
            faults.append(f'{path}:{number}: no such file; write its path from {src}/: "{quoted}"')
        elif angled and (src / angled).is_file():
            faults.append(f"{path}:{number}: write quotes around a file of this repository: <{angled}>")
        elif quoted and room_of(quoted) not in rooms[room]:
            faults.append(f"{path}:{number}: {room} may not include {room_of(quoted)}")
        elif quoted:
            included_by[room].add(room_of(quoted))
for room in rooms:
    dead = (rooms[room] - {room, "base"} - included_by[room]) | (tested_with[room] - included_by_tests[room])
    faults += [f"{src}/CMakeLists.txt: {room} names {word}, which it never includes" for word in sorted(dead)]
faults += [f"{src}/CMakeLists.txt: {room} has no sources" for room in rooms if room not in inhabited]

for room in rooms:
    own = src / room / f"{room}.hpp"
    if "/" not in room and not (own.is_file() and own.read_text().startswith("// ")):
        faults.append(f"{own}: a room begins at this header, and its first lines say what it is for")

print("\n".join(faults) or f"{len(rooms)} rooms, each on its floor")
sys.exit(bool(faults))
