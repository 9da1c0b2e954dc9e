"""The pages under /docs and /problems in a real browser: no errors on the console, no request to another
host, not wider than a phone; and a request can be sent with a pasted token."""
import json
import pathlib
import shutil

import pytest

import node
import program
import toolbox
from toolbox import only_in_full

pytestmark = only_in_full

PATHS = ["/docs", "/docs/guides", "/docs/guides/streaming", "/docs/guides/limits", "/problems",
         "/problems/rate_limited"]


@pytest.fixture
def chromium():
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        pytest.skip("needs chromium (on Debian: the package of that name)")
    return found


def test_pages_in_a_browser(start, chromium, tmp_path):
    server = start()
    made = program.run("user", "add", "ana", "--password-stdin", "--data", str(server.data),
                       input="correct horse battery staple\n")
    assert made.returncode == 0, made.stderr
    token = program.run("token", "create", "--user", "ana", "--scope", "chat:read", "--scope",
                        "chat:write", "--scope", "account", "--data", str(server.data))
    pictures = pathlib.Path(program.ROOT / "build/pictures")
    pictures.mkdir(parents=True, exist_ok=True)
    result = toolbox.run(*node.commands(toolbox.NODE)[0], "--input-type=module", "-e",
                         (toolbox.HERE / "browser.mjs").read_text("utf-8"), toolbox.packages(),
                         chromium, server.url(), pictures, token.stdout.strip(), *PATHS,
                         cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == {"console": [], "elsewhere": [], "wide": [],
                                         "tried": [200, 200, 201, 200, 200, 201]}
