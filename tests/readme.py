"""Runs the examples of a Markdown page and compares what they print with what the page shows.

An example is a ```sh block with the comment <!-- run --> before it. A line that begins with `$ ` is
a command (a backslash at its end continues it); the lines behind it are its output, in which …
stands for anything, line breaks included. A command without output lines just has to succeed.

A ```python or ```js block is a program; a ```text block right behind it is what it prints.

A ```sh block with the comment <!-- variables --> before it makes ready what the examples need: it is run
as a whole, and the variables that it exports are there for the examples."""
import dataclasses
import re
import subprocess
import sys

import node

BLOCK = re.compile(r"^<!-- run -->[ \t]*\n+```(sh|python|js)\n(.*?)^```[ \t]*$"
                   r"(?:\n```text\n(.*?)^```[ \t]*$)?", re.M | re.S)
MARK = re.compile(r"^<!-- run -->", re.M)
VARIABLES = re.compile(r"^<!-- variables -->[ \t]*\n+```sh\n(.*?)^```[ \t]*$", re.M | re.S)

# For an example on a slow machine, where the embedded model answers, too.
LIMIT = 180


@dataclasses.dataclass
class Example:
    command: str
    output: list
    language: str = "sh"


def examples(page):
    found = []
    blocks = BLOCK.findall(page)
    assert len(blocks) == len(MARK.findall(page)), "a mark has no block behind it that can be run"
    for language, block, printed in blocks:
        if language != "sh":
            found.append(Example(block, printed.splitlines(), language))
            continue
        lines = iter(block.splitlines())
        before = len(found)
        for line in lines:
            if line.startswith("$ "):
                command = line[2:]
                while command.endswith("\\"):
                    command += "\n" + next(lines).removeprefix("> ")
                found.append(Example(command, []))
            else:
                assert len(found) > before, f"the block does not begin with a command: {line}"
                found[-1].output.append(line)
        assert len(found) > before, "a block without a command"
    return found


def variables(page, folder, replace, env):
    """The environment of the examples of a page: this one, and the variables that the page exports."""
    for script in VARIABLES.findall(page):
        for old, new in replace:
            script = script.replace(old, new)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", f"{{ {script}}} >/dev/null\nenv -0"],
                              cwd=folder, timeout=LIMIT, capture_output=True, text=True, check=False,
                              env=env)
        assert done.returncode == 0, f"{script}\n{done.stderr}"
        env = dict(line.split("=", 1) for line in done.stdout.split("\0") if line)
    return env


def tidy(text):
    return "\n".join(line.rstrip() for line in text.replace("\r", "").splitlines()).strip("\n")


def fits(expected, printed):
    pattern = ".*?".join(re.escape(part) for part in tidy(expected).split("…"))
    return re.fullmatch(pattern, tidy(printed), re.S) is not None


def arguments_of(language, program):
    if language == "python":
        return [sys.executable, "-c", program]
    if language == "js":
        return [*node.commands()[0], "--input-type=module", "-e", program]
    return ["bash", "-c", program]


def run(example, folder, replace=(), env=None):
    """Fails with an AssertionError unless the output matches the page."""
    command = example.command
    expected = "\n".join(example.output)
    for old, new in replace:
        command, expected = command.replace(old, new), expected.replace(old, new)
    if example.language == "js":  # Packages are resolved relative to the program.
        folder = node.packages().parent
    result = subprocess.run(arguments_of(example.language, command), cwd=folder, timeout=LIMIT,
                            capture_output=True, text=True, check=False, env=env)
    # Standard error counts if there is no other output: curl writes its progress there without a terminal.
    printed = result.stdout or result.stderr
    shown = f"$ {command}\n{result.stdout}{result.stderr}"
    assert result.returncode == 0, f"{shown}\nexit code {result.returncode}"
    assert not expected.strip() or fits(expected, printed), (
        f"{shown}\n--- the page says:\n{expected}")
