"""The manual pages are complete and without warnings of the programs that show them."""
import json
import subprocess

import pytest

import program

pytestmark = program.once

PAGES = ["parley", "parley.toml"]


def page(name, *arguments):
    return program.run("man", name, "--date", "2026-11-17", *arguments).stdout


@pytest.mark.parametrize("name", PAGES)
def test_mandoc_and_groff_have_no_warnings(name, tmp_path):
    file = tmp_path / name
    file.write_text(page(name), encoding="ascii")
    linted = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", file], capture_output=True, text=True,
                            check=False)
    assert linted.stdout == "" and linted.returncode == 0, linted.stdout
    shown = subprocess.run(["man", "--warnings", "--local-file", file], capture_output=True, text=True,
                           check=True, env=program.clean_environment(LC_ALL="C.UTF-8", MANWIDTH="100"))
    assert shown.stderr == ""
    assert shown.stdout.startswith(name.upper())


def test_the_settings_are_those_of_the_program():
    text = page("parley.toml")
    settings = [json.loads(line) for line in program.run("serve", "--help-settings", "--json").stdout.splitlines()]
    assert len(settings) > 40
    for setting in settings:
        assert f"\\fB{setting['key']}\\fR\n" in text


def test_an_unknown_page_is_refused():
    result = program.run("man", "parley.8")
    assert result.returncode == 2 and "parley.8 not in {parley,parley.toml}" in result.stderr
