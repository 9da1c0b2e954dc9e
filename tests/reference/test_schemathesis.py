"""Schemathesis generates valid and invalid requests from the document, and checks the responses against it.
`make reference` runs it at length, with three seeds.

Facts that it cannot know, and the affected checks, are in schemathesis.toml."""
import os

import httpx
import pytest

import program
import toolbox

FULL = os.environ.get("PARLEY_REFERENCE") == "full"
SEEDS = [1, 2, 3] if FULL else [1]


def test_the_tool_can_be_fetched():
    assert toolbox.python().is_dir()  # This takes a while, once.


@pytest.fixture
def server():
    """One for each seed: the requests may delete its users."""
    started = program.Program(settings={
        "limits.chat": 1_000_000, "limits.auth": 1_000_000, "limits.general": 1_000_000,
        "runs.timeout_s": 20})
    for name in ("ana", "ben"):
        made = program.run("user", "add", name, "--role", "operator", "--password-stdin", "--data",
                           str(started.data), input="correct horse battery staple\n")
        assert made.returncode == 0, made.stderr
    yield started
    started.stop()


def token_of(server, user):
    made = program.run("token", "create", "--user", user, "--scope", "chat:read", "--scope",
                       "chat:write", "--scope", "account", "--scope", "admin",
                       "--scope", "automation:read", "--scope", "automation:write", "--data", str(server.data))
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def who_calls(server):
    """Environment variables: the caller's token, user and token id, and those of another user."""
    told = {}
    for who, user in (("OWN", "ana"), ("OTHER", "ben")):
        token = token_of(server, user)
        client = httpx.Client(base_url=server.url("/v1/api"), timeout=60,
                              headers={"Authorization": f"Bearer {token}"})
        told |= {f"{who}_USER": client.get("/me").json()["id"],
                 f"{who}_TOKEN": client.get("/tokens").json()["data"][0]["id"]}
        told.setdefault("TOKEN", token)
    return told


@toolbox.only_in_full
@pytest.mark.parametrize("seed", SEEDS)
def test_all_checks_in_all_phases(server, seed, tmp_path):
    amount = ["--max-examples", "60" if FULL else "3"]
    # One worker: CPython 3.11 has a bug when two threads parse at once ("AST constructor recursion depth").
    result = toolbox.run(
        toolbox.python() / "st", "--config-file", toolbox.HERE / "schemathesis.toml", "run",
        server.url("/openapi.json"), "--phases", "examples,coverage,fuzzing,stateful",
        "--checks", "all", "--seed", seed, "--workers", 1, "--suppress-health-check", "all",
        "--request-timeout", 30, *amount, cwd=tmp_path, timeout=1800,
        env={**os.environ, **who_calls(server), "PYTHONPATH": str(toolbox.HERE),
             "SCHEMATHESIS_HOOKS": "schemathesis_hooks"})
    failures = result.stdout.partition(" FAILURES ")[2].partition(" WARNINGS ")[0]
    assert result.returncode == 0, failures[-20000:] or result.stdout[-6000:] + result.stderr[-2000:]
    assert server.is_alive()
