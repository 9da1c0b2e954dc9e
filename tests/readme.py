"""Runs the examples of a Markdown page and compares what they print with what the page shows.

An example is a ```sh block with the comment <!-- run --> before it. A line that begins with `$ ` is
a command (a backslash at its end continues it); the lines behind it are its output, in which …
stands for anything, line breaks included. A command without output lines just has to succeed."""
import dataclasses
import re
import subprocess

BLOCK = re.compile(r"^<!-- run -->[ \t]*\n+```sh\n(.*?)^```[ \t]*$", re.M | re.S)
MARK = re.compile(r"^<!-- run -->", re.M)


@dataclasses.dataclass
class Example:
    command: str
    output: list


def examples(page):
    found = []
    blocks = BLOCK.findall(page)
    assert len(blocks) == len(MARK.findall(page)), "a mark has no ```sh block behind it"
    for block in blocks:
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


def tidy(text):
    return "\n".join(line.rstrip() for line in text.replace("\r", "").splitlines()).strip("\n")


def fits(expected, printed):
    pattern = ".*?".join(re.escape(part) for part in tidy(expected).split("…"))
    return re.fullmatch(pattern, tidy(printed), re.S) is not None


def run(example, folder, replace=(), env=None):
    """Fails with an AssertionError unless the example does what the page says."""
    command = example.command
    expected = "\n".join(example.output)
    for old, new in replace:
        command, expected = command.replace(old, new), expected.replace(old, new)
    result = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True,
                            timeout=60, check=False, env=env)
    # Standard error counts where there is nothing else: it is there that curl reports its progress
    # to whoever has no terminal.
    printed = result.stdout or result.stderr
    shown = f"$ {command}\n{result.stdout}{result.stderr}"
    assert result.returncode == 0, f"{shown}\nexit code {result.returncode}"
    assert not expected.strip() or fits(expected, printed), (
        f"{shown}\n--- the page says:\n{expected}")
