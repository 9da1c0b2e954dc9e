"""The examples of README.md work as shown; and the runner of examples detects differences."""
import re

import pytest

import newcomer
import program
import readme

pytestmark = program.once

PAGE = program.ROOT / "README.md"
ADDRESS_IN_README = "127.0.0.1:8080"


@pytest.fixture(name="server", scope="module")
def newcomers_server():
    with newcomer.server() as started:
        yield started


def of_page():
    return readme.examples(PAGE.read_text(encoding="utf-8")) if PAGE.is_file() else []


@pytest.mark.parametrize("number", range(len(of_page())),
                         ids=lambda number: of_page()[number].command.splitlines()[0][:60])
def test_example(server, number):
    readme.run(of_page()[number], program.ROOT, replace=[
        (ADDRESS_IN_README, "%s:%d" % server.address),
        ("build/release/parley", str(program.BINARY))],
        env=program.clean_environment(PARLEY_DATA=str(server.data)))


def test_the_page_has_examples_for_what_a_newcomer_tries_first():
    commands = "\n".join(example.command for example in of_page())
    for path in ("/healthz", "/nothing", "/problems/not_found"):
        assert f"{ADDRESS_IN_README}{path}" in commands


def test_the_page_names_the_commands_of_a_newcomer():
    text = PAGE.read_text(encoding="utf-8")
    start = text.partition("## Start\n")[2].partition("\n## ")[0]
    assert re.search("^make run$", start, re.M) and re.search("^make test$", start, re.M)


def page(*lines):
    return "\n".join(["Text", "", "<!-- run -->", "```sh", *lines, "```", "", "More text"])


@pytest.mark.parametrize("lines", [
    ["$ echo one"],
    ["$ echo one", "one"],
    ["$ echo one; echo two", "one", "two"],
    ["$ echo one two three", "one … three"],
    ["$ printf '1\\n2\\n3\\n4\\n'", "1", "…", "4"],
    ["$ echo one \\", "    two", "one two"],
    ["$ echo one \\", "> two", "one two"],
    ["$ printf 'a\\r\\nb\\r\\n'", "a", "b"],
    ["$ echo 'a.c'", "a.c"],
    ["$ echo wrong >&2", "wrong"],
    ["$ echo one", "one", "$ echo two", "two"],
])
def test_a_right_example_passes(tmp_path, lines):
    for example in readme.examples(page(*lines)):
        readme.run(example, tmp_path)


@pytest.mark.parametrize("lines", [
    ["$ echo one", "two"],
    ["$ echo one", "one", "two"],
    ["$ echo one; echo two", "one"],
    ["$ echo abc", "a.c"],
    ["$ echo one two four", "one … three"],
    ["$ false"],
    ["$ echo one; exit 3", "one"],
    ["$ no-such-command-here", "…"],
])
def test_a_wrong_example_is_noticed(tmp_path, lines):
    with pytest.raises(AssertionError):
        for example in readme.examples(page(*lines)):
            readme.run(example, tmp_path)


@pytest.mark.parametrize("text", [
    page("one"), page(""), page(), "<!-- run -->\n```\n$ echo one\n```\n", "<!-- run -->\nText\n"])
def test_a_block_that_cannot_be_run_is_noticed(text):
    with pytest.raises(AssertionError):
        readme.examples(text)


def test_only_marked_blocks_are_run():
    assert readme.examples("```sh\n$ rm -rf /\n```\n") == []
    both = page("$ echo one", "one") + "\n```sh\n$ false\n```\n" + page("$ echo two", "two")
    assert [example.command for example in readme.examples(both)] == ["echo one", "echo two"]


def test_addresses_are_replaced_in_command_and_output(tmp_path):
    example = readme.Example("echo http://127.0.0.1:8080/", ["http://127.0.0.1:8080/"])
    readme.run(example, tmp_path, replace=[("127.0.0.1:8080", "127.0.0.1:9")])
