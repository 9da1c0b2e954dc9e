"""The command `llm` works with an address and a key only: chat completions, and the Responses API. Each
test runs its commands in one process, because importing it takes seconds."""
import json
import os
import subprocess
import sys

import pytest

import chats
import python_packages
import upstream_calls

SCRIPT = """
import json, sys
import click.testing
from llm.cli import cli

runner = click.testing.CliRunner()
print(json.dumps([runner.invoke(cli, command, catch_exceptions=False).output.strip()
                  for command in json.loads(sys.argv[1])]))
"""


@pytest.fixture(name="ana", scope="module")
def somebody(tmp_path_factory):
    with upstream_calls.house_with_tools(tmp_path_factory.mktemp("keys")) as house:
        yield chats.somebody(house, "ana")


@pytest.fixture(name="llm")
def command(ana, tmp_path):
    """Runs commands one after the other. Models have "-r" behind their names for the Responses API."""
    models = [{"model_id": name + ("-r" if responses else ""), "model_name": name, "responses": responses,
               "api_base": ana.house.server.url("/v1"), "api_key_name": "parley", "supports_schema": True,
               "supports_tools": True} for name in ("scripted", "uses_tools") for responses in (False, True)]
    (tmp_path / "extra-openai-models.yaml").write_text(json.dumps(models), "utf-8")  # JSON is YAML.
    (tmp_path / "keys.json").write_text(json.dumps({"parley": ana.token}), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(python_packages.installed("openai_3")),
                   "LLM_USER_PATH": str(tmp_path), "LLM_LOAD_PLUGINS": ""}

    def run(*commands):
        done = subprocess.run([sys.executable, "-c", SCRIPT, json.dumps(commands)], env=environment,
                              capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr[-4000:]
        return json.loads(done.stdout)
    return run


@pytest.mark.parametrize("model", ["scripted", "scripted-r"])
def test_conversations(llm, model):
    assert llm(["-m", model, "{words:5}", "-s", "Be brief.", "-o", "temperature", "0.5"], ["-c", "And now?"],
               ["-m", model, "Hello there", "--no-stream"]) == [chats.words(5), "And now?", "Hello there"]


@pytest.mark.parametrize("model", ["scripted", "scripted-r"])
def test_schemas(llm, model):
    person = {"name": "Ana", "age": 4}
    many = {"items": [person, {"name": "Ben", "age": 5}]}
    said = llm(["-m", model, "--schema", "name, age int", json.dumps(person)],
               ["-m", model, "--schema-multi", "name, age int", json.dumps(many), "--no-stream"])
    assert [json.loads(each) for each in said] == [person, many]


@pytest.mark.parametrize("model", ["uses_tools", "uses_tools-r"])
def test_tools(llm, model):
    """The command runs the tools and asks again."""
    weather = 'def weather(city: str):\n    "Tells the weather."\n    return f"sun in {city}"'
    said, repeated, version = llm(["-m", model, "--functions", weather, '{"city": "Paris"}'],
                                  ["-m", model, "-T", "llm_version", "{}", "--no-stream"], ["--version"])
    assert said == "sun in Paris" and repeated == version.rpartition(" ")[2]


@pytest.mark.parametrize("more", [[], ["--responses"]])
def test_an_address_only(llm, ana, more):
    endpoint = ["openai", "endpoint", ana.house.server.url("/v1"), "--key", ana.token]
    said, models = llm([*endpoint, "-m", "scripted", "Hello there", *more], [*endpoint, "--models"])
    assert said == "Hello there" and "scripted" in models
