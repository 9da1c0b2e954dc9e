#!/usr/bin/env python3
"""Holds the documents against the repository: tools/check_architecture.py .

- ARCHITECTURE.md names every room of src/CMakeLists.txt, and every path in its backticks exists.
- A decision has at most 25 lines and is listed in docs/decisions/README.md, and none is listed
  that is not there.
- Relative links of the documents lead somewhere.
"""
import pathlib
import re
import sys

LONGEST_DECISION = 25
root = pathlib.Path(sys.argv[1])
faults = []


def read(name):
    path = root / name
    if not path.is_file():
        faults.append(f"{name} is missing")
        return ""
    return path.read_text()


def leads_somewhere(path):
    """`http/client` stands for the header and source of that name."""
    return any(base.joinpath(path).exists() or [*base.glob(f"{path}.[ch]pp")] for base in (root, root / "src"))


# Names are searched only in backticks and in drawings.
architecture = read("ARCHITECTURE.md")
drawings = re.findall(r"^```.*?^```", architecture, re.M | re.S)
quoted = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", architecture, flags=re.M | re.S))
names = {*(word.removeprefix("src/").rstrip("/") for word in quoted), *" ".join(drawings).split()}
for room in re.findall(r"^room\(\s*([\w/]+)", read("src/CMakeLists.txt"), re.M):
    if room not in names:
        faults.append(f"ARCHITECTURE.md does not name the room `{room}`")

# A path starts with a folder of ours, or is a document of the root.
folders = {p.name for p in [*root.iterdir(), *(root / "src").iterdir()] if p.is_dir()} - {"build"}
for word in quoted:
    ours = re.fullmatch(r"[\w./-]+", word) and "/" in word and word.split("/")[0] in folders
    if (ours or re.fullmatch(r"[\w-]+\.(md|txt|json|cmake)", word)) and not leads_somewhere(word):
        faults.append(f"ARCHITECTURE.md names `{word}`, which does not exist")

index = read("docs/decisions/README.md")
for decision in sorted((root / "docs/decisions").glob("[0-9]*.md")):
    length = len(decision.read_text().splitlines())
    if length > LONGEST_DECISION:
        faults.append(f"{decision.name}: {length} lines; a decision has at most {LONGEST_DECISION}")
    if f"({decision.name})" not in index:
        faults.append(f"{decision.name} is not listed in docs/decisions/README.md")

for document in [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("third_party/*.md")]:
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text()):
        # Guides link to each other, and to other pages, by the paths of the server.
        is_page = document.parent.name == "guides" and (
            (document.parent / f"{link}.md").exists() or link.startswith("../../"))
        if not re.match(r"\w+:|//", link) and not is_page and not (document.parent / link).exists():
            faults.append(f"{document.relative_to(root)} links to {link}, which does not exist")

print("\n".join(faults) or "The documents agree with the repository")
sys.exit(bool(faults))
