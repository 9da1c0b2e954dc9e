"""Clients of popular generators work against a server."""
import json
import subprocess

import pytest

import node
import program
import toolbox
from toolbox import only_in_full

DOCUMENT = program.ROOT / "docs/openapi.json"
PASSWORD = "correct horse battery staple"

pytestmark = only_in_full


@pytest.fixture(scope="module")
def variables():
    started = program.Program()
    made = program.run("user", "add", "ana", "--password-stdin", "--data", str(started.data),
                       input=PASSWORD + "\n")
    assert made.returncode == 0, made.stderr
    scopes = [word for scope in ("chat:read", "chat:write", "automation:write") for word in ("--scope", scope)]
    token = program.run("token", "create", "--user", "ana", *scopes, "--data", str(started.data))
    yield program.clean_environment(PARLEY=started.url(), TOKEN=token.stdout.strip(),
                                    HOME="/nonexistent")
    started.stop()


TYPESCRIPT = """
import createClient from "openapi-fetch";
import type { paths, components } from "./parley.js";

const parley = createClient<paths>({
  baseUrl: process.env.PARLEY!,
  headers: { Authorization: "Bearer " + process.env.TOKEN! },
});

const asked = await parley.POST("/v1/api/chat/query", {
  params: { header: { "Idempotency-Key": crypto.randomUUID() } },
  // Only what is required: a field with a default must not be.
  body: { message: "Hello there", model: "scripted" },
});
if (asked.error) throw new Error(asked.error.code);
const run: components["schemas"]["ChatRun"] = asked.data as components["schemas"]["ChatRun"];
const text: string | null | undefined = run.message?.content[0]?.text;

const made = await parley.POST("/v1/api/automations", {
  body: { name: "Digest", message: "Hello there" },
});
const attempts: number | undefined = made.data?.retry.max_attempts;

const listed = await parley.GET("/v1/api/chat/sessions", { params: { query: { limit: 5 } } });
const title: string | undefined = listed.data?.data[0]?.title;

const missing = await parley.GET("/v1/api/chat/runs/{run}", { params: { path: { run: "run_x" } } });
console.log(JSON.stringify({ text, title, attempts, missing: missing.error?.code }));
"""


def test_openapi_typescript_and_openapi_fetch(variables, tmp_path):
    (tmp_path / "node_modules").symlink_to(toolbox.packages())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "try.ts").write_text(TYPESCRIPT)
    made = toolbox.run(*toolbox.tool("openapi-typescript"), DOCUMENT, "-o", tmp_path / "parley.ts")
    assert made.returncode == 0, made.stderr
    (tmp_path / "globals.d.ts").write_text(
        "declare const process: { env: Record<string, string | undefined> };\n")
    checked = toolbox.run(*toolbox.tool("tsc"), "--strict", "--target", "es2022", "--module",
                          "nodenext", "--skipLibCheck", "--lib", "es2022,dom", "globals.d.ts",
                          "try.ts", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    ran = toolbox.run(*node.commands(toolbox.NODE)[0], "try.js", cwd=tmp_path, env=variables)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {"text": "Hello there", "title": "Hello there", "attempts": 3,
                                      "missing": "not_found"}


PYTHON = """
import os
from parley_client import AuthenticatedClient
from parley_client.api.chat import query_chat
from parley_client.api.runs import get_run
from parley_client.api.sessions import list_sessions
from parley_client.models import ChatRun, Problem, Query

parley = AuthenticatedClient(base_url=os.environ["PARLEY"], token=os.environ["TOKEN"])
run = query_chat.sync(client=parley, body=Query(message="Hello there", model="scripted"))
assert isinstance(run, ChatRun), run
print(run.message.content[0].text)
print(list_sessions.sync(client=parley, limit=5).data[0].title)
missing = get_run.sync(client=parley, run="run_x")
assert isinstance(missing, Problem)
print(missing.code)
"""


def test_openapi_python_client(variables, tmp_path):
    (tmp_path / "config.yaml").write_text("package_name_override: parley_client\npost_hooks: []\n")
    made = toolbox.run(toolbox.python() / "openapi-python-client", "generate", "--path", DOCUMENT,
                       "--config", "config.yaml", "--output-path", "client", "--meta", "none",
                       cwd=tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    (tmp_path / "client").rename(tmp_path / "parley_client")
    ran = subprocess.run([toolbox.python() / "python", "-c", PYTHON], cwd=tmp_path, text=True,
                         capture_output=True, timeout=60, check=False, env=variables)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == ["Hello there", "Hello there", "not_found"]
