#!/usr/bin/env python3
"""Looks for leftovers in the repository: tools/check_repository.py .

- No file has unresolved merge markers.
- Every file that a text names is in the repository: documents (`NAME.md`, `docs/name.md`, "NAME §4")
  everywhere, other names in documents and comments. A reader of the repository has nothing else.
- No path leads out of the repository.
"""
import pathlib
import re
import subprocess
import sys

MARKER = re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |$)")
DOCUMENT = re.compile(r"(?<![\w/.*{}-])([\w./-]*\w\.md)\b")
CHAPTER = re.compile(r"\b([A-Z][A-Z_-]{3,})(?:\.md)? §")
COMMENT = re.compile(r"^\s*(?://|#(?!\s*include)|\"\"\")")
SOURCE = re.compile(r"(?<![\w/.*{}<-])((?:\w[\w-]*/)*\w[\w-]*\.(?:hpp|cpp|cmake))\b")
OUTSIDE = re.compile(r"(?<![\w./])(?:\.\./)+shared\b")
# The name of a project, not of a file.
FOREIGN = {"llama.cpp", "vendor/llama.cpp"}

root = pathlib.Path(sys.argv[1]).resolve()


def files():
    """All files of the repository, new ones included; without Git, all files except builds."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        return [root / name for name in listed.stdout.splitlines() if (root / name).is_file()]
    return [path for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0] != "build"]


def text_of(path):
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def main():
    known = files()
    names = ["/" + path.relative_to(root).as_posix() for path in known]
    faults = []

    def is_there(word):
        return word in FOREIGN or any(name.endswith("/" + word.lstrip("./")) for name in names)

    for path in known:
        if path == pathlib.Path(__file__).resolve():
            continue
        for number, line in enumerate(text_of(path).splitlines(), 1):
            where = f"{path.relative_to(root)}:{number}"
            if MARKER.match(line):
                faults.append(f"{where}: an unresolved merge marker")
            is_text = path.suffix == ".md" or COMMENT.match(line)
            named = [word for word in DOCUMENT.findall(line) if is_text or "/" in word
                     or word.removesuffix(".md").isupper()]
            named += [f"{name}.md" for name in CHAPTER.findall(line)]
            if COMMENT.match(line):
                named += SOURCE.findall(line)
            faults += [f"{where}: names {word}, which is not in the repository; write down what it says instead"
                       for word in named if not is_there(word)]
            if OUTSIDE.search(line):
                faults.append(f"{where}: names a path outside of the repository")
    print("\n".join(faults) or f"{len(known)} files, no leftovers")
    return bool(faults)


sys.exit(main())
